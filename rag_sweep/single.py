"""One configuration on one dataset, measured here and now; nothing is tracked."""

from __future__ import annotations

from rag_sweep.configuration import Configuration
from rag_sweep.errors import RagSweepError, StageFailed
from rag_sweep.execute import Execution, Outcome
from rag_sweep.pipeline import Roots
from rag_sweep.plan import plan
from rag_sweep.records import Dataset
from rag_sweep.store.entry import Store


def evaluate_single(configuration: Configuration, dataset: Dataset, store: Store | None = None) -> Outcome:
    """Evaluate one configuration; the same, byte by byte, as in any sweep.

    Parameters
    ----------
    store
        Where computed values are kept and looked for; None keeps nothing.

    Raises
    ------
    StageFailed
        If it fails while it runs.
    """
    planned = plan([configuration.pipeline], configuration.settings, Roots.of(dataset))
    ((_, outcome),) = Execution(planned, dataset, store=store).outcomes()
    if isinstance(outcome, StageFailed):
        raise outcome
    if isinstance(outcome, RagSweepError):
        raise StageFailed(str(outcome)) from outcome
    return outcome
