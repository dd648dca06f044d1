"""`rag-sweep gold label-next`: the documents whose judgement would most change the order of the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rag_sweep.comparing.finding import Finder
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.texts import Texts
from rag_sweep.comparison.grid import Grid, Member
from rag_sweep.errors import DataError, UsageError
from rag_sweep.goldlife.aligned import of_sweep
from rag_sweep.goldlife.labels import Label, Labelling, Leader
from rag_sweep.goldlife.opened import dataset_words, open_gold
from rag_sweep.goldlife.rescored import RescoredSweep
from rag_sweep.goldlife.weighing import Missing, Weights, missing_judgements, weighed
from rag_sweep.goldlife.writing import refuse_existing, write_new
from rag_sweep.matrix.data import SweepData
from rag_sweep.measures import Measure
from rag_sweep.ranking import EMPTY

NEVER_NEGATIVE = (
    "nothing in this gold is judged not relevant: its authors may have looked at more documents than it says"
)

SNIPPET = 600
"""Characters of a passage that are shown."""


@dataclass(frozen=True)
class Asked:
    """What `label_next` is asked.

    Attributes
    ----------
    gold
        A newer GOLD file than the sweep's.
    top, limit
        How many configurations, and how many documents.
    grade
        That a relevant document would have; None for the most common one of the gold.
    out
        A table to write, which mustn't be there.
    """

    gold: Path | None = None
    top: int = 10
    limit: int = 20
    grade: int | None = None
    out: Path | None = None
    partial: bool = False


def label_next(words: Sequence[str], asked: Asked, config_dir: str | None = None) -> Labelling:
    """List the judgements that would most change the order of the best configurations of a sweep.

    Parameters
    ----------
    words
        Names of sweeps as `Finder.find` takes them, the newest for none; and overrides.

    Raises
    ------
    DataError
        If there is only one ranking to look at, or nothing is without a judgement.
    UsageError, ConfigError, NotComparable, TrackingError
        For what isn't there or can't be compared.
    """
    if asked.out is not None:
        refuse_existing([asked.out])
    request = Request.of(words, config_dir)
    found = Finder(request, asked.partial).find(request.names)
    sweeps, notes = _by_gold(found.sweeps, request, asked.gold, config_dir)
    places = [(sweeps[sweep.sweep_id], index) for sweep, index in found.places]
    grid = Grid.chosen(places, objective=request.objective)
    texts = Texts.of(grid.sweeps, request)
    result = _labelling(grid, texts, asked)
    result = replace(result, notes=(*notes, *result.notes, *grid.notes, *texts.notes))
    if asked.out is not None:
        write_new({asked.out: result.table()})
    return result


def _labelling(grid: Grid, texts: Texts, asked: Asked) -> Labelling:
    _check_corpus(grid)
    leaders = _leaders(grid, asked.top)
    grade = _usual_grade(grid) if asked.grade is None else asked.grade
    documents = np.stack([grid.sweeps[one.sweep].documents[one.at] for one in leaders])
    judgements = grid.sweeps[0].judgements
    missing = missing_judgements(judgements, documents, Measure.parse(grid.objective), grade)
    weights = weighed(missing)
    chosen = weights.order[: asked.limit].tolist()
    return Labelling(
        objective=grid.objective,
        k=grid.k,
        questions=grid.values.shape[1],
        leaders=tuple(_leader(grid, one) for one in leaders),
        pairs=len(leaders) * (len(leaders) - 1) // 2,
        open_pairs=weights.open_pairs,
        unjudged=len(missing),
        turning=int((weights.turned > 0).sum()),
        grade=grade,
        labels=tuple(_label(grid, leaders, texts, missing, weights, at) for at in chosen),
        out=None if asked.out is None else str(asked.out),
        notes=() if (judgements.key_grades <= 0).any() else (NEVER_NEGATIVE,),
    )


def _by_gold(
    sweeps: Sequence[SweepData], request: Request, gold: Path | None, config_dir: str | None
) -> tuple[dict[str, SweepData], list[str]]:
    """The sweeps as they were measured, or by a newer gold."""
    named = dataset_words(request.overrides)
    if gold is None and not named:
        return {sweep.sweep_id: sweep for sweep in sweeps}, []
    opened = open_gold([*(["--config-dir", config_dir] if config_dir else []), *named], gold)
    found: dict[str, SweepData] = {}
    notes: list[str] = []
    for sweep in sweeps:
        alignment = of_sweep(sweep, opened.gold)
        if not alignment.at:
            raise DataError(f"sweep {sweep.sweep_id} has no question of this gold")
        left = len(alignment.left_out)
        if left:
            notes.append(f"{left} questions of the gold have no ranking in {sweep.sweep_id} and are left out")
        found[sweep.sweep_id] = RescoredSweep(sweep, alignment)
    return found, notes


def _check_corpus(grid: Grid) -> None:
    if len({sweep.basis.corpus_hash for sweep in grid.sweeps}) > 1:
        raise UsageError("the sweeps searched different documents: ask about one of them at a time")


def _leaders(grid: Grid, top: int) -> list[Member]:
    """The best configurations, each ranking once: what ranks the same is always level."""
    chosen: list[int] = []
    for row in grid.main.tolist():
        if not set(grid.twins[row]) & set(chosen):
            chosen.append(row)
        if len(chosen) == top:
            break
    if len(chosen) < 2:
        raise DataError(
            "there is no order to change: it takes two configurations that rank something differently, and "
            "there is one ranking"
        )
    return [grid.members[row] for row in chosen]


def _usual_grade(grid: Grid) -> int:
    """The most common grade of a relevant document; of equally common ones the lowest."""
    grades = Counter(g for question in grid.questions for g in question.grades.values() if g > 0)
    return min(grades, key=lambda grade: (-grades[grade], grade))


def _leader(grid: Grid, one: Member) -> Leader:
    sweep = grid.sweeps[one.sweep]
    top = sweep.documents[one.at, :, : grid.k]
    there = (top != EMPTY) & grid.answerable[:, np.newaxis]
    judged = sweep.judgements.judged_at(top) & there
    row = grid.members.index(one)
    share = float(judged.sum() / max(1, there.sum()))
    return Leader(sweep.sweep_id, one.record.index, one.name, float(grid.mean[row]), share)


def _label(
    grid: Grid, leaders: Sequence[Member], texts: Texts, missing: Missing, weights: Weights, at: int
) -> Label:
    sweep = grid.sweeps[0]
    question = sweep.questions[int(missing.query[at])]
    doc_id = sweep.doc_ids[int(missing.document[at])]
    ranks = tuple(rank or None for rank in missing.ranks[at].tolist())
    told = next((q.text for q in grid.questions if q.query_id == question.query_id), question.text)
    label = Label(
        query_id=question.query_id,
        doc_id=doc_id,
        question=told,
        title=None,
        text=None,
        ranks=ranks,
        turns=tuple(_turned(missing, at)),
        shift=float(weights.shift[at]),
        leads=int(weights.first[at]) if weights.first[at] != missing.means.round(12).argmax() else None,
    )
    return _with_text(label, grid, leaders, texts)


def _turned(missing: Missing, at: int) -> list[tuple[int, int]]:
    """Pairs of leaders that would change places."""
    now, then = missing.means, missing.means + missing.effect[at]
    places = range(len(now))
    return [(a, b) for a in places for b in places if now[a] - now[b] > 1e-9 and then[b] - then[a] > 1e-9]


def _with_text(label: Label, grid: Grid, leaders: Sequence[Member], texts: Texts) -> Label:
    """With title and the passage by which the best placed leader found it."""
    document = next(
        (found for sweep in grid.sweeps if (found := texts.document(sweep, label.doc_id)) is not None), None
    )
    if document is None:
        return label
    one = leaders[label.ranks.index(label.best_rank)]
    passages = grid.sweeps[one.sweep].passages(one.record.index, label.query_id)
    start, end = next(
        ((start, end) for doc_id, start, end in passages if doc_id == label.doc_id), (0, len(document.text))
    )
    text = " ".join(document.text[start:end].split())
    cut = text if len(text) <= SNIPPET else f"{text[:SNIPPET]}…"
    return replace(label, title=document.title or None, text=cut)
