"""A small champion, and the bundle that holds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from commands import write_dataset

from rag_sweep.champion import Champion, Promoted, golden_of, read_bundle, write_bundle
from rag_sweep.champion.components import FROZEN
from rag_sweep.config import build
from rag_sweep.config.program import compose_with_choices
from rag_sweep.index import Index
from rag_sweep.records import Dataset
from rag_sweep.scorecard import Scorecard
from rag_sweep.single import evaluate_single

KNOBS = ("embedder=lsa", "embedder.dim=3", "chunker=sentence", "lexical.k1=0.9", "k=3", "cutoffs=[1,3]")
"""A pipeline with both branches, a learned model and passages smaller than documents."""


def promoted(folder: Path, *knobs: str, thresholds: dict[str, Any] | None = None) -> Promoted:
    """A configuration over the small dataset in a folder, measured and indexed."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [word for word in write_dataset(folder) if not word.startswith("embedder")]
    paths = {"docs.jsonl": str(folder / "docs.jsonl"), "gold.jsonl": str(folder / "gold.jsonl")}
    placed = [f"{key}={paths.get(value, value)}" for key, _, value in (word.partition("=") for word in words)]
    config, choices = compose_with_choices([*placed, *KNOBS, "objective=ndcg@3", *knobs])
    configuration = build.configuration(config, choices, 4, KNOBS)
    dataset: Dataset = build.component(config, "dataset").load()
    card = Scorecard.of_outcome(
        configuration, dataset, evaluate_single(configuration, dataset), created="2026-11-30"
    )
    index = Index.build(configuration.pipeline, dataset.corpus)
    settings = configuration.settings
    found = index.search([question.text for question in dataset.gold.questions], settings.depth)
    return Promoted(
        name="small",
        configuration=configuration,
        choices=choices,
        index=index,
        scorecard=replace(card, config={key: config[key] for key in FROZEN}),
        golden=golden_of(dataset.gold.questions, found, dataset.corpus, settings.k, settings.depth),
        thresholds=thresholds or {},
    )


def written(folder: Path, *knobs: str) -> Path:
    """The bundle of `promoted`, in a folder beside its dataset."""
    bundle = folder / "bundle"
    write_bundle(bundle, promoted(folder / "dataset", *knobs))
    return bundle


def champion(folder: Path, *knobs: str) -> Champion:
    """The same, read again."""
    return read_bundle(written(folder, *knobs))
