"""From the params that a sweep kept back to its dataset and its pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from comparisons import MadeSweep

from rag_sweep.comparing.request import Request
from rag_sweep.comparing.texts import Texts, as_overrides, dataset_of
from rag_sweep.comparing.timing import rebuilt
from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.configuration import Configuration
from rag_sweep.errors import RagSweepError, UsageError
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ConfigurationRecord


def configured(*overrides: str) -> Configuration:
    config, choices = compose_with_choices(overrides)
    return build.configuration(config, choices, 0, overrides)


def sweep_with(params: Any, fingerprint: str = "", **changes: Any) -> SweepData:
    """A sweep of one configuration that has these params."""
    sweep = MadeSweep(np.array([[0.5, 0.6]]), [params], **changes)
    (one,) = sweep.configurations
    told = {**vars(one), "fingerprint": fingerprint or one.fingerprint}
    sweep.configurations = (ConfigurationRecord(**told),)
    return sweep


@pytest.mark.parametrize(
    "overrides",
    [
        [],
        ["chunker=fixed", "chunker.size=120", "chunker.overlap=20", "lexical.b=0.1"],
        ["analyzer.extra_stop_words=['и',the,7]", "fusion=dense_only", "embedder=hash"],
        ["analyzer=simple", "lexical=overlap", "fusion=lexical_only", "reranker=zsum", "reranker.depth=7"],
        ["chunker=heading", "fusion.k_rrf=10", "embedder.dim=32"],
    ],
    ids=lambda overrides: " ".join(overrides) or "as shipped",
)
def test_a_configuration_is_rebuilt_from_its_params(overrides: Sequence[str]) -> None:
    meant = configured(*overrides, "k=10", "cutoffs=[1,3,5,10]")
    sweep = sweep_with(meant.params, meant.fingerprint)
    again = rebuilt(sweep, sweep.configurations[0], Request.of([]))
    assert again.pipeline == meant.pipeline
    assert as_overrides(meant.params, PIPELINE_GROUPS) == as_overrides(again.params, PIPELINE_GROUPS)


def test_what_is_not_the_same_any_more_is_refused() -> None:
    meant = configured("lexical.k1=0.9")
    sweep = sweep_with(meant.params, "0" * 64)
    with pytest.raises(UsageError, match="its components are others today"):
        rebuilt(sweep, sweep.configurations[0], Request.of([]))
    gone = sweep_with({**meant.params, "chunker": "of_mine"}, meant.fingerprint)
    with pytest.raises(RagSweepError, match="of_mine"):
        rebuilt(gone, gone.configurations[0], Request.of([]))


def test_texts_keep_their_quotes() -> None:
    params = {"dataset.documents": "мои документы", "dataset": "files", "dataset.version": "2026.10"}
    words = as_overrides(params, ["dataset"])
    assert words == ["dataset=files", "dataset.documents='мои документы'", "dataset.version='2026.10'"]


def test_a_dataset_that_has_changed_is_no_source_of_texts() -> None:
    sweep = sweep_with({"dataset": "handbook", "dataset.language": "en"})
    found = dataset_of(sweep, Request.of([]))
    assert found == f"the documents of handbook-en have changed since sweep {sweep.sweep_id}"


def test_the_same_dataset_gives_its_texts_once_for_all_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    params = {"dataset": "handbook", "dataset.language": "en"}
    loaded = build.component(compose_with_choices(as_overrides(params, ["dataset"]))[0], "dataset").load()
    sweeps = [
        sweep_with(params, corpus_hash=loaded.corpus.fingerprint, sweep_id=f"20260101-00000{at}-aaaaaa")
        for at in range(2)
    ]
    calls = []

    def counted(sweep: SweepData, request: Request) -> Any:
        calls.append(sweep.sweep_id)
        return dataset_of(sweep, request)

    monkeypatch.setattr("rag_sweep.comparing.texts.dataset_of", counted)
    texts = Texts.of(sweeps, Request.of([]))
    assert texts.notes == ()
    assert calls == [sweeps[0].sweep_id]
    doc_id = loaded.corpus.documents[0].doc_id
    assert texts.document(sweeps[1], doc_id) == loaded.corpus.documents[0]
    assert texts.document(sweeps[1], "nothing") is None


def test_texts_that_were_kept_back_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = sweep_with({"dataset": "handbook", "dataset.language": "en"}, has_text=False)
    monkeypatch.setattr("rag_sweep.comparing.texts.dataset_of", lambda *_: pytest.fail("it was read"))
    texts = Texts.of([sweep], Request.of([]))
    assert texts.corpus(sweep) is None
    assert texts.notes == (f"sweep {sweep.sweep_id} was run with tracking.text=none, so no texts are shown",)
