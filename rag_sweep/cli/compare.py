"""`rag-sweep compare`: from the results of sweeps to a decision."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import chosen, note, progress, screen_width, show, show_json, show_text
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.comparing.compare import Compared


class Format(StrEnum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"
    MD = "md"
    CSV = "csv"


Form = Annotated[Format | None, typer.Option("--format", help="What to print.", show_default="text")]


def compare(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="SWEEP|OVERRIDE", help="Sweeps, MLflow runs, paths; decide.…=…"),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="An index, a name, or knobs: 'lexical.k1=1.2'.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="Rows of the leaderboard.")] = 10,
    form: Form = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[Path | None, path_option("--out", "A folder for the page and its data.")] = None,
    latency: Annotated[
        int | None, typer.Option("--latency", min=1, help="Measure the finalists on so many questions.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Take sweeps that aren't complete too.")] = False,
    no_log: Annotated[bool, typer.Option("--no-log", help="Leave MLflow alone.")] = False,
    config_dir: Annotated[
        str | None, typer.Option("--config-dir", help="A folder with configs of yours.")
    ] = None,
) -> None:
    """Say which configuration to promote, and how sure that is; nothing is retrieved again.

    \b
    rag-sweep compare                                      the newest complete sweep
    rag-sweep compare 20261130-021500-a1b2c3               one sweep, by its id, a run of it, or a path
    rag-sweep compare 20261130-021500-a1b2c3 20261201-…    two sweeps over the same gold
    rag-sweep compare --baseline 'lexical.k1=1.2' decide.difference=0.02
    rag-sweep compare --format md > comparison.md          for a pull request

    The page with all of it is left beside the sweep's results and in its run in MLflow.
    """
    from rag_sweep.comparing.compare import Wish
    from rag_sweep.comparing.compare import compare as run

    if out is not None and not out.name and not out.is_absolute():
        raise UsageError("--out must be a folder, got an empty text; . is the one you are in")
    shape = chosen(Format, form, as_json)
    wish = Wish(partial=partial, log=not no_log, latency=latency, out=out)
    with results_apart(), _watching(latency) as watch:
        found = run(words or [], wish, config_dir=config_dir, baseline=baseline, watch=watch)
    for text in dict.fromkeys(found.notes):
        note(f"note: {text}")
    _show(found, shape, top, _Typed(tuple(words or ()), config_dir))


@dataclass(frozen=True)
class _Typed:
    """What the command was given, for the commands that it ends with."""

    words: tuple[str, ...]
    config_dir: str | None

    @property
    def beside(self) -> list[str]:
        """The option for configs of one's own, where it was given."""
        return [f"--config-dir={self.config_dir}"] if self.config_dir else []


def _watching(latency: int | None) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """A bar for what takes long; the rest takes seconds."""
    return nullcontext() if latency is None else progress("finalists")


def _show(found: Compared, form: Format, top: int, typed: _Typed) -> None:
    data = found.data
    if form is Format.JSON:
        show_json(data)
    elif form is Format.MD:
        from rag_sweep.report.comparison_markdown import comparison_markdown

        show_text(comparison_markdown(data, top))
    elif form is Format.CSV:
        from rag_sweep.report.comparison_csv import leaderboard_csv

        show_text(leaderboard_csv(data))
    else:
        from rag_sweep.report.comparison_text import comparison_text

        show(*comparison_text(data, top, screen_width()), *_below(data, found, typed))
        return
    if found.left.page is not None:
        note(f"page: {found.left.page}")


def _below(data: Mapping[str, Any], found: Compared, typed: _Typed) -> list[Any]:
    """The decision once more, where the eye is, and what to look at next."""
    from rag_sweep.report.comparison_text import headline

    lines: list[Any] = ["", headline(data)]
    if found.left.page is not None:
        lines.append(f"The page: {found.left.page}")
    if found.left.run is not None:
        lines.append(f"In MLflow: {found.left.run}")
    if found.left.page is None and found.left.run is None:
        lines.append("--out FOLDER writes a page with all of it")
    if not data["decision"]["keeps_baseline"]:
        rows = [data["rows"][row] for row in (data["baseline"], data["decision"]["promote"])]
        pair = [f"{data['sweeps'][row['sweep']]['sweep_id']}:{row['index']}" for row in rows]
        lines.append(f"What changes, question by question: rag-sweep diff {' '.join(pair)}")
    return [*lines, *_measuring(data, typed)]


def _measuring(data: Mapping[str, Any], typed: _Typed) -> list[str]:
    """Where the user's configuration wasn't measured: what measures it, and compares it with these."""
    if data["stand_in"] is None:
        return []
    from rag_sweep.comparing.finding import YOURS
    from rag_sweep.comparing.request import is_override

    kept = [word for word in typed.words if is_override(word)]
    names = [word for word in typed.words if word not in kept] or [one["sweep_id"] for one in data["sweeps"]]
    measure = ["rag-sweep", "run", *typed.beside, *data["stand_in"]["overrides"]]
    compare = ["rag-sweep", "compare", *typed.beside, *names, YOURS, *kept]
    commands = [f"  {shlex.join(one)}" for one in (measure, compare)]
    return ["Next, measure yours and compare it with these:", *commands]
