"""Files of a run: what is in them, and how they get into the store."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from rag_sweep.tracking.records import Scalar, Table

if TYPE_CHECKING:
    from mlflow import MlflowClient

TABLE_FILE = "per_question.json"
# MLflow's pages compare only tables that this tag names.
TABLE_TAG = {"mlflow.loggedArtifacts": json.dumps([{"path": TABLE_FILE, "type": "table"}])}


def table_json(table: Table) -> bytes:
    """MLflow's format for tables, which is pandas' "split": equal tables give equal bytes.

    Raises
    ------
    ValueError
        For an infinite cell; NaN becomes null.
    """
    content = {"columns": list(table.columns), "data": [[_cell(cell) for cell in row] for row in table.rows]}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def write_files(client: MlflowClient, run_id: str, artifact_uri: str, files: Mapping[str, bytes]) -> None:
    """Put `files` (content by path below the run, with ``/``) among the run's artifacts.

    A store on this disk is written directly, which takes a tenth of the time of MLflow's way over a
    temporary folder. The run is RUNNING meanwhile, so nobody takes a half-written file for a result.
    """
    folder = local_folder(artifact_uri)
    if folder is not None:
        _write_below(folder, files)
        return
    with tempfile.TemporaryDirectory() as temporary:
        _write_below(Path(temporary), files)
        client.log_artifacts(run_id, temporary)


def local_folder(artifact_uri: str) -> Path | None:
    """The folder that an artifact URI means, None if it isn't on this disk."""
    parts = urlsplit(artifact_uri)
    if parts.scheme == "file":
        return Path(url2pathname(parts.path))
    if not parts.scheme or (os.name == "nt" and len(parts.scheme) == 1):
        return Path(artifact_uri)
    return None


def _write_below(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            file.write_bytes(content)
        except BaseException:
            file.unlink(missing_ok=True)  # on a full disk this makes room to write down the failure
            raise


def _cell(cell: Scalar) -> Scalar:
    return None if isinstance(cell, float) and math.isnan(cell) else cell
