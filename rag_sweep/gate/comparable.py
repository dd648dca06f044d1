"""Whether two scorecards can be compared: what forbids it, and what is only said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_sweep.comparison.words import counted, listed, setting
from rag_sweep.scorecard import Scorecard

SHOWN = 5
"""Ids and knobs that a sentence names."""


@dataclass(frozen=True)
class Comparability:
    """What two scorecards don't have in common, in sentences.

    Attributes
    ----------
    refused
        Why no difference may be taken; empty if one may.
    stated
        What differs and may explain a difference.
    """

    refused: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()


def comparability(current: Scorecard, baseline: Scorecard, *, same_corpus: bool = False) -> Comparability:
    """What differs between two scorecards.

    Parameters
    ----------
    same_corpus
        Refuse other documents and another version of the index, which else is only said.
    """
    documents = [text for text in (_corpus(current, baseline), _index(current, baseline)) if text]
    refused = [text for text in (_gold(current, baseline), _k(current, baseline)) if text]
    if current.filters != baseline.filters:
        now, before = shown_filters(current.filters), shown_filters(baseline.filters)
        refused.append(f"the filters differ: {now} here, {before} in the baseline")
    if same_corpus:
        refused += [f"{text} (--same-corpus)" for text in documents]
    stated = [] if same_corpus else documents
    others = (_pool(current, baseline), _code(current, baseline), _knobs(current, baseline))
    return Comparability(tuple(refused), (*stated, *(text for text in others if text)))


def shown_filters(filters: Mapping[str, Sequence[str]]) -> str:
    """``tags price, leave``, or ``all questions``."""
    parts = [f"{key} {', '.join(values)}" for key, values in sorted(filters.items())]
    return "; ".join(parts) or "all questions"


def is_unchanged(current: Scorecard, baseline: Scorecard) -> bool:
    """True if nothing that a value depends on differs, and no ranking does."""
    known = current.fingerprint is not None and current.corpus_hash is not None
    own, other = (
        (card.fingerprint, card.corpus_hash, card.gold_hash, card.code, card.query_ids, card.rankings)
        for card in (current, baseline)
    )
    return known and own == other


def knobs_that_differ(current: Scorecard, baseline: Scorecard) -> dict[str, tuple[object, object]]:
    """Values in the baseline and here, of each knob of the pipeline that isn't the same."""
    keys = dict.fromkeys([*baseline.params, *current.params])
    found = {key: (baseline.params.get(key), current.params.get(key)) for key in keys}
    apart = ("dataset", "k", "cutoffs")
    return {
        key: pair for key, pair in found.items() if pair[0] != pair[1] and key.partition(".")[0] not in apart
    }


def _k(current: Scorecard, baseline: Scorecard) -> str | None:
    return None if current.k == baseline.k else f"k differs: {current.k} here, {baseline.k} in the baseline"


def _gold(current: Scorecard, baseline: Scorecard) -> str | None:
    """In words what differs between two golds."""
    if current.gold_hash == baseline.gold_hash:
        return None
    parts = []
    versions = current.gold_version, baseline.gold_version
    if versions[0] != versions[1]:
        parts.append(f"version {versions[0] or 'unnamed'} here, {versions[1] or 'unnamed'} in the baseline")
    if current.filters == baseline.filters:
        parts += _questions(current, baseline)
    hashes = f"{current.gold_hash[:8]} here, {baseline.gold_hash[:8]} in the baseline"
    return f"the gold differs: {'; '.join([hashes, *parts])}"


def _questions(current: Scorecard, baseline: Scorecard) -> list[str]:
    here, there = current.position, baseline.position
    both = [query_id for query_id in current.query_ids if query_id in there]
    new = [query_id for query_id in current.query_ids if query_id not in there]
    gone = [query_id for query_id in baseline.query_ids if query_id not in here]
    judged = [i for i in both if current.relevant[here[i]] != baseline.relevant[there[i]]]
    tagged = [i for i in both if set(current.tags[here[i]]) != set(baseline.tags[there[i]])]
    words: list[str] = []
    if current.texts is not None and baseline.texts is not None:
        words = [i for i in both if current.texts[here[i]] != baseline.texts[there[i]]]
    named = (
        ("only here", new),
        ("only in the baseline", gone),
        ("other relevant documents", judged),
        ("other words", words),
        ("other tags", tagged),
    )
    parts = [f"{what}: {_ids(ids)}" for what, ids in named if ids]
    return parts or ["other spans, judgements of documents that aren't relevant, or another order"]


def _corpus(current: Scorecard, baseline: Scorecard) -> str | None:
    if current.corpus_hash == baseline.corpus_hash and current.corpus_hash is not None:
        return None
    here, there = (_documents(card) for card in (current, baseline))
    if current.corpus_hash is None or baseline.corpus_hash is None:
        return f"whether the documents are the same isn't known: {here} here, {there} in the baseline"
    return f"the documents have changed: {here} here, {there} in the baseline"


def _documents(card: Scorecard) -> str:
    if card.corpus_hash is None:
        return "unknown ones"
    number = "" if card.documents is None else f"{counted(card.documents, 'document')}, "
    return f"{number}{card.corpus_hash[:8]}"


def _index(current: Scorecard, baseline: Scorecard) -> str | None:
    now, before = current.index_version, baseline.index_version
    if now == before:
        return None
    return f"the index version differs: {now or 'none'} here, {before or 'none'} in the baseline"


def _pool(current: Scorecard, baseline: Scorecard) -> str | None:
    now, before = current.pool_depth, baseline.pool_depth
    if now == before:
        return None
    return f"the pool depth differs: {now or 'unknown'} here, {before or 'unknown'} in the baseline"


def _code(current: Scorecard, baseline: Scorecard) -> str | None:
    if current.code == baseline.code:
        return None
    return (
        f"the version of the code differs: {current.code} here, {baseline.code or 'unknown'} in the baseline"
    )


def _knobs(current: Scorecard, baseline: Scorecard) -> str | None:
    found = knobs_that_differ(current, baseline)
    parts = [f"{key} {_setting(was)} → {_setting(now)}" for key, (was, now) in found.items()]
    return f"the configuration differs: {listed(parts, most=SHOWN)}" if parts else None


def _setting(value: object) -> str:
    return setting(value if isinstance(value, str | int | float | bool) else None)


def _ids(ids: Sequence[str]) -> str:
    return listed(list(ids), most=SHOWN)
