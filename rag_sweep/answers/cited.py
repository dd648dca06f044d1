"""Whether answers cite what the GOLD says is the evidence: a measure of cases that are made of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag_sweep.answers.attribution import Known
from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.cases.records import Answer, Case
from rag_sweep.judges.known import EVIDENCE_CITED as NAME
from rag_sweep.rules.markers import markers
from rag_sweep.rules.verdict import Verdict


def with_evidence_cited(found: Evaluation, known: Mapping[str, Known]) -> Evaluation:
    """The evaluation with what the GOLD says of each case, and one more measure.

    ``evidence_cited`` is over the questions that have an answer in the corpus: 1 for an answer that cites a
    passage with a part of the evidence (without spans: of a relevant document), 0 for every other answer,
    for a refusal, and for none. So it falls with retrieval as with generation.
    """
    verdicts = {
        (one.case.id, NAME): cited_verdict(one.case, one.answer, known[one.case.id]) for one in found.judged
    }
    return replace(found, known=known, verdicts={**found.verdicts, **verdicts})


def cited_verdict(case: Case, answer: Answer | None, known: Known) -> Verdict:
    """Whether an answer cites a passage with a part of the evidence, and if not, why."""
    if known.negative:
        return Verdict.not_applicable(NAME, "negative")
    detail = {"supporting": list(known.supporting)}
    if not known.supporting:
        return Verdict.of(NAME, False, "evidence_not_in_context", detail)
    seen = case.cleaned
    text = "" if answer is None else answer.cleaned.text
    cited = {name for one in markers(text, seen.citable) for name in one.ids}
    ids = zip(case.context, seen.context, strict=True)
    good = any(new.id in cited for part, new in ids if part.id in known.supporting)
    return Verdict.of(NAME, good, "cited" if good else "other_passage" if cited else "no_citation", detail)
