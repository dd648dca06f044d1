"""A comparison in the terminal: first what to do and why, then the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rag_sweep.report.comparison_rows import (
    Column,
    Data,
    caption_of,
    columns_of,
    leaders,
    legend_of,
    named,
)
from rag_sweep.report.comparison_section import Section
from rag_sweep.report.comparison_sections import sections

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment

GAP = 2
"""Spaces between columns."""

NARROWEST = 24
"""Columns that the name of a configuration gets at least, where its knobs stand in one cell."""


def comparison_text(data: Data, top: int, width: int) -> list[Any]:
    """Things for rich, from the decision to the notes; nothing is wider than `width`."""
    found: list[Any] = [*decision(data), *_leaderboard(data, top, width)]
    for section in sections(data):
        found += _section(section, width)
    return found


def decision(data: Data) -> list[Any]:
    """The decision with its reasons and cautions."""
    told = data["decision"]
    found = [_text(told["headline"], "bold"), *_bullets(told["reasons"])]
    if told["cautions"]:
        found += [_text("But"), *_bullets(told["cautions"])]
    return found


def headline(data: Data) -> Any:
    """The decision in a line."""
    return _text(data["decision"]["headline"], "bold")


def _leaderboard(data: Data, top: int, width: int) -> list[Any]:
    rows = leaders(data, top)
    columns = columns_of(data, rows)
    shown = fitting(columns, width)
    # who is to be promoted matters more than a column for each knob
    if not _fits([one for one in columns if one.place <= 1], width):
        shown = fitting(_named(data, rows, columns), width)
    heads = [column.head for column in shown]
    hidden = any(column.place and column.head not in heads for column in columns)
    more = data["distinct"] - min(top, data["distinct"])
    below = [
        *([f"{more} more rows: --top {data['distinct']}, or --format csv"] if more > 0 else []),
        *(["further columns: a wider window, or --format csv"] if hidden else []),
    ]
    told = [*legend_of(data, rows, heads), *(["; ".join(below)] if below else [])]
    return [_text(f"\n{caption_of(data)}", "bold"), table(shown), *(_text(text, "dim") for text in told)]


def _named(data: Data, rows: Sequence[Data], columns: Sequence[Column]) -> list[Column]:
    """The columns with one for all knobs, which may take several lines."""
    knobs = len(data["knobs"])
    names = tuple(named(row["name"]) for row in rows)
    name = Column("configuration", names, is_number=False, least=NARROWEST)
    return [*columns[:2], name, *columns[2 + knobs :]]


def fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns that fit, left out by their place: whole ones only, since no number is ever cut."""
    shown = list(columns)
    while not _fits(shown, width) and (most := max(one.place for one in shown)):
        last = max(at for at, one in enumerate(shown) if one.place == most)
        del shown[last]
    return shown


def _fits(columns: Iterable[Column], width: int) -> bool:
    return sum(column.width + GAP for column in columns) - GAP <= width


def table(columns: Sequence[Column]) -> Any:
    """A rich table; texts may be folded, numbers never."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for column in columns:
        justify: Any = "right" if column.is_number else "left"
        made.add_column(column.head, justify=justify, no_wrap=column.least is None, overflow="fold")
    for cells in zip(*(column.cells for column in columns), strict=True):
        made.add_row(*cells)
    return Trimmed(made)


class Trimmed:
    """A thing for rich without the blanks that fill up its lines."""

    def __init__(self, thing: Any) -> None:
        self._thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Its lines, as `rich.console` asks for them."""
        from rich.segment import Segment

        for line in console.render_lines(self._thing, options, pad=False):
            while line and not line[-1].text.strip(" "):
                line.pop()
            if line:
                text, style, _ = line.pop()
                line.append(Segment(text.rstrip(" "), style))
            yield from line
            yield Segment.line()


def _section(section: Section, width: int) -> list[Any]:
    found = [_text(f"\n{section.title}", "bold"), *map(_text, section.sentences)]
    return [*found, table(fitting(section.columns, width))] if section.columns else found


def _bullets(texts: Iterable[str]) -> list[Any]:
    from rich.table import Table

    grid = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        grid.add_row(" •", _text(text))
    return [Trimmed(grid)]


def _text(text: str, style: str = "") -> Any:
    """Wrapped between words; brackets are no markup."""
    from rich.text import Text

    return Text(text, style=style)
