"""Faithfulness and citation support: every claim counts once, and none that wasn't judged."""

from __future__ import annotations

from typing import Any

import pytest
from judging import LEAVE, PROMPTS, TRIAL, honest, in_turn, verdict_of

from rag_sweep.cases.records import Case, Context
from rag_sweep.errors import ConfigError
from rag_sweep.judges.asking import Asked
from rag_sweep.judges.faithfulness import CitationSupport, Faithfulness

CLAIMS = {"claims": ["It takes 14 days.", "It is paid.", "It ends without notice."]}


def flags(*supported: Any, of: str = "claim", start: int = 1) -> dict[str, Any]:
    return {"verdicts": [{of: at, "supported": flag} for at, flag in enumerate(supported, start)]}


def test_the_value_is_the_share_of_supported_claims() -> None:
    found = verdict_of(Faithfulness(), TRIAL, "…", in_turn(CLAIMS, flags(True, False, True)))
    assert found.value == pytest.approx(2 / 3)
    assert (found.state, found.reason) == ("fail", "unsupported")
    assert found.detail["claims"] == [
        {"text": "It takes 14 days.", "supported": True},
        {"text": "It is paid.", "supported": False},
        {"text": "It ends without notice.", "supported": True},
    ]


def test_an_answer_with_every_claim_supported_passes_with_exactly_one() -> None:
    found = verdict_of(Faithfulness(), TRIAL, "…", in_turn(CLAIMS, flags(True, True, True)))
    assert (found.state, found.value) == ("pass", 1.0)


@pytest.mark.parametrize("claims", [[], [" ", ""]])
def test_without_claims_it_is_not_applicable(claims: list[str]) -> None:
    endpoint = in_turn({"claims": claims})
    found = verdict_of(Faithfulness(), TRIAL, "Hello.", endpoint)
    assert (found.state, found.reason, found.value) == ("not_applicable", "no_claims", None)
    assert len(endpoint.calls) == 1


def test_without_claims_it_is_what_was_configured() -> None:
    found = verdict_of(Faithfulness(1.0), TRIAL, "Hello.", in_turn({"claims": []}))
    assert (found.state, found.value) == ("pass", 1.0)
    for value in (0.0, 0.5):
        found = verdict_of(Faithfulness(value), TRIAL, "Hello.", in_turn({"claims": []}))
        assert (found.state, found.reason, found.value) == ("fail", "no_claims", value)
    with pytest.raises(ConfigError, match="without_claims must be a number from 0 to 1"):
        Faithfulness(1.5)


def test_the_value_without_claims_is_among_the_labels() -> None:
    told = [Faithfulness(value).labels for value in (None, 0.0, 0.5, 1.0)]
    assert told == [(f"claims.without_claims={value}",) for value in ("null", "0", "0.5", "1")]


def test_equal_claims_count_once() -> None:
    endpoint = in_turn({"claims": ["One.", "One.", "Two."]}, flags(True, False))
    assert verdict_of(Faithfulness(), TRIAL, "…", endpoint).value == 0.5


WRONG = [
    flags(True, True),
    flags(True, True, True, True),
    flags(True, True, True, start=0),
    {"verdicts": [{"claim": at, "supported": True} for at in (1, 1, 2)]},
    {"verdicts": [{"claim": at, "supported": True} for at in (1, 2, 3, 3)]},
    {"verdicts": [{"claim": at, "supported": True} for at in (True, 2, 3)]},
    {"verdicts": [{"claim": [at], "supported": True} for at in (1, 2, 3)]},
    {"verdicts": [{"claim": str(at), "supported": True} for at in (1, 2, 3)]},
    {"verdicts": [{"supported": True}] * 3},
    flags(True, "yes", True),
    flags(True, None, True),
    flags(True, 1, True),
    {"verdicts": [True, True, True]},
    {"verdicts": {"1": True}},
    {"verdicts": None},
    {},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_list_of_verdicts_that_is_not_of_these_claims_is_repaired_once(wrong: dict[str, Any]) -> None:
    endpoint = in_turn(CLAIMS, wrong, flags(True, True, False))
    assert verdict_of(Faithfulness(), TRIAL, "…", endpoint).value == pytest.approx(2 / 3)
    assert len(endpoint.calls) == 3


@pytest.mark.parametrize("wrong", WRONG)
def test_and_then_it_is_not_measured(wrong: dict[str, Any]) -> None:
    found = verdict_of(Faithfulness(), TRIAL, "…", in_turn(CLAIMS, wrong, wrong, flags(True, True, True)))
    assert (found.state, found.reason, found.value) == ("not_measured", "unparsable", None)


@pytest.mark.parametrize("wrong", [{}, {"claims": "one"}, {"claims": [1]}, {"claims": [{"text": "one"}]}])
def test_claims_that_are_no_texts_are_repaired_once(wrong: dict[str, Any]) -> None:
    found = verdict_of(Faithfulness(), TRIAL, "…", in_turn(wrong, wrong))
    assert (found.state, found.reason) == ("not_measured", "unparsable")
    assert verdict_of(Faithfulness(), TRIAL, "…", in_turn(wrong, CLAIMS, flags(True, True, True))).value == 1


def test_swapped_shows_context_and_claims_in_reverse_and_gives_them_back_in_order() -> None:
    endpoint = in_turn(CLAIMS, flags(True, False, False))
    found = verdict_of(Faithfulness(), TRIAL, "…", endpoint, asked=Asked(PROMPTS, swapped=True))
    shown = endpoint.users[1]
    assert shown.index("[d2]") < shown.index("[d1]")
    assert "1. It ends without notice.\n2. It is paid.\n3. It takes 14 days." in shown
    assert [row["supported"] for row in found.detail["claims"]] == [False, False, True]
    assert found.detail["claims"][0]["text"] == "It takes 14 days."


def test_the_answer_is_judged_without_its_citations() -> None:
    endpoint = in_turn({"claims": []})
    verdict_of(Faithfulness(), TRIAL, "It takes 14 days [d1].", endpoint)
    assert "[d1]" not in endpoint.users[0]


def test_many_claims_get_a_reply_as_long_as_they_need() -> None:
    claims = [f"Claim {at}." for at in range(100)]
    endpoint = in_turn({"claims": claims}, flags(*[True] * 100))
    assert verdict_of(Faithfulness(), TRIAL, "words" * 2000, endpoint).value == 1.0
    assert [call.max_tokens for call in endpoint.calls] == [len("words" * 2000), 3200]


def test_half_a_character_in_a_claim_can_be_written() -> None:
    endpoint = in_turn('{"claims": ["14 \\ud83d"]}', flags(True))
    found = verdict_of(Faithfulness(), TRIAL, "…", endpoint)
    assert found.detail["claims"][0]["text"].encode() == "14 \ufffd".encode()


def test_a_russian_answer_is_judged_by_russian_prompts() -> None:
    endpoint = honest()
    found = verdict_of(Faithfulness(), LEAVE, "Отпуск длится 28 дней [d7].", endpoint)
    assert found.value == 1.0
    assert verdict_of(Faithfulness(), LEAVE, "Отпуск длится 30 дней [d7].", endpoint).value == 0.0
    assert all("Контекст" in text or "Ответ" in text for text in endpoint.users)


# Citation support

TWICE = Case(
    "twice",
    "How long?",
    (Context("a", "It takes 14 days."), Context("b", "It is free.")),
)


def test_each_cited_sentence_counts_also_equal_ones() -> None:
    endpoint = in_turn(flags(True, False, of="pair"))
    found = verdict_of(CitationSupport(), TWICE, "It takes 14 days [a]. It takes 14 days [b].", endpoint)
    assert found.value == 0.5
    assert len(found.detail["sentences"]) == 2
    shown = endpoint.users[0]
    assert shown.index("[a] It takes 14 days.") < shown.index("[b] It is free.")


def test_a_sentence_is_judged_by_what_it_cites_alone() -> None:
    endpoint = honest()
    assert verdict_of(CitationSupport(), TWICE, "It takes 14 days [a].", endpoint).value == 1.0
    assert verdict_of(CitationSupport(), TWICE, "It takes 14 days [b].", endpoint).value == 0.0


@pytest.mark.parametrize("text", ["It takes 14 days.", "It takes 14 days [nowhere]."])
def test_without_a_citation_of_the_context_it_is_not_applicable(text: str) -> None:
    endpoint = in_turn()
    found = verdict_of(CitationSupport(), TWICE, text, endpoint)
    assert (found.state, found.reason, endpoint.calls) == ("not_applicable", "no_citation", [])


def test_swapped_pairs_come_back_in_order() -> None:
    endpoint = in_turn(flags(True, False, of="pair"))
    found = verdict_of(
        *(CitationSupport(), TWICE, "One [a]. Two [b].", endpoint), asked=Asked(PROMPTS, swapped=True)
    )
    assert [row["supported"] for row in found.detail["sentences"]] == [False, True]
    assert endpoint.users[0].index("Two") < endpoint.users[0].index("One")
