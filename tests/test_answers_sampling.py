"""The sample to label: stratified, every answer with the same chance, and blind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from labelling import read_csv, write_answers

from rag_sweep.answers.sampling import LONGEST, sample
from rag_sweep.cases.reading import read_answers, read_cases
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.errors import ConfigError, DataError, UsageError

KINDS = 5


def made(number: int) -> tuple[Cases, dict[str, Answer], dict[str, Any]]:
    """Cases of which each fifth fails by the judge, as an evaluation has them."""
    cases = Cases(
        tuple(Case(f"c{at}", f"What is number {at}?", (Context("d", "Some text."),)) for at in range(number))
    )
    answers = {
        case.id: Answer(case.id, "It is so [d]." + " More." * (at % 7)) for at, case in enumerate(cases.cases)
    }
    evaluation = {
        "over": {"pass_at_1": {}, "faithfulness": {}},
        "cases_hash": cases.fingerprint,
        "cases": {
            case.id: {
                "pass": True,
                "verdicts": [{"rule": "faithfulness", "state": "pass" if at % KINDS else "fail"}],
            }
            for at, case in enumerate(cases.cases)
        },
    }
    from rag_sweep.fingerprint import fingerprint

    evaluation["answers_hash"] = fingerprint([[case.id, answers[case.id].text] for case in cases.cases])
    return cases, answers, evaluation


def test_answers_to_no_case_are_refused_as_judging_refuses_them(tmp_path: Path) -> None:
    cases, answers, evaluation = made(5)
    more = {**answers, "c9": Answer("c9", "It is so.")}
    for known in (None, evaluation):
        with pytest.raises(DataError, match="no case has the id of this answer: 'c9'"):
            sample(cases, more, tmp_path / "l.csv", evaluation=known)
    assert not (tmp_path / "l.csv").exists()


def test_each_stratum_gets_its_share(tmp_path: Path) -> None:
    cases, answers, evaluation = made(200)
    found = sample(cases, answers, tmp_path / "l.csv", size=50, evaluation=evaluation)
    failing = sum(int(name[1:]) % KINDS == 0 for name in found.ids)
    assert len(set(found.ids)) == 50
    assert failing == 10  # 40 of 200 fail, so 10 of 50


def test_every_answer_has_the_same_chance(tmp_path: Path) -> None:
    cases, answers, evaluation = made(23)
    drawn: Counter[str] = Counter()
    for seed in range(400):
        out = tmp_path / f"{seed}.csv"
        drawn.update(sample(cases, answers, out, size=7, seed=seed, evaluation=evaluation).ids)
    expected = 400 * 7 / 23
    # a count's standard error is 9.2; of 23 counts none is farther than 4 of them
    assert len(drawn) == 23
    assert max(abs(count - expected) for count in drawn.values()) < 4 * 9.2


def test_the_table_says_nothing_of_the_judge(tmp_path: Path) -> None:
    cases, answers, evaluation = made(60)
    found = sample(cases, answers, tmp_path / "l.csv", size=30, evaluation=evaluation)
    rows = read_csv(tmp_path / "l.csv")
    assert list(rows[0]) == ["id", "question", "context", "answer", "pass", "faithfulness", "note"]
    assert all(row["pass"] == row["faithfulness"] == row["note"] == "" for row in rows)
    # neither does the order: failing ones stand neither first nor last
    places = [at for at, name in enumerate(found.ids) if int(name[1:]) % KINDS == 0]
    assert places not in (list(range(len(places))), list(range(30 - len(places), 30)))


def test_the_same_seed_draws_the_same(tmp_path: Path) -> None:
    cases, answers, _ = made(60)
    one, same, other = (
        sample(cases, answers, tmp_path / f"{name}.csv", size=20, seed=seed).ids
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == same != other


def test_a_table_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    cases, answers, _ = made(5)
    (tmp_path / "l.csv").write_text("an hour of labelling")
    with pytest.raises(UsageError, match="is there already"):
        sample(cases, answers, tmp_path / "l.csv")
    assert (tmp_path / "l.csv").read_text() == "an hour of labelling"


def test_a_formula_is_no_formula_and_a_long_text_is_seen_to_be_cut(tmp_path: Path) -> None:
    case = Case("c", "What?", (Context("d", "word " * LONGEST),))
    found = sample(Cases((case,)), {"c": Answer("c", "=1+1")}, tmp_path / "l.csv")
    row = read_csv(tmp_path / "l.csv")[0]
    assert row["answer"] == "'=1+1"
    assert len(row["context"]) < 32_767
    assert row["context"].endswith("[…]")
    assert found.cut == ("c",)


def test_unanswered_cases_are_not_drawn(tmp_path: Path) -> None:
    cases, answers, _ = made(5)
    answers["c1"] = Answer("c1", "", failure="timeout")
    del answers["c2"]
    found = sample(cases, answers, tmp_path / "l.csv")
    assert sorted(found.ids) == ["c0", "c3", "c4"]
    assert found.of == 3
    with pytest.raises(UsageError, match="nothing to label"):
        sample(cases, {}, tmp_path / "m.csv")


def test_an_evaluation_of_other_answers_is_refused(tmp_path: Path) -> None:
    cases, answers, evaluation = made(5)
    answers["c1"] = Answer("c1", "It is otherwise.")
    with pytest.raises(DataError, match="other answers"):
        sample(cases, answers, tmp_path / "l.csv", evaluation=evaluation)


@pytest.mark.parametrize("name", ["question", "note", "citations_ok", "a b"])
def test_a_column_that_is_no_label_is_refused(tmp_path: Path, name: str) -> None:
    cases, answers, _ = made(5)
    with pytest.raises(ConfigError, match="--label must be one of pass, citations"):
        sample(cases, answers, tmp_path / "l.csv", asked=[name])


def test_what_is_complete_is_told_beside_the_reference(tmp_path: Path) -> None:
    cases, answers = (
        read(path) for read, path in zip((read_cases, read_answers), write_answers(tmp_path), strict=True)
    )
    sample(cases, answers, tmp_path / "l.csv", asked=["completeness"])  # type: ignore[arg-type]
    assert "reference" in read_csv(tmp_path / "l.csv")[0]
