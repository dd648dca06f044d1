"""Any server that speaks the chat protocol of OpenAI."""

from __future__ import annotations

import math
import os
import re
import threading
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_sweep.checks import require
from rag_sweep.errors import ConfigError
from rag_sweep.fingerprint import canonical_json
from rag_sweep.llm.calls import Call, Completion, Prices
from rag_sweep.llm.chat import completion_of
from rag_sweep.llm.posting import Poster, checked_url


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
        >= 0.
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
    temperature: float = 0.0
    json_mode: bool = True
    timeout_s: float = 60.0
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Z_][A-Z0-9_]*", self.key_env):  # what came may be the key itself
            raise ConfigError("llm.key_env must be the name of a variable of the environment, in capitals")
        warm = 0 <= self.temperature < math.inf
        require("llm.temperature", self.temperature, "a number >= 0", warm)
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
        """Address, model and temperature."""
        return canonical_json([self._url, self.name, self.temperature, self.json_mode])

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
    def _refuses_json(self) -> threading.Event:
        return threading.Event()

    def complete(self, call: Call, seconds: float = math.inf) -> Completion:
        """Ask once; without JSON mode where the server refuses it."""
        url, key, name = f"{self._url}/chat/completions", self._key, self.name
        seconds = max(min(self.timeout_s, seconds), 0.001)
        wants_json = call.as_json and self.json_mode and not self._refuses_json.is_set()
        reply = self._poster.post(url, self._body(call, name, wants_json), seconds, key)
        if reply.status in (400, 422) and wants_json and "response_format" in reply.text:
            self._refuses_json.set()
            reply = self._poster.post(url, self._body(call, name, False), seconds, key)
        return completion_of(reply, name, key)

    def _body(self, call: Call, name: str, wants_json: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": name,
            "messages": [{"role": one.role, "content": one.content} for one in call.messages],
            "temperature": self.temperature,
            "max_tokens": call.max_tokens,
        }
        return {**body, "response_format": {"type": "json_object"}} if wants_json else body
