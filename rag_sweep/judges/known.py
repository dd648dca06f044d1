"""The judges that can be asked for, and which measures no model has a part in."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rag_sweep.judges.asking import Judge
from rag_sweep.judges.faithfulness import CitationSupport, Faithfulness
from rag_sweep.judges.nearness import Nearness
from rag_sweep.judges.relevance import HIGHEST, Completeness, Relevance, ReverseQuestions
from rag_sweep.rules.judging import NAMES, metric_of

PASS_AT_1 = "pass_at_1"
"""The share of answers that pass, by the rules."""
EVIDENCE_CITED = "evidence_cited"
"""The measure that only a GOLD can give."""
SIGNALS = ("overlap", "reverse_questions")
"""Heuristics: shown, and named as such."""
BY_RULES = frozenset({PASS_AT_1, EVIDENCE_CITED, *NAMES, *map(metric_of, NAMES)})
"""Names of verdicts and of means that no model has a part in."""


class Given(NamedTuple):
    """What a config sets of judges; `nearness` is made where a judge needs it."""

    without_claims: float | None
    nearness: Callable[[], Nearness]


class Known(NamedTuple):
    """A judge by its class.

    Attributes
    ----------
    made
        With what the config sets.
    highest
        Of one that gives whole grades from 0; None for one that says yes or no, or gives shares.
    """

    kind: type[Judge]
    made: Callable[[Given], Judge]
    highest: int | None = None


JUDGES = {
    Faithfulness.name: Known(Faithfulness, lambda given: Faithfulness(given.without_claims)),
    CitationSupport.name: Known(CitationSupport, lambda _: CitationSupport()),
    Relevance.name: Known(Relevance, lambda _: Relevance(), HIGHEST),
    ReverseQuestions.name: Known(ReverseQuestions, lambda given: ReverseQuestions(nearness=given.nearness())),
    Completeness.name: Known(Completeness, lambda _: Completeness()),
}
"""By name, in the order of reports."""


def is_judge(name: str) -> bool:
    """True for a model's verdicts and their mean; what isn't known is taken for one."""
    return name not in BY_RULES
