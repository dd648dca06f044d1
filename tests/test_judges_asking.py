"""Judging many answers: every one has a verdict, and what wasn't measured is no number."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from judging import LEAVE, PROMPTS, TRIAL, Scripted, client, honest, in_turn, pairs, verdict_of
from llm_server import Heard, Says, failed, model
from llm_server import honest as honest_server

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError
from rag_sweep.judges.asking import LONGEST_REPLY, Asked, Judge, judge_all, judge_reversed, labels
from rag_sweep.judges.faithfulness import CitationSupport, Faithfulness
from rag_sweep.judges.relevance import Relevance
from rag_sweep.llm.calls import CallFailed
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI
from rag_sweep.llm.prompts import Prompts
from rag_sweep.rules.judging import Rules
from rag_sweep.rules.verdict import Verdict

GRADE = Relevance()


# One repair, then not measured


@pytest.mark.parametrize(
    "broken", ["no json", '{"grade": 9}', '{"grade": "3"}', "{}", '{"grade": 3', '{"grade": true}', "[3]"]
)
def test_a_reply_that_can_not_be_read_is_repaired_once(broken: str) -> None:
    endpoint = in_turn(broken, {"grade": 4})
    assert verdict_of(GRADE, TRIAL, "14 days.", endpoint).value == 1.0
    first, second = endpoint.calls
    assert second.messages[: len(first.messages)] == first.messages
    assert [one.role for one in second.messages[-2:]] == ["assistant", "user"]
    assert second.messages[-2].content == broken
    assert "not what was asked for" in second.messages[-1].content


def test_after_one_repair_it_is_not_measured() -> None:
    endpoint = in_turn("no", "still no", {"grade": 4})
    found = verdict_of(GRADE, TRIAL, "14 days.", endpoint)
    assert (found.state, found.reason, found.value) == ("not_measured", "unparsable", None)
    assert found.detail["detail"] == "it has no whole JSON object"
    assert len(endpoint.calls) == 2


def test_the_repair_is_in_the_language_of_the_question() -> None:
    endpoint = in_turn("no", {"grade": 4})
    verdict_of(GRADE, LEAVE, "28 дней.", endpoint)
    assert "Ответ не такой" in endpoint.users[1]


def test_a_long_broken_reply_is_sent_back_in_part() -> None:
    endpoint = in_turn("x" * 50_000, {"grade": 4})
    verdict_of(GRADE, TRIAL, "14 days.", endpoint)
    assert len(endpoint.calls[1].messages[-2].content) == LONGEST_REPLY


@pytest.mark.parametrize("reason", ["timeout", "server", "budget", "model_refused", "empty_reply"])
def test_a_call_that_fails_is_not_measured_with_its_reason(reason: str) -> None:
    found = verdict_of(GRADE, TRIAL, "14 days.", in_turn(CallFailed(reason, "why")))
    assert (found.state, found.reason, found.value) == ("not_measured", reason, None)
    assert found.detail == {"detail": "why"}


def test_a_failure_at_the_second_step_counts_nothing_of_the_first() -> None:
    endpoint = in_turn({"claims": ["It takes 14 days."]}, CallFailed("server", "HTTP 500"))
    found = verdict_of(Faithfulness(), TRIAL, "It takes 14 days.", endpoint)
    assert (found.state, found.reason, found.value) == ("not_measured", "server", None)


# Nothing lost, nothing counted that wasn't measured


def misbehaving(heard: Heard) -> Says:
    """By the number of the thing that is asked about, each in its own way."""
    asked = " ".join(str(one["content"]) for one in heard.body["messages"])
    ways = {
        "thing 1?": failed(500),
        "thing 2?": Says("no json"),
        "thing 3?": Says(None, refusal="I won't"),
        "thing 4?": Says(""),
        "thing 5?": Says(cut=True),
        "thing 6?": Says(raw=b'{"choices": [{"mess'),
        "thing 7?": Says("```json\n" + '{"grade": 3}' + "\n```"),
        "thing 8?": failed(429, Retry_After="0.01"),
    }
    return next((way for mark, way in ways.items() if mark in asked), Says('{"grade": 2}'))


def test_every_answer_has_a_verdict_and_means_are_over_what_was_measured() -> None:
    given = pairs(12)
    with model(misbehaving) as server:
        asking = Client(OpenAI("stub-1", server.url), Limits(attempts=2, wait_s=0.0, concurrency=8))
        found = judge_all([GRADE], given, asking, Asked(PROMPTS))
        assert asking.asked == server.count
    assert [name for name, _ in found] == [f"c{at}" for at in range(12)]
    assert {name: one.reason for (name, _), one in found.items() if one.state == "not_measured"} == {
        "c1": "server",
        "c2": "unparsable",
        "c3": "model_refused",
        "c4": "empty_reply",
        "c5": "unreachable",
        "c6": "broken_response",
        "c8": "rate_limit",
    }
    cases = Cases(tuple(case for case, _ in given))
    answers = {answer.id: answer for _, answer in given}
    whole = Evaluation(cases, answers, Rules().judge_all(cases, answers), found)
    mean = whole.means["relevance"]
    assert (mean.over, mean.not_measured, mean.not_applicable) == (5, 7, 0)
    assert mean.value == pytest.approx((4 * 0.5 + 0.75) / 5)


def test_a_mean_over_nothing_is_none() -> None:
    given = pairs(3)
    found = judge_all([GRADE], given, client(Scripted(lambda call: "no")), Asked(PROMPTS))
    cases = Cases(tuple(case for case, _ in given))
    answers = {answer.id: answer for _, answer in given}
    mean = Evaluation(cases, answers, Rules().judge_all(cases, answers), found).means["relevance"]
    assert (mean.value, mean.over, mean.not_measured) == (None, 0, 3)


def test_what_the_budget_does_not_reach_is_not_measured() -> None:
    with model(honest_server) as server:
        asking = Client(OpenAI("stub-1", server.url), Limits(concurrency=8, budget=2600))
        found = judge_all([Faithfulness(), GRADE], pairs(20), asking, Asked(PROMPTS))
        assert asking.budget.spent == 50 * server.count <= 2600
    states = [one.state for one in found.values()]
    assert len(states) == 40
    assert 0 < states.count("pass") < 40
    assert {one.reason for one in found.values() if one.state == "not_measured"} == {"budget"}
    assert all(one.value is None for one in found.values() if one.state == "not_measured")


def test_order_of_cases_and_concurrency_change_no_verdict() -> None:
    given = pairs(10)
    judges = [Faithfulness(), CitationSupport(), GRADE]
    one = judge_all(judges, given, client(honest(), concurrency=1), Asked(PROMPTS))
    other = judge_all(judges, given[::-1], client(honest(), concurrency=8), Asked(PROMPTS))
    assert one == other


# In reverse order

PARTS = (Context("a", "One."), Context("b", "Two."))


def reversed_verdicts(
    judge: Judge, context: tuple[Context, ...], text: str
) -> dict[tuple[str, str], Verdict]:
    case = Case("c", "What?", context)
    return judge_reversed([judge], [(case, Answer("c", text))], client(honest()), Asked(PROMPTS))


@pytest.mark.parametrize(
    ("judge", "context", "text", "turned"),
    [
        (Faithfulness(), PARTS, "One.", True),
        (Faithfulness(), PARTS[:1], "One. Two.", True),
        (Faithfulness(), PARTS[:1], "One.", False),
        (Faithfulness(), (PARTS[0], PARTS[0]), "One.", False),
        (CitationSupport(), PARTS, "One [a]. Two [b].", True),
        (CitationSupport(), PARTS, "One [a, b].", True),
        (CitationSupport(), PARTS, "One [a].", False),
        (CitationSupport(), PARTS, "One [a]. One [a].", False),
        (CitationSupport(), PARTS, "One.", False),
        (GRADE, PARTS, "One. Two.", False),
    ],
)
def test_only_what_is_shown_otherwise_is_judged_in_reverse_order(
    judge: Judge, context: tuple[Context, ...], text: str, turned: bool
) -> None:
    assert list(reversed_verdicts(judge, context, text)) == ([("c", judge.name)] if turned else [])


def test_what_fails_before_anything_was_reversed_is_not_measured() -> None:
    failing = client(in_turn(CallFailed("server", "HTTP 500")))
    case = Case("c", "What?", PARTS)
    found = judge_reversed([Faithfulness()], [(case, Answer("c", "One."))], failing, Asked(PROMPTS))
    assert found["c", "faithfulness"].state == "not_measured"


def test_in_reverse_order_no_call_is_made_twice() -> None:
    endpoint = honest()
    case = Case("c", "What?", PARTS)
    judge_reversed([Faithfulness(), GRADE], [(case, Answer("c", "One."))], client(endpoint), Asked(PROMPTS))
    assert len(endpoint.calls) == 3


# Asked once, or again


def flipping() -> Scripted:
    """A judge that says something else each time."""
    lock, grades = threading.Lock(), iter(range(1000))

    def respond(call: object) -> str:
        with lock:
            return f'{{"grade": {next(grades) % 5}}}'

    return Scripted(respond)


def test_a_judge_that_flips_keeps_its_first_word_and_a_repeat_shows_it(tmp_path: Path) -> None:
    endpoint = flipping()
    found = [
        judge_all([GRADE], pairs(1), client(endpoint, tmp_path), Asked(PROMPTS), repeat=repeat)
        for repeat in (0, 0, 1, 1, 0)
    ]
    assert [one["c0", "relevance"].value for one in found] == [0.0, 0.0, 0.25, 0.25, 0.0]
    assert len(endpoint.calls) == 2


def test_a_rerun_asks_nothing_and_gives_the_same(tmp_path: Path) -> None:
    judges = [Faithfulness(), CitationSupport(), GRADE]
    first = judge_all(judges, pairs(6), client(honest(), tmp_path), Asked(PROMPTS))
    silent = in_turn()
    assert judge_all(judges, pairs(6), client(silent, tmp_path, budget=0), Asked(PROMPTS)) == first
    assert silent.calls == []


def test_a_repaired_reply_is_kept_too(tmp_path: Path) -> None:
    endpoint = in_turn("no", {"grade": 4})
    for _ in range(2):
        found = judge_all([GRADE], pairs(1), client(endpoint, tmp_path), Asked(PROMPTS))
        assert found["c0", "relevance"].value == 1.0
    assert len(endpoint.calls) == 2


def test_progress_counts_calls_and_never_goes_back() -> None:
    told: list[tuple[int, int]] = []
    endpoint = honest()
    judge_all(
        [Faithfulness(), GRADE],
        pairs(4),
        client(endpoint, concurrency=1),
        Asked(PROMPTS),
        watch=lambda done, total: told.append((done, total)),
    )
    assert told == sorted(told)
    assert told[-1] == (12, 12)
    assert len(endpoint.calls) == 12


# Languages and the user's prompts


@pytest.mark.parametrize(
    ("language", "of_trial", "of_leave"),
    [
        ("auto", "Question:", "Вопрос:"),
        ("ru", "Вопрос:", "Вопрос:"),
        ("en", "Question:", "Question:"),
    ],
)
def test_prompts_are_in_the_language_that_was_asked_for(language: str, of_trial: str, of_leave: str) -> None:
    for case, mark in ((TRIAL, of_trial), (LEAVE, of_leave)):
        endpoint = in_turn({"grade": 4})
        verdict_of(GRADE, case, "14", endpoint, asked=Asked(PROMPTS, language))
        assert mark in endpoint.users[0]
        assert case.question in endpoint.users[0]


def test_labels_name_each_prompt_in_the_languages_that_occur() -> None:
    found = labels([Faithfulness(), GRADE], [TRIAL, LEAVE], Asked(PROMPTS))
    names = [label.split()[0] for label in found]
    assert names[:-1] == [
        f"{name}.{language}"
        for name in ("claims", "verdicts", "relevance", "repair")
        for language in ("en", "ru")
    ]
    assert labels([], [TRIAL], Asked(PROMPTS)) == ()


def test_labels_say_what_else_decides_values_and_how_the_model_is_asked() -> None:
    asked = Asked(PROMPTS, settings=("llm.temperature=0.0",))
    assert labels([Faithfulness(1.0)], [TRIAL], asked)[-2:] == (
        "claims.without_claims=1",
        "llm.temperature=0.0",
    )
    assert labels([], [TRIAL], asked) == ()


def test_a_wrong_prompt_of_a_later_step_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "prompts" / "verdicts" / "en.yaml"
    file.parent.mkdir(parents=True)
    file.write_text('version: 1\nsystem: ""\nuser: "{context} {claim}"\n', encoding="utf-8")
    endpoint = honest()
    with pytest.raises(ConfigError, match=r"verdicts/en\.yaml: \{claim\} stands for nothing"):
        verdict_of(Faithfulness(), TRIAL, "14.", endpoint, asked=Asked(Prompts((tmp_path, conf_dir()))))
    assert endpoint.calls == []


def test_a_prompt_of_the_users_own_is_asked_and_is_another_call(tmp_path: Path) -> None:
    file = tmp_path / "prompts" / "relevance" / "en.yaml"
    file.parent.mkdir(parents=True)
    file.write_text('version: 2\nsystem: "Short."\nuser: "Grade {answer} to {question}"\n', encoding="utf-8")
    endpoint, folder = in_turn({"grade": 1}, {"grade": 4}), tmp_path / "calls"
    for prompts, value in ((PROMPTS, 0.25), (Prompts((tmp_path, conf_dir())), 1.0)):
        asking = client(endpoint, folder)
        found = judge_all([GRADE], [(TRIAL, Answer("trial", "14 days"))], asking, Asked(prompts))
        assert found["trial", "relevance"].value == value
    assert endpoint.users[1] == "Grade 14 days to How long is the trial period?"


def test_values_are_shares() -> None:
    found = judge_all([Faithfulness(), CitationSupport(), GRADE], pairs(5), client(honest()), Asked(PROMPTS))
    for one in found.values():
        assert one.value is not None
        assert math.isfinite(one.value)
        assert 0 <= one.value <= 1
