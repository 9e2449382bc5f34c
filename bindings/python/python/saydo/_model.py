"""Models: opened once, by name or as a Python callable."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _saydo
from ._progress import Wanted, watching

if TYPE_CHECKING:
    from os import PathLike

    from ._train import Adapter

    AdapterLike: TypeAlias = str | PathLike[str] | Adapter

Callback = Callable[[str], str]
"""Any model of one's own: a prompt in, a reply out."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A reply, with the natural logarithm of its probability where the model says it; or what went wrong."""

    text: str | None
    log_prob: float | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """The natural logarithm of a continuation's probability, and whether greedy decoding would give it."""

    log_prob: float
    is_greedy: bool
    tokens: int


class Model:
    """A model that is ready: see :func:`saydo.open`."""

    def __init__(self, session: _saydo.Session) -> None:
        self._session = session

    @property
    def name(self) -> str:
        """The model, as it was named."""
        return self._session.name

    @property
    def fingerprint(self) -> str:
        """What tells it from others: equal fingerprints mean equal replies."""
        return self._session.fingerprint

    @property
    def is_trained(self) -> bool:
        """Whether it has learned to answer questions over texts, and shows evidence."""
        return self._session.is_trained

    def generate(
        self,
        prompts: Iterable[str],
        *,
        max_tokens: int = 256,
        stop: Sequence[str] = (),
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        chat: bool = False,
        progress: Wanted = False,
    ) -> list[Generated]:
        """Continues each prompt. Equal beginnings of prompts are computed once.

        >>> import saydo
        >>> replies = saydo.open("scripted").generate(["Is it raining?"])
        >>> replies[0].text in ("yes", "no", "NA")
        True
        """
        with watching(progress, "prompts") as watch:
            replies = self._session.generate(
                list(prompts),
                max_tokens=max_tokens,
                stop=list(stop),
                temperature=temperature,
                top_p=top_p,
                seed=seed,
                chat=chat,
                progress=watch,
            )
        return [Generated(*reply) for reply in replies]

    def score(
        self, pairs: Iterable[tuple[str, str]], *, start: str | None = None, progress: Wanted = False
    ) -> list[Scored]:
        """How likely each continuation is after its prompt. Space at its start is its own: ``" yes"``.

        :param start: what stands for an empty prompt, such as ``"<|endoftext|>"``; it may be a control token

        >>> import saydo
        >>> [score] = saydo.open("scripted").score([("Is it raining?", " yes")])
        >>> score.log_prob <= 0
        True
        """
        with watching(progress, "continuations") as watch:
            return [Scored(*score) for score in self._session.score(list(pairs), start=start, progress=watch)]

    def __repr__(self) -> str:
        return f"<saydo.Model {self.name}>"


ModelLike: TypeAlias = "str | Model | Callback | None"
"""A model's name, an open model, or a callable; None is ``SAYDO_MODEL`` or the default."""


def open_model(
    model: ModelLike = None,
    *,
    adapter: AdapterLike | None = None,
    skill: str = "functions",
    name: str | None = None,
    max_connections: int | None = None,
    **options: Any,
) -> Model:
    """Opens a model: a name of the catalog, a path, ``hf:owner/repo``, ``openai:NAME``, or ``scripted`` for trying out.

    A callable from text to text is a model too; ``name`` tells its records from those of others. The last models stay
    open, so that opening one again costs nothing.

    :param adapter: a folder in PEFT's layout, what :func:`saydo.train` gave, or ``"none"`` for bare weights
    :param base_url: addresses of the servers of an ``openai:`` model; default: ``OPENAI_BASE_URL``
    :param max_connections: requests, or calls of a callable, at once
    :param threads: threads that compute; default: one for each core
    :param max_tokens: longest free-text reply, in tokens
    :param temperature: sampling temperature of free-text replies; 0 = greedy

    >>> open_model("scripted").name
    'scripted'
    """
    if isinstance(model, Model):
        return model
    if callable(model):
        called = name or str(getattr(model, "__qualname__", type(model).__qualname__))
        return Model(_saydo.Session.of_callable(model, called, max_connections=max_connections or 1))
    named = model or os.environ.get("SAYDO_MODEL") or _saydo.DEFAULT_MODEL
    urls = options.pop("base_url", None) or os.environ.get("OPENAI_BASE_URL", "")
    options["base_url"] = tuple(url for url in (urls.split(",") if isinstance(urls, str) else urls) if url)
    if adapter is not None:
        options["adapter"] = str(getattr(adapter, "path", adapter))
    if max_connections is not None:
        options["max_connections"] = max_connections
    if Path(named).exists():
        named = str(Path(named).resolve())
    return _opened(named, skill, tuple(sorted(options.items())))


@lru_cache(maxsize=2)
def _opened(name: str, skill: str, options: tuple[tuple[str, Any], ...]) -> Model:
    keywords = dict(options)
    keywords["base_url"] = list(keywords["base_url"])
    return Model(_saydo.Session.open(name, skill=skill, **keywords))
