"""An agreement with people in the terminal; the data are those of `Agreement.to_dict`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.comparison.words import chance, counted, signed, value
from rag_sweep.report.answers_judges import words
from rag_sweep.report.comparison_rows import NOTHING, Column, Data, named, number, span
from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.comparison_text import fitting, table

LONGEST = 60
PASS = "pass"
LENGTH_REASONS = {
    "too_few_cases": "too few cases",
    "no_disagreement": "there is no disagreement",
    "same_everywhere": "the judge differs by the same everywhere",
    "same_length": "all answers are equally long",
    "unknown_length": "the evaluation was kept without texts",
    "too_few_disagreements": "too few disagreements",
    "too_few_lengths": "nearly all answers are equally long",
}


def agreement_text(data: Data, cases: Mapping[str, Data], limit: int, width: int) -> list[Any]:
    """Things for rich: a row a label, what each may decide, its table, biases, and where they disagree.

    Parameters
    ----------
    cases
        Of the evaluation, by their ids: their texts stand beside disagreements.
    limit
        Disagreements of each label that are shown.
    """
    found: list[Any] = [table(fitting(_rows(data), width))]
    for name, one in data["labels"].items():
        what = "may decide" if one["may_decide"] else "may NOT decide"
        found += ["", f"{name}: the judge {what}" if one["kind"] == "judge" else f"{name}, by the rules"]
        found += [f"  {text}" for text in (*_told(one), *(_passing(data, one) if name == PASS else ()))]
        found.append(table(fitting(_confusion(one), width)))
        if one["disagreements"]:
            found.append(table(fitting(_apart(one["disagreements"][:limit], cases), width)))
        if len(one["disagreements"]) > limit:
            more = len(one["disagreements"])
            found.append(f"{counted(more - limit, 'more disagreement')}: --limit {more}")
    return found


def _rows(data: Data) -> list[Column]:
    names, rows = list(data["labels"]), list(data["labels"].values())
    level = f"{100 * data['level']:g} % interval"
    people = [row["people"] for row in rows]
    has_people = any(people)
    found = [
        Column("label", tuple(named(name) for name in names), is_number=False),
        Column("compared", tuple(str(row["same"]["of"]) for row in rows)),
        Column("same", tuple(number(row["same"]["value"], value) for row in rows)),
        Column("kappa", tuple(number(row["kappa"]["value"], value) for row in rows)),
        Column(level, tuple(_span(row["kappa"], value) for row in rows), 1),
        Column("not judged", tuple(str(sum(row["not_judged"].values()) or NOTHING) for row in rows), 2),
        Column("unsure", tuple(str(row["unsure"] or NOTHING) for row in rows), 3),
        Column("empty", tuple(str(row["empty"] or NOTHING) for row in rows), 4),
    ]
    if has_people:
        of_people = (number(one["kappa"]["value"], value) if one else NOTHING for one in people)
        found.append(Column("kappa of people", tuple(of_people), 1))
    return found


def _span(one: Mapping[str, Any], form: Any) -> str:
    return NOTHING if one["lower"] is None else span(one["lower"], one["upper"], form)


def _told(one: Data) -> list[str]:
    weights = one["kappa"]["weights"]
    found = [one["why"] + ("" if weights == "none" else f" ({weights} weights)")]
    found.append(f"above people in {one['kinder']}, below in {one['harsher']}{_p(one['kinder_p'])}")
    found.append(_length(one["length"]))
    if one["people"]:
        found.append(_two(one["people"]))
    if one["order"]:
        found.append(_order(one["order"]))
    if one["consistency"]:
        found.append(_consistency(one["consistency"]))
    return found


def _two(both: Data) -> str:
    if not both["same"]["of"]:
        return "two people: no case was labelled by both"
    return f"two people: {_kappa(both)} over {both['same']['of']}: the ceiling"


def _kappa(one: Data) -> str:
    return f"kappa {number(one['kappa']['value'], value)} ({_span(one['kappa'], value)})"


def _passing(data: Data, one: Data) -> list[str]:
    """What a pass is, which isn't quite what people are asked."""
    strict = one["with_refusals"]
    found = [f"pass: none of {', '.join(data['pass_rules'])} fails; a refusal may pass, right or wrong"]
    if strict:
        told = (
            f"with wrong refusals as failed: {_kappa(strict)}, same {number(strict['same']['value'], value)}"
        )
        found.append(f"{told}; the gate sees them with --min refusal_ok=…")
    return found


def _p(p: float | None) -> str:
    return "" if p is None else f" ({chance(p)})"


def _length(one: Data) -> str:
    if one["lower"] is None:
        return f"length: nothing to tell, {LENGTH_REASONS[one['reason']]}"
    told = f"length: judged minus people changes by {signed(one['slope'])} of the scale (0 to 1)"
    ends, correlation = _span(one, signed), signed(one["correlation"])
    return f"{told} for each doubling of an answer's words ({ends}), correlation {correlation}"


def _order(one: Data) -> str:
    share, alike = one["flipped"], one["not_reversed"]
    if one["reason"]:
        return f"order reversed: nothing to reverse, {counted(alike, 'case')} shown the same either way"
    told = f"order reversed: {share['count']} of {counted(share['of'], 'verdict')} flip"
    told += f", {one['to_pass']} to passed and {one['to_fail']} to failed{_p(one['p_value'])}"
    told += f"; {one['not_judged']} not judged both times" if one["not_judged"] else ""
    return told + (f"; {counted(alike, 'more case')} with nothing to reverse" if alike else "")


def _consistency(one: Data) -> str:
    share = one["same"]
    told = f"asked {one['rounds']} times: {share['count']} of {counted(share['of'], 'case')} the same"
    told += "" if one["spread"] is None else f", values up to {value(one['spread'])} apart"
    return told + (f"; {one['not_judged']} not judged every time" if one["not_judged"] else "")


def _confusion(one: Data) -> list[Column]:
    scale: Sequence[str] = one["scale"]
    heads = tuple(f"people: {label}" for label in scale)
    columns = (tuple(str(row[at]) for row in one["table"]) for at in range(len(scale)))
    judged = (Column(f"judged {label}", cells) for label, cells in zip(scale, columns, strict=True))
    return [Column("", heads, is_number=False), *judged]


def _apart(rows: Sequence[Data], cases: Mapping[str, Data]) -> list[Column]:
    def texts(key: str) -> tuple[str, ...]:
        return tuple(shortened(cases[row["id"]][key] or "", LONGEST) for row in rows)

    return [
        Column("disagreement", tuple(named(row["id"]) for row in rows), is_number=False),
        Column("people", tuple(row["person"] for row in rows), is_number=False),
        Column("judged", tuple(row["judge"] for row in rows), is_number=False),
        Column("why", tuple(shortened(words(row["reason"]), LONGEST) for row in rows), 1, False, 16),
        Column("question", texts("question"), 2, False, 20),
        Column("answer", texts("answer"), 3, False, 20),
    ]
