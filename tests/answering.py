"""A search service on this machine, for tests: it answers what it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit


class Asked(NamedTuple):
    """A request."""

    path: str
    query: dict[str, list[str]]
    body: Any
    headers: dict[str, str]


class Reply(NamedTuple):
    """What is answered: after so many seconds, with a status, and any content."""

    content: Any
    status: int = 200
    seconds: float = 0.0
    headers: dict[str, str] = {}  # noqa: RUF012


Respond = Callable[[Asked], Reply]


@contextmanager
def answering(respond: Respond) -> Iterator[tuple[str, list[Asked]]]:
    """The address of a service, and what it was asked."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: Any) -> None:
            parts = urlsplit(self.path)
            request = Asked(parts.path, parse_qs(parts.query), body, dict(self.headers))
            asked.append(request)
            reply = respond(request)
            time.sleep(reply.seconds)
            content = reply.content
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            try:
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(raw)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                return  # the asker has gone

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
