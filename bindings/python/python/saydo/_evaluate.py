"""A model through a protocol of the papers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _saydo
from ._html import table
from ._model import ModelLike, open_model
from ._progress import Wanted, watching

if TYPE_CHECKING:
    from ._model import AdapterLike


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a run, the paper's numbers beside ours."""

    title: str
    note: str
    header: list[str]
    rows: list[list[str]]

    def __str__(self) -> str:
        all_rows = [self.header, *self.rows]
        widths = [max(len(row[place]) for row in all_rows) for place in range(len(self.header))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in all_rows]
        return "\n".join([self.title, *(line.rstrip() for line in lines)])

    def _repr_html_(self) -> str:
        return table(self.header, self.rows, self.title)


@dataclass(frozen=True)
class Evaluation:
    """The scores of a run: ``scores`` as ``saydo eval --json`` prints them, its tables, and every sample."""

    protocol: str
    scores: dict[str, Any]
    tables: list[Table]
    samples: list[dict[str, Any]] = field(repr=False)
    folder: Path | None = None

    @property
    def metrics(self) -> dict[str, float]:
        """The mean over tasks of each metric of samples."""
        rows = [row for row in self.scores["rows"] if row["by"] == "task"]
        names = list(dict.fromkeys(row["metric"] for row in rows))
        values = {name: [row["mean"] for row in rows if row["metric"] == name] for name in names}
        return {name: sum(means) / len(means) for name, means in values.items()}

    def to_pandas(self) -> Any:
        """The samples as a ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(self.samples)

    def __str__(self) -> str:
        return "\n\n".join(str(one) for one in self.tables)

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self.tables)


def evaluate(
    protocol: str,
    *,
    data: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    model: ModelLike = None,
    adapter: AdapterLike | None = None,
    layout: str | Sequence[str] = (),
    num_fewshot: int | None = None,
    limit: int | None = None,
    tasks: Sequence[str] = (),
    constrained: bool = False,
    chat: bool = False,
    mode: str = "strict",
    seed: int = 0,
    allow_seen: bool = False,
    retry_errors: bool = False,
    output: str | PathLike[str] | None = None,
    progress: Wanted = None,
    **options: Any,
) -> Evaluation:
    """Runs a model through a protocol, and scores it as the paper does.

    :param protocol: zest, natural-instructions, super-natural-instructions, turking, reading, everyday, or a task of your
        own
    :param data: files or folders of tasks; for a task of your own, labelled rows
    :param model: a name, an open model, any callable from prompt to reply, or ``baseline:NAME``
    :param limit: max instances per task
    :param tasks: ids of tasks, or how they begin
    :param constrained: constrained decoding, as in :func:`saydo.run`, instead of free generation
    :param output: a folder that records the run; run again, what it holds is not asked again. It is one that
        ``saydo score`` and ``saydo report`` read

    >>> scores = evaluate("everyday", model="baseline:always-na", limit=20)
    >>> 0 <= scores.metrics["f1"] <= 1
    True
    """
    baseline = model.removeprefix("baseline:") if isinstance(model, str) and model.startswith("baseline:") else None
    session = None
    if baseline is None:
        opened = open_model(model, adapter=adapter, skill=_skill(protocol, constrained), seed=seed, **options)
        session = opened._session
    with watching(progress, "samples") as watch:
        report = json.loads(
            _saydo.evaluate(
                protocol,
                [fspath(data)] if isinstance(data, str | PathLike) else [fspath(path) for path in data],
                session=session,
                baseline=baseline,
                layout=[layout] if isinstance(layout, str) else list(layout),
                num_fewshot=num_fewshot,
                limit=limit,
                tasks=list(tasks),
                constrained=constrained,
                chat=chat,
                mode=mode,
                seed=seed,
                allow_seen=allow_seen,
                retry_errors=retry_errors,
                folder=None if output is None else fspath(output),
                progress=watch,
            )
        )
    return evaluation(report)


def evaluation(report: dict[str, Any]) -> Evaluation:
    """What the engine reports, with names."""
    tables = [Table(**one) for one in report["tables"]]
    folder = None if report["folder"] is None else Path(report["folder"])
    return Evaluation(report["scores"]["protocol"], report["scores"], tables, report["samples"], folder)


def _skill(protocol: str, constrained: bool) -> str:
    """What the adapter that ships should have learned, as ``saydo eval`` chooses it."""
    if protocol == "turking" and not constrained:
        return "none"
    free = ("zest", "natural-instructions", "super-natural-instructions")
    return "tasks" if protocol in free and not constrained else "functions"
