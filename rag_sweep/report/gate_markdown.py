"""A verdict of the gate as Markdown that GitHub and GitLab render: for a pull request."""

from __future__ import annotations

from rag_sweep.report.comparison_markdown import bullets, escaped, table
from rag_sweep.report.comparison_rows import Data
from rag_sweep.report.gate_fell import FEW, MANY, fell_columns, fell_title
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

MARKS = {0: "✅", 1: "❌", 3: "⚠️"}
"""In front of the headline, by exit code."""


def gate_markdown(data: Data) -> str:
    """The judgement and its checks; tags, power and questions folded away. Nothing in a text is markup."""
    head, *others = captions(data)
    judged = any(row["kind"] != "thresholds" for row in data["checks"])
    parts = [
        f"### {MARKS.get(data['exit_code'], '')} Retrieval gate: {escaped(data['headline'])}",
        bullets(reasons(data)),
        table(check_columns(data)) if judged else "",
        bullets([*others, *cautions(data)]),
        *_fell(data),
        _steps(data),
        bullets(question_lines(data)),
        "<details><summary>What it could have detected, and per tag</summary>",
        bullets(powers(data)),
        *([escaped(tag_title(data)), table(tag_columns(data))] if data["tags"] else []),
        "</details>",
        f"<sub>{escaped(head)}</sub>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _fell(data: Data) -> list[str]:
    """The questions that it fails by; many are folded away."""
    number = len(data["questions"]["fell"])
    if not number:
        return []
    head = f"<details{' open' if number <= FEW else ''}><summary>{escaped(fell_title(data, MANY))}</summary>"
    return [head, table(fell_columns(data, MANY)), "</details>"]


def _steps(data: Data) -> str:
    steps = [f"{at}. {escaped(text)}" for at, text in enumerate(data["next_steps"], 1)]
    return "\n".join(["**Next steps, in this order**", "", *steps]) if steps else ""
