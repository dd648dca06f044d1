"""Measured latency of the finalists: their pipelines are built anew, in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rag_sweep.comparing.detail import finalists
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.texts import Texts, as_overrides
from rag_sweep.comparison.comparison import Comparison
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.latency import measure
from rag_sweep.comparison.parts import Latency
from rag_sweep.comparison.words import brief
from rag_sweep.config import build
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.config.program import compose_with_choices
from rag_sweep.configuration import Configuration
from rag_sweep.errors import RagSweepError, UsageError
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.layout import ConfigurationRecord

Watch = Callable[[int, int], None]


def latency_of(
    grid: Grid, comparison: Comparison, texts: Texts, request: Request, questions: int, watch: Watch
) -> tuple[tuple[Latency, ...], tuple[str, ...]]:
    """Times of each finalist on so many questions of the gold, and notes on those that have none.

    Raises
    ------
    UsageError
        If documents are needed that can't be read or mayn't be.
    """
    rows = finalists(comparison)
    found, notes = [], []
    for done, row in enumerate(rows):
        watch(done, len(rows))
        one = grid.members[row]
        sweep = grid.sweeps[one.sweep]
        dataset = texts.datasets.get(sweep.sweep_id)
        if dataset is None:
            raise UsageError("\n".join(["latency needs the documents", *texts.notes]))
        try:
            configuration = rebuilt(sweep, one.record, request)
            measured = measure(configuration.pipeline, dataset, questions, depth=grid.k)
        except RagSweepError as error:
            notes.append(f"no latency of {brief(one.name)}: {error}")
            continue
        found.append(Latency(row=row, **vars(measured)))
    watch(len(rows), len(rows))
    return tuple(found), tuple(notes)


def rebuilt(sweep: SweepData, record: ConfigurationRecord, request: Request) -> Configuration:
    """The configuration that a sweep measured, from its params.

    Raises
    ------
    ConfigError
        If it can't be built, such as without the user's component.
    UsageError
        If what is built isn't the same any more.
    """
    folder: Sequence[str] = request.overrides[:2] if request.overrides[:1] == ("--config-dir",) else ()
    cutoffs = f"cutoffs=[{','.join(map(str, sweep.cutoffs))}]"
    asked = [f"k={sweep.k}", cutoffs, f"evidence.share={sweep.share}"]
    knobs = as_overrides(record.params, PIPELINE_GROUPS)
    config, choices = compose_with_choices([*folder, *asked, *knobs])
    configuration = build.configuration(config, choices, record.index, record.overrides)
    if configuration.fingerprint != record.fingerprint:
        raise UsageError("its components are others today than when it was measured")
    return configuration
