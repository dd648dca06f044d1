"""Answers with a judge whose opinions are known, for tests of agreement: no server, a function."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

JUDGE = '''
import json

def ask(messages):
    """Supports a claim unless it says "wrong"; of "ordered" ones only where [a] is shown first."""
    text = messages[-1]["content"]
    if "Split the answer" in text:
        said = text.split("Answer:")[1].split("Split the answer")[0].strip()
        return json.dumps({"claims": [said]})
    if "Grade how well" in text:
        return json.dumps({"grade": 1 if "wrong" in text else 4})
    first = text.index("[a]") < text.index("[b]")
    good = "wrong" not in text and (first or "ordered" not in text)
    return json.dumps({"verdicts": [{"claim": 1, "supported": good}]})
'''

LLM = ("llm=callable", "llm.target=scripted_judge:ask", "tracking=none", "calls=calls")
"""Overrides that ask it; its module must be importable."""


def write_answers(folder: Path, number: int = 40) -> tuple[Path, Path]:
    """Cases with answers: of each four one is wrong, and one depends on the order of the context."""
    kinds = ("plain", "wrong", "plain", "ordered")
    cases, answers = [], []
    for at in range(number):
        context = [
            {"id": "a", "text": f"Badge {at} opens the door."},
            {"id": "b", "text": "Lunch is at noon."},
        ]
        cases.append({"id": f"c{at:02}", "question": f"What does badge {at} open?", "context": context})
        more = " indeed" * (at % 5)
        told = f"The {kinds[at % 4]} badge opens the door{more} [a]."
        answers.append({"id": f"c{at:02}", "answer": told, "model": "writer"})
    paths = folder / "cases.jsonl", folder / "answers.jsonl"
    for path, rows in zip(paths, (cases, answers), strict=True):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (folder / "scripted_judge.py").write_text(JUDGE, encoding="utf-8")
    return paths


def read_csv(path: Path) -> list[dict[str, str]]:
    """As a spreadsheet reads it."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def fill(path: Path, out: Path, said: Mapping[str, Mapping[str, str]]) -> None:
    """The table with cells filled in, by id and column; saved with semicolons, as a Russian Excel does."""
    rows = read_csv(path)
    with out.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows([{**row, **said.get(row["id"], {})} for row in rows])
