"""Journals with results in them, as sweeps leave them, without running a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from pipelines import dataset_of, pipeline_of

from rag_sweep.configuration import Card, Configuration
from rag_sweep.execute import Outcome
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Settings
from rag_sweep.records import Basis, Dataset, Gold, Question, Span
from rag_sweep.result import Result
from rag_sweep.tracking.records import SweepRecord

SWEEP_ID = "20260131-120000-a1b2c3"
QUESTIONS = (
    Question("q0", "how many days of leave", {"leave": 2, "door": 1}, (Span("leave", 0, 12),), ("leave",)),
    Question("q1", "which card opens the door", {"door": 1, "leave": 0}),
    Question("q2", "xylophone", {"kitchen": 3}),
    Question("q3", "who books the tickets"),
)


@cache
def dataset() -> Dataset:
    """Four documents; one question finds nothing, and one has no answer."""
    texts = {
        "door": "The side door opens with the blue card. A lost card is blocked by the guard at the door.",
        "leave": "Twenty eight days of paid leave a year. Ask two weeks before the first of the days.",
        "kitchen": "The machine is cleaned on Fridays. Milk stands in the fridge beside the door.",
        "travel": "Tickets are booked by the office, many days before.",
    }
    return dataset_of(texts, QUESTIONS)


def made_up(questions: int, documents: int) -> Basis:
    """Questions about numbered documents, each with a relevant one."""
    ids = tuple(f"d{at:03}" for at in range(documents))
    asked = tuple(Question(f"q{at}", "", {ids[at % documents]: 1 + at % 3}) for at in range(questions))
    gold = Gold(asked)
    return Basis("made up", ids, gold, "c" * 64, gold.fingerprint)


def configuration_of(index: int, chosen: Settings | None = None) -> Configuration:
    """The configuration of that index in a journal of these."""
    cutoffs = chosen or Settings()
    params = {"lexical.k1": index, "chunker": f"c{index}"}
    return Configuration(
        index, (f"lexical.k1={index}",), params, pipeline_of(), cutoffs, Measure("ndcg", cutoffs.k)
    )


@contextmanager
def journal_of(
    folder: Path,
    results: Sequence[Outcome | str],
    *,
    configurations: int | None = None,
    basis: Basis | None = None,
    chosen: Settings | None = None,
    text: str = "full",
    sweep_id: str = SWEEP_ID,
    is_sweep: bool = True,
    batches: bool = False,
) -> Iterator[Journal]:
    """A journal of `configurations`, with these results of the first ones; a text is why one failed.

    With `batches` their number isn't known from the start.
    """
    settings = chosen or Settings()
    number = len(results) if configurations is None else configurations
    found = [configuration_of(index, settings) for index in range(number)]
    head = Head(
        identity="f" * 64,
        record=SweepRecord(sweep_id, "small sweep", tags={"sweep_id": sweep_id, "code": "0.1+x"}),
        basis=basis or dataset().basis,
        settings=settings,
        objective=f"ndcg@{settings.k}",
        is_sweep=is_sweep,
        configurations=None if batches else number,
        tracking={"text": text},
    )
    cards = [Card(c.index, c.overrides[0], c.overrides, c.params, c.fingerprint) for c in found]
    journal = Journal.begin(Shelf(folder), head, cards)
    try:
        journal.write(
            [
                (Result(c, None, one), None) if isinstance(one, str) else (Result.of(c, one), one)
                for c, one in zip(found, results, strict=False)
            ]
        )
        yield journal
    finally:
        journal.close()
