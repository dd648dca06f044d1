"""What MLflow loads a promoted model with: ``loader_module: rag_sweep.served``.

Nothing of the model's files is run: they are read, checked against their hashes, and searched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_sweep.errors import RagSweepError
from rag_sweep.tracking.packaging import LOADER, bundle_in

if TYPE_CHECKING:
    from pandas import DataFrame

    from rag_sweep.champion.bundle import Champion

MOST_RESULTS = 1_000
"""Documents that one question may ask for."""


class Served:
    """A champion as MLflow asks it."""

    def __init__(self, champion: Champion) -> None:
        self.champion = champion
        self._index = champion.index  # now, so that what doesn't fit is told before anything is served

    def predict(
        self, model_input: DataFrame | Sequence[Mapping[str, Any]], params: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The documents of each question, best first.

        Parameters
        ----------
        model_input
            Rows with ``query``, a text with at least one letter, and ``k``, an int from 1 to `MOST_RESULTS`;
            where it is missing or null, the cutoff that the configuration was chosen by.

        Returns
        -------
        list of dict
            For each row ``ids``, ``scores`` (rounded to 9 decimals), ``titles``, and the best passage of each
            document: ``texts``, and ``spans`` as characters ``[start, end)`` of the document's text.

        Raises
        ------
        MlflowException
            With status 400, naming the row and what is allowed.
        """
        rows = _rows(model_input)
        asked = [(_query(row, at), _k(row, at, self.champion.golden.k)) for at, row in enumerate(rows)]
        return [self._answer(query, k) for query, k in asked]

    def _answer(self, query: str, k: int) -> dict[str, Any]:
        try:
            hits = self._index.hits(query, k)
        except RagSweepError as error:
            raise _refusal(str(error)) from error
        return {
            "ids": [hit.doc_id for hit in hits],
            "scores": [hit.score for hit in hits],
            "titles": [hit.title for hit in hits],
            "texts": [hit.text for hit in hits],
            "spans": [[hit.start, hit.end] for hit in hits],
        }


def _load_pyfunc(data_path: str) -> Served:
    """What MLflow calls.

    Raises
    ------
    DataError
        If the model isn't whole, was tampered with, or needs components that aren't trusted.
    """
    folder = Path(data_path)
    # before anything else is imported: MLflow has put the model's code, if it brings any, first on sys.path
    for place in (folder, folder.parent.parent):
        bundle_in(place, LOADER)
    from rag_sweep.champion import read_bundle
    from rag_sweep.champion.finding import is_trusted

    return Served(read_bundle(folder, trust=is_trusted()))


def _refusal(text: str) -> Exception:
    """The exception that MLflow's scoring server answers with status 400 and this text."""
    from rag_sweep.tracking.registry import invalid_input

    return invalid_input(text)


def _rows(given: Any) -> list[Mapping[str, Any]]:
    if hasattr(given, "to_dict"):
        rows: list[Mapping[str, Any]] = given.to_dict("records")
        return rows
    if isinstance(given, Mapping):
        return [given]
    return list(given)


def _query(row: Mapping[str, Any], at: int) -> str:
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        raise _refusal(f"query of row {at} must be a text that isn't empty, got {_told(query)}")
    return query


def _k(row: Mapping[str, Any], at: int, default: int) -> int:
    k = row.get("k")
    if k is None or k != k:  # NaN is what a data frame has where a row has nothing
        return default
    number = isinstance(k, Real) and not isinstance(k, bool) and float(k).is_integer()
    if not number or not 1 <= k <= MOST_RESULTS:
        raise _refusal(f"k of row {at} must be an int from 1 to {MOST_RESULTS:,}, got {_told(k)}")
    return int(k)


def _told(value: Any) -> str:
    return "nothing" if value is None or value != value else f"{value!r:.80}"


__all__ = ["MOST_RESULTS", "Served"]
