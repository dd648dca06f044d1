"""What nothing may fall behind: the champion, a report, or a configuration that was measured before."""

from __future__ import annotations

import os
from pathlib import Path

from rag_sweep.champion.finding import find
from rag_sweep.comparing.finding import Finder
from rag_sweep.config.asked import Asked
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.gate.files import REPORT, read_report
from rag_sweep.gate.request import Wish, looking_for
from rag_sweep.scorecard import Scorecard
from rag_sweep.tracking.registry import CHAMPION, PREVIOUS


def baseline_of(name: str, asked: Asked, wish: Wish) -> Scorecard:
    """The scorecard that a name stands for.

    Parameters
    ----------
    name
        ``champion`` or ``previous``, a ``models:/`` URI, a report (its file or its folder),
        or what `Finder.configuration` takes: SWEEP:INDEX, the id of a tracking run, a path.

    Raises
    ------
    UsageError, ConfigError, DataError
        For what isn't there or can't be.
    TrackingError
        If MLflow has to be asked and can't be.
    """
    if name in (CHAMPION, PREVIOUS) or name.startswith("models:"):
        return find(name, tracking=asked.tracking, name=wish.model, trust=wish.trust).scorecard
    path = Path(name)
    if os.path.isfile(path / REPORT) or (os.path.isfile(path) and path.suffix != ".npz"):
        return read_report(path)
    if path.suffix == ".json" and not os.path.exists(path):
        raise DataError(Fault("is not there; --baseline takes the report of an earlier gate", file=path))
    try:
        sweep, index = Finder(looking_for(asked, name)).configuration(name)
    except UsageError as error:
        takes = "it takes champion, a report, SWEEP:INDEX, or an MLflow run"
        raise UsageError(f"--baseline {name}: {takes}\n{error}") from error
    return Scorecard.of_sweep(sweep, index)
