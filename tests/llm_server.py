"""A language model on this machine, for tests: OpenAI's chat protocol, and misbehaviour where it is told."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rag_sweep.llm.calls import Call
from rag_sweep.llm.client import Answered, Client

USAGE = {"prompt_tokens": 40, "completion_tokens": 10, "total_tokens": 50}


@dataclass(frozen=True)
class Says:
    """One response.

    Attributes
    ----------
    text
        What the model answers; None as with a refusal.
    seconds
        Before anything is sent.
    raw
        The body in place of a response of the protocol.
    cut
        Whether the connection ends in the middle of the body.
    drip
        Seconds between the bytes of the body.
    """

    text: str | None = "fine"
    status: int = 200
    usage: Any = field(default_factory=lambda: dict(USAGE))
    refusal: str | None = None
    finish: str = "stop"
    seconds: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    cut: bool = False
    drip: float = 0.0

    @property
    def body(self) -> bytes:
        """What is sent."""
        if self.raw is not None:
            return self.raw
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        data = {"object": "chat.completion", "model": "stub-1", "choices": [choice], "usage": self.usage}
        return json.dumps(data).encode()


def failed(status: int, message: str = "it went wrong", **headers: str) -> Says:
    """An error as servers send it; ``Retry_After="1"`` is a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Says(status=status, raw=json.dumps({"error": {"message": message}}).encode(), headers=named)


@dataclass(frozen=True)
class Heard:
    """A request; `delivered` is set when the whole response is on its way."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str
    at: float
    delivered: threading.Event = field(default_factory=threading.Event, compare=False)

    @property
    def user(self) -> str:
        """What it was asked last."""
        return str(self.body["messages"][-1]["content"])

    @property
    def key(self) -> str:
        """Equal for equal calls."""
        return json.dumps(self.body, sort_keys=True)


Respond = Callable[[Heard], Says]


@dataclass
class Model:
    """A running server.

    Attributes
    ----------
    heard
        Every request, in the order in which they came.
    most_at_once
        Requests that were under way at the same time.
    """

    url: str
    heard: list[Heard] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def count(self) -> int:
        """Requests."""
        return len(self.heard)

    def overrides(self, *more: str) -> list[str]:
        """What makes `rag-sweep answers` ask it."""
        quick = ["limits.wait_s=0.01", "tracking=none"]
        return ["llm=openai", "llm.model=stub-1", f"llm.base_url={self.url}", *quick, *more]

    @contextmanager
    def counted(self, heard: Heard) -> Iterator[None]:
        """Around a request."""
        with self.lock:
            self.heard.append(heard)
            self.under_way += 1
            self.most_at_once = max(self.most_at_once, self.under_way)
        try:
            yield
        finally:
            with self.lock:
                self.under_way -= 1


def in_turn(says: Sequence[Says | Respond], then: Says | Respond | None = None) -> Respond:
    """One after the other; the last one, or `then`, for all that come later."""
    waiting, lock = list(says), threading.Lock()

    def respond(heard: Heard) -> Says:
        with lock:
            one = waiting.pop(0) if len(waiting) > (then is None) else waiting[0] if then is None else then
        return one if isinstance(one, Says) else one(heard)

    return respond


def honest(heard: Heard) -> Says:
    """A judge that does what our prompts ask: a claim is supported if the words of it are there."""
    return Says(json.dumps(judged(heard.body["messages"]), ensure_ascii=False))


def judged(messages: Sequence[dict[str, str]]) -> dict[str, Any]:
    """What `honest` says; a repaired call is answered as the first one should have been."""
    asked = next(one["content"] for one in messages if one["role"] == "user")
    if '{"claims":' in asked:
        answer = _between(asked, ("Answer:", "Ответ:"), ("Split the", "Раздели"))
        return {"claims": [part for part in re.split(r"(?<=[.!?])\s+", answer.strip()) if part]}
    if '{"verdicts": [{"claim"' in asked:
        context = _between(asked, ("Context:", "Контекст:"), ("Claims:", "Утверждения:"))
        claims = re.findall(r"^(\d+)\. (.*)$", asked.split(context)[1], re.MULTILINE)
        return {"verdicts": [{"claim": int(at), "supported": _backed(one, context)} for at, one in claims]}
    if '{"verdicts": [{"pair"' in asked:
        pairs = re.findall(r"^(\d+)\. (.*)\n\[[^]]+\] (.*)$", asked, re.MULTILINE)
        rows = [{"pair": int(at), "supported": _backed(one, source)} for at, one, source in pairs]
        return {"verdicts": rows}
    if '{"questions":' in asked:
        return {"questions": [f"{_between(asked, ('Answer:', 'Ответ:'), ('Write', 'Напиши')).strip()}?"]}
    if '{"statements":' in asked:
        return {"statements": [{"text": "the reference", "covered": True}]}
    return {"grade": 3}


def _between(text: str, begins: Sequence[str], ends: Sequence[str]) -> str:
    start = next(text.index(mark) + len(mark) for mark in begins if mark in text)
    return text[start : next(text.index(mark) for mark in ends if mark in text)]


def _backed(claim: str, context: str) -> bool:
    return all(word in context.lower() for word in re.findall(r"\w+", claim.lower()))


def slow(respond: Respond, seconds: float) -> Respond:
    """The same, later."""
    return lambda heard: replace(respond(heard), seconds=seconds)


@contextmanager
def model(respond: Respond | Says = honest) -> Iterator[Model]:
    """A server at a port of its own, gone afterwards."""
    running = Model("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard = Heard(body, {k.lower(): v for k, v in self.headers.items()}, self.path, time.monotonic())
            with running.counted(heard):
                says = respond if isinstance(respond, Says) else respond(heard)
                time.sleep(says.seconds)
                try:
                    self._send(says)
                except OSError:
                    return  # the asker has gone
                heard.delivered.set()

        def _send(self, says: Says) -> None:
            body = says.body
            self.send_response(says.status)
            for name, value in {"Content-Length": str(len(body)), **says.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if says.cut:
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
            elif says.drip:
                for at in range(len(body)):
                    self.wfile.write(body[at : at + 1])
                    self.wfile.flush()
                    time.sleep(says.drip)
            else:
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()


def alone(client: Client, call: Call) -> Answered:
    """The answer to one call."""
    return client.complete_many([call])[0]
