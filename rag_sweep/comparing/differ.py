"""`rag-sweep diff`: from the names of two configurations to what differs between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_sweep.comparing.difference import Difference, difference_of
from rag_sweep.comparing.finding import Finder, Place
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.sides import Sides, sides_of
from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.baseline import choose_baseline
from rag_sweep.comparison.grid import Grid

BASELINE = "baseline"
"""The name of the configuration that `compare` takes for the baseline."""


@dataclass(frozen=True, eq=False)
class Differed:
    """What differs, and the two rankings of the question that was asked for."""

    difference: Difference
    sides: Sides | None
    notes: tuple[str, ...]


def differ(
    a: str,
    b: str,
    overrides: Sequence[str] = (),
    *,
    config_dir: str | None = None,
    question: str | None = None,
    partial: bool = False,
) -> Differed:
    """Compare two configurations question by question: B against A.

    Parameters
    ----------
    a, b
        As `Finder.configuration` takes them, or ``baseline``: that of the other one's sweep.
    question
        The id of a question whose rankings are wanted.

    Raises
    ------
    NotComparable
        If gold, k or objective of their sweeps differ; the message names the difference.
    UsageError, ConfigError, DataError
        For what isn't there or can't be.
    TrackingError
        If a sweep has to be looked for in MLflow and it can't be read.
    """
    request = Request.composed((a, b), overrides, config_dir)
    first, second = _places(Finder(request, partial), request)
    found = difference_of(first, second, request.decide, request.objective)
    if question is None:
        return Differed(found, None, found.notes)
    texts = Texts.of(dict.fromkeys((first[0], second[0])), request)
    return Differed(found, sides_of(found, first, second, question, texts), (*found.notes, *texts.notes))


def _places(finder: Finder, request: Request) -> tuple[Place, Place]:
    a, b = request.names
    one = None if a == BASELINE else finder.configuration(a)
    other = None if b == BASELINE else finder.configuration(b)
    return one or _baseline(finder, request, other), other or _baseline(finder, request, one)


def _baseline(finder: Finder, request: Request, beside: Place | None) -> Place:
    """What `compare` compares with, of the sweep of the other one; beside a single run, of the newest."""
    alone = beside is not None and len(beside[0].configurations) == 1
    sweep = finder.sweep(None) if beside is None or alone else beside[0]
    grid = Grid.of(sweep, objective=request.objective)
    row = choose_baseline(grid, request.decide.baseline, request.shipped).row
    return sweep, grid.members[row].record.index
