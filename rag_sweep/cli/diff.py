"""`rag-sweep diff`: two configurations, question by question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.screen import note, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.comparing.differ import Differed


def diff(
    a: Annotated[
        str, typer.Argument(metavar="A", help="SWEEP:INDEX, an index, best, baseline, a name, a run.")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The same; B is compared with A.")],
    overrides: Annotated[
        list[str] | None, typer.Argument(help="objective=…, decide.level=…, journal=…")
    ] = None,
    question: Annotated[
        str | None, typer.Option("--question", help="The two rankings of one question, with their passages.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Questions to show.")] = 20,
    every: Annotated[
        bool, typer.Option("--all", help="Show every question, also where nothing moved.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the difference as JSON.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Take sweeps that aren't complete too.")] = False,
    config_dir: Annotated[
        str | None, typer.Option("--config-dir", help="A folder with configs of yours.")
    ] = None,
) -> None:
    """Show what changes from one configuration to another: moved up, moved down, lost, found.

    \b
    rag-sweep diff 3 17                                    two configurations of the newest sweep
    rag-sweep diff baseline best
    rag-sweep diff 20261130-021500-a1b2c3:3 20261201-094500-d4e5f6:3
    rag-sweep diff baseline best --question q17            both rankings with the passages
    """
    from rag_sweep.comparing.differ import differ

    with results_apart():
        found = differ(a, b, overrides or [], config_dir=config_dir, question=question, partial=partial)
    for text in dict.fromkeys(found.notes):
        note(f"note: {text}")
    if as_json:
        show_json(_json(found))
        return
    show(*_text(found, None if every else limit))


def _json(found: Differed) -> dict[str, Any]:
    data = found.difference.to_dict()
    if found.sides is None:
        return data
    return {**data, "rows": [], "sides": found.sides.to_dict()}


def _text(found: Differed, limit: int | None) -> list[Any]:
    from rag_sweep.report.difference import difference_text, sides_text

    data = found.difference.to_dict()
    if found.sides is None:
        return difference_text(data, limit, screen_width())
    return sides_text(data, found.sides.to_dict(), screen_width())
