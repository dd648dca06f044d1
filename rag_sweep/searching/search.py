"""`rag-sweep search`: questions in, documents with their passages out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.checks import is_count, require
from rag_sweep.config.hints import nearest
from rag_sweep.errors import UsageError
from rag_sweep.index import Explanation, Index
from rag_sweep.index.explanation import Why
from rag_sweep.ranking import EMPTY
from rag_sweep.records import Corpus, Dataset, Question, Span
from rag_sweep.remembered import remembering
from rag_sweep.searching.answer import Answer, Judged, Shown, Wanted
from rag_sweep.searching.highlight import Highlighter
from rag_sweep.searching.request import STDIN, Wish, asked_of
from rag_sweep.searching.subject import Subject, subject_of


@dataclass(frozen=True, eq=False)
class Search:
    """An index with the questions that it is to answer.

    Attributes
    ----------
    questions
        Of the GOLD, or as they were typed.
    k
        Documents for each.
    notes
        What the user should know.
    """

    subject: Subject
    questions: tuple[Question | str, ...]
    k: int
    notes: tuple[str, ...]

    def answers(self) -> Iterator[Answer]:
        """One after another, in order."""
        for question in self.questions:
            with remembering(self.subject.store):
                yield answer(self.subject.index, question, self.k)

    def to_dict(self, answers: Iterable[Answer], explained: bool) -> dict[str, Any]:
        """As plain data."""
        found = [one.to_dict(explained) for one in answers]
        return {
            "configuration": self.subject.told,
            "k": self.k,
            "notes": list(self.notes),
            "questions": found,
        }


def search(
    overrides: Sequence[str], wish: Wish, lines: Iterable[str] = (), config_dir: str | None = None
) -> Search:
    """Make ready what searches, and the questions.

    Parameters
    ----------
    lines
        Those of stdin, read if a question is ``-``.

    Raises
    ------
    UsageError
        For an empty question, or a query id that the GOLD hasn't.
    ConfigError, DataError, TrackingError, StageFailed
        As of `subject_of`.
    """
    typed, notes = _typed(wish.questions, lines)
    asked = asked_of(overrides, config_dir)
    subject = subject_of(asked, wish)
    k = wish.k if wish.k is not None else int(asked.config["k"]) if asked.sets("k") else subject.settings.k
    require("k", k, "an int >= 1", is_count(k))
    gold: tuple[Question, ...] = ()
    if wish.query_ids:
        gold, changed = _of_gold(subject.dataset, subject.index.corpus, wish.query_ids)
        notes += changed
    return Search(subject, (*gold, *typed), k, (*subject.notes, *notes))


def _typed(questions: Sequence[str], lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Questions that were typed or piped in, and what is to be said of them."""
    texts, empty = [], 0
    for question in questions:
        if question != STDIN:
            texts.append(question)
            continue
        try:
            found = [line.rstrip("\r\n") for line in lines]
        except UnicodeDecodeError as error:
            raise UsageError(f"stdin is no text in {error.encoding}: {error.reason}; give UTF-8") from error
        texts += [line for line in found if line.strip()]
        empty += sum(not line.strip() for line in found)
        if not texts:
            raise UsageError("stdin has no question: give one in each line")
    if any("\ud800" <= sign <= "\udfff" for text in texts for sign in text):
        raise UsageError("the question must be a text in UTF-8, got bytes that are none")
    if any(not text.strip() for text in texts):
        raise UsageError("the question is empty")
    notes = (f"empty lines passed over: {empty}",) if empty else ()
    return tuple(texts), notes


def _of_gold(
    dataset: Dataset, corpus: Corpus, query_ids: Sequence[str]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """Questions of the GOLD; spans in documents whose text is another one today are left out."""
    known = {question.query_id: question for question in dataset.gold.questions}
    unknown = [one for one in query_ids if one not in known]
    if unknown:
        hint = nearest(unknown[0], known) or f"; it has {len(known)}, such as {', '.join(list(known)[:3])}"
        raise UsageError(f"the gold of {dataset.name} has no question {unknown[0]!r}{hint}")
    if dataset.corpus.fingerprint == corpus.fingerprint:
        return tuple(known[one] for one in query_ids), ()
    texts = {document.doc_id: document.text for document in corpus.documents}
    same = {one.doc_id for one in dataset.corpus.documents if texts.get(one.doc_id) == one.text}
    told = "documents have changed since this was promoted, so evidence in changed ones isn't marked"
    return tuple(_only_in(known[one], same) for one in query_ids), (told,)


def _only_in(question: Question, documents: set[str]) -> Question:
    spans = tuple(span for span in question.spans if span.doc_id in documents)
    return Question(question.query_id, question.text, question.grades, spans, question.tags)


def answer(index: Index, question: Question | str, k: int) -> Answer:
    """Ask one question; one of a GOLD comes back with its judgements."""
    gold = None if isinstance(question, str) else question
    text = question if isinstance(question, str) else question.text
    explanation = index.explain(text, k)
    highlighter = Highlighter(index.pipeline.analyzer, frozenset(explanation.tokens))
    hits = tuple(_shown(why, highlighter, gold) for why in explanation.hits)
    relevant = () if gold is None else _relevant(index, gold)
    words = highlighter.words(text)
    return Answer(explanation, hits, _note(explanation, index), gold, relevant, words)


def _note(explanation: Explanation, index: Index) -> str | None:
    """Why a branch, or all of them, could find nothing."""
    if not explanation.tokens:
        kind = type(index.pipeline.analyzer).__name__
        return f"{kind} finds no token in this question, so nothing can be found, by words or by vectors"
    nobody = all(term.df == 0 for term in explanation.terms)
    if nobody and "lexical" in index.pipeline.branches:
        others = explanation.candidates.get("dense", 0)
        rest = ": what is found comes from vectors alone" if others else ", so nothing is found"
        return f"no document has any of its words{rest}"
    return None if explanation.hits else "nothing is found"


def _shown(why: Why, highlighter: Highlighter, gold: Question | None) -> Shown:
    hit = why.hit
    judged = None
    if gold is not None:
        spans = [span for span in gold.spans if span.doc_id == hit.doc_id]
        judged = Judged(gold.grades.get(hit.doc_id), _inside(spans, hit.start, hit.end))
    return Shown(why, highlighter.matches(hit.text), highlighter.matches(hit.title), judged)


def _inside(spans: Sequence[Span], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The parts of spans that a passage has, in order, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted((max(one.start, start), min(one.end, end)) for one in spans):
        if first >= last:
            continue
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def _relevant(index: Index, question: Question) -> tuple[Wanted, ...]:
    """The relevant documents with their ranks among all that was found."""
    found = index.search([question.text], len(index.corpus)).documents.items[0].tolist()
    documents = index.corpus.documents
    ranks: Mapping[str, int] = {
        documents[item].doc_id: rank for rank, item in enumerate(found, start=1) if item != EMPTY
    }
    wanted = [Wanted(one, question.grades[one], ranks.get(one)) for one in question.relevant]
    return tuple(sorted(wanted, key=lambda one: (one.rank is None, one.rank, one.doc_id)))
