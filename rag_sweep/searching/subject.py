"""What is searched, and with which configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rag_sweep.champion import Champion
from rag_sweep.champion.finding import NAME, find, is_trusted
from rag_sweep.champion.options import promoted_file
from rag_sweep.config import build
from rag_sweep.config.asked import CHOOSING, Asked
from rag_sweep.config.program import make_importable
from rag_sweep.configuration import Configuration
from rag_sweep.dataset.files import documents_alone
from rag_sweep.errors import UsageError
from rag_sweep.index import Index
from rag_sweep.pipeline import Settings
from rag_sweep.records import Corpus, Dataset
from rag_sweep.searching.building import built
from rag_sweep.searching.request import Wish, asked_of
from rag_sweep.store.entry import Store
from rag_sweep.tracking.registry import CHAMPION, Registry


@dataclass(frozen=True, eq=False)
class Subject:
    """An index that can be asked.

    Attributes
    ----------
    told
        Which configuration it is, and over what, for people.
    index
        Ready to be asked.
    settings
        Its k is that of the configuration.
    store
        Where models' answers about single texts are remembered.
    notes
        What the user should know.
    """

    told: str
    index: Index
    settings: Settings
    store: Store
    notes: tuple[str, ...]
    _load: Callable[[], Dataset]

    @cached_property
    def dataset(self) -> Dataset:
        """The documents and the GOLD as they are now.

        Raises
        ------
        UsageError
            If there is no GOLD.
        DataError
            If they can't be read.
        """
        return self._load()


def subject_of(asked: Asked, wish: Wish) -> Subject:
    """The promoted configuration, or the one that is chosen.

    Raises
    ------
    UsageError
        If a champion is named and another configuration chosen, or two kinds of documents; if several were
        promoted and none is named.
    ConfigError, DataError, TrackingError, StageFailed
        For what can't be read or built.
    """
    chosen, dataset = asked.sets(*CHOOSING), asked.sets("dataset")
    if wish.champion is not None and chosen is not None:
        raise UsageError(f"{chosen}: a champion searches as it was promoted; leave one of both out")
    if wish.documents is not None and dataset is not None:
        raise UsageError(f"--docs and {dataset} both name documents: give one of them")
    make_importable()
    if chosen is None and (wish.champion is not None or _is_promoted(asked)):
        trust = is_trusted(wish.trust)
        return _of_champion(find(wish.champion, tracking=asked.tracking, trust=trust), asked, wish)
    file = promoted_file(asked.config_dir) if chosen is None else None
    return _of_configuration(asked, wish) if file is None else _of_file(file, asked, wish)


def _is_promoted(asked: Asked) -> bool:
    return asked.tracking is not None and Registry(asked.tracking).find(NAME, CHAMPION) is not None


def _of_champion(champion: Champion, asked: Asked, wish: Wish) -> Subject:
    """As it was promoted, over its own documents or over those that are named."""
    told = f"the promoted configuration ({champion.title}"
    store = build.component(asked.config, "store").open()
    if wish.documents is None and asked.sets("dataset") is None:
        return Subject(
            told=f"{told}, its index of {_documents(champion.corpus)})",
            index=champion.index,
            settings=champion.configuration.settings,
            store=store,
            notes=(),
            _load=champion.dataset,
        )
    return _built(f"{told})", champion.configuration, asked, wish, store)


def _of_file(file: Path, asked: Asked, wish: Wish) -> Subject:
    """What was promoted into the config directory, over its own documents or over those that are named."""
    own = [*asked.without("dataset"), f"promoted={file.stem}"]
    promoted = asked_of(own, asked.config_dir)
    configuration = build.configuration(promoted.config, promoted.choices, 0, promoted.overrides)
    store = build.component(asked.config, "store").open()
    source = promoted if asked.sets("dataset") is None else asked
    return _built(f"the promoted configuration {file.stem} ({file})", configuration, source, wish, store)


def _of_configuration(asked: Asked, wish: Wish) -> Subject:
    configuration = build.configuration(asked.config, asked.choices, 0, asked.overrides)
    own = asked.without("dataset", "tracking", "store", "journal", "k")
    told = f"this configuration ({' '.join(own)})" if own else "the configuration as shipped"
    if not own and asked.tracking is not None:
        told += f"; no {NAME} is promoted in {Registry(asked.tracking).shown}"
    return _built(told, configuration, asked, wish, build.component(asked.config, "store").open())


def _built(told: str, configuration: Configuration, asked: Asked, wish: Wish, store: Store) -> Subject:
    if wish.documents is None:
        dataset: Dataset = build.component(asked.config, "dataset").load()
        corpus, over, warnings = dataset.corpus, dataset.name, dataset.warnings
    else:
        (corpus, warnings), over = documents_alone(wish.documents), str(wish.documents)
    made = built(configuration.pipeline, corpus, store)
    computed = f"computed now: {', '.join(made.computed)}" if made.computed else "all from the store"
    return Subject(
        told=f"{told}, over {_documents(corpus)} of {over}; {computed}",
        index=made.index,
        settings=configuration.settings,
        store=store,
        notes=(*warnings, *store.notes()),
        _load=_no_gold if wish.documents is not None else lambda: dataset,
    )


def _no_gold() -> Dataset:
    raise UsageError("--docs has no GOLD, so no question of it can be asked: name a dataset=…")


def _documents(corpus: Corpus) -> str:
    return f"{len(corpus):,} document{'' if len(corpus) == 1 else 's'}"
