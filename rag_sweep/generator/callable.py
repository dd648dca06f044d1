"""A Python function of the user's writes the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from rag_sweep.cases.records import Answer, Case
from rag_sweep.generator.generator import Desk, Watch, context_of, one_by_one
from rag_sweep.llm.callable import imported


@dataclass(frozen=True)
class FunctionGenerator:
    """``module:function``, which takes the question and a list of ``{"id", "text"}`` and gives a text.

    Parameters
    ----------
    target
        Where the function is; its module must be importable.
    """

    target: str

    asks_model: ClassVar[bool] = False

    @cached_property
    def _function(self) -> Any:
        return imported(self.target, "generator.target")

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        """Asked for one at a time; what it raises is the failure of that one."""
        function = self._function
        return one_by_one(cases, lambda case: function(case.question, context_of(case)), self.target, watch)
