"""The leaderboard of a sweep and the sheet of a single run, as plain data and as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rag_sweep.configuration import code_version
from rag_sweep.measures import MEASURES, Measure
from rag_sweep.pipeline import Settings
from rag_sweep.plan import StageCount
from rag_sweep.records import Basis, Gold
from rag_sweep.report.record import Measured, counts, differing, label
from rag_sweep.result import Result
from rag_sweep.selection import split_half_value
from rag_sweep.tracking.content import param_text

SHOWN_MEASURES = ("ndcg", "recall", "mrr", "map", "hit")
"""Measures in the columns of a leaderboard; the others are in MLflow and in ``--json``."""

FEWEST_QUESTIONS = 20
"""Answerable questions below which halves of them say nothing about a choice."""

ALIAS = "≡"
"""Marks a configuration that is equal in effect to an earlier one."""


def ranked(results: Sequence[Result]) -> list[Result]:
    """Best objective first; equal ones in the order of the grid; failed ones last."""
    return sorted(
        results, key=lambda r: (r.summary is None, -r.objective if r.summary else 0.0, r.configuration.index)
    )


def split_half(results: Iterable[Measured]) -> float | None:
    """What "the best of this sweep" is worth on questions that it was not chosen by; None if undefined."""
    alive = [result.summary.objective for result in results if result.summary is not None]
    if len(alive) < 2:
        return None
    values = np.array(alive)
    answerable = ~np.isnan(values[0])
    if answerable.sum() < FEWEST_QUESTIONS:
        return None
    value = split_half_value(values[:, answerable])
    return None if math.isnan(value) else value


def sweep_json(results: Sequence[Result], basis: Basis) -> dict[str, Any]:
    """A sweep as plain data, best first."""
    keys = differing([result.configuration for result in results])
    return {
        **_head(results, basis),
        "split_half_value": split_half(results),
        "configurations": [_row(result, label(result.configuration, keys)) for result in ranked(results)],
    }


def single_json(result: Result, basis: Basis) -> dict[str, Any]:
    """One configuration as plain data, with the means at every cutoff."""
    return {**_head([result], basis), **_row(result, basis.name)}


def _head(results: Sequence[Result], basis: Basis) -> dict[str, Any]:
    first = results[0].configuration
    return {
        "dataset": basis.name,
        "corpus": basis.corpus_hash,
        "gold": basis.gold_hash,
        "gold_version": basis.gold.version,
        **counts(basis.gold),
        "k": first.settings.k,
        "cutoffs": list(first.settings.cutoffs),
        "objective": str(first.objective),
        "code": code_version(),
    }


def _row(result: Result, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "index": result.configuration.index,
        "configuration": result.configuration.fingerprint,
        "params": dict(result.configuration.params),
        "metrics": _finite(result.metrics()),
        "means": _finite(result.means()),
        "alias_of": result.alias_of,
        "failure": result.failure,
        "warnings": list(result.warnings()),
    }


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def caption(gold: Gold, settings: Settings) -> str:
    """What the numbers are over."""
    parts = [f"means over {plural(len(gold.answerable), 'answerable question')}", f"k = {settings.k}"]
    if gold.negatives:
        parts.append(f"{plural(len(gold.negatives), 'question')} without an answer measured apart")
    if gold.unjudged:
        parts.append(f"{plural(gold.unjudged, 'unjudged question')} left out")
    return ", ".join(parts)


def plural(number: int, noun: str) -> str:
    """``1 negative``, ``2 negatives``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def leaderboard(results: Sequence[Result], shown: int, width: int = 10_000) -> Any:
    """A rich table: rank, what differs, the measures at k.

    Where the table is wider than `width` columns, measures are left out from the right: no value is ever
    cut in two. Its caption says so.
    """
    from rich.table import Table

    settings = results[0].configuration.settings
    objective = results[0].configuration.objective
    at_k = (Measure(name, settings.k) for name in SHOWN_MEASURES)
    measures = list(dict.fromkeys([objective, *at_k]))
    keys = differing([result.configuration for result in results])
    rows = _rows(results, shown, keys, measures)
    heads = ["#", *(_short(key, keys) for key in keys), *map(str, measures)]
    left_out = _too_many(heads, rows, len(measures) - 1, width)
    last = len(heads) - left_out
    table = Table(box=None, pad_edge=False, header_style="bold", caption_justify="left")
    for at, head in enumerate(heads[:last]):
        is_number = at == 0 or at > len(keys)
        style = "bold" if head == str(objective) else None
        table.add_column(head, justify="right" if is_number else "left", style=style, no_wrap=True)
    if any(len(row) > len(heads) for row in rows):
        table.add_column("failed because", style="red", overflow="fold")
    for row in rows:
        table.add_row(*row[:last], *row[len(heads) :])
    if left_out:
        table.caption = f"{plural(left_out, 'measure')} more: widen the window, or --json"
    return table


def _rows(
    results: Sequence[Result], shown: int, keys: Sequence[str], measures: Sequence[Measure]
) -> list[list[str]]:
    best_first = ranked(results)
    values = [result.objective for result in best_first]
    rows = []
    for result in best_first[:shown]:
        rank = values.index(result.objective) + 1 if result.summary else 0  # equal values share a rank
        rows.append(_cells(rank, result, keys, measures))
    return rows


def _too_many(heads: Sequence[str], rows: Sequence[Sequence[str]], most: int, width: int) -> int:
    """How many columns at the right, at most `most`, don't fit."""
    widths = [
        max(map(len, column)) + 2 for column in zip(heads, *(row[: len(heads)] for row in rows), strict=True)
    ]
    left_out = 0
    while left_out < most and sum(widths[: len(heads) - left_out]) - 2 > width:
        left_out += 1
    return left_out


def _cells(rank: int, result: Result, keys: Sequence[str], measures: Sequence[Measure]) -> list[str]:
    params = result.configuration.params
    knobs = [param_text(params[key]) if key in params else "-" for key in keys]
    if result.summary is None:
        return ["!", *knobs, *("-" for _ in measures), " ".join(str(result.failure).split())]
    means = result.means()
    first = str(rank) if result.alias_of is None else f"{ALIAS} {rank}"
    return [first, *knobs, *(f"{means[str(measure)]:.4f}" for measure in measures)]


def _short(key: str, keys: Sequence[str]) -> str:
    """The last part of a key where that is enough: ``k1`` for ``lexical.k1``."""
    last = key.rpartition(".")[2]
    return last if sum(other.rpartition(".")[2] == last for other in keys) == 1 else key


def plan_table(stages: Sequence[StageCount]) -> Any:
    """A rich table of a plan: what each stage would do."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("stage")
    for name in ("distinct", "in a loop", "in the store"):
        table.add_column(name, justify="right")
    for row in stages:
        table.add_row(row.stage, str(row.distinct), str(row.in_a_loop), str(row.stored))
    return table


def sheet(means: Mapping[str, float], settings: Settings) -> Any:
    """A rich table of one configuration: measures down, cutoffs across."""
    from rich.table import Table

    cutoffs = sorted({settings.k, *settings.cutoffs})
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("measure")
    for cutoff in cutoffs:
        table.add_column(f"@{cutoff}", justify="right", style="bold" if cutoff == settings.k else None)
    for name in MEASURES:
        table.add_row(name, *(_number(means[f"{name}@{cutoff}"]) for cutoff in cutoffs))
    return table


def _number(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def remarks(result: Result) -> list[str]:
    """Lines below a sheet: lost documents, evidence and words handed over, and how negatives came out."""
    values = result.metrics()
    pools = {key.partition(".")[2]: value for key, value in values.items() if key.startswith("pool_recall.")}
    lines = []
    if pools:
        depth = result.configuration.pipeline.fusion.pool_depth
        listed = ", ".join(f"{name} {value:.4f}" for name, value in pools.items())
        lines.append(f"recall of the candidates (depth {depth} a branch): {listed}")
    lines += _context(result)
    if values.get("questions.negative"):
        auroc = values.get("negatives.auroc")
        told = "n/a (scores are made of ranks or z-scores)" if auroc is None else f"{auroc:.4f}"
        empty = f"{values['negatives.empty_share']:.1%} with an empty result"
        lines.append(f"negatives: {empty}, AUROC of the top score {told}")
    return lines


def _context(result: Result) -> list[str]:
    """What the first k passages hold: words, and of the evidence where the GOLD has spans."""
    values, settings = result.metrics(), result.configuration.settings
    first = f"the first {plural(settings.k, 'passage')}"
    lines = []
    if f"evidence.recall@{settings.k}" in values:
        recall, precision, found = (
            f"{values[f'evidence.{name}@{settings.k}']:.4f}" for name in ("recall", "precision", "found")
        )
        part = "" if settings.share == 1 else f" (at least {settings.share:g} of a span)"
        lines.append(
            f"evidence in {first}: recall {recall} and precision {precision} in characters, "
            f"spans found {found}{part}"
        )
    if "context.words" in values:
        lines.append(f"words in {first}: {values['context.words']:.0f} on average")
    return lines
