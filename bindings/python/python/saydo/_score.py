"""Predictions that are there already, scored by the authors' rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any, TypeAlias, cast

from . import _saydo

Files: TypeAlias = str | PathLike[str]


def score(
    protocol: str,
    predictions: Files | Sequence[str],
    references: Files | Sequence[Files] | Sequence[Sequence[str]] | None = None,
    *,
    mode: str = "strict",
    seed: int = 0,
) -> dict[str, Any]:
    """Scores predictions as the published evaluators do, oddities included, or with these repaired.

    ==============================  ==================================  ======================================
    protocol                        files                               lists
    ==============================  ==================================  ======================================
    ``zest``                        predictions, gold                   predictions; the gold is a file
    ``natural-instructions``        file or folder, task files          predictions, references of one task
    ``super-natural-instructions``  JSON Lines of both                  predictions, references of one track
    ``turking``                     JSON Lines, tasks
    ``text``                        JSON Lines with both                predictions, references
    ==============================  ==================================  ======================================

    Lists of Super-NaturalInstructions give ``exact_match`` and ``rougeL`` from 0 to 100, as the evaluator's
    ``compute_metrics`` does. ``scores`` are those of each prediction.

    :param mode: ``strict`` equals the reference program, ``fixed`` repairs its quirks

    >>> score("natural-instructions", ["the red car"], [["the red car", "a bus"]])["rougeL"]
    1.0
    >>> score("super-natural-instructions", ["a", "b"], [["a"], ["c"]])["exact_match"]
    50.0
    """
    keywords: dict[str, Any] = {"mode": mode, "seed": seed}
    if isinstance(predictions, str | PathLike):
        keywords["prediction_file"] = fspath(predictions)
    else:
        keywords["predictions"] = list(predictions)
    if isinstance(references, str | PathLike):
        keywords["reference_files"] = [fspath(references)]
    elif references is not None and "prediction_file" in keywords:
        keywords["reference_files"] = [str(path) for path in references]
    elif references is not None:
        keywords["references"] = [[one] if isinstance(one, str) else list(cast("Sequence[str]", one)) for one in references]
    scores: dict[str, Any] = json.loads(_saydo.score(protocol, **keywords))
    return scores
