"""One sweep on disk.

sweep.json             one checksummed line: what the sweep is (see `head`); written last of what begins it
configurations.jsonl   a checksummed line for each configuration: its name, params, overrides, config
results.jsonl          a checksummed line for each result: means, warnings, failure, and where its arrays are
ended                  where configurations came in batches: there is none to come
packs/<name>.pack      the arrays of the results that were computed together
lock                   held by the process that works on it

A result is there from the moment on when its line is; its pack has been written before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_sweep.configuration import Card, Configuration
from rag_sweep.errors import JournalError
from rag_sweep.execute import Outcome
from rag_sweep.files import write_whole
from rag_sweep.journal import codec, lines
from rag_sweep.journal.head import Head, card_json, card_of
from rag_sweep.journal.kept import OBJECTIVES, Encoder, Kept, kept
from rag_sweep.journal.packs import Packs
from rag_sweep.journal.shelf import CARDS, HEAD, NEW_HEAD, PACKS, Shelf, locked, remove
from rag_sweep.passages import Passages
from rag_sweep.result import Result
from rag_sweep.store.entry import Arrays
from rag_sweep.store.pack import Damaged

if TYPE_CHECKING:
    from filelock import FileLock

RESULTS, ENDED = "results.jsonl", "ended"


class Journal:
    """The journal of one sweep, which this process alone works on. Made by `begin`, `take_up`, `open`.

    Attributes
    ----------
    head
        What the sweep is.
    kept
        The results that it has, by the index of their configuration.
    damaged
        How many results had to be given up.
    """

    def __init__(self, folder: Path, lock: FileLock, head: Head) -> None:
        self.folder, self.head = folder, head
        self._lock = lock
        self._packs = Packs(folder / PACKS)
        self._passages: dict[str, Passages] = {}
        self._encoder = Encoder()
        self.kept: dict[int, Kept] = {}
        self.damaged = 0

    @classmethod
    def begin(cls, shelf: Shelf, head: Head, cards: Sequence[Card]) -> Journal:
        """A new journal. Raises JournalError if it can't be written."""
        try:
            with shelf.alone():
                shelf.sweep_out()
                folder, lock = shelf.new(head.identity, head.record.sweep_id)
                lines.append(folder / CARDS, map(card_json, cards))
                _write_head(folder, head)
        except OSError as error:
            raise _unwritten(shelf.path, error) from error
        journal = cls(folder, lock, head)
        journal.__dict__["cards"] = {card.index: card for card in cards}  # what reading them would give
        return journal

    @classmethod
    def take_up(cls, shelf: Shelf, identity: str) -> Journal | None:
        """The newest journal of this identity that no living process works on."""
        with shelf.alone():
            for folder in shelf.of(identity):
                journal = cls.open(folder)
                if journal is not None and journal.head.identity == identity:
                    return journal
                if journal is not None:
                    journal.close()
        return None

    @classmethod
    def open(cls, folder: Path) -> Journal | None:
        """A journal with all its whole results; None if it is none, or a living process works on it."""
        lock = locked(folder)
        if lock is None:
            return None
        with ExitStack() as unless_opened:
            unless_opened.callback(lock.release)
            head = read_head(folder)
            if head is None:
                return None
            journal = cls(folder, lock, head)
            journal._load()
            unless_opened.pop_all()
        return journal

    @property
    def is_complete(self) -> bool:
        """True if every configuration has its result."""
        if self.head.configurations is None:
            return (self.folder / ENDED).exists()
        return self.head.configurations == len(self.kept)

    def aim(self, tracking: Mapping[str, Any]) -> None:
        """Note where the sweep is to be tracked from now on."""
        if dict(tracking) != dict(self.head.tracking):
            self.head = replace(self.head, tracking=tracking)
            self._written(_write_head, self.folder, self.head)

    def end(self) -> None:
        """Say that no further configuration will come, where their number wasn't known."""
        if self.head.configurations is None:
            self._written((self.folder / ENDED).touch)

    def best_first(self) -> list[int]:
        """Indexes of the configurations that went well: the best objective first, equal ones in order."""
        means = {
            kept.index: kept.summary.mean(self.head.objective) for kept in self.kept.values() if kept.summary
        }
        return sorted(means, key=lambda index: (-means[index], index))

    @cached_property
    def cards(self) -> dict[int, Card]:
        """The configurations by index; a line that is none is passed over, as a damaged one is."""
        return {card.index: card for card in _cards(self.folder)}

    def describes(self, configuration: Configuration) -> bool:
        """True if it has the configuration's card; one of another sweep may stand in its place."""
        card = self.cards.get(configuration.index)
        return card is not None and card.fingerprint == configuration.fingerprint

    def add(self, cards: Sequence[Card]) -> None:
        """Take in further configurations, where a sweeper asks for them in batches."""
        if cards:
            self._written(lines.append, self.folder / CARDS, list(map(card_json, cards)))
            self.cards.update((card.index, card) for card in cards)

    def write(self, results: Sequence[tuple[Result, Outcome | None]]) -> None:
        """Keep results; they are on the disk when this returns.

        Raises
        ------
        JournalError
            If they can't be written; what was kept before stays.
        """
        entries, places = self._encoder.entries(results)
        pack = self._written(self._packs.write, entries) if entries else None
        self._add([kept(result, pack, places.get(at)) for at, (result, _) in enumerate(results)])

    def copy(self, index: int, alias_of: int) -> None:
        """Give the configuration `index` the result of `alias_of`, to which it is equal in effect."""
        self._add([replace(self.kept[alias_of], index=index, alias_of=alias_of)])

    def _add(self, new: Sequence[Kept]) -> None:
        plain = [{**one.to_json(), "configuration": self.cards[one.index].fingerprint} for one in new]
        self._written(lines.append, self.folder / RESULTS, plain)
        self.kept.update((one.index, one) for one in new)

    def outcome(self, index: int) -> Outcome | None:
        """The outcome of a configuration, read anew; None for a failed one.

        Raises
        ------
        JournalError
            If its file was damaged since the journal was opened.
        """
        if self.kept[index].pack is None:
            return None
        with self.reading():
            arrays, meta, passages = self.stored(index)
            return self.decoder.outcome(arrays, meta, passages)

    def stored(self, index: int) -> tuple[Arrays, Mapping[str, Any], Passages]:
        """What `codec.encode_outcome` made of an outcome, and its passages; not of a failed configuration.

        To be called in `reading`.
        """
        kept = self.kept[index]
        if kept.pack is None:
            raise ValueError(f"configuration {index} failed")
        arrays, meta = self._packs.read(kept.pack, kept.entry)
        return arrays, meta, self._passages_of(kept.pack, str(meta["chunking"]))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Whatever is wrong with a stored result is a JournalError that names the journal."""
        try:
            yield
        except (Damaged, OSError, KeyError, ValueError) as error:
            raise JournalError(f"a result in {self.folder} can't be read: {error}") from error

    @cached_property
    def decoder(self) -> codec.Decoder:
        """What all outcomes share."""
        return codec.Decoder.of(self.head.basis, self.head.settings)

    def close(self) -> None:
        """Let others work on it."""
        self._lock.release()

    def remove(self) -> None:
        """Remove it from the disk."""
        remove(self.folder, self._lock)

    def _written(self, write: Any, *arguments: Any) -> Any:
        try:
            return write(*arguments)
        except OSError as error:
            raise _unwritten(self.folder, error) from error

    def _passages_of(self, pack: str, key: str) -> Passages:
        if key not in self._passages:
            self._passages[key] = codec.decode_passages(self._packs.read(pack, key)[0])
        return self._passages[key]

    def _load(self) -> None:
        """Take in all results whose arrays are whole; the others will be computed anew."""
        every = list(_results(self.folder))
        found = {line["index"]: line for line in every if self._is_own(line)}
        named = {line["pack"] for line in found.values() if line["pack"] is not None}
        with suppress(OSError):  # what killed processes left
            for unfinished in self.folder.glob("*.new"):
                unfinished.unlink()
            (self.folder / PACKS).mkdir(exist_ok=True)
            self._packs.drop_others(named)
        objectives = {
            name: self._packs.read(name, OBJECTIVES)[0]["values"]
            for name in named
            if self._packs.is_whole(name)
        }
        read = {index: Kept.from_json(line, objectives) for index, line in found.items()}
        self.kept = {index: one for index, one in read.items() if one is not None}
        self.damaged = len({line["index"] for line in every}) - len(self.kept)

    def _is_own(self, line: Mapping[str, Any]) -> bool:
        """True for a result of one of this sweep's configurations."""
        card = self.cards.get(line["index"])
        return card is not None and card.fingerprint == line.get("configuration")


def _write_head(folder: Path, head: Head) -> None:
    write_whole(folder / HEAD, folder / NEW_HEAD, [lines.encoded(head.to_json())])


def kept_indexes(folder: Path) -> set[int]:
    """The configurations that a journal has results of, without taking it up or looking at their arrays."""
    return {line["index"] for line in _results(folder)}


def _results(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of results; one that doesn't say whose it is, is nobody's."""
    for line in lines.read(folder / RESULTS):
        if isinstance(line, dict) and isinstance(line.get("index"), int):
            yield line


def _cards(folder: Path) -> Iterator[Card]:
    for line in lines.read(folder / CARDS):
        with suppress(KeyError, TypeError, ValueError):
            yield card_of(line)


def read_head(folder: Path) -> Head | None:
    """What the journal in a folder is; None if it is none of this version."""
    with suppress(KeyError, TypeError, ValueError, OSError, StopIteration):
        return Head.from_json(next(lines.read(folder / HEAD)))
    return None


def _unwritten(folder: Path, error: OSError) -> JournalError:
    return JournalError(f"the journal {folder} can't be written: {error.strerror or error}")


def results_of(journal: Journal, configurations: Iterable[Any]) -> dict[int, Result]:
    """The results that a journal has of these configurations, by index."""
    found = ((c, journal.kept.get(c.index)) for c in configurations)
    return {c.index: Result(c, k.summary, k.failure, k.alias_of) for c, k in found if k is not None}
