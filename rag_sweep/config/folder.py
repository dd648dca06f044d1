"""Where the config files lie, and what they offer."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

from rag_sweep.comparison.settings import Decide

PIPELINE_GROUPS = ("chunker", "analyzer", "lexical", "embedder", "fusion", "reranker")
"""The groups that a sweep may vary; everything else is the same for all configurations."""

GROUPS = ("dataset", *PIPELINE_GROUPS, "tracking", "store", "execute")
"""All groups that hold a component."""

USERS, PROMOTED = "conf", "promoted"
"""The user's own config directory, unless another one is named, and the group of what was promoted."""


def conf_dir() -> Path:
    """The packaged copy of `conf/`, or else the checkout's."""
    package = Path(__file__).resolve().parents[1]
    packaged = package / "conf"
    return packaged if packaged.is_dir() else package.parent / "conf"


@cache
def options(folder: Path | None = None) -> dict[str, dict[str, tuple[str, ...]]]:
    """Fields of each option of each group: ``{"lexical": {"bm25": ("k1", "b")}}``."""
    import yaml

    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for group in GROUPS:
        for file in sorted(((folder or conf_dir()) / group).glob("*.yaml")):
            fields = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
            names = tuple(name for name in fields if name not in ("_target_", "defaults"))
            found.setdefault(group, {})[file.stem] = names
    return found


@cache
def answers_options() -> dict[str, dict[str, tuple[str, ...]]]:
    """As `options`, of the groups that only `rag-sweep answers` has; a block of its config has no option."""
    import yaml

    given = yaml.safe_load((conf_dir() / "answers.yaml").read_text(encoding="utf-8"))
    found = {key: {"": tuple(block)} for key, block in given.items() if isinstance(block, dict)}
    chosen = [group for entry in given["defaults"] if isinstance(entry, dict) for group in entry]
    for group in (name for name in chosen if name not in GROUPS):
        for file in sorted((conf_dir() / group).glob("*.yaml")):
            fields = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
            found.setdefault(group, {})[file.stem] = tuple(name for name in fields if name != "_target_")
    return found


@cache
def known_keys() -> tuple[str, ...]:
    """Every key that some configuration has."""
    keys = [
        f"{group}.{field}"
        for group, opts in options().items()
        for fields in opts.values()
        for field in fields
    ]
    top_level = ["k", "cutoffs", "objective", "resume", "journal", "dry_run"]
    deciding = [f"decide.{field.name}" for field in dataclasses.fields(Decide)]
    return tuple(dict.fromkeys([*top_level, *GROUPS, *keys, "evidence.share", *deciding]))


def beside() -> str | None:
    """The user's config directory if something was promoted into it; None where there is none here."""
    there = (Path(USERS) / PROMOTED).is_dir() and Path(USERS).resolve() != conf_dir().resolve()
    return USERS if there else None
