"""Two evaluations over the same cases, paired case by case, with the statistics that retrieval has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rag_sweep.answers.attribution import EVIDENCE_CITED as NAME
from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.settings import Decide
from rag_sweep.errors import NotComparable
from rag_sweep.rules.judging import metric_of
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences
from rag_sweep.statistics.table import TIE, settle

Data = Mapping[str, Any]
SHOWN = 3


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
    attribution_a, attribution_b
        How many failed questions are whose fault.
    """

    format: int
    a: str
    b: str
    cases: int
    same_context: bool
    level: float
    alpha: float
    resamples: int
    seed: int
    measures: tuple[Measured, ...]
    attribution_a: Mapping[str, int]
    attribution_b: Mapping[str, int]
    changed: tuple[Changed, ...]
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
        If they aren't of the same cases, or other rules decide what passes; the difference is named.
    """
    decide = decide or Decide()
    refuse_others(a, b)
    left_out = _other_judge(a, b)
    measures = [name for name in dict.fromkeys([*a["over"], *b["over"]]) if name not in left_out]
    return Comparison(
        format=1,
        a=names[0],
        b=names[1],
        cases=len(a["cases"]),
        same_context=a["cases_hash"] == b["cases_hash"],
        level=decide.level,
        alpha=decide.alpha,
        resamples=decide.resamples,
        seed=decide.seed,
        measures=tuple(_measured(name, values_of(a, name), values_of(b, name), decide) for name in measures),
        attribution_a=a.get("attribution", {}),
        attribution_b=b.get("attribution", {}),
        changed=tuple(_changed(a, b)),
        notes=tuple(_notes(a, b, left_out)),
    )


def refuse_others(a: Data, b: Data) -> None:
    """Refuse evaluations that aren't of the same questions, judged the same way; see `compare`."""
    one, other = a["cases"], b["cases"]
    for there, missing, which in ((one, other, "A"), (other, one, "B")):
        alone = [name for name in there if name not in missing]
        if alone:
            raise NotComparable(f"the cases differ: only {which} has {_some(alone)}")
    asked = [name for name in one if one[name]["question"] != other[name]["question"]]
    if asked:
        raise NotComparable(f"the cases differ: {_some(asked)} ask something else in A and in B")
    if a.get("asked_hash") != b.get("asked_hash"):
        raise NotComparable("the cases differ: the rubrics or references of A aren't those of B")
    if a["pass_rules"] != b["pass_rules"]:
        rules = ", ".join(a["pass_rules"]), ", ".join(b["pass_rules"])
        raise NotComparable(f"other rules decide what passes: {rules[0]} in A, {rules[1]} in B")


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown


def _other_judge(a: Data, b: Data) -> list[str]:
    """Measures of models, where the model or its prompts differ: such numbers aren't of one scale."""
    if (a["judge_model"], a["prompts"]) == (b["judge_model"], b["prompts"]):
        return []
    by_rules = {"pass_at_1", NAME} | {
        metric_of(rule) for data in (a, b) for rule in _rules(data) if metric_of(rule) in data["over"]
    }
    return [name for name in dict.fromkeys([*a["over"], *b["over"]]) if name not in by_rules]


def _rules(data: Data) -> set[str]:
    return {one["rule"] for case in data["cases"].values() for one in case["verdicts"]}


def values_of(data: Data, name: str) -> dict[str, float]:
    """The values of a measure by the id of the case; what isn't applicable or measured has none."""
    if name == "pass_at_1":
        return {case_id: float(case["pass"]) for case_id, case in data["cases"].items()}
    return {
        case_id: float(one["value"])
        for case_id, case in data["cases"].items()
        for one in case["verdicts"]
        if name in (one["rule"], metric_of(one["rule"])) and one["value"] is not None
    }


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


def _notes(a: Data, b: Data, left_out: Sequence[str]) -> list[str]:
    found = []
    if a["cases_hash"] != b["cases_hash"]:
        found.append("other passages were handed over: what differs may be retrieval as much as generation")
    if (NAME in a["over"]) != (NAME in b["over"]):
        which = "A" if NAME in a["over"] else "B"
        found.append(f"only {which} was judged with its GOLD at hand, and so knows of more failed questions")
    if left_out:
        found.append(f"{', '.join(left_out)}: left out, for another model or other prompts judged them")
    if a["version"] != b["version"]:
        found.append(f"judged by different versions: {a['version']} and {b['version']}")
    return found
