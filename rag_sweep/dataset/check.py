"""What `rag-sweep gold check` says of a dataset: counts, hashes, and every fault."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.dataset.source import Reading, Source
from rag_sweep.errors import Fault
from rag_sweep.records import Question

Tokens = Callable[[str], list[str]]
"""The analyzer: a text to its tokens."""


@dataclass(frozen=True)
class GoldReport:
    """Counts, hashes and faults of a dataset.

    Counts are of what was read without an error. The hashes are None where there is an error: there is
    then no dataset that they could name. `graded` counts the questions with a grade above 1; `tags` and
    `sources` count questions.
    """

    name: str
    documents: int
    questions: int
    answerable: int
    negatives: int
    unjudged: int
    spans: int
    graded: int
    tags: Mapping[str, int]
    sources: Mapping[str, int]
    version: str | None
    gold_fingerprint: str | None
    corpus_fingerprint: str | None
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        """True if there is no error; warnings are allowed."""
        return not self.errors

    @property
    def errors(self) -> tuple[Fault, ...]:
        """The faults with which nothing can be measured."""
        return tuple(fault for fault in self.faults if fault.level == "error")

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """The faults that are worth a look."""
        return tuple(fault for fault in self.faults if fault.level == "warning")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, with `ok` and with each fault's file as text."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        values["tags"], values["sources"] = dict(self.tags), dict(self.sources)
        values["faults"] = [_fault_to_dict(fault) for fault in self.faults]
        return {"ok": self.ok, **values}


def check(source: Source, tokens: Tokens | None = None) -> GoldReport:
    """Read a dataset and report on it.

    Parameters
    ----------
    source
        The dataset component.
    tokens
        The analyzer, to find questions and documents in which it sees no token; None leaves that out.
    """
    found = source.inspect()
    questions = found.gold.questions
    sound = not found.errors
    silent = [] if tokens is None else _without_tokens(found, tokens)
    return GoldReport(
        name=found.name,
        documents=len(found.corpus),
        questions=len(questions),
        answerable=len(found.gold.answerable),
        negatives=len(found.gold.negatives),
        unjudged=found.gold.unjudged,
        spans=sum(len(question.spans) for question in questions),
        graded=sum(_is_graded(question) for question in questions),
        tags=_counts(tag for question in questions for tag in question.tags),
        sources=_counts(
            str(q.provenance["source"]).partition("-")[0] for q in questions if "source" in q.provenance
        ),
        version=found.gold.version,
        gold_fingerprint=found.gold.fingerprint if sound else None,
        corpus_fingerprint=found.corpus.fingerprint if sound else None,
        faults=(*found.faults, *silent),
    )


def _without_tokens(found: Reading, tokens: Tokens) -> list[Fault]:
    faults = []
    for document in found.corpus.documents:
        # An empty document has its own warning already.
        if document.text.strip() and not tokens(document.indexed_text(0, len(document.text))):
            place = found.document_places[document.doc_id]
            faults.append(
                place.fault("document without tokens under the analyzer", document.doc_id, "warning")
            )
    for question in found.gold.questions:
        if not tokens(question.text):
            place = found.question_places[question.query_id]
            faults.append(
                place.fault("question without tokens under the analyzer", question.query_id, "warning")
            )
    return faults


def _is_graded(question: Question) -> bool:
    return any(grade > 1 for grade in question.grades.values())


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _fault_to_dict(fault: Fault) -> dict[str, Any]:
    file = None if fault.file is None else str(fault.file)
    return {"level": fault.level, "file": file, "line": fault.line, "id": fault.id, "what": fault.what}
