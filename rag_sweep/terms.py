"""How often each term occurs in each text: what every branch that reads tokens starts from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rag_sweep.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class TermCounts:
    """Term counts of a list of texts.

    Attributes
    ----------
    terms
        Distinct terms in code point order, so that sums over terms have one order.
    counts : sparse CSR int64, shape (texts, terms)
        ``tf`` of each term in each text; rows have sorted indices.
    """

    terms: tuple[str, ...]
    counts: sparse.csr_array

    @cached_property
    def lengths(self) -> IntArray:
        """Number of tokens of each text (``dl``), shape (texts,)."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.int64)

    @cached_property
    def column(self) -> dict[str, int]:
        """The column of each term."""
        return {term: at for at, term in enumerate(self.terms)}

    def over(self, terms: Sequence[str]) -> sparse.csr_array:
        """The same counts with the columns of another vocabulary; terms outside it are dropped."""
        index = {term: at for at, term in enumerate(terms)}
        places = np.array([index.get(term, -1) for term in self.terms], dtype=np.int64)
        return self._moved(places, len(terms))

    def over_packed(self, arrays: Mapping[str, np.ndarray]) -> sparse.csr_array:
        """The same as `over`, of a vocabulary in code point order that is `packed`.

        Few terms are looked up where they lie: a vocabulary isn't unpacked for one question.
        """
        width = len(arrays["ends"])
        if len(self.terms) * max(1, width.bit_length()) > width:
            return self.over(unpacked(arrays))
        return self._moved(_places(arrays, self.terms), width)

    def _moved(self, places: IntArray, width: int) -> sparse.csr_array:
        """The counts in a table of `width` columns, at the place of each term; those at -1 are dropped."""
        found = self.counts.tocoo()
        column = places[found.coords[1]] if len(places) else found.coords[1]
        kept = column >= 0
        return _csr(found.data[kept], found.coords[0][kept], column[kept], (self.counts.shape[0], width))


def count_terms(token_lists: Iterable[Sequence[str]]) -> TermCounts:
    """Count the tokens of each text."""
    index: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for tokens in token_lists:
        columns.extend(index.setdefault(token, len(index)) for token in tokens)
        ends.append(len(columns))
    terms = tuple(sorted(index))
    place = np.empty(len(index), dtype=np.int64)
    place[[index[term] for term in terms]] = np.arange(len(terms))
    row = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    column = place[np.array(columns, dtype=np.int64)]
    return TermCounts(terms, _csr(np.ones(len(columns), np.int64), row, column, (len(ends) - 1, len(terms))))


def _csr(data: np.ndarray, row: np.ndarray, column: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    result = sparse.coo_array((data, (row, column)), shape=shape).tocsr()
    result.sum_duplicates()
    return result


def packed(terms: Sequence[str]) -> dict[str, np.ndarray]:
    """Terms as arrays: their UTF-8 bytes one behind the other (``words``), and where each ends (``ends``)."""
    encoded = [term.encode("utf-8", "surrogatepass") for term in terms]
    ends = np.cumsum([len(term) for term in encoded], dtype=np.int64)
    return {"words": np.frombuffer(b"".join(encoded), dtype=np.uint8), "ends": ends}


def unpacked(arrays: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """The terms of `packed` arrays."""
    words, ends = arrays["words"].tobytes(), arrays["ends"].tolist()
    starts = [0, *ends[:-1]] if ends else []
    spans = zip(starts, ends, strict=True)
    return tuple(words[start:end].decode("utf-8", "surrogatepass") for start, end in spans)


def _places(arrays: Mapping[str, np.ndarray], terms: Sequence[str]) -> IntArray:
    """The place of each term among packed terms in code point order, which is that of UTF-8; else -1."""
    words, ends = arrays["words"], arrays["ends"]

    def word(at: int) -> bytes:
        start = int(ends[at - 1]) if at else 0
        return words[start : int(ends[at])].tobytes()

    def place(term: bytes) -> int:
        at = bisect_left(range(len(ends)), term, key=word)
        return at if at < len(ends) and word(at) == term else -1

    return np.array([place(term.encode("utf-8", "surrogatepass")) for term in terms], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Postings:
    """The postings of the terms that the queries use, with the statistics of all passages.

    Attributes
    ----------
    passages, term : int64, shape (postings,)
        Passage and term number of each posting, ordered by term, then passage.
    tf : float64, shape (postings,)
        How often the term occurs in the passage.
    df : float64, shape (terms,)
        How many passages have the term.
    lengths : float64, shape (passages,)
        Tokens of each passage, empty ones too.
    """

    passages: IntArray
    term: IntArray
    tf: FloatArray
    df: FloatArray
    lengths: FloatArray

    @property
    def N(self) -> int:
        """Number of passages, empty ones too."""
        return len(self.lengths)

    @cached_property
    def avgdl(self) -> float:
        """Mean number of tokens over all passages."""
        return float(self.lengths.sum()) / self.N if self.N else 0.0

    def of_terms(self, terms: IntArray) -> Postings:
        """The postings of some of the terms, which are numbered anew in this order."""
        df = self.df.astype(np.int64)
        lengths = df[terms]
        first = np.repeat((np.cumsum(df) - df)[terms] - (np.cumsum(lengths) - lengths), lengths)
        kept = first + np.arange(int(lengths.sum()))
        return Postings(
            passages=self.passages[kept],
            term=np.repeat(np.arange(len(terms)), lengths),
            tf=self.tf[kept],
            df=self.df[terms],
            lengths=self.lengths,
        )


def postings(passages: TermCounts, terms: Sequence[str]) -> Postings:
    """Postings of `terms` (those that no passage has get no posting and df 0)."""
    column = passages.column
    known = np.array([column.get(term, -1) for term in terms], dtype=np.int64)
    by_term = passages.counts.tocsc()
    counts = (
        np.where(known >= 0, np.diff(by_term.indptr)[known], 0)
        if len(passages.terms)
        else np.zeros(len(known), np.int64)
    )
    start = by_term.indptr[np.maximum(known, 0)] if len(known) else np.empty(0, np.int64)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    at = np.repeat(start, counts) + within
    return Postings(
        passages=by_term.indices[at].astype(np.int64),
        term=np.repeat(np.arange(len(known)), counts),
        tf=by_term.data[at].astype(np.float64),
        df=counts.astype(np.float64),
        lengths=passages.lengths.astype(np.float64),
    )
