"""What is judged: a configuration, measured here and now, or another system's rankings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rag_sweep.champion.finding import find
from rag_sweep.config import build
from rag_sweep.config.asked import CHOOSING, Asked
from rag_sweep.config.program import make_importable
from rag_sweep.configuration import Configuration
from rag_sweep.errors import DataError, UsageError
from rag_sweep.gate.request import Wish
from rag_sweep.measures import Measure
from rag_sweep.records import Dataset
from rag_sweep.scorecard import Scorecard
from rag_sweep.scoring import Score, score
from rag_sweep.single import evaluate_single
from rag_sweep.tracking.registry import CHAMPION, Registry


@dataclass(frozen=True)
class Current:
    """The scorecard, and what the user should know about how it came about."""

    card: Scorecard
    notes: tuple[str, ...] = ()


def current_of(asked: Asked, wish: Wish) -> Current:
    """Measure what is to be judged; nothing is kept but in the store, nothing tracked.

    Raises
    ------
    StageFailed
        If the configuration fails while it runs.
    UsageError, ConfigError, DataError
        For wrong input.
    """
    if wish.rankings is not None:
        return _of_rankings(asked, wish)
    if wish.gold is not None:
        raise UsageError("--gold belongs to --rankings; a configuration needs documents: dataset=…")
    subject = subject_of(asked, wish, "judged")
    store = build.component(asked.config, "store").open()
    outcome = evaluate_single(subject.configuration, subject.dataset, store)
    card = Scorecard.of_outcome(subject.configuration, subject.dataset, outcome, filters=wish.filters)
    return Current(card, (*subject.notes, *store.notes()))


@dataclass(frozen=True)
class Subject:
    """A configuration that isn't measured yet, and over what; the notes are for the user."""

    configuration: Configuration
    dataset: Dataset
    notes: tuple[str, ...]


def subject_of(asked: Asked, wish: Wish, verb: str) -> Subject:
    """The promoted configuration, unless the overrides choose another or nothing is promoted.

    Parameters
    ----------
    verb
        What is done with it, for people: ``judged``.

    Raises
    ------
    UsageError, ConfigError, DataError
        For wrong input.
    """
    notes: tuple[str, ...] = ()
    if chooses(asked, wish):
        configuration = build.configuration(asked.config, asked.choices, 0, asked.overrides)
        dataset: Dataset = build.component(asked.config, "dataset").load()
    else:
        champion = find(None, tracking=asked.tracking, name=wish.model, trust=wish.trust)
        configuration = _measured_as_asked(champion.configuration, asked)
        make_importable()
        own = asked.sets("dataset") is None
        dataset = champion.dataset() if own else build.component(asked.config, "dataset").load()
        notes = (f"the promoted configuration is {verb}: {champion.title} ({champion.source})",)
    if not dataset.gold.answerable:
        raise DataError("no question of the gold has a relevant document, so nothing has a value")
    return Subject(configuration, dataset, (*dataset.warnings, *notes))


def chooses(asked: Asked, wish: Wish) -> bool:
    """True if the overrides, or the files as they are, choose the configuration; else it is the champion."""
    return asked.sets(*CHOOSING) is not None or not has_champion(asked, wish)


def has_champion(asked: Asked, wish: Wish) -> bool:
    """True if the registry that the configuration names has one; no store is made."""
    return asked.tracking is not None and Registry(asked.tracking).find(wish.model, CHAMPION) is not None


def _measured_as_asked(configuration: Configuration, asked: Asked) -> Configuration:
    """The promoted configuration at the cutoffs that are asked for; its objective stays as long as it can."""
    if asked.sets("k", "cutoffs", "evidence"):
        configuration = replace(configuration, settings=build.settings(asked.config))
    measured = {configuration.settings.k, *configuration.settings.cutoffs}
    if asked.sets("objective") or configuration.objective.k not in measured:
        objective = Measure.parse(str(asked.config["objective"]), "objective")
        configuration = replace(configuration, objective=objective)
    return configuration


def _of_rankings(asked: Asked, wish: Wish) -> Current:
    if wish.rankings is None:
        raise ValueError("there are no rankings")
    found = score(wish.rankings, wish.gold, asked.given)
    card = scorecard_of_score(found).filtered(wish.filters)
    notes = list(found.rankings.warnings)
    if found.missing:
        notes.append(
            f"{len(found.missing)} questions have no ranking, which counts 0: {_some(found.missing)}"
        )
    if found.unknown:
        notes.append(f"{len(found.unknown)} rankings are of no question, left out: {_some(found.unknown)}")
    return Current(card, tuple(notes))


def scorecard_of_score(found: Score) -> Scorecard:
    """The scorecard of rankings that were measured."""
    dataset = found.dataset
    return Scorecard.of_rankings(
        found.rankings.source.name,
        found.gold,
        found.evaluation,
        found.settings.cutoffs,
        dataset=found.rankings.source.name if dataset is None else dataset.name,
        corpus_hash=None if dataset is None else dataset.corpus.fingerprint,
        index_version=found.rankings.index_version,
    )


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
