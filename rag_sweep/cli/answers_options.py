"""Options and words of commands that may ask a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.screen import note

if TYPE_CHECKING:
    from rag_sweep.answers.request import AnswersRequest

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
