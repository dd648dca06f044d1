#!/usr/bin/env python3
"""Evaluate three ways of searching on a GOLD, judge the best by a floor and each by a baseline.

    python scripts/eval_runner.py
    python scripts/eval_runner.py --docs docs --gold gold.jsonl --out report.json --min-recall-at-k 0.7
    python scripts/eval_runner.py --docs docs --gold gold.jsonl --baseline report.json --max-drop 0.03

Without --docs and --gold it takes the handbook that comes with rag-sweep. Words such as lexical.k1=0.9 are
overrides, as of `rag-sweep run`. Exit code 0: passed; 1: the floor is missed, a drop too large, or a search
failed; 3: the baseline can't be compared; 2: wrong input. It needs rag_sweep, installed or beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rag_sweep.errors import ConfigError, DataError, Fault, RagSweepError, UsageError
from rag_sweep.gate import Thresholds, Verdict, judge
from rag_sweep.gate.current import current_of
from rag_sweep.gate.request import Wish, asked_of
from rag_sweep.gate.verdict import FAIL, NOT_COMPARABLE, PASS
from rag_sweep.scorecard import Scorecard

PIPELINES = {"bm25": "fusion=lexical_only", "dense": "fusion=dense_only", "rrf": "fusion=rrf"}
"""What is evaluated, by the override that makes it."""

NO_TRACE = ("tracking=none", "store=none", "journal=null")
FORMAT = 1
LONGEST = 60
"""Characters of a question that a line shows."""


def options() -> argparse.ArgumentParser:
    """What can be typed."""
    parser = argparse.ArgumentParser(
        description=str(__doc__).split("\n\n")[0], epilog="Overrides are those of rag-sweep run."
    )
    parser.add_argument("--docs", help="a folder of texts, or JSONL")
    parser.add_argument("--gold", help="questions with their relevant documents, JSONL")
    parser.add_argument("--language", choices=("en", "ru"), default="en", help="of the handbook; en")
    parser.add_argument("--out", type=Path, help="a new file for the report; never overwritten")
    parser.add_argument("--baseline", type=Path, help="the report of an earlier run")
    parser.add_argument("--k", type=int, default=5, help="the cutoff; 5")
    parser.add_argument("--min-recall-at-k", type=float, default=0.6, help="of the best pipeline; 0.6")
    parser.add_argument("--max-drop", type=float, help="of each pipeline's recall@k; 0.03")
    parser.add_argument("overrides", nargs="*", metavar="OVERRIDE")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    asked = options().parse_args(arguments)
    try:
        return evaluate(asked)
    except RagSweepError as error:
        print(f"eval_runner: {error}", file=sys.stderr)
        return error.exit_code


def evaluate(asked: argparse.Namespace) -> int:
    """Measure, judge, tell, and write the report; all input is checked before anything is computed."""
    if asked.out is not None and asked.out.exists():
        raise ConfigError(f"--out {asked.out} is there already, and nothing is overwritten")
    if asked.max_drop is not None and asked.baseline is None:
        raise UsageError("--max-drop needs --baseline, the report of an earlier run")
    measure = f"recall@{asked.k}"
    floor = Thresholds({measure: asked.min_recall_at_k})
    drop = Thresholds(max_drop={measure: 0.03 if asked.max_drop is None else asked.max_drop})
    before = {} if asked.baseline is None else read(asked.baseline)
    cards = {name: card_of(override, asked) for name, override in PIPELINES.items()}
    means = {name: card.means()[measure] for name, card in cards.items()}
    best = max(means, key=lambda name: means[name])
    verdicts = {f"the best, {best}": judge(cards[best], None, floor)}
    for name in PIPELINES if before else ():
        verdicts[name] = judge(cards[name], before[name], drop)
    tell(cards, means, measure, verdicts)
    code = exit_code(list(verdicts.values()))
    if asked.out is not None:
        write(asked.out, report(cards, verdicts, code))
    return code


def card_of(override: str, asked: argparse.Namespace) -> Scorecard:
    """Measure one pipeline."""
    if (asked.docs is None) != (asked.gold is None):
        raise UsageError("--docs and --gold belong together: give both, or none for the handbook")
    data = ["dataset=handbook", f"dataset.language={asked.language}"]
    if asked.docs is not None:
        data = [
            "dataset=files",
            f"dataset.documents={quoted(asked.docs)}",
            f"dataset.gold={quoted(asked.gold)}",
        ]
    cutoffs = ",".join(map(str, sorted({1, 3, asked.k, 10})))
    words = [*data, override, f"k={asked.k}", f"cutoffs=[{cutoffs}]", *NO_TRACE, *asked.overrides]
    return current_of(asked_of(words), Wish()).card


def quoted(path: str) -> str:
    """A path as an override takes it."""
    return "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"


def tell(
    cards: Mapping[str, Scorecard],
    means: Mapping[str, float],
    measure: str,
    verdicts: Mapping[str, Verdict],
) -> None:
    """A line for each pipeline and question, the means, and the judgement."""
    for name, card in cards.items():
        column = card.values[:, card.measures.index(measure)].tolist()
        for at, query_id in enumerate(card.query_ids):
            value = (
                f"{measure} {column[at]:.4f}" if card.answerable[at] else "negative".ljust(len(measure) + 7)
            )
            text = "" if card.texts is None else " ".join(card.texts[at].split())[:LONGEST]
            print(f"{name:<6} {query_id:<10} {value}  {text}")
    print()
    for name, card in cards.items():
        ids = ", ".join(card.zero_hits()) or "none"
        told = f"mean {measure} {means[name]:.4f} over {card.questions} questions"
        print(f"{name:<6} {told}; without a hit ({len(card.zero_hits())}): {ids}")
    print()
    for name, verdict in verdicts.items():
        for check in verdict.checks:
            result = {True: "ok", False: "FAILED", None: "not judged"}[check.passed]
            print(f"{result}: {name}: {check.what}: {check.why}")
        for text in verdict.stated:
            print(f"   {text}")


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """1 if anything fails, else 3 if anything can't be compared, else 0."""
    codes = {verdict.exit_code for verdict in verdicts}
    return FAIL if FAIL in codes else NOT_COMPARABLE if NOT_COMPARABLE in codes else PASS


def report(cards: Mapping[str, Scorecard], verdicts: Mapping[str, Verdict], code: int) -> dict[str, Any]:
    """Everything as plain data."""
    return {
        "format": FORMAT,
        "kind": "rag-sweep eval_runner",
        "exit_code": code,
        "verdicts": {name: verdict.to_dict() for name, verdict in verdicts.items()},
        "pipelines": {name: card.to_dict() for name, card in cards.items()},
    }


def read(path: Path) -> dict[str, Scorecard]:
    """The scorecards of an earlier report."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(Fault(f"can't be read as a report: {error}", file=path)) from error
    cards = found.get("pipelines") if isinstance(found, dict) else None
    if not isinstance(cards, dict) or set(cards) != set(PIPELINES):
        raise DataError(Fault("is no report of this script: take what --out wrote", file=path))
    return {name: Scorecard.from_dict(card, path) for name, card in cards.items()}


def write(out: Path, data: Mapping[str, Any]) -> None:
    """Write a new file, whole or not at all; one that is there by now stays."""
    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(
            json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8"
        )
        os.link(part, out)  # unlike a rename it never replaces
    except FileExistsError:
        raise ConfigError(f"--out {out} is there already, and nothing is overwritten") from None
    except OSError as error:
        raise ConfigError(f"--out {out} can't be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
