"""Training: ``saydo train`` in a process of its own, with its progress here."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ._errors import Error
from ._model import ModelLike
from ._progress import Progress, Wanted, watching

_REPEATED = ("data", "reading", "unseen", "base_url")
"""Flags that are repeated; those with several values otherwise take them with commas between."""


@dataclass(frozen=True)
class Adapter:
    """What a training left: an adapter in PEFT's layout, or with ``full=True`` a model.

    ``path`` goes wherever a model is named (``adapter=``), and into ``peft.PeftModel.from_pretrained``. ``score`` is the
    best on the tasks that were held back, None where nothing was validated.
    """

    path: Path
    score: float | None = None
    loss: float | None = None
    steps: int = 0
    tasks: int = 0
    trainings: list[dict[str, Any]] = field(default_factory=list, repr=False)

    def __fspath__(self) -> str:
        return str(self.path)

    def log(self) -> list[dict[str, Any]]:
        """Every event of the training: updates with their loss, validations with their score."""
        return _events(self.path.parent / "log.jsonl")


def train(
    data: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    output: str | PathLike[str] = "",
    *,
    model: ModelLike = None,
    adapter: str | PathLike[str] | None = None,
    progress: Wanted = None,
    **settings: Any,
) -> Adapter:
    """Fine-tunes a model on tasks and their descriptions, and gives the adapter.

    ``settings`` are the flags of ``saydo train`` with underscores: ``steps=200``, ``lr=1e-4``, ``rank=8``,
    ``reading=["questions.jsonl"]``, ``preset="natural-instructions"``, ``full=True``. An interrupted training
    resumes when called again.

    :param data: files or folders of tasks
    :param output: the folder for checkpoints, the log and the adapter

    >>> train("tasks", "runs/new", model="scripted")
    Traceback (most recent call last):
    ...
    saydo.Error: ...
    """
    if not isinstance(model, str | None):
        raise Error("training takes the name of a model, or a path", "an open model or a callable has no weights to train")
    if not fspath(output):
        raise Error("no output, expected the folder for the adapter")
    paths = [data] if isinstance(data, str | PathLike) else list(data)
    flags = {"data": paths, "output_path": output, "model": model, "adapter": adapter, **settings}
    command = [sys.executable, "-m", "saydo", "train", *arguments(flags), "--json"]
    with tempfile.TemporaryFile("w+") as said, watching(progress, "updates") as watch:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process:
            result = _wait(process, Path(output) / "log.jsonl", watch)
        said.seek(0)
        if process.returncode != 0:
            raise _error(said.read())
    trainings = json.loads(result)["trainings"]
    best = max(trainings, key=lambda one: one["best"][1] if one["best"] else float("-inf"))
    return Adapter(
        path=Path(best["result"]),
        score=best["best"][1] if best["best"] else None,
        loss=best["loss"],
        steps=best["steps"],
        tasks=best["tasks"],
        trainings=trainings,
    )


def arguments(settings: dict[str, Any]) -> list[str]:
    """Settings as flags: what is None or False is left out.

    >>> arguments({"steps": 3, "full": True, "data": ["a", "b"], "lr": [1e-4, 3e-4], "rank": None})
    ['--steps=3', '--full', '--data=a', '--data=b', '--lr=0.0001,0.0003']
    """
    flags: list[str] = []
    for name, value in settings.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            flags.append(flag)
        elif isinstance(value, str | PathLike) or not isinstance(value, Iterable):
            flags.append(f"{flag}={_text(value)}")
        elif name in _REPEATED:
            flags.extend(f"{flag}={_text(one)}" for one in value)
        else:
            flags.append(f"{flag}={','.join(_text(one) for one in value)}")
    return flags


def _text(value: Any) -> str:
    return fspath(value) if isinstance(value, PathLike) else str(value)


def _wait(process: subprocess.Popen[str], log: Path, watch: Progress | None) -> str:
    """What the process prints. Ctrl-C lets it finish its update and write a checkpoint."""
    while True:
        try:
            return process.communicate(timeout=0.5)[0]
        except subprocess.TimeoutExpired:
            if watch is not None and (step := _step(log)) is not None:
                watch(step, None)
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise


def _step(log: Path) -> int | None:
    steps = [event["step"] for event in _events(log) if event.get("event") == "step"]
    return steps[-1] if steps else None


def _events(log: Path) -> list[dict[str, Any]]:
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    events: list[dict[str, Any]] = []
    for line in lines:
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError:  # The last line may be on its way.
            continue
    return events


def _error(said: str) -> Error:
    """The program's message and hint."""
    parts: list[str] = []
    hint = None
    for line in said.splitlines():
        for mark in ("error: ", "  because: "):
            if line.startswith(mark):
                parts.append(line.removeprefix(mark))
        if line.startswith("  hint: "):
            hint = line.removeprefix("  hint: ")
    return Error(": ".join(parts) or said.strip() or "the training ended without a word", hint)
