"""Plain values set in plain data: the part of a composition that needs neither Hydra nor OmegaConf.

Setting an existing leaf to a plain value gives what OmegaConf gives, as long as nothing is interpolated
from it. Everything else takes the slow way, once for each set of such overrides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hydra.core.override_parser.types import Override, OverrideType
from omegaconf import DictConfig, OmegaConf

_INTERPOLATION = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[\w.]+")


def plain_leaves(config: DictConfig) -> frozenset[str]:
    """Keys of leaves that hold a plain value from which nothing is interpolated; none if it can't be told."""
    raw = OmegaConf.to_container(config, resolve=False)
    names = [name for value in _strings(raw) for name in _INTERPOLATION.findall(value)]
    if any("${" in value and not _INTERPOLATION.search(value) for value in _strings(raw)):
        return frozenset()
    if not all(_NAME.fullmatch(name) and not name.startswith(".") for name in names):
        return frozenset()  # relative names and resolvers may read anything
    return frozenset(key for key in _leaves(raw, "") if not any(_touches(key, name) for name in names))


def is_plain(override: Override, leaves: frozenset[str]) -> bool:
    """True if the override only sets such a leaf to a plain value."""
    change = override.type is OverrideType.CHANGE
    simple = change and override.package is None and override.key_or_group in leaves
    return simple and "${" not in str(override.input_line) and _is_plain(override.value())


def are_apart(plain: Iterable[Override], others: Sequence[Override]) -> bool:
    """True if no override of one kind reaches into what one of the other kind sets: then order is free."""
    keys = [override.key_or_group for override in others]
    return not any(_touches(override.key_or_group, key) for override in plain for key in keys)


def with_values(config: Mapping[str, Any], overrides: Iterable[Override]) -> dict[str, Any]:
    """A copy of resolved data with values set; what isn't on their paths is shared, not copied."""
    result = dict(config)
    copied: set[str] = set()
    for override in overrides:
        *parents, last = override.key_or_group.split(".")
        node, path = result, ""
        for name in parents:
            path = f"{path}.{name}"
            if path not in copied:
                node[name] = dict(node[name])
                copied.add(path)
            node = node[name]
        value = override.value()
        node[last] = list(value) if isinstance(value, list) else value
    return result


def _touches(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    return value is None or type(value) in (bool, int, float, str)


def _strings(node: Any) -> Iterable[str]:
    if isinstance(node, str):
        yield node
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from _strings(child)


def _leaves(node: Any, prefix: str) -> Iterable[str]:
    """Dotted keys of scalars and lists that hold a plain value, below mappings only."""
    if not isinstance(node, dict):
        return
    for key, child in node.items():
        name = f"{prefix}{key}"
        if (
            isinstance(key, str)
            and re.fullmatch(r"\w+", key)
            and _is_plain(child)
            and not _interpolated(child)
        ):
            yield name
        elif isinstance(key, str):
            yield from _leaves(child, f"{name}.")


def _interpolated(node: Any) -> bool:
    return any("${" in text for text in _strings(node))
