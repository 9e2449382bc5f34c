"""Scores and evaluations: equal to those of the program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import saydo


def program(*arguments: str | Path) -> dict[str, object]:
    command = [sys.executable, "-m", "saydo", *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def test_scores_of_files_are_the_programs(root: Path, tmp_path: Path) -> None:
    gold = root / "examples" / "zest" / "dev.jsonl"
    count = sum(len(json.loads(line)["examples"]) for line in gold.read_text().splitlines())
    predictions = ["yes"] * count
    path = tmp_path / "predictions.txt"
    path.write_text("\n".join(predictions))
    scores = saydo.score("zest", path, gold)
    assert scores == program("score", "zest", "--gold", gold, "--predictions", path)
    assert saydo.score("zest", predictions, gold)["official"] == scores["official"]


def test_lists_are_scored_as_the_evaluators_do() -> None:
    predictions, references = ["the red car", "", "a dog"], [["The red car."], ["x"], ["a cat", "the dog"]]
    ni = saydo.score("natural-instructions", predictions, references)
    assert ni["scores"][0] == 1 and ni["rougeL"] == pytest.approx(sum(ni["scores"]) / 3, abs=1e-12)
    sni = saydo.score("super-natural-instructions", predictions, references)
    assert (sni["exact_match"], sni["n"]) == (33.3333, 3)
    text = saydo.score("text", predictions, [one[0] for one in references])
    assert text["exact_match"]["mean"] == pytest.approx(1 / 3)


def test_what_cannot_be_scored_is_said() -> None:
    for arguments, message in [
        (("zest", ["a"], [["b"]]), "expected the file of its gold"),
        (("text", ["a"], [["b"], ["c"]]), "1 predictions and 2 references"),
        (("text", ["a"], [[]]), "no reference"),
        (("text", [], []), "at least one"),
        (("nonsense", ["a"], [["b"]]), "is no protocol"),
        (("zest", "no-such.txt", "no-such.jsonl"), "cannot read"),
    ]:
        with pytest.raises(saydo.DataError, match=message):
            saydo.score(*arguments)
    with pytest.raises(saydo.Error, match="strict or fixed"):
        saydo.score("text", ["a"], ["b"], mode="kind")


def test_an_evaluation_is_the_programs(root: Path, tmp_path: Path) -> None:
    data = root / "examples" / "zest" / "dev.jsonl"
    ours = saydo.evaluate("zest", data=data, model="scripted", limit=3, output=tmp_path / "run")
    theirs = program("eval", "zest", "--data", data, "-m", "scripted", "-L", "3", "-o", tmp_path / "program", "--quiet")
    assert ours.scores["rows"] == theirs["rows"] and ours.scores["detail"] == theirs["detail"]
    assert len(ours.samples) == theirs["asked"] and ours.folder == tmp_path / "run"
    assert program("score", tmp_path / "run")["rows"] == theirs["rows"]
    assert "ZEST" in str(ours.tables[0]) or ours.tables[0].header
    assert "<table>" in ours._repr_html_()
    assert list(ours.to_pandas()["task"])[0] == ours.samples[0]["task"]


def test_a_callable_is_evaluated_and_its_replies_are_recorded(root: Path, tmp_path: Path) -> None:
    calls = []

    def model(prompt: str) -> str:
        calls.append(prompt)
        return "yes"

    data = root / "examples" / "zest" / "dev.jsonl"
    for _ in range(2):
        scores = saydo.evaluate("zest", data=data, model=model, limit=2, output=tmp_path / "run")
    replies = {sample["reply"] for sample in scores.samples}
    assert replies == {"yes"} and len(calls) == len({sample["prompt"] for sample in scores.samples})
    always = saydo.evaluate("zest", data=data, model="baseline:always-na", limit=2)
    assert {sample["reply"] for sample in always.samples} == {"n/a"}


def test_a_task_of_ones_own_is_evaluated(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"text": "Dogs may come.", "answer": "yes"}\n{"text": "No dogs.", "answer": "no"}\n')
    scores = saydo.evaluate("Are dogs allowed?", data=rows, model=lambda prompt: "yes")
    assert scores.protocol == "labelled" and scores.metrics["exact_match"] == 0.5


def test_bad_evaluations_say_what_is_expected() -> None:
    with pytest.raises(saydo.Error, match="is no protocol and no task"):
        saydo.evaluate("zezt", model="scripted")
    with pytest.raises(saydo.Error, match="baseline:no"):
        saydo.evaluate("everyday", model="baseline:no")
    with pytest.raises(saydo.Error, match="nothing to ask"):
        saydo.evaluate("zest", model="scripted")
