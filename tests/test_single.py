"""One configuration measured alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from matrices import configuration_of, dataset
from pipelines import pipeline_of, run_one, table_of

from rag_sweep.configuration import Configuration
from rag_sweep.errors import StageFailed
from rag_sweep.single import evaluate_single


@dataclass(frozen=True)
class Broken:
    """A chunker that fails."""

    def split(self, text: str) -> list[tuple[int, int]]:
        raise RuntimeError("no passages today")


def test_it_gives_what_a_sweep_gives() -> None:
    configuration = configuration_of(0)
    alone = evaluate_single(configuration, dataset())
    in_a_sweep = run_one(dataset(), configuration.pipeline)
    assert table_of(alone, configuration.pipeline, dataset()) == table_of(
        in_a_sweep, configuration.pipeline, dataset()
    )


def test_a_failure_is_raised() -> None:
    usual = configuration_of(0)
    broken = Configuration(0, (), {}, pipeline_of(chunker=Broken()), usual.settings, usual.objective)
    with pytest.raises(StageFailed, match="no passages today"):
        evaluate_single(broken, dataset())
