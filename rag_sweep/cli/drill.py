"""`rag-sweep drill`: does the GOLD, with these thresholds, notice when search breaks?"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.gate import (
    Alpha,
    AsJson,
    ConfigDir,
    Drops,
    Limits,
    Minima,
    Mode,
    Model,
    Overrides,
    Trust,
)
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import chosen, note, progress, screen_width, show, show_json, show_text
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.drill.request import Order
    from rag_sweep.drill.states import Drill
    from rag_sweep.gate.request import Wish


class Format(StrEnum):
    """What is printed."""

    TEXT = "text"
    MD = "md"
    JSON = "json"


Only = Annotated[list[str] | None, typer.Option("--only", help="Key of a sabotage, such as dim8; several.")]
Also = Annotated[
    list[str] | None, typer.Option("--also", help="A sabotage of your own: 'embedder.dim=4'; several.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Which document, and which line of the gold.")]
Required = Annotated[
    int | None,
    typer.Option("--require-caught", min=0, help="So many must be noticed; without it all that apply."),
]
Form = Annotated[Format | None, typer.Option("--format", help="What to print.", show_default="text")]
Out = Annotated[Path | None, path_option("--out", "A new file, .md or .json; none is overwritten.")]


def drill(
    overrides: Overrides = None,
    minima: Minima = None,
    drops: Drops = None,
    mode: Mode = None,
    alpha: Alpha = None,
    thresholds: Limits = None,
    only: Only = None,
    also: Also = None,
    seed: Seed = 0,
    required: Required = None,
    form: Form = None,
    as_json: AsJson = False,
    out: Out = None,
    model: Model = None,
    trust: Trust = False,
    config_dir: ConfigDir = None,
) -> None:
    """Break search in known ways, and say which of them this GOLD with these thresholds notices.

    \b
    rag-sweep drill                                     the promoted configuration, or the current one
    rag-sweep drill --min recall@10=0.80 --max-drop 0.03
    rag-sweep drill --thresholds thresholds.yaml        what the gate of a project judges by
    rag-sweep drill --only dim8 --also 'lexical.b=0'    one of ours, and one of your own
    rag-sweep drill --format md --out drill.md          for a page

    Exit code 0: every sabotage that applies was noticed (or as many as --require-caught says). 1: one wasn't,
    or none applies. 2: wrong input. Nothing of yours is changed, nothing goes to MLflow or into the store.
    """
    from rag_sweep.drill.request import Order
    from rag_sweep.gate.words import wish_of

    shape = chosen(Format, form, as_json)
    _refuse_there(out)
    limits = {"mode": mode and str(mode), "alpha": alpha, "thresholds": thresholds}
    wish = wish_of(minima or (), drops or (), model=model, trust=trust, **limits)
    found = _drilled(overrides or [], wish, Order(tuple(only or ()), tuple(also or ()), seed), config_dir)
    _show(found, shape, out)
    if not found.is_passed(required):
        raise typer.Exit(1)


def _refuse_there(out: Path | None) -> None:
    from rag_sweep.drill.writing import checked_out

    if out is not None:
        checked_out(out)


def _drilled(overrides: list[str], wish: Wish, order: Order, config_dir: str | None) -> Drill:
    from rag_sweep.drill.request import prepared
    from rag_sweep.drill.running import run_drill

    with results_apart(), progress("sabotages") as watch:
        ready = prepared(overrides, wish, order, config_dir)
        found = run_drill(ready.exercise, watch)
    for text in dict.fromkeys(ready.notes):
        note(f"note: {text}")
    return found


def _show(found: Drill, form: Format, out: Path | None) -> None:
    from rag_sweep.drill.words import plain_drill
    from rag_sweep.report.drill import drill_markdown, drill_text

    data = plain_drill(found)
    if out is not None:
        _write(data, out)
    if form is Format.JSON:
        show_json(data)
    elif form is Format.MD:
        show_text(drill_markdown(data))
    else:
        show(*drill_text(data, screen_width()))


def _write(data: dict[str, Any], out: Path) -> None:
    from rag_sweep.drill.writing import write_new
    from rag_sweep.report.drill import drill_markdown

    if out.suffix == ".json":
        write_new(out, json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    else:
        write_new(out, drill_markdown(data))
    note(f"written: {out}")
