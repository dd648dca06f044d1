"""What a missing judgement could do to the order of configurations.

After Carterette, Allan and Sitaraman (SIGIR 2006), "Minimal test collections for retrieval evaluation": a
document matters as far as its relevance would change the *difference* of two systems, so one that both have
at the same rank matters nothing, however high it stands. They weigh a document by that change in average
precision; here it is computed anew for any measure, the denominator included, and set beside the lead that it
would have to turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import FloatArray, IndexArray, IntArray
from rag_sweep.judgements import Judgements
from rag_sweep.measures import Measure
from rag_sweep.ranking import EMPTY
from rag_sweep.statistics.table import TIE

_CELLS = 2_000_000  # grades that are looked at together


@dataclass(frozen=True, eq=False)
class Missing:
    """Pairs of a question and a document without a judgement, ordered by question, then document.

    Attributes
    ----------
    query, document : int64, shape (pairs,)
        Positions of the question and of the document.
    ranks : int64, shape (pairs, systems)
        From 1; 0 where it isn't within the cutoff.
    effect : float64, shape (pairs, systems)
        Change of each system's mean if the document alone were relevant.
    means : float64, shape (systems,)
        As they are now.
    """

    query: IntArray
    document: IntArray
    ranks: IntArray
    effect: FloatArray
    means: FloatArray

    def __len__(self) -> int:
        return len(self.query)


@dataclass(frozen=True, eq=False)
class Weights:
    """How much each missing judgement could change.

    Attributes
    ----------
    turned : int64, shape (pairs,)
        Pairs of systems whose order it would turn alone.
    shift : float64, shape (pairs,)
        Sum over all pairs of systems of how far it would change the chance that their order is as it seems.
    first : int64, shape (pairs,)
        The system that would have the highest mean; of equal ones the first.
    order : int64, shape (pairs,)
        The pairs, what matters most first.
    open_pairs
        Pairs of systems whose order all missing judgements together could turn.
    """

    turned: IntArray
    shift: FloatArray
    first: IntArray
    order: IntArray
    open_pairs: int


def missing_judgements(
    judgements: Judgements, documents: IndexArray | IntArray, measure: Measure, grade: int = 1
) -> Missing:
    """The documents within the measure's cutoff that nobody has judged, of the answerable questions.

    Parameters
    ----------
    documents : int, shape (systems, queries, depth)
        Document numbers by rank, -1 behind the end.
    grade
        That a relevant one would have, >= 1.
    """
    top = np.asarray(documents, dtype=np.int64)[..., : measure.k]
    there = (top != EMPTY) & ~judgements.judged_at(top) & judgements.answerable[:, np.newaxis]
    number = max(1, len(judgements.doc_ids))
    queries = np.broadcast_to(np.arange(top.shape[1])[:, np.newaxis], top.shape)
    keys = np.unique(queries[there] * number + top[there])
    query, document = keys // number, keys % number
    # the measure may look at fewer ranks than were kept, but never at more
    grades, ideal = judgements.grades_at(top), judgements.ideal
    values = measure.values(grades, ideal)
    asked = max(1, int(judgements.answerable.sum()))
    effect = np.zeros((len(keys), len(top)))
    ranks = np.zeros((len(keys), len(top)), dtype=np.int64)
    for block in _blocks(len(keys), top.shape[0] * max(1, top.shape[2])):
        at, hit = query[block], top[:, query[block]] == document[block][np.newaxis, :, np.newaxis]
        judged = np.where(hit, grade, grades[:, at])
        best = -np.sort(-np.pad(ideal[at], ((0, 0), (0, 1)), constant_values=grade), axis=1)
        effect[block] = ((measure.values(judged, best) - values[:, at]) / asked).T
        ranks[block] = np.where(hit.any(axis=2), hit.argmax(axis=2) + 1, 0).T
    means: FloatArray = values[:, judgements.answerable].mean(axis=1)
    return Missing(query, document, ranks, effect, means)


def weighed(missing: Missing) -> Weights:
    """Order missing judgements by what they could change.

    First come those that would turn the order of most pairs alone; of equal ones those with the largest
    `shift`; equal ones stand by question, then document.

    For the shift, the chance that a pair's order is as it seems is taken as Phi(lead / sigma), where sigma is
    how far the missing judgements move the pair's lead if each document is relevant with a chance of one
    half, the assumption where nothing is known.
    """
    from scipy.special import ndtr

    first, second = np.triu_indices(len(missing.means), 1)
    lead = missing.means[first] - missing.means[second]
    change = missing.effect[:, first] - missing.effect[:, second]
    change[np.abs(change) <= TIE] = 0.0
    sign = np.where(np.abs(lead) <= TIE, 0.0, np.sign(lead))
    turned = ((lead + change) * sign < -TIE).sum(axis=1)
    sigma = np.sqrt((change**2).sum(axis=0)) / 2
    scale = np.where(sigma > 0, sigma, 1.0)
    shift = np.abs(ndtr((lead + change) / scale) - ndtr(lead / scale)).sum(axis=1)
    shift = np.round(shift, 12)  # dust mustn't decide who is first
    against = np.where(sign > 0, np.minimum(change, 0), np.maximum(change, 0)).sum(axis=0)
    could = np.where(sign == 0, (change != 0).any(axis=0), (lead + against) * sign < -TIE)
    return Weights(
        turned=turned.astype(np.int64),
        shift=shift,
        first=np.round(missing.means + missing.effect, 12).argmax(axis=1).astype(np.int64),
        order=np.lexsort((np.arange(len(missing)), -shift, -turned)).astype(np.int64),
        open_pairs=int(could.sum()),
    )


def _blocks(number: int, each: int) -> Iterator[slice]:
    size = max(1, _CELLS // max(1, each))
    return (slice(at, at + size) for at in range(0, number, size))
