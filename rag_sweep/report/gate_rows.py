"""A verdict of the gate as columns and sentences, for the terminal and for Markdown.

A verdict is plain data here, as `rag_sweep.gate.verdict.Verdict.to_dict` gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rag_sweep.comparison.words import counted, listed, sentence, signed
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named

RESULTS = {True: "ok", False: "FAILED", None: "not judged"}
"""What became of a check."""

IDS = 12
"""Ids that a sentence names."""

TAG_MEASURES = 2
"""Measures that the table per tag shows."""


def mean(number: float | None) -> str:
    """A mean with four decimals, or a dash."""
    return NOTHING if number is None else f"{number:.4f}"


def check_columns(data: Data) -> list[Column]:
    """What was judged, a row each."""
    rows = [row for row in data["checks"] if row["kind"] != "thresholds"]
    level = f"{100 * (1 - data['alpha']):g} %"
    columns = [
        Column("check", tuple(row["what"] for row in rows), is_number=False, least=24),
        Column("result", tuple(RESULTS[row["passed"]] for row in rows), is_number=False),
        Column("value", tuple(mean(row["value"]) for row in rows)),
        _of(rows, f"{level} interval", lambda row: _span(row["lower"], row["upper"], mean), 3),
        _of(rows, "baseline", lambda row: mean(row["baseline"]), 1),
        _of(rows, "difference", lambda row: _signed(row["difference"])),
        _of(rows, "its interval", lambda row: _change(row), 1),
        _of(rows, "detectable", lambda row: _power(row, "detectable"), 2),
    ]
    return _filled(columns)


def difference_columns(data: Data) -> list[Column]:
    """Every drop that was looked at, without a judgement."""
    rows = [row for row in data["checks"] if row["difference"] is not None]
    columns = [
        Column("measure", tuple(row["measure"] for row in rows), is_number=False),
        Column("value", tuple(mean(row["value"]) for row in rows)),
        _of(rows, "baseline", lambda row: mean(row["baseline"])),
        _of(rows, "difference", lambda row: _signed(row["difference"])),
        _of(rows, "its interval", lambda row: _change(row)),
        _of(rows, "p", lambda row: NOTHING if row["p_value"] is None else f"{row['p_value']:.3f}"),
        _of(rows, "detectable", lambda row: _power(row, "detectable"), 1),
    ]
    return _filled(columns)


def tag_columns(data: Data) -> list[Column]:
    """The same per tag, of the measures that matter most here."""
    shown = _shown_measures(data)
    rows = [row for row in data["tags"] if row["measure"] in shown]
    columns = [
        Column("tag", tuple(named(row["tag"]) for row in rows), is_number=False, least=16),
        Column("measure", tuple(row["measure"] for row in rows), is_number=False),
        Column("questions", tuple(str(row["questions"]) for row in rows)),
        Column("value", tuple(mean(row["value"]) for row in rows)),
        _of(rows, "baseline", lambda row: mean(row["baseline"]), 1),
        _of(rows, "difference", lambda row: _signed(row["difference"])),
        _of(rows, "its interval", lambda row: _change(row), 1),
        _of(rows, "detectable", lambda row: _power(row, "detectable"), 2),
    ]
    return _filled(columns)


def tag_title(data: Data) -> str:
    """What stands above that table."""
    all_measures = len({row["measure"] for row in data["tags"]})
    more = f"; {all_measures} measures in the JSON" if all_measures > TAG_MEASURES else ""
    return f"Per tag (not judged, unless a limit names the tag{more})"


def _shown_measures(data: Data) -> list[str]:
    """Those that failed, the largest drop first, then the others in their order."""
    rows = [row for row in data["checks"] if row["measure"] is not None]
    ordered = sorted(rows, key=lambda row: (row["passed"] is not False, row["difference"] or 0.0))
    return list(dict.fromkeys(row["measure"] for row in ordered))[:TAG_MEASURES]


def captions(data: Data) -> list[str]:
    """What the numbers are over, and what they are compared with."""
    found = [_subject(data["current"])]
    if data["baseline"] is not None:
        found.append(f"Baseline: {_subject(data['baseline'])}")
    found += [f"Not compared: {text}." for text in data["refused"]]
    found += [sentence(text) for text in data["stated"]]
    return found


def reasons(data: Data) -> list[str]:
    """Why each check failed, or wasn't judged for a reason that isn't in the captions."""
    refused = bool(data["refused"])
    rows = [
        row for row in data["checks"] if row["passed"] is False or (row["passed"] is None and not refused)
    ]
    return [f"{row['what']}: {row['why']}" for row in rows]


def cautions(data: Data) -> list[str]:
    """Where a limit can't do what it is there for."""
    return [f"Caution: {text}." for text in data["cautions"]]


def powers(data: Data) -> list[str]:
    """What the comparison could have detected, a sentence for each measure."""
    rows = [row for row in data["checks"] if row["power"] is not None]
    found = list(dict.fromkeys(_powerful(row) for row in rows))
    return [*found, mode_line(data)] if rows else []


def mode_line(data: Data) -> str:
    """How drops were judged."""
    told = {
        "regression": "a drop fails if it was measured beyond its limit, shown or not",
        "non_inferiority": "a drop passes only if the interval excludes one beyond its limit",
    }[data["mode"]]
    return f"Mode {data['mode']}: {told}; intervals are two-sided, {100 * (1 - data['alpha']):g} %."


def question_lines(data: Data) -> list[str]:
    """Which questions failed, which of them are new, and what changed against the baseline."""
    told = data["questions"]
    failed = told["failed"]
    without = f"without a relevant document among the first {data['k']}"
    found = [f"Zero hits: {counted(len(failed), 'question')} {without}{_names(_ids(failed))}."]
    if told["new"] is not None:
        known = [one["id"] for one in failed if one["known"]]
        found.append(f"Not among the known misses: {_counted(told['new'])}; known: {_counted(known)}.")
    if told["newly_found"]:
        found.append(f"Known misses that are found now: {_counted(told['newly_found'])}.")
    if told["lost"] is not None:
        lost = _counted(_ids(told["lost"]))
        found.append(f"Lost since the baseline: {lost}; found again: {_counted(told['found'])}.")
    if told["incomplete"]:
        found.append(f"Found in part: {_counted(told['incomplete'])}.")
    if told["empty"]:
        found.append(f"Nothing came back at all: {_counted(told['empty'])}.")
    return found


def _ids(questions: Iterable[Data]) -> list[str]:
    return [one["id"] for one in questions]


def _counted(ids: Sequence[str]) -> str:
    return f"{len(ids)}{_names(ids)}"


def _names(ids: Sequence[str]) -> str:
    return f": {listed([named(one) for one in ids], most=IDS)}" if ids else ""


def _subject(one: Data) -> str:
    """``stemmed bm25 … on faq: 150 answerable questions, k = 10, all questions; gold …; corpus ….``"""
    apart = [f"{counted(one['negatives'], 'negative')} apart"] if one["negatives"] else []
    filters = "; ".join(f"{key} {', '.join(values)}" for key, values in one["filters"].items())
    over = [
        counted(one["questions"], "answerable question"),
        *apart,
        f"k = {one['k']}",
        filters or "all questions",
    ]
    parts = [", ".join(over), f"gold {one['gold'][:8]}{_gold(one)}", _corpus(one), f"code {one['code']}"]
    return f"{named(one['name'])} on {named(one['dataset'])}: {'; '.join(parts)}; {one['created']}."


def _corpus(one: Data) -> str:
    parts = [
        f"corpus {'unknown' if one['corpus'] is None else one['corpus'][:8]}",
        *([counted(one["documents"], "document")] if one["documents"] else []),
        *([f"index version {one['index_version']}"] if one["index_version"] else []),
    ]
    return ", ".join(parts)


def _gold(one: Data) -> str:
    origin = ", ".join(f"{number} {source}" for source, number in one["gold_origin"].items())
    parts = [
        *([f"version {one['gold_version']}"] if one["gold_version"] else []),
        *([f"latest question of {one['gold_date']}"] if one["gold_date"] else []),
        *([origin] if origin else []),
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def _powerful(row: Data) -> str:
    power, number, limit = row["power"], counted(row["questions"], "question"), f"{row['limit']:g}"
    measure = row["measure"] if row["tag"] is None else f"{row['tag']}:{row['measure']}"
    if power["detectable"] is None:
        most = f"{power['excluded']:.3f}"
        unknown = f"{measure}: no question differs from the baseline"
        return f"{unknown}; of others like these, {number} exclude a drop beyond {most}."
    sees = f"tell a drop of {power['detectable']:.3f} from none in 8 of 10 cases"
    shows = f"show one of {power['beyond']:.3f} to be beyond {limit}"
    needed = power["needed"]
    more = "" if needed is None else f"; to tell a drop of {limit} from none takes {needed:,}"
    return f"{measure}: {number} {sees}, and {shows}{more}."


def _of(rows: Iterable[Data], head: str, cell: Callable[[Data], str], place: int = 0) -> Column:
    return Column(head, tuple(cell(row) for row in rows), place)


def _filled(columns: Sequence[Column]) -> list[Column]:
    """Without columns that say nothing."""
    return [column for column in columns if not column.cells or set(column.cells) != {NOTHING}]


def _signed(number: float | None) -> str:
    return NOTHING if number is None else signed(number)


def _change(row: Data) -> str:
    """The interval of a difference; where there is none, over how many questions there is none."""
    if row["difference"] is not None and row["difference_lower"] is None:
        return f"none, {counted(row['questions'], 'question')}"
    return _span(row["difference_lower"], row["difference_upper"], signed)


def _span(lower: float | None, upper: float | None, shown: Callable[[float], str]) -> str:
    return NOTHING if lower is None or upper is None else f"{shown(lower)} to {shown(upper)}"


def _power(row: Data, key: str) -> str:
    number = None if row["power"] is None else row["power"][key]
    return NOTHING if number is None else f"{number:.3f}"
