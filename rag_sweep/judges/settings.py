"""How a model is asked, as reports name it: what decides its replies beside its name and its prompts."""

from __future__ import annotations

import json

from rag_sweep.fingerprint import fingerprint
from rag_sweep.llm.callable import FunctionModel
from rag_sweep.llm.calls import Endpoint

DECIDING = ("temperature", "thinking_tokens", "json_mode", "version")
"""Keys of ``llm`` that change what a model says. Not the address: the same model may be served elsewhere."""
HASH_DIGITS = 12
PREFIX = "llm"
"""What labels of all judges begin with, up to the dot."""


def settings_of(endpoint: Endpoint) -> tuple[str, ...]:
    """Labels such as ``llm.temperature=0.0``; of a function also what its file holds, as a hash."""
    fields = getattr(type(endpoint), "__dataclass_fields__", {})
    found = [f"{PREFIX}.{key}={json.dumps(getattr(endpoint, key))}" for key in DECIDING if key in fields]
    if isinstance(endpoint, FunctionModel):
        found.append(f"{PREFIX}.file {fingerprint(endpoint.identity)[:HASH_DIGITS]}")
    return tuple(found)
