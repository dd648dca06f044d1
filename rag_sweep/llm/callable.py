"""A function of the user's in place of a server."""

from __future__ import annotations

import importlib
import inspect
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_sweep.errors import ConfigError, UsageError, is_end
from rag_sweep.fingerprint import canonical_json
from rag_sweep.llm.calls import Call, CallFailed, Completion, Prices
from rag_sweep.llm.parsing import sayable, without_thoughts
from rag_sweep.llm.secrets import told_error, told_value


@dataclass(frozen=True)
class FunctionModel:
    """``module:function``, which takes a list of ``{"role", "content"}`` and gives a text.

    Several threads ask at once (``limits.concurrency``), and nothing ends what takes long. A changed file of
    the module asks anew; what it imports isn't seen.

    Parameters
    ----------
    target
        Where the function is; its module must be importable.
    version
        Part of what an answer is kept under: another one asks anew.
    """

    target: str
    version: str = "1"

    @property
    def name(self) -> str:
        """What answers name as their model: the target."""
        return self.target

    @cached_property
    def identity(self) -> str:
        """Name, version, and the file that the function is in."""
        return canonical_json(["callable", self.target, self.version, self._source])

    @property
    def _source(self) -> bytes:
        """What stands in the module's file; nothing where it has none."""
        _ = self._function  # a module that isn't there is told in its own words
        try:
            return Path(inspect.getfile(sys.modules[self.target.partition(":")[0]])).read_bytes()
        except (TypeError, OSError, KeyError):
            return b""

    @property
    def thinking_tokens(self) -> int:
        """0: a function isn't told how long its answer may be."""
        return 0

    @property
    def prices(self) -> Prices | None:
        """None: what a function does may cost anything."""
        return None

    @cached_property
    def _function(self) -> Any:
        return imported(self.target, "llm.target")

    def complete(self, call: Call, seconds: float) -> Completion:
        """Ask the function; whatever it raises is a failed call. What it costs is not known."""
        messages = [{"role": one.role, "content": one.content} for one in call.messages]
        function = self._function
        try:
            given = function(messages)
            text = without_thoughts(text_of(given))
        except BaseException as error:  # a function of the user may raise anything, and may leave
            if is_end(error):
                raise
            raise CallFailed("failed", told_error(error), paid=True) from error
        if not text.strip():
            told = f"{self.target} must give a text, got {told_value(given)}"
            raise CallFailed("empty_reply", told, paid=True)
        return Completion(text, None, None, self.target)


def text_of(given: object) -> str:
    """What a function of the user's gave, as a text that can be written; "" if it is none, or blank."""
    return sayable(given) if isinstance(given, str) and given.strip() else ""


def imported(target: str, key: str) -> Any:
    """The function that ``module:function`` names.

    Raises
    ------
    ConfigError
        If there is none.
    """
    module, _, name = target.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except BaseException as error:  # a file of the user may raise anything, and may leave
        if is_end(error) or isinstance(error, UsageError):
            raise
        raise ConfigError(
            f"{key} {target!r} can't be imported: {told_error(error)}\n"
            "It must be module:function; put the module's folder on PYTHONPATH or start beside it."
        ) from error
    if not callable(found):
        raise ConfigError(f"{key} {target!r} is no function")
    return found
