"""Promoted, proved, run again and loaded where only the wheel is installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from test_wheel import empty, execute, installed, sdist, wheel

pytestmark = pytest.mark.full

__all__ = ["empty", "installed", "sdist", "wheel"]  # fixtures

LOAD = """
import mlflow.pyfunc, rag_sweep, sys
from pathlib import Path
assert Path(rag_sweep.__file__).is_relative_to(sys.prefix), rag_sweep.__file__
found = mlflow.pyfunc.load_model("models:/rag-sweep@champion").predict([{"query": "отпуск", "k": 2}])
print(*found[0]["ids"])
"""


def test_a_promotion_from_an_empty_directory_can_be_proved_run_again_and_loaded(
    installed: Path,
    empty: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = installed / "rag-sweep"
    execute([command, "run", "-m", "fusion=lexical_only", "lexical.k1=0.9,1.2", "store=none"], empty)
    promoted = json.loads(execute([command, "promote", "--yes", "--json"], empty))
    assert promoted["registered"]["version"]["uri"] == "models:/rag-sweep/1"
    assert {path.name for path in empty.iterdir()} == {"mlruns", "conf"}
    again = json.loads(execute([command, "run", "promoted=rag-sweep", "tracking=none", "--json"], empty))
    assert again["means"]["ndcg@10"] == pytest.approx(promoted["mean"], abs=1e-9)
    assert again["configuration"] == promoted["registered"]["version"]["tags"]["fingerprint"]
    assert "Identical: all" in execute([command, "verify"], empty)
    assert "Identical: all" in execute([command, "verify", "--rebuild"], empty)
    load = f"import os; os.environ['MLFLOW_TRACKING_URI'] = 'sqlite:///mlruns/mlflow.db'\n{LOAD}"
    assert len(execute([installed / Path(sys.executable).name, "-c", load], empty).split()) == 2
