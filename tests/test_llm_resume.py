"""`rag-sweep answers` with a model: a budget that holds, and nothing asked twice, whatever ends it."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from answer_files import write_files
from commands import Command, ended, started
from llm_server import Heard, Model, Says, failed, honest, model

JUDGES = "judges=[faithfulness,relevance]"
CASES = 6
CALLS = 3 * CASES
AT_ONCE = 3


@pytest.fixture
def rag_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, monkeypatch, capsys)


def judge(rag_sweep: Command, server: Model, *more: str) -> tuple[dict[str, object], str, str]:
    """What is printed: as data, as it is, and what is told beside it."""
    files = write_files(rag_sweep.folder, CASES)
    ran = rag_sweep("answers", "judge", *files, "--json", *server.overrides(JUDGES), *more)
    assert ran.code == 0, ran.err
    return json.loads(ran.out), ran.out, ran.err


def over(data: dict[str, object], name: str) -> dict[str, int]:
    found = data["over"]
    assert isinstance(found, dict)
    return found[name]


def test_a_rerun_costs_nothing_and_is_byte_identical(rag_sweep: Command) -> None:
    with model(honest) as server:
        data, first, told = judge(rag_sweep, server)
        assert server.count == CALLS
        assert f"model: {CALLS} calls, {50 * CALLS} tokens; 0 answers were kept already" in told
        _, again, told = judge(rag_sweep, server, "--budget", "0", "limits.concurrency=1")
        assert server.count == CALLS
        assert f"0 calls, 0 tokens; budget 0 tokens; {CALLS} answers were kept already" in told
    assert again == first
    assert data["faithfulness"] == 1.0
    assert data["relevance"] == 0.75
    assert over(data, "faithfulness") == {"measured": CASES, "not_applicable": 0, "not_measured": 0}


def test_damaged_kept_answers_are_asked_for_again_and_give_the_same(rag_sweep: Command) -> None:
    with model(honest) as server:
        _, first, _ = judge(rag_sweep, server)
        files = sorted((rag_sweep.folder / "mlruns" / ".calls").rglob("*.json"))
        assert len(files) == CALLS
        files[0].write_bytes(b"{")
        files[1].write_bytes(files[2].read_bytes())
        _, again, told = judge(rag_sweep, server)
        assert server.count == CALLS + 2
        assert "2 kept answers were damaged and asked for anew" in told
    assert again == first


def test_the_budget_of_the_command_holds_and_the_rest_is_not_measured(rag_sweep: Command) -> None:
    with model(honest) as server:
        data, _, told = judge(rag_sweep, server, "--budget", "2400", "limits.concurrency=8")
        assert 0 < 50 * server.count <= 2400
        assert server.count < CALLS
        assert "budget 2,400 tokens" in told
        measured, missing = over(data, "relevance")["measured"], over(data, "relevance")["not_measured"]
        assert measured + missing == CASES
        cases = data["cases"]
        assert isinstance(cases, dict)
        reasons = {
            verdict["reason"]
            for case in cases.values()
            for verdict in case["verdicts"]
            if verdict["state"] == "not_measured"
        }
        assert reasons == {"budget"}
        begun = server.count
        data, _, _ = judge(rag_sweep, server)
        assert server.count == CALLS > begun
        assert over(data, "relevance")["measured"] == CASES


def test_a_budget_in_money_holds(rag_sweep: Command) -> None:
    prices = ("llm.price_in=1.0", "llm.price_out=4.0")
    with model(honest) as server:
        _, _, told = judge(rag_sweep, server, *prices, "--budget", "0.0058usd")
        spent = server.count * 80 / 1_000_000
        assert 0 < spent <= 0.0058
        assert 0 < server.count < CALLS
        assert f"{spent:.4f} usd; budget 0.0058 usd" in told


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ("much", "limits.budget must be tokens (an int >= 0) or money (1.50usd) or null, got 'much'"),
        ("-1", "limits.budget must be tokens"),
        ("1.50usd", "a budget in usd needs llm.price_in and llm.price_out"),
    ],
)
def test_a_budget_that_can_not_be_is_one_error_before_anything_is_asked(
    rag_sweep: Command, budget: str, told: str
) -> None:
    with model(honest) as server:
        files = write_files(rag_sweep.folder)
        ran = rag_sweep("answers", "judge", *files, *server.overrides(JUDGES), "--budget", budget)
        assert server.count == 0
    assert ran.code == 2
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


def test_answers_are_written_within_the_budget_and_kept(rag_sweep: Command) -> None:
    cases = write_files(rag_sweep.folder, CASES)[:2]
    writing = ["answers", "generate", *cases, "generator=openai"]
    with model(Says("An answer [d1].")) as server:
        few = server.overrides("--budget", "1000", "limits.concurrency=1")  # what is under way is set aside
        ran = rag_sweep(*writing, "--out", "few.jsonl", *few)
        assert 0 < server.count < CASES
        assert ran.code == 1
        assert "budget 1,000 tokens" in ran.err
        begun = server.count
        lines = [json.loads(line) for line in (rag_sweep.folder / "few.jsonl").read_text().splitlines()]
        assert sum("failure" in line for line in lines) == CASES - begun
        assert {line["failure"].split(":")[0] for line in lines if "failure" in line} == {"budget"}
        ran = rag_sweep(*writing, "--out", "few.jsonl", *server.overrides())
        assert (ran.code, server.count, "is there already" in ran.err) == (2, begun, True)
        assert rag_sweep(*writing, "--out", "all.jsonl", *server.overrides()).code == 0
        assert server.count == CASES


def test_a_wrong_prompt_in_the_config_dir_is_one_error(rag_sweep: Command) -> None:
    file = rag_sweep.folder / "mine" / "prompts" / "verdicts" / "ru.yaml"
    file.parent.mkdir(parents=True)
    file.write_text('version: 1\nsystem: ""\nuser: "{context} {claim}"\n', encoding="utf-8")
    with model(honest) as server:
        files = write_files(rag_sweep.folder)
        ran = rag_sweep("answers", "judge", *files, *server.overrides(JUDGES), "--config-dir", "mine")
        assert server.count == 0
    assert ran.code == 2
    assert "verdicts/ru.yaml: {claim} stands for nothing; its places are {context}, {claims}" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_a_prompt_of_the_config_dir_is_asked_and_named_in_the_result(rag_sweep: Command) -> None:
    file = rag_sweep.folder / "mine" / "prompts" / "relevance" / "ru.yaml"
    file.parent.mkdir(parents=True)
    file.write_text('version: mine-7\nsystem: ""\nuser: "Моё: {question} {answer}"\n', encoding="utf-8")
    with model(honest) as server:
        data, _, _ = judge(rag_sweep, server, "--config-dir", "mine")
        assert sum("Моё: Сколько длится этап" in heard.user for heard in server.heard) == CASES // 2
    prompts = data["prompts"]
    assert isinstance(prompts, list)
    assert [label for label in prompts if label.startswith("relevance.ru mine-7 ")]


def test_a_misbehaving_server_loses_nothing(rag_sweep: Command) -> None:
    lock, seen = threading.Lock(), Counter[str]()
    ways = [failed(500), failed(429, Retry_After="0.01"), Says(cut=True), Says(raw=b'{"choices'), Says("")]

    def respond(heard: Heard) -> Says:
        """Every call fails in one way or another before it is answered."""
        with lock:
            seen[heard.key] += 1
            first, way = seen[heard.key] == 1, ways[len(seen) % len(ways)]
        return way if first else honest(heard)

    with model(respond) as server:
        data, _, _ = judge(rag_sweep, server, "limits.concurrency=8")
        assert server.count == 2 * CALLS
    assert over(data, "faithfulness")["measured"] == over(data, "relevance")["measured"] == CASES


# Ended in the middle


class Held:
    """A judge that answers so many calls, and holds the others until it is told to go on."""

    def __init__(self, free: int) -> None:
        self.free, self.going, self._lock = free, threading.Event(), threading.Lock()
        self.held = 0

    def __call__(self, heard: Heard) -> Says:
        with self._lock:
            self.free -= 1
            waits = self.free < 0
            self.held += waits
        if waits:
            self.going.wait(60)
        return honest(heard)


def until(reached: threading.Event | object, what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not reached():  # type: ignore[operator]
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def kept(folder: Path) -> int:
    return len(list((folder / "mlruns" / ".calls").rglob("[!.]*.json")))


def arguments(folder: Path, server: Model) -> list[str]:
    limits = f"limits.concurrency={AT_ONCE}"
    return ["answers", "judge", *write_files(folder, CASES), "--json", *server.overrides(JUDGES, limits)]


def test_after_a_kill_only_what_was_under_way_is_asked_again(tmp_path: Path) -> None:
    free = 7
    held = Held(free)
    with model(held) as server:
        process = started(*arguments(tmp_path, server), cwd=tmp_path)
        until(lambda: held.held == AT_ONCE and kept(tmp_path) == free, "all but three are answered")
        under_way = {heard.key for heard in server.heard if not heard.delivered.is_set()}
        process.kill()
        process.communicate()
        held.going.set()
        begun = server.count
        assert (begun, len(under_way)) == (free + AT_ONCE, AT_ONCE)
        ran = ended(started(*arguments(tmp_path, server), cwd=tmp_path))
        assert ran.code == 0, ran.err
        times = Counter(heard.key for heard in server.heard)
        assert {key for key, number in times.items() if number > 1} == under_way
        assert server.count == CALLS + AT_ONCE
        undisturbed = ended(started(*arguments(tmp_path, server), "calls=other", cwd=tmp_path))
    assert ran.out == undisturbed.out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_after_a_signal_nothing_is_asked_again(number: signal.Signals, code: int, tmp_path: Path) -> None:
    free = 7
    held = Held(free)
    with model(held) as server:
        process = started(*arguments(tmp_path, server), cwd=tmp_path)
        until(lambda: held.held == AT_ONCE and kept(tmp_path) == free, "all but three are answered")
        os.kill(process.pid, number)
        time.sleep(0.3)
        held.going.set()
        ran = ended(process)
        assert ran.code == code, ran.err
        assert "Traceback" not in ran.err
        assert f"model: {free + AT_ONCE} calls" in ran.err
        assert ran.out == ""
        assert kept(tmp_path) == server.count == free + AT_ONCE
        again = ended(started(*arguments(tmp_path, server), cwd=tmp_path))
        assert again.code == 0, again.err
        assert server.count == CALLS
        assert max(Counter(heard.key for heard in server.heard).values()) == 1
    assert over(json.loads(again.out), "faithfulness")["measured"] == CASES
