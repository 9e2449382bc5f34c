"""Many texts: what goes in decides what comes out; records, files, interruption, size."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import saydo

TASK = "Are dogs allowed?"
TEXTS = [f"Hike {number}: dogs on a leash are welcome." for number in range(300)]


def run(data: Any, **options: Any) -> Any:
    return saydo.run(TASK, data, model="scripted", **options)


def written(answers: list[saydo.Answer]) -> list[str | None]:
    words = {True: "yes", False: "no", None: None}
    return [words[answer.value] for answer in answers]


EXPECTED = written(run(TEXTS))


def test_lists_give_answers_with_their_texts() -> None:
    answers = run(TEXTS)
    assert {value for value in EXPECTED} == {"yes", "no", None}
    assert [answer.text for answer in answers] == TEXTS
    assert answers[3] == saydo.function(TASK, model="scripted")(TEXTS[3])
    assert run(iter(TEXTS)) == answers and run([]) == []


def test_tables_give_tables_of_their_library() -> None:
    names = ["status", "answer", "confidence", "spans", "error"]
    series = pandas.Series(TEXTS, index=range(1000, 1300))
    for data, column in [(series, None), (pandas.DataFrame({"n": range(300), "body": TEXTS}), None)]:
        frame = run(data, column=column)
        assert list(frame.columns) == names and list(frame.index) == list(data.index)
        assert [answer if isinstance(answer, str) else None for answer in frame["answer"]] == EXPECTED
    for data in [polars.Series("body", TEXTS), polars.DataFrame({"n": range(300), "body": TEXTS})]:
        assert run(data)["answer"].to_list() == EXPECTED and isinstance(run(data), polars.DataFrame)
    table = pyarrow.table({"a": ["x"] * 300, "text": TEXTS})
    for data in [table, table["text"], table["text"].chunk(0), table.to_batches()[0]]:
        assert run(data)["answer"].to_pylist() == EXPECTED and isinstance(run(data), pyarrow.Table)


def test_columns_of_all_text_types_are_read() -> None:
    for kind in [pyarrow.large_string(), pyarrow.string_view(), pyarrow.dictionary(pyarrow.int16(), pyarrow.string())]:
        column = pyarrow.chunked_array([pyarrow.array(TEXTS[:7]).cast(kind), pyarrow.array(TEXTS[7:]).cast(kind)])
        assert run(column)["answer"].to_pylist() == EXPECTED, kind
    category = polars.Series("body", TEXTS, dtype=polars.Categorical)
    assert run(category)["answer"].to_list() == EXPECTED
    assert list(run(pandas.Series(TEXTS, dtype="category"))["answer"].isna()) == [one is None for one in EXPECTED]


def test_a_row_without_text_fails_and_stops_nothing() -> None:
    for data in [["Dogs may come.", None], pyarrow.array(["Dogs may come.", None]), pandas.Series(["Dogs may come.", None])]:
        rows = run(data)
        if isinstance(rows, list):
            assert rows[1].status == "failed" and "no text" in (rows[1].error or "")
        else:
            assert list(rows["status"].to_pylist() if isinstance(rows, pyarrow.Table) else rows["status"])[1] == "failed"


def test_several_tasks_are_told_apart() -> None:
    tasks = [TASK, saydo.function("Is it paved?", model="scripted")]
    rows = saydo.run(tasks, TEXTS[:3], model="scripted")
    assert [list(row) for row in rows] == [[TASK, "Is it paved?"]] * 3
    table = saydo.run(tasks, pyarrow.array(TEXTS[:3]), model="scripted")
    assert TASK in table.column_names and "Is it paved?.confidence" in table.column_names
    with pytest.raises(saydo.Error, match="different names"):
        saydo.run([TASK, TASK], TEXTS, model="scripted")


def test_files_give_rows_that_name_them(root: Path, tmp_path: Path) -> None:
    rows = run(root / "examples" / "parks", limit=3)
    assert len(rows) == 3 and rows.summary.rows == 3 and rows.summary.tasks[TASK].failed == 0
    assert rows.to_pandas()["source"].str.endswith(("badlands.txt", "great-smoky-mountains.txt", "mammoth-cave.md")).all()
    assert "<table>" in rows._repr_html_()
    table = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"body": TEXTS}), table)
    assert run([table])._rows.summary[0] == 300
    assert run(str(table)).to_polars()["answer"].to_list() == EXPECTED


def test_rows_go_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    summary = run(TEXTS, output=path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["answer"] for row in rows] == EXPECTED and summary.rows == 300
    with pytest.raises(saydo.DataError, match="rows.xyz"):
        run(TEXTS, output=tmp_path / "rows.xyz")


def test_what_is_recorded_is_not_asked_again(tmp_path: Path) -> None:
    calls = []

    def model(prompt: str) -> str:
        calls.append(prompt)
        return "yes"

    for expected in (5, 5):
        saydo.run(TASK, TEXTS[:5], model=saydo.open(model, name="m"), record=tmp_path / "answers.jsonl")
        assert len(calls) == expected


def test_failures_can_end_a_run() -> None:
    def broken(prompt: str) -> str:
        raise ValueError("no")

    with pytest.raises(saydo.Error, match="failed"):
        saydo.run(TASK, TEXTS, model=lambda prompt: "maybe so", fail_on_error=10)
    answers = saydo.run(TASK, TEXTS[:3], model=broken)
    assert {(answer.status, answer.error) for answer in answers} == {("failed", "ValueError: no")}


def test_bad_data_is_refused_with_what_is_there() -> None:
    with pytest.raises(saydo.DataError, match="body"):
        run(pyarrow.table({"body": TEXTS, "title": TEXTS}), column="text")
    with pytest.raises(saydo.DataError, match="expected texts"):
        run(pyarrow.array([1, 2]))
    with pytest.raises(saydo.DataError, match="holds no texts"):
        run(7)
    with pytest.raises(TypeError):
        run([1, 2])
    with pytest.raises(saydo.DataError, match="no-such-file"):
        run("no-such-file.csv")


def test_an_iterators_exception_comes_through() -> None:
    def texts() -> Any:
        yield "Dogs may come."
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        run(texts())


def test_progress_is_told() -> None:
    seen: list[tuple[int, int | None]] = []
    run(TEXTS, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)

    class Bar:
        def __init__(self, unit: str) -> None:
            self.n, self.total = 0, None

        def update(self, more: int) -> None:
            self.n += more
            seen.append((self.n, None))

        def refresh(self) -> None: ...

        def close(self) -> None: ...

    run(TEXTS, progress=Bar)
    assert seen[-1] == (300, None)


def test_an_exception_of_the_watcher_ends_the_run() -> None:
    def watch(done: int, total: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(TEXTS, progress=watch)


def test_ctrl_c_stops_and_keeps_what_is_recorded(tmp_path: Path) -> None:
    code = (
        "import saydo, sys\n"
        "texts = (f'Text {number}.' for number in range(100_000))\n"
        "print('begun', flush=True)\n"
        f"saydo.run({TASK!r}, texts, model='scripted:2', record={str(tmp_path / 'answers.jsonl')!r})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    while not (tmp_path / "answers.jsonl").exists() or (tmp_path / "answers.jsonl").stat().st_size == 0:
        assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
    lines = (tmp_path / "answers.jsonl").read_text().splitlines()
    assert 0 < len(lines) < 100_000 and all(line.startswith("{") and line.endswith("}") for line in lines)


def test_eight_runs_at_once_give_the_same_rows() -> None:
    table = pyarrow.table({"text": TEXTS})
    with ThreadPoolExecutor(8) as threads:
        runs = list(threads.map(lambda _: run(table), range(8)))
    assert all(one["answer"].to_pylist() == EXPECTED for one in runs)


def test_memory_does_not_grow_with_rows(tmp_path: Path) -> None:
    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def texts(count: int) -> Any:
        return (f"Text {number} of many, as long as a sentence is." for number in range(count))

    run(texts(2_000), output=tmp_path / "few.parquet")
    before = peak()
    run(texts(60_000), output=tmp_path / "many.parquet")
    assert peak() - before < 40_000
