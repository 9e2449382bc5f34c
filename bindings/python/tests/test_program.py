"""The command in the wheel, training in its process, and what importing costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import saydo


def saydo_program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "saydo", *arguments], capture_output=True, text=True, check=False)


def test_the_program_is_in_the_wheel(root: Path) -> None:
    assert saydo.__version__ in saydo_program("--version").stdout
    done = saydo_program("run", "Are dogs allowed?", str(root / "examples" / "parks"), "-m", "scripted", "-q")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 8
    wrong = saydo_program("run", "Are dogs allowed?", "no-such-folder", "-m", "scripted")
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: ")


def test_importing_brings_nothing_heavy() -> None:
    heavy = ("numpy", "pandas", "polars", "pyarrow", "matplotlib", "tqdm", "sklearn", "spacy")
    code = f"import saydo, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_training_leaves_an_adapter(root: Path, tmp_path: Path) -> None:
    # Too little to learn anything; enough to see that the parts fit.
    model = root / "fixtures" / "checkpoints" / "llama"
    tasks = [root / "fixtures" / "tasks" / name for name in ("toml", "natural-instructions")]
    settings = {"steps": 2, "batch": 2, "rank": 2, "validate_every": 0, "dev_tasks": 0, "max_length": 512}
    seen: list[int] = []
    adapter = saydo.train(tasks, tmp_path / "run", model=str(model), progress=lambda done, _: seen.append(done), **settings)
    assert (adapter.path / "adapter_config.json").exists() and adapter.steps == 2 and adapter.score is None
    assert [event["step"] for event in adapter.log() if event["event"] == "step"] == [1, 2]
    saydo.open(str(model), adapter=adapter)


def test_a_training_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(saydo.Error, match="no-such-model"):
        saydo.train("tasks", tmp_path / "run", model="no-such-model")
    with pytest.raises(saydo.Error, match="unexpected argument"):
        saydo.train("tasks", tmp_path / "run", model="scripted", stepz=3)
    with pytest.raises(saydo.Error, match="no weights to train"):
        saydo.train("tasks", tmp_path / "run", model=str.upper)
    with pytest.raises(saydo.Error, match="no output"):
        saydo.train("tasks")
