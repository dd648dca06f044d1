"""What every generator can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import MissingExtra, Terminated
from rag_sweep.llm.client import Client
from rag_sweep.llm.parsing import sayable
from rag_sweep.llm.prompts import Prompts
from rag_sweep.llm.secrets import in_a_line

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Desk:
    """What a generator may use: a model, where it `asks_model`, and the prompts."""

    prompts: Prompts
    client: Client | None = None


class Generator(Protocol):
    """A frozen dataclass with one verb."""

    asks_model: ClassVar[bool]

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """An answer to each case, in their order; one that can't be written has a `failure` and no text."""
        ...


def one_by_one(cases: Sequence[Case], write: Callable[[Case], str], model: str, watch: Watch) -> list[Answer]:
    """Answers of something that is asked for one at a time; what it raises is the failure of that one."""
    found = []
    for at, case in enumerate(cases):
        watch(at, len(cases))
        try:
            text, failure = write(case), None
        except (MissingExtra, Terminated):
            raise
        except (Exception, SystemExit) as error:  # a component of the user may raise anything, and may leave
            text, failure = "", sayable(in_a_line(f"{type(error).__name__}: {error}"))
        if failure is None and not (isinstance(text, str) and text.strip()):
            text, failure = "", in_a_line(f"it must give a text, got {text!r:.80}")
        found.append(Answer(case.id, sayable(text), model, failure))
    watch(len(cases), len(cases))
    return found


def context_of(case: Case) -> list[dict[str, str]]:
    """The context as a writer gets it: ``{"id", "text"}`` for each part."""
    return [{"id": part.id, "text": part.text} for part in case.context]
