"""Rankings made by another system, as `rag-sweep score` reads them; run and qrels files for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rag_sweep.dataset.fields import Say, as_id, errors_at, id_of, ids_of, nearest, twice
from rag_sweep.dataset.jsonl import Row, rows_of
from rag_sweep.dataset.places import Place, read_text
from rag_sweep.dataset.source import condensed
from rag_sweep.dataset.trec import parse_trec_run, write_trec_qrels, write_trec_run
from rag_sweep.errors import DataError, Fault
from rag_sweep.records import Gold, Question

__all__ = ["ForeignRankings", "gold_of", "read_rankings", "write_trec_qrels", "write_trec_run"]

KEYS = ("id", "retrieved_doc_ids", "index_version", "expected_doc_ids")


@dataclass(frozen=True)
class ForeignRankings:
    """Rankings of another system, best document first, questions in file order.

    `scores` belong to `rankings` position by position (run files only). `expected` is there if the file
    says what is relevant. `warnings` are for the user.
    """

    rankings: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, tuple[float, ...]] | None
    expected: Mapping[str, tuple[str, ...]] | None
    index_version: str | None
    source: Path
    warnings: tuple[str, ...] = ()


def read_rankings(path: str | Path) -> ForeignRankings:
    """Read a TREC run file, or JSONL with ``id`` and ``retrieved_doc_ids``.

    JSONL is what ends in .jsonl or .json or begins with an object; the order of the list is the ranking.
    A run file is ordered by our rule, score descending, then document id ascending (trec_eval takes
    the ids descending); the rank column only warns where it says something else.

    Raises
    ------
    DataError
        With every fault: broken lines, a document twice in a ranking, a question twice, an empty
        ``expected_doc_ids`` or one that is on some lines only, more than one ``index_version``.
    """
    path = Path(path)
    faults: list[Fault] = []
    text = read_text(path, faults, pipe=True)  # another command may be writing it
    found = None
    if text is not None:
        found = _from_jsonl(path, text, faults) if _is_jsonl(path, text) else _from_run(path, text, faults)
        if not found.rankings and not faults:
            faults.append(Fault("has no rankings", path))
    errors = [fault for fault in faults if fault.level == "error"]
    if errors or found is None:
        raise DataError(errors)
    return replace(found, warnings=condensed(faults))


def gold_of(expected: Mapping[str, Sequence[str]]) -> Gold:
    """GOLD from the relevant ids beside the rankings: grade 1 each; the questions' texts are unknown ("")."""
    return Gold(tuple(Question(name, "", dict.fromkeys(doc_ids, 1)) for name, doc_ids in expected.items()))


def _is_jsonl(path: Path, text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0]
    in_run = first.split()[1:2] == ["Q0"]  # an id of a run file may begin with a brace too
    return path.suffix.lower() in (".jsonl", ".json") or (first.startswith("{") and not in_run)


def _from_run(path: Path, text: str, faults: list[Fault]) -> ForeignRankings:
    rankings: dict[str, tuple[str, ...]] = {}
    scores: dict[str, tuple[float, ...]] = {}
    for query_id, scored in parse_trec_run(path, text, faults).items():
        order = sorted(scored, key=lambda doc_id: (-scored[doc_id][0], doc_id))
        rankings[query_id] = tuple(order)
        scores[query_id] = tuple(scored[doc_id][0] for doc_id in order)
        ranks = [scored[doc_id][1] for doc_id in order]
        if ranks != sorted(ranks):
            what = "the rank column says another order than score, then document id, which is taken"
            faults.append(Fault(what, path, None, query_id, "warning"))
    return ForeignRankings(rankings, scores, None, None, path)


def _from_jsonl(path: Path, text: str, faults: list[Fault]) -> ForeignRankings:
    rows = rows_of(path, text, faults) or []
    found = _Lines(faults)
    for row in rows:
        found.add(row)
    _all_or_none(rows, "expected_doc_ids", faults)
    _all_or_none(rows, "index_version", faults)
    version = _index_version(rows, faults)
    return ForeignRankings(found.rankings, None, found.expected or None, version, path)


@dataclass
class _Lines:
    """Lines of JSONL rankings being read."""

    faults: list[Fault]
    rankings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    expected: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Take one line's ranking, and what it expects; every fault of it is listed."""
        name = id_of(row.values, "id", errors_at(row.place, self.faults))
        error = errors_at(row.place, self.faults, name)
        first = row.place if name is None else self.places.setdefault(name, row.place)
        if first is not row.place:
            error(f"duplicate question id: it is also the id of line {first.line}")
        retrieved = ids_of(row.values, "retrieved_doc_ids", error)
        for doc_id in twice(retrieved or []):
            error(f'duplicate document in the ranking: "{doc_id}"')
        self._warn_of_keys(row, name)
        expected = self._expected(row, name, error)
        if name is not None and retrieved is not None:
            self.rankings[name] = tuple(retrieved)
        if name is not None and expected:
            self.expected[name] = tuple(dict.fromkeys(expected))

    def _expected(self, row: Row, name: str | None, error: Say) -> list[str] | None:
        if row.values.get("expected_doc_ids") is None:
            return None
        expected = ids_of(row.values, "expected_doc_ids", error)
        if expected == []:
            error('"expected_doc_ids" is empty: a question without a relevant document can\'t be scored here')
        for doc_id in twice(expected or []):
            what = f'a document is expected twice: "{doc_id}"'
            self.faults.append(row.place.fault(what, name, "warning"))
        return expected

    def _warn_of_keys(self, row: Row, name: str | None) -> None:
        """Other keys are none of our business, unless they look like a misspelt one of ours."""
        for key in row.values:
            near = None if key in KEYS else nearest(key, [own for own in KEYS if own not in row.values])
            if near is not None:
                what = f'unknown key "{key}" (is it "{near}"?)'
                self.faults.append(row.place.fault(what, name, "warning"))


def _all_or_none(rows: list[Row], key: str, faults: list[Fault]) -> None:
    without = [row for row in rows if row.values.get(key) is None]
    if 0 < len(without) < len(rows):
        what = f'has no "{key}", while {len(rows) - len(without)} of {len(rows)} lines have one'
        faults += [row.place.fault(what, as_id(row.values.get("id"))) for row in without]


def _index_version(rows: list[Row], faults: list[Fault]) -> str | None:
    first: str | None = None
    for row in rows:
        if row.values.get("index_version") is None:
            continue
        version = id_of(row.values, "index_version", errors_at(row.place, faults))
        first = first or version
        if version is not None and version != first:
            what = f'index_version "{version}", but "{first}" in the lines before: one file, one index'
            faults.append(row.place.fault(what, as_id(row.values.get("id"))))
    return first
