"""A language model writes the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_sweep.cases.records import Answer, Case
from rag_sweep.cases.showing import shown
from rag_sweep.checks import is_count, require
from rag_sweep.errors import ConfigError
from rag_sweep.generator.generator import Desk, Watch
from rag_sweep.llm.calls import Call, Completion, Message, NotMeasured
from rag_sweep.rules.wording import script


@dataclass(frozen=True)
class ModelGenerator:
    """Context and question in a prompt, to the model of the group ``llm``.

    Parameters
    ----------
    prompt
        Its name in ``conf/prompts``; its places are ``{context}`` and ``{question}``.
    language
        ``ru``, ``en``, or ``auto``: that of the question.
    max_tokens
        The longest answer, >= 1.
    """

    prompt: str = "answer"
    language: str = "auto"
    max_tokens: int = 400

    asks_model: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require("generator.max_tokens", self.max_tokens, "an int >= 1", is_count(self.max_tokens))
        known = self.language in ("auto", "ru", "en")
        require("generator.language", self.language, "one of auto, ru, en", known)

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """All cases side by side; one that isn't answered has the reason as its failure."""
        client = desk.client
        if client is None:
            raise ConfigError("generator=openai needs a model: give llm=openai or llm=callable")
        calls = [Call(self._messages(case, desk), self.max_tokens) for case in cases]
        replies = client.complete_many(calls, watch)
        model = client.endpoint.name
        return [self._answer(case, reply, model) for case, reply in zip(cases, replies, strict=True)]

    def _answer(self, case: Case, reply: Completion | NotMeasured, model: str) -> Answer:
        """Half an answer is none: it would be judged for what it never came to say."""
        if isinstance(reply, NotMeasured):
            return Answer(case.id, "", model, f"{reply.reason}: {reply.detail}")
        if reply.cut:
            told = f"cut: the answer is longer than generator.max_tokens={self.max_tokens}"
            return Answer(case.id, "", model, told)
        return Answer(case.id, reply.text.strip(), model)

    def _messages(self, case: Case, desk: Desk) -> tuple[Message, ...]:
        language = script(case.question) or "en" if self.language == "auto" else self.language
        prompt = desk.prompts.get(self.prompt, language, ("context", "question"))
        return prompt.messages(context=shown(case.context), question=case.question)
