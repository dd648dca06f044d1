"""From names to the results that they stand for: whole sweeps, or single configurations of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rag_sweep.checks import INDEX
from rag_sweep.comparing.request import Request
from rag_sweep.comparison.baseline import other_knobs
from rag_sweep.errors import ConfigError, DataError, UsageError
from rag_sweep.journal.shelf import HEAD
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.load import load_sweep
from rag_sweep.matrix.stored import StoredSweep
from rag_sweep.tracking.attach import SweepRuns
from rag_sweep.tracking.mlflow import MLflow

_SWEEP_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
_RUN_ID = re.compile(r"[0-9a-f]{32}")
_ONE = re.compile(rf"(?P<sweep>.*):(?P<index>{INDEX.pattern})")
_MOST_SHOWN = 160  # characters of a name that stands for nothing
_NO_JOURNAL = ".no-journal"  # a folder that isn't there: `load_sweep` then looks in MLflow only

YOURS = "yours"
"""Names the configuration as the user's files have it, wherever it was measured."""

Place = tuple[SweepData, int]
"""A configuration: its sweep, and its index there."""


@dataclass(frozen=True, eq=False)
class Found:
    """What names stand for.

    Attributes
    ----------
    places
        The configurations, each once.
    whole
        True if they are all of their sweeps.
    """

    places: tuple[Place, ...]
    whole: bool

    @property
    def sweeps(self) -> tuple[SweepData, ...]:
        """The sweeps that they come from, in the order of their names."""
        return tuple({sweep.sweep_id: sweep for sweep, _ in self.places}.values())


class Finder:
    """Looks for sweeps in the journal, then in MLflow; each is read once.

    Parameters
    ----------
    partial
        Take sweeps that aren't complete too.
    """

    def __init__(self, request: Request, partial: bool = False) -> None:
        self._request, self._partial = request, partial
        self._known: dict[str | None, SweepData] = {}

    @cached_property
    def runs(self) -> SweepRuns:
        """The store that the overrides name, or the default one."""
        named = self._request.tracking
        of = named if isinstance(named, MLflow) else MLflow()
        return SweepRuns(of.uri, of.path, of.experiment)

    def find(self, names: Sequence[str]) -> Found:
        """All that some names stand for together; the newest sweep if there are none.

        A name is the id of a sweep, a path, the id of an MLflow run (the sweep's own, or that of one
        configuration), ``SWEEP:INDEX``, or ``yours``: the configuration as the user's files have it, measured
        over what the others are measured over.

        Raises
        ------
        UsageError, ConfigError, DataError
            For a name that stands for nothing, and for a sweep that isn't complete.
        TrackingError
            If MLflow has to be asked and can't be.
        """
        places: dict[tuple[str, int], Place] = {}
        whole = True
        own = {name for name in names if name == YOURS and not os.path.exists(name)}
        others = [name for name in names if name not in own]
        found: list[tuple[SweepData, int | None]] = [self._one(name) for name in others or (None,)]
        for sweep, index in [*found, *(self._yours(found[0][0]) for _ in own)]:
            whole = whole and index is None
            for each in _indexes(sweep) if index is None else [index]:
                places[sweep.sweep_id, each] = sweep, each
        return Found(tuple(places.values()), whole)

    def configuration(self, name: str) -> Place:
        """The one configuration that a name stands for.

        Beside what `find` takes: an index of the newest sweep, ``best``, or the name of a configuration.

        Raises
        ------
        UsageError
            For a name that stands for none or for several.
        """
        if INDEX.fullmatch(name) and not os.path.exists(name):
            return self._checked(self.sweep(None), int(name))
        if not _is_place(name):
            return self._named(name)
        sweep, index = self._one(name)
        if index is None:
            if len(sweep.configurations) != 1:
                number = len(sweep.configurations)
                raise UsageError(
                    f"{name} is a sweep of {number} configurations: name one as {name}:INDEX, "
                    f"from 0 to {number - 1}"
                )
            index = sweep.configurations[0].index
        return self._checked(sweep, index)

    def sweep(self, name: str | None) -> SweepData:
        """A sweep by its id, the id of one of its runs, or its path; None for the newest one."""
        if name not in self._known:
            found = self._load(name)
            self._known[name] = next(
                (one for one in self._known.values() if one.sweep_id == found.sweep_id), found
            )
        return self._known[name]

    def _load(self, name: str | None) -> SweepData:
        journal = self._request.journal or _NO_JOURNAL
        named = self._request.tracking
        of = named if isinstance(named, MLflow) else MLflow()
        try:
            return load_sweep(
                name,
                path=of.path,
                uri=of.uri,
                experiment=of.experiment,
                journal=journal,
                partial=self._partial,
            )
        except DataError as error:
            told = str(error).replace("partial=True gives them", "--partial takes them")
            raise DataError(told) from None

    def _one(self, name: str | None) -> tuple[SweepData, int | None]:
        """A sweep, and the index of the configuration that is meant; None for all of it."""
        if name is None or os.path.exists(name) or _SWEEP_ID.fullmatch(name):
            return self.sweep(name), None
        if match := _ONE.fullmatch(name):
            return self.sweep(match["sweep"] or None), self._checked_index(match)
        if not _RUN_ID.fullmatch(name):
            raise UsageError(_unknown(name))
        place = self.runs.place_of(name)
        if place is None:
            raise DataError(f"no sweep has the run {name!r}: looked in {self.runs.shown}")
        return self.sweep(place.sweep_id), place.index

    def _checked_index(self, match: re.Match[str]) -> int:
        index = int(match["index"])
        return self._checked(self.sweep(match["sweep"] or None), index)[1]

    def _checked(self, sweep: SweepData, index: int) -> Place:
        try:
            sweep.row(index)
        except ConfigError:
            known = [one.index for one in sweep.configurations]
            raise UsageError(
                f"sweep {sweep.sweep_id} has no configuration {index}: there are {len(known)}, "
                f"from {min(known)} to {max(known)}"
            ) from None
        return sweep, index

    def _yours(self, beside: SweepData) -> Place:
        """The newest measurement of the configuration as it is set up, over the questions of `beside`."""
        shipped, basis = self._request.shipped, beside.basis
        for sweep in (beside, *self._kept()):
            same = (sweep.basis.gold_hash, sweep.basis.corpus_hash) == (basis.gold_hash, basis.corpus_hash)
            for one in sweep.configurations if same and sweep.k == beside.k else ():
                if one.failure is None and not other_knobs(one.params, shipped):
                    return self.sweep(sweep.sweep_id), one.index
        raise UsageError(
            f"{YOURS}: your configuration as it stands wasn't measured over the documents and the gold of "
            f"{beside.sweep_id} at k = {beside.k}, or isn't kept in the journal: `rag-sweep run` measures it"
        )

    def _kept(self) -> Iterator[SweepData]:
        """What the journal has and is complete, single configurations too, the newest first."""
        folders = Path(self._request.journal or _NO_JOURNAL).glob("*.*")
        begun = [folder for folder in folders if (folder / HEAD).is_file()]
        for folder in sorted(begun, key=lambda folder: folder.name.partition(".")[2], reverse=True):
            with suppress(DataError):
                yield load_sweep(folder)

    def _named(self, name: str) -> Place:
        """A configuration of the newest sweep by its name, or the best one."""
        sweep = self.sweep(None)
        if name == "best":
            return sweep, best_index(sweep)
        found = [one.index for one in sweep.configurations if one.name == name]
        if not found:
            newest = f"the newest sweep, {sweep.sweep_id}, has no configuration of that name"
            raise UsageError(f"{_unknown(name)}; {newest}")
        return sweep, found[0]


def best_index(sweep: SweepData) -> int:
    """The index of the configuration with the highest mean of the sweep's objective; the first of equal ones.

    Raises
    ------
    DataError
        If all have failed.
    """
    means = sweep.means[:, sweep.columns.index(sweep.objective)].tolist()
    members = zip(means, sweep.configurations, strict=True)
    alive = [(-mean, one.index) for mean, one in members if one.failure is None]
    if not alive:
        raise DataError(f"every configuration of sweep {sweep.sweep_id} has failed")
    return min(alive)[1]


def journal_of(sweep: StoredSweep) -> Path | None:
    """The folder of the journal that a sweep was read from; None if it was read from elsewhere."""
    folder = sweep.file.parent
    return folder if (folder / HEAD).is_file() else None


def _indexes(sweep: SweepData) -> Iterable[int]:
    return (one.index for one in sweep.configurations)


def _is_place(name: str) -> bool:
    """True for what can't be the name of a configuration."""
    forms = (_SWEEP_ID.fullmatch, _RUN_ID.fullmatch, _ONE.fullmatch)
    return os.path.exists(name) or any(form(name) for form in forms)


def _unknown(name: str) -> str:
    told = name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}…"
    return (
        f"{told!r} names nothing: give the id of a sweep (like 20260131-120000-a1b2c3) or of an MLflow run "
        "(32 hex digits), the path of a sweep.npz or of a journal, or SWEEP:INDEX for one configuration"
    )
