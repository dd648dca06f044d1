"""What is judged: a configuration, measured here and now, or another system's rankings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rag_sweep.champion.finding import find
from rag_sweep.config import build
from rag_sweep.config.program import make_importable
from rag_sweep.configuration import Configuration
from rag_sweep.errors import DataError, UsageError
from rag_sweep.gate.request import CHOOSING, Asked, Wish
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
    if not asked.sets(*CHOOSING) and has_champion(asked, wish):
        return _promoted(asked, wish)
    configuration = build.configuration(asked.config, asked.choices, 0, asked.overrides)
    dataset: Dataset = build.component(asked.config, "dataset").load()
    return _measured(configuration, dataset, asked, wish, ())


def has_champion(asked: Asked, wish: Wish) -> bool:
    """True if the registry that the configuration names has one; no store is made."""
    return asked.tracking is not None and Registry(asked.tracking).find(wish.model, CHAMPION) is not None


def _promoted(asked: Asked, wish: Wish) -> Current:
    champion = find(None, tracking=asked.tracking, name=wish.model, trust=wish.trust)
    configuration = champion.configuration
    if asked.sets("k", "cutoffs", "evidence"):
        configuration = replace(configuration, settings=build.settings(asked.config))
    if asked.sets("dataset"):
        dataset: Dataset = build.component(asked.config, "dataset").load()
    else:
        make_importable()
        dataset = champion.dataset()
    told = f"the promoted configuration is judged: {champion.title} ({champion.source})"
    return _measured(configuration, dataset, asked, wish, (told,))


def _measured(
    configuration: Configuration, dataset: Dataset, asked: Asked, wish: Wish, notes: tuple[str, ...]
) -> Current:
    if not dataset.gold.answerable:
        raise DataError("no question of the gold has a relevant document, so nothing has a value")
    store = build.component(asked.config, "store").open()
    outcome = evaluate_single(configuration, dataset, store)
    card = Scorecard.of_outcome(configuration, dataset, outcome, filters=wish.filters)
    return Current(card, (*dataset.warnings, *notes, *store.notes()))


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
