"""The line of a new question, made of what was typed and checked beside the documents and the GOLD."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import LARGEST_GRADE, twice
from rag_sweep.dataset.gold import SOURCES, kind_of_source
from rag_sweep.dataset.jsonl import shown
from rag_sweep.errors import DataError, Fault
from rag_sweep.goldlife.opened import OpenedGold
from rag_sweep.records import Gold, Question

_SPAN = re.compile(r"(?P<doc>.+):(?P<start>[0-9]{1,18})-(?P<end>[0-9]{1,18})")
_GRADED = re.compile(r"(?P<doc>.+)=(?P<grade>[+-]?[0-9]{1,1000})")


@dataclass(frozen=True)
class NewQuestion:
    """A question as it was typed.

    Attributes
    ----------
    relevant
        Document ids, each with ``=grade`` behind it where that isn't 1; 0 and below is judged not relevant.
    spans, evidence
        ``document:start-end`` in characters; exact texts, each once in all relevant documents.
    negative
        Nothing answers it.
    source
        One of `SOURCES`, perhaps with a reference: ``incident-123``.
    query_id, date
        None for the source with its reference, or a free number; and for today.
    """

    text: str
    relevant: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    answer: str | None = None
    negative: bool = False
    source: str = ""
    author: str = ""
    reason: str = ""
    query_id: str | None = None
    date: str | None = None


def values_of(asked: NewQuestion, old: OpenedGold) -> dict[str, Any]:
    """The line of a question. Raises DataError with all that is wrong."""
    faults = _unwritable(asked)
    if faults:
        raise DataError([Fault(fault) for fault in faults])
    name = _id(asked, old.gold)
    grades = _grades(asked, old.documents, faults)
    spans = [*_spans(asked, old.documents, grades, faults), *_evidence(asked, old.documents, grades, faults)]
    faults += [*_duplicates(asked, name, old), *_provenance(asked), *_texts(asked)]
    if faults:
        raise DataError([Fault(fault) for fault in faults])
    relevant = [doc_id for doc_id, grade in grades.items() if grade > 0]
    told = {
        "grades": grades if any(grade != 1 for grade in grades.values()) else None,
        "spans": spans or None,
        "tags": list(dict.fromkeys(asked.tags)) or None,
        "answer": asked.answer,
        "source": asked.source,
        "author": asked.author,
        "date": asked.date or datetime.date.today().isoformat(),
        "reason": asked.reason,
    }
    first = {"id": name, "question": asked.text, "relevant": relevant}
    return {**first, **{key: value for key, value in told.items() if value is not None}}


def _unwritable(asked: NewQuestion) -> list[str]:
    """Options with bytes that are no text: a GOLD is UTF-8."""
    names = {"text": "question", "query_id": "id", "spans": "span", "tags": "tag"}
    found = []
    for key, value in vars(asked).items():
        texts = value if isinstance(value, tuple) else (value,)
        for text in texts:
            if isinstance(text, str) and any("\ud800" <= sign <= "\udfff" for sign in text):
                found.append(f"--{names.get(key, key)} must be a text in UTF-8, got {shown(text)}")
    return found


def _id(asked: NewQuestion, gold: Gold) -> str:
    """The id: as it was given, or one that is free."""
    if asked.query_id is not None:
        return asked.query_id
    taken = {question.query_id for question in gold.questions}
    if asked.source.partition("-")[2]:
        names = (f"{asked.source}-{at}" if at > 1 else asked.source for at in range(1, len(taken) + 2))
    else:
        names = (str(at) for at in range(len(taken) + 1, 2 * len(taken) + 2))
    return next(name for name in names if name not in taken)


def _grades(asked: NewQuestion, documents: Documents, faults: list[str]) -> dict[str, int]:
    pairs = [_graded(word, documents) for word in asked.relevant]
    faults += [
        f'--relevant: the document "{doc_id}" is given twice' for doc_id in twice([d for d, _ in pairs])
    ]
    for doc_id, grade in pairs:
        if what := documents.unknown(doc_id):
            faults.append(f"--relevant: {what}")
        if abs(grade) > LARGEST_GRADE:
            faults.append(
                f'--relevant: the grade of "{doc_id}" must be an int up to {LARGEST_GRADE}, got {grade}'
            )
    positive = any(grade > 0 for _, grade in pairs)
    if asked.negative and positive:
        faults.append("--negative says that nothing answers it, yet a document is relevant")
    if not asked.negative and not positive:
        faults.append("no document is relevant: give --relevant ID, or --negative if nothing answers it")
    return dict(pairs)


def _graded(word: str, documents: Documents) -> tuple[str, int]:
    """An id with its grade; what is an id as a whole has grade 1, whatever is in it."""
    found = _GRADED.fullmatch(word)
    if found is None or word in documents.places:
        return word, 1
    return found["doc"], int(found["grade"])


def _spans(
    asked: NewQuestion, documents: Documents, grades: dict[str, int], faults: list[str]
) -> list[dict[str, Any]]:
    spans = []
    for word in asked.spans:
        found = _SPAN.fullmatch(word)
        if found is None:
            faults.append(f"--span must be DOCUMENT:START-END in characters, got {shown(word)}")
            continue
        doc_id, start, end = found["doc"], int(found["start"]), int(found["end"])
        if doc_id not in documents.by_id:
            faults.append(f"--span: {documents.unknown(doc_id)}")
        elif grades.get(doc_id, 0) <= 0:
            faults.append(f'--span: "{doc_id}" isn\'t relevant by --relevant')
        elif end <= start:
            faults.append(f"--span must end behind where it starts, got {shown(word)}")
        elif end > len(text := documents.by_id[doc_id].text):
            faults.append(f'--span: outside the text of "{doc_id}", which has {len(text)} characters: {word}')
        else:
            spans.append({"doc_id": doc_id, "start": start, "end": end, "quote": text[start:end]})
    return spans


def _evidence(
    asked: NewQuestion, documents: Documents, grades: dict[str, int], faults: list[str]
) -> list[dict[str, Any]]:
    spans = []
    relevant = [doc_id for doc_id, grade in grades.items() if grade > 0 and doc_id in documents.by_id]
    for text in asked.evidence:
        places = [
            (doc_id, at) for doc_id in relevant for at in _all_places(documents.by_id[doc_id].text, text)
        ]
        if len(places) == 1:
            spans.append({"doc_id": places[0][0], "quote": text})
        elif places:
            where = " and ".join(f'at {at} of "{doc_id}"' for doc_id, at in places[:3])
            several = f"{shown(text)} stands at {len(places)} places, {where}"
            faults.append(f"--evidence: {several}: quote more, or give --span")
        elif relevant or asked.negative:
            faults.append(
                f"--evidence: {shown(text)} isn't in {_named(relevant)}{_nearly(text, relevant, documents)}"
            )
    return spans


def _all_places(text: str, wanted: str) -> Iterable[int]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _named(doc_ids: Sequence[str]) -> str:
    return ", ".join(f'"{doc_id}"' for doc_id in doc_ids[:5]) or "any relevant document: there is none"


def _nearly(text: str, doc_ids: Sequence[str], documents: Documents) -> str:
    folded = " ".join(text.split()).casefold()
    near = any(folded in " ".join(documents.by_id[one].text.split()).casefold() for one in doc_ids)
    return "; it is there with other white space or letter case" if near and folded else ""


def _duplicates(asked: NewQuestion, name: str, old: OpenedGold) -> list[str]:
    same = [one for one in old.gold.questions if one.query_id == name]
    found = [f'--id: "{name}" is taken, {_at(old, same[0])}'] if same else []
    alike = [one for one in old.gold.questions if normalised(one.text) == normalised(asked.text)]
    return found + [f'the question is there already: "{one.query_id}", {_at(old, one)}' for one in alike[:1]]


def _at(old: OpenedGold, question: Question) -> str:
    place = old.places[question.query_id]
    return f"{place.file}:{place.line}"


def _provenance(asked: NewQuestion) -> list[str]:
    found = []
    if kind_of_source(asked.source) is None:
        kinds = f"{', '.join(SOURCES)}, perhaps with a reference as in incident-123"
        found.append(f"--source must be one of {kinds}, got {shown(asked.source)}")
    given = (("author", asked.author), ("reason", asked.reason))
    return found + [f"--{key} must be a text, got an empty one" for key, text in given if not text.strip()]


def _texts(asked: NewQuestion) -> list[str]:
    found = [] if asked.text.strip() else ["--question must be a text, got an empty one"]
    if asked.query_id is not None and not asked.query_id.strip():
        found.append("--id must be a text, got an empty one")
    if any(not tag.strip() for tag in asked.tags):
        found.append("--tag must be a text, got an empty one")
    if asked.date is not None:
        try:
            datetime.date.fromisoformat(asked.date)
        except ValueError:
            found.append(f"--date must be a day such as 2026-11-30, got {shown(asked.date)}")
    return found


def normalised(text: str) -> str:
    """A text without case, punctuation and white space: what two questions that ask the same share."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(words) or text.strip()
