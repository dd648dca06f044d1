"""`rag-sweep store`: what the store of computed values holds, and emptying it."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.config import build
from rag_sweep.config.program import compose_once
from rag_sweep.errors import ConfigError
from rag_sweep.store.disk import Disk
from rag_sweep.store.diskstore import DiskStore
from rag_sweep.store.report import StoreReport

MB = 1_000_000


def show(overrides: Sequence[str]) -> StoreReport:
    """What the store holds."""
    return _store(overrides).show()


def clear(overrides: Sequence[str]) -> StoreReport:
    """Empty the store; what was removed."""
    return _store(overrides).clear()


def _store(overrides: Sequence[str]) -> DiskStore:
    component = build.component(compose_once(overrides), "store")
    if not isinstance(component, Disk):
        raise ConfigError("store must be disk: nothing is kept otherwise")
    return component.open(create=False)


def lines(report: StoreReport) -> list[str]:
    """The report for people."""
    total = f"{report.bytes / MB:.1f} MB of {report.limit / MB:.0f} MB in {report.packs} files"
    stages = [
        f"  {stage}: {share.entries} values, {share.bytes / MB:.1f} MB"
        for stage, share in report.stages.items()
    ]
    return [f"{report.path}: {total}", *stages]
