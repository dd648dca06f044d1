"""An index as arrays, and back; what doesn't fit is refused before anything is searched."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rag_sweep.errors import DataError, StageFailed
from rag_sweep.index.parts import Arrays, Embedded, Parts
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Corpus
from rag_sweep.terms import TermCounts, packed, unpacked

PASSAGES = ("document", "start", "end", "words")
TERMS = ("words", "ends", "data", "indices", "indptr", "width")
MODEL = "model."
"""What stands before the name of an array that the embedder learned."""

OTHER_DOCUMENTS = "the index was built over other documents"


def packed_parts(parts: Parts) -> dict[str, NDArray[Any]]:
    """Every array by name.

    Raises
    ------
    StageFailed
        If the embedder learned something that is no plain array: such a thing can't be read back without
        running code that came with it.
    """
    found = {f"passages.{name}": getattr(parts.passages, name) for name in PASSAGES}
    found.update({f"terms.{name}": array for name, array in _packed_terms(parts.terms).items()})
    return found if parts.embedded is None else {**found, **packed_embedded(parts.embedded)}


def packed_embedded(embedded: Embedded) -> dict[str, NDArray[Any]]:
    """Vectors, their width, and what the embedder learned; errors as of `packed_parts`."""
    model = {f"{MODEL}{name}": _plain(name, value) for name, value in embedded.model.items()}
    return {"vectors": embedded.vectors, "vectors.width": np.array([embedded.width], dtype=np.int64), **model}


def unpacked_embedded(arrays: Arrays) -> Embedded:
    """What `packed_embedded` packed, unchecked."""
    model = {name.removeprefix(MODEL): array for name, array in arrays.items() if name.startswith(MODEL)}
    return Embedded(model, arrays["vectors"], int(arrays["vectors.width"][0]))


def _packed_terms(terms: TermCounts) -> dict[str, NDArray[Any]]:
    counts = terms.counts
    width = np.array([counts.shape[1]], dtype=np.int64)
    rows = {"data": counts.data, "indices": counts.indices, "indptr": counts.indptr, "width": width}
    return {**packed(terms.terms), **rows}


def _plain(name: str, value: Any) -> NDArray[Any]:
    array = np.asarray(value)
    if array.dtype.hasobject or not isinstance(name, str):
        raise StageFailed(
            f"embedder.fit must give arrays of numbers or bytes by name, got {name!r} of dtype {array.dtype}"
        )
    return array


def unpacked_parts(pipeline: Pipeline, corpus: Corpus, arrays: Arrays) -> Parts:
    """What `packed_parts` packed for this pipeline and these documents.

    Raises
    ------
    DataError
        If an array is missing, is not what it should be, or doesn't fit the documents or another array.
    """
    dense = "dense" in pipeline.branches
    _check_names(arrays, dense)
    passages = Passages(*(_whole(arrays, f"passages.{name}", np.int32) for name in PASSAGES))
    _check_passages(passages, corpus)
    terms = _terms(arrays, len(passages))
    return Parts(passages, terms, _embedded(pipeline, arrays, len(passages)) if dense else None)


def _check_names(arrays: Arrays, dense: bool) -> None:
    wanted = {f"passages.{name}" for name in PASSAGES} | {f"terms.{name}" for name in TERMS}
    wanted |= {"vectors", "vectors.width"} if dense else set()
    given = {name for name in arrays if not (dense and name.startswith(MODEL))}
    for what, names in (("lacks", wanted - given), ("has the unknown", given - wanted)):
        if names:
            _refuse(f"the index {what} {_listed(names)}: it was built for another pipeline")


def _listed(names: set[str]) -> str:
    return ("array " if len(names) == 1 else "arrays ") + ", ".join(sorted(names))


def _number(arrays: Arrays, name: str) -> int:
    array = _whole(arrays, name, np.int64)
    if len(array) != 1 or array[0] < 0:
        _refuse(f"{name} of the index must be one number >= 0, got {array.tolist()!r:.80}")
    return int(array[0])


def _whole(arrays: Arrays, name: str, dtype: type) -> NDArray[Any]:
    array = arrays[name]
    if array.dtype != dtype or array.ndim != 1:
        _refuse(f"{name} of the index must be {np.dtype(dtype)} in one row, got {array.dtype} {array.shape}")
    return array


def _check_passages(passages: Passages, corpus: Corpus) -> None:
    document, start, end = (
        np.asarray(part, np.int64) for part in (passages.document, passages.start, passages.end)
    )
    if len({len(getattr(passages, name)) for name in PASSAGES}) != 1:
        _refuse("the passages of the index are not equally many in all arrays")
    there = np.unique(document)
    if not np.array_equal(there, np.arange(len(corpus))):
        _refuse(
            f"the index was built over other documents: {len(there)} have passages, {len(corpus)} are given"
        )
    if (np.diff(document) < 0).any() or (start < 0).any() or (end < start).any():
        _refuse("the passages of the index are not in the order of documents, start, end")
    lengths = np.array([len(one.text) for one in corpus.documents], dtype=np.int64)
    beyond = np.flatnonzero(end > lengths[document])
    if len(beyond):
        doc_id = corpus.documents[int(document[beyond[0]])].doc_id
        _refuse(f"{OTHER_DOCUMENTS}: {doc_id!r} is shorter than its passages")


def _terms(arrays: Arrays, passages: int) -> TermCounts:
    data, indices, indptr = (arrays[f"terms.{name}"] for name in ("data", "indices", "indptr"))
    try:
        terms = unpacked({name: arrays[f"terms.{name}"] for name in ("words", "ends")})
        shape = passages, _number(arrays, "terms.width")
        counts = sparse.csr_array((data, indices, indptr), shape=shape)
        counts.check_format(full_check=True)
    except (ValueError, IndexError, TypeError, UnicodeError) as error:
        raise DataError(f"the terms of the index don't fit its {passages} passages: {error}") from error
    if len(terms) != shape[1] or data.dtype != np.int64:
        _refuse(f"the index counts {shape[1]} terms and names {len(terms)}")
    return TermCounts(terms, counts)


def _embedded(pipeline: Pipeline, arrays: Arrays, passages: int) -> Embedded:
    vectors, width = arrays["vectors"], _number(arrays, "vectors.width")
    shape = passages, min(width, pipeline.embedder.dim)
    if vectors.dtype != np.float64 or vectors.shape != shape:
        _refuse(f"vectors of the index must be float64 {shape}, got {vectors.dtype} {vectors.shape}")
    if not np.isfinite(vectors).all():
        _refuse("vectors of the index hold a value that is no number")
    return unpacked_embedded(arrays)


def _refuse(what: str) -> NoReturn:
    raise DataError(what)
