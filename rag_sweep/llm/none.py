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
        """What stands for a model's name in configs: ``none``."""
        return "none"

    @property
    def identity(self) -> str:
        """The same always: no answer depends on it."""
        return "none"

    @property
    def thinking_tokens(self) -> int:
        """0, since nothing thinks."""
        return 0

    @property
    def prices(self) -> Prices | None:
        """None, since nothing is paid."""
        return None

    def complete(self, call: Call, seconds: float) -> Completion:
        """Raises ConfigError, which says how to get a model."""
        raise ConfigError("this needs a language model: give llm=openai or llm=callable")
