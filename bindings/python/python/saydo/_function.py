"""A description as a function over text."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from . import _saydo
from ._answer import Answer
from ._errors import TaskError
from ._model import ModelLike, open_model

if TYPE_CHECKING:
    from ._model import AdapterLike


class Function:
    """A description on a model: a text in, a typed and grounded answer out. Made by :func:`saydo.function`."""

    def __init__(self, function: _saydo.Function) -> None:
        self._function = function

    @property
    def name(self) -> str:
        """The task's title, or its description."""
        return self._function.name

    @property
    def kind(self) -> str:
        """The kind of its answers: yes-no, label, spans, records or text."""
        return self._function.kind

    @property
    def labels(self) -> list[str] | None:
        """The labels an answer can be; None for other kinds."""
        return self._function.labels

    @property
    def fields(self) -> dict[str, str] | None:
        """The fields of its records and what they hold; None for other kinds."""
        fields = self._function.fields
        return None if fields is None else dict(fields)

    def __call__(self, text: str) -> Answer:
        """The answer to one text. Raises :class:`saydo.Error` where there is none."""
        return self._function.answer(text)

    async def aanswer(self, text: str) -> Answer:
        """The same for ``asyncio``: others go on meanwhile."""
        return await asyncio.to_thread(self._function.answer, text)

    def run(self, data: Any, **options: Any) -> Any:
        """The answers to many texts: see :func:`saydo.run`."""
        from ._run import run

        return run(self, data, **options)

    def __repr__(self) -> str:
        return f"<saydo.Function {self.name!r}: {self.kind}>"


def function(
    task: str | PathLike[str],
    *,
    model: ModelLike = None,
    adapter: AdapterLike | None = None,
    examples: Sequence[tuple[str, Any] | Mapping[str, Any]] = (),
    kind: str | None = None,
    labels: Iterable[str] | None = None,
    fields: Mapping[str, str | Iterable[str]] | None = None,
    evidence: bool | None = None,
    **options: Any,
) -> Function:
    """Makes a function of a description in plain words, or of a task file.

    :param model: a name, an open model, or a callable from text to text; see :func:`saydo.open`
    :param examples: pairs of a text and its right answer
    :param kind: yes-no, label, spans, records or text; default: as the words say
    :param labels: the labels an answer can be
    :param fields: the fields of records, each ``span``, ``yes-no``, ``text``, or its labels
    :param evidence: whether labels come with the passage that shows them; default: if the model has learned it

    >>> dogs = function("Are dogs allowed on this trail?", model="scripted")
    >>> dogs.kind
    'yes-no'
    >>> dogs("Dogs on a leash are welcome.").value in (True, False, None)
    True
    """
    functions = make(
        task, model, adapter, examples=examples, kind=kind, labels=labels, fields=fields, evidence=evidence, **options
    )
    if len(functions) != 1:
        raise TaskError(f"{fspath(task)} holds {len(functions)} tasks, expected one", "saydo.run takes several")
    return functions[0]


def make(
    task: str | PathLike[str] | Function,
    model: ModelLike = None,
    adapter: AdapterLike | None = None,
    *,
    examples: Sequence[tuple[str, Any] | Mapping[str, Any]] = (),
    kind: str | None = None,
    labels: Iterable[str] | None = None,
    fields: Mapping[str, str | Iterable[str]] | None = None,
    evidence: bool | None = None,
    **options: Any,
) -> list[Function]:
    """All functions of a description, a task file, or a folder of them."""
    if isinstance(task, Function):
        return [task]
    opened = open_model(model, adapter=adapter, **options)
    made = opened._session.functions(
        fspath(task),
        kind=kind,
        labels=None if labels is None else list(labels),
        fields=None if fields is None else [(name, _field(field)) for name, field in fields.items()],
        examples=[_example(example) for example in examples],
        evidence=opened.is_trained if evidence is None else evidence,
    )
    return [Function(one) for one in made]


def _field(field: str | Iterable[str]) -> str:
    return field if isinstance(field, str) else "|".join(field)


def _example(example: tuple[str, Any] | Mapping[str, Any]) -> tuple[str, str]:
    if isinstance(example, Mapping):
        text, answer = example["input"], example["output"]
    else:
        text, answer = example
    return text, written(answer)


def written(answer: Any) -> str:
    """An answer as task files write it: yes, no, n/a, a text, or JSON."""
    if answer is None:
        return "n/a"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, str):
        return answer
    import json

    return json.dumps(answer, ensure_ascii=False)
