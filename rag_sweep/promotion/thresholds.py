"""A file of thresholds for the gate, kept with a champion."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_thresholds(file: Path) -> Mapping[str, Any]:
    """The plain data of a file that a gate can judge by.

    Raises
    ------
    DataError
        If it can't be read or is none, naming the file and the key.
    """
    from rag_sweep.gate.policy import Policy

    return Policy.read(file).to_dict()
