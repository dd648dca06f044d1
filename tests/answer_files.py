"""Files of cases and answers for tests of `rag-sweep answers` with a model."""

from __future__ import annotations

import json
from pathlib import Path


def write_files(folder: Path, number: int = 6) -> list[str]:
    """`number` cases, each with an answer whose texts are its own; the options that name the files."""
    cases = [
        {
            "id": f"c{at}",
            "question": f"Сколько длится этап {at}?" if at % 2 else f"How long is stage {at}?",
            "context": [{"id": f"d{at}", "text": _fact(at)}],
        }
        for at in range(number)
    ]
    answers = [{"id": f"c{at}", "answer": f"{_fact(at).rstrip('.')} [d{at}]."} for at in range(number)]
    for name, rows in (("cases", cases), ("answers", answers)):
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return ["--cases", "cases.jsonl", "--answers", "answers.jsonl"]


def _fact(at: int) -> str:
    return f"Этап {at} длится {at + 2} дня." if at % 2 else f"Stage {at} takes {at + 2} days."
