"""Many calls: each is asked once, within its limits, and never lost."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from llm_server import Heard, Model, Says, alone, failed, in_turn, model

from rag_sweep.errors import ConfigError, JournalError
from rag_sweep.llm.calls import Call, CallFailed, Completion, Message, NotMeasured
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI
from rag_sweep.llm.turns import Turns


def call(text: str = "Say something.", **more: Any) -> Call:
    return Call((Message("user", text),), **more)


def many(number: int, **more: Any) -> list[Call]:
    return [call(f"Question {at}", **more) for at in range(number)]


def client(server: Model, folder: Path | None = None, **limits: Any) -> Client:
    return Client(OpenAI("stub-1", server.url), Limits(**{"wait_s": 0.01, **limits}), folder)


def echo(heard: Heard) -> Says:
    return Says(f"to {heard.user}")


def texts(found: Sequence[Completion | NotMeasured]) -> list[str]:
    return [one.text if isinstance(one, Completion) else one.reason for one in found]


# Each once


def test_answers_come_in_the_order_of_the_calls_and_equal_calls_are_made_once() -> None:
    calls = [*many(5), *many(5)]
    with model(echo) as server:
        found = client(server).complete_many(calls)
    assert texts(found) == [f"to Question {at}" for at in [*range(5), *range(5)]]
    assert server.count == 5


def test_a_repeat_is_asked_anew_and_so_is_another_length_or_json(tmp_path: Path) -> None:
    calls = [call(), call(repeat=1), call(max_tokens=9), call(as_json=True)]
    with model(echo) as server:
        client(server, tmp_path).complete_many(calls)
        assert server.count == 4
        client(server, tmp_path).complete_many(calls)
        assert server.count == 4


def test_another_model_address_or_temperature_does_not_take_kept_answers(tmp_path: Path) -> None:
    with model(echo) as server, model(echo) as other:
        for endpoint in (
            OpenAI("stub-1", server.url),
            OpenAI("stub-2", server.url),
            OpenAI("stub-1", server.url, temperature=1.0),
            OpenAI("stub-1", other.url),
        ):
            alone(Client(endpoint, folder=tmp_path), call())
        assert (server.count, other.count) == (3, 1)


def test_kept_answers_are_equal_and_free(tmp_path: Path) -> None:
    with model(echo) as server:
        first = client(server, tmp_path)
        found = first.complete_many(many(6))
        assert (first.asked, first.budget.spent, first.reused) == (6, 300, 0)
        again = client(server, tmp_path, budget=0)
        assert again.complete_many(many(6)) == found
        assert (again.asked, again.budget.spent, again.reused) == (0, 0, 6)
        assert server.count == 6


def test_what_failed_is_not_kept(tmp_path: Path) -> None:
    with model(in_turn([failed(400), Says("now")])) as server:
        assert texts([alone(client(server, tmp_path), call())]) == ["refused"]
        assert texts([alone(client(server, tmp_path), call())]) == ["now"]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"format": 1}',
        b'{"format": 1, "key": "other", "completion": {}}',
    ],
)
def test_a_damaged_kept_answer_is_a_miss_and_is_told(tmp_path: Path, damage: bytes) -> None:
    with model(echo) as server:
        alone(client(server, tmp_path), call())
        (file,) = tmp_path.rglob("*.json")
        whole = file.read_bytes()
        file.write_bytes(damage)
        again = client(server, tmp_path)
        assert texts([alone(again, call())]) == ["to Say something."]
        assert server.count == 2
        assert "1 kept answers were damaged" in again.told()
        assert file.read_bytes() == whole


@pytest.mark.parametrize(
    ("key", "value"),
    [("text", 5), ("text", " "), ("prompt_tokens", "many"), ("completion_tokens", -1), ("cut", None)],
)
def test_a_kept_answer_of_wrong_parts_is_a_miss(tmp_path: Path, key: str, value: Any) -> None:
    with model(echo) as server:
        alone(client(server, tmp_path), call())
        (file,) = tmp_path.rglob("*.json")
        data = json.loads(file.read_text(encoding="utf-8"))
        data["completion"][key] = value
        file.write_text(json.dumps(data), encoding="utf-8")
        alone(client(server, tmp_path), call())
        assert server.count == 2


def test_what_is_kept_is_the_answer_and_not_what_was_asked(tmp_path: Path) -> None:
    folder = tmp_path / "calls"
    with model(Says("The answer.")) as server:
        alone(client(server, folder), call("a text of the user's"))
    (file,) = folder.rglob("*.json")
    kept = file.read_text(encoding="utf-8")
    assert "The answer." in kept
    assert "a text of the user's" not in kept
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("place", ["calls", "calls/in/it", "/proc/calls"])
def test_a_folder_that_takes_nothing_is_told_before_anything_is_asked(tmp_path: Path, place: str) -> None:
    (tmp_path / "calls").write_text("a file", encoding="utf-8")
    with model(echo) as server:
        asking = client(server, tmp_path / place)
        with pytest.raises(JournalError, match=r"can't be kept in .*calls") as caught:
            alone(asking, call())
        assert (server.count, asking.asked, asking.budget.spent) == (0, 0, 0)
    assert "\n" not in str(caught.value)


def test_trying_the_folder_leaves_nothing_in_it(tmp_path: Path) -> None:
    with model(failed(400)) as server:
        alone(client(server, tmp_path / "calls"), call())
    assert list((tmp_path / "calls").iterdir()) == []


def test_what_can_not_be_sent_is_neither_asked_nor_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "ключ-0123456789")
    with model(echo) as server:
        asking = client(server)
        with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
            asking.complete_many(many(3))
        assert (server.count, asking.asked, asking.budget.spent, asking.told()) == (0, 0, 0, "")


# Again


def test_what_may_do_better_is_tried_again_and_nothing_is_lost() -> None:
    broken = [failed(500), Says(cut=True), Says(raw=b"{"), Says(""), failed(429)]
    with model(in_turn(broken, Says("at last"))) as server:
        asking = client(server, attempts=6)
        assert texts([alone(asking, call())]) == ["at last"]
        assert server.count == asking.asked == 6


def test_what_can_not_do_better_is_not_tried_again() -> None:
    for says in (failed(401), Says(None, refusal="no")):
        with model(says) as server:
            assert isinstance(alone(client(server), call()), NotMeasured)
            assert server.count == 1


def test_after_all_attempts_it_is_not_measured_with_the_last_reason() -> None:
    with model(in_turn([failed(429), failed(500, "no disk")])) as server:
        found = alone(client(server, attempts=3), call())
        assert isinstance(found, NotMeasured)
        assert found.reason == "server"
        assert "no disk" in found.detail
        assert "(3 attempts)" in found.detail
        assert server.count == 3


def test_one_call_that_fails_leaves_the_others() -> None:
    def respond(heard: Heard) -> Says:
        return failed(500) if heard.user.endswith("3") else echo(heard)

    with model(respond) as server:
        found = client(server, attempts=2).complete_many(many(6))
    assert texts(found) == [
        *(f"to Question {at}" for at in range(3)),
        "server",
        "to Question 4",
        "to Question 5",
    ]


def test_the_pauses_double() -> None:
    with model(in_turn([failed(500)] * 3, Says())) as server:
        alone(client(server, wait_s=0.1), call())
    gaps = [later.at - sooner.at for sooner, later in zip(server.heard, server.heard[1:], strict=False)]
    for gap, planned in zip(gaps, (0.1, 0.2, 0.4), strict=True):
        assert gap >= 0.75 * planned


def test_retry_after_is_respected_by_every_call() -> None:
    with model(in_turn([failed(429, Retry_After="0.6")], echo)) as server:
        found = client(server, concurrency=1).complete_many(many(3))
    assert len({one for one in texts(found) if one.startswith("to ")}) == 3
    first, second = server.heard[:2]
    assert second.at - first.at >= 0.6


def test_one_that_is_told_to_wait_holds_the_others_back() -> None:
    turns, stopped = Turns(), threading.Event()
    turns.close(0.3)
    begun = time.monotonic()
    turns.take(stopped, 5.0)
    assert time.monotonic() - begun >= 0.29


def test_a_retry_after_beyond_the_deadline_ends_the_call_at_once() -> None:
    begun = time.monotonic()
    with model(failed(429, Retry_After="3600")) as server:
        found = alone(client(server, deadline_s=5.0), call())
        assert isinstance(found, NotMeasured)
        assert (found.reason, server.count) == ("rate_limit", 1)
    assert time.monotonic() - begun < 3


def test_a_turn_that_is_too_far_away_is_not_waited_for() -> None:
    turns = Turns()
    turns.close(3600)
    with pytest.raises(CallFailed, match="rate_limit"):
        turns.take(threading.Event(), 5.0)


def test_the_deadline_ends_all_attempts() -> None:
    begun = time.monotonic()
    with model(failed(500)) as server:
        found = alone(client(server, attempts=1000, wait_s=0.05, deadline_s=1.0), call())
    assert isinstance(found, NotMeasured)
    assert found.reason in ("server", "timeout")  # by what the last one was when its time was over
    assert time.monotonic() - begun < 5.0
    assert 2 <= server.count <= 22


def test_the_deadline_also_ends_an_attempt() -> None:
    begun = time.monotonic()
    with model(Says(seconds=5.0)) as server:
        found = alone(client(server, deadline_s=0.3), call())
    assert texts([found]) == ["timeout"]
    assert time.monotonic() - begun < 3


def test_attempts_begin_no_faster_than_the_rate() -> None:
    with model(echo) as server:
        alone(client(server), call())  # loads what is loaded once
        client(server, concurrency=8, per_minute=200).complete_many(many(5))
    heard = server.heard[1:]
    gaps = [later.at - sooner.at for sooner, later in pairwise(heard)]
    assert heard[-1].at - heard[0].at >= 4 * 0.3 - 0.25  # one that is heard late shortens the gap behind it
    assert min(gaps) >= 0.05


def test_no_more_are_under_way_than_may_be() -> None:
    with model(Says(seconds=0.05)) as server:
        client(server, concurrency=3).complete_many(many(12))
    assert 2 <= server.most_at_once <= 3


def test_progress_is_told_from_nothing_to_everything(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with model(echo) as server:
        client(server, tmp_path).complete_many(many(2))
        client(server, tmp_path).complete_many(many(5), lambda done, total: told.append((done, total)))
    assert told[0] == (2, 5)
    assert told[-1] == (5, 5)
    assert told == sorted(told)


@pytest.mark.parametrize(
    "values",
    [
        {"concurrency": 0},
        {"attempts": 0},
        {"per_minute": 0.0},
        {"deadline_s": 0.0},
        {"deadline_s": float("inf")},
        {"wait_s": -1.0},
    ],
)
def test_limits_that_can_not_be_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=rf"limits\.{next(iter(values))} must be"):
        Limits(**values)


# Interrupted


def test_what_is_under_way_at_ctrl_c_is_kept_and_nothing_else_is_begun(tmp_path: Path) -> None:
    both, go = threading.Barrier(3), threading.Event()

    def respond(heard: Heard) -> Says:
        if server.count <= 2:
            both.wait(10)
            go.wait(10)
        return echo(heard)

    def watch(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with model(respond) as server:
        asking = client(server, tmp_path, concurrency=2)
        release = threading.Thread(target=lambda: (both.wait(10), go.set()))
        release.start()
        with pytest.raises(KeyboardInterrupt):
            asking.complete_many(many(20), watch)
        release.join()
        begun = server.count
        assert begun < 20
        assert len(list(tmp_path.rglob("*.json"))) == begun
        assert texts(client(server, tmp_path).complete_many(many(20)))[19] == "to Question 19"
        assert server.count == 20


def test_a_pause_ends_with_an_interruption() -> None:
    def watch(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    def respond(heard: Heard) -> Says:
        return echo(heard) if heard.user.endswith("0") else failed(429, Retry_After="60")

    begun = time.monotonic()
    with model(respond) as server, pytest.raises(KeyboardInterrupt):
        client(server, concurrency=2).complete_many(many(2), watch)
    assert time.monotonic() - begun < 10
