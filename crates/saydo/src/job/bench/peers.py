"""Measures how fast other engines run a GGUF model, for `saydo bench generate` to compare with.

Reads one JSON object from standard input, prints one JSON object per line. Run it once per peer, so that the peak of
memory is that peer's own. Input (all prompts are lists of token numbers, or texts that the model's own vocabulary
encodes):

    gguf          path of the model
    peer          "llama-cpp-python" or "transformers"
    threads       how many threads may compute
    prompts       {"prefill": prompt, "decode": prompt, "workload": [prompt, …]}
    measures      which of "load", "prefill", "decode", "batch", "workload" to take; all by default
    new_tokens    {"decode": 64, "batch": 64, "workload": 16}
    batch         how many sequences are decoded together: 16 by default
    workload_batch  how many instances transformers takes at once: 8 by default
    stop_at_end   whether a reply of the workload stops at an end token; by default all replies have full length
    repeats       how often a measure is taken behind one warm-up: 3 by default

Output: {"peer", "version", "measure", "unit", "value", "values"}, where value is the median; {"peer", "measure",
"failed"} for a measure that could not be taken; {"peer", "missing"} for a peer that is not there or cannot load the
model. The exit code is 0 in all these cases.
"""

import json
import os
import statistics
import sys
import time
from importlib.metadata import version

NEW_TOKENS = {"decode": 64, "batch": 64, "workload": 16}


def say(**line):
    print(json.dumps(line), flush=True)


def peak_memory():
    """The most memory that this process had resident, in bytes, or none where the system does not say."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def round_up(tokens):
    """A context's size for `tokens`, with room to spare: llama.cpp wants multiples of 256."""
    return (tokens + 8 + 255) // 256 * 256


class LlamaCpp:
    """llama.cpp through llama-cpp-python: its own prefix cache, its low-level batches."""

    name, package = "llama-cpp-python", "llama-cpp-python"
    loads_quickly = True

    def __init__(self, request):
        import llama_cpp
        import numpy

        self.llama_cpp, self.numpy, self.request = llama_cpp, numpy, request
        self.model = None

    def load(self):
        """Loads the model afresh. The context holds the longest prompt of the request and what is generated."""
        self.model = None
        vocabulary = self.llama_cpp.Llama(self.request["gguf"], vocab_only=True, verbose=False)
        self.encode = lambda text: vocabulary.tokenize(text.encode(), add_bos=True, special=True)
        longest = max(len(prompt) for prompt in all_prompts(self))
        start = time.perf_counter()
        self.model = self.llama_cpp.Llama(
            self.request["gguf"], n_ctx=round_up(longest + max(new_tokens(self).values())), verbose=False,
            n_threads=self.request["threads"], n_threads_batch=self.request["threads"],
        )  # fmt: skip
        self.first_token()
        return time.perf_counter() - start

    def first_token(self):
        next(self.replies(prompt_of(self, "decode")))

    def replies(self, prompt):
        return self.model.generate(prompt, temp=0.0, top_k=1, repeat_penalty=1.0)

    def best(self, context, index):
        pointer = self.llama_cpp.llama_get_logits_ith(context, index)
        return int(self.numpy.ctypeslib.as_array(pointer, shape=(self.model.n_vocab(),)).argmax())

    def prefill(self):
        prompt = prompt_of(self, "prefill")
        self.model.reset()
        start = time.perf_counter()
        self.model.eval(prompt)
        self.best(self.model.ctx, -1)
        return len(prompt) / (time.perf_counter() - start)

    def decode(self):
        count = new_tokens(self)["decode"]
        self.model.reset()
        tokens = self.replies(prompt_of(self, "decode"))
        next(tokens)
        start = time.perf_counter()
        for _ in range(count):
            next(tokens)
        return count / (time.perf_counter() - start)

    def batch(self):
        """Sequences that share nothing, one token of each per call."""
        low, prompt, width = self.llama_cpp, prompt_of(self, "decode"), self.request["batch"]
        steps = new_tokens(self)["batch"]
        settings = low.llama_context_default_params()
        settings.n_ctx = width * round_up(len(prompt) + steps)
        settings.n_batch = settings.n_ubatch = 512
        settings.n_seq_max = width
        settings.n_threads = settings.n_threads_batch = self.request["threads"]
        context = low.llama_init_from_model(self.model.model, settings)
        batch = low.llama_batch_init(max(len(prompt), width), 0, 1)
        try:
            last = []
            for sequence in range(width):
                rows = [(token, place, sequence, place == len(prompt) - 1) for place, token in enumerate(prompt)]
                self.run_batch(context, batch, rows)
                last.append(self.best(context, -1))
            start = time.perf_counter()
            for step in range(steps):
                rows = [(token, len(prompt) + step, sequence, True) for sequence, token in enumerate(last)]
                self.run_batch(context, batch, rows)
                last = [self.best(context, index) for index in range(width)]
            return width * steps / (time.perf_counter() - start)
        finally:
            low.llama_batch_free(batch)
            low.llama_free(context)

    def run_batch(self, context, batch, rows):
        batch.n_tokens = len(rows)
        for index, (token, place, sequence, wants_logits) in enumerate(rows):
            batch.token[index], batch.pos[index] = token, place
            batch.n_seq_id[index], batch.seq_id[index][0] = 1, sequence
            batch.logits[index] = wants_logits
        if self.llama_cpp.llama_decode(context, batch) != 0:
            raise RuntimeError("llama_decode failed")

    def workload(self):
        """Prompts one after the other; each keeps what it shares with the one before."""
        prompts, count = prompts_of(self, "workload"), new_tokens(self)["workload"]
        vocabulary = self.llama_cpp.llama_model_get_vocab(self.model.model)
        self.model.reset()
        start = time.perf_counter()
        for prompt in prompts:
            for index, token in enumerate(self.replies(prompt)):
                ended = self.request["stop_at_end"] and self.llama_cpp.llama_vocab_is_eog(vocabulary, token)
                if ended or index + 1 == count:
                    break
        return len(prompts) / (time.perf_counter() - start)


class Transformers:
    """Hugging Face's transformers with the weights as 32-bit floats."""

    name, package = "transformers", "transformers"
    loads_quickly = False

    def __init__(self, request):
        os.environ["TQDM_DISABLE"] = "1"
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        torch.set_num_threads(request["threads"])
        torch.set_grad_enabled(False)
        self.torch, self.transformers, self.request = torch, transformers, request
        self.folder, self.file = os.path.split(os.path.abspath(request["gguf"]))
        self.model = None

    def encode(self, text):
        if not hasattr(self, "tokenizer"):
            self.tokenizer = self.transformers.AutoTokenizer.from_pretrained(self.folder, gguf_file=self.file)
        return self.tokenizer(text).input_ids

    def load(self):
        all_prompts(self)
        start = time.perf_counter()
        self.model = self.transformers.AutoModelForCausalLM.from_pretrained(
            self.folder, gguf_file=self.file, dtype=self.torch.float32
        ).eval()
        self.forward([prompt_of(self, "decode")])
        return time.perf_counter() - start

    def forward(self, rows, past=None):
        """The best next token of each row, and the cache."""
        rows = rows if self.torch.is_tensor(rows) else self.torch.tensor(rows)
        output = self.model(input_ids=rows, past_key_values=past, use_cache=True, logits_to_keep=1)
        return output.logits[:, -1:].argmax(-1), output.past_key_values

    def prefill(self):
        prompt = prompt_of(self, "prefill")
        start = time.perf_counter()
        self.forward([prompt])
        return len(prompt) / (time.perf_counter() - start)

    def decode(self, width=1, measure="decode"):
        count = new_tokens(self)[measure]
        last, past = self.forward([prompt_of(self, "decode")] * width)
        start = time.perf_counter()
        for _ in range(count):
            last, past = self.forward(last, past)
        return width * count / (time.perf_counter() - start)

    def batch(self):
        return self.decode(self.request["batch"], "batch")

    def workload(self):
        prompts, width = prompts_of(self, "workload"), self.request["workload_batch"]
        count = new_tokens(self)["workload"]
        start = time.perf_counter()
        for first in range(0, len(prompts), width):
            rows = prompts[first : first + width]
            longest = max(map(len, rows))
            ids = self.torch.tensor([[0] * (longest - len(row)) + row for row in rows])
            mask = self.torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows])
            least = {} if self.request["stop_at_end"] else {"min_new_tokens": count}
            self.model.generate(
                ids, attention_mask=mask, max_new_tokens=count, do_sample=False, pad_token_id=0, repetition_penalty=1.0,
                **least,
            )  # fmt: skip
        return len(prompts) / (time.perf_counter() - start)


def prompt_of(peer, name):
    """A prompt of the request as token numbers; a text is encoded the first time."""
    prompts = peer.request["prompts"]
    if isinstance(prompts[name], str):
        prompts[name] = peer.encode(prompts[name])
    return prompts[name]


def prompts_of(peer, name):
    prompts = peer.request["prompts"]
    prompts[name] = [peer.encode(prompt) if isinstance(prompt, str) else prompt for prompt in prompts[name]]
    return prompts[name]


def all_prompts(peer):
    names = peer.request["prompts"]
    single = [prompt_of(peer, name) for name in ["prefill", "decode"] if name in names]
    return single + (prompts_of(peer, "workload") if "workload" in names else [])


def new_tokens(peer):
    return peer.request["new_tokens"]


PEERS = {peer.name: peer for peer in [LlamaCpp, Transformers]}
UNITS = {"load": "s", "prefill": "tokens/s", "decode": "tokens/s", "batch": "tokens/s", "workload": "instances/s"}


def measure(peer, name, repeats):
    """One warm-up, then the median of `repeats`; a slow load is timed as it comes."""
    take = getattr(peer, name)
    if name != "load" or peer.loads_quickly:
        take()
    else:
        repeats = 1
    values = [take() for _ in range(repeats)]
    report(peer, name, UNITS[name], values)


def report(peer, name, unit, values):
    line = {"measure": name, "unit": unit, "value": statistics.median(values), "values": values}
    say(peer=peer.name, version=version(peer.package), **line)


def main():
    request = json.load(sys.stdin)
    defaults = {"measures": list(UNITS), "batch": 16, "workload_batch": 8, "stop_at_end": False, "repeats": 3}
    request = defaults | request | {"new_tokens": NEW_TOKENS | request.get("new_tokens", {})}
    name = request["peer"]
    try:
        peer = PEERS[name](request)
    except ImportError as error:
        return say(peer=name, missing=str(error))
    try:
        if "load" in request["measures"]:
            measure(peer, "load", request["repeats"])
        else:
            peer.load()
    except Exception as error:
        return say(peer=name, missing=f"cannot load the model: {error}")
    for wanted in request["measures"]:
        try:
            if wanted != "load":
                measure(peer, wanted, request["repeats"])
        except Exception as error:
            say(peer=name, measure=wanted, failed=f"{type(error).__name__}: {error}")
    if peak := peak_memory():
        report(peer, "memory", "bytes", [peak])


if __name__ == "__main__":
    main()
