"""`rag-sweep run`: one configuration, or with -m a sweep."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.screen import note, progress, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.planned import PlannedWork
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

    Everything behind the options is Hydra's: overrides, -m, --config-dir, --cfg job (shows the config).
    """
    from rag_sweep.config.arguments import parse

    asks_hydra = parse(context.args).asks_hydra  # before the heavy imports: what is mistyped is told at once
    from rag_sweep.sweep import run as run_session

    try:
        with progress("configurations") as watch, nullcontext() if asks_hydra else results_apart():
            session = run_session(context.args, watch, lambda text: note(f"note: {text}"))
    except (KeyboardInterrupt, SystemExit) as interruption:
        for text in getattr(interruption, "__notes__", ()):
            note(text)
        raise
    if session.planned is not None:
        _show_plan(session.planned, as_json)
        return
    if not session.results or session.dataset is None:
        return  # Hydra was asked for something else, such as --cfg
    warned = (text for result in session.results for text in result.warnings())
    for text in dict.fromkeys([*session.notes, *warned, *_covered(session)]):
        note(f"note: {text}")
    _show(session, as_json, top)
    if session.failed or session.untracked:
        raise typer.Exit(1)


def _covered(session: Session) -> list[str]:
    """That k leaves no document out, if so."""
    from rag_sweep.comparison.cautions import covered

    if session.dataset is None:
        return []
    text = covered(session.results[0].configuration.settings.k, len(session.dataset.basis.doc_ids))
    return [text] if text else []


def _show_plan(planned: PlannedWork, as_json: bool) -> None:
    if as_json:
        show_json(planned.to_dict())
        return
    from rag_sweep.report.leaderboard import plan_table, plural

    title = f"plan: {plural(planned.configurations, 'configuration')}"
    equal = f", {planned.aliases} of them equal in effect to another" if planned.aliases else ""
    show(title + equal, plan_table(planned.stages), "\nNothing was computed (dry_run=true).")


def _show(session: Session, as_json: bool, top: int) -> None:
    from rag_sweep.report import leaderboard as board

    results, dataset = session.results, session.dataset
    if dataset is None:
        return
    settings = results[0].configuration.settings
    title = f"{dataset.name}: {board.caption(dataset.gold, settings)}"
    if session.is_sweep:
        if as_json:
            show_json(board.sweep_json(results, dataset.basis))
        else:
            show(
                f"{board.plural(len(results), 'configuration')} on {title}",
                board.leaderboard(results, top, screen_width()),
                *_below(session, top),
            )
    elif as_json:
        show_json(board.single_json(results[0], dataset.basis))
    elif results[0].failure is not None:
        note(f"rag-sweep: the configuration failed: {results[0].failure}")
    else:
        show(
            title,
            board.sheet(results[0].means(), settings),
            *board.remarks(results[0]),
            *_next(session),
        )


def _below(session: Session, top: int) -> list[str]:
    """What stands below a leaderboard: what was left out, what the winner is worth, what to type next."""
    results = session.results
    lines = []
    if len(results) > top:
        lines.append(f"… and {len(results) - top} more (--top {len(results)} or --json shows them)")
    aliases = sum(result.alias_of is not None for result in results)
    if aliases:
        lines.append(f"≡ equal in effect to another configuration ({aliases} in all), computed once")
    if session.failed:
        lines.append(
            f"{session.failed} of {len(results)} configurations failed; the reason stands in the row"
        )
    return [*lines, *_worth(session), *_next(session)]


def _worth(session: Session) -> list[str]:
    from rag_sweep.report.leaderboard import FEWEST_QUESTIONS, ranked, split_half

    different = [result for result in session.results if result.summary and result.alias_of is None]
    if len(different) < 2:
        return []
    best = ranked(session.results)[0]
    objective = best.configuration.objective
    if all(result.objective == best.objective for result in different):
        return [f"\nAll give the same {objective}: these questions can't tell them apart."]
    picked = (
        f"\nThe first row was picked as the best of {len(different)} on these very questions, so its "
        f"{objective} of {best.objective:.3f} flatters it"
    )
    honest = split_half(session.results)
    if honest is None:
        return [f"{picked}; fewer than {FEWEST_QUESTIONS} questions are too few to say by how much."]
    return [f"{picked}: a top row that half of the questions pick is worth {honest:.3f} on the other half."]


def _next(session: Session) -> list[str]:
    """The next commands to type."""
    from rag_sweep.report.leaderboard import ranked

    lines = [f"\n{session.where}"] if session.where else []
    if session.is_sweep:
        best = ranked(session.results)[0].configuration
        kept = [o for o in best.overrides if not re.match(r"\+{0,2}sweep[.=]", o)]
        beside = [f"--config-dir={session.config_dir}"] if session.config_dir else []
        lines.append(f"\nThe first row alone: {shlex.join(['rag-sweep', 'run', *beside, *kept])}")
        if len(session.results) > session.failed:
            lines += _deciding(best.overrides, beside)
    return lines


def _deciding(overrides: Sequence[str], beside: Sequence[str]) -> list[str]:
    """How to decide by a sweep: only where its results stay."""
    place = [o for o in overrides if re.match(r"\+{0,2}(journal|tracking)\b", o)]
    found = {o.lstrip("+").partition("=")[0]: o.partition("=")[2] for o in place}
    if found.get("journal") in ("null", "") and found.get("tracking") == "none":
        return []
    compare = shlex.join(["rag-sweep", "compare", *beside, *place])
    return [
        f"Next: {compare} (which one to take, and why; cost counts there too, so its numbers differ a "
        "little), then rag-sweep diff (what changes, question by question)"
    ]
