"""All rules on one answer, their means, and the rules of wording."""

from __future__ import annotations

import json

import pytest

from rag_sweep.cases.records import Answer, Case, Cases, Context, Rubric
from rag_sweep.errors import ConfigError
from rag_sweep.rules.judging import NAMES, Judged, Rules, means, metric_of
from rag_sweep.rules.verdict import Verdict
from rag_sweep.rules.wording import script

CONTEXT = (Context("d", "The yard is open for 5 days."),)


def judged(answer: str | None, question: str = "When is it open?", **rubric: object) -> Judged:
    case = Case("q", question, CONTEXT, Rubric(**rubric), evidence=True)  # type: ignore[arg-type]
    return Rules().judge(case, None if answer is None else Answer("q", answer))


def verdict(name: str, answer: str, question: str = "When is it open?", **rubric: object) -> Verdict:
    found = judged(answer, question, **rubric).verdict(name)
    assert found is not None
    return found


def test_a_right_answer_passes_every_rule_that_applies() -> None:
    found = judged("The yard is open for 5 days [d].", must_include=(("open",),))
    assert found.passed
    assert not found.failed
    assert {one.rule for one in found.verdicts} == set(NAMES)
    assert {one.state for one in found.verdicts} == {"pass", "not_applicable"}


def test_only_the_rules_that_count_keep_an_answer_from_passing() -> None:
    wrong = Answer("q", "Двор открыт 5 дней [d].")
    case = Case("q", "When is it open?", CONTEXT)
    assert Rules().judge(case, wrong).passed
    assert [one.rule for one in Rules(pass_rules=("language",)).judge(case, wrong).failed] == ["language"]


def test_groundedness_is_the_share_of_backed_numbers() -> None:
    assert verdict("numbers", "It is open for 5 days, then 6 days, then 7 days [d].").value == pytest.approx(
        1 / 3
    )
    assert verdict("numbers", "It is open [d].").value == 1.0


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("5 hours", "other_unit"),
        ("6 days", "not_in_context"),
        ("not 5 days", "negated"),
        ("5 workers", ""),
    ],
)
def test_a_number_that_is_not_backed_says_why(answer: str, why: str) -> None:
    assert list(verdict("numbers", f"{answer} [d]").detail["why"].values()) == ([why] if why else [])


@pytest.mark.parametrize(
    ("answer", "question", "why"),
    [
        ("For 9 days it isn't open, only for 5 days [d].", "Is it open for 9 days?", "only_in_question"),
        ("It is open for 9 days [d].", "Is it open for 9 hours?", "not_in_context"),
        ("It is open for 5 hours [d].", "Is it open for 5 hours?", "only_in_question"),
        ("It is open for 5 hours [d].", "Is it open for 6 hours?", "other_unit"),
        ("Windows 10 isn't supported [d].", "Does it work on Windows 10?", "only_in_question"),
    ],
)
def test_a_number_that_only_the_question_has_fails_unless_the_question_backs(
    answer: str, question: str, why: str
) -> None:
    case = Case("q", question, CONTEXT, evidence=True)
    states = []
    for rules in (Rules(), Rules(question_backs=True)):
        found = rules.judge(case, Answer("q", answer)).verdict("numbers")
        assert found is not None
        states.append(found.state)
        assert set(found.detail["why"].values()) == ({why} if found.state == "fail" else set())
    assert states == ["fail", "pass" if why == "only_in_question" else "fail"]


@pytest.mark.parametrize(("answer", "reason"), [(None, "no_answer"), (" ", "empty_answer")])
def test_an_answer_that_is_not_there_passes_nothing(answer: str | None, reason: str) -> None:
    found = judged(answer)
    assert not found.passed
    asked = [one for one in found.verdicts if not one.rule.startswith("must")]
    assert {(one.rule, one.state, one.reason) for one in asked} == {
        *((name, "fail", reason) for name in ("citations", "numbers")),
        *((name, "not_measured", reason) for name in ("length", "language", "overlap", "refusal")),
    }


def test_an_answer_that_failed_says_why() -> None:
    case = Case("q", "What?", CONTEXT)
    found = Rules().judge(case, Answer("q", "", failure="timed out"))
    assert (found.failed[0].reason, found.failed[0].detail) == ("generator_failed", {"failure": "timed out"})
    text = Rules(pass_rules=("must_include",)).judge(case, Answer("q", "5 days [d]", failure="timed out"))
    assert not text.passed


def test_an_answer_that_is_not_there_fails_nothing_that_was_not_asked() -> None:
    found = judged(None).verdict("must_include")
    assert found is not None
    assert (found.state, found.value) == ("not_applicable", None)
    asked = judged(None, must_include=(("open",),)).verdict("must_include")
    assert asked is not None
    assert (asked.state, asked.value) == ("fail", 0.0)
    assert not Rules(pass_rules=("must_include",)).judge(Case("q", "What?", CONTEXT), None).passed


def test_a_mean_says_what_it_is_over() -> None:
    cases = Cases(
        (
            Case("1", "When?", CONTEXT, Rubric(must_include=(("open",),))),
            Case("2", "When?", CONTEXT),
            Case("3", "When?", CONTEXT),
        )
    )
    answers = {
        "1": Answer("1", "It is open for 5 days [d]."),
        "2": Answer("2", "I don't know."),
    }
    found = means(Rules().judge_all(cases, answers))
    assert (found["pass_at_1"].value, found["pass_at_1"].over) == (pytest.approx(2 / 3), 3)
    citations = found["citations_ok"]
    assert (citations.value, citations.over, citations.not_applicable) == (0.5, 2, 1)
    must = found["must_include_ok"]
    assert (must.value, must.over, must.not_applicable) == (1.0, 1, 2)
    assert (found["must_not_include_ok"].value, found["must_not_include_ok"].over) == (None, 0)


def test_measures_have_names_that_say_which_way_is_good() -> None:
    assert [metric_of(name) for name in NAMES] == [
        *("citations_ok", "groundedness", "must_include_ok", "must_not_include_ok"),
        *("length_ok", "language_ok", "overlap", "refusal_ok"),
    ]


def test_a_judgement_is_plain_data() -> None:
    found = judged("The yard is open for 6 days [d][e].").to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["bad_citations"] == ["e"]
    assert found["unsupported_numbers"] == ["6"]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("It is OPEN [d]", "pass"),
        ("It is op-\nen [d]", "fail"),
        ("Unlocked [d]", "pass"),
        ("Shut [d]", "fail"),
    ],
)
def test_one_alternative_of_each_entry_must_be_there(answer: str, state: str) -> None:
    assert verdict("must_include", answer, must_include=(("open", "unlock"),)).state == state


def test_white_space_hyphens_and_yo_do_not_matter_to_what_must_be_said() -> None:
    asked = (("приём гостей",), ("follow-up",), ("5 дней",))
    answer = "Прием\u00a0гостей, follow up\n5\u202fдней [d]"
    assert verdict("must_include", answer, must_include=asked).state == "pass"


def test_what_stands_in_a_citation_alone_is_not_said() -> None:
    assert verdict("must_include", "Yes [d].", must_include=(("d",),)).detail["missing"] == [["d"]]


def test_what_must_not_be_said_is_named() -> None:
    found = verdict("must_not_include", "Perhaps [d].", must_not_include=("perhaps", "maybe"))
    assert (found.state, found.detail["found"]) == ("fail", ["perhaps"])


@pytest.mark.parametrize(
    ("words", "limit", "state"), [(60, None, "pass"), (61, None, "fail"), (3, 3, "pass"), (4, 3, "fail")]
)
def test_length_counts_words_and_neither_dashes_nor_citations(
    words: int, limit: int | None, state: str
) -> None:
    assert verdict("length", "word — " * words + "[d].", max_words=limit).state == state


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Где оставить велосипед?", "ru"),
        ("Where do I leave it?", "en"),
        ("Откройте Microsoft Teams и Outlook", "ru"),
        ("Выполните git pull origin main", "ru"),
        ("Ask Иван in the office", "en"),
        ("28", None),
        ("VPN", None),
        ("", None),
    ],
)
def test_the_language_is_that_of_most_words(text: str, language: str | None) -> None:
    assert script(text) == language


def test_another_language_than_the_question_s_fails() -> None:
    assert verdict("language", "Двор открыт [d].").reason == "other_language"
    assert verdict("language", "28 [d].").reason == "no_language"


def test_overlap_tells_the_sentence_that_has_little_of_the_context() -> None:
    found = verdict("overlap", "The yard is open for days. Robots guard dusty shelves in cold halls [d].")
    assert (found.state, found.detail["low"]) == ("pass", ["Robots guard dusty shelves in cold halls    ."])
    assert found.value == 0.5


@pytest.mark.parametrize(
    ("answer", "state", "value"),
    [
        ("Yes. The yard is open for 5 days [d].", "pass", 1.0),
        ("Do this:\n1. The yard is open for 5 days [d].", "pass", 1.0),
        ("The yard is open for 5 days.\n\nSource: d", "pass", 1.0),
        ("The yard is open for 5 days [d]. The text doesn't mention robots, shelves or halls.", "pass", 1.0),
        ("Robots guard dusty shelves [d].", "fail", 0.0),
        ("Yes [d].", "not_applicable", None),
    ],
)
def test_overlap_is_the_mean_over_sentences_that_say_something(
    answer: str, state: str, value: float | None
) -> None:
    found = verdict("overlap", answer)
    assert (found.state, found.value) == (state, value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Source: d", "cited"),
        ("Source: w-2", "unknown_citation"),
        ("(source: w-2)", "unknown_citation"),
        ("Источник: w-2", "unknown_citation"),
        ("Source: our colleagues", "no_citation"),
        ("Documents: T-2", "no_citation"),
    ],
)
def test_an_unknown_source_at_the_end_is_a_citation_and_no_number(line: str, reason: str) -> None:
    found = judged(f"The yard is open for 5 days.\n\n{line}")
    rules = {one.rule: one for one in found.verdicts}
    assert rules["citations"].reason == reason
    if reason == "unknown_citation":
        assert (rules["numbers"].reason, rules["refusal"].reason) == ("all_backed", "answered")


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("pass_rules", ()),
        ("pass_rules", ("number",)),
        ("max_words", 0),
        ("least_overlap", 1.1),
        ("least_overlap", -0.1),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(parameter: str, value: object) -> None:
    with pytest.raises(ConfigError, match=rf"rules\.{parameter} must be"):
        Rules(**{parameter: value})  # type: ignore[arg-type]


def test_an_id_that_is_a_word_is_no_less_a_word_in_an_answer() -> None:
    case = Case("q", "How long may I keep it?", (Context("a", "Loans last 4 weeks."),))
    found = Rules().judge(case, Answer("q", "You can keep it for a month [a].")).verdict("numbers")
    assert found is not None
    assert found.state == "fail"
