"""What can't be compared is refused like any wrong input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rag_sweep.errors import NotComparable, UsageError


@contextmanager
def refusals_told() -> Iterator[None]:
    """Exit with 2 where results differ in gold, k or objective."""
    try:
        yield
    except NotComparable as error:
        raise UsageError(str(error)) from error
