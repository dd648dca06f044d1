"""The judgement itself: two scorecards and thresholds to a verdict, without files, clocks or chance."""

from __future__ import annotations

from collections.abc import Collection

from rag_sweep.errors import ConfigError
from rag_sweep.gate.checks import Judging
from rag_sweep.gate.comparable import Comparability, comparability, is_unchanged
from rag_sweep.gate.questions import questions_of
from rag_sweep.gate.steps import next_steps
from rag_sweep.gate.thresholds import Thresholds
from rag_sweep.gate.verdict import Check, Subject, TagRow, Verdict
from rag_sweep.scorecard import Scorecard
from rag_sweep.statistics.table import settle


def judge(
    current: Scorecard,
    baseline: Scorecard | None,
    thresholds: Thresholds,
    *,
    same_corpus: bool = False,
    known_misses: Collection[str] | None = None,
) -> Verdict:
    """Judge what was measured; equal arguments give an equal verdict, byte by byte.

    Parameters
    ----------
    current, baseline
        What is judged, and what it may not fall behind. Only with the same gold, filters and k is a
        difference taken; minima are judged in any case.
    same_corpus
        Refuse a difference also where the documents or the version of the index differ.
    known_misses
        Ids of questions that are known to fail; None if there is no list of them.

    Raises
    ------
    ConfigError
        If the thresholds judge nothing, or name a measure or a tag that isn't there.
    """
    if thresholds.is_empty:
        raise ConfigError("thresholds: nothing to judge: give a minimum or a largest drop")
    apart = Comparability() if baseline is None else comparability(current, baseline, same_corpus=same_corpus)
    beside = None if apart.refused else baseline
    judging = _judging(current, beside, thresholds)
    checks = _checks(judging, thresholds, current.k, "; ".join(apart.refused) or None)
    questions = questions_of(current, beside, known_misses)
    return Verdict(
        mode=thresholds.mode,
        alpha=thresholds.alpha,
        current=subject_of(current),
        baseline=None if baseline is None else subject_of(baseline),
        checks=checks,
        refused=apart.refused,
        stated=apart.stated,
        tags=_tags(judging, current, checks),
        questions=questions,
        means={name: settle(value) for name, value in current.means().items()},
        next_steps=next_steps(current, baseline, apart, questions, checks),
    )


def _judging(current: Scorecard, beside: Scorecard | None, thresholds: Thresholds) -> Judging:
    unchanged = beside is not None and is_unchanged(current, beside)
    return Judging(current, beside, thresholds.mode, thresholds.alpha, unchanged=unchanged)


def _checks(judging: Judging, thresholds: Thresholds, k: int, refused: str | None) -> tuple[Check, ...]:
    minima = [judging.minimum(target, limit) for target, limit in thresholds.least().items()]
    drops = [judging.drop(target, limit, refused) for target, limit in thresholds.largest(k).items()]
    return (*minima, *drops)


def _tags(judging: Judging, current: Scorecard, checks: tuple[Check, ...]) -> tuple[TagRow, ...]:
    measures = dict.fromkeys(check.measure for check in checks if check.measure is not None)
    return tuple(judging.tag_row(tag, measure) for tag in current.all_tags for measure in measures)


def subject_of(card: Scorecard) -> Subject:
    """What a scorecard is about."""
    return Subject(
        name=card.name,
        configuration=card.fingerprint,
        code=card.code,
        created=card.created,
        dataset=card.dataset,
        corpus=card.corpus_hash,
        documents=card.documents,
        index_version=card.index_version,
        gold=card.gold_hash,
        gold_version=card.gold_version,
        gold_date=card.gold_date,
        gold_origin=dict(card.gold_origin),
        filters=dict(card.filters),
        k=card.k,
        questions=card.questions,
        negatives=card.negatives,
        pool_depth=card.pool_depth,
    )
