"""Whose fault a failed question is: gold or data, retrieval, or generation; with the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rag_sweep.cases.records import Case, absence
from rag_sweep.rules.judging import Judged
from rag_sweep.rules.verdict import Verdict
from rag_sweep.rules.wording import includes

To = Literal["gold", "retrieval", "generation"]
PLACES: tuple[To, ...] = ("gold", "retrieval", "generation")

SpanState = Literal["handed_over", "cut", "other_passage", "not_retrieved", "empty", "not_in_corpus"]
"""Of a span: enough of it is in the context; some of it; none, but another part of its document is; nothing
of its document is; it holds white space only; its document, or that part of it, doesn't exist."""

_BROKEN = ("empty", "not_in_corpus")


@dataclass(frozen=True)
class SpanFate:
    """What became of one span of evidence.

    Attributes
    ----------
    covered
        Share of its characters that the context holds, 0 to 1.
    """

    doc_id: str
    start: int
    end: int
    state: SpanState
    covered: float


@dataclass(frozen=True)
class Known:
    """What the GOLD and the ranking say of a question, beyond its case.

    Attributes
    ----------
    negative
        Nothing in the corpus answers it, says the GOLD.
    has_answer, has_spans
        Whether the GOLD has an answer, and evidence: a negative should have neither.
    spans
        Of an answerable question, each with what became of it.
    relevant
        The rank of each relevant document's first passage in the context; None: it isn't there.
    missing
        Relevant documents that the corpus hasn't got.
    supporting
        Ids of the context's passages that have a part of the evidence; without spans, of relevant documents.
    """

    negative: bool
    has_answer: bool = False
    has_spans: bool = False
    spans: tuple[SpanFate, ...] = ()
    relevant: Mapping[str, int | None] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    supporting: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attribution:
    """Where the fault lies, the code of the reason, and what it is told from, as plain data."""

    to: To
    reason: str
    evidence: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"to": self.to, "reason": self.reason, "evidence": dict(self.evidence)}


def attribute(judged: Judged, known: Known | None = None, cited: Verdict | None = None) -> Attribution | None:
    """Where to look first for the fault of a failed question; None for one that didn't fail.

    A question fails where its answer doesn't pass, where it refuses wrongly or should refuse and doesn't, and
    where the GOLD has evidence and the answer cites none of it. The first of these holds: the generator gave
    nothing; the GOLD can't be right; the evidence isn't in the context (retrieval); else it is generation.

    Parameters
    ----------
    cited
        Of a case made of a GOLD, whether the answer cites the evidence.
    """
    faults = faults_of(judged, cited)
    if not faults:
        return None
    to, reason = (
        _nothing_written(judged)
        or (None if known is None else _in_gold(judged, known))
        or _in_retrieval(judged, known)
        or _in_rubric(judged)
        or _in_generation(judged, faults)
    )
    return Attribution(to, reason, _evidence(judged, known, faults))


def faults_of(judged: Judged, cited: Verdict | None = None) -> tuple[str, ...]:
    """Why a question counts as failed, as ``rule: reason``; nothing for one that didn't fail."""
    also = (judged.verdict("refusal"), cited)
    more = [one for one in also if one is not None and one.state == "fail" and one not in judged.failed]
    return tuple(f"{one.rule}: {one.reason}" for one in (*judged.failed, *more))


def refuses(judged: Judged) -> bool:
    """True if the answer says that there is none."""
    refusal = judged.verdict("refusal")
    return refusal is not None and bool(refusal.detail.get("refuses"))


def _nothing_written(judged: Judged) -> tuple[To, str] | None:
    why = absence(judged.answer)
    return None if why is None else ("generation", why)


def _in_gold(judged: Judged, known: Known) -> tuple[To, str] | None:
    if known.negative:
        says_otherwise = known.has_answer or known.has_spans
        return ("gold", "negative_has_an_answer") if says_otherwise and not refuses(judged) else None
    if known.spans and all(span.state in _BROKEN for span in known.spans):
        is_empty = all(span.state == "empty" for span in known.spans)
        return "gold", "evidence_is_empty" if is_empty else "evidence_not_in_corpus"
    if not known.spans and known.relevant and set(known.missing) >= known.relevant.keys():
        return "gold", "evidence_not_in_corpus"
    made_up = any(one.rule in ("citations", "numbers") for one in judged.failed)
    if judged.case.evidence is None and not made_up:
        return "gold", "no_evidence_marked"
    return None


def _in_retrieval(judged: Judged, known: Known | None) -> tuple[To, str] | None:
    """The answer can't be right without its evidence; a question without any has none to be found."""
    case = judged.case
    if known is None:
        return _by_its_case(judged)
    if known.negative or case.evidence is not False:
        return None
    states = {span.state for span in known.spans}
    if "cut" in states:
        return "retrieval", "evidence_cut"
    if "other_passage" in states:
        return "retrieval", "other_passage_of_the_document"
    return "retrieval", "document_not_handed_over"


def _by_its_case(judged: Judged) -> tuple[To, str] | None:
    """Without a GOLD: a case that must be answered, though its context doesn't hold what must be said."""
    case = judged.case
    if case.rubric.expect_refusal or (case.evidence is False and not wanted(case)):
        return None
    if case.evidence is False:
        return "retrieval", "evidence_not_in_context"
    if not case.cleaned.text.strip():
        return "retrieval", "nothing_handed_over"
    if case.evidence is None and _lacking(judged):
        return "retrieval", "must_include_not_in_context"
    return None


def wanted(case: Case) -> bool:
    """True if a case asks for something to be said, so that no answer isn't the right one."""
    return bool(case.rubric.must_include or case.reference)


def _in_rubric(judged: Judged) -> tuple[To, str] | None:
    """The evidence is there, they say, but not what the rubric wants to read."""
    if judged.case.evidence and _lacking(judged):
        return "gold", "must_include_not_in_context"
    return None


def _lacking(judged: Judged) -> bool:
    """True if the answer misses something that the context hasn't got in any form either."""
    verdict = judged.verdict("must_include")
    if verdict is None or verdict.state != "fail":
        return False
    context, missed = judged.case.cleaned.text, verdict.detail["missing"]
    return bool(missed) and not any(includes(context, entry) for entry in missed)


def _in_generation(judged: Judged, faults: tuple[str, ...]) -> tuple[To, str]:
    refusal = judged.verdict("refusal")
    if refusal is not None and refusal.reason in ("should_refuse", "wrongly_refused"):
        return "generation", refusal.reason
    return "generation", faults[0].partition(": ")[2]


def _evidence(judged: Judged, known: Known | None, faults: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {"in_context": judged.case.evidence, "faults": list(faults)}
    if known is not None:
        found["negative"] = known.negative
        found["spans"] = [
            {
                "doc_id": one.doc_id,
                "start": one.start,
                "end": one.end,
                "state": one.state,
                "covered": round(one.covered, 9),
            }
            for one in known.spans
        ]
        found["relevant"] = dict(known.relevant)
    return found
