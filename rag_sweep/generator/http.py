"""A service of the user's writes the answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_sweep.cases.records import Answer, Case
from rag_sweep.checks import require
from rag_sweep.generator.generator import Desk, Watch, context_of, one_by_one
from rag_sweep.llm.parsing import sayable
from rag_sweep.llm.posting import Poster, checked_url
from rag_sweep.llm.secrets import in_a_line, told_value


@dataclass(frozen=True)
class Service:
    """An HTTP service: a POST of ``{"id", "question", "context": [{"id", "text"}]}``.

    Parameters
    ----------
    url
        Where to post; without user, password or query, since it is written down as the answers' model.
    field
        The key of the answer in the JSON object that comes back; dots go deeper.
    timeout_s
        Seconds for one answer, > 0.
    """

    url: str
    field: str = "answer"
    timeout_s: float = 60.0

    asks_model: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_url(self.url, "generator.url")
        require("generator.timeout_s", self.timeout_s, "a number > 0", 0 < self.timeout_s < float("inf"))

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """Asked for one at a time; an answer that doesn't come is the failure of that one."""
        poster = Poster("generator=http")
        return one_by_one(cases, lambda case: self._ask(poster, case), self.url, watch)

    def _ask(self, poster: Poster, case: Case) -> str:
        body = {"id": case.id, "question": case.question, "context": context_of(case)}
        reply = poster.post(self.url, body, self.timeout_s)
        if reply.status != 200:
            raise ValueError(f"HTTP {reply.status}: {in_a_line(reply.text, longest=120)}".removesuffix(": "))
        value = json.loads(reply.text)
        for key in self.field.split("."):
            if not isinstance(value, dict) or key not in value:
                raise ValueError(f"the response has no {self.field!r}")
            value = value[key]
        if not isinstance(value, str):
            raise TypeError(f"{self.field!r} of the response must be a text, got {told_value(value)}")
        return sayable(value)
