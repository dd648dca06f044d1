"""A service that drips is given up after the time that was allowed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rag_sweep.errors import ServiceError
from rag_sweep.verifying.asking import ask


class Dripping(BaseHTTPRequestHandler):
    """Answers with the status that the path names, a blank at a time."""

    def do_GET(self) -> None:
        self.send_response(int(self.path.strip("/")))
        self.end_headers()
        for _ in range(100):
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.1)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def dripping() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Dripping)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_that_never_ends_is_given_up_in_time(status: int) -> None:
    with dripping() as address:
        begun = time.monotonic()
        with pytest.raises(ServiceError, match=r"did not answer within 0\.5 s"):
            ask(f"{address}/{status}", None, {}, 0.5)
    assert time.monotonic() - begun < 8
