"""One HTTP request and its JSON answer; whatever goes wrong is one clear error, and never a value."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

from rag_sweep.errors import ConfigError, ServiceError

LARGEST = 64 << 20
"""Bytes of an answer."""

_SHOWN = 200


def checked_url(url: str) -> str:
    """An address that can be asked.

    Raises
    ------
    ConfigError
        For anything but http and https.
    """
    if not url.startswith(("http://", "https://")) or len(url.split("://", 1)[1]) == 0 or url != url.strip():
        raise ConfigError(f"a service must be given as http://… or https://…, got {url!r}")
    return url


def ask(url: str, body: bytes | None, headers: Mapping[str, str], seconds: float) -> Any:
    """The JSON that a service answers; POST where there is a body, else GET.

    Raises
    ------
    ServiceError
        If it can't be reached, doesn't answer in time or with another status than 200, or with what is no
        JSON.
    """
    told = {"Accept": "application/json"} | ({} if body is None else {"Content-Type": "application/json"})
    request = urllib.request.Request(url, data=body, headers={**told, **headers})
    shown = _without_query(url)
    end = time.monotonic() + seconds
    try:
        status, content = _answered(request, seconds, end)
    except TimeoutError as error:
        raise ServiceError(f"{shown} did not answer within {seconds:g} s") from error
    except (OSError, HTTPException, ValueError) as error:
        raise _unreachable(shown, error, seconds) from error
    if status != 200:
        raise ServiceError(f"{shown} answered {status}: {_beginning(content)}")
    if len(content) > LARGEST:
        raise ServiceError(f"{shown} answered more than {LARGEST >> 20} MB")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ServiceError(f"{shown} answered what is no JSON: {_beginning(content)}") from error


def _answered(request: urllib.request.Request, seconds: float, end: float) -> tuple[int, bytes]:
    """Status and body, whatever the status is."""
    try:
        with _OPENER.open(request, timeout=seconds) as answer:
            return answer.status, _body(answer, end)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, _body(error, end)


def _body(answer: Any, end: float) -> bytes:
    """Up to `LARGEST` bytes and one; a server that drips is given up at the time `end`."""
    content = bytearray()
    while len(content) <= LARGEST and (piece := answer.read1(65_536)):
        content += piece
        if time.monotonic() > end:
            raise TimeoutError
    told = answer.headers.get("Content-Length") or ""
    if answer.status == 200 and told.isdigit() and len(content) < min(int(told), LARGEST):
        raise HTTPException(f"it broke off after {len(content):,} of {int(told):,} bytes")
    return bytes(content)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer with another status than 200: what is proved is the address that was named."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """None follows it nowhere."""
        return


_OPENER = urllib.request.build_opener(_NoRedirects)


def _unreachable(shown: str, error: Exception, seconds: float) -> ServiceError:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, TimeoutError):
        return ServiceError(f"{shown} did not answer within {seconds:g} s")
    told = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    what = "answered with no whole HTTP" if isinstance(error, HTTPException) else "can't be reached"
    return ServiceError(f"{shown} {what}: {told}")


def _without_query(url: str) -> str:
    """Where a service is, without what was asked, and without a password."""
    place = url.partition("?")[0]
    scheme, _, rest = place.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2] if '@' in rest.partition('/')[0] else rest}"


def _beginning(content: bytes) -> str:
    text = " ".join(content[: 8 * _SHOWN].decode("utf-8", "replace").split())
    return f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text or "nothing"
