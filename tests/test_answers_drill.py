"""Answers that are broken on purpose, and what the rules notice of it."""

from __future__ import annotations

import pytest

from rag_sweep.answers.drill import KEYS, cut_context, drill, negated, other_number, without_citations
from rag_sweep.cases.records import Answer, Case, Cases, Context, Rubric
from rag_sweep.errors import ConfigError, DataError, UsageError
from rag_sweep.rules.judging import Rules

LEAVE = Case("leave", "How long is leave?", (Context("d1", "Leave is 28 days."), Context("d2", "It rains.")))
DOOR = Case("door", "Какая карта открывает дверь?", (Context("d3", "Синяя карта открывает дверь."),))
ANSWERS = {
    "leave": Answer("leave", "Leave is 28 days [d1]."),
    "door": Answer("door", "Дверь открывается синей картой [d3]."),
}
CASES = Cases((LEAVE, DOOR))


def changed(both: tuple[Case, Answer] | None) -> str:
    assert both is not None
    return both[1].text


def test_each_sabotage_breaks_what_it_says() -> None:
    leave, door = ANSWERS["leave"], ANSWERS["door"]
    assert changed(without_citations(LEAVE, leave)) == "Leave is 28 days."
    assert changed(other_number(LEAVE, leave)) == "Leave is 29 days [d1]."
    assert changed(negated(LEAVE, leave)) == "Leave is not 28 days [d1]."
    assert changed(negated(DOOR, door)) == "Дверь не открывается синей картой [d3]."
    cut = cut_context(LEAVE, leave)
    assert cut is not None
    assert [part.id for part in cut[0].context] == ["d2"]


def test_a_negation_that_is_there_is_taken_out() -> None:
    assert changed(negated(LEAVE, Answer("leave", "It is not paid [d1]."))) == "It is paid [d1]."
    assert changed(negated(DOOR, Answer("door", "Она не открывает дверь."))) == "Она открывает дверь."


def test_without_a_known_verb_the_sentence_is_said_to_be_untrue() -> None:
    assert (
        changed(negated(LEAVE, Answer("leave", "Leave: a month."))) == "It is not true that Leave: a month."
    )
    assert changed(negated(DOOR, Answer("door", "Синяя карта."))) == "Неверно, что Синяя карта."


def test_the_new_number_is_none_of_the_context() -> None:
    case = Case("c", "How many?", (Context("d", "From 5 to 6, 8 and 12."),))
    assert changed(other_number(case, Answer("c", "It is 5 [d]."))) == "It is 15 [d]."


def test_a_number_that_has_no_other_one_beside_the_context_is_left_alone() -> None:
    case = Case("c", "How long?", (Context("d", "5 days, not 6, 8, 12, 15, 105 or 1239; 40 euro."),))
    assert other_number(case, Answer("c", "5 days [d].")) is None
    assert changed(other_number(case, Answer("c", "5 days, 40 euro [d]."))) == "5 days, 41 euro [d]."


def test_where_there_is_nothing_to_break_nothing_is_broken() -> None:
    bare = Answer("door", "Синяя [x y].")
    assert other_number(DOOR, ANSWERS["door"]) is None
    assert without_citations(DOOR, bare) is None
    assert cut_context(DOOR, bare) is None
    assert negated(DOOR, Answer("door", "…")) is None


def test_every_rule_notices_its_own_sabotage() -> None:
    found = {one.key: one for one in drill(CASES, ANSWERS, Rules()).broken}
    assert list(found) == list(KEYS)
    assert (found["drop_citations"].rules["citations"].count, found["drop_citations"].caught) == (2, True)
    assert found["change_number"].rules["numbers"].count == found["change_number"].applies == 1
    assert found["cut_context"].rules["citations"].count == 2
    assert found["swap_answers"].failing.count == 2


def test_a_negation_away_from_any_number_is_not_noticed_and_said_so() -> None:
    found = drill(CASES, {"door": ANSWERS["door"]}, Rules(), only=["negate"])
    assert (found.broken[0].caught, found.broken[0].missed) == (False, ("door",))
    assert not found.is_passed()
    assert found.is_passed(0)


def test_answers_that_fail_already_show_nothing() -> None:
    broken = {"leave": Answer("leave", "Leave is 30 days.")}
    found = drill(CASES, broken, Rules(), only=["change_number"])
    assert (found.passing, found.broken[0].applies, found.broken[0].caught) == (0, 1, None)
    assert not found.is_passed(0), "where nothing could be noticed nothing was shown"


def test_what_must_be_said_notices_swapped_answers_with_the_same_ids() -> None:
    context = (Context("d", "Cats purr. Dogs bark."),)
    cases = Cases(
        tuple(
            Case(one, f"What do {one} do?", context, Rubric(must_include=((said,),)))
            for one, said in (("cats", "purr"), ("dogs", "bark"))
        )
    )
    answers = {"cats": Answer("cats", "Cats purr [d]."), "dogs": Answer("dogs", "Dogs bark [d].")}
    row = drill(cases, answers, Rules(), only=["swap_answers"]).broken[0]
    assert (row.rules["must_include"].count, row.rules["citations"].count, row.caught) == (2, 0, True)


def test_a_wrong_key_a_wrong_share_and_no_answer_are_refused() -> None:
    with pytest.raises(ConfigError, match="--only must be one of drop_citations"):
        drill(CASES, ANSWERS, Rules(), only=["drop"])
    with pytest.raises(ConfigError, match="--least must be a number above 0 to 1"):
        drill(CASES, ANSWERS, Rules(), least=0.0)
    with pytest.raises(UsageError, match="nothing to break"):
        drill(CASES, {}, Rules())


def test_a_number_of_thousands_of_digits_is_changed_too() -> None:
    digits = "7" * 5000
    case = Case("a", "How long?", (Context("d1", f"It takes {digits} days."),))
    text = changed(other_number(case, Answer("a", f"It takes {digits} days [d1].")))
    assert text != f"It takes {digits} days [d1]."
    assert len(text) == len(f"It takes {digits} days [d1].")


def test_a_passage_that_is_cut_can_not_be_cited_though_the_case_allowed_it() -> None:
    case = Case("leave", "How long is leave?", LEAVE.context, Rubric(allow_cites=("d1", "d2")))
    row = drill(Cases((case,)), {"leave": ANSWERS["leave"]}, Rules(), only=["cut_context"]).broken[0]
    assert row.rules["citations"].count == row.rules["citations"].of == 1


def test_answers_are_broken_in_the_form_in_which_they_are_judged() -> None:
    case = Case("leave", "How long is leave?", (Context("hr-1", "Leave is 28 days."), LEAVE.context[1]))
    odd = {"leave": Answer("leave", "Leave is **28** days [hr\u20111].")}
    found = drill(Cases((case,)), odd, Rules())
    assert found.passing == 1
    assert {one.key: one.applies for one in found.broken} == {
        **dict.fromkeys(("drop_citations", "change_number", "negate", "cut_context"), 1),
        "swap_answers": 0,
    }


def test_answers_to_cases_that_are_not_there_are_refused() -> None:
    with pytest.raises(DataError, match="no case has the id of this answer: 'stranger'"):
        drill(CASES, {**ANSWERS, "stranger": Answer("stranger", "Yes.")}, Rules())
