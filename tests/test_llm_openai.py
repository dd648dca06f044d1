"""One attempt at a chat server: everything that servers do is an answer, or a failure with its reason."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from llm_server import Heard, Model, Says, alone, failed, in_turn, model

from rag_sweep.errors import ConfigError
from rag_sweep.llm.calls import Call, CallFailed, Completion, Message, NotMeasured
from rag_sweep.llm.chat import seconds_of
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI

KEY = "sk-very-secret-0123456789"


def asked(text: str = "Say something.", **more: Any) -> Call:
    return Call((Message("user", text),), **more)


def endpoint(url: str, **more: Any) -> OpenAI:
    return OpenAI(**{"model": "stub-1", "base_url": url, "timeout_s": 5.0, **more})


def failure(says: Says, **more: Any) -> CallFailed:
    with model(says) as server, pytest.raises(CallFailed) as caught:
        endpoint(server.url, **more).complete(asked())
    return caught.value


def answer(says: Says) -> Completion:
    with model(says) as server:
        return endpoint(server.url).complete(asked())


def client(server: Model, **more: Any) -> Client:
    """Which asks otherwise where a field is refused; one attempt."""
    return Client(endpoint(server.url, **more), Limits(attempts=1))


def text(found: Completion | NotMeasured) -> str:
    assert isinstance(found, Completion), found
    return found.text


def test_an_answer_comes_with_its_tokens_and_the_model_that_gave_it() -> None:
    assert answer(Says("Yes.")) == Completion("Yes.", 40, 10, "stub-1")


def test_what_is_sent_is_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    with model(Says()) as server:
        call = Call((Message("system", "Be brief."), Message("user", "Привет {")), 77, as_json=True)
        endpoint(server.url, temperature=0.5).complete(call)
    (heard,) = server.heard
    assert heard.path == "/v1/chat/completions"
    assert heard.headers["authorization"] == f"Bearer {KEY}"
    assert heard.body == {
        "model": "stub-1",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Привет {"}],
        "temperature": 0.5,
        "max_tokens": 77,
        "response_format": {"type": "json_object"},
    }


def test_without_a_key_none_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with model(Says()) as server:
        endpoint(server.url).complete(asked())
    assert "authorization" not in server.heard[0].headers


@pytest.mark.parametrize(
    ("says", "reason", "again", "paid"),
    [
        (failed(429), "rate_limit", True, False),
        (failed(408), "refused", True, True),
        (failed(500), "server", True, True),
        (failed(503), "server", True, True),
        (Says(status=201), "refused", False, True),
        (failed(504), "server", True, True),
        (failed(400), "refused", False, False),
        (failed(401), "refused", False, False),
        (failed(404), "refused", False, False),
        (Says(status=302, raw=b"", headers={"Location": "/elsewhere"}), "refused", False, False),
        (Says(cut=True), "unreachable", True, True),
        (Says(raw=b'{"choices": [{"message": {"content": "ha'), "broken_response", True, True),
        (Says(raw=b""), "broken_response", True, True),
        (Says(raw=b"<html>busy</html>"), "broken_response", True, True),
        (Says(raw=b"[]"), "broken_response", True, True),
        (Says(raw=b'{"choices": []}'), "broken_response", True, True),
        (Says(raw=b'{"choices": [{"message": "fine"}]}'), "broken_response", True, True),
        (Says(raw=b"[" * 100_000), "broken_response", True, True),
        (Says(None, refusal="I can't help with that."), "model_refused", False, True),
        (Says("", finish="content_filter"), "model_refused", False, True),
        (Says(""), "empty_reply", True, True),
        (Says(" \n"), "empty_reply", True, True),
        (Says(None), "empty_reply", True, True),
        (Says("", finish="length"), "empty_reply", False, True),
        (Says(raw=b"x" * 9_000_000), "too_long", False, True),
    ],
)
def test_what_is_no_answer_fails_with_its_reason(says: Says, reason: str, again: bool, paid: bool) -> None:
    found = failure(says)
    assert (found.reason, found.again, found.paid) == (reason, again, paid), found.detail
    assert len(found.detail) <= 220


def test_a_server_that_is_not_there_costs_nothing() -> None:
    with pytest.raises(CallFailed) as caught:
        endpoint("http://127.0.0.1:9/v1").complete(asked())
    assert (caught.value.reason, caught.value.again, caught.value.paid) == ("unreachable", True, False)
    assert caught.value.detail == "Connection refused"


def test_a_slow_server_is_given_up_and_may_have_cost_something() -> None:
    found = failure(Says(seconds=1.0), timeout_s=0.2)
    assert (found.reason, found.again, found.paid) == ("timeout", True, True)


def test_a_server_that_drips_does_not_hold_on_for_ever() -> None:
    begun = time.monotonic()
    found = failure(Says("x" * 200, drip=0.05), timeout_s=0.4)
    assert found.reason == "timeout"
    assert time.monotonic() - begun < 3


def test_the_time_that_is_left_shortens_an_attempt() -> None:
    with model(Says(seconds=2.0)) as server, pytest.raises(CallFailed, match=r"no answer in 0\.1 s"):
        endpoint(server.url).complete(asked(), 0.1)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3}, (7, 3)),
        ({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 100}, (7, 93)),
        ({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 2}, (7, 3)),
        (None, (None, None)),
        ({}, (None, None)),
        ("many", (None, None)),
        ({"prompt_tokens": -5, "completion_tokens": 3}, (None, None)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (None, None)),
        ({"prompt_tokens": 7.5, "completion_tokens": 3}, (None, None)),
        ({"prompt_tokens": True, "completion_tokens": 3}, (None, None)),
    ],
)
def test_tokens_that_can_not_be_are_unknown(usage: Any, tokens: tuple[int | None, int | None]) -> None:
    found = answer(Says(usage=usage))
    assert (found.prompt_tokens, found.completion_tokens) == tokens


def test_a_huge_answer_is_whole() -> None:
    assert answer(Says("ж" * 300_000)).text == "ж" * 300_000


def test_an_answer_that_was_cut_says_so() -> None:
    assert answer(Says("Half of", finish="length")).cut
    assert not answer(Says("All of it.")).cut


def test_half_a_character_becomes_one_that_can_be_written() -> None:
    found = answer(Says("a\ud800b"))
    assert found.text.encode() == "a\ufffdb".encode()


def test_a_server_that_refuses_json_mode_is_asked_without_and_remembered() -> None:
    def respond(heard: Heard) -> Says:
        return failed(400, "unknown field response_format") if "response_format" in heard.body else Says("{}")

    with model(respond) as server:
        asking = client(server)
        assert [text(alone(asking, asked(as_json=True))) for _ in range(3)] == ["{}"] * 3
        assert (asking.asked, asking.budget.spent) == (4, 150)
    assert ["response_format" in heard.body for heard in server.heard] == [True, False, False, False]


def test_json_mode_can_be_left_out() -> None:
    with model(Says("{}")) as server:
        endpoint(server.url, json_mode=False).complete(asked(as_json=True))
    assert "response_format" not in server.heard[0].body


UNSUPPORTED = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."


def test_a_model_that_names_another_field_for_the_longest_answer_gets_it() -> None:
    def respond(heard: Heard) -> Says:
        return failed(400, UNSUPPORTED) if "max_tokens" in heard.body else Says("{}")

    with model(respond) as server:
        asking = client(server, thinking_tokens=1000)
        assert [text(alone(asking, asked(max_tokens=7))) for _ in range(2)] == ["{}"] * 2
    sent = [(one.body.get("max_tokens"), one.body.get("max_completion_tokens")) for one in server.heard]
    assert sent == [(1007, None), (None, 1007), (None, 1007)]


def test_an_answer_that_is_too_long_for_the_model_is_refused_and_never_asked_without_a_limit() -> None:
    says = failed(400, "max_tokens or max_completion_tokens is too large: 9999")
    with model(says) as server, pytest.raises(CallFailed, match="too large"):
        endpoint(server.url).complete(asked())
    assert ["max_tokens" in one.body for one in server.heard] == [True]


def test_a_server_that_refuses_everything_is_asked_once_for_each_field() -> None:
    says = failed(422, f"{UNSUPPORTED} no response_format either")
    with model(says) as server:
        asking = client(server)
        found = alone(asking, asked(as_json=True))
        assert isinstance(found, NotMeasured)
        assert (found.reason, found.detail[:9]) == ("refused", "HTTP 422:")
        assert server.count == asking.asked == 3


def test_fields_that_are_refused_late_share_the_time_of_the_call() -> None:
    says = replace(failed(422, f"{UNSUPPORTED} no response_format either"), seconds=0.7)
    begun = time.monotonic()
    with model(says) as server:
        asking = Client(endpoint(server.url), Limits(attempts=1, deadline_s=1.0))
        assert isinstance(alone(asking, asked(as_json=True)), NotMeasured)
        assert (server.count, asking.asked) == (2, 2)
    assert time.monotonic() - begun < 2.1  # what three would take alone


def test_a_byte_order_mark_in_front_of_an_answer_is_no_fault() -> None:
    assert answer(Says(raw=b"\xef\xbb\xbf" + Says("Yes.").body)).text == "Yes."


def test_a_temperature_can_be_left_to_the_model() -> None:
    with model(Says()) as server:
        endpoint(server.url, temperature=None).complete(asked())
    assert "temperature" not in server.heard[0].body


@pytest.mark.parametrize(
    ("written", "rest"),
    [
        ('<think>maybe {"a": 1}?</think>\n\n{"b": 2}', '{"b": 2}'),
        ("\n<THINK>\n</THINK>fine", "fine"),
        ("so, hm.\n</think>\n\nfine", "fine"),
        ("<reasoning>so</reasoning> fine", "fine"),
        ("fine, I <think>so</think>", "fine, I <think>so</think>"),
        ("<thinker>", "<thinker>"),
    ],
)
def test_thoughts_in_front_of_an_answer_are_taken_off(written: str, rest: str) -> None:
    assert answer(Says(written)).text == rest


def parts(*content: Any, finish: str = "stop") -> Says:
    """A message whose content is a list."""
    said = json.loads(Says(finish=finish).body)
    said["choices"][0]["message"]["content"] = list(content)
    return Says(raw=json.dumps(said).encode())


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}


def test_the_parts_of_an_answer_that_are_text_are_joined() -> None:
    said = parts(
        THOUGHT, {"type": "text", "text": "Fine, "}, {"type": "image_url"}, {"type": "text", "text": "14."}
    )
    assert answer(said) == Completion("Fine, 14.", 40, 10, "stub-1")


@pytest.mark.parametrize(
    "content", [[THOUGHT], [{"type": "text", "text": 5}], ["a"], {"a": f"b {KEY}"}, 5, True]
)
def test_an_answer_that_is_no_text_is_told_and_not_asked_for_again(
    content: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = json.loads(Says().body)
    said["choices"][0]["message"]["content"] = content
    found = failure(Says(raw=json.dumps(said).encode()))
    assert (found.reason, found.again, found.paid) == ("broken_response", False, True)
    assert found.detail.startswith("the reply is no text: ")
    assert KEY not in found.detail


def test_an_answer_without_parts_is_empty_and_one_that_only_thought_had_no_room() -> None:
    assert (failure(parts()).reason, failure(parts()).again) == ("empty_reply", True)
    found = failure(parts(THOUGHT, finish="length"))
    assert (found.reason, found.again) == ("empty_reply", False)
    assert "llm.thinking_tokens" in found.detail


def test_a_model_that_only_thinks_has_no_answer() -> None:
    found = failure(Says("<think>hm, let me", finish="length"))
    assert (found.reason, found.again) == ("empty_reply", False)
    assert "llm.thinking_tokens" in found.detail


def test_retry_after_is_seconds_or_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
    assert [seconds_of(text) for text in ("2", "0.5", "-3", None, "soon", "nan", "inf")] == [
        *(2.0, 0.5, 0.0, None, None, None, None)
    ]
    assert seconds_of(soon) == pytest.approx(30, abs=3)
    assert seconds_of(past) == 0.0


def test_retry_after_is_handed_on() -> None:
    assert failure(failed(429, Retry_After="7")).after == 7.0
    assert failure(failed(503)).after is None


def test_the_identity_has_what_decides_an_answer_and_no_price_or_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    url = "http://127.0.0.1:1/v1"
    base = endpoint(url).identity
    assert KEY not in base
    assert endpoint(f"{url}/", price_in=1.0, price_out=2.0, timeout_s=9.0).identity == base
    others = [endpoint(url, model="other"), endpoint(url, temperature=1.0), endpoint("http://127.0.0.1:2/v1")]
    others += [endpoint(url, thinking_tokens=1), endpoint(url, temperature=None)]
    assert len({base, *(one.identity for one in others)}) == 6


def test_model_and_address_come_from_the_environment_where_the_config_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENAI_MODEL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match=r"llm\.base_url is needed"):
        OpenAI(model="m").complete(asked())
    with pytest.raises(ConfigError, match=r"llm\.model is needed"):
        _ = OpenAI().name
    with model(Says()) as server:
        monkeypatch.setenv("OPENAI_MODEL", "of-the-environment")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        OpenAI().complete(asked())
    assert server.heard[0].body["model"] == "of-the-environment"


@pytest.mark.parametrize(
    "values",
    [
        {"temperature": -1.0},
        {"temperature": math.nan},
        {"timeout_s": 0.0},
        {"base_url": "127.0.0.1/v1"},
        {"base_url": "ftp://127.0.0.1/v1"},
        {"base_url": "http://"},
        {"price_in": -1.0, "price_out": 1.0},
        {"price_in": 1.0},
        {"key_env": "not-a-name"},
    ],
)
def test_what_can_not_be_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="must"):
        OpenAI(**values)


def test_the_turns_of_a_script_are_played_in_order() -> None:
    with model(in_turn([failed(500), Says("a"), Says("b")])) as server:
        own = endpoint(server.url)
        with pytest.raises(CallFailed):
            own.complete(asked())
        assert [own.complete(asked()).text for _ in range(3)] == ["a", "b", "b"]
