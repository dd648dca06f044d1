"""The honest loop as a Hydra program: one job a configuration, each with a child run in MLflow.

    python -m benchmarks.naive_app -m 'k1=0.6,1.2' 'b=0.4,0.75' 'k_rrf=10,60' keep=true

Imports are made once, tokens and vectors are cached. With `keep` so are rankings: the dense one, and the
lexical one of a (k1, b) for its other k_rrf. At the end it writes when each job began and ended.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import time
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import hydra
import mlflow
import numpy as np
import pandas
from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf

from benchmarks.engine import Ours
from benchmarks.material import Material, dataset_of
from benchmarks.naive import CUTOFF, Loop, rrf

CONFIG = {
    "k1": 1.2,
    "b": 0.75,
    "k_rrf": 60,
    "pool_depth": 100,
    "analyzer": "stemmed",
    "embedder": "lsa",
    "dim": 256,
    "keep": True,
    "passages": 1400,
    "questions": 225,
    "hydra": {
        "run": {"dir": "."},
        "sweep": {"dir": ".", "subdir": "."},
        "output_subdir": None,
        "job": {"chdir": False},
    },
}
ConfigStore.instance().store(
    "naive",
    {
        **CONFIG,
        "defaults": [{"override hydra/job_logging": "none"}, {"override hydra/hydra_logging": "none"}],
    },
)

began: list[tuple[float, float]] = []
ended: list[tuple[float, float]] = []
"""Wall and processor time of each job."""


def now() -> tuple[float, float]:
    """Both clocks."""
    return time.perf_counter(), time.process_time()


@cache
def loop(passages: int, questions: int) -> Loop:
    """All that is cached."""
    material = Material(*dataset_of(passages, questions))
    return Loop(material, Ours(material, hybrid=True).vectors())


def dense(keep: bool, passages: int, questions: int) -> np.ndarray:
    """The dense ranking, from the cached vectors."""
    return loop(passages, questions).dense if keep else loop(passages, questions).searched()


@lru_cache(maxsize=1)
def lexical(k1: float, b: float, passages: int, questions: int) -> np.ndarray:
    """The lexical ranking, kept for the next k_rrf."""
    return loop(passages, questions).lexical(k1, b)[0]


@hydra.main(version_base=None, config_path=None, config_name="naive")
def job(config: DictConfig) -> float:
    """Rank, measure, log: the whole of the loop's body."""
    began.append(now())
    size = config.passages, config.questions
    ranking = (lexical if config.keep else lexical.__wrapped__)(config.k1, config.b, *size)
    items = rrf([ranking, dense(config.keep, *size)], config.k_rrf)[:, :CUTOFF]
    values = loop(*size).measures(items)
    log(config, loop(*size).material, items, values)
    ended.append(now())
    return float(values["ndcg"].mean())


def log(config: DictConfig, material: Material, items: np.ndarray, values: dict[str, np.ndarray]) -> None:
    """One child run: params, means, a table with a row for each question."""
    params: Any = OmegaConf.to_container(config, resolve=True)
    ids, answerable = material.doc_ids, material.dataset.gold.answerable
    rows = {q.query_id: row for q, row in zip(material.dataset.gold.questions, items.tolist(), strict=True)}
    table = pandas.DataFrame(
        {
            "question": [question.text for question in answerable],
            "question_id": [question.query_id for question in answerable],
            "ranking": [" ".join(ids[at] for at in rows[q.query_id] if at >= 0) for q in answerable],
            **{f"{name}@{CUTOFF}": column for name, column in values.items()},
        }
    )
    with mlflow.start_run(run_name=f"k1={config.k1} b={config.b} k_rrf={config.k_rrf}", nested=True):
        mlflow.log_params(params)
        mlflow.log_metrics({f"{name}_at_{CUTOFF}": float(column.mean()) for name, column in values.items()})
        mlflow.log_table(table, "per_question.json")


def write_times() -> None:
    """For the bench."""
    Path("times.json").write_text(json.dumps({"began": began, "ended": ended}))


def main() -> None:
    """Open the parent run in a fresh store of this folder, then let Hydra run the jobs."""
    logging.getLogger("mlflow").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.ERROR)
    os.environ.setdefault("MLFLOW_TRACKING_URI", f"sqlite:///{Path.cwd()}/mlflow.db")
    mlflow.create_experiment("naive", artifact_location=str(Path.cwd() / "artifacts"))
    mlflow.set_experiment("naive")
    atexit.register(write_times)
    with mlflow.start_run(run_name="naive loop"):
        job()


if __name__ == "__main__":
    main()
