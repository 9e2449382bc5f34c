"""Say it, and it is done; then know how often it is done right.

A task described in plain words becomes a function over text:

>>> import saydo
>>> dogs = saydo.function("Are dogs allowed on this trail?", model="scripted")
>>> dogs("Dogs on a leash are welcome.").status in ("ok", "na")
True

``"scripted"`` stands for a real model; without ``model`` it is the default one. :func:`run` applies a task to tables, files
or lists, :func:`check` says how well a description does on labelled rows, :func:`evaluate` and :func:`score` measure models
by the papers' protocols, :func:`train` teaches small ones.
"""

from ._answer import Answer, Span
from ._check import CheckedRow, Confusion, Interval, Verdict, check
from ._errors import DataError, Error, ModelError, TaskError
from ._evaluate import Evaluation, Table, evaluate
from ._function import Function, function
from ._model import Generated, Model, Scored
from ._model import open_model as open
from ._run import Counts, Rows, Summary, run
from ._saydo import DEFAULT_MODEL, __version__
from ._score import score
from ._train import Adapter, train

__all__ = [
    "DEFAULT_MODEL",
    "Adapter",
    "Answer",
    "CheckedRow",
    "Confusion",
    "Counts",
    "DataError",
    "Error",
    "Evaluation",
    "Function",
    "Generated",
    "Interval",
    "Model",
    "ModelError",
    "Rows",
    "Scored",
    "Span",
    "Summary",
    "Table",
    "TaskError",
    "Verdict",
    "__version__",
    "check",
    "evaluate",
    "function",
    "open",
    "run",
    "score",
    "train",
]
