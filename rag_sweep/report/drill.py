"""A drill in the terminal and as Markdown.

The data are plain, as `plain_drill` of `rag_sweep.drill.words` gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rag_sweep.comparison.words import sentence, signed, value
from rag_sweep.report.comparison_markdown import bullets, escaped
from rag_sweep.report.comparison_markdown import table as markdown_table
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, span
from rag_sweep.report.comparison_text import fitting
from rag_sweep.report.comparison_text import table as text_table
from rag_sweep.report.printable import printable

NOTICED = {True: "yes", False: "no", None: NOTHING}
"""Whether the gate noticed."""


def drill_text(data: Data, width: int) -> list[Any]:
    """Things for rich: the result in a line, the table, then what isn't noticed and why."""
    found: list[Any] = [_text(data["headline"], "bold"), *map(_bullet, data["reasons"]), ""]
    found.append(text_table(fitting(_columns(data), width)))
    for title, lines in _sections(data):
        found += [_text(f"\n{title}", "bold")]
        found += [_text(line) if head else _bullet(line) for head, line in lines]
    return found


def drill_markdown(data: Data) -> str:
    """The same for a page or a pull request."""
    parts = [
        f"### {escaped(data['headline'])}",
        bullets(map(sentence, data["reasons"])),
        markdown_table(_columns(data)),
    ]
    for title, lines in _sections(data):
        parts.append(f"#### {escaped(title)}")
        parts += _paragraphs(lines)
    parts.append(f"<sub>{escaped(_origin(data))}</sub>")
    return "\n\n".join(part for part in parts if part) + "\n"


def _columns(data: Data) -> list[Column]:
    rows: Sequence[Data] = data["states"]
    return [
        Column("state", tuple(row["title"] for row in rows), is_number=False),
        *(_column(rows, name, _mean_of(name), 7 if at else 0) for at, name in enumerate(data["shown"])),
        _column(rows, "change", lambda row: signed(row["effect"]["changes"][data["objective"]])),
        _column(rows, "its interval", _interval, 4),
        _column(rows, "detectable", _detectable, 6),
        _column(rows, "fell most", _fell, 3, is_number=False),
        _column(rows, "worse/better/reordered", _questions, 5),
        Column("exit", tuple(_exit(row) for row in rows)),
        Column("noticed", tuple(_noticed(row) for row in rows), is_number=False),
    ]


def _column(
    rows: Sequence[Data], head: str, cell: Callable[[Data], str], place: int = 0, *, is_number: bool = True
) -> Column:
    cells = tuple(NOTHING if row["effect"] is None else cell(row) for row in rows)
    return Column(head, cells, place, is_number=is_number)


def _mean_of(measure: str) -> Callable[[Data], str]:
    return lambda row: value(row["effect"]["means"][measure])


def _interval(row: Data) -> str:
    judged = row["judged"]
    return NOTHING if judged is None else span(judged["lower"], judged["upper"], signed)


def _detectable(row: Data) -> str:
    found = (row["judged"] or {}).get("detectable")
    return NOTHING if found is None else value(found)


def _fell(row: Data) -> str:
    fall = row["effect"]["fall"]
    return NOTHING if fall is None else f"{fall['measure']} {signed(fall['after'] - fall['before'])}"


def _questions(row: Data) -> str:
    effect = row["effect"]
    return f"{len(effect['worse'])}/{len(effect['better'])}/{len(effect['reordered'])}"


def _exit(row: Data) -> str:
    return NOTHING if row["judged"] is None else str(row["judged"]["exit_code"])


def _noticed(row: Data) -> str:
    if row["status"] == "not applicable":
        return "n/a"
    if row["status"] == "improved":
        return "no: improves"
    return NOTICED[row["caught"]]


Lines = list[tuple[bool, str]]
"""Lines of a section; True for the head of what follows."""


def _sections(data: Data) -> list[tuple[str, Lines]]:
    rows: Sequence[Data] = data["states"]
    missed = [row for row in rows if row["caught"] is False]
    caught = [row for row in rows if row["caught"]]
    idle = [row for row in rows if row["status"] == "not applicable"]
    return [
        *([("What this gold fails to notice", _missed(missed))] if missed else []),
        *([("What it notices", [(False, _named(row, row["because"])) for row in caught])] if caught else []),
        *(
            [("What doesn't apply", [(False, f"{row['title']}: {row['told']}") for row in idle])]
            if idle
            else []
        ),
    ]


def _missed(rows: Sequence[Data]) -> Lines:
    found: Lines = []
    for row in rows:
        found.append((True, f"{row['title']} ({row['told']})"))
        found += [(False, sentence(line)) for line in row["because"]]
        found += [(False, f"What would catch it: {line}.") for line in row["catch"]]
    return found


def _named(row: Data, lines: Sequence[str]) -> str:
    return f"{row['title']} ({row['told']}): {'; '.join(lines)}"


def _paragraphs(lines: Lines) -> list[str]:
    """Heads as bold lines, the others as one list below each."""
    found: list[str] = []
    held: list[str] = []
    for head, line in [*lines, (True, "")]:
        if not head:
            held.append(line)
            continue
        found += [bullets(held)] if held else []
        held = []
        found += [f"**{escaped(line)}**"] if line else []
    return found


def _origin(data: Data) -> str:
    version = f", version {data['gold_version']}" if data["gold_version"] else ""
    hashes = f"gold {data['gold'][:12]}{version}, corpus {data['corpus'][:12]}"
    return f"rag-sweep drill; {data['dataset']}: {data['name']}; {hashes}; seed {data['seed']}"


def _bullet(text: str) -> Any:
    from rich.table import Table

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(" •", _text(text))
    return grid


def _text(text: str, style: str = "") -> Any:
    from rich.text import Text

    return Text("\n".join(map(printable, text.split("\n"))), style=style)
