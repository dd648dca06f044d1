"""How much of an answer its context supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_sweep.cases.records import Answer, Case
from rag_sweep.cases.showing import shown
from rag_sweep.checks import require
from rag_sweep.judges.asking import LEAST_TOKENS, Ask, Asked, Steps
from rag_sweep.judges.reading import flags, texts
from rag_sweep.rules.markers import sentences
from rag_sweep.rules.verdict import State, Verdict
from rag_sweep.rules.wording import plain

TOKENS_OF_A_FLAG = 32
"""That a reply needs for each thing that it judges yes or no."""


def shares(name: str, flagged: Sequence[tuple[str, bool]], what: str) -> Verdict:
    """The share that is supported; failed if anything isn't."""
    good = sum(supported for _, supported in flagged)
    rows = [{"text": text, "supported": supported} for text, supported in flagged]
    whole = good == len(flagged)
    reason = "supported" if whole else "unsupported"
    return Verdict(name, "pass" if whole else "fail", reason, {what: rows}, good / len(flagged))


@dataclass(frozen=True)
class Faithfulness:
    """The share of an answer's claims that its context supports (after Es et al., RAGAS, EACL 2024).

    Two calls: the answer is split into claims, then each is judged yes or no.

    Parameters
    ----------
    without_claims
        The value of an answer that claims nothing, which passes with 1 only; None: not applicable.
    """

    without_claims: float | None = None
    name: str = "faithfulness"

    prompts: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "claims": ("question", "answer"),
        "verdicts": ("context", "claims"),
    }

    @property
    def labels(self) -> tuple[str, ...]:
        """The value of an answer that claims nothing, since it counts in the mean."""
        value = "null" if self.without_claims is None else f"{self.without_claims:g}"
        return (f"claims.without_claims={value}",)

    def __post_init__(self) -> None:
        known = self.without_claims is None or 0 <= self.without_claims <= 1
        require("without_claims", self.without_claims, "a number from 0 to 1 or null", known)

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """Claims first, then a verdict for each."""
        said = plain(case, answer)
        claims = yield Ask(
            asked.messages("claims", case, question=case.question, answer=said),
            lambda data: list(dict.fromkeys(texts(data, "claims"))),
            max(LEAST_TOKENS, len(said)),
        )
        if not claims:
            if self.without_claims is None:
                return Verdict.not_applicable(self.name, "no_claims")
            state: State = "pass" if self.without_claims == 1 else "fail"
            return Verdict(self.name, state, "no_claims", {}, self.without_claims)
        listed = asked.ordered(claims)
        context = shown(asked.ordered(case.context))
        numbered = "\n".join(f"{at}. {claim}" for at, claim in enumerate(listed, 1))
        found = yield Ask(
            asked.messages("verdicts", case, context=context, claims=numbered),
            lambda data: flags(data, "verdicts", "claim", "supported", len(listed)),
            max(LEAST_TOKENS, TOKENS_OF_A_FLAG * len(listed)),
        )
        return shares(self.name, asked.ordered(list(zip(listed, found, strict=True))), "claims")


@dataclass(frozen=True)
class CitationSupport:
    """The share of cited sentences that what they cite supports."""

    name: str = "citation_support"

    prompts: ClassVar[Mapping[str, tuple[str, ...]]] = {"citation": ("pairs",)}
    labels: ClassVar[tuple[str, ...]] = ()

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """One call for all sentences of the answer that cite something of the context."""
        parts = {part.id: part for part in case.context}
        pairs = [
            (one.text, [parts[name] for name in one.cites if name in parts])
            for one in sentences(answer.text, case.citable)
            if any(name in parts for name in one.cites)
        ]
        if not pairs:
            return Verdict.not_applicable(self.name, "no_citation")
        listed = asked.ordered(pairs)
        told = "\n\n".join(
            f"{at}. {text}\n{shown(asked.ordered(cited))}" for at, (text, cited) in enumerate(listed, 1)
        )
        found = yield Ask(
            asked.messages("citation", case, pairs=told),
            lambda data: flags(data, "verdicts", "pair", "supported", len(listed)),
            max(LEAST_TOKENS, TOKENS_OF_A_FLAG * len(listed)),
        )
        flagged = [(text, good) for (text, _), good in zip(listed, found, strict=True)]
        return shares(self.name, asked.ordered(flagged), "sentences")
