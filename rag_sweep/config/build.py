"""A resolved config to components: values are coerced by type hints before anything is hashed."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union

from rag_sweep.comparison.settings import Decide
from rag_sweep.config.folder import GROUPS, PIPELINE_GROUPS
from rag_sweep.config.hints import hint, nearest
from rag_sweep.configuration import Configuration, Scalar
from rag_sweep.errors import ConfigError, UsageError, is_end
from rag_sweep.evidence import checked_share
from rag_sweep.measures import Measure, cutoff
from rag_sweep.pipeline import Pipeline, Settings

_built: dict[tuple[str, str], Any] = {}
LARGEST_CACHE = 100_000

MISSING = "???"
"""OmegaConf's mark of a value that the user must give."""

TOP_LEVEL = (
    *GROUPS,
    *("k", "cutoffs", "objective", "evidence", "decide", "dry_run", "sweep", "resume", "journal"),
)
"""The keys of a config."""


def configuration(
    config: Mapping[str, Any], choices: Mapping[str, str], index: int, overrides: Sequence[str]
) -> Configuration:
    """Build one configuration from a resolved config.

    Raises
    ------
    ConfigError
        For anything that can't be, in one line.
    """
    for key in config:
        if key not in TOP_LEVEL:
            raise ConfigError(f"{key} doesn't exist{hint(key)}")
    coerce(config.get("dry_run", False), bool, "dry_run")
    decide(config)
    components = {group: component(config, group) for group in PIPELINE_GROUPS}
    measured = settings(config)
    return Configuration(
        index=index,
        overrides=tuple(overrides),
        params=_params(config, choices, components, measured),
        pipeline=Pipeline(**components),
        settings=measured,
        objective=_objective(config, measured),
        config=config,
    )


def component(config: Mapping[str, Any], group: str) -> Any:
    """The component of a group, from its `_target_` and fields; equal nodes give one component."""
    node = config.get(group)
    key = group, repr(node)  # repr tells 1 from 1.0 and True
    if key not in _built:
        if len(_built) >= LARGEST_CACHE:
            _built.clear()
        _built[key] = _component(node, group)
    return _built[key]


def _component(node: Any, group: str) -> Any:
    if not isinstance(node, Mapping) or "_target_" not in node:
        raise ConfigError(f"{group} must be an option of the group (a mapping with _target_), got {node!r}")
    cls = _class(str(node["_target_"]), group)
    fields = {key: value for key, value in node.items() if key != "_target_"}
    values = _coerced(cls, fields, group)
    try:
        return cls(**values)
    except UsageError:
        raise
    except BaseException as error:  # a component of the user may check its parameters in its own way
        if is_end(error):
            raise
        raise ConfigError(f"{group}: {node['_target_']} can't be made: {_in_a_line(error)}") from error


def _in_a_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def _class(target: str, group: str) -> type:
    module, _, name = target.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), name)
    except BaseException as error:  # a file of the user may raise anything, and may leave
        if is_end(error):
            raise
        raise ConfigError(
            f"{group}._target_ {target!r} can't be imported: {_in_a_line(error)}\n"
            "A component of your own must be importable: put its folder on PYTHONPATH or start beside it."
        ) from error
    parameters = getattr(found, "__dataclass_params__", None)
    if not isinstance(found, type) or parameters is None or not parameters.frozen:
        raise ConfigError(f"{group}._target_ must name a frozen dataclass, {target!r} is none")
    return found


def _coerced(cls: type, values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Values of the dataclass's own types; unknown and missing keys are errors."""
    hints = _hints(cls, prefix)
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
    for key in values:
        if key not in fields:
            raise ConfigError(f"{prefix}.{key} doesn't exist{nearest(key, fields, prefix)}")
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and values.get(name) in (None, MISSING):
            raise ConfigError(f"{prefix}.{name} is required: give it as {prefix}.{name}=…")
    return {key: coerce(value, hints[key], f"{prefix}.{key}") for key, value in values.items()}


@cache
def _hints(cls: type, prefix: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls)
    except NameError as error:
        raise ConfigError(f"{prefix}: the type hints of {cls.__name__} can't be read: {error}") from error


def coerce(value: Any, hint: Any, key: str) -> Any:
    """`value` as the type that `hint` names: ``1`` for a float is ``1.0``, a list for a tuple is a tuple.

    Raises
    ------
    ConfigError
        Where it can't be that type without guessing.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return _coerce_union(value, arguments, key)
    if origin is Literal:
        if value not in arguments:
            raise ConfigError(f"{key} must be one of {', '.join(map(str, arguments))}, got {value!r}")
        return value
    if origin is tuple:
        return _coerce_tuple(value, arguments[0], key)
    return _coerce_scalar(value, hint, key)


def _coerce_union(value: Any, arguments: tuple[Any, ...], key: str) -> Any:
    if value is None and type(None) in arguments:
        return None
    failures: list[ConfigError] = []
    for argument in (argument for argument in arguments if argument is not type(None)):
        try:
            return coerce(value, argument, key)
        except ConfigError as failure:
            failures.append(failure)
    raise failures[0]


def _coerce_tuple(value: Any, hint: Any, key: str) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"{key} must be a list, got {value!r}")
    return tuple(coerce(item, hint, f"{key}[{at}]") for at, item in enumerate(value))


def _coerce_scalar(value: Any, hint: Any, key: str) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    finite = number and abs(value) <= sys.float_info.max  # false for NaN too
    if hint is float and finite:
        return float(value)
    if hint is int and finite and value == int(value):
        return int(value)
    if hint is str and (isinstance(value, str) or (number and isinstance(value, int))):
        return str(value)
    if hint is bool and isinstance(value, bool):
        return value
    if hint in (float, int, str, bool):
        name = {float: "a finite number", int: "an int", str: "a string", bool: "true or false"}[hint]
        # 2026.10 has lost its last digit on the way here: only quotes keep it
        quotes = f": put it in quotes, '{key}=\"…\"'" if hint is str and number else ""
        raise ConfigError(f"{key} must be {name}, got {value!r}{quotes}")
    return value


def settings(config: Mapping[str, Any]) -> Settings:
    """k, the cutoffs and the share of evidence of a config."""
    k = cutoff(coerce(config.get("k"), int, "k"))
    cutoffs = coerce(config.get("cutoffs"), tuple[int, ...], "cutoffs")
    share = _share(config.get("evidence", {}))
    return Settings(k, tuple(sorted({cutoff(value, "cutoffs") for value in cutoffs})), share)


def _share(evidence: Any) -> float:
    if not isinstance(evidence, Mapping):
        raise ConfigError(f"evidence must be a mapping with share, got {evidence!r}")
    for key in evidence:
        if key != "share":
            raise ConfigError(f"evidence.{key} doesn't exist; there is evidence.share")
    return checked_share(coerce(evidence.get("share", 1.0), float, "evidence.share"))


def decide(config: Mapping[str, Any]) -> Decide:
    """How a comparison decides; an error in it is told before a sweep, not after."""
    node = config.get("decide") or {}
    key = "decide", repr(node)
    if key not in _built:
        if not isinstance(node, Mapping):
            raise ConfigError(f"decide must be a mapping, got {node!r}")
        _built[key] = Decide(**_coerced(Decide, node, "decide"))
    made: Decide = _built[key]
    return made


def _objective(config: Mapping[str, Any], settings: Settings) -> Measure:
    objective = Measure.parse(coerce(config.get("objective"), str, "objective"), "objective")
    measured = sorted({settings.k, *settings.cutoffs})
    if objective.k not in measured:
        allowed = ", ".join(map(str, measured))
        raise ConfigError(f"objective must be at k or at one of the cutoffs ({allowed}), got {objective}")
    return objective


def _params(
    config: Mapping[str, Any], choices: Mapping[str, str], components: Mapping[str, Any], settings: Settings
) -> dict[str, Scalar]:
    """Scalar leaves as override keys name them; lists are written as Hydra would take them."""
    params: dict[str, Scalar] = {}
    for group in ("dataset", *PIPELINE_GROUPS):
        if group in choices:
            params[group] = choices[group]
        if group in components:
            fields = dataclasses.fields(components[group])
            params.update({f"{group}.{f.name}": _leaf(getattr(components[group], f.name)) for f in fields})
    dataset = config.get("dataset")
    if isinstance(dataset, Mapping):
        params.update({f"dataset.{key}": _leaf(value) for key, value in dataset.items() if key != "_target_"})
    return {**params, "k": settings.k, "cutoffs": _leaf(settings.cutoffs)}


def _leaf(value: Any) -> Scalar:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Sequence):
        return f"[{','.join(str(item) for item in value)}]"
    return str(value)
