"""Any server that speaks the chat protocol of OpenAI."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.checks import is_count, require
from rag_sweep.errors import ConfigError
from rag_sweep.fingerprint import canonical_json
from rag_sweep.llm.calls import AskOtherwise, Call, Completion, Prices
from rag_sweep.llm.chat import completion_of
from rag_sweep.llm.posting import Poster, Reply, checked_url
from rag_sweep.llm.secrets import in_a_line

JSON_MODE, MAX_TOKENS, MAX_COMPLETION_TOKENS = "response_format", "max_tokens", "max_completion_tokens"
"""Fields of the protocol that not every server, or every model, takes."""


@dataclass(frozen=True)
class OpenAI:
    """A chat endpoint; the key is read from the environment when it is needed, and kept nowhere.

    Parameters
    ----------
    model
        As the server names it; None takes the environment's ``OPENAI_MODEL``.
    base_url
        Up to and with ``/v1``; None takes ``OPENAI_BASE_URL``.
    key_env
        The environment variable that holds the key; where it isn't set, none is sent.
    temperature
        >= 0; None sends none, for models that take only their own.
    thinking_tokens
        That an answer may have on top of its own longest, for models that think first, >= 0.
    json_mode
        Whether to ask for JSON by the protocol's own means; a server that refuses it is asked without.
    timeout_s
        Seconds for one attempt, > 0.
    price_in, price_out
        Of a million tokens that are sent, and that are answered, >= 0; both or none.
    """

    model: str | None = None
    base_url: str | None = None
    key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    thinking_tokens: int = 0
    json_mode: bool = True
    timeout_s: float = 60.0
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", self.key_env):  # what came may be the key itself
            raise ConfigError("llm.key_env must be the name of a variable of the environment, in capitals")
        warm = self.temperature is None or 0 <= self.temperature < math.inf
        require("llm.temperature", self.temperature, "a number >= 0 or null", warm)
        require("llm.thinking_tokens", self.thinking_tokens, "an int >= 0", is_count(self.thinking_tokens, 0))
        require("llm.timeout_s", self.timeout_s, "a number > 0", 0 < self.timeout_s < math.inf)
        if self.base_url is not None:
            checked_url(self.base_url, "llm.base_url")
        for key, price in (("price_in", self.price_in), ("price_out", self.price_out)):
            known = price is None or 0 <= price < math.inf
            require(f"llm.{key}", price, "a number >= 0 or null", known)
        if (self.price_in is None) != (self.price_out is None):
            raise ConfigError("llm.price_in and llm.price_out must both be given, or none")

    @property
    def identity(self) -> str:
        """Address, model and how it is asked."""
        asked = [self.temperature, self.thinking_tokens, self.json_mode]
        return canonical_json([self._url, self.name, *asked])

    @property
    def name(self) -> str:
        """The name of the model; ConfigError if nobody says it."""
        name = self.model or os.environ.get("OPENAI_MODEL")
        if not name:
            raise ConfigError("llm.model is needed (or OPENAI_MODEL in the environment)")
        return name

    @property
    def prices(self) -> Prices | None:
        """What tokens cost, if it was given."""
        if self.price_in is None or self.price_out is None:
            return None
        return Prices(self.price_in, self.price_out)

    @property
    def _url(self) -> str:
        url = self.base_url or os.environ.get("OPENAI_BASE_URL")
        if not url:
            raise ConfigError("llm.base_url is needed (or OPENAI_BASE_URL in the environment)")
        return checked_url(url, "llm.base_url" if self.base_url else "OPENAI_BASE_URL")

    @property
    def _key(self) -> str | None:
        key = os.environ.get(self.key_env, "").strip()
        if not re.fullmatch(r"[!-~]*", key):
            raise ConfigError(f"the key in {self.key_env} has characters that no key has")
        return key or None

    @cached_property
    def _poster(self) -> Poster:
        return Poster("llm=openai")

    @cached_property
    def _refused(self) -> set[str]:
        """Fields that this server has refused."""
        return set()

    def complete(self, call: Call, seconds: float = math.inf) -> Completion:
        """Ask once; what the server refuses of the fields is left out next time, or sent as it names it.

        Raises
        ------
        AskOtherwise
            Where it has refused one.
        CallFailed
            If there is no answer.
        """
        url, key, name = f"{self._url}/chat/completions", self._key, self.name
        body = self._body(call, name)
        reply = self._poster.post(url, body, max(min(self.timeout_s, seconds), 0.001), key)
        refused = _without(reply, body)
        if refused is not None:
            self._refused.add(refused)
            raise AskOtherwise("refused", f"HTTP {reply.status}: {in_a_line(reply.text, key)}")
        return completion_of(reply, name, key)

    def _body(self, call: Call, name: str) -> dict[str, Any]:
        longest = MAX_COMPLETION_TOKENS if MAX_TOKENS in self._refused else MAX_TOKENS
        body: dict[str, Any] = {
            "model": name,
            "messages": [{"role": one.role, "content": one.content} for one in call.messages],
            longest: call.max_tokens + self.thinking_tokens,
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if call.as_json and self.json_mode and JSON_MODE not in self._refused:
            body[JSON_MODE] = {"type": "json_object"}
        return body


def _without(reply: Reply, body: Mapping[str, Any]) -> str | None:
    """A field of the body that can be done without, and that the server says it doesn't take."""
    if reply.status not in (400, 422):
        return None
    if JSON_MODE in body and JSON_MODE in reply.text:
        return JSON_MODE
    # an answer without a limit would break the budget: only the server itself may name another field for it
    renamed = MAX_COMPLETION_TOKENS in reply.text and "unsupported" in reply.text.lower()
    return MAX_TOKENS if MAX_TOKENS in body and renamed else None
