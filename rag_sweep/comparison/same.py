"""Whether sweeps can be compared: the same gold, k and objective; another corpus or code is said."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.errors import NotComparable
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Question

SHOWN = 5
"""Ids that a message names."""


def check_comparable(sweeps: Sequence[SweepData], objective: str | None) -> None:
    """Refuse sweeps whose values mean different things.

    Parameters
    ----------
    objective
        The measure that decides; None if it is that of the sweeps, which then must be one.

    Raises
    ------
    NotComparable
        If gold, k or objective differ; the message names the difference.
    """
    first = sweeps[0]
    for other in sweeps[1:]:
        found = list(_differences(first, other, objective))
        if found:
            pair = f"{_called(first)} and {_called(other)} can't be compared"
            raise NotComparable("\n".join([f"{pair}: {found[0]}", *found[1:]]))


def notes_on(sweeps: Sequence[SweepData]) -> tuple[str, ...]:
    """What differs without forbidding the comparison, and sweeps that have no end yet."""
    notes = [
        f"{_called(sweep)} isn't complete: {len(sweep.configurations)} of {sweep.planned or '?'} are there"
        for sweep in sweeps
        if not sweep.is_complete
    ]
    notes += [f"{_called(sweep)}: {note}" for sweep in sweeps for note in sweep.notes]
    corpora = [
        f"{_called(s)} {s.basis.name} {s.basis.corpus_hash[:8]}, {len(s.doc_ids)} documents" for s in sweeps
    ]
    if len({sweep.basis.corpus_hash for sweep in sweeps}) > 1:
        notes.append(f"the corpora differ, so a difference may be theirs: {'; '.join(corpora)}")
    if len({sweep.code for sweep in sweeps}) > 1:
        versions = "; ".join(f"{_called(sweep)} {sweep.code or 'unknown'}" for sweep in sweeps)
        notes.append(f"the versions of the code differ, so a difference may be theirs: {versions}")
    return tuple(notes)


def _called(sweep: SweepData) -> str:
    return f"sweep {sweep.sweep_id}"


def _differences(first: SweepData, other: SweepData, objective: str | None) -> list[str]:
    found = []
    if first.basis.gold_hash != other.basis.gold_hash:
        found.append(f"the gold differs: {_of_gold(first, other)}")
    if first.k != other.k:
        found.append(f"k differs: {first.k} and {other.k}")
    if objective is None and first.objective != other.objective:
        found.append(f"the objective differs: {first.objective} and {other.objective}")
    return found


def _of_gold(first: SweepData, other: SweepData) -> str:
    """In words what differs between two golds."""
    here, there = ({q.query_id: q for q in sweep.questions} for sweep in (first, other))
    parts = [f"{len(here)} and {len(there)} questions"] if len(here) != len(there) else []
    versions = first.basis.gold.version, other.basis.gold.version
    if versions[0] != versions[1]:
        parts.append(f"versions {versions[0] or 'unnamed'} and {versions[1] or 'unnamed'}")
    for ids, where in ((here.keys() - there.keys(), "first"), (there.keys() - here.keys(), "second")):
        if ids:
            parts.append(f"only in the {where}: {_listed(sorted(ids))}")
    both = sorted(here.keys() & there.keys())
    changed = [query_id for query_id in both if _content(here[query_id]) != _content(there[query_id])]
    if changed:
        parts.append(f"other judgements, spans or tags: {_listed(changed)}")
    if not (first.has_text and other.has_text):
        parts.append("the texts of the questions were kept back")
    else:
        reworded = [query_id for query_id in both if here[query_id].text != there[query_id].text]
        parts += [f"other words: {_listed(reworded)}"] if reworded else []
    hashes = f"{first.basis.gold_hash[:8]} and {other.basis.gold_hash[:8]}"
    return f"{hashes}; {'; '.join(parts) or 'the order of the questions'}"


def _content(question: Question) -> tuple[object, ...]:
    return dict(question.grades), sorted(map(str, question.spans)), sorted(question.tags)


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more
