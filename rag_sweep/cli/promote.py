"""`rag-sweep promote`: a decision becomes what is served."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.promotion.plan import Plan
    from rag_sweep.promotion.promote import Done
    from rag_sweep.tracking.place import Place


Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="SWEEP|OVERRIDE", help="Sweeps, MLflow runs, paths; decide.rule=…"),
]
Only = Annotated[str | None, typer.Option(help="Promote this one: an index, SWEEP:INDEX or a name.")]
Name = Annotated[str, typer.Option(help="Of the registered model.")]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Decide, prove, register nothing.")]
Rollback = Annotated[bool, typer.Option("--rollback", help="Make the previous version the champion again.")]
OnlyList = Annotated[bool, typer.Option("--list", help="Show the versions with their values.")]
Thresholds = Annotated[
    Path | None, path_option("--thresholds", "A JSON or YAML file for the gate, kept with the champion.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")]
Partial = Annotated[bool, typer.Option("--partial", help="Take sweeps that aren't complete too.")]
Trust = Annotated[bool, typer.Option("--trust", help="With --rollback: import components of your own.")]
ConfigDir = Annotated[str | None, typer.Option(help="A folder with configs of yours.")]


def promote(
    words: Words = None,
    only: Only = None,
    name: Name = "rag-sweep",
    yes: Yes = False,
    dry_run: DryRun = False,
    rollback: Rollback = False,
    only_list: OnlyList = False,
    thresholds: Thresholds = None,
    as_json: AsJson = False,
    partial: Partial = False,
    trust: Trust = False,
    config_dir: ConfigDir = None,
) -> None:
    """Register the configuration that the rule chooses as the champion, once it is proved.

    \b
    rag-sweep promote                                 the newest complete sweep, by decide.rule
    rag-sweep promote 20261130-021500-a1b2c3 --yes    for scripts
    rag-sweep promote --only 17                       another one than the rule's
    rag-sweep promote --list                          versions, with their values
    rag-sweep promote --rollback                      back to the version before

    Before anything is registered the index is built anew from the documents, and every question of the gold
    must be answered as the sweep measured it.
    """
    if rollback or only_list:
        _refuse_both(rollback, only_list, only)
        (_roll_back if rollback else _list)(words or [], name, as_json, config_dir, trust)
        return
    plan = _planned(words or [], only, name, partial, thresholds, config_dir)
    _tell_decision(plan, as_json)
    if not plan.does_something:
        _leave(plan, dry_run, as_json, config_dir)
        return
    if not (yes or dry_run or sys.stdin.isatty()):
        raise UsageError(
            "promote asks before it registers, and there is no terminal to ask at; --yes answers"
        )
    _go_on(plan, yes, dry_run, as_json, config_dir)


def _leave(plan: Plan, dry_run: bool, as_json: bool, config_dir: str | None) -> None:
    """There is nothing to promote."""
    from rag_sweep.promotion.promote import write_missing

    if plan.action == "champion" and not dry_run:
        with results_apart():
            notes = write_missing(plan, config_dir)
        for text in notes:
            note(f"note: {text}")
    if as_json:
        show_json(plan.to_dict())


def _planned(
    words: list[str],
    only: str | None,
    name: str,
    partial: bool,
    thresholds: Path | None,
    config_dir: str | None,
) -> Plan:
    from rag_sweep.promotion.plan import Wish, planned
    from rag_sweep.promotion.thresholds import read_thresholds

    wish = Wish(only, name, partial, None if thresholds is None else read_thresholds(thresholds))
    with results_apart():
        return planned(words, wish, config_dir)


def _go_on(plan: Plan, yes: bool, dry_run: bool, as_json: bool, config_dir: str | None) -> None:
    from rag_sweep.promotion.promote import carry_out, make_ready

    with results_apart():
        ready = make_ready(plan, note)
    for text in ready.notes:
        note(f"note: {text}")
    questions = len(ready.promoted.golden.questions)
    note(f"proved: all {questions:,} questions are answered as they were measured")
    if dry_run:
        if as_json:
            show_json({**plan.to_dict(), "proved": questions, "registered": None})
        else:
            of = f"a version of {plan.wish.name}"
            show(f"Nothing was registered (--dry-run): {plan.title} would become {of}.")
        return
    if not (yes or typer.confirm(f"Promote {plan.title}?", err=True)):
        note("Nothing was promoted.")
        raise typer.Exit(1)
    with results_apart():
        done = carry_out(ready, note, config_dir)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json({**plan.to_dict(), "proved": questions, "registered": done.to_dict()})
    else:
        show(*_done(done, plan.registry.place, config_dir))


def _refuse_both(rollback: bool, only_list: bool, only: str | None) -> None:
    if rollback and only_list:
        raise UsageError("--rollback and --list are two commands: give one of them")
    if only is not None:
        raise UsageError(f"--only has no effect with {'--rollback' if rollback else '--list'}")


def _tell_decision(plan: Plan, as_json: bool) -> None:
    from rag_sweep.report.promotion import decision_text, verdict

    for text in plan.notes:
        note(f"note: {text}")
    if not as_json:
        show(*decision_text(plan.data), "", verdict(plan.to_dict()))


def _done(done: Done, place: Place, config_dir: str | None) -> list[str]:
    from rag_sweep.report.promotion import next_steps

    return next_steps(done.to_dict(), place.typed, config_dir)


def _roll_back(words: list[str], name: str, as_json: bool, config_dir: str | None, trust: bool) -> None:
    from rag_sweep.promotion.registered import roll_back

    with results_apart():
        done, place = roll_back(words, name, config_dir, trust)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
        return
    show(*_done(done, place, config_dir))


def _list(words: list[str], name: str, as_json: bool, config_dir: str | None, trust: bool) -> None:
    from rag_sweep.promotion.plan import told
    from rag_sweep.promotion.registered import versions
    from rag_sweep.report.promotion import versions_table

    with results_apart():
        found, shown = versions(words, name, config_dir)
    data: list[dict[str, Any]] = [told(one) for one in found]
    if as_json:
        show_json(data)
    elif data:
        show(versions_table(data))
    else:
        show(f"No version of {name} is registered in {shown}.")
