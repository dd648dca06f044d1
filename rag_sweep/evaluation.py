"""Rankings and judgements to values per query, and the few honest ways to sum them up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_sweep.arrays import FloatArray, IndexArray, IntArray
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.judgements import Judgements, standing_twice
from rag_sweep.measures import MEASURES, Graded, Measure, auroc, cutoff
from rag_sweep.ranking import EMPTY


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Values per query, of one configuration or (with leading axes) of many. Made by `evaluate`.

    Attributes
    ----------
    judgements, documents
        What was evaluated: documents int, shape (..., queries, depth).
    k
        The cutoff that the user decides by.
    columns
        The measures, each at every cutoff.
    values : float64, shape (..., queries, len(columns))
        NaN in the rows of negatives.
    first_relevant : int64, shape (..., queries)
        Rank of the first relevant document anywhere in the ranking, 0 where there is none.
    judged_at_k : float64, shape (..., queries)
        Share of the first `k` that has a judgement, divided by what came back; NaN if nothing did.
    """

    judgements: Judgements
    documents: IntArray | IndexArray
    k: int
    columns: tuple[Measure, ...]
    values: FloatArray
    first_relevant: IntArray
    judged_at_k: FloatArray

    @property
    def answerable(self) -> int:
        """Number of questions that means are over."""
        return int(self.judgements.answerable.sum())

    def select(self, *at: int) -> Evaluation:
        """The evaluation of one configuration out of many; `at` indexes the leading axes."""
        return replace(
            self,
            documents=self.documents[at],
            values=self.values[at],
            first_relevant=self.first_relevant[at],
            judged_at_k=self.judged_at_k[at],
        )

    def column(self, measure: Measure | str) -> FloatArray:
        """The values of one measure, shape (..., queries); ConfigError if it was not computed."""
        wanted = Measure.parse(measure) if isinstance(measure, str) else measure
        if wanted not in self.columns:
            cutoffs = [column.k for column in self.columns if column.name == wanted.name]
            raise ConfigError(f"measure must have one of the cutoffs {cutoffs}, got {str(wanted)!r}")
        return self.values[..., self.columns.index(wanted)]

    def mean_values(self) -> FloatArray:
        """Means over the answerable questions, shape (..., len(columns)); all NaN if there is none.

        Sums are exact (`math.fsum`), so no order of questions changes a bit.
        """
        rows = self.values[..., self.judgements.answerable, :]
        lead, (n, columns) = rows.shape[:-2], rows.shape[-2:]
        lists = np.moveaxis(rows, -1, -2).reshape(math.prod(lead) * columns, n).tolist()
        return np.array([_mean(values) for values in lists], dtype=np.float64).reshape(*lead, columns)

    def means(self) -> dict[str, float]:
        """Means of one configuration by ``ndcg@10``; over the answerable questions, NaN if there is none."""
        if self.values.ndim != 2:
            raise ValueError(f"means are of one configuration: select one of {self.values.shape[:-2]} first")
        return dict(zip(map(str, self.columns), self.mean_values().tolist(), strict=True))

    def mean(self, measure: Measure | str) -> float:
        """The mean of one measure where a value is needed.

        Raises
        ------
        DataError
            If no question is answerable, or the measure was not computed.
        """
        if not self.answerable:
            raise DataError(
                f"{measure} has no value: no question of the gold has a relevant document; "
                "give at least one question that the documents answer"
            )
        return _mean(self.column(measure)[self.judgements.answerable].tolist())

    def found(self, *at: int) -> tuple[str, ...]:
        """Ids of the relevant documents within the first `k`, by rank; `at` ends with the query's number."""
        relevant = set(self.judgements.relevant[at[-1]])
        numbers = [number for number in self.documents[at][: self.k].tolist() if number != EMPTY]
        ids = [self.judgements.doc_ids[number] for number in numbers]
        return tuple(doc_id for doc_id in ids if doc_id in relevant)

    def missed(self, *at: int) -> tuple[str, ...]:
        """Ids of the relevant documents not within the first `k`, best grade first; `at` as in `found`."""
        found = set(self.found(*at))
        return tuple(doc_id for doc_id in self.judgements.relevant[at[-1]] if doc_id not in found)


def k_covers_all(k: int, documents: int | None) -> bool:
    """True if a cutoff leaves no document out: whatever comes back at all is then among the first `k`.

    Hit, recall and precision at such a `k` don't depend on the order of a ranking.

    Parameters
    ----------
    documents
        How many there are; None where that isn't known, and nothing is claimed.
    """
    return documents is not None and k >= documents


def evaluate(
    judgements: Judgements, documents: IntArray | IndexArray, k: int, cutoffs: Iterable[int]
) -> Evaluation:
    """Every measure at `k` and at every cutoff.

    Parameters
    ----------
    documents : int, shape (..., queries, depth)
        Document numbers by rank, -1 behind the end. A question without a ranking is a row of -1: it counts 0.
    k, cutoffs
        Ints >= 1; they may exceed the depth.

    Raises
    ------
    ConfigError
        For a cutoff below 1.
    DataError
        If a ranking holds a document twice.
    """
    ks = sorted({cutoff(k), *(cutoff(value, "cutoffs") for value in cutoffs)})
    columns = tuple(Measure(name, at) for name in MEASURES for at in ks)
    pairs = judgements.pairs_at(documents)
    _check_distinct(judgements, documents)
    graded = Graded(judgements.grades_of(pairs), judgements.ideal, ks)
    values = np.stack([MEASURES[measure.name].formula(graded, measure.k) for measure in columns])
    return Evaluation(
        judgements=judgements,
        documents=documents,
        k=k,
        columns=columns,
        values=np.moveaxis(values, 0, -1),
        first_relevant=graded.first_relevant,
        judged_at_k=_judged_share(pairs[..., :k], documents[..., :k]),
    )


def pool_recall(judgements: Judgements, documents: IntArray | IndexArray) -> FloatArray:
    """Share of the relevant documents that stand anywhere in a pool, shape (..., queries); NaN for negatives.

    `documents` is as in `Judgements.grades_at` but may repeat a document, as when several of its passages are
    in the pool: it counts once.
    """
    return judgements.found_share(documents)


@dataclass(frozen=True, slots=True)
class NegativesReport:
    """How the questions that nothing answers were treated; None where a number does not apply.

    Attributes
    ----------
    n
        Number of negatives.
    empty_share
        Share of them with an empty ranking, the right answer; None without negatives.
    auroc
        Chance that an answerable question's top score is above a negative's; None without negatives,
        without answerable questions, or where scores of two questions can't be compared.
    """

    n: int
    empty_share: float | None
    auroc: float | None


def negatives(judgements: Judgements, top_scores: FloatArray, comparable: bool) -> NegativesReport:
    """Measure the negatives apart from the others.

    Parameters
    ----------
    top_scores : float64, shape (queries,)
        Score at rank 1; ``-inf`` or NaN for an empty ranking, which stands below every score.
    comparable
        False where the score is made of ranks or of z-scores per question.
    """
    if top_scores.shape != judgements.answerable.shape:
        raise ValueError(f"top_scores must be {judgements.answerable.shape}, got {top_scores.shape}")
    scores = np.where(np.isnan(top_scores), -np.inf, top_scores)
    positive, negative = scores[judgements.answerable], scores[~judgements.answerable]
    empty = int(np.isneginf(negative).sum())
    return NegativesReport(
        n=len(negative),
        empty_share=empty / len(negative) if len(negative) else None,
        auroc=auroc(positive, negative) if comparable and len(positive) and len(negative) else None,
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _judged_share(pairs: IntArray, documents: IntArray | IndexArray) -> FloatArray:
    judged = np.count_nonzero(pairs != EMPTY, axis=-1)
    returned = np.count_nonzero(documents != EMPTY, axis=-1)
    share: FloatArray = np.divide(judged, returned, out=np.full(judged.shape, np.nan), where=returned > 0)
    return share


def _check_distinct(judgements: Judgements, documents: IntArray | IndexArray) -> None:
    ordered = np.sort(documents, axis=-1)
    repeated = (ordered[..., 1:] == ordered[..., :-1]) & (ordered[..., 1:] != EMPTY)
    faults = {(int(at[-2]), int(ordered[..., 1:][tuple(at)])) for at in np.argwhere(repeated)}
    if faults:
        raise DataError(
            [
                standing_twice(judgements.query_ids[query], judgements.doc_ids[doc])
                for query, doc in sorted(faults)
            ]
        )
