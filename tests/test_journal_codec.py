"""Outcomes and summaries come back to the last bit."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import (
    DATASET,
    PIPELINES,
    assert_same_outcome,
    assert_same_summary,
    configurations_of,
    results_of,
)
from pipelines import dataset_of, pipeline_of, run_one

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.execute import Outcome
from rag_sweep.journal import codec
from rag_sweep.journal.packs import Packs
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.records import Dataset, Question
from rag_sweep.store.entry import Entry


def round_trip(outcome: Outcome, dataset: Dataset, chosen: Settings) -> tuple[Outcome, Entry]:
    """An outcome over the disk, and what was written of it."""
    written = codec.encode_outcome(outcome, "spans")
    with tempfile.TemporaryDirectory() as folder:
        name = Packs(Path(folder)).write({"it": written, "spans": codec.encode_passages(outcome.passages)})
        packs = Packs(Path(folder))
        arrays, meta = packs.read(name, "it")
        passages = codec.decode_passages(packs.read(name, str(meta["chunking"]))[0])
        return codec.Decoder.of(dataset.basis, chosen).outcome(arrays, meta, passages), written


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("chosen", [Settings(), Settings(2, ()), Settings(1, (7, 30))])
def test_an_outcome_comes_back(pipeline: Pipeline, chosen: Settings) -> None:
    outcome = run_one(DATASET, pipeline, chosen)
    found, _ = round_trip(outcome, DATASET, chosen)
    assert_same_outcome(outcome, found)


def test_the_ranking_of_passages_is_left_out_only_where_it_is_the_documents() -> None:
    same, other = (run_one(DATASET, pipeline) for pipeline in PIPELINES[:2])
    assert "passages" not in round_trip(same, DATASET, Settings())[1].arrays
    found, written = round_trip(other, DATASET, Settings())
    assert "passages" in written.arrays
    assert found.found.passages.items.max() > found.found.documents.items.max()


@settings(max_examples=30)
@given(
    st.lists(st.text(st.sampled_from("ab c"), max_size=12), min_size=1, max_size=5),
    st.lists(
        st.tuples(st.text(st.sampled_from("ab z"), max_size=6), st.sampled_from([{}, {"d0": 1}, {"d0": 0}])),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([pipeline_of(), pipeline_of(chunker=FixedChunker(1, 0)), PIPELINES[2]]),
)
def test_any_outcome_comes_back(
    documents: list[str], asked: list[tuple[str, dict[str, int]]], pipeline: Pipeline
) -> None:
    questions = [Question(f"q{at}", text, grades) for at, (text, grades) in enumerate(asked)]
    dataset = dataset_of({f"d{at}": text for at, text in enumerate(documents)}, questions)
    outcome = run_one(dataset, pipeline)
    assert_same_outcome(outcome, round_trip(outcome, dataset, Settings())[0])


def test_a_summary_comes_back_over_json() -> None:
    for result, _ in results_of(configurations_of(*PIPELINES)):
        assert result.summary is not None
        plain = json.loads(json.dumps(codec.encode_summary(result.summary)))
        assert_same_summary(result.summary, codec.decode_summary(plain, result.summary.objective))


def test_arrays_of_another_shape_are_no_outcome() -> None:
    outcome = run_one(DATASET, PIPELINES[0])
    entry = codec.encode_outcome(outcome, "spans")
    decoder = codec.Decoder.of(DATASET.basis, Settings())
    for arrays in ({}, {**entry.arrays, "pool_recall": entry.arrays["pool_recall"][:1]}):
        with pytest.raises((KeyError, ValueError)):
            decoder.outcome(arrays, entry.meta, outcome.passages)
