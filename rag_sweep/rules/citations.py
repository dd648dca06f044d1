"""Whether an answer cites, only what it may, and beside the sentence that it supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.cases.records import Answer, Case
from rag_sweep.rules.labels import unlabelled
from rag_sweep.rules.markers import Sentence, markers, sentences, without_addresses
from rag_sweep.rules.numbers import claims, unbacked
from rag_sweep.rules.refusal import Refusals
from rag_sweep.rules.verdict import Verdict

_STEMS = StemmedAnalyzer(stop_words="short")
MOST_WORDS, FEW = 0.6, 0.34
"""The share of a sentence's words that another part has, and of it what the cited ones have at most."""


@dataclass(frozen=True)
class Citations:
    """At least one ``[id]``, all of them allowed, none beside a sentence that it says nothing of.

    A citation is misplaced where a number of its sentence is in the context, but in no part that the
    sentence cites; or where another part has most of the sentence's words, and the cited ones hardly any of
    them. A refusal needs none.

    Parameters
    ----------
    every_sentence
        Whether each sentence with a number in it must cite something; else that is only told.
    """

    refusals: Refusals
    every_sentence: bool = False
    name: str = "citations"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Passed, or the first reason why not; `detail` has all that was found."""
        cited = list(dict.fromkeys(name for one in markers(answer.text, case.citable) for name in one.ids))
        if not cited and self.refusals.refuses(answer.text, case.citable, case.question):
            return Verdict.not_applicable(self.name, "refused", {"citations": [], "bad_citations": []})
        parts = sentences(answer.text, case.citable)
        detail: dict[str, Any] = {
            "citations": cited,
            "bad_citations": [name for name in cited if name not in case.citable],
            "misplaced": [one.text for one in parts if _is_misplaced(case, one)],
            "uncited": [one.text for one in parts if not one.cites and claims(_claiming(one))],
        }
        reason = self._reason(detail)
        return Verdict.of(self.name, reason == "cited", reason, detail)

    def _reason(self, detail: dict[str, Any]) -> str:
        if not detail["citations"]:
            return "no_citation"
        if detail["bad_citations"]:
            return "unknown_citation"
        if detail["misplaced"]:
            return "misplaced_citation"
        return "uncited_sentence" if self.every_sentence and detail["uncited"] else "cited"


def _is_misplaced(case: Case, sentence: Sentence) -> bool:
    """What it says is in the context, but not in what it cites."""
    cited = [part.text for part in case.context if part.id in sentence.cites]
    others = [part.text for part in case.context if part.id not in sentence.cites]
    if not any(name in case.citable for name in sentence.cites):
        return False  # what is unknown is told as that
    text = _claiming(sentence)
    missing = unbacked(text, cited)
    if missing and len(unbacked(text, [*cited, *others])) < len(missing):
        return True
    words = _stems(text)
    elsewhere = max((_share(words, [text]) for text in others), default=0.0)
    return elsewhere >= MOST_WORDS and _share(words, cited) <= elsewhere * FEW


def _claiming(sentence: Sentence) -> str:
    return without_addresses(unlabelled(sentence.text))


def _share(words: frozenset[str], texts: Sequence[str]) -> float:
    known = frozenset[str]().union(*map(_stems, texts))
    return len(words & known) / len(words) if words else 0.0


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(_STEMS.tokens(text))
