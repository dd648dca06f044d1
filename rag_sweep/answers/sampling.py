"""A random sample of answers for people to label, blind to what the judge said."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.answers.strangers import refuse_strangers
from rag_sweep.answers.writing import refuse_there
from rag_sweep.cases.records import Answer, Case, Cases, absence
from rag_sweep.cases.showing import shown
from rag_sweep.checks import is_count, require
from rag_sweep.dataset.fields import nearest
from rag_sweep.dataset.spreadsheet import table_bytes
from rag_sweep.errors import ConfigError, DataError, Fault, UsageError
from rag_sweep.files import write_whole
from rag_sweep.fingerprint import fingerprint
from rag_sweep.judges.known import JUDGES, is_judge
from rag_sweep.rules.judging import NAMES
from rag_sweep.rules.wording import script

TEXTS = ("question", "context", "reference", "answer")
"""Columns to be read, beside the id."""
NOTE = "note"
"""A column for whatever the person wants to say; nobody reads it here."""
PASS = "pass"
LONGEST = 32_000
"""Characters of a cell: a spreadsheet takes 32,767 and drops the others without a word."""
LENGTHS = 3


@dataclass(frozen=True)
class Sample:
    """Cases to label, in an order that says nothing.

    Attributes
    ----------
    ids
        Of the drawn cases.
    of
        Answered cases, of which they were drawn; each with the same chance.
    strata
        Kinds of cases that were told apart.
    labels
        Columns to be filled in.
    cut
        Ids of cases with a text that is longer than a cell can be.
    """

    ids: tuple[str, ...]
    of: int
    strata: int
    labels: tuple[str, ...]
    cut: tuple[str, ...]


def sample(
    cases: Cases,
    answers: Mapping[str, Answer],
    out: Path,
    *,
    size: int = 50,
    seed: int = 0,
    evaluation: Mapping[str, Any] | None = None,
    asked: Sequence[str] = (),
) -> Sample:
    """Draw answers and write them as a table with empty columns for labels.

    Systematic sampling from a list in the order of the strata (the judge's verdicts, the language, the
    length, the first tag), in random order within each: every case has exactly the same chance, `size` of
    all, and each stratum its share, rounded up or down. So plain means over the sample are unbiased, without
    weights (Cochran, Sampling Techniques, 1977, chapter 8).

    Parameters
    ----------
    evaluation
        Of these answers; its verdicts are strata and are not written.
    asked
        Columns to label beside ``pass``, names of rules and judges; without any, the evaluation's judges.

    Raises
    ------
    DataError, UsageError
        For an evaluation of other answers, for answers to cases that aren't there, where there is no answer,
        and if `out` is there already.
    """
    require("--size", size, "an int >= 1", is_count(size))
    refuse_there(out)
    refuse_strangers(cases, answers)
    there = [case for case in cases.cases if absence(answers.get(case.id)) is None]
    if not there:
        raise UsageError("no case has an answer, so there is nothing to label")
    if evaluation is not None:
        same_answers(evaluation, cases, answers)
    labels = _labels(evaluation, asked)
    strata = _strata(there, answers, evaluation)
    chosen = _drawn(there, strata, min(size, len(there)), seed)
    columns, rows, cut = _table(chosen, answers, labels)
    write_whole(out, out.with_name(f".{out.name}.new"), [table_bytes(columns, rows)])
    return Sample(tuple(case.id for case in chosen), len(there), len(set(strata.values())), labels, cut)


def same_answers(evaluation: Mapping[str, Any], cases: Cases, answers: Mapping[str, Answer]) -> None:
    """Refuse an evaluation of other cases or answers, and answers to no case. Raises DataError."""
    refuse_strangers(cases, answers)
    if evaluation["cases_hash"] != cases.fingerprint:
        raise DataError(Fault("the evaluation is of other cases than --cases: judge these first"))
    texts = [[case.id, answers[case.id].text if case.id in answers else None] for case in cases.cases]
    if evaluation["answers_hash"] != fingerprint(texts):
        raise DataError(Fault("the evaluation is of other answers than --answers: judge these first"))


def cell(text: str) -> str:
    """A text as it is in a table: cut where a spreadsheet would cut it, but seen."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} […]"


def _labels(evaluation: Mapping[str, Any] | None, asked: Sequence[str]) -> tuple[str, ...]:
    judged = judges_of(evaluation) if evaluation is not None else ()
    known = (PASS, *NAMES, *JUDGES) if evaluation is None else (PASS, *_rules_of(evaluation))
    for name in asked:
        if name not in known:
            near = nearest(name, known)
            hint = f" (is it {near}?)" if near else ""
            raise ConfigError(f"--label must be one of {', '.join(known)}, got {name!r}{hint}")
    return tuple(dict.fromkeys((PASS, *(asked or judged))))


def _rules_of(evaluation: Mapping[str, Any]) -> list[str]:
    """Rules and judges with a verdict."""
    cases = evaluation["cases"].values()
    return list(dict.fromkeys(one["rule"] for case in cases for one in case["verdicts"]))


def judges_of(evaluation: Mapping[str, Any]) -> tuple[str, ...]:
    """The judges of an evaluation, in its order."""
    return tuple(name for name in evaluation["over"] if is_judge(name))


def _strata(
    cases: Sequence[Case], answers: Mapping[str, Answer], evaluation: Mapping[str, Any] | None
) -> dict[str, tuple[str, ...]]:
    """Of each case: what the judges said, language, tercile of the answer's length, first tag."""
    by_length = sorted(cases, key=lambda case: (len(answers[case.id].text.split()), case.id))
    third = {case.id: str(at * LENGTHS // len(cases)) for at, case in enumerate(by_length)}
    return {
        case.id: (
            *_said(case.id, evaluation),
            script(case.question) or "",
            third[case.id],
            case.tags[0] if case.tags else "",
        )
        for case in cases
    }


def _said(name: str, evaluation: Mapping[str, Any] | None) -> tuple[str, ...]:
    if evaluation is None:
        return ()
    case, judges = evaluation["cases"][name], judges_of(evaluation)
    states = {one["rule"]: one["state"] for one in case["verdicts"]}
    return (str(case["pass"]), *(states.get(judge, "") for judge in judges))


def _drawn(cases: Sequence[Case], strata: Mapping[str, tuple[str, ...]], size: int, seed: int) -> list[Case]:
    chance = random.Random(seed)
    shuffled = list(cases)
    chance.shuffle(shuffled)
    listed = sorted(shuffled, key=lambda case: strata[case.id])
    start = chance.random()
    chosen = [listed[int((start + at) * len(listed) / size)] for at in range(size)]
    chance.shuffle(chosen)  # the order of the strata would tell the verdicts
    return chosen


def _table(
    cases: Sequence[Case], answers: Mapping[str, Answer], labels: Sequence[str]
) -> tuple[list[str], list[list[str]], tuple[str, ...]]:
    referring = "completeness" in labels
    texts = [name for name in TEXTS if name != "reference" or referring]
    rows, cut = [], []
    for case in cases:
        every = {
            "question": case.question,
            "context": shown(case.context),
            "reference": case.reference or "",
            "answer": answers[case.id].text,
        }
        if any(len(every[name]) > LONGEST for name in texts):
            cut.append(case.id)
        rows.append([case.id, *(cell(every[name]) for name in texts), *("" for _ in labels), ""])
    return ["id", *texts, *labels, NOTE], rows, tuple(cut)
