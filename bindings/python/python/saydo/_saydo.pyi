from collections.abc import Callable, Iterable, Sequence
from typing import final

from ._answer import Answer

__all__ = [
    "DEFAULT_MODEL",
    "Function",
    "Rows",
    "Session",
    "__version__",
    "check",
    "evaluate",
    "main",
    "plan",
    "run",
    "score",
    "score_replies",
]

__version__: str
DEFAULT_MODEL: str

_Progress = Callable[[int, int | None], object]

@final
class Session:
    @staticmethod
    def open(
        name: str,
        *,
        adapter: str | None = None,
        skill: str = "functions",
        base_url: Sequence[str] = ...,
        max_connections: int = 8,
        max_retries: int = 5,
        timeout: float = 120.0,
        threads: int | None = None,
        batch_size: int | None = None,
        max_tokens: int | None = None,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Session: ...
    @staticmethod
    def of_callable(callable: Callable[[str], str], name: str, *, max_connections: int = 1) -> Session: ...
    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def is_trained(self) -> bool: ...
    def functions(
        self,
        description: str,
        *,
        kind: str | None = None,
        labels: Sequence[str] | None = None,
        fields: Sequence[tuple[str, str]] | None = None,
        examples: Sequence[tuple[str, str]] = ...,
        evidence: bool = False,
    ) -> list[Function]: ...
    def generate(
        self,
        prompts: Sequence[str],
        *,
        max_tokens: int = 256,
        stop: Sequence[str] = ...,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        chat: bool = False,
        progress: _Progress | None = None,
    ) -> list[tuple[str | None, float | None, str | None]]: ...
    def score(
        self, pairs: Sequence[tuple[str, str]], *, start: str | None = None, progress: _Progress | None = None
    ) -> list[tuple[float, bool, int]]: ...

@final
class Function:
    @property
    def name(self) -> str: ...
    @property
    def definition(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def labels(self) -> list[str] | None: ...
    @property
    def fields(self) -> list[tuple[str, str]] | None: ...
    def answer(self, text: str) -> Answer: ...

@final
class Rows:
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def select(self, names: Sequence[str]) -> Rows: ...
    @property
    def column_names(self) -> list[str]: ...
    def answers(self, texts: list[str | None]) -> list[list[Answer]]: ...
    @property
    def summary(self) -> tuple[int, int, int, list[tuple[str, int, int, int, int]]]: ...

def run(
    functions: Sequence[Function],
    *,
    texts: Iterable[str | None] | None = None,
    table: object | None = None,
    paths: Sequence[str] | None = None,
    column: str | None = None,
    limit: str | None = None,
    output: str | None = None,
    as_cells: bool = False,
    ledger: str | None = None,
    retry_errors: bool = False,
    fail_on_error: str | None = None,
    progress: _Progress | None = None,
) -> Rows: ...
def check(
    functions: Sequence[Function],
    labelled: str,
    *,
    name: str = "labelled rows",
    column: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    ledger: str | None = None,
    progress: _Progress | None = None,
) -> str: ...
def evaluate(
    protocol: str,
    data: Sequence[str],
    *,
    session: Session | None = None,
    baseline: str | None = None,
    layout: Sequence[str] = ...,
    num_fewshot: int | None = None,
    limit: int | None = None,
    tasks: Sequence[str] = ...,
    constrained: bool = False,
    chat: bool = False,
    mode: str = "strict",
    seed: int = 0,
    allow_seen: bool = False,
    retry_errors: bool = False,
    folder: str | None = None,
    progress: _Progress | None = None,
) -> str: ...
def score(
    protocol: str,
    *,
    prediction_file: str | None = None,
    reference_files: Sequence[str] | None = None,
    predictions: Sequence[str] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    mode: str = "strict",
    seed: int = 0,
) -> str: ...
def plan(
    protocol: str,
    data: Sequence[str],
    folder: str,
    *,
    layout: Sequence[str] = ...,
    num_fewshot: int | None = None,
    limit: int | None = None,
    tasks: Sequence[str] = ...,
    seed: int = 0,
) -> str: ...
def score_replies(folder: str, replies: Sequence[tuple[int, str]], *, mode: str = "strict", seed: int = 0) -> str: ...
def main(arguments: Sequence[str]) -> int: ...
