"""Options and words that the commands on answers share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.answers.request import AnswersRequest
    from rag_sweep.tracking.answers import AnswersRecord

Cases = Annotated[Path, path_option("--cases", "JSONL of id, question, context, rubric.")]
Answers = Annotated[Path, path_option("--answers", "JSONL of id and answer.")]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="OVERRIDE", help="Of conf/answers.yaml: llm=openai, rules.max_words=100, kappa=0.7"
    ),
]
ConfigDir = Annotated[str | None, typer.Option("--config-dir", help="A folder with configs of yours.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, another draw.")]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="N",
        help="Most that a model may cost: tokens (200000), or money (1.50usd) where llm has prices.",
    ),
]


def with_budget(overrides: list[str] | None, budget: str | None) -> list[str]:
    """The overrides, with that of the budget."""
    from rag_sweep.llm.budget import Ceiling

    if budget is None:
        return list(overrides or [])
    ceiling = Ceiling.of(budget)
    value = ceiling.tokens if ceiling.money is None else f"{ceiling.money}{ceiling.currency}"
    return [*(overrides or []), f"limits.budget={value}"]


@contextmanager
def spending(request: AnswersRequest) -> Iterator[None]:
    """Tell on stderr what was spent, also where the command is interrupted."""
    client = request.client
    try:
        yield
    finally:
        told = client.told() if client is not None else ""
        if told:
            note(f"model: {told}")


def track(records: Sequence[AnswersRecord], request: AnswersRequest) -> None:
    """Log evaluations, after the results are shown: a store that takes nothing loses nobody's numbers."""
    from rag_sweep.answers import recording

    with results_apart():
        told = recording.track(records, request)
    for text in told:
        note(text)
