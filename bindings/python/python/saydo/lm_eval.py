"""Saydo's engine as a model of lm-evaluation-harness: its tasks, on a CPU, faster.

Importing this module registers the model ``saydo``; ``python -m saydo.lm_eval`` is the harness's own program with it::

    python -m saydo.lm_eval run --model saydo --model_args model=smollm2-135m --tasks arc_easy
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

from ._errors import Error
from ._model import Scored, open_model

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance

_MAX_TOKENS = 256
"""Longest reply where a task does not say; the harness's other models have the same."""


@register_model("saydo")
class SaydoLM(LM):  # type: ignore[misc]
    """A model of Saydo for the harness. Without ``adapter``, the bare weights are evaluated.

    The engine finds its own batch size, so that of the harness is ignored, as is the device: the engine is the CPU's.

    :param prefix_token: the token that stands for an empty context, as the harness's ``hf`` has it: the model's token for
        the beginning, or else the end of a text, such as ``<|endoftext|>``
    """

    def __init__(
        self,
        model: str | None = None,
        adapter: str | None = None,
        threads: int | None = None,
        max_gen_toks: int = _MAX_TOKENS,
        prefix_token: str | None = None,
        batch_size: Any = None,
        max_batch_size: Any = None,
        device: Any = None,
    ) -> None:
        super().__init__()
        options: dict[str, Any] = {} if threads is None else {"threads": int(threads)}
        self._model = open_model(model, adapter=adapter or "none", skill="none", **options)
        self._max_tokens = int(max_gen_toks)
        self._prefix_token = prefix_token

    @property
    def tokenizer_name(self) -> str:
        """What tells cached requests of this model from those of others."""
        return self._model.fingerprint

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """The logarithm of each continuation's probability, and whether greedy decoding would give it."""
        pairs = [(str(context), str(continuation)) for context, continuation in (one.args for one in requests)]
        scores = self._score(pairs, disable_tqdm)
        results = [(score.log_prob, score.is_greedy) for score in scores]
        for request, result in zip(requests, results, strict=True):
            self.cache_hook.add_partial("loglikelihood", request.args, result)
        return results

    def loglikelihood_rolling(self, requests: list[Instance], disable_tqdm: bool = False) -> list[float]:
        """The logarithm of each text's probability. A text that the model cannot read at once is refused."""
        return [score.log_prob for score in self._score([("", str(one.args[0])) for one in requests], disable_tqdm)]

    def _score(self, pairs: list[tuple[str, str]], is_quiet: bool) -> list[Scored]:
        if self._prefix_token is None and any(not context for context, _ in pairs):
            raise Error("an empty context, expected a token that stands for it", "add prefix_token=<|endoftext|> to model_args")
        return self._model.score(pairs, start=self._prefix_token, progress=not is_quiet)

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        """The reply to each prompt, up to the first text that ends it."""
        groups: dict[str, list[int]] = defaultdict(list)
        for place, request in enumerate(requests):
            groups[repr(sorted(request.args[1].items()))].append(place)
        replies: dict[int, str] = {}
        for places in groups.values():
            options = _decoding(requests[places[0]].args[1], self._max_tokens)
            prompts = [str(requests[place].args[0]) for place in places]
            for place, reply in zip(
                places, self._model.generate(prompts, progress=not disable_tqdm, **options), strict=True
            ):
                if reply.text is None:
                    raise Error(f"no reply to a prompt of {len(prompts[0])} characters: {reply.error}")
                replies[place] = reply.text
                self.cache_hook.add_partial("generate_until", requests[place].args, reply.text)
        return [replies[place] for place in range(len(requests))]


def _decoding(settings: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    """The harness's settings of a reply as ours.

    >>> _decoding({"until": "X", "max_gen_toks": 8, "do_sample": False, "temperature": 0.7}, 256)
    {'max_tokens': 8, 'stop': ['X'], 'temperature': 0.0, 'top_p': 1.0}
    """
    until = settings.get("until") or []
    samples = bool(settings.get("do_sample", False))
    return {
        "max_tokens": int(settings.get("max_gen_toks") or settings.get("max_tokens") or max_tokens),
        "stop": [until] if isinstance(until, str) else [stop for stop in until if stop],
        "temperature": float(settings.get("temperature", 1.0)) if samples else 0.0,
        "top_p": float(settings.get("top_p", 1.0)) if samples else 1.0,
    }


def main() -> None:
    """The program of lm-evaluation-harness, with the model ``saydo``."""
    from lm_eval.__main__ import cli_evaluate

    cli_evaluate()


if __name__ == "__main__":
    main()
