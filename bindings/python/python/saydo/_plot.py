"""Plots, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._check import Verdict


def verdict(verdict: Verdict, ax: Any) -> Any:
    """The measures as points with intervals; the confusions are written below them."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(6, 2.2), layout="constrained")
    measures = verdict._measures()
    for place, (name, measure) in enumerate(reversed(measures)):
        value, low, high = 100 * measure.value, 100 * measure.low, 100 * measure.high
        ax.errorbar(value, place, xerr=[[value - low], [high - value]], fmt="o", color="#2b6cb0", capsize=4)
        ax.annotate(f"{value:.1f}", (value, place), xytext=(0, 8), textcoords="offset points", ha="center")
        ax.text(-2, place, name, ha="right", va="center")
    ax.set(xlim=(0, 100), ylim=(-0.6, len(measures) - 0.4), yticks=[], xlabel="%, with 95% interval")
    ax.set_title(f"{verdict.task} ({len(verdict.rows)} rows)", fontsize=10)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return ax
