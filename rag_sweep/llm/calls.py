"""What is asked of a model, what it answers, and what is told where it doesn't."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Protocol

from rag_sweep.fingerprint import fingerprint

Role = Literal["system", "user", "assistant"]

AROUND_A_TURN = 8
"""Tokens that a chat template may put around a turn, and once around all of them."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True)
class Call:
    """One call of a model.

    Attributes
    ----------
    max_tokens
        The longest answer, >= 1.
    as_json
        Whether the answer is to be a JSON object.
    repeat
        0, 1, ...: the same call again, to see whether it gives the same.
    """

    messages: tuple[Message, ...]
    max_tokens: int = 512
    as_json: bool = False
    repeat: int = 0

    def key(self, identity: str) -> str:
        """Content address of the answer: endpoint, model and everything that is sent."""
        turns = [[one.role, one.content] for one in self.messages]
        return fingerprint([identity, turns, self.max_tokens, self.as_json, self.repeat])

    @property
    def most_prompt_tokens(self) -> int:
        """An upper bound of what is sent: no token is shorter than a byte."""
        sizes = (len(one.content.encode("utf-8", "surrogatepass")) for one in self.messages)
        return sum(size + AROUND_A_TURN for size in sizes) + AROUND_A_TURN


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, and what that cost.

    Attributes
    ----------
    prompt_tokens, completion_tokens
        As the server counts them; None where it doesn't say, or says what can't be.
    cut
        Whether the answer ended because it was as long as it may be.
    """

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str
    cut: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "text": self.text,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "model": self.model,
            "cut": self.cut,
        }


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """Why there is no answer: a code such as ``budget``, ``timeout`` or ``server``, and words for people."""

    reason: str
    detail: str


class CallFailed(Exception):
    """One attempt failed.

    Parameters
    ----------
    reason, detail
        As of `NotMeasured`.
    again
        Whether another attempt may do better.
    after
        Seconds that the server asks to wait; None if it doesn't say.
    paid
        Whether it may have cost tokens all the same, as when the answer came too late.
    """

    def __init__(
        self, reason: str, detail: str, *, again: bool = False, after: float | None = None, paid: bool = False
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail
        self.again, self.after, self.paid = again, after, paid


class AskOtherwise(CallFailed):
    """The server doesn't take a field, and the endpoint leaves it out from now on: to be asked once more."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in the money of the budget."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """What so many tokens cost, exactly."""
        whole = Decimal(str(self.prompt)) * prompt_tokens + Decimal(str(self.completion)) * completion_tokens
        return whole / 1_000_000


class Endpoint(Protocol):
    """Something that answers calls: a server, or a function of the user's."""

    @property
    def identity(self) -> str:
        """Everything that decides an answer beside the call; never a key."""
        ...

    @property
    def name(self) -> str:
        """The name of the model."""
        ...

    @property
    def thinking_tokens(self) -> int:
        """That an answer may have on top of the longest that a call allows, >= 0."""
        ...

    @property
    def prices(self) -> Prices | None:
        """What tokens cost, if that is known."""
        ...

    def complete(self, call: Call, seconds: float) -> Completion:
        """Ask once, and wait no longer than `seconds` if that can be helped.

        Raises
        ------
        CallFailed
            If there is no answer.
        UsageError
            If nothing could be sent.
        """
        ...
