"""Answers judged by hand and by the rules, and how well the two agree.

Each line of ``hand_made_answers.jsonl`` is a case with an answer, and in ``fails`` the rules that should
fail it, written down before the rules were run on it. What was ``held out`` was made after the rules had been
mended by the others; the page on answers says what was changed for it since.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rag_sweep.cases.reading import read_cases
from rag_sweep.cases.records import Answer
from rag_sweep.rules.judging import NAMES, Rules
from rag_sweep.rules.verdict import Verdict

FILE = Path(__file__).with_name("hand_made_answers.jsonl")
OWN_KEYS = ("answer", "fails", "hard", "note", "set")
SETS = ("worked on", "held out")


class Disagreement(NamedTuple):
    """The rule failed what passes by hand, or passed what fails."""

    rule: str
    row: dict[str, Any]
    verdict: Verdict

    @property
    def missed(self) -> bool:
        """True for a fault that the rule doesn't see."""
        return self.rule in self.row["fails"]


class Score(NamedTuple):
    """A fail is the positive class."""

    found: int
    wrongly: int
    missed: int

    @property
    def precision(self) -> float | None:
        failed = self.found + self.wrongly
        return self.found / failed if failed else None

    @property
    def recall(self) -> float | None:
        faults = self.found + self.missed
        return self.found / faults if faults else None


@cache
def rows() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines())


@cache
def verdicts() -> dict[str, tuple[Verdict, ...]]:
    """What the rules say of each, read as a user's file is read."""
    lines = [{key: value for key, value in row.items() if key not in OWN_KEYS} for row in rows()]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        cases = read_cases(path).cases
    rules = Rules()
    return {
        case.id: rules.judge(case, Answer(case.id, row["answer"])).verdicts
        for case, row in zip(cases, rows(), strict=True)
    }


def disagreements(of: str) -> list[Disagreement]:
    return [
        Disagreement(verdict.rule, row, verdict)
        for row in rows()
        if row["set"] == of
        for verdict in verdicts()[row["id"]]
        if (verdict.state == "fail") != (verdict.rule in row["fails"])
    ]


def scores(of: str) -> dict[str, Score]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in NAMES}
    for row in (row for row in rows() if row["set"] == of):
        for verdict in verdicts()[row["id"]]:
            is_fault, failed = verdict.rule in row["fails"], verdict.state == "fail"
            counts[verdict.rule][f"{is_fault} {failed}"] += 1
    return {
        name: Score(count["True True"], count["False True"], count["True False"])
        for name, count in counts.items()
    }


def share(part: float | None, over: int) -> str:
    return "–" if part is None else f"{part:.2f} of {over}"


def table() -> list[str]:
    """The table of docs/answers.md."""
    worked, held = (scores(name) for name in SETS)
    lines = [
        "| rule | precision, worked on | recall | precision, held out | recall |",
        "|---|--:|--:|--:|--:|",
    ]
    for name in NAMES:
        cells = [
            cell
            for one in (worked[name], held[name])
            for cell in (
                share(one.precision, one.found + one.wrongly),
                share(one.recall, one.found + one.missed),
            )
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def list_of(missed: bool) -> list[str]:
    """The disagreements of docs/answers.md: those of words are counted only."""
    found = [one for name in SETS for one in disagreements(name)]
    return [
        f"- {one.rule}, `{one.row['id']}`: “{' '.join(one.row['answer'].split())}”"
        for one in found
        if one.missed == missed and one.rule != "overlap"
    ]
