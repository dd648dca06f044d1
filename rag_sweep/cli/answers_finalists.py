"""`rag-sweep answers finalists`: what a sweep's best configurations do to answers."""

from __future__ import annotations

import os
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.answers_options import AsJson, Budget, ConfigDir, spending, track, with_budget
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, progress, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.answers.finalists import Finalists


def finalists(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SWEEP|OVERRIDE", help="A sweep (none: the newest); answers.top=3 generator=…"
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="An index, a name, or knobs: 'lexical.k1=1.2'.")
    ] = None,
    out: Annotated[
        Path | None, path_option("--out", "A new folder for cases, answers and evaluations.")
    ] = None,
    budget: Budget = None,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Write and judge answers from what a sweep's best configurations, and the baseline, hand over.

    \b
    rag-sweep answers finalists                            of the newest sweep, with the offline generator
    rag-sweep answers finalists answers.top=3 answers.k=5 --out finalists
    rag-sweep answers finalists 20261130-021500-a1b2c3 generator=openai llm=openai

    Whose fault a failed question is, gold, retrieval or generation, is told with the evidence for it.
    Exit code 1: an answer couldn't be written.
    """
    from rag_sweep.answers.finalists import FinalistsRequest, leave
    from rag_sweep.answers.recording import records_of
    from rag_sweep.answers.writing import new_folder

    with results_apart():
        request = FinalistsRequest.of(with_budget(words, budget), config_dir, baseline)
        names: list[str] = []
        with new_folder(out) if out is not None else nullcontext() as folder:
            with spending(request.own), progress("finalists") as watch:
                found = request.judged(watch)
            if folder is not None:
                names = leave(found, folder)
        folders = [out.absolute() / name for name in names] if out is not None else []
    _show(found, folders, as_json)
    track(records_of(found, request.own), request.own)
    if any(answer.failure for one in found.finalists for answer in one.evaluation.answers.values()):
        raise typer.Exit(1)


def _show(found: Finalists, folders: list[Path], as_json: bool) -> None:
    from rag_sweep.report.finalists import finalists_text

    for text in found.notes:
        note(f"note: {text}")
    if as_json:
        show_json(found.to_dict())
        return
    show(*finalists_text(found.to_dict(), screen_width()))
    if not folders:
        show("", "Next: --out FOLDER keeps cases, answers and evaluations, for rag-sweep answers compare")
        return
    baseline = next(at for at, one in enumerate(found.finalists) if one.is_baseline)
    other = next((at for at in range(len(folders)) if at != baseline), baseline)
    pair = shlex.join(os.path.relpath(folders[at]) for at in (baseline, other))
    show("", f"Cases, answers and evaluations: {os.path.relpath(folders[0].parent)}")
    show(
        f"Next: rag-sweep answers compare {pair} (which differences from the baseline are real, case by case)"
    )
