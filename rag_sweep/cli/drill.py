"""`rag-sweep drill`: does the GOLD, with these thresholds, notice when search breaks?"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
from rag_sweep.cli.screen import note, progress, screen_width, show, show_json, show_text
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.drill.states import Drill


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
Form = Annotated[Format, typer.Option("--format", help="What to print.")]
Out = Annotated[Path | None, typer.Option("--out", help="A new file, .md or .json; none is overwritten.")]


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
    form: Form = Format.TEXT,
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
    or none applies.
    2: wrong input. Nothing of yours is changed, and nothing goes to MLflow or into the store.
    """
    found = _drilled(overrides or [], locals())
    _show(found, Format.JSON if as_json else form, out)
    if not found.is_passed(required):
        raise typer.Exit(1)


def _drilled(overrides: list[str], given: Mapping[str, Any]) -> Drill:
    """Run the drill that the options, by their names, ask for."""
    from rag_sweep.drill.request import Order, prepared
    from rag_sweep.drill.running import run_drill
    from rag_sweep.drill.writing import checked_out
    from rag_sweep.gate.words import wish_of

    if given["out"] is not None:
        checked_out(given["out"])
    mode = None if given["mode"] is None else str(given["mode"])
    others = {name: given[name] for name in ("alpha", "thresholds", "model", "trust")}
    wish = wish_of(given["minima"] or (), given["drops"] or (), mode=mode, **others)
    order = Order(tuple(given["only"] or ()), tuple(given["also"] or ()), given["seed"])
    with results_apart(), progress("sabotages") as watch:
        ready = prepared(overrides, wish, order, given["config_dir"])
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
