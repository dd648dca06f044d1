"""Servers that hold on for ever, and functions of the user's that do what no function should."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from llm_server import alone

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError, Terminated
from rag_sweep.generator.callable import FunctionGenerator
from rag_sweep.generator.generator import Desk
from rag_sweep.generator.http import Service
from rag_sweep.llm.callable import FunctionModel
from rag_sweep.llm.calls import Call, CallFailed, Completion, Message, NotMeasured
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI
from rag_sweep.llm.prompts import Prompts

CALL = Call((Message("user", "hello"),))

# Servers


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """An address; `serve` gets every connection, which is closed after it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def one(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                serve(connection)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=one, args=server.accept()[:1], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        finally:
            server.shutdown(socket.SHUT_RDWR)


class Dripping:
    """Sends a beginning, and then a piece again and again, until the asker has gone."""

    def __init__(self, beginning: bytes, piece: bytes) -> None:
        self.beginning, self.piece, self.gone = beginning, piece, threading.Event()

    def __call__(self, connection: socket.socket) -> None:
        try:
            connection.recv(65_536)
            connection.sendall(self.beginning)
            for _ in range(400):
                connection.sendall(self.piece)
                time.sleep(0.02)
        except OSError:
            self.gone.set()


ANSWERED = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
"""It says that it closes the connection: one that is offered and closed may fail the next call by chance."""
DRIPS = [
    (b"", b"H"),
    (b"HTTP/1.1 200 OK\r\nX-A: ", b"b"),
    (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b" "),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
]


@pytest.mark.parametrize(("beginning", "piece"), DRIPS)
def test_whatever_drips_ends_with_the_time_and_the_connection_too(beginning: bytes, piece: bytes) -> None:
    server = Dripping(beginning, piece)
    with listening(server) as url:
        begun = time.monotonic()
        with pytest.raises(CallFailed, match=r"no answer in 0\.2 s") as caught:
            OpenAI("m", url, timeout_s=0.2).complete(CALL)
        assert time.monotonic() - begun < 5.0  # it drips for 8
        assert (caught.value.reason, caught.value.again, caught.value.paid) == ("timeout", True, True)
        assert server.gone.wait(5)


def test_the_deadline_of_a_call_ends_what_drips_and_the_next_call_has_a_line_of_its_own() -> None:
    first, seen = Dripping(*DRIPS[2]), threading.Event()
    body = b'{"choices": [{"message": {"content": "fine"}}]}'

    def serve(connection: socket.socket) -> None:
        if not seen.is_set():
            seen.set()
            return first(connection)
        connection.recv(65_536)
        return connection.sendall(ANSWERED % (len(body), body))

    with listening(serve) as url:
        endpoint = OpenAI("m", url)
        late = alone(Client(endpoint, Limits(attempts=1, deadline_s=0.2)), CALL)
        assert isinstance(late, NotMeasured)
        assert late.reason == "timeout"
        assert endpoint.complete(CALL, 5.0).text == "fine"
        seen.clear()
        with pytest.raises(CallFailed, match="timeout"):  # and in one and the same thread
            endpoint.complete(CALL, 0.2)
        assert endpoint.complete(CALL, 5.0).text == "fine"


def test_a_server_that_never_takes_the_connection_has_cost_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        address = server.getsockname()
        waiting = [socket.socket() for _ in range(4)]  # fill its queue
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        time.sleep(0.05)
        with pytest.raises(CallFailed) as caught:
            OpenAI("m", f"http://127.0.0.1:{address[1]}/v1", timeout_s=0.2).complete(CALL)
        for one in waiting:
            one.close()
    assert (caught.value.reason, caught.value.paid) == ("timeout", False)


def test_a_service_that_drips_is_the_failure_of_its_answer() -> None:
    with listening(Dripping(*DRIPS[1])) as url:
        (found,) = Service(url, timeout_s=0.2).write(CASES[:1], DESK, lambda done, total: None)
    assert found.failure == "CallFailed: timeout: no answer in 0.2 s"


def test_a_signal_does_not_wait_for_what_drips() -> None:
    def leave(*_: object) -> None:
        raise Terminated(143)

    server, before = Dripping(*DRIPS[2]), signal.signal(signal.SIGALRM, leave)
    try:
        with listening(server) as url:
            begun = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Terminated):
                Service(url, timeout_s=30.0).write(CASES, DESK, lambda done, total: None)
            assert time.monotonic() - begun < 5.0  # it drips for 8
            assert server.gone.wait(5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Functions

CASES = [Case(name, "who?", (Context("d", "Ann."),)) for name in ("a", "b")]
DESK = Desk(Prompts((conf_dir(),)))
KEY = "sk-LIVE-abcdef0123456789zz"
MODULE = f"""
import asyncio, sys
from rag_sweep.errors import Terminated
class Mute(Exception):
    def __str__(self): raise ValueError("no")
class Blank:
    def __repr__(self): raise ValueError("no")
class Own(SystemExit): pass
class Odd(str):
    def strip(self, *more): raise ValueError("no")
def leaves(*given): sys.exit(0)
def leaves_in_its_own_way(*given): raise Own(3)
def is_cancelled(*given): raise asyncio.CancelledError
def is_closed(*given): raise GeneratorExit
def stops(*given): raise StopIteration(1)
def is_mute(*given): raise Mute
def is_blank(*given): return Blank()
def is_odd(*given): return Odd("fine")
def is_huge(*given): return 10 ** 5000
def tells_key(*given): return {{"error": "Incorrect API key provided by the caller, which was: {KEY}"}}
def raises_key(*given): raise RuntimeError("x" * 170 + "{KEY}")
def colours(*given): raise RuntimeError("\\x1b[31mred\\x1b]0;title\\x07")
def is_interrupted(*given): raise KeyboardInterrupt
def is_terminated(*given): raise Terminated(143)
"""
FAILING = {
    "leaves": "SystemExit: 0",
    "leaves_in_its_own_way": "Own: 3",
    "is_cancelled": "CancelledError",
    "is_closed": "GeneratorExit",
    "stops": "StopIteration: 1",
    "is_mute": "Mute",
    "is_blank": "got a value of type Blank",
    "is_odd": "ValueError: no",
    "is_huge": "got a value of type int",
    "tells_key": "which was: ***",
    "raises_key": "x***",
    "colours": "red ]0;title",
}
GIVING = {"is_blank", "is_huge", "tells_key"}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A module of the user's, of a name of its own, since Python remembers modules."""
    name = f"broken_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return name


def asked(target: str) -> list[Completion | NotMeasured]:
    calls = [CALL, Call((Message("user", "other"),))]
    return list(Client(FunctionModel(target), Limits(attempts=1)).complete_many(calls))


def written(target: str) -> list[Answer]:
    return FunctionGenerator(target).write(CASES, DESK, lambda done, total: None)


@pytest.mark.parametrize("name", FAILING)
def test_whatever_a_function_does_is_the_failure_of_that_call(own: str, name: str) -> None:
    for one in asked(f"{own}:{name}"):
        assert isinstance(one, NotMeasured)
        assert one.reason == ("empty_reply" if name in GIVING else "failed")
        _is_told(one.detail, name)
    for answer in written(f"{own}:{name}"):
        assert answer.text == ""
        _is_told(answer.failure or "", name)


def _is_told(told: str, name: str) -> None:
    assert FAILING[name] in told
    assert "sk-" not in told
    assert told.isprintable()
    assert len(told) <= 220


@pytest.mark.parametrize(
    ("name", "end"), [("is_interrupted", KeyboardInterrupt), ("is_terminated", Terminated)]
)
def test_ctrl_c_and_sigterm_in_a_function_end_the_command(
    own: str, name: str, end: type[BaseException]
) -> None:
    with pytest.raises(end):
        asked(f"{own}:{name}")
    with pytest.raises(end):
        written(f"{own}:{name}")


@pytest.mark.parametrize("line", ["raise GeneratorExit", "import sys; sys.exit(0)", "raise Mute"])
def test_a_module_that_leaves_can_not_be_imported(own: str, line: str, tmp_path: Path) -> None:
    (tmp_path / f"{own}.py").write_text(f"{MODULE}\n{line}\n", encoding="utf-8")
    for ask in (asked, written):
        with pytest.raises(ConfigError, match=r"can't be imported: (GeneratorExit|SystemExit: 0|Mute)\n"):
            ask(f"{own}:leaves")
