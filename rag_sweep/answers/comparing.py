"""Two evaluations over the same cases, paired case by case, with the statistics that retrieval has."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.agreement.licence import prompts_of
from rag_sweep.answers.reading import values_of
from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.settings import Decide
from rag_sweep.comparison.words import counted
from rag_sweep.errors import NotComparable
from rag_sweep.judges.known import EVIDENCE_CITED, is_judge
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences
from rag_sweep.statistics.table import TIE, settle

Data = Mapping[str, Any]
SHOWN = 3
LONGEST = 60
"""Characters of a setting in a message."""


@dataclass(frozen=True)
class Measured:
    """One measure over the cases that both have measured; B minus A.

    Attributes
    ----------
    over
        Cases that both have measured; `only_a` and `only_b` were measured in one, and count in neither mean.
    p_value
        Of this measure alone, two-sided, by paired randomisation; None, as the ends, without a shared case.
    better, worse, same
        Cases whose value rose, fell, and stayed.
    """

    name: str
    over: int
    only_a: int
    only_b: int
    a: float | None
    b: float | None
    difference: float | None
    lower: float | None
    upper: float | None
    p_value: float | None
    better: int
    worse: int
    same: int


@dataclass(frozen=True)
class Changed:
    """A case whose answer passes in one of the two only, or that is a failed question in one only.

    Attributes
    ----------
    a, b
        Whether the answer passes.
    fault_a, fault_b
        Whose fault the failed question is, and why; None where it didn't fail.
    """

    id: str
    question: str
    a: bool
    b: bool
    fault_a: str | None
    fault_b: str | None


@dataclass(frozen=True)
class Comparison:
    """B against A.

    Attributes
    ----------
    level, alpha, resamples, seed
        Of the intervals and the tests, as `rag-sweep compare` has them by default.
    same_context
        False where other passages were handed over, so that retrieval is compared too.
    other_evidence
        Cases over the same passages, whose `evidence` isn't the same: what is marked is compared too.
    attribution_a, attribution_b
        How many failed questions are whose fault.
    left_out
        Judges whose values in A and in B aren't of one scale, each with why.
    """

    format: int
    a: str
    b: str
    cases: int
    same_context: bool
    other_evidence: tuple[str, ...]
    level: float
    alpha: float
    resamples: int
    seed: int
    measures: tuple[Measured, ...]
    attribution_a: Mapping[str, int]
    attribution_b: Mapping[str, int]
    changed: tuple[Changed, ...]
    left_out: Mapping[str, str]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        result: dict[str, Any] = plain(self)
        return result


def compare(a: Data, b: Data, names: tuple[str, str], decide: Decide | None = None) -> Comparison:
    """Compare two evaluations, as `Evaluation.to_dict` gives them.

    Raises
    ------
    NotComparable
        If they aren't of the same cases, or rules with other settings judged; the difference is named.
    """
    decide = decide or Decide()
    refuse_others(a, b)
    left_out = _left_out(a, b)
    measures = [name for name in dict.fromkeys([*a["over"], *b["over"]]) if name not in left_out]
    return Comparison(
        format=1,
        a=names[0],
        b=names[1],
        cases=len(a["cases"]),
        same_context=not _handed_else(a, b),
        other_evidence=tuple(_marked_else(a, b)),
        level=decide.level,
        alpha=decide.alpha,
        resamples=decide.resamples,
        seed=decide.seed,
        measures=tuple(_measured(name, values_of(a, name), values_of(b, name), decide) for name in measures),
        attribution_a=a.get("attribution", {}),
        attribution_b=b.get("attribution", {}),
        changed=tuple(_changed(a, b)),
        left_out=left_out,
        notes=tuple(_notes(a, b, left_out)),
    )


def refuse_others(a: Data, b: Data) -> None:
    """Refuse evaluations that aren't of the same questions, judged the same way; see `compare`."""
    one, other = a["cases"], b["cases"]
    for there, missing, which in ((one, other, "A"), (other, one, "B")):
        alone = [name for name in there if name not in missing]
        if alone:
            raise NotComparable(f"the cases differ: only {which} has {_some(alone)}")
    asked = [name for name in one if _asks_else(one[name]["question"], other[name]["question"])]
    if asked:
        raise NotComparable(f"the cases differ: {_some(asked)} ask something else in A and in B")
    if a.get("asked_hash") != b.get("asked_hash"):
        raise NotComparable("the cases differ: the questions, rubrics or references of A aren't those of B")
    if a["pass_rules"] != b["pass_rules"]:
        rules = ", ".join(a["pass_rules"]), ", ".join(b["pass_rules"])
        raise NotComparable(f"other rules decide what passes: {rules[0]} in A, {rules[1]} in B")
    _refuse_settings(a["rules"], b["rules"])


def _asks_else(question: str, other: str) -> bool:
    """Seen where both were kept; an evaluation without texts has no questions, but their hash."""
    return bool(question and other) and question != other


def _refuse_settings(a: Data | None, b: Data | None) -> None:
    """Refuse other settings of the rules: what differs would be theirs as much as that of the answers."""
    if (a is None) != (b is None):
        raise NotComparable(f"only {'B' if a is None else 'A'} says with which settings its rules judged")
    one, other = a or {}, b or {}
    told = [
        f"rules.{name} is {_value(one, name)} in A and {_value(other, name)} in B"
        for name in dict.fromkeys([*one, *other])
        if one.get(name, ...) != other.get(name, ...)
    ]
    if told:
        more = f", and {len(told) - SHOWN} more differ" if len(told) > SHOWN else ""
        raise NotComparable(f"the rules judged otherwise: {', '.join(told[:SHOWN])}{more}")


def _value(settings: Data, name: str) -> str:
    if name not in settings:
        return "not there"
    text = json.dumps(settings[name], ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown


def _left_out(a: Data, b: Data) -> dict[str, str]:
    """Judges whose values aren't of one scale, each with why."""
    judges = [name for name in dict.fromkeys([*a["over"], *b["over"]]) if is_judge(name)]
    found = ((name, _apart(name, a, b)) for name in judges)
    return {name: why for name, why in found if why}


def _apart(judge: str, a: Data, b: Data) -> str:
    """Why what a judge said in A and in B can't be compared; "" where it can be."""
    for one, other, which in ((a, b, "A"), (b, a, "B")):
        if judge in one["over"] and judge not in other["over"]:
            return f"only {which} was judged by it"
    if a["judge_model"] != b["judge_model"]:
        return f"{a['judge_model']} judged A, and {b['judge_model']} judged B"
    mine, theirs = (prompts_of(judge, data["prompts"]) for data in (a, b))
    told = [*_only(mine, theirs, "A"), *_only(theirs, mine, "B")]
    return f"with other prompts or settings: {', '.join(told)}" if told else ""


def _only(labels: Sequence[str], others: Sequence[str], which: str) -> list[str]:
    alone = [label for label in labels if label not in others]
    return [f"{', '.join(alone)} in {which}"] if alone else []


def _measured(name: str, a: Mapping[str, float], b: Mapping[str, float], decide: Decide) -> Measured:
    shared = [case_id for case_id in a if case_id in b]
    only = len(a) - len(shared), len(b) - len(shared)
    if not shared:
        return Measured(name, 0, *only, None, None, None, None, None, None, 0, 0, 0)
    table = np.array([[one[case_id] for case_id in shared] for one in (a, b)])
    changes = table[1] - table[0]
    resamples, seed = decide.resamples, decide.seed
    tested = against_baseline(
        table, 0, alpha=decide.alpha, resamples=resamples, seed=seed, bounds=_bounds(table)
    )
    apart = bootstrap_differences(
        table, 0, level=decide.level, resamples=resamples, seed=seed, bounds=_bounds(table)
    )
    means = [settle(float(row.mean())) for row in table]
    return Measured(
        name=name,
        over=len(shared),
        only_a=only[0],
        only_b=only[1],
        a=means[0],
        b=means[1],
        difference=settle(float(changes.mean())),
        lower=float(apart.lower[1]),
        upper=float(apart.upper[1]),
        p_value=float(tested.p_value[1]),
        better=int((changes > TIE).sum()),
        worse=int((changes < -TIE).sum()),
        same=int((np.abs(changes) <= TIE).sum()),
    )


def _bounds(table: Any) -> tuple[float, float]:
    """0 to 1; a cosine may be below."""
    return min(0.0, float(np.floor(table.min()))), 1.0


def _changed(a: Data, b: Data) -> list[Changed]:
    """Those that became right last."""
    found = []
    for name, one in a["cases"].items():
        other = b["cases"][name]
        faults = _fault(one), _fault(other)
        if one["pass"] != other["pass"] or (faults[0] is None) != (faults[1] is None):
            found.append(Changed(name, one["question"], one["pass"], other["pass"], *faults))
    return sorted(found, key=lambda one: (one.b, one.fault_b is None))


def _fault(case: Data) -> str | None:
    fault = case.get("attribution")
    return f"{fault['to']}: {fault['reason']}" if fault else None


def _handed_else(a: Data, b: Data) -> list[str]:
    """Cases with other passages, or another choice of what may be cited."""
    return [
        name for name, case in a["cases"].items() if case["context_hash"] != b["cases"][name]["context_hash"]
    ]


def _marked_else(a: Data, b: Data) -> list[str]:
    """Cases with other evidence; where the passages are others too it follows from them."""
    moved = set(_handed_else(a, b))
    return [
        name
        for name, case in a["cases"].items()
        if case["evidence"] is not b["cases"][name]["evidence"] and name not in moved
    ]


def _notes(a: Data, b: Data, left_out: Mapping[str, str]) -> list[str]:
    found = []
    if other := _handed_else(a, b):
        told = f"other passages were handed over in {len(other)} of {counted(len(a['cases']), 'case')}"
        found.append(f"{told}: what differs may be retrieval as much as generation")
    if marked := _marked_else(a, b):
        told = f"evidence is marked otherwise in {counted(len(marked), 'case')}, over the same passages"
        found.append(
            f"{told} ({_some(marked)}): what refusals count, and whose fault it is, may differ by that"
        )
    if (EVIDENCE_CITED in a["over"]) != (EVIDENCE_CITED in b["over"]):
        which = "A" if EVIDENCE_CITED in a["over"] else "B"
        found.append(f"only {which} was judged with its GOLD at hand, and so knows of more failed questions")
    for why in dict.fromkeys(left_out.values()):
        found.append(f"{', '.join(name for name in left_out if left_out[name] == why)}: left out, {why}")
    if a["rules"] is None:
        found.append("nobody says with which settings the rules judged: they may differ")
    if a["version"] != b["version"]:
        found.append(f"judged by different versions: {a['version']} and {b['version']}")
    return found
