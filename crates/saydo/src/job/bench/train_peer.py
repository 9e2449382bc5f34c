"""Measures how fast PyTorch and PEFT train an adapter on a GGUF model, for `saydo bench train` to compare with.

Reads one JSON object from standard input, prints one JSON object per line. Input:

    gguf      path of the model
    threads   how many threads may compute
    precision f32, or bf16 for weights, adapter and activations in bf16
    rank      rank of the adapter, which is on every linear layer but the head
    batch     how many prompts stand in one padded batch
    repeats   how often a measure is taken behind one warm-up
    unpacked, packed  [{"prompt": tokens, "output": tokens}, …]: whole prompts, and a mixture of tasks

Output: {"peer", "version", "measure", "values"}: tokens/s, instances/s, the first update's loss, bytes; or {"peer",
"missing"} for packages that are not there or a model that cannot be loaded. The exit code is 0 in all these cases.
"""

import json
import os
import sys
import time
from importlib.metadata import version


def say(**line):
    print(json.dumps({"peer": "peft", **line}), flush=True)


class Trainer:
    """An update is the mean loss over all output tokens, batch by batch, and one step of AdamW."""

    def __init__(self, request):
        os.environ["TQDM_DISABLE"] = "1"
        import peft
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        torch.set_num_threads(request["threads"])
        self.torch, self.width = torch, request["batch"]
        is_rounded = request["precision"] == "bf16"
        dtype = torch.bfloat16 if is_rounded else torch.float32
        folder, file = os.path.split(os.path.abspath(request["gguf"]))
        model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=dtype)
        config = peft.LoraConfig(r=request["rank"], lora_alpha=2 * request["rank"], target_modules="all-linear")
        # Left alone, PEFT would keep the adapter in f32 and convert what it multiplies at every layer.
        self.model = peft.get_peft_model(model, config, autocast_adapter_dtype=not is_rounded).train()
        learned = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.optimizer = torch.optim.AdamW(learned, lr=2e-4, weight_decay=0.0)

    def batches(self, examples):
        # Examples of like length together waste the least on padding.
        examples = sorted(examples, key=lambda example: len(example["prompt"]) + len(example["output"]))
        for first in range(0, len(examples), self.width):
            rows = examples[first : first + self.width]
            whole = [row["prompt"] + row["output"] for row in rows]
            longest = max(map(len, whole))
            pad = lambda values, filler: values + [filler] * (longest - len(values))
            yield (
                self.torch.tensor([pad(tokens, 0) for tokens in whole]),
                self.torch.tensor([pad([1] * len(tokens), 0) for tokens in whole]),
                self.torch.tensor([pad([-100] * len(row["prompt"]) + row["output"], -100) for row in rows]),
            )

    def update(self, examples):
        """Seconds and loss of one update."""
        targets = sum(len(example["output"]) for example in examples)
        start, total = time.perf_counter(), 0.0
        self.optimizer.zero_grad()
        for tokens, mask, labels in self.batches(examples):
            reply = self.model(input_ids=tokens, attention_mask=mask, labels=labels, num_items_in_batch=targets)
            loss = reply.loss
            loss.backward()
            total += loss.item()
        self.torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return time.perf_counter() - start, total


def peak_memory():
    """The most memory that this process had resident, in bytes, or none where the system does not say."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return None


def main():
    request = json.load(sys.stdin)
    try:
        trainer = Trainer(request)
    except ImportError as error:
        return say(missing=str(error))
    except Exception as error:
        return say(missing=f"cannot load the model: {error}")
    say(version=version("peft"))
    say(measure="loss", values=[trainer.update(request["unpacked"])[1]])
    tokens = sum(len(example["prompt"]) + len(example["output"]) for example in request["unpacked"])
    for measure, amount in [("unpacked", tokens), ("packed", len(request["packed"]))]:
        try:
            values = [amount / trainer.update(request[measure])[0] for _ in range(request["repeats"])]
            say(measure=measure, values=values)
        except Exception as error:
            say(measure=measure, failed=f"{type(error).__name__}: {error}")
    if peak := peak_memory():
        say(measure="memory", values=[peak])


if __name__ == "__main__":
    main()
