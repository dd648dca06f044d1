"""What `gold rescore` and `gold label-next` say, as things for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rag_sweep.comparison.words import counted, listed, share, signed, value
from rag_sweep.goldlife.labels import Label, Labelling
from rag_sweep.goldlife.moving import Judged, Moved
from rag_sweep.goldlife.rescore import Rescoring, SweepRescore, Verdict
from rag_sweep.report.comparison_rows import NOTHING, Column
from rag_sweep.report.comparison_text import fitting, table
from rag_sweep.report.printable import printable

NARROW = 24
"""Columns that a text gets at least before it takes several lines."""

_TEXT = 160

_WHY = {
    "better": "better than the baseline beyond chance",
    "cheaper": "cheaper than the baseline",
    "same": "the baseline, which the rule chooses",
    "chance": "the baseline, since nothing is better beyond chance",
    "few": "the baseline, since the questions are few",
    "undecided": "the baseline, since all are level",
}
"""In words why one was chosen; see `comparison.choice.Choice`."""


def rescoring_text(done: Rescoring, limit: int, width: int) -> list[Any]:
    """Each sweep with its decision before and after; then how many flip."""
    found: list[Any] = []
    for one in done.sweeps:
        found += _sweep(one, limit, width)
    version = "" if done.gold.gold.version is None else f" under version {done.gold.gold.version}"
    flips = counted(len(done.flipped), "decision flips", "decisions flip")
    return [*found, f"{flips}{version}, of {counted(len(done.sweeps), 'sweep')} measured anew."]


def _sweep(one: SweepRescore, limit: int, width: int) -> list[Any]:
    asked = counted(one.configurations, "configuration")
    found: list[Any] = [f"{one.sweep_id} ({printable(one.name)}, {asked}, {one.objective}): {_fate(one)}"]
    found += [f"  before: {_verdict(one.before)}"] if one.before else []
    if one.shared is not None and one.alignment.loses:
        found.append(f"  before, on the shared questions: {_verdict(one.shared)}")
    found += [f"  after: {_verdict(one.after)}"] if one.after else []
    found += [f"  {text}" for text in _left_out(one)]
    if one.moved:
        found += ["  by these questions:", table(fitting(_moved(one.moved[:limit]), width))]
        hidden = len(one.moved) - limit
        found += [f"  and {counted(hidden, 'question')} more: --limit {len(one.moved)}"] if hidden > 0 else []
    return [*found, ""]


def _fate(one: SweepRescore) -> str:
    if one.problem is not None:
        return f"no decision: {one.problem}"
    if not one.flips:
        return "the decision stays"
    return "THE DECISION FLIPS" + (
        " because questions are gone or can't be measured" if one.cause == "questions" else ""
    )


def _verdict(one: Verdict | None) -> str:
    if one is None:
        return NOTHING
    asked = counted(one.questions, "question")
    baseline = "" if one.name == one.baseline else f"; the baseline has {value(one.baseline_mean)}"
    best = (
        ""
        if one.name == one.best
        else f"; {printable(one.best)} has the highest mean, {value(one.best_mean)}"
    )
    why = f" ({_WHY[one.why]})" if one.why in _WHY else ""
    return f"{printable(one.name)}{why} with {value(one.mean)} over {asked}{baseline}{best}"


def _left_out(one: SweepRescore) -> Iterable[str]:
    found = one.alignment
    lists = {
        "without a ranking, so in neither mean": found.new,
        "asked in other words, so in neither mean": found.reworded,
        "with a relevant document that wasn't searched, so in neither mean": found.unsearched,
        "not in the gold any more, so only in the mean before": found.removed,
    }
    for what, ids in lists.items():
        if ids:
            yield f"{counted(len(ids), 'question')} {what}: {listed(ids, most=5)}"
    if not found.texts_are_known:
        yield "the sweep kept no texts, so whether a question was reworded can't be told"


def _moved(rows: Sequence[Moved]) -> list[Column]:
    return [
        Column("question", tuple(row.id for row in rows), is_number=False),
        Column("share", tuple(signed(row.share) for row in rows)),
        Column("old choice", tuple(_change(row.old_before, row.old_after) for row in rows), 2),
        Column("new choice", tuple(_change(row.new_before, row.new_after) for row in rows), 2),
        Column("judgements", tuple(map(_judgements, rows)), 1, is_number=False, least=NARROW),
        Column("text", tuple(_cut(row.text) for row in rows), 3, is_number=False, least=NARROW),
    ]


def _change(before: float | None, after: float | None) -> str:
    return " → ".join(NOTHING if number is None else value(number) for number in (before, after))


def _judgements(row: Moved) -> str:
    return listed([_judged(one) for one in row.judgements], most=4) or NOTHING


def _judged(one: Judged) -> str:
    before, after = (NOTHING if grade is None else str(grade) for grade in (one.before, one.after))
    return f"{one.doc_id} {before} → {after}"


def labelling_text(done: Labelling, width: int) -> list[Any]:
    """The leaders with their share of judgements, then the documents to judge."""
    pairs = f"{done.open_pairs} of {counted(done.pairs, 'pair')}"
    title = [counted(len(done.leaders), "leader"), done.objective, counted(done.questions, "question")]
    found: list[Any] = [
        (", ".join(title)),
        table(fitting(_leaders(done), width)),
        f"{counted(done.unjudged, 'document')} of their first ranks have no judgement; if they are relevant, "
        f"together they could turn the order of {pairs}, and {done.turning} would turn one alone.",
    ]
    if done.labels:
        found += ["", table(fitting(_labels(done), width))]
    if done.out is not None:
        command = f"rag-sweep gold add-judgements {done.out} --gold OLD --out NEW"
        found.append(f"Fill the column grade of {done.out}, then: {command}")
    return found


def _leaders(done: Labelling) -> list[Column]:
    several = len({one.sweep_id for one in done.leaders}) > 1
    names = [f"{one.sweep_id}:{one.index}" if several else str(one.index) for one in done.leaders]
    return [
        Column("#", tuple(str(at) for at in range(1, len(names) + 1))),
        Column("index", tuple(names)),
        Column(done.objective, tuple(value(one.mean) for one in done.leaders)),
        Column(f"judged@{done.k}", tuple(share(one.judged) for one in done.leaders)),
        Column("configuration", tuple(one.name for one in done.leaders), is_number=False, least=NARROW),
    ]


def _labels(done: Labelling) -> list[Column]:
    rows = done.labels
    leaders = len(done.leaders)
    return [
        Column("question", tuple(row.query_id for row in rows), is_number=False),
        Column("document", tuple(printable(row.doc_id) for row in rows), is_number=False),
        Column("turns", tuple(str(len(row.turns)) for row in rows)),
        Column("leads", tuple(map(_leads, rows)), 3),
        Column("shift", tuple(f"{row.shift:.3f}" for row in rows), 2),
        Column("rank", tuple(str(row.best_rank) for row in rows), 2),
        Column("found by", tuple(f"{row.found_by}/{leaders}" for row in rows), 4),
        Column("asked", tuple(_cut(row.question) for row in rows), 5, is_number=False, least=NARROW),
        Column("passage", tuple(_cut(row.text or "") for row in rows), 6, is_number=False, least=NARROW),
    ]


def _leads(row: Label) -> str:
    return NOTHING if row.leads is None else f"#{row.leads + 1}"


def _cut(text: str) -> str:
    line = printable(" ".join(text.split()))
    return line if len(line) <= _TEXT else f"{line[:_TEXT]}…"
