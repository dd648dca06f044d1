"""What the commands of a GOLD's life say, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rag_sweep.comparison.words import counted
from rag_sweep.dataset.jsonl import shown
from rag_sweep.goldlife.adding import Added
from rag_sweep.goldlife.judging import Judged
from rag_sweep.goldlife.migrate import Migration
from rag_sweep.goldlife.migrating import Change
from rag_sweep.records import Gold
from rag_sweep.report.printable import printable

MOST = 20
"""Lines of each list that are shown; the log has all."""

_KINDS = ("renamed", "joined", "split", "removed")


def migration_lines(done: Migration) -> list[str]:
    """What a migration changed, what it lost, and what somebody has to look at."""
    log, *files = done.files
    changes = done.changes
    found = [f"{', '.join(map(str, files))}: {_counts(done.gold)}", _kinds(changes)]
    found += _section("evidence was lost; mark it again by hand", map(_lost, _of(changes, "span lost")))
    unsure = [change for change in _of(changes, "split") if change["look_at_it"]]
    found += _section("no evidence says which part is relevant, so all are; look at it", map(_split, unsure))
    found += _section("has no relevant document any more and counts as a negative now", done.emptied)
    found += _section("is left out, since nothing is judged for it any more", done.left_out)
    if done.unchecked:
        told = counted(done.unchecked, "span was", "spans were")
        found.append(f"{told} renamed without a look at the new text: --documents checks it")
    return [*found, f"log: {log}"]


def added_lines(done: Added) -> list[str]:
    """What was added, and where."""
    name = printable(done.values["id"])
    return [
        f"{done.file}: question {name} added, {_counts(done.after)}",
        f"gold: {done.before.fingerprint[:12]} before, {done.after.fingerprint[:12]} now",
    ]


def judged_lines(done: Judged) -> list[str]:
    """What a table brought."""
    log, *files = done.files
    relevant = sum(one.grade > 0 for one in done.taken)
    found = [
        f"{', '.join(map(str, files))}: {_counts(done.gold)}",
        f"{counted(len(done.taken), 'judgement')} taken, {relevant} of them relevant; "
        f"{counted(done.known, 'row')} known before, {done.unlabelled} without a grade",
    ]
    found += _section("has its first relevant document, so it isn't a negative any more", done.answerable_now)
    found += _section("has no relevant document any more and counts as a negative now", done.emptied)
    return [*found, f"log: {log}"]


def _counts(gold: Gold) -> str:
    version = "no version" if gold.version is None else f"version {printable(gold.version)}"
    asked = counted(len(gold.questions), "question")
    return f"{version}, {asked} ({len(gold.answerable)} answerable, {len(gold.negatives)} negative)"


def _kinds(changes: Sequence[Change]) -> str:
    kinds = Counter(change["what"] for change in changes)
    parts = [f"{kinds[kind]} {kind}" for kind in _KINDS if kinds[kind]]
    moved = f"{counted(kinds['span moved'], 'span')} moved"
    return f"judgements: {', '.join(parts) or 'none changed'}; {moved}, {kinds['span lost']} lost"


def _of(changes: Iterable[Change], what: str) -> list[Change]:
    return [change for change in changes if change["what"] == what]


def _section(title: str, rows: Iterable[str]) -> list[str]:
    listed = list(rows)
    if not listed:
        return []
    more = [f"  and {len(listed) - MOST} more, in the log"] if len(listed) > MOST else []
    return [f"{title} ({len(listed)}):", *(f"  {printable(row)}" for row in listed[:MOST]), *more]


def _lost(change: Change) -> str:
    evidence: Any = change["evidence"]
    text = "" if evidence is None else f": {shown(evidence, 80)}"
    return f'{change["question"]}, "{change["from"]["doc_id"]}": {change["why"]}{text}'


def _split(change: Change) -> str:
    return f"{change['question']}: {change['document']} → {', '.join(change['to'])}"
