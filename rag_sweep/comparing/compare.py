"""`rag-sweep compare`: from the words of a command to the decision, the page, and where they were left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_sweep.comparing.detail import detail_of
from rag_sweep.comparing.finding import Finder, Found
from rag_sweep.comparing.history import history_of
from rag_sweep.comparing.leaving import Left, leave
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.stores import Store
from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.compare import compare as compare_grid
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.errors import TrackingError

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Wish:
    """What `compare` is to do beside comparing.

    Attributes
    ----------
    partial
        Take sweeps that aren't complete.
    log
        Leave the report with the sweep's run in MLflow too.
    latency
        Questions to measure the latency of the finalists by; None measures nothing.
    out
        A folder to write the report to, in place of the journal's.
    """

    partial: bool = False
    log: bool = True
    latency: int | None = None
    out: Path | None = None


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison as plain data, and what became of its report."""

    data: Mapping[str, Any]
    left: Left
    notes: tuple[str, ...]


def compare(
    words: Sequence[str],
    wish: Wish | None = None,
    *,
    config_dir: str | None = None,
    baseline: str | None = None,
    watch: Watch | None = None,
) -> Compared:
    """Compare the configurations that words name, and leave the report where it is looked for.

    Parameters
    ----------
    words
        Names as `Finder.find` takes them, and overrides; without a name the newest complete sweep.
    baseline
        Wins over ``decide.baseline``: an index, a name, or override words.

    Raises
    ------
    NotComparable
        If gold, k or objective of the sweeps differ; the message names the difference.
    UsageError, ConfigError, DataError
        For what isn't there or can't be.
    TrackingError
        If sweeps have to be looked for in MLflow and it can't be read.
    """
    wish = wish or Wish()
    request = Request.of(words, config_dir, baseline)
    found = Finder(request, wish.partial).find(request.names)
    store = Store.of(request, found) if wish.log else None
    grid, comparison, notes = decided(request, found, store)
    texts = Texts.of(grid.sweeps, request)
    if wish.latency is not None:
        comparison, more = _with_latency(grid, comparison, texts, request, wish.latency, watch)
        notes += more
    detail = detail_of(grid, comparison, texts)
    data = comparison.to_dict()
    left = leave(data, detail, found, store, wish.out)
    return Compared(data, left, (*notes, *texts.notes, *left.notes))


def decided(request: Request, found: Found, store: Store | None) -> tuple[Grid, Comparison, tuple[str, ...]]:
    """The configurations that were found, and what is said of them; a note where history can't be read.

    Parameters
    ----------
    store
        What is asked for other sweeps over the same gold; None asks the journals only.

    Raises
    ------
    NotComparable, ConfigError, DataError
        As `compare`.
    """
    grid = Grid.chosen(found.places, objective=request.objective)
    tracked, notes = _tracked(store, grid)
    journal = None if request.journal is None else Path(request.journal)
    history = history_of(grid.sweeps, journal, tracked)
    return grid, compare_grid(grid, request.decide, request.shipped, history), notes


def _tracked(store: Store | None, grid: Grid) -> tuple[Mapping[str, int], tuple[str, ...]]:
    """What the tracking store knows of the gold; that it can't be read is a note."""
    if store is None:
        return {}, ()
    try:
        return store.runs.judged(grid.sweeps[0].basis.gold_hash), ()
    except TrackingError as error:
        return {}, (f"what this gold has judged is counted in the journals only: {error}",)


def _with_latency(
    grid: Grid,
    comparison: Comparison,
    texts: Texts,
    request: Request,
    questions: int,
    watch: Watch | None,
) -> tuple[Comparison, tuple[str, ...]]:
    from rag_sweep.comparing.timing import latency_of

    told = watch or (lambda done, total: None)
    times, notes = latency_of(grid, comparison, texts, request, questions, told)
    return replace(comparison, latency=times), notes
