"""A comparison as Markdown that GitHub and GitLab render: for a pull request, or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rag_sweep.report.comparison_rows import (
    Column,
    Data,
    caption_of,
    columns_of,
    leaders,
    legend_of,
    named,
)
from rag_sweep.report.comparison_sections import sections
from rag_sweep.report.printable import printable

TOP = 10
"""Rows of the leaderboard."""

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#~])")
_MENTION = re.compile(r"(?<!\w)@")


def comparison_markdown(data: Data, top: int = TOP) -> str:
    """The decision, the leaderboard, and what stands below it folded away.

    Texts of questions and names are escaped: nothing in them is markup, a link or a mention.
    """
    decision = data["decision"]
    rows = leaders(data, top)
    columns = _columns(data, rows)
    legend = ". ".join(legend_of(data, rows, (column.head for column in columns)))
    parts = [
        f"### {escaped(decision['headline'])}",
        bullets(decision["reasons"]),
        *(["**But**", bullets(decision["cautions"])] if decision["cautions"] else []),
        f"**{escaped(caption_of(data))}**",
        table(columns),
        f"<sub>{escaped(legend)}</sub>",
        "<details><summary>The numbers behind it</summary>",
        *_below(data),
        "</details>",
        f"<sub>{escaped(_origin(data))}</sub>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _columns(data: Data, rows: Sequence[Data]) -> list[Column]:
    """The columns of the terminal, with the names of configurations in place of their knobs."""
    columns = columns_of(data, rows)
    name = Column("configuration", tuple(named(row["name"]) for row in rows), is_number=False)
    return [*columns[:2], name, *columns[2 + len(data["knobs"]) :]]


def _below(data: Data) -> list[str]:
    found = []
    for section in sections(data):
        found += [f"#### {section.title}", bullets(section.sentences)]
        if section.columns:
            found.append(table(section.columns))
    return found


def _origin(data: Data) -> str:
    """What would give the same again."""
    sweeps = ", ".join(one["sweep_id"] for one in data["sweeps"])
    dataset = data["dataset"]
    version = f", version {dataset['gold_version']}" if dataset["gold_version"] else ""
    hashes = f"gold {dataset['gold'][:12]}{version}, corpus {dataset['corpus'][:12]}"
    return f"rag-sweep compare; sweep {sweeps}; {hashes}; seed {data['settings']['seed']}"


def bullets(texts: Iterable[str]) -> str:
    """A list; an empty text for none."""
    return "\n".join(f"- {escaped(text)}" for text in texts)


def table(columns: Sequence[Column]) -> str:
    """A table with one line a row."""
    lines = [
        [escaped(column.head) for column in columns],
        ["---:" if column.is_number else ":---" for column in columns],
        *(list(map(escaped, cells)) for cells in zip(*(column.cells for column in columns), strict=True)),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    """A text in one line in which no sign is markup, and that mentions nobody."""
    return _MENTION.sub("@\u2060", _SIGNS.sub(r"\\\1", " ".join(printable(text).split())))
