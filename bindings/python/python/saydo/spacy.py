"""A description as a component of spaCy: ``nlp.add_pipe("saydo", config={"task": "Which hikes are there?"})``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ._answer import Answer, Span
from ._function import Function, function
from ._run import run

if not Doc.has_extension("saydo"):
    Doc.set_extension("saydo", default=None)


class SaydoComponent:
    """Answers each document: pieces of text go to ``doc.spans[spans_key]``, the whole answer to ``doc._.saydo``.

    Spans cover whole tokens. The label of a span is the field of its record, ``evidence``, or the name of the pipe.
    """

    def __init__(self, name: str, function: Function, spans_key: str) -> None:
        self.name = name
        self.function = function
        self.spans_key = spans_key

    def __call__(self, doc: Doc) -> Doc:
        return self._set(doc, self.function(doc.text))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """The same for many documents, whose answers are computed together."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            answers = run(self.function, [doc.text for doc in batch], progress=False)
            yield from map(self._set, batch, answers)

    def _set(self, doc: Doc, answer: Answer) -> Doc:
        doc._.saydo = answer
        spans = [(span, span.label or self.name) for span in answer.spans]
        spans += [(span, "evidence") for span in answer.evidence]
        doc.spans[self.spans_key] = [found for span, label in spans if (found := _found(doc, span, label)) is not None]
        return doc


def _found(doc: Doc, span: Span, label: str) -> Any:
    return doc.char_span(span.start, span.end, label=label, alignment_mode="expand")


@Language.factory(
    "saydo",
    default_config={"task": "", "model": None, "adapter": None, "kind": None, "labels": None, "fields": None, "spans_key": "saydo"},
)
def make(
    nlp: Language,
    name: str,
    task: str,
    model: str | None,
    adapter: str | None,
    kind: str | None,
    labels: list[str] | None,
    fields: dict[str, str] | None,
    spans_key: str,
) -> SaydoComponent:
    """The component of a task: ``config`` takes what :func:`saydo.function` takes."""
    made = function(task, model=model, adapter=adapter, kind=kind, labels=labels, fields=fields)
    return SaydoComponent(name, made, spans_key)
