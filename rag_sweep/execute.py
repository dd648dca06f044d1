"""Running a plan: each distinct node once, values dropped when nobody needs them any more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rag_sweep.arrays import FloatArray
from rag_sweep.errors import RagSweepError, StageFailed
from rag_sweep.evaluation import Evaluation
from rag_sweep.judgements import Judgements
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Chain, Node
from rag_sweep.plan import Plan
from rag_sweep.records import Dataset
from rag_sweep.stages import STAGES, Found


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one configuration gave.

    Attributes
    ----------
    passages
        The spans that passage numbers in `found` mean.
    found
        Rankings of documents and passages.
    evaluation
        Per-question values.
    pool_recall
        For each branch and for the "pool": recall before reranking and cutting, shape (queries,).
    tokenless_questions
        Positions of the questions in which the analyzer found no token.
    tokenless_passages
        How many passages have no token.
    effective_dim
        Components that the vectors have; None without a dense branch.
    """

    passages: Passages
    found: Found
    evaluation: Evaluation
    pool_recall: dict[str, FloatArray]
    tokenless_questions: tuple[int, ...]
    tokenless_passages: int
    effective_dim: int | None


class Execution:
    """Computes a plan's values on demand and remembers each while something still needs it."""

    def __init__(self, plan: Plan, dataset: Dataset) -> None:
        self._plan = plan
        self._uses = plan.uses()
        doc_ids = [document.doc_id for document in dataset.corpus.documents]
        self._given = {
            "corpus": dataset.corpus,
            "questions": dataset.gold,
            "judgements": Judgements.of(dataset.gold, doc_ids),
        }
        self._values: dict[str, Any] = {}

    def outcomes(self) -> Iterator[tuple[int, Outcome | RagSweepError]]:
        """Each configuration's number with its outcome, or with the reason why it failed."""
        from threadpoolctl import threadpool_limits

        for at in self._plan.order:
            with threadpool_limits(1):  # sums of matrix products depend on the number of threads
                outcome = self._outcome(self._plan.chains[at])
            yield at, outcome

    def _outcome(self, chain: Chain) -> Outcome | RagSweepError:
        taken = {node.key: self._take(node) for node in chain.outputs}
        failure = next((value for value in taken.values() if isinstance(value, RagSweepError)), None)
        if failure is not None:
            return failure
        vectors = taken[chain.vectors.key] if chain.vectors else None
        lengths = taken[chain.query_terms.key].lengths
        return Outcome(
            passages=taken[chain.passages.key],
            found=taken[chain.found.key],
            evaluation=taken[chain.values.key],
            pool_recall={name: taken[node.key] for name, node in chain.recalls.items()},
            tokenless_questions=tuple(int(at) for at in (lengths == 0).nonzero()[0]),
            tokenless_passages=int((taken[chain.passage_terms.key].lengths == 0).sum()),
            effective_dim=vectors.width if vectors else None,
        )

    def _take(self, node: Node) -> Any:
        """The node's value, for one of those who use it; a failure is remembered like a value."""
        if node.key not in self._values:
            self._values[node.key] = self._compute(node)
        value = self._values[node.key]
        self._uses[node.key] -= 1
        if self._uses[node.key] == 0:
            del self._values[node.key]
        return value

    def _compute(self, node: Node) -> Any:
        if not node.inputs:
            return self._given[node.stage]
        inputs = [self._take(above) for above in node.inputs]
        failure = next((value for value in inputs if isinstance(value, RagSweepError)), None)
        if failure is not None:
            return failure
        try:
            return STAGES[node.stage].run(node.part, *inputs)
        except StageFailed as failure:
            return failure
        except (KeyboardInterrupt, SystemExit):
            raise
        except Exception as error:  # a component of the user may raise anything; the sweep goes on
            if os.environ.get("RAG_SWEEP_DEBUG") == "1":
                raise
            return StageFailed(f"{node.stage}: {type(error).__name__}: {error}")
