"""Protocols as tasks of other harnesses: their numbers equal ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import saydo
from saydo.export import export, score_replies


def reply(prompt: str) -> str:
    """A model that is sometimes right."""
    return ["yes", "no", "n/a"][len(prompt) % 3]


@pytest.fixture
def data(root: Path) -> Path:
    return root / "examples" / "zest" / "dev.jsonl"


def test_scores_of_exported_replies_are_those_of_an_evaluation(data: Path, tmp_path: Path) -> None:
    export("lm-eval", "zest", data=data, output=tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    ours = saydo.evaluate("zest", data=data, model=reply)
    theirs = score_replies(tmp_path / "plan", [(row["number"], reply(row["prompt"])) for row in rows])
    assert theirs.metrics == ours.metrics and theirs.scores["detail"] == ours.scores["detail"]
    with pytest.raises(saydo.DataError, match="sample 99999"):
        score_replies(tmp_path / "plan", [(99999, "yes")])


def test_the_harness_runs_an_exported_task(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Model(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            return [reply(request.args[0]) for request in requests]

        def loglikelihood(self, requests: Any, disable_tqdm: bool = False) -> Any: ...

        def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> Any: ...

    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    export("lm-eval", "zest", data=data, output=tmp_path / "tasks", limit=4)
    manager = TaskManager(include_path=str(tmp_path / "tasks"), include_defaults=False)
    results = lm_eval.simple_evaluate(model=Model(), tasks=["saydo_zest"], task_manager=manager, bootstrap_iters=0)
    ours = saydo.evaluate("zest", data=data, model=reply, limit=4)
    scores = results["results"]["saydo_zest"]
    assert {name: scores[f"{name},none"] for name in ours.metrics} == ours.metrics


INSPECT = """
import json, inspect_ai
from inspect_ai.model import ModelAPI, ModelOutput, get_model

async def count(self, text):  # Its own way fetches a vocabulary.
    return len(text.split())

ModelAPI.count_text_tokens = count

def answer(messages, *_):
    return ModelOutput.from_content("mockllm", ["yes", "no", "n/a"][len(messages[-1].text) % 3])

model = get_model("mockllm/model", custom_outputs=answer)
[log] = inspect_ai.eval("saydo_zest.py", model=model, log_dir="logs", display="none")
assert log.status == "success", log.error
print(json.dumps({name: one.value for score in log.results.scores for name, one in score.metrics.items()}))
"""


def test_inspect_runs_an_exported_task(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    export("inspect", "zest", data=data, output=tmp_path, limit=2)
    # In a process of its own: it leaves warnings about its streams behind.
    command = [sys.executable, "-c", INSPECT]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = saydo.evaluate("zest", data=data, model=reply, limit=2)
    assert json.loads(done.stdout.splitlines()[-1]) == ours.metrics


def test_the_program_exports(data: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "saydo", "export"]
    arguments = ["lm-eval", "zest", "--data", str(data), "-o", str(tmp_path), "-L", "1"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path.resolve()) and (tmp_path / "saydo_zest.yaml").exists()
    wrong = subprocess.run([*command, "inspect", "zest", "--data", "no", "-o", str(tmp_path)], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: ")
    with pytest.raises(saydo.Error, match="expected lm-eval or inspect"):
        export("helm", "zest", data=data, output=tmp_path)
    with pytest.raises(saydo.Error, match="expected one of zest"):
        export("inspect", "turking", data=data, output=tmp_path)
