"""Evidence: a span by its offsets, or by a quote that occurs exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rag_sweep.dataset.documents import Documents
from rag_sweep.dataset.fields import Say, id_of, missing, nearest
from rag_sweep.dataset.jsonl import shown
from rag_sweep.dataset.places import Place
from rag_sweep.errors import Fault
from rag_sweep.records import Span


def read_span(values: Mapping[str, Any], documents: Documents, error: Say) -> Span | None:
    """The span of ``{"doc_id", "start", "end"}`` or ``{"doc_id", "quote"}``.

    With both, the quote must be what stands there. Offsets count characters of the document's text. None
    where it is wrong, and, without a fault of its own, where the document is unknown or broken.
    """
    doc_id = id_of(values, "doc_id", error)
    quote = values.get("quote")
    if quote is not None and not (isinstance(quote, str) and quote):
        error(f'"quote" must be a non-empty string, got {shown(quote)}')
        return None
    by_offsets = quote is None or values.get("start") is not None or values.get("end") is not None
    if by_offsets and not _are_ints(values, error):
        return None
    if doc_id is None or doc_id not in documents.by_id:
        return None
    text = documents.by_id[doc_id].text
    if by_offsets:
        return _by_offsets(doc_id, values["start"], values["end"], quote, text, error)
    return _by_quote(doc_id, str(quote), text, error)


def checked_spans(
    spans: Iterable[tuple[Place, Span]], query_id: str | None, grades: Mapping[str, int], faults: list[Fault]
) -> tuple[Span, ...]:
    """The spans of one question, each once, with warnings for what is odd in them."""
    kept: dict[Span, None] = {}
    for place, span in spans:
        odd = None
        if span in kept:
            odd = f'the same span twice: {span.start} to {span.end} of "{span.doc_id}"'
        elif grades.get(span.doc_id, 0) <= 0:
            odd = f'span in a document that isn\'t relevant: "{span.doc_id}"'
        if odd is not None:
            faults.append(place.fault(odd, query_id, "warning"))
        kept[span] = None
    return tuple(kept)


def _are_ints(values: Mapping[str, Any], error: Say) -> bool:
    if values.get("start") is None and values.get("end") is None:
        near = nearest("quote", values)
        error('needs "quote", or "start" and "end"' + (f' (is it "{near}"?)' if near else ""))
        return False
    wrong = [key for key in ("start", "end") if not _is_int(values.get(key))]
    for key in wrong:
        value = values.get(key)
        error(missing(values, key) if value is None else f'"{key}" must be an int, got {shown(value)}')
    return not wrong


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _by_offsets(doc_id: str, start: int, end: int, quote: str | None, text: str, error: Say) -> Span | None:
    if not 0 <= start < end <= len(text):
        allowed = f"0 <= start < end <= {len(text)}"
        error(f'outside its text: start {start}, end {end} in "{doc_id}", allowed is {allowed}')
        return None
    if quote is not None and text[start:end] != quote:
        error(f'at {start} to {end} of "{doc_id}" stands {shown(text[start:end])}, not {shown(quote)}')
        return None
    return Span(doc_id, start, end)


def _by_quote(doc_id: str, quote: str, text: str, error: Say) -> Span | None:
    first = text.find(quote)
    if first < 0:
        folded = " ".join(quote.split()).casefold() in " ".join(text.split()).casefold()
        hint = "; it is there with other white space or letter case" if folded else ""
        error(f'quote not found in "{doc_id}": {shown(quote)}{hint}')
        return None
    second = text.find(quote, first + 1)
    if second >= 0:
        error(
            f'ambiguous quote, it stands at {first} and at {second} of "{doc_id}": {shown(quote)}; '
            'quote more, or give "start" and "end"'
        )
        return None
    return Span(doc_id, first, first + len(quote))
