"""ZEST, Natural Instructions and Super-NaturalInstructions as tasks of other harnesses.

``saydo export lm-eval zest --data dev.jsonl -o tasks`` writes a task for lm-evaluation-harness, ``export inspect`` one for
Inspect. The harness asks our prompts; replies are scored by ours, over the whole run, so that its numbers equal those of
``saydo eval``. What a folder holds needs this package where it is run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _saydo
from ._errors import DataError, Error
from ._evaluate import Evaluation, evaluation

HARNESSES = ("lm-eval", "inspect")
PROTOCOLS = ("zest", "natural-instructions", "super-natural-instructions")

_SCORES = '''"""Scores of the whole run, by saydo."""

from pathlib import Path

from saydo.export import score_replies

PLAN = Path(__file__).parent / "plan"


def process_results(doc, results):
    pair = (doc["number"], results[0])
    return {name: pair for name in METRICS}

'''

_INSPECT = '''"""{title} for Inspect, asked and scored as saydo does."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import SampleScore, Score, metric, scorer
from inspect_ai.solver import generate
from saydo.export import score_replies

FOLDER = Path(__file__).parent


def _metric(name):
    @metric(name=name)
    def of_run():
        def compute(scores: list[SampleScore]) -> float:
            pairs = [(score.score.metadata["number"], score.score.answer) for score in scores]
            return score_replies(FOLDER / "plan", pairs).metrics[name]

        return compute

    return of_run()


@scorer(metrics=[_metric(name) for name in {metrics!r}])
def saydo_scores():
    async def score(state, target):
        return Score(value=0, answer=state.output.completion, metadata={{"number": state.metadata["number"]}})

    return score


def _sample(row):
    return Sample(id=row["number"], input=row["prompt"], target=row["references"], metadata={{"number": row["number"]}})


@task
def {name}():
    return Task(
        dataset=json_dataset(str(FOLDER / "samples.jsonl"), _sample),
        solver=generate(),
        scorer=saydo_scores(),
        config=GenerateConfig(temperature=0.0, max_tokens={max_tokens}, stop_seqs={stop!r} or None),
    )
'''


def export(
    harness: str,
    protocol: str,
    *,
    data: str | PathLike[str] | Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    layout: str | None = None,
    num_fewshot: int | None = None,
    limit: int | None = None,
    tasks: Sequence[str] = (),
    seed: int = 0,
) -> Path:
    """Writes a task of a harness into a folder; gives the folder.

    :param harness: ``lm-eval`` or ``inspect``
    :param protocol: zest, natural-instructions or super-natural-instructions
    """
    if harness not in HARNESSES:
        raise Error(f"harness {harness!r}, expected {' or '.join(HARNESSES)}")
    if protocol not in PROTOCOLS:
        raise Error(f"protocol {protocol!r}, expected one of {', '.join(PROTOCOLS)}")
    folder = Path(output).resolve()
    plan = json.loads(
        _saydo.plan(
            protocol,
            [fspath(data)] if isinstance(data, str | PathLike) else [fspath(path) for path in data],
            fspath(folder / "plan"),
            layout=[] if layout is None else [layout],
            num_fewshot=num_fewshot,
            limit=limit,
            tasks=list(tasks),
            seed=seed,
        )
    )
    name = "saydo_" + protocol.replace("-", "_")
    rows = "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in plan["samples"])
    _write(folder / "samples.jsonl", rows)
    if harness == "lm-eval":
        _write(folder / f"{name}.yaml", _yaml(name, folder, plan))
        _write(folder / "saydo_scores.py", _functions(plan["metrics"]))
    else:
        settings = {"title": protocol, "name": name, "metrics": plan["metrics"]}
        _write(folder / f"{name}.py", _INSPECT.format(**settings, max_tokens=plan["max_tokens"], stop=plan["stop"]))
    return folder


def score_replies(folder: str | PathLike[str], replies: Sequence[tuple[int, str]], mode: str = "strict") -> Evaluation:
    """Scores replies to samples of an exported plan, by their numbers."""
    pairs = [(int(number), str(text)) for number, text in replies]
    return evaluation(json.loads(_saydo.score_replies(fspath(folder), pairs, mode=mode)))


def _yaml(name: str, folder: Path, plan: dict[str, Any]) -> str:
    # JSON is YAML; only the names of functions are not JSON.
    settings = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(folder / "samples.jsonl")}},
        "output_type": "generate_until",
        "test_split": "test",
        "doc_to_text": "{{prompt}}",
        "doc_to_target": "{{references[0]}}",
        "generation_kwargs": {"until": plan["stop"], "max_gen_toks": plan["max_tokens"], "do_sample": False},
        "metadata": {"version": 1.0},
    }
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items()]
    lines += ["process_results: !function saydo_scores.process_results", "metric_list:"]
    for metric in plan["metrics"]:
        lines += [f"  - metric: {metric}", f"    aggregation: !function saydo_scores.{metric}", "    higher_is_better: true"]
    return "\n".join(lines) + "\n"


def _functions(metrics: list[str]) -> str:
    functions = "".join(
        f"\n\ndef {name}(pairs):\n    return score_replies(PLAN, pairs).metrics[{name!r}]\n" for name in metrics
    )
    return _SCORES.replace("\n\ndef process_results", f"\nMETRICS = {metrics!r}\n\n\ndef process_results").rstrip() + "\n" + functions


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}") from None


def main(arguments: Sequence[str]) -> int:
    """``saydo export lm-eval|inspect PROTOCOL --data PATH -o FOLDER``; gives the exit code."""
    import sys

    parser = argparse.ArgumentParser(prog="saydo export", description="Write a protocol as a task of another harness")
    parser.add_argument("harness", choices=HARNESSES)
    parser.add_argument("protocol", choices=PROTOCOLS)
    parser.add_argument("--data", action="append", required=True, metavar="PATH", help="tasks; repeatable")
    parser.add_argument("-o", "--output-path", dest="output", required=True, metavar="FOLDER", help="folder to write to")
    parser.add_argument("--layout", metavar="NAME", help="prompt layout (default: the paper's)")
    parser.add_argument("-f", "--num-fewshot", type=int, metavar="N", help="examples per prompt (default: the layout's)")
    parser.add_argument("-L", "--limit", type=int, metavar="N", help="max instances per task (default: the paper's)")
    parser.add_argument("--tasks", action="append", default=[], metavar="ID", help="only these tasks: ids or how they begin")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    try:
        print(export(**vars(parser.parse_args(arguments))))
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
