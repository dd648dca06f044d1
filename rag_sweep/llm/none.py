"""No model: what needs one says how to get it."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.errors import ConfigError
from rag_sweep.llm.calls import Call, Completion, Prices


@dataclass(frozen=True)
class NoModel:
    """The default: nothing is asked, nothing is sent anywhere."""

    @property
    def name(self) -> str:
        """There is none."""
        return "none"

    @property
    def identity(self) -> str:
        """Nothing to tell apart."""
        return "none"

    @property
    def thinking_tokens(self) -> int:
        """None beside the answer."""
        return 0

    @property
    def prices(self) -> Prices | None:
        """None."""
        return None

    def complete(self, call: Call, seconds: float) -> Completion:
        """Refuse."""
        raise ConfigError("this needs a language model: give llm=openai or llm=callable")
