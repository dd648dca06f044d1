"""What is told of people beside rules and judges, and of two people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_answers_comparing import CASES, RIGHT, SILENT, WRONG, evaluated

from rag_sweep.agreement.agreed import YES_NO
from rag_sweep.answers.agreeing import Agreement, agree
from rag_sweep.answers.labels import Labels
from rag_sweep.cases.records import Cases
from rag_sweep.errors import DataError
from rag_sweep.report.answers_agreement import agreement_text

KNOWN = Cases(tuple(replace(one, evidence=True) for one in CASES.cases))
"""The context has the answer to each, so whoever refuses refuses wrongly."""


def labels(said: Mapping[str, int], name: str = "l.csv", column: str = "pass") -> Labels:
    return Labels(Path(name), {column: YES_NO}, {column: said}, {column: 0}, len(said))


def by_people(*said: int) -> dict[str, int]:
    return {f"q{at}": label for at, label in enumerate(said)}


def text_of(data: Mapping[str, Any], found: Agreement) -> str:
    shown = agreement_text(found.to_dict(), data["cases"], 9, 200)
    return "\n".join(one for one in shown if isinstance(one, str))


def test_people_are_compared_with_passes_that_count_wrong_refusals_too() -> None:
    data = evaluated(*[RIGHT] * 5, *[WRONG] * 3, *[SILENT] * 4, cases=KNOWN)
    found = agree(data, labels(by_people(*[1] * 5, *[0] * 7)), 0.6)
    one = found.columns["pass"]
    assert one.with_refusals is not None
    assert (one.found.same.count, one.with_refusals.same.count) == (8, 12)
    assert one.with_refusals.kappa.value == 1.0
    assert found.to_dict()["labels"]["pass"]["with_refusals"]["table"] == [[7, 0], [0, 5]]
    assert {row.reason for row in one.found.disagreements} == {"refusal: wrongly_refused"}
    told = text_of(data, found)
    assert "pass: none of citations, must_include, numbers fails; a refusal may pass, right or wrong" in told
    assert "with wrong refusals as failed: kappa 1.000" in told


def test_where_no_refusal_is_wrong_there_is_nothing_stricter() -> None:
    data = evaluated(*[RIGHT] * 6, *[WRONG] * 6, cases=KNOWN)
    found = agree(data, labels(by_people(*[1] * 6, *[0] * 6)), 0.6)
    assert found.columns["pass"].with_refusals is None
    assert "with wrong refusals" not in text_of(data, found)


def test_rules_that_people_don_t_agree_with_are_not_called_a_judge() -> None:
    data = evaluated(*[RIGHT] * 6, *[WRONG] * 6)
    found = agree(data, labels(by_people(*[0, 1] * 6)), 0.6)
    why = found.columns["pass"].decision.why
    assert "better labels, or other rules (rules.pass_rules, the rubrics)" in why
    assert "judge" not in why
    same = agree(evaluated(*[RIGHT] * 12), labels(by_people(*[1] * 12)), 0.6)
    assert same.columns["pass"].decision.why.startswith("people and the rules gave every case the same")


def test_a_kappa_below_nothing_has_a_minus_sign_everywhere() -> None:
    data = evaluated(*[RIGHT] * 6, *[WRONG] * 6)
    found = agree(data, labels(by_people(*[0] * 6, *[1] * 6), "a"), 0.6, labels(by_people(*[0, 1] * 6), "b"))
    told = text_of(data, found)
    assert "kappa −1.000 (−1.000 to −0.385)" in told
    assert "-" not in told.replace("--limit", "")


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ({"q9": 1}, "nobody knows how well people themselves agree: no case was labelled by both"),
        ({"q0": 1}, "agree: both people gave every case the same label, so kappa isn't defined"),
        ({"q0": 1, "q1": 1}, "agree: one side gave every case the same label"),
        ({"q0": 0, "q1": 1, "q2": 0, "q3": 1}, "people themselves don't agree well enough: kappa −1.000"),
    ],
)
def test_two_people_are_not_told_of_as_a_judge(second: dict[str, int], told: str) -> None:
    data = evaluated(*[RIGHT] * 6, *[WRONG] * 6)
    found = agree(data, labels(by_people(1, 0, 1, 0), "a"), 0.6, labels(second, "b"))
    (note,) = [one for one in found.notes if "people" in one and "than people" not in one]
    assert told in note
    assert "judge" not in note
    if "q9" in second:
        assert "two people: no case was labelled by both" in text_of(data, found)


def test_one_table_is_no_second_person() -> None:
    data, said = evaluated(*[RIGHT] * 6, *[WRONG] * 6), by_people(1, 0, 1, 0)
    with pytest.raises(DataError, match=r"\./l\.csv|l\.csv is the first table too"):
        agree(data, labels(said), 0.6, labels(said, "./l.csv"))
    found = agree(data, labels(said), 0.6, labels(said, "copy.csv"))
    assert found.notes[0].startswith("copy.csv has the same label in every cell as l.csv")


def test_a_length_is_told_with_its_unit_and_not_from_a_handful() -> None:
    some = agree(evaluated(*[RIGHT] * 6, *[WRONG + " Yes."] * 6), labels(by_people(*[1] * 10, 0, 0)), 0.6)
    assert some.columns["pass"].found.length.reason == "too_few_disagreements"
    told = text_of(some.evaluation, some)
    assert "length: nothing to tell, too few disagreements" in told
    assert "for each doubling" not in told
    every = agree(evaluated(*[RIGHT] * 6, *[WRONG + " Yes."] * 6), labels(by_people(*[1] * 12)), 0.6)
    told = text_of(every.evaluation, every)
    assert "length: judged minus people changes by −" in told
    assert "of the scale (0 to 1) for each doubling of an answer's words" in told
