"""The verdict on labelled rows, before a description is let loose on the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _saydo
from ._errors import DataError, Error
from ._function import Function, make
from ._html import table
from ._model import ModelLike
from ._progress import Wanted, watching

if TYPE_CHECKING:
    from ._model import AdapterLike


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with the ends of its 95% interval, as fractions."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"{100 * self.value:.1f}% ({100 * self.low:.1f}-{100 * self.high:.1f})"


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A labelled row: its gold answers, what each wording gave (None where it failed), and the score of the first."""

    id: str
    text: str
    gold: list[str]
    given: list[str | None]
    score: float


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often one answer was given for another."""

    gold: str
    given: str
    count: int


@dataclass(frozen=True)
class Verdict:
    """How a description does on labelled rows. ``f1`` is ZEST's task F1, or ROUGE-L for free text.

    ``flips`` says on how many rows another wording gives another answer; None where there is only one wording.
    """

    task: str
    model: str
    kind: str
    f1: Interval
    accuracy: Interval
    flips: Interval | None
    confusions: list[Confusion]
    rows: list[CheckedRow]

    def is_competent(self, level: float = 0.75) -> bool:
        """Whether F1 reaches this level: ZEST's competence."""
        return self.f1.value >= level

    def worst(self, count: int = 5) -> list[CheckedRow]:
        """The rows that scored worst, those below 1 only."""
        wrong = [row for row in self.rows if row.score < 1]
        return sorted(wrong, key=lambda row: row.score)[:count]

    def plot(self, ax: Any = None) -> Any:
        """Draws the measures with their intervals, and the confusions; needs matplotlib. Gives the axes."""
        from ._plot import verdict

        return verdict(self, ax)

    def __str__(self) -> str:
        lines = [f"{self.task} ({self.kind}, {len(self.rows)} rows, {self.model})"]
        lines += [f"  {name:<24} {measure!r}" for name, measure in self._measures()]
        lines += [f"  {one.gold} taken for {one.given}: {one.count}" for one in self.confusions]
        return "\n".join(lines)

    def _measures(self) -> list[tuple[str, Interval]]:
        measures = [("ROUGE-L" if self.kind == "text" else "F1", self.f1), ("accuracy", self.accuracy)]
        return measures + ([] if self.flips is None else [("flips with the wording", self.flips)])

    def _repr_html_(self) -> str:
        title = f"{self.task} ({self.kind}, {len(self.rows)} rows, {self.model})"
        html = table(["measure", "%", "95%"], [_cells(*measure) for measure in self._measures()], title)
        if self.confusions:
            rows = [(one.gold, one.given, one.count) for one in self.confusions]
            html += table(["gold", "given", "rows"], rows)
        if worst := self.worst():
            shown = [(row.id, " or ".join(row.gold), row.given[0] or "(failed)", row.text[:80]) for row in worst]
            html += table(["worst rows", "gold", "given", "text"], shown)
        return html


def _cells(name: str, measure: Interval) -> tuple[str, str, str]:
    return name, f"{100 * measure.value:.1f}", f"{100 * measure.low:.1f}-{100 * measure.high:.1f}"


def check(
    task: str | PathLike[str] | Function,
    labelled: Any,
    *,
    paraphrases: Iterable[str | PathLike[str] | Function] = (),
    model: ModelLike = None,
    adapter: AdapterLike | None = None,
    column: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    record: str | PathLike[str] | None = None,
    progress: Wanted = None,
    **options: Any,
) -> Verdict:
    """Tests a description on labelled rows.

    :param labelled: a file of JSON Lines with ``text`` and ``answer``, a table with such columns, dicts, or pairs of a text
        and its answer. An answer is a label, a bool, None where the text does not say, a list of spans or of records
    :param paraphrases: other wordings of the task, to see how often answers flip
    :param record: a file that keeps every answer, so that it is not asked again

    >>> import saydo
    >>> rows = [("Dogs may come.", True), ("No dogs.", False), ("It rains.", None)]
    >>> verdict = saydo.check("Are dogs allowed?", rows, model="scripted")
    >>> len(verdict.rows), 0 <= verdict.f1.value <= 1
    (3, True)
    """
    options.setdefault("evidence", False)
    wordings = [one for wording in [task, *paraphrases] for one in make(wording, model, adapter, **options)]
    lines, name = _lines(labelled, column)
    with watching(progress, "rows") as watch:
        report = _saydo.check(
            [one._function for one in wordings],
            lines,
            name=name,
            column=column,
            limit=limit,
            seed=seed,
            ledger=None if record is None else fspath(record),
            progress=watch,
        )
    return _verdict(json.loads(report))


def _verdict(report: dict[str, Any]) -> Verdict:
    flips = report["flips"]
    return Verdict(
        task=report["task"],
        model=report["model"],
        kind=report["kind"],
        f1=Interval(report["f1"], *report["f1_interval"]),
        accuracy=Interval(report["accuracy"], *report["accuracy_interval"]),
        flips=None if flips is None else Interval(flips["rate"], *flips["interval"]),
        confusions=[Confusion(*one) for one in report["confusions"]],
        rows=[CheckedRow(**row) for row in report["rows"]],
    )


def _lines(labelled: Any, column: str | None) -> tuple[str, str]:
    """Labelled rows as JSON Lines, and what to call them in messages."""
    if isinstance(labelled, str | PathLike):
        try:
            return Path(labelled).read_text(encoding="utf-8"), fspath(labelled)
        except OSError as error:
            raise DataError(f"cannot read {fspath(labelled)}: {error.strerror}") from None
    rows = [_row(row, column or "text") for row in _rows(labelled)]
    if not rows:
        raise DataError("no labelled rows, expected at least one")
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "labelled rows"


def _rows(labelled: Any) -> Iterable[Any]:
    """Tables as dicts; anything else as it is."""
    library = type(labelled).__module__.partition(".")[0]
    if library == "pandas":
        return [{name: _plain(value) for name, value in row.items()} for row in labelled.to_dict("records")]
    if library == "polars":
        return list(labelled.to_dicts())
    if library == "pyarrow":
        return list(labelled.to_pylist())
    return list(labelled)


def _plain(value: Any) -> Any:
    """A cell without NumPy: its arrays become lists, and a missing value is None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return None if isinstance(value, float) and value != value else value


def _row(row: Any, text: str) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    if isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 2:
        return {text: row[0], "answer": row[1]}
    raise Error(f"{row!r} is no labelled row, expected a dict or a pair of a text and its answer")
