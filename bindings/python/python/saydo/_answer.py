"""An answer and the pieces of the text it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._html import marked


@dataclass(frozen=True, slots=True, repr=False)
class Span:
    """A piece of the text, from ``start`` to before ``end``, in characters.

    >>> Span(0, 4, "Dogs")
    Span(0, 4)
    """

    start: int
    end: int
    text: str
    label: str | None = None
    record: int | None = None
    score: float | None = None

    def __repr__(self) -> str:
        label = "" if self.label is None else f", label={self.label!r}"
        return f"Span({self.start}, {self.end}{label})"


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What a function says about a text.

    ``value`` is ``True`` or ``False``, a label, a text, a list of texts (spans), a list of dicts (records), or ``None``
    where the text does not say. ``status`` tells apart an answer (``ok``), no answer in the text (``na``), a reply that
    is no answer (``unparsable``) and no reply (``failed``, with its ``error``).

    >>> Answer(True, 0.97, evidence=[Span(0, 28, "Dogs on a leash are welcome.")])
    Answer(value=True, confidence=0.97, evidence=[Span(0, 28)])
    """

    value: Any
    confidence: float | None = None
    evidence: list[Span] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    status: str = "ok"
    error: str | None = None
    text: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        parts = [f"value={self.value!r}"]
        if self.confidence is not None:
            parts.append(f"confidence={round(self.confidence, 2)}")
        if self.evidence:
            parts.append(f"evidence={self.evidence!r}")
        if self.spans:
            parts.append(f"spans={self.spans!r}")
        if self.error is not None:
            parts.append(f"status={self.status!r}, error={self.error!r}")
        return f"Answer({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return marked(self)
