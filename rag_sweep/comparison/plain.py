"""Results as plain data: what JSON can hold, every number finite or null."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Dataclasses as mappings, sequences and arrays as lists; NaN and infinities as None.

    A dataclass field with the metadata "key" has that name.

    Raises
    ------
    TypeError
        For anything that JSON can't hold.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        return {f.metadata.get("key", f.name): plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"no plain form for {type(value).__name__}")
