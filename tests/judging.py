"""Cases, answers and a client for tests of judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llm_server import judged

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.fingerprint import canonical_json
from rag_sweep.judges.asking import Asked, Judge, judge_all
from rag_sweep.llm.calls import Call, CallFailed, Completion, Prices
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.prompts import Prompts
from rag_sweep.rules.verdict import Verdict

PROMPTS = Prompts((conf_dir(),))

TRIAL = Case(
    "trial",
    "How long is the trial period?",
    (Context("d1", "The trial period takes 14 days."), Context("d2", "It ends without notice.")),
    reference="It takes 14 days.",
)
LEAVE = Case("leave", "Сколько длится отпуск?", (Context("d7", "Отпуск длится 28 дней."),))

Reply = str | Exception
Respond = Callable[[Call], Reply]


@dataclass
class Scripted:
    """An endpoint in this process; `calls` are those that it was asked."""

    respond: Respond
    calls: list[Call] = field(default_factory=list)
    identity = name = "scripted"
    thinking_tokens = 0
    prices: Prices | None = None

    def complete(self, call: Call, seconds: float) -> Completion:
        self.calls.append(call)
        found = self.respond(call)
        if isinstance(found, Exception):
            raise found
        return Completion(found, 40, 10, "scripted")

    @property
    def users(self) -> list[str]:
        """The last turn of every call."""
        return [call.messages[-1].content for call in self.calls]


def in_turn(*replies: Reply | dict[str, Any]) -> Scripted:
    """One reply after the other; more are an error of the test."""
    waiting = list(replies)

    def respond(call: Call) -> Reply:
        found = waiting.pop(0) if waiting else CallFailed("failed", "the script has ended")
        return canonical_json(found) if isinstance(found, dict) else found

    return Scripted(respond)


def honest() -> Scripted:
    """Does what the prompts ask for."""
    return Scripted(
        lambda call: canonical_json(judged([{"role": m.role, "content": m.content} for m in call.messages]))
    )


def verdict_of(
    judge: Judge, case: Case, text: str, endpoint: Scripted, *, asked: Asked | None = None, **more: Any
) -> Verdict:
    """One answer by one judge."""
    client = Client(endpoint, Limits(attempts=1, concurrency=1))
    found = judge_all([judge], [(case, Answer(case.id, text))], client, asked or Asked(PROMPTS), **more)
    return found[case.id, judge.name]


def pairs(number: int) -> list[tuple[Case, Answer]]:
    """As many cases with answers, each of a text of its own."""
    return [
        (
            Case(f"c{at}", f"What is thing {at}?", (Context(f"d{at}", f"Thing {at} is red."),)),
            Answer(f"c{at}", f"Thing {at} is red [d{at}]."),
        )
        for at in range(number)
    ]


def client(endpoint: Any, folder: Path | None = None, **limits: Any) -> Client:
    """With one attempt and no waiting."""
    return Client(endpoint, Limits(**{"attempts": 1, "wait_s": 0.0, **limits}), folder)


def values(found: Sequence[Verdict]) -> list[float | None]:
    """What means are taken over."""
    return [one.value for one in found]
