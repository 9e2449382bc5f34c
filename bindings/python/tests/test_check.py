"""The verdict on labelled rows, whatever they come as."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest

import saydo

ROWS = [("Dogs may come.", True), ("No dogs.", False), ("It rains.", None), ("Pets: yes", "yes")]


def honest(prompt: str) -> str:
    text = prompt.lower()
    return "no" if "no dogs" in text else "n/a" if "it rains" in text else "yes"


def test_labelled_rows_come_as_pairs_dicts_tables_or_files(tmp_path: Path) -> None:
    answers = ["yes", "no", None, "yes"]
    columns = {"text": [text for text, _ in ROWS], "answer": answers}
    dicts = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in dicts))
    labelled = [ROWS, dicts, path, str(path), pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)]
    verdicts = [saydo.check("Are dogs allowed?", one, model=honest) for one in labelled]
    for verdict in verdicts:
        assert [row.gold for row in verdict.rows] == [["yes"], ["no"], ["n/a"], ["yes"]]
        assert verdict.f1.value == verdict.accuracy.value == 1 and verdict.is_competent(0.9)
        assert verdict.worst() == [] and verdict.confusions == [] and verdict.flips is None


def test_confusions_and_flips_are_counted() -> None:
    verdict = saydo.check("Are dogs allowed?", ROWS, model=lambda prompt: "yes", paraphrases=["May dogs come?"])
    assert verdict.accuracy.value == 0.5
    assert {(one.gold, one.given, one.count) for one in verdict.confusions} == {("no", "yes", 1), ("n/a", "yes", 1)}
    assert verdict.flips is not None and verdict.flips.value == 0
    assert verdict.f1.low <= verdict.f1.value <= verdict.f1.high
    assert "accuracy" in str(verdict) and "<table>" in verdict._repr_html_()


def test_a_verdict_can_be_plotted(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = saydo.check("Are dogs allowed?", ROWS, model=honest).plot()
    axes.figure.savefig(tmp_path / "verdict.png")
    assert (tmp_path / "verdict.png").stat().st_size > 1000


def test_rows_without_answers_are_refused() -> None:
    with pytest.raises(saydo.DataError, match="labelled rows:1"):
        saydo.check("Are dogs allowed?", [{"text": "a"}], model=honest)
    with pytest.raises(saydo.DataError, match="no labelled rows"):
        saydo.check("Are dogs allowed?", [], model=honest)
    with pytest.raises(saydo.DataError, match="cannot read"):
        saydo.check("Are dogs allowed?", "no-such.jsonl", model=honest)
    with pytest.raises(saydo.Error, match="pair"):
        saydo.check("Are dogs allowed?", ["a"], model=honest)
