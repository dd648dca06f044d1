"""What is judged: a configuration, measured here and now, or another system's rankings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_sweep.champion.finding import NAME, find
from rag_sweep.champion.options import promoted_file, promoted_files
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
    """The scorecard, and what the user should know about how it came about.

    Attributes
    ----------
    judged
        In a few words what was measured and over what; the first line of a report says it.
    again
        Overrides that, in front of those of the command, give this configuration over these documents:
        ``promoted=rag-sweep``, or none at all; None where no overrides do.
    """

    card: Scorecard
    judged: str
    again: tuple[str, ...] | None = None
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
    if _keeps_back(asked.config.get("tracking")):
        card = replace(card, texts=None)
    judged = f"{subject.told} on {subject.dataset.name}"
    return Current(card, judged, subject.again, (*subject.notes, *store.notes()))


@dataclass(frozen=True)
class Subject:
    """A configuration that isn't measured yet, and over what; the notes are for the user.

    Attributes
    ----------
    told
        The configuration in a few words.
    again
        As of `Current`.
    """

    configuration: Configuration
    dataset: Dataset
    notes: tuple[str, ...]
    told: str
    again: tuple[str, ...] | None = ()


def subject_of(asked: Asked, wish: Wish, verb: str) -> Subject:
    """The promoted configuration, unless the overrides choose another or nothing is promoted.

    What was promoted is looked for in the registry first, then in ``conf/promoted``, which a fresh checkout
    has too. The handbook that comes with rag-sweep stands in for no documents of the user without a note.

    Parameters
    ----------
    verb
        What is done with it, for people: ``judged``.

    Raises
    ------
    UsageError, ConfigError, DataError
        For wrong input.
    """
    if asked.sets(*CHOOSING) is not None:
        found = _composed(asked, verb)
    elif has_champion(asked, wish):
        found = _champion(asked, wish, verb)
    elif (file := _file(asked, wish)) is not None:
        found = _of_file(file, asked, verb)
    else:
        found = _composed(asked, verb)
    if not found.dataset.gold.answerable:
        raise DataError("no question of the gold has a relevant document, so nothing has a value")
    return replace(found, notes=(*found.dataset.warnings, *found.notes))


def _composed(asked: Asked, verb: str) -> Subject:
    """What the overrides give, or the files as they are."""
    configuration = build.configuration(asked.config, asked.choices, 0, asked.overrides)
    dataset: Dataset = build.component(asked.config, "dataset").load()
    promoted = asked.sets("promoted")
    origin = f", from {promoted}" if promoted else "" if asked.sets(*CHOOSING) else ", as shipped"
    return Subject(configuration, dataset, _bundled(asked, verb), f"{configuration.summary}{origin}")


def _champion(asked: Asked, wish: Wish, verb: str) -> Subject:
    champion = find(None, tracking=asked.tracking, name=wish.model, trust=wish.trust)
    configuration = _measured_as_asked(champion.configuration, asked)
    make_importable()
    own = asked.sets("dataset") is None
    dataset = champion.dataset() if own else build.component(asked.config, "dataset").load()
    note = f"the promoted configuration is {verb}: {champion.title} ({champion.source})"
    has_file = wish.model in (file.stem for file in promoted_files(asked.config_dir))
    again = () if not own else (f"promoted={wish.model}",) if has_file else None
    return Subject(configuration, dataset, (note,), f"the promoted configuration {champion.title}", again)


def _of_file(file: Path, asked: Asked, verb: str) -> Subject:
    """As a champion: the overrides change what is measured and over what, but nothing of the pipeline."""
    again = f"promoted={file.stem}"
    own = [*asked.without("dataset", "k", "cutoffs", "evidence", "objective"), again]
    from_file = Asked.of(own, asked.config_dir, {}, "a gate")
    configuration = build.configuration(from_file.config, from_file.choices, 0, from_file.overrides)
    source = from_file if asked.sets("dataset") is None else asked
    return Subject(
        _measured_as_asked(configuration, asked),
        build.component(source.config, "dataset").load(),
        (f"the promoted configuration is {verb}: {file.stem} ({file})",),
        f"the promoted configuration {file.stem}",
        (again,),
    )


def _file(asked: Asked, wish: Wish) -> Path | None:
    return promoted_file(asked.config_dir, wish.model)


def _bundled(asked: Asked, verb: str) -> tuple[str, ...]:
    """Says that the handbook is judged, where nobody named it."""
    if asked.choices.get("dataset") != "handbook" or asked.sets("dataset", "promoted") is not None:
        return ()
    files = promoted_files(asked.config_dir)
    stem = next((file.stem for file in files if file.stem == NAME), files[0].stem if files else None)
    start = f"promoted={stem} starts from what was promoted here and its documents; " if stem else ""
    told = f"no dataset is named: what is {verb} is the handbook that comes with rag-sweep, none of your own"
    return (f"{told} documents; {start}dataset=files dataset.documents=… dataset.gold=… names yours",)


def chooses(asked: Asked, wish: Wish) -> bool:
    """True if the overrides, or the files as they are, choose the configuration; else what was promoted."""
    if asked.sets(*CHOOSING) is not None:
        return True
    return not has_champion(asked, wish) and _file(asked, wish) is None


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


def _keeps_back(tracking: Any) -> bool:
    """True for ``tracking.text=none``, also where a champion's own configuration doesn't say so."""
    return isinstance(tracking, Mapping) and tracking.get("text") == "none"


def _of_rankings(asked: Asked, wish: Wish) -> Current:
    if wish.rankings is None:
        raise ValueError("there are no rankings")
    found = score(wish.rankings, wish.gold, asked.given)
    card = scorecard_of_score(found).filtered(wish.filters)
    notes = [*found.rankings.warnings, *(_bundled(asked, "judged") if wish.gold is None else ())]
    if found.missing:
        notes.append(
            f"{len(found.missing)} questions have no ranking, which counts 0: {_some(found.missing)}"
        )
    if found.unknown:
        notes.append(f"{len(found.unknown)} rankings are of no question, left out: {_some(found.unknown)}")
    over = str(wish.gold) if found.dataset is None else found.dataset.name
    return Current(card, f"{card.name} on {over}", notes=tuple(notes))


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
