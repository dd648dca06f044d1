"""Warnings: what should keep a reader from trusting a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rag_sweep.arrays import FloatArray
from rag_sweep.comparison.choice import FEW_QUESTIONS
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.parts import History, Warning
from rag_sweep.comparison.words import brief, counted, listed, share, value
from rag_sweep.evaluation import k_covers_all
from rag_sweep.ranking import EMPTY
from rag_sweep.statistics.table import TIE

CEILING = 0.95
"""Means above it leave hardly any room to be better."""
JUDGED = 0.5
"""Share of the first k documents below which a pooled gold says little about what is new."""
MANY_SWEEPS = 5
"""Sweeps after which choices by one gold begin to fit that gold."""


def warnings_of(
    grid: Grid, table: FloatArray, leaders: Sequence[int], history: History | None
) -> tuple[Warning, ...]:
    """All warnings on the comparison as a whole.

    Parameters
    ----------
    table
        The values of `grid.main`.
    leaders
        Rows whose rankings are looked at for judgements: the best ones, and the baseline.
    """
    found = [
        *_few(table),
        *_covered(grid),
        *_ceiling(grid, table),
        *_twins(grid),
        *_ties(grid),
        *_judged(grid, leaders),
        *_tokens(grid),
        *_history(history),
    ]
    return tuple(Warning(kind, text) for kind, text in found)


Found = Iterable[tuple[str, str]]


def covered(k: int, documents: int) -> str:
    """That k leaves no document out, and what can't tell rankings apart then; an empty text if it does."""
    if not k_covers_all(k, documents):
        return ""
    return (
        f"k = {k} leaves none of {counted(documents, 'document')} out: recall@{k}, hit@{k} and precision@{k} "
        "are the same for any ranking of all of them; take a smaller k, or a measure of the order (ndcg, mrr)"
    )


def _covered(grid: Grid) -> Found:
    text = covered(grid.k, max(len(sweep.basis.doc_ids) for sweep in grid.sweeps))
    if text:
        yield "covered", text


def _few(table: FloatArray) -> Found:
    questions = table.shape[1]
    if questions < FEW_QUESTIONS:
        yield (
            "few_questions",
            f"{counted(questions, 'question has', 'questions have')} an answer in the corpus; below "
            f"{FEW_QUESTIONS}, one question more or less may turn the order around",
        )


def _ceiling(grid: Grid, table: FloatArray) -> Found:
    means = table.mean(axis=1)
    full = float((table >= 1.0 - TIE).mean())
    if len(means) > 1 and means.min() > CEILING:
        yield (
            "ceiling",
            f"every configuration is above {CEILING} in {grid.objective}: the questions are too easy "
            "to choose by",
        )
    elif means.max() > CEILING:
        yield (
            "ceiling",
            f"the best mean of {grid.objective} is {value(float(means.max()))}, and {share(full)} of all "
            "values are 1: there is hardly room to tell good from better; harder questions would help",
        )


def _twins(grid: Grid) -> Found:
    """Identical rankings under different parameters."""
    pairs = [(row, grid.twins[row][0]) for row in grid.main.tolist() if grid.twins[row]]
    if not pairs:
        return
    differ = [k for k in grid.knobs if any(k.at[row] != k.at[other] for row, other in pairs)]
    knobs = f" ({listed([k.short for k in differ])})" if differ else ""
    first, other = pairs[0]
    yield (
        "identical",
        f"{len(pairs)} configurations rank the documents of every question exactly as another one does, "
        f"though their parameters differ{knobs}, such as {brief(grid.members[first].name)} and "
        f"{brief(grid.members[other].name)}: a knob that nothing listens to?",
    )


def _ties(grid: Grid) -> Found:
    top = [row for row in grid.main.tolist() if grid.mean[0] - grid.mean[row] <= TIE]
    if len(top) > 1:
        names = listed([brief(grid.members[row].name) for row in top], most=3)
        yield (
            "ties",
            f"{len(top)} configurations share the highest mean, {value(float(grid.mean[0]))}: {names}; "
            "their order on the leaderboard says nothing",
        )


def _judged(grid: Grid, leaders: Sequence[int]) -> Found:
    """Only of a gold that was pooled, so says what isn't relevant: elsewhere nobody looked at the rest."""
    if not (grid.sweeps[0].judgements.key_grades <= 0).any():
        return
    shares = {row: _judged_share(grid, row) for row in leaders}
    low = [row for row in shares if shares[row] < JUDGED]
    if low:
        least, most = min(shares.values()), max(shares.values())
        between = share(least) if share(least) == share(most) else f"{share(least)} to {share(most)}"
        yield (
            "judged",
            f"of the first {grid.k} documents of the leaders, {between} have a judgement; all others count "
            "as not relevant, so a configuration that finds other good documents is underrated",
        )


def _judged_share(grid: Grid, row: int) -> float:
    one = grid.members[row]
    sweep = grid.sweeps[one.sweep]
    documents = sweep.documents[one.at, :, : grid.k]
    there = (documents != EMPTY) & grid.answerable[:, np.newaxis]
    judged = sweep.judgements.judged_at(documents) & there
    return float(judged.sum() / max(1, there.sum()))


def _tokens(grid: Grid) -> Found:
    counts = [int(one.record.metrics.get("questions.without_tokens", 0)) for one in grid.members]
    silent = [row for row in grid.main.tolist() if counts[row]]
    if silent:
        most = max(counts[row] for row in silent)
        with_analyzer = sorted(
            {str(grid.members[row].record.params.get("analyzer", "")) for row in silent} - {""}
        )
        under = f" under analyzer={listed(with_analyzer, 'or')}" if with_analyzer else ""
        yield (
            "tokens",
            f"{counted(most, 'question has', 'questions have')} no token{under} "
            f"({len(silent)} of {len(grid.main)} configurations): words can't find anything for them",
        )


def _history(history: History | None) -> Found:
    if history is not None and history.sweeps >= MANY_SWEEPS:
        yield (
            "history",
            f"this gold has judged {history.configurations:,} configurations in {history.sweeps} sweeps; "
            "each choice fits it a little more, so it's time for new questions",
        )
