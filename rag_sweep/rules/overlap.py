"""How many of an answer's words its context has: a heuristic, not a proof."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.cases.records import Answer, Case
from rag_sweep.checks import require
from rag_sweep.rules.labels import unlabelled
from rag_sweep.rules.markers import sentences
from rag_sweep.rules.refusal import Refusals
from rag_sweep.rules.verdict import Verdict

_STEMS = StemmedAnalyzer(stop_words="short")
FEWEST_WORDS = 3
"""Content words of a sentence that is measured."""


@dataclass(frozen=True)
class Overlap:
    """The share of content words of each sentence that occur, as stems, in the context.

    A signal and no judge: an answer in other words is right with little of it, a false one may have all.
    Sentences of fewer than three content words («Да.», “Do this:”) and those that refuse aren't measured.

    Parameters
    ----------
    least
        The mean share from which an answer looks supported, 0 to 1.
    """

    refusals: Refusals = field(default_factory=Refusals)
    least: float = 0.5
    name: str = "overlap"

    def __post_init__(self) -> None:
        require("rules.least_overlap", self.least, "a number from 0 to 1", 0 <= self.least <= 1)

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """The value is the mean over sentences; failed if that is below."""
        if self.refusals.refuses(answer.text, case.citable, case.question):
            return Verdict.not_applicable(self.name, "refused", {"sentences": []})
        known = set(_STEMS.tokens(f"{case.question}\n{case.text}"))
        shares = [
            (sentence.text, sum(token in known for token in tokens) / len(tokens))
            for sentence in sentences(answer.text, case.citable)
            if len(tokens := _STEMS.tokens(unlabelled(sentence.text))) >= FEWEST_WORDS
            and not self.refusals.is_refusal(sentence)
        ]
        if not shares:
            return Verdict.not_applicable(self.name, "no_words", {"sentences": []})
        low = [text for text, share in shares if share < self.least]
        detail = {"sentences": [{"text": text, "share": share} for text, share in shares], "low": low}
        value = math.fsum(share for _, share in shares) / len(shares)
        if value < self.least:
            return Verdict(self.name, "fail", "little", detail, value)
        return Verdict(self.name, "pass", "enough", detail, value)
