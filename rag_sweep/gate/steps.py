"""What to look at after a gate, in order: first what was compared, then the gold, only then the search."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rag_sweep.comparison.words import listed
from rag_sweep.gate.comparable import Comparability, knobs_that_differ, shown_filters
from rag_sweep.gate.verdict import Check, Fell, Missed, Questions
from rag_sweep.scorecard import Scorecard

NAMED = 3
"""Questions that a step names."""


def next_steps(
    current: Scorecard,
    baseline: Scorecard | None,
    apart: Comparability,
    questions: Questions,
    checks: Sequence[Check],
) -> tuple[str, ...]:
    """The steps; few if everything holds."""
    tidy = _tidy(questions)
    if all(check.passed for check in checks):
        return tuple(tidy)
    if all(check.passed is not False for check in checks):
        return (_again(current, baseline), *tidy)
    first = f"Same index, filters and gold? {_compared(current, baseline, apart)}"
    return (first, _entries(current, questions), _algorithm(current, baseline), *tidy)


def _again(current: Scorecard, baseline: Scorecard | None) -> str:
    made = f"gold {current.gold_hash[:8]}, {shown_filters(current.filters)}, k = {current.k}"
    what = "Name a baseline" if baseline is None else "Take a baseline that was measured"
    return (
        f"{what} on the same ground ({made}): a report of `rag-sweep gate … --out FOLDER` on the main branch."
    )


def _compared(current: Scorecard, baseline: Scorecard | None, apart: Comparability) -> str:
    if baseline is None:
        documents = (
            "unknown documents" if current.corpus_hash is None else f"documents {current.corpus_hash[:8]}"
        )
        return f"Nothing was compared: this is {documents}, gold {current.gold_hash[:8]}, k = {current.k}."
    found = [*apart.refused, *apart.stated]
    if not found:
        return "Yes: documents, gold, filters, k, configuration and code are the same as in the baseline."
    return f"Not all is: {'; '.join(found)}."


def _entries(current: Scorecard, questions: Questions) -> str:
    """The gold's own entries of the questions that a check fails by, or else of those that found nothing."""
    worst: Sequence[Fell | Missed] = questions.fell or questions.lost or questions.failed
    if not worst:
        return "The gold's own entries: are all the documents that they name relevant today?"
    told = [_entry(one, current.k) for one in worst[:NAMED]]
    more = f"; and {len(worst) - NAMED} more" if len(worst) > NAMED else ""
    mend = "If a document was renamed, split or outdated, mend the gold in a new version, with a reason."
    return f"The gold's own entry: is it still right? {'; '.join(told)}{more}. {mend}"


def _entry(one: Fell | Missed, k: int) -> str:
    rank = f"now at rank {one.rank}" if one.rank else f"not among the first {k}"
    was = f", before at {one.baseline_rank}" if one.baseline_rank else ""
    return f"{one.id} expects {listed(list(one.relevant), most=NAMED)} ({rank}{was})"


def _algorithm(current: Scorecard, baseline: Scorecard | None) -> str:
    knobs = {} if baseline is None else knobs_that_differ(current, baseline)
    if knobs:
        return (
            f"Only then the search: {listed(list(knobs), most=NAMED)} changed; put back one after the other."
        )
    if baseline is not None:
        return "Only then the search: no knob has changed against the baseline."
    return "Only then the search: `rag-sweep run -m …` and `rag-sweep compare` try other configurations."


def look(words: Sequence[str], questions: Questions) -> str | None:
    """How to see what is found for the question that fell most; None if none did.

    Parameters
    ----------
    words
        Overrides of `rag-sweep search` that give what was judged.
    """
    if not questions.fell:
        return None
    command = shlex.join(["rag-sweep", "search", "--query-id", questions.fell[0].id, "--explain", *words])
    return f"What is found for a question now, and why: `{command}`"


def _tidy(questions: Questions) -> list[str]:
    found = []
    if questions.newly_found:
        names = listed(list(questions.newly_found), most=8)
        found.append(f"Take out of the known misses, since they are found now: {names}.")
    if questions.unknown:
        names = listed(list(questions.unknown))
        found.append(f"Take out of the known misses, since the gold has no such question: {names}.")
    return found
