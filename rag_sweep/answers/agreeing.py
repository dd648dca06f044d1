"""How far the judges of an evaluation agree with people who labelled some of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.agreement.agreed import (
    LEVEL,
    YES_NO,
    Agreed,
    Decision,
    Further,
    Pair,
    People,
    Scale,
    agreed,
    decide,
    people,
)
from rag_sweep.agreement.reading import FORMAT, KIND, RECKONED
from rag_sweep.answers.labels import Labels
from rag_sweep.answers.reading import has_texts
from rag_sweep.answers.sampling import PASS
from rag_sweep.comparison.plain import plain
from rag_sweep.errors import DataError, Fault
from rag_sweep.judges.known import is_judge
from rag_sweep.version import __version__


@dataclass(frozen=True)
class Compared:
    """One column of labels beside what was judged.

    Attributes
    ----------
    kind
        ``rule`` or ``judge``.
    labelled, unsure, empty
        Cells with a label, with a ``?``, and without anything.
    not_judged
        Labelled cases that the judge left open, by state: they count in nothing else.
    people
        The second person beside the first; None without one.
    with_refusals
        Of ``pass``: people beside a stricter one, that a wrong or a missing refusal fails too; None where no
        labelled answer makes a difference.
    """

    kind: str
    labelled: int
    unsure: int
    empty: int
    not_judged: Mapping[str, int]
    found: Agreed
    people: People | None
    further: Further
    decision: Decision
    with_refusals: People | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain data, the agreement at the top."""
        rest = {
            "kind": self.kind,
            "labelled": self.labelled,
            "unsure": self.unsure,
            "empty": self.empty,
            "not_judged": dict(self.not_judged),
            "may_decide": self.decision.may,
            "why": self.decision.why,
        }
        both = {"people": plain(self.people), "with_refusals": plain(self.with_refusals)}
        more = {**both, **plain(self.further)}
        return {**rest, **plain(self.found), **more}


@dataclass(frozen=True)
class Agreement:
    """Every column, with what was compared."""

    evaluation: Mapping[str, Any]
    least: float
    columns: Mapping[str, Compared]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data: every number finite or None."""
        kept = (
            *("judge_model", "answer_models", "prompts", "rules", "pass_rules"),
            *("cases_hash", "answers_hash"),
        )
        return {
            "format": FORMAT,
            "kind": KIND,
            "version": __version__,
            **{key: self.evaluation[key] for key in kept},
            "least_kappa": self.least,
            **RECKONED,
            "notes": list(self.notes),
            "labels": {name: one.to_dict() for name, one in self.columns.items()},
        }


def agree(
    evaluation: Mapping[str, Any],
    first: Labels,
    least: float,
    second: Labels | None = None,
    further: Mapping[str, Further] | None = None,
) -> Agreement:
    """Compare every labelled column with what the evaluation says.

    Parameters
    ----------
    least
        Kappa from which a judge may decide.
    second
        Labels of another person, for what people themselves agree on.
    further
        By judge, what asking it again has shown.

    Raises
    ------
    DataError
        If the two people used different scales, or are one and the same table.
    """
    if second is not None:
        _refuse_itself(first, second)
        _same_scales(first, second)
    columns = {
        name: _compared(evaluation, first, name, least, second, (further or {}).get(name, Further()))
        for name in first.given
    }
    notes = (*_copied(first, second), *_notes(evaluation, columns, least))
    return Agreement(evaluation, least, columns, notes)


def _said(
    evaluation: Mapping[str, Any], case: Mapping[str, Any], name: str, scale: Scale
) -> tuple[int | None, str]:
    """What was judged as a place on a scale, with its reason; None and the state where it wasn't judged."""
    if name == PASS:
        bad = [one for one in case["verdicts"] if one["state"] == "fail"]
        counting = (*evaluation["pass_rules"], *(("refusal",) if case["pass"] else ()))
        told = [f"{one['rule']}: {one['reason']}" for one in bad if one["rule"] in counting]
        return int(case["pass"]), "; ".join(told)
    verdict = next((one for one in case["verdicts"] if one["rule"] == name), None)
    if verdict is None or verdict["state"] not in ("pass", "fail"):
        return None, "not_judged" if verdict is None else str(verdict["state"])
    # a grade by its share of the highest one: an evaluation without texts has no details
    label = int(verdict["state"] == "pass") if scale is YES_NO else scale.at(verdict["value"])
    return label, str(verdict["reason"])


def _compared(
    evaluation: Mapping[str, Any],
    first: Labels,
    name: str,
    least: float,
    second: Labels | None,
    further: Further,
) -> Compared:
    scale, given = first.scales[name], first.given[name]
    has_lengths = has_texts(evaluation)
    pairs, open_states = [], []
    for case_id, label in given.items():
        case = evaluation["cases"][case_id]
        judged, reason = _said(evaluation, case, name, scale)
        if judged is None:
            open_states.append(reason)
        else:
            words = len((case["answer"] or "").split()) if has_lengths else None
            pairs.append(Pair(case_id, label, judged, words, reason))
    found = agreed(pairs, scale)
    unsure = first.unsure[name]
    is_model = name != PASS and is_judge(name)
    return Compared(
        kind="judge" if is_model else "rule",
        labelled=len(given),
        unsure=unsure,
        empty=first.rows - len(given) - unsure,
        not_judged=dict(sorted(Counter(open_states).items())),
        found=found,
        people=_people(given, second, name, scale),
        with_refusals=_with_refusals(evaluation, given) if name == PASS else None,
        further=further,
        decision=decide(found.kappa, least, "judge" if is_model else "rules"),
    )


def _with_refusals(evaluation: Mapping[str, Any], given: Mapping[str, int]) -> People | None:
    """People say whether an answer may go out; a wrong refusal passes, and may not."""
    cases = {name: evaluation["cases"][name] for name in given}
    wrong = {name for name, case in cases.items() if case["pass"] and _refuses_wrongly(case)}
    strict = [int(case["pass"] and name not in wrong) for name, case in cases.items()]
    return people(list(given.values()), strict, YES_NO) if wrong else None


def _refuses_wrongly(case: Mapping[str, Any]) -> bool:
    return any(one["rule"] == "refusal" and one["state"] == "fail" for one in case["verdicts"])


def _people(given: Mapping[str, int], second: Labels | None, name: str, scale: Scale) -> People | None:
    if second is None or name not in second.given:
        return None
    other = second.given[name]
    both = [case for case in given if case in other]
    first, again = [given[case] for case in both], [other[case] for case in both]
    return people(first, again, scale)


def _refuse_itself(first: Labels, second: Labels) -> None:
    if first.file.resolve() == second.file.resolve():
        told = "is the first table too: people are compared where another person has filled in the same table"
        raise DataError(Fault(told, second.file))


def _copied(first: Labels, second: Labels | None) -> list[str]:
    if second is None or (first.given, first.unsure) != (second.given, second.unsure):
        return []
    return [f"{second.file} has the same label in every cell as {first.file}: a copy is no second person"]


def _same_scales(first: Labels, second: Labels) -> None:
    for name, scale in second.scales.items():
        if name in first.scales and first.scales[name] != scale:
            mine, theirs = ("/".join(one.labels) for one in (scale, first.scales[name]))
            told = f"the column {name} is labelled {mine} here, and {theirs} in {first.file}"
            raise DataError(Fault(told, second.file))


def _notes(evaluation: Mapping[str, Any], columns: Mapping[str, Compared], least: float) -> tuple[str, ...]:
    found = []
    model = evaluation["judge_model"]
    judges = [name for name, one in columns.items() if one.kind == "judge"]
    if judges and model in evaluation["answer_models"]:
        found.append(f"{model} judges answers that it wrote itself: it may be kind to them")
    for name, one in columns.items():
        found += _ceiling(name, one.people, least)
        found += _biases(name, one)
    return tuple(found)


def _ceiling(name: str, both: People | None, least: float) -> list[str]:
    """What two people say of the question itself."""
    if both is None:
        return []
    decision = decide(both.kappa, least, "person")
    told = decision.why.partition(":")[0]
    if decision.may:
        return []
    if both.kappa.lower is None:
        return [f"{name}: nobody knows how well people themselves agree: {told}"]
    return [f"{name}: people themselves don't agree well enough: {told}"]


def _biases(name: str, one: Compared) -> Sequence[str]:
    """What is unlikely to be chance, in words."""
    found = []
    length, kinder_p, order = one.found.length, one.found.kinder_p, one.further.order
    if length.lower is not None and length.upper is not None and length.lower * length.upper > 0:
        which = "longer" if length.lower > 0 else "shorter"
        found.append(f"{name} is kinder to {which} answers than people are")
    if kinder_p is not None and kinder_p < 1.0 - LEVEL:
        which = "kinder" if one.found.kinder > one.found.harsher else "harsher"
        found.append(f"{name} is {which} than people")
    if order is not None and order.p_value is not None and order.p_value < 1.0 - LEVEL:
        which = "kinder" if order.to_pass > order.to_fail else "harsher"
        found.append(f"{name} is {which} when it is shown the same in reverse order")
    return found
