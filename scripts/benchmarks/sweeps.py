"""`rag-sweep run -m` from outside, as users start it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.clock import Ran, python, run
from benchmarks.material import Missing, cranfield_folder
from rag_sweep.config.folder import conf_dir


@dataclass(frozen=True)
class Grid:
    """So many values of each knob."""

    k1: int
    b: int
    k_rrf: int

    @property
    def size(self) -> int:
        """Configurations."""
        return self.k1 * self.b * self.k_rrf

    def values(self) -> dict[str, list[str]]:
        """Values by knob, spread over their usual ranges."""
        return {
            "k1": [f"{0.4 + 2.0 * i / self.k1:.6g}" for i in range(self.k1)],
            "b": [f"{(1 + j) / self.b:.6g}" for j in range(self.b)],
            "k_rrf": [str(10 * (1 + k)) for k in range(self.k_rrf)],
        }

    def overrides(self) -> list[str]:
        """For rag-sweep; k_rrf changes fastest."""
        keys = {"k1": "lexical.k1", "b": "lexical.b", "k_rrf": "fusion.k_rrf"}
        return [f"{keys[name]}={','.join(values)}" for name, values in self.values().items()]


@cache
def has(group: str, knob: str) -> bool:
    """Whether this version has a knob: rows that need it are skipped where it isn't there."""
    file = conf_dir() / f"{group}.yaml"
    return any(line.startswith(f"{knob}:") for line in file.read_text(encoding="utf-8").splitlines())


def children(which: str) -> str:
    """The override that says which configurations get a run of their own. Raises Missing if there is none."""
    if not has("tracking/mlflow", "children"):
        raise Missing("this version has no tracking.children")
    return f"tracking.children={which}"


def anew() -> list[str]:
    """The override that starts anew where a sweep would go on or print what it has."""
    return ["resume=never"] if has("config", "resume") else []


def sweep(folder: Path, overrides: Sequence[str], dataset: Path | None = None) -> Ran:
    """A sweep over a collection in BEIR layout, Cranfield if none is given; prints JSON."""
    path = f"dataset.path={dataset or cranfield_folder()}"
    command = python("-m", "rag_sweep", "run", "-m", "dataset=beir", path, *overrides, "--json")
    return run(command, folder)


def results(ran: Ran) -> list[dict[str, Any]]:
    """Configurations by their place in the grid: names, params and measures, without what differs by run."""
    rows = sorted(ran.json()["configurations"], key=lambda row: row["index"])
    return [{key: row[key] for key in ("index", "name", "params", "metrics")} for row in rows]
