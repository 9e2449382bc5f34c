"""Progress bars: tqdm's where it is installed, or whatever looks like it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Progress = Callable[[int, "int | None"], object]
"""Called now and then with how much is done, and of how much if that is known."""

Wanted = Any
"""``True`` for a bar of tqdm, a class like ``tqdm.tqdm``, a function of two numbers, ``False`` for nothing, or ``None`` for
a bar where somebody can see it: on a terminal or in a notebook."""


@contextmanager
def watching(progress: Wanted, unit: str) -> Iterator[Progress | None]:
    """What the engine calls as it gets on; None if nobody looks."""
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
    make = _bar(progress)
    if make is None:
        yield progress if callable(progress) else None
        return
    bar = make(unit=f" {unit}")

    def watch(done: int, total: int | None) -> None:
        if total is not None and bar.total != total:
            bar.total = total
            bar.refresh()
        bar.update(done - bar.n)

    try:
        yield watch
    finally:
        bar.close()


def _bar(progress: Wanted) -> Any:
    """Something that makes bars; None if there shall be none, or ``progress`` is a function of two numbers."""
    if progress is True:
        try:
            with warnings.catch_warnings():
                # Without its widgets it draws the bar as text, which will do.
                warnings.simplefilter("ignore")
                from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm
    return progress if isinstance(progress, type) and hasattr(progress, "update") else None
