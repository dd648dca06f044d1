"""Commands in processes of their own, with their wall time and the memory of the whole process tree."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLING = 0.1
"""Seconds between two looks at the process tree."""


class Broken(Exception):
    """A side of a row did not run: the row can't be measured, and the bench ends with 1."""


@dataclass(frozen=True)
class Ran:
    """What a command took and gave.

    `cpu` is in seconds, of all processes. `peak_mb` is at least the peak of the process tree: the largest sum
    of the processes' own peaks.
    """

    seconds: float
    cpu: float
    peak_mb: float
    out: str

    def json(self) -> dict[str, Any]:
        """The standard output as JSON."""
        values: dict[str, Any] = json.loads(self.out)
        return values


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Ran:
    """Run a command to its end. Raises Broken if it fails."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        before = _cpu()
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=_clean(environment), stdin=subprocess.DEVNULL, stdout=out, stderr=errors
        )
        peak: list[float] = []
        watcher = threading.Thread(target=_watch, args=(process.pid, peak), daemon=True)
        watcher.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        watcher.join()
        out.seek(0)
        errors.seek(0)
        if code:
            ending = errors.read().decode(errors="replace").strip()[-2000:]
            raise Broken(f"{' '.join(command[:6])} ... ended with {code}:\n{ending}")
        return Ran(seconds, _cpu() - before, max(peak, default=0.0), out.read().decode())


def _cpu() -> float:
    """Of the commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def python(*arguments: str) -> list[str]:
    """A command of this interpreter."""
    return [sys.executable, *arguments]


def medians(repeat: int, sides: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """The median figure of each side; the sides take turns, so that what else runs hits all alike."""
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(repeat):
        for name, side in sides.items():
            found[name].append(side())
    return {name: statistics.median(values) for name, values in found.items()}


def _clean(more: Mapping[str, str] | None) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MLFLOW_", "HYDRA_", "RAG_SWEEP_"))}
    return kept | {"MLFLOW_DISABLE_TELEMETRY": "true"} | dict(more or {})


def _watch(pid: int, peak: list[float]) -> None:
    """The largest sum of peaks seen; processes that are gone no longer count."""
    while tree := _tree(pid):
        found = sum(_peak(one) for one in tree)
        if not found:
            return  # ended, and not yet waited for
        peak[:] = [max([*peak, found])]
        time.sleep(SAMPLING)


def _tree(pid: int) -> list[int]:
    found, ahead = [], [pid]
    while ahead:
        one = ahead.pop()
        with suppress(OSError):
            tasks = os.listdir(f"/proc/{one}/task")
            found.append(one)
            for task in tasks:
                with suppress(OSError):
                    text = Path(f"/proc/{one}/task/{task}/children").read_text()
                    ahead.extend(map(int, text.split()))
    return found


def _peak(pid: int) -> float:
    """Megabytes; 0 for a process that has ended."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0
