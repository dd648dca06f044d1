"""What every generator can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import MissingExtra, is_end
from rag_sweep.llm.callable import text_of
from rag_sweep.llm.client import Client
from rag_sweep.llm.prompts import Prompts
from rag_sweep.llm.secrets import told_error, told_value

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Desk:
    """What a generator may use: a model, where it `asks_model`, and the prompts."""

    prompts: Prompts
    client: Client | None = None


class Generator(Protocol):
    """A frozen dataclass with one verb.

    Attributes
    ----------
    asks_model
        Whether it asks the model of the `Desk`.
    """

    asks_model: ClassVar[bool]

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """An answer to each case, in their order; one that can't be written has a `failure` and no text.

        `watch` is told how many of how many are done.
        """
        ...


def one_by_one(cases: Sequence[Case], write: Callable[[Case], str], model: str, watch: Watch) -> list[Answer]:
    """Answers of something that is asked for one at a time; what it raises is the failure of that one."""
    found = []
    for at, case in enumerate(cases):
        watch(at, len(cases))
        try:
            given = write(case)
            text = text_of(given)
            failure = None if text else f"it must give a text, got {told_value(given)}"
        except BaseException as error:  # a component of the user may raise anything, and may leave
            if is_end(error) or isinstance(error, MissingExtra):
                raise
            text, failure = "", told_error(error)
        found.append(Answer(case.id, text, model, failure))
    watch(len(cases), len(cases))
    return found


def context_of(case: Case) -> list[dict[str, str]]:
    """The context as a writer gets it: ``{"id", "text"}`` for each part."""
    return [{"id": part.id, "text": part.text} for part in case.context]
