"""Sweeps in a journal, and a chunker that notes each of its calls and waits where a test wants it to."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pipelines import dataset_of, pipeline_of, run

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.configuration import Card, Configuration
from rag_sweep.errors import RagSweepError
from rag_sweep.execute import Outcome
from rag_sweep.fusion import LexicalOnly
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.lexical import BM25
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.records import Dataset, Question, Span
from rag_sweep.report.record import card, differing, sweep_record
from rag_sweep.reranker import ZSum
from rag_sweep.result import Result, Summary

IDENTITY = "ab" * 32
DATASET = dataset_of(
    {
        "leave": "twenty eight days of paid leave a year, and ask the manager two weeks before",
        "vpn": "install the client, error 812 means a wrong password",
        "trips": "tickets are booked by the office and the allowance is 700",
        "empty": "",
    },
    [
        Question("q1", "how many days of paid leave", {"leave": 2, "trips": 0}, (Span("leave", 0, 27),)),
        Question("q2", "error 812", {"vpn": 1, "leave": 1}),
        Question("q3", "zebra", {"trips": 1}),
        Question("q4", "", {"trips": 1}),
        Question("q5", "is there water on the moon", {}),
    ],
)
"""Questions that find nothing, have no token or no answer are among them."""

PIPELINES = (
    pipeline_of(),
    pipeline_of(chunker=FixedChunker(4, 1), lexical=BM25(0.5, 0.2)),
    pipeline_of(fusion=LexicalOnly()),
    pipeline_of(reranker=ZSum(depth=3)),
)
"""One whose passages are its documents, one where they aren't, one that finds nothing for a question."""

Kept = tuple[Result, Outcome | None]


def configurations_of(*pipelines: Pipeline, settings: Settings | None = None) -> list[Configuration]:
    """Configurations of these pipelines in their order."""
    chosen = settings or Settings()
    return [
        Configuration(at, (f"at={at}",), {"at": at}, one, chosen, Measure("ndcg", chosen.k), {"at": at})
        for at, one in enumerate(pipelines)
    ]


def results_of(configurations: Sequence[Configuration], dataset: Dataset = DATASET) -> list[Kept]:
    """What the configurations give; one whose pipeline stands there already is its alias."""
    first: dict[Pipeline, int] = {}
    found: list[Kept] = []
    outcomes = run(dataset, *(c.pipeline for c in configurations), settings=configurations[0].settings)
    for configuration, outcome in zip(configurations, outcomes, strict=True):
        index = first.setdefault(configuration.pipeline, configuration.index)
        alias = None if index == configuration.index else index
        if isinstance(outcome, RagSweepError):
            found.append((Result(configuration, None, str(outcome), alias), None))
        else:
            found.append((Result.of(configuration, outcome, alias), outcome))
    return found


def head_of(sweep: Sequence[Configuration], dataset: Dataset = DATASET, **changes: Any) -> Head:
    """The head of a sweep over the configurations."""
    ordinary: dict[str, Any] = {
        "identity": IDENTITY,
        "record": sweep_record({}, sweep, dataset.basis),
        "basis": dataset.basis,
        "settings": sweep[0].settings,
        "objective": str(sweep[0].objective),
        "is_sweep": True,
        "configurations": len(sweep),
    }
    return Head(**{**ordinary, **changes})


def cards_of(configurations: Sequence[Configuration]) -> list[Card]:
    """Their cards."""
    return [card(c, differing(configurations)) for c in configurations]


def begun(folder: Path, sweep: Sequence[Configuration], **changes: Any) -> Journal:
    """A journal that has just begun."""
    return Journal.begin(Shelf(folder), head_of(sweep, **changes), cards_of(sweep))


def assert_same_summary(one: Summary | None, other: Summary | None) -> None:
    """Equal to the last bit."""
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert one.columns == other.columns
    assert one.mean_values.tobytes() == other.mean_values.tobytes()
    assert one.objective.tobytes() == other.objective.tobytes()
    assert dict(one.metrics) == dict(other.metrics)
    assert one.warnings == other.warnings


def assert_same_outcome(one: Outcome | None, other: Outcome | None) -> None:
    """Equal to the last bit, with types and shapes."""
    assert (one is None) == (other is None)
    if one is None or other is None:
        return
    assert _arrays(one).keys() == _arrays(other).keys()
    for name, array in _arrays(one).items():
        found = _arrays(other)[name]
        assert (found.dtype, found.shape) == (array.dtype, array.shape), name
        assert found.tobytes() == array.tobytes(), name
    for name in ("tokenless_questions", "tokenless_passages", "effective_dim"):
        assert getattr(one, name) == getattr(other, name), name
    assert list(one.pool_recall) == list(other.pool_recall)
    assert one.evaluation.columns == other.evaluation.columns
    assert one.evaluation.k == other.evaluation.k


def _arrays(outcome: Outcome) -> dict[str, Any]:
    parts = (outcome.passages, outcome.found.documents, outcome.found.passages, outcome.evaluation)
    arrays = {
        f"{type(part).__name__}.{at}.{f.name}": getattr(part, f.name)
        for at, part in enumerate(parts)
        for f in fields(part)
        if isinstance(getattr(part, f.name), np.ndarray)
    }
    evidence = vars(outcome.evidence) if outcome.evidence else {}
    arrays |= {f"evidence.{name}": values for name, values in evidence.items()}
    return arrays | {f"recall.{name}": values for name, values in outcome.pool_recall.items()}


# Commands

COUNTED = '''
"""Pieces of some letters; each call is a line in $CALLS or the file `calls`, and `closed.N` holds it up."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


@dataclass(frozen=True)
class Counted:
    number: int = 1
    seconds: float = 0.0
    version: ClassVar[int] = 1

    def split(self, text: str) -> list[tuple[int, int]]:
        calls = os.open(os.environ.get("CALLS", "calls"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(calls, b"%d\\n" % self.number)
        os.close(calls)
        while Path(f"closed.{self.number}").exists():
            time.sleep(0.02)
        if "broken" in text:
            raise ValueError(f"can't cut {text}")
        time.sleep(self.seconds)
        borders = [*range(0, len(text), 15 + 5 * self.number), len(text)]
        return list(zip(borders, borders[1:])) or [(0, 0)]
'''


def write_counted(folder: Path) -> list[str]:
    """Write the chunker, and one of the same that declares no version; the overrides that find them."""
    for name, text in (
        ("counted", COUNTED),
        ("fleeting", COUNTED.replace("version: ClassVar", "_v: ClassVar")),
    ):
        (folder / f"{name}_chunker.py").write_text(text)
        file = folder / "conf" / "chunker" / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"_target_: {name}_chunker.Counted\nnumber: 1\nseconds: 0.0\n")
    return ["--config-dir", "conf"]


def calls(folder: Path, name: str = "calls") -> Counter[int]:
    """How often each chunker was called since the last time somebody asked."""
    file = folder / name
    found = Counter(map(int, file.read_text().split())) if file.exists() else Counter()
    file.unlink(missing_ok=True)
    return found


def wait_for(happened: Callable[[], object], what: str, seconds: float = 120) -> None:
    """Wait until something is true; a test that waits too long fails."""
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            pytest.fail(f"waited {seconds:.0f} s for: {what}")
        time.sleep(0.02)
