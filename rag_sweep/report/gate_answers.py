"""A gate of answers in the terminal and for a pull request, from `AnswersVerdict.to_dict`."""

from __future__ import annotations

from typing import Any

from rag_sweep.comparison.words import value
from rag_sweep.report.comparison_rows import Column, Data, number, span
from rag_sweep.report.comparison_text import fitting, table
from rag_sweep.report.gate_junit import junit

STATES = {True: "passed", False: "FAILED", None: "not judged"}


def gate_answers_text(data: Data, width: int) -> list[Any]:
    """Things for rich: the judgement, then a row a check."""
    return [data["headline"], "", table(fitting(_columns(data), width)), *_told(data)]


def gate_answers_markdown(data: Data) -> str:
    """The same as Markdown."""
    columns = _columns(data)
    heads = " | ".join(column.head or "state" for column in columns)
    rows = zip(*(column.cells for column in columns), strict=True)
    lines = [f"## {data['headline']}", "", f"| {heads} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", *(f"- {text}" for text in _told(data)), ""])


def gate_answers_junit(data: Data) -> str:
    """The same as JUnit XML."""
    rows = [
        {**row, "what": f"{row['measure']} at least {row['limit']:g}", "kind": "answers"}
        for row in data["checks"]
    ]
    subject = dict(data["subject"])
    rules = subject.pop("rules") or {}
    about = {**subject, "cases": data["cases"], **{f"rules.{key}": one for key, one in rules.items()}}
    about = {key: _property(one) for key, one in about.items()}
    return junit("rag-sweep gate of answers", rows, about, _told(data))


def _property(found: Any) -> str | None:
    """A value in words: lists without brackets, yes and no as JSON has them."""
    if isinstance(found, list):
        return ", ".join(map(str, found))
    if isinstance(found, bool):
        return str(found).lower()
    return None if found is None else str(found)


def _columns(data: Data) -> list[Column]:
    rows = data["checks"]
    spans = (span(row["lower"], row["upper"], value) if row["lower"] is not None else "–" for row in rows)
    return [
        Column("", tuple(STATES[row["passed"]] for row in rows), is_number=False),
        Column("measure", tuple(row["measure"] for row in rows), is_number=False),
        Column("at least", tuple(value(row["limit"]) for row in rows)),
        Column("mean", tuple(number(row["value"], value) for row in rows)),
        Column("95 % interval", tuple(spans), 1),
        Column("over", tuple(str(row["over"]) for row in rows)),
        Column("not measured", tuple(str(row["not_measured"]) for row in rows), 2),
        Column("why", tuple(row["why"] for row in rows), 3, False),
    ]


def _told(data: Data) -> list[str]:
    licences = [f"people agree with {row['licensed']}" for row in data["checks"] if row["licensed"]]
    return [*licences, *(f"caution: {text}" for text in data["cautions"])]
