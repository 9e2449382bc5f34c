"""Exceptions: each says what happened and, where that is known, what to do."""

from __future__ import annotations


class Error(Exception):
    """Something went wrong. ``message`` says what, ``hint`` what to do where that is known.

    >>> Error("cannot read data.csv", "give the folder it is in").hint
    'give the folder it is in'
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class ModelError(Error):
    """There is no such model, or it cannot be used."""


class TaskError(Error):
    """A description or task file cannot be used."""


class DataError(Error):
    """Data cannot be read or written."""


for _class in (Error, ModelError, TaskError, DataError):
    _class.__module__ = "saydo"
