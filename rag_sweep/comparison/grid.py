"""The configurations that are compared: rows of one or several sweeps over the same questions, best first."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.comparison.knobs import CORPUS, Knob, Params, knobs_of
from rag_sweep.comparison.same import check_comparable, notes_on
from rag_sweep.comparison.words import brief
from rag_sweep.errors import DataError
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ConfigurationRecord
from rag_sweep.records import Question
from rag_sweep.statistics.table import settled
from rag_sweep.tracking.content import param_text

BRANCHES = {"lexical": "lexical", "dense": "embedder"}
"""The group that only a branch of the pipeline uses; the analyzer may be read by an embedder too."""

NO_RERANKER = "none"


@dataclass(frozen=True)
class Member:
    """One configuration of a grid.

    Attributes
    ----------
    sweep
        The number of its sweep.
    at
        Where it stands in the arrays of its sweep.
    record
        What the sweep says of it.
    name
        What differs from the others, short.
    """

    sweep: int
    at: int
    record: ConfigurationRecord
    name: str

    @property
    def place(self) -> tuple[int, int]:
        """Which one it is: the number of its sweep, and its index there."""
        return self.sweep, self.record.index


@dataclass(frozen=True, eq=False)
class Grid:
    """Configurations with their values; row numbers count from the best one.

    Attributes
    ----------
    sweeps
        Where they come from.
    objective, k
        The measure that decides, and the cutoff of the sweeps.
    members
        The configurations that have values: highest mean first, equal ones in the order of their sweeps.
    failed
        Those that have none.
    values : float64, shape (members, answerable questions)
        The objective.
    knobs
        What differs between members.
    notes
        What a reader must know of the comparison.
    """

    sweeps: tuple[SweepData, ...]
    objective: str
    k: int
    members: tuple[Member, ...]
    failed: tuple[Member, ...]
    values: FloatArray
    knobs: tuple[Knob, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, *sweeps: SweepData, objective: str | None = None) -> Grid:
        """All configurations of some sweeps; errors as in `chosen`."""
        return cls.chosen(
            [(sweep, one.index) for sweep in sweeps for one in sweep.configurations], objective=objective
        )

    @classmethod
    def chosen(cls, pairs: Iterable[tuple[SweepData, int]], *, objective: str | None = None) -> Grid:
        """Some configurations, each given by its sweep and its index there; given twice it counts once.

        Parameters
        ----------
        objective
            The measure that decides; None for that of the sweeps.

        Raises
        ------
        NotComparable
            If the sweeps differ in gold, k or objective; the message names the difference.
        DataError
            If no configuration has values, or no question is answerable.
        ConfigError
            For an objective that doesn't exist, and an index that isn't there.
        """
        sweeps, places = _united(pairs)
        check_comparable(sweeps, objective)
        measure = objective or sweeps[0].objective
        members = [_member(sweeps, *place) for place in sorted(places)]
        alive = [one for one in members if one.record.failure is None]
        failed = tuple(one for one in members if one.record.failure is not None)
        values = _values(sweeps, alive, measure)
        order = _best_first(values, alive)
        ranked = [alive[row] for row in order]
        knobs = [knob.reordered(order) for knob in _knobs(sweeps, alive)]
        named = tuple(_named(sweeps, ranked, knobs))
        notes = (*notes_on(sweeps), *([_note_of(failed)] if failed else []))
        return cls(sweeps, measure, sweeps[0].k, named, failed, values[order], tuple(knobs), notes)

    def __len__(self) -> int:
        return len(self.members)

    @property
    def answerable(self) -> BoolArray:
        """Which questions have values, shape (questions,)."""
        return self.sweeps[0].judgements.answerable

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """The answerable questions, with their texts if any sweep has kept them."""
        told = next((sweep for sweep in self.sweeps if sweep.has_text), self.sweeps[0])
        return tuple(q for q, there in zip(told.questions, self.answerable, strict=True) if there)

    @property
    def has_text(self) -> bool:
        """False if the texts of the questions were kept back."""
        return any(sweep.has_text for sweep in self.sweeps)

    @cached_property
    def mean(self) -> FloatArray:
        """Of the objective over the answerable questions, shape (members,)."""
        return settled(self.values.mean(axis=1))

    @cached_property
    def root(self) -> IntArray:
        """For each member the first one that is equal to it in effect, itself if there is none before."""
        first: dict[int, int] = {}
        equals = _equals(self.members)
        return np.array([first.setdefault(number, row) for row, number in enumerate(equals)], np.int64)

    @cached_property
    def main(self) -> IntArray:
        """The members that count: of those that are equal in effect, the first one; rising."""
        result: IntArray = np.flatnonzero(self.root == np.arange(len(self)))
        return result

    @cached_property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """For each member, those of `main` that rank every question's documents the same, without itself."""
        depth = min(sweep.documents.shape[-1] for sweep in self.sweeps)
        groups: dict[tuple[str, bytes], list[int]] = defaultdict(list)
        key = {}
        for row in self.main.tolist():
            one, sweep = self.members[row], self.sweeps[self.members[row].sweep]
            ranks = np.ascontiguousarray(sweep.documents[one.at, :, :depth])
            key[row] = sweep.basis.corpus_hash, hashlib.blake2b(ranks.tobytes()).digest()
            groups[key[row]].append(row)
        return tuple(
            tuple(other for other in groups[key[root]] if other != root) for root in self.root.tolist()
        )

    def column(self, measure: str) -> FloatArray:
        """The mean of a measure at any kept cutoff over the answerable questions, shape (members,)."""
        by_sweep = {
            number: sweep.means[:, sweep.columns.index(measure)]
            for number, sweep in enumerate(self.sweeps)
            if measure in sweep.columns
        }
        found = [by_sweep[m.sweep][m.at] if m.sweep in by_sweep else np.nan for m in self.members]
        return settled(np.array(found, dtype=np.float64))


def _united(
    pairs: Iterable[tuple[SweepData, int]],
) -> tuple[tuple[SweepData, ...], list[tuple[int, int]]]:
    """Each sweep once, and the configurations by the number of their sweep and their place there."""
    sweeps: dict[str, SweepData] = {}
    places: dict[tuple[str, int], None] = {}
    for sweep, index in pairs:
        known = sweeps.setdefault(sweep.sweep_id, sweep)
        places[known.sweep_id, known.row(index)] = None
    if not places:
        raise DataError("there is nothing to compare: no configuration was given")
    number = {sweep_id: at for at, sweep_id in enumerate(sweeps)}
    return tuple(sweeps.values()), [(number[sweep_id], row) for sweep_id, row in places]


def _member(sweeps: Sequence[SweepData], sweep: int, at: int) -> Member:
    record = sweeps[sweep].configurations[at]
    return Member(sweep, at, record, record.name)


def _values(sweeps: Sequence[SweepData], members: Sequence[Member], measure: str) -> FloatArray:
    """Shape (members, answerable questions)."""
    answerable = sweeps[0].judgements.answerable
    if not members:
        raise DataError("there is nothing to compare: every configuration has failed")
    if not answerable.any():
        raise DataError("there is nothing to compare: no question of the gold has a relevant document")
    columns = [sweep.column(measure)[:, answerable] for sweep in sweeps]
    values: FloatArray = np.stack([columns[one.sweep][one.at] for one in members])
    return values


def _best_first(values: FloatArray, members: Sequence[Member]) -> list[int]:
    means = settled(values.mean(axis=1)).tolist()
    return sorted(range(len(members)), key=lambda row: (-means[row], members[row].place))


def _knobs(sweeps: Sequence[SweepData], members: Sequence[Member]) -> tuple[Knob, ...]:
    return knobs_of(_params(sweeps, members), _idle(sweeps, members), _equals(members))


def _params(sweeps: Sequence[SweepData], members: Sequence[Member]) -> list[Params]:
    """Params, with the corpus where configurations searched different ones."""
    hashes = list(dict.fromkeys(sweep.basis.corpus_hash for sweep in sweeps))
    if len(hashes) == 1:
        return [one.record.params for one in members]
    names = [f"{sweep.basis.name} {sweep.basis.corpus_hash[:8]}" for sweep in sweeps]
    return [{CORPUS: names[one.sweep], **one.record.params} for one in members]


def _idle(sweeps: Sequence[SweepData], members: Sequence[Member]) -> list[frozenset[str]]:
    """For each configuration the groups of branches that it doesn't read."""
    first = int(np.flatnonzero(sweeps[0].judgements.answerable)[0])
    used = [
        {name: ~np.isnan(sweep.pool_recall[name][:, first]) for name in BRANCHES if name in sweep.pool_recall}
        for sweep in sweeps
    ]
    return [_idle_groups(used[one.sweep], one) for one in members]


def _idle_groups(used: Mapping[str, BoolArray], member: Member) -> frozenset[str]:
    """A reranker may read a branch that the fusion doesn't: then nothing is known to be idle.

    The analyzer is left to be found by `knobs.knobs_of`: some embedders read its tokens.
    """
    if member.record.params.get("reranker") != NO_RERANKER:
        return frozenset()
    return frozenset(
        group for name, group in BRANCHES.items() if name not in used or not used[name][member.at]
    )


def _equals(members: Sequence[Member]) -> list[int]:
    """Equal numbers for configurations of a sweep that are equal in effect."""
    seen: dict[tuple[int, int], int] = {}
    return [
        seen.setdefault(
            (m.sweep, m.record.index if m.record.alias_of is None else m.record.alias_of), len(seen)
        )
        for m in members
    ]


def _named(sweeps: Sequence[SweepData], members: Sequence[Member], knobs: Sequence[Knob]) -> Iterable[Member]:
    """With names that tell them apart, also across sweeps."""
    names = [one.name for one in members]
    if len(sweeps) > 1:
        names = [_label(knobs, row) or one.name for row, one in enumerate(members)]
        times = Counter(names)
        names = [
            f"{name} (sweep {one.sweep + 1})" if times[name] > 1 else name
            for name, one in zip(names, members, strict=True)
        ]
    for name, one in zip(names, members, strict=True):
        yield Member(one.sweep, one.at, one.record, name)


def _label(knobs: Sequence[Knob], row: int) -> str:
    parts = []
    for knob in knobs:
        value = knob.value(row)
        if value is not None:
            parts.append(f"{knob.short}={param_text(value)}" if "." in knob.key else param_text(value))
    return " ".join(parts)


def _note_of(failed: Sequence[Member]) -> str:
    if len(failed) > 1:
        return f"{len(failed)} configurations failed and are not compared"
    return f"1 configuration failed and is not compared: {brief(failed[0].name)}"
