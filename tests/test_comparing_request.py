"""Words of a command: which are names, which are overrides, and what they compose to."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rag_sweep.comparing.request import Request, is_override
from rag_sweep.comparison.settings import Decide
from rag_sweep.config.folder import known_keys
from rag_sweep.config.program import compose_once
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.none import NoTracking

ROOT = Path(__file__).resolve().parents[1]


def test_the_block_of_the_config_has_the_fields_and_defaults_of_its_dataclass() -> None:
    block = compose_once([])["decide"]
    assert list(block) == [field.name for field in dataclasses.fields(Decide)]
    assert Request.of([]).decide == Decide()
    assert {f"decide.{name}" for name in block} <= set(known_keys())


def test_every_field_stands_in_the_reference() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    fields = [f"`decide.{field.name}`" for field in dataclasses.fields(Decide)]
    assert [field for field in fields if field not in page] == []


def test_what_has_an_equals_sign_and_is_no_file_is_an_override(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k=10").mkdir()
    assert not is_override("k=10")
    assert is_override("decide.alpha=0.1")
    assert not is_override("20260131-120000-a1b2c3")
    asked = Request.of(["20260131-120000-a1b2c3", "decide.alpha=0.1", "k=10"])
    assert asked.names == ("20260131-120000-a1b2c3", "k=10")
    assert asked.decide.alpha == 0.1


def test_the_objective_is_asked_for_only_by_an_override() -> None:
    assert Request.of([]).objective is None
    assert Request.of(["objective=mrr@3"]).objective == "mrr@3"


def test_the_configuration_as_shipped_needs_no_cutoff_of_the_objective() -> None:
    asked = Request.of(["objective=ndcg@77"])
    assert asked.shipped["lexical.k1"] == 1.2
    assert asked.shipped["chunker"] == "document"


@pytest.mark.parametrize(
    "override",
    [
        "lexical.k1=3",
        "+chunker.size=3",
        "chunker=fixed",
        "k=5",
        "cutoffs=[1]",
        "evidence.share=0.5",
        "~reranker",
    ],
)
def test_an_override_that_would_do_nothing_is_refused(override: str) -> None:
    with pytest.raises(UsageError, match=r"nothing is retrieved, so .* has no effect"):
        Request.composed([], [override])


def test_the_option_wins_over_the_override() -> None:
    assert Request.of(["decide.baseline=3"], baseline="7").decide.baseline == 7
    assert Request.of([], baseline="lexical.k1=0.9").decide.baseline == "lexical.k1=0.9"


def test_a_setting_out_of_range_is_told_with_its_key() -> None:
    with pytest.raises(ConfigError, match=r"decide\.folds must be an int >= 2, got 1"):
        Request.of(["decide.folds=1"])
    with pytest.raises(ConfigError, match=r"decide\.difference must be a finite number"):
        Request.of(["decide.difference=much"])


def test_where_sweeps_are_tracked_and_kept_is_configured() -> None:
    asked = Request.of(["tracking.path=elsewhere", "journal=kept"])
    assert asked.tracking == MLflow(path="elsewhere")
    assert asked.journal == "kept"
    assert (asked.sets("tracking"), asked.sets("dataset")) == (True, False)
    quiet = Request.of(["tracking=none", "journal=null"])
    assert (quiet.tracking, quiet.journal) == (NoTracking(), None)
