"""`rag-sweep run`: one configuration, or with -m a sweep."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.screen import note, progress, show, show_json

if TYPE_CHECKING:
    from rag_sweep.sweep import Session


def run(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Rows of the leaderboard.")] = 20,
) -> None:
    """Evaluate one configuration, or with -m a sweep, and log it to MLflow.

    \b
    rag-sweep run                                        the configuration as shipped, on the bundled handbook
    rag-sweep run lexical.k1=0.9 fusion.k_rrf=10         with other knobs
    rag-sweep run -m lexical.k1=0.9,1.2 chunker=document,fixed chunker.size=80,160
    rag-sweep run -m +sweep=handbook                     a named sweep (conf/sweep/)
    rag-sweep run dataset=files dataset.documents=docs dataset.gold=gold.jsonl

    Everything behind the options is Hydra's: overrides, -m, --config-dir, --cfg job (shows the configuration).
    """
    from rag_sweep.sweep import run as run_session

    sys.path.append(os.getcwd())  # a component of the user may lie beside the data
    with progress("configurations") as watch:
        session = run_session(context.args, watch)
    if not session.results or session.dataset is None:
        return  # Hydra was asked for something else, such as --cfg
    for text in dict.fromkeys([*session.notes, *(w for r in session.results for w in r.warnings())]):
        note(f"note: {text}")
    _show(session, as_json, top)
    if session.failed:
        raise typer.Exit(1)


def _show(session: Session, as_json: bool, top: int) -> None:
    from rag_sweep.report import leaderboard as board

    results, dataset = session.results, session.dataset
    if dataset is None:
        return
    settings = results[0].configuration.settings
    title = f"{dataset.name}: {board.caption(dataset.gold, settings)}"
    if session.is_sweep:
        if as_json:
            show_json(board.sweep_json(results, dataset))
        else:
            show(
                f"{len(results)} configurations on {title}",
                board.leaderboard(results, top),
                *_below(session, top),
            )
    elif as_json:
        show_json(board.single_json(results[0], dataset))
    elif results[0].failure is not None:
        note(f"rag-sweep: the configuration failed: {results[0].failure}")
    else:
        show(
            title,
            board.sheet(results[0].means(), settings),
            *board.remarks(results[0], dataset),
            *_next(session),
        )


def _below(session: Session, top: int) -> list[str]:
    from rag_sweep.report.leaderboard import ranked, split_half

    results = session.results
    lines = []
    if len(results) > top:
        lines.append(f"… and {len(results) - top} more (--top {len(results)} or --json shows them)")
    best = ranked(results)[0]
    honest = split_half(results)
    if honest is not None and best.outcome:
        objective = best.configuration.objective
        lines.append(
            f"\nThe first row is the best of {len(results)} on these very questions: its {objective} of "
            f"{best.objective:.4f} is too high by construction.\nChosen on one half of the questions and "
            f"measured on the other, the best of this sweep gives {honest:.4f} (500 random splits)."
        )
    if session.failed:
        lines.append(
            f"{session.failed} of {len(results)} configurations failed; the reason stands in the row."
        )
    return [*lines, *_next(session)]


def _next(session: Session) -> list[str]:
    return [f"\n{session.where}"] if session.where else []
