"""Functions over many texts: what goes in decides what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from . import _saydo
from ._answer import Answer
from ._errors import DataError, Error
from ._function import Function, make
from ._html import table
from ._model import ModelLike
from ._progress import Wanted, watching

if TYPE_CHECKING:
    from ._model import AdapterLike

_ABOUT_FILES = ("id", "source", "model", "windows", "ms")
"""Columns that say nothing of rows that came from memory."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of a task came out how."""

    ok: int
    na: int
    unparsable: int
    failed: int


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run went: rows, those that failed, and answers that were computed now rather than found recorded."""

    rows: int
    failed: int
    computed: int
    tasks: dict[str, Counts]


class Rows:
    """Typed rows, as any library of tables reads them: ``pyarrow.table(rows)``, ``polars.DataFrame(rows)``."""

    def __init__(self, rows: _saydo.Rows) -> None:
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._rows.column_names

    @property
    def summary(self) -> Summary:
        """How the run went."""
        return _summary(self._rows)

    def select(self, names: Sequence[str]) -> Rows:
        """The same rows with these columns only."""
        return Rows(self._rows.select(list(names)))

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``."""
        return _pyarrow().table(self)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<saydo.Rows: {len(self)} rows, {', '.join(self.column_names)}>"

    def _repr_html_(self) -> str:
        try:
            shown = self.to_arrow().slice(0, 20).to_pylist()
        except Error:
            return f"<pre>{self!r}</pre>"
        names = [name for name in self.column_names if name not in ("spans", *_ABOUT_FILES[2:])]
        title = f"{len(self)} rows" + (", the first 20" if len(self) > 20 else "")
        return table(names, ([row[name] for name in names] for row in shown), title)


def run(
    task: str | PathLike[str] | Function | Sequence[str | PathLike[str] | Function],
    data: Any,
    *,
    model: ModelLike = None,
    adapter: AdapterLike | None = None,
    column: str | None = None,
    limit: int | float | str | None = None,
    output: str | PathLike[str] | None = None,
    record: str | PathLike[str] | None = None,
    retry_errors: bool = False,
    fail_on_error: int | float | None = None,
    progress: Wanted = None,
    **options: Any,
) -> Any:
    """Applies one task or several to texts; the answers come in the texts' order.

    ==============================  ==========================================
    ``data``                        what comes back
    ==============================  ==========================================
    iterable of ``str`` or None     list of :class:`Answer`; with several tasks, of dicts by name
    pandas Series or DataFrame      DataFrame with the same index
    polars Series or DataFrame      polars DataFrame
    pyarrow Array or Table          pyarrow Table
    Dataset of ``datasets``         Dataset
    other ``__arrow_c_stream__``    :class:`Rows`
    path, or list of ``Path``       :class:`Rows`, with ``id`` and ``source``
    ==============================  ==========================================

    In tables, yes and no are the texts ``"yes"`` and ``"no"``, and a row that fails has the status ``failed`` with its
    ``error``; it stops nothing.

    :param column: the column that holds the texts; default: ``text``, ``body`` and the like, or the only one
    :param limit: for paths, how many documents: a number, a fraction, or a range such as ``"100-200"``
    :param output: a file to write instead: .jsonl, .csv, .tsv, .parquet, .md or .html. Rows then take no memory, and a
        :class:`Summary` comes back
    :param record: a file that keeps every answer as soon as it is known; run again, what it holds is not asked again
    :param retry_errors: whether recorded failures are retried
    :param fail_on_error: give up when more rows fail: a share such as 0.1, or a count
    :param progress: True for a bar of tqdm, a class like it, a function of two numbers, or False; default: a bar where
        somebody can see it

    >>> import saydo
    >>> answers = saydo.run("Are dogs allowed?", ["Dogs may come.", "No dogs."], model="scripted")
    >>> [answer.status in ("ok", "na") for answer in answers]
    [True, True]
    """
    tasks = [task] if isinstance(task, str | PathLike | Function) else list(task)
    options.setdefault("evidence", False)
    made = [function for one in tasks for function in make(one, model, adapter, **options)]
    functions = _named(made)
    kind = _kind(data, output is not None)
    with watching(progress, "rows") as watch:
        rows = _saydo.run(
            functions,
            **_source(kind, data, column),
            column=column,
            limit=None if limit is None else str(limit),
            output=None if output is None else fspath(output),
            as_cells=kind == "texts" and output is None,
            ledger=None if record is None else fspath(record),
            retry_errors=retry_errors,
            fail_on_error=None if fail_on_error is None else str(fail_on_error),
            progress=watch,
        )
    return _summary(rows) if output is not None else _result(kind, data, rows)


def _named(functions: list[Function]) -> list[_saydo.Function]:
    """Rows name answers by their task, so equal names are refused."""
    names = [function.name for function in functions]
    if len(set(names)) < len(names):
        raise Error(f"tasks {names}, expected different names")
    return [function._function for function in functions]


def _kind(data: Any, is_written: bool) -> str:
    """What the data is: paths, texts, or the module of its library."""
    if isinstance(data, str | PathLike):
        return "paths"
    if isinstance(data, list | tuple) and data and isinstance(data[0], PathLike):
        return "paths"
    library = type(data).__module__.partition(".")[0]
    if library in ("pandas", "polars", "pyarrow", "datasets"):
        return library
    if hasattr(data, "__arrow_c_stream__"):
        return "arrow"
    if not isinstance(data, Iterable):
        raise DataError(f"{type(data).__name__} holds no texts", "give texts, a table or paths")
    return "texts"


def _source(kind: str, data: Any, column: str | None) -> dict[str, Any]:
    """The data as the engine takes it."""
    if kind == "paths":
        return {"paths": [fspath(data)] if isinstance(data, str | PathLike) else [fspath(path) for path in data]}
    if kind == "texts":
        return {"texts": data}
    if kind == "datasets":
        # What a view of a dataset leaves out must not come back.
        if data._indices is not None:
            data = data.flatten_indices()
        return {"table": data.data.table}
    if kind == "pandas":
        return _of_pandas(data, column)
    if kind == "pyarrow" and not hasattr(data, "__arrow_c_stream__"):
        return {"table": _pyarrow().chunked_array([data])}
    return {"table": data}


def _of_pandas(data: Any, column: str | None) -> dict[str, Any]:
    if data.ndim == 2:
        if column is not None and column not in data.columns:
            raise DataError(f"no column {column!r}, expected one of {list(data.columns)}")
        if column is None:
            # The name decides, or that it is the only column of texts: the values of others are not looked at.
            texts = data.select_dtypes(include=["object", "string", "category"])
            return {"table": _pyarrow().Table.from_pandas(texts, preserve_index=False)}
        data = data[column]
    missing = data.isna()
    return {"texts": (None if gone else str(text) for text, gone in zip(data, missing, strict=True))}


def _result(kind: str, data: Any, rows: _saydo.Rows) -> Any:
    if kind == "texts":
        return _answers(data, rows)
    if kind == "paths":
        return Rows(rows)
    answers = Rows(rows.select([name for name in rows.column_names if name not in _ABOUT_FILES]))
    if kind == "pandas":
        frame = answers.to_pandas()
        frame.index = data.index
        return frame
    if kind == "polars":
        return answers.to_polars()
    if kind == "pyarrow":
        return answers.to_arrow()
    if kind == "datasets":
        import datasets

        return datasets.Dataset(answers.to_arrow())
    return answers


def _answers(data: Any, rows: _saydo.Rows) -> list[Any]:
    # An iterator is used up by now: its answers stand without their texts.
    texts = list(data) if isinstance(data, Sequence) else [None] * len(rows)
    columns = rows.answers(texts)
    if len(columns) == 1:
        return columns[0]
    names = list(_summary(rows).tasks)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _summary(rows: _saydo.Rows) -> Summary:
    count, failed, computed, tasks = rows.summary
    return Summary(count, failed, computed, {name: Counts(*counts) for name, *counts in tasks})


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise Error("this needs pyarrow", "pip install 'saydo[arrow]'") from None
    return pyarrow


__all__ = ["Answer", "Counts", "Rows", "Summary", "run"]
