"""A service that drips is given up after the time that was allowed; one that breaks off is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rag_sweep.errors import ServiceError
from rag_sweep.verifying.asking import ask


class Quiet(BaseHTTPRequestHandler):
    """Says nothing on stderr."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class Breaking(Quiet):
    """Ends in the middle of its answer."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"results": [')


class Dripping(Quiet):
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


@contextmanager
def serving(handler: type[Quiet]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_that_never_ends_is_given_up_in_time(status: int) -> None:
    with serving(Dripping) as address:
        begun = time.monotonic()
        with pytest.raises(ServiceError, match=r"did not answer within 0\.5 s"):
            ask(f"{address}/{status}", None, {}, 0.5)
    assert time.monotonic() - begun < 8


def test_an_answer_that_breaks_off_is_told_with_how_much_of_it_came() -> None:
    told = r"answered with no whole HTTP: it broke off after 13 of 5,000 bytes"
    with serving(Breaking) as address, pytest.raises(ServiceError, match=told):
        ask(address, None, {}, 5)
