"""A verdict of the gate in the terminal."""

from __future__ import annotations

from typing import Any

from rag_sweep.report.comparison_rows import Data
from rag_sweep.report.comparison_text import fitting, table
from rag_sweep.report.gate_fell import FEW, fell_columns, fell_title
from rag_sweep.report.gate_rows import (
    captions,
    cautions,
    check_columns,
    powers,
    question_lines,
    reasons,
    tag_columns,
    tag_title,
)
from rag_sweep.report.printable import printable

POWERS = 4
"""Sentences on what could have been detected, at most."""


def gate_text(data: Data, width: int) -> list[Any]:
    """Things for rich: the judgement, what it is over, the checks, tags, questions, and what to do next."""
    good = data["exit_code"] == 0
    found: list[Any] = [_text(data["headline"], "bold green" if good else "bold red")]
    found += [_text(text) for text in captions(data)]
    found += ["", table(fitting(check_columns(data), width))] if _has_rows(data) else []
    found += [_text(text, "bold") for text in reasons(data)]
    found += [_text(text) for text in cautions(data)]
    found += [_text(text, "dim") for text in _power(data)]
    if data["questions"]["fell"]:
        columns = fitting(fell_columns(data, FEW), width)
        found += [_text(f"\n{fell_title(data, FEW)}", "bold"), table(columns)]
    if data["tags"]:
        found += [_text(f"\n{tag_title(data)}", "bold"), table(fitting(tag_columns(data), width))]
    found += [_text("\nQuestions", "bold"), *map(_text, question_lines(data))]
    if data["next_steps"]:
        found.append(_text("\nNext steps, in this order", "bold"))
        found += [_text(f"{at}. {text}") for at, text in enumerate(data["next_steps"], 1)]
    return found


def _power(data: Data) -> list[str]:
    """In full for a few measures; else what the column means."""
    found = powers(data)
    if len(found) <= POWERS:
        return found
    if all(row["power"]["detectable"] is None for row in data["checks"] if row["power"]):
        return [found[0], found[-1]]  # nothing differs, so what could have been seen is all there is to say
    return ["detectable: the smallest true drop that is told from none in 8 of 10 cases", found[-1]]


def _has_rows(data: Data) -> bool:
    return any(row["kind"] != "thresholds" for row in data["checks"])


def _text(text: str, style: str = "") -> Any:
    from rich.text import Text

    return Text("\n".join(map(printable, text.split("\n"))), style=style)
