"""The table: for a terminal, as Markdown, as JSON; and the machine that it is from."""

from __future__ import annotations

import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from benchmarks.rows import Row

LIBRARIES = ("numpy", "scipy", "scikit-learn", "mlflow", "hydra-core", "bm25s", "ranx", "numba")
HEAD = ("row", "what", "ours", "other", "ratio", "goal", "equal", "checked")


def machine() -> dict[str, str]:
    """What figures depend on: processor, memory, disk, versions."""
    found = {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB",
        "a write with fsync": f"{1000 * _fsync():.2g} ms",
        "Python": platform.python_version(),
    }
    for name in LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts."""
    equal = {True: "yes", False: "NO", None: ""}[row.equal]
    return row.key, row.what, row.ours, row.other, row.ratio, row.goal, equal, row.checked


def as_text(rows: Sequence[Row]) -> str:
    """For a terminal: a block of two lines a row."""
    lines = [", ".join(f"{name} {value}" for name, value in machine().items())]
    for row in rows:
        key, what, ours, other, ratio, goal, equal, checked = cells(row)
        lines.append(f"\n{key}  {what}")
        figures = f"{ratio:>14}  {ours:>10} : {other:<10}" if ours else ""
        said = [f"goal {goal}" if goal else "", f"equal: {equal}" if equal else "", checked]
        lines.append("   " + "  ".join(part for part in (figures, "; ".join(filter(None, said))) if part))
    return "\n".join(lines)


def as_markdown(rows: Sequence[Row]) -> str:
    """For docs/performance.md."""
    about = ", ".join(f"{name} {value}" for name, value in machine().items())
    lines = [about, "", f"| {' | '.join(HEAD)} |", "|---|---|--:|--:|--:|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(cells(row))} |" for row in rows)])


def as_json(rows: Sequence[Row]) -> str:
    """For programs."""
    return json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=1)


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _fsync() -> float:
    found = []
    with tempfile.NamedTemporaryFile() as file:
        for _ in range(20):
            started = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            found.append(time.perf_counter() - started)
    return statistics.median(found)
