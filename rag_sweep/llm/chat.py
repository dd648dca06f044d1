"""What a chat server answers, read with suspicion."""

from __future__ import annotations

import json
import math
from typing import Any

from rag_sweep.checks import is_count
from rag_sweep.llm.calls import CallFailed, Completion
from rag_sweep.llm.parsing import sayable, without_thoughts
from rag_sweep.llm.posting import Reply
from rag_sweep.llm.secrets import in_a_line, told_value, without_key

BUSY = frozenset({408, 409, 425, 429})
"""Codes below 500 after which it's worth to ask again."""
NO_ROOM = " (it had no token left for one; a model that thinks first needs llm.thinking_tokens)"


def completion_of(reply: Reply, model: str, key: str | None) -> Completion:
    """The answer in a response.

    Parameters
    ----------
    model
        Its name where the server doesn't say.

    Raises
    ------
    CallFailed
        If there is none, with whether it is worth to ask again.
    """
    if reply.status != 200:
        raise _failure(reply, key)
    try:
        data: Any = json.loads(reply.text)
        choice = data["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        detail = in_a_line(reply.text, key)
        raise CallFailed("broken_response", detail, again=True, paid=True) from error
    ended = choice.get("finish_reason") if isinstance(choice, dict) else None
    if refusal or ended == "content_filter":
        raise CallFailed("model_refused", in_a_line(str(refusal or "content_filter"), key), paid=True)
    said = _said(content)
    if said is None and ended != "length":  # whatever it is, the model would give it again
        raise CallFailed("broken_response", f"the reply is no text: {told_value(content, key)}", paid=True)
    text = without_thoughts(said or "")
    if not text.strip():
        cut = NO_ROOM if ended == "length" else ""
        raise CallFailed("empty_reply", f"the reply is empty{cut}", again=not cut, paid=True)
    asked, answered = _usage(data.get("usage"))
    named = data.get("model")
    return Completion(
        without_key(sayable(text), key),
        asked,
        answered,
        without_key(sayable(named), key) if isinstance(named, str) and named else model,
        ended == "length",
    )


def _said(content: Any) -> str | None:
    """A text, or the parts of one joined; "" where a message has nothing, None where it has no text."""
    if content is None or content == []:
        return ""
    if isinstance(content, list):
        texts = [part["text"] for part in content if _is_text(part)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _is_text(part: Any) -> bool:
    """Whether a part is said to the asker: others are thoughts, pictures and sound."""
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _usage(usage: Any) -> tuple[int | None, int | None]:
    """Tokens of the prompt and of the answer; None where a server says nothing, or what can't be."""
    if not isinstance(usage, dict):
        return None, None
    counts: list[Any] = [usage.get(f"{name}_tokens") for name in ("prompt", "completion")]
    if not all(is_count(count) for count in counts):
        return None, None
    asked, answered = counts
    total: Any = usage.get("total_tokens")
    # what is thought but isn't counted with the answer is paid for too
    return asked, max(answered, total - asked) if is_count(total) else answered


def _failure(reply: Reply, key: str | None) -> CallFailed:
    status = reply.status
    reason = "rate_limit" if status == 429 else "server" if status >= 500 else "refused"
    return CallFailed(
        reason,
        f"HTTP {status}: {in_a_line(reply.text, key)}".removesuffix(": "),
        again=status in BUSY or status >= 500,
        after=seconds_of(reply.headers.get("retry-after")),
        paid=status == 408 or status >= 500 or 200 <= status < 300,  # the model may have worked all the same
    )


def seconds_of(header: str | None) -> float | None:
    """``Retry-After`` (RFC 9110, 10.2.3): seconds, or a date; None for what is neither."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else None
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
