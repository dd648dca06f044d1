"""JSON to a server and back: in a time that holds, and without a word of keys where it fails."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from rag_sweep.errors import ConfigError, MissingExtra
from rag_sweep.llm.calls import CallFailed
from rag_sweep.llm.line import Late, Line

LARGEST = 8_000_000
"""Bytes of a response that are read; more is no answer to a question of ours."""
_PIECE = 65_536
_AROUND = " \t\r\n'\""
_NAMED = re.compile(r"[\s'\"+~]*([\w.]+)[\s'\"]*[=:]?(.*)", re.DOTALL)
"""An override as it may be written: the whole of it in quotes, or its name, or its value."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent."""

    status: int
    headers: Mapping[str, str]
    text: str


def checked_url(url: str, key: str) -> str:
    """An address without anything secret in it, since addresses stand in configs, reports and errors.

    Raises
    ------
    ConfigError
        If it isn't http or https, or holds a user, a password, a query or a fragment; what came isn't shown.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or re.search(r"\s", url):
        raise ConfigError(f"{key} must be an http:// or https:// address")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise _secret(key)
    return url.rstrip("/")


def _secret(key: str) -> ConfigError:
    return ConfigError(
        f"{key} must be an address without user, password or query: it is written into configs and "
        "reports; a key belongs in the environment"
    )


def refuse_secrets(overrides: Sequence[str]) -> None:
    """Refuse what looks like a secret in overrides, before anybody tells what is wrong with them.

    Raises
    ------
    ConfigError
        As of `checked_url`, and for a key that is given itself.
    """
    for override in overrides:
        named = _NAMED.match(override)
        if named is None:
            continue
        name, value = named[1].lower(), named[2].strip(_AROUND)
        if re.fullmatch(r"(?:llm|generator)\.\w*(?:key|token|secret|password)", name):
            raise ConfigError(f"{name} doesn't exist: a key belongs in the environment, see llm.key_env")
        typed = re.sub(r"\$\{[^{}]*\}", "", value)
        address = name in ("llm.base_url", "generator.url")
        if address and typed == value != "null":
            checked_url(value, name)
        if re.match("llm|generator", name) and re.search(r"[@?#]" if address else r"://[^/\s]*@", typed):
            raise _secret("llm.base_url" if name.startswith("llm") else "generator.url")


@dataclass(frozen=True)
class Poster:
    """Posts JSON, with one connection a thread.

    Parameters
    ----------
    feature
        What it is needed for, in the user's words.
    """

    feature: str
    _local: threading.local = field(default_factory=threading.local, repr=False, compare=False)

    def post(self, url: str, body: Any, seconds: float, key: str | None = None) -> Reply:
        """Send and read.

        Parameters
        ----------
        seconds
            For all of it: connecting, sending, and the whole response.
        key
            Sent as a bearer token.

        Raises
        ------
        CallFailed
            ``timeout``, ``unreachable`` or ``too_long``.
        """
        requests = self._requests()
        line = self._line(url)
        try:
            return line.run(lambda: _exchanged(line.session, url, body, seconds, key), seconds)
        except CallFailed:
            raise
        except Late as late:
            raise CallFailed("timeout", f"no answer in {seconds:g} s", again=True, paid=late.sent) from late
        except (requests.RequestException, OSError) as error:
            raise _failure(error, requests, seconds) from error
        except Exception as error:  # urllib3's own errors come through where requests doesn't wrap them
            if not type(error).__module__.startswith(("urllib3", "http")):
                raise
            raise _failure(error, requests, seconds) from error

    def _line(self, url: str) -> Line:
        line: Line | None = getattr(self._local, "line", None)
        if line is None or line.was_cut:
            line = self._local.line = Line()
        host = urlsplit(url).hostname or ""
        here = host == "localhost" or host.startswith("127.") or host == "::1"
        line.session.trust_env = not here  # no proxy lies between this machine and itself
        return line

    def _requests(self) -> Any:
        try:
            import requests
        except ImportError as error:
            raise MissingExtra(self.feature, "llm") from error
        return requests


def _exchanged(session: Any, url: str, body: Any, seconds: float, key: str | None) -> Reply:
    """Send and read; what reads on after the end of its time stops."""
    end = time.monotonic() + seconds
    with session.post(
        url, json=body, auth=_bearer(key), timeout=seconds, allow_redirects=False, stream=True
    ) as response:
        content = bytearray()
        for piece in _pieces(response):
            content += piece
            if len(content) > LARGEST:
                raise CallFailed("too_long", f"more than {LARGEST:,} bytes", paid=True)
            if time.monotonic() > end:
                raise Late(sent=True)
        headers = {name.lower(): value for name, value in response.headers.items()}
        # a byte order mark in front is no part of a text
        return Reply(response.status_code, headers, content.decode("utf-8-sig", "replace"))


def _bearer(key: str | None) -> Any:
    """Sets the header; a .netrc, which is asked where nothing else does, would send its own password."""

    def sign(request: Any) -> Any:
        if key:
            request.headers["Authorization"] = f"Bearer {key}"
        return request

    return sign


def _pieces(response: Any) -> Iterator[bytes]:
    """As they come, so that a server that drips doesn't hold on for ever."""
    read = getattr(response.raw, "read1", None)
    if read is None:
        yield from response.iter_content(512)
        return
    while piece := read(_PIECE, decode_content=True):
        yield piece


def _failure(error: Exception, requests: Any, seconds: float) -> CallFailed:
    causes = list(_causes(error))
    names = {type(cause).__name__ for cause in causes}
    never_sent = bool(names & {"NewConnectionError", "ConnectTimeout", "ConnectTimeoutError", "ProxyError"})
    never_sent = never_sent or bool(names & {"SSLError", "NameResolutionError", "InvalidURL"})
    if names & {"Timeout", "ReadTimeout", "ReadTimeoutError", "ConnectTimeout", "TimeoutError"}:
        return CallFailed("timeout", f"no answer in {seconds:g} s", again=True, paid=not never_sent)
    told = [str(cause.strerror) for cause in causes if isinstance(cause, OSError) and cause.strerror]
    # neither the address nor what was sent: only which kind of failure it is
    detail = told[-1] if told else type(causes[-1]).__name__
    return CallFailed("unreachable", detail, again="InvalidURL" not in names, paid=not never_sent)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what lies under it, outermost first."""
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop(0)
        if not isinstance(one, BaseException) or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [getattr(one, "reason", None), *one.args, one.__cause__, one.__context__]
