"""Stages of a sweep, run one at a time for a single configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rag_sweep.errors import RagSweepError, StageFailed
from rag_sweep.stages import STAGES


def run(stage: str, part: Any, *inputs: Any) -> Any:
    """The value of one node: what the stage computes in a sweep.

    Raises
    ------
    StageFailed
        Whatever a component raises; it names the stage.
    """
    with failures(stage):
        (value,) = STAGES[stage].run([part], [inputs])
    return value


@contextmanager
def failures(stage: str) -> Iterator[None]:
    """A component of the user may raise anything: it becomes a failure of its stage."""
    try:
        yield
    except RagSweepError:
        raise
    except Exception as error:
        if os.environ.get("RAG_SWEEP_DEBUG") == "1":
            raise
        raise StageFailed(f"{stage}: {type(error).__name__}: {error}") from error
