"""What all tests share: a home folder of their own, and the examples of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the user's is read or written."""
    for name in ("SAYDO_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SAYDO_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def root() -> Path:
    """The repository."""
    return ROOT
