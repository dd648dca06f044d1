"""The command starts fast: nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ["numpy", "scipy", "hydra", "omegaconf", "mlflow", "sklearn", "rich", "pandas", "yaml", "joblib"]


def loaded_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


CALL = """
from rag_sweep.cli.app import main
sys.argv = ["rag-sweep", *{words!r}]
try:
    main()
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    "code",
    ["import rag_sweep.cli.app"]
    + [
        CALL.format(words=words)
        for words in (
            ["--help"],
            ["run", "--help"],
            ["compare", "--help"],
            ["diff", "--help"],
            ["frobnicate"],
            ["run", "--top", "0"],
        )
    ],
    ids=["import", "help", "run help", "compare help", "diff help", "unknown command", "bad option"],
)
def test_help_and_usage_errors_import_nothing_heavy(code: str) -> None:
    loaded = loaded_after(code)
    assert "typer" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_the_heavy_ones_can_be_found() -> None:
    assert {"numpy", "hydra"} <= loaded_after("import numpy, hydra")
