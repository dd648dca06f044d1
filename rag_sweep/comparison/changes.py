"""What changes from the baseline, and which of the changes the decision hangs on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.knobs import Params
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.words import listed, setting, value
from rag_sweep.configuration import Scalar


@dataclass(frozen=True)
class Change:
    """A knob that changes, together with the knobs that belong to its option.

    Attributes
    ----------
    name
        Of the knob, short.
    keys
        All that changes with it.
    back
        The row that differs from the promoted one by this alone, having the baseline's value; None if that
        wasn't tried.
    """

    name: str
    keys: tuple[str, ...]
    back: Row | None


def changes_of(found: Findings) -> list[Change]:
    """The changes from the baseline, in the order of the knobs."""
    old, new = found.old.params, found.promoted.params
    changed = [knob for knob in found.knobs if _differ(old[knob.key], new[knob.key])]
    roots = {knob.key for knob in changed if "." not in knob.key}
    shorts = {knob.key: knob.short for knob in changed}
    told: dict[str, list[str]] = {}
    for key in shorts:
        root = key.partition(".")[0]
        told.setdefault(root if root in roots else key, []).append(key)
    # what means nothing on one side went with the change of some other group
    alone = {key: keys for key, keys in told.items() if old[key] is not None and new[key] is not None}
    return [Change(shorts[key], tuple(keys), _without(found, keys)) for key, keys in alone.items()]


def row_with(found: Findings, settings: Mapping[str, Scalar]) -> Row | None:
    """The row that differs from the promoted one by some knobs only; None if it wasn't tried."""
    old, new = found.old.params, found.promoted.params
    # a knob that the promoted one doesn't use may be needed again: then the baseline's value
    wanted = {key: old[key] if new[key] is None else new[key] for key in new} | dict(settings)
    rows = (row for row in found.rows if _has(row.params, wanted))
    return next((row for row in rows if row.row != found.choice.promote), None)


def _without(found: Findings, keys: Sequence[str]) -> Row | None:
    return row_with(found, {key: found.old.params[key] for key in keys})


def _has(params: Params, wanted: Params) -> bool:
    """True if every knob that means something has the wanted value."""
    return all(found is None or not _differ(found, wanted[key]) for key, found in params.items())


def _differ(one: Scalar, other: Scalar) -> bool:
    return one != other or isinstance(one, bool) != isinstance(other, bool)


def changes_told(found: Findings) -> str:
    """What is different from the baseline, and which of it counts; an empty text if nothing is."""
    old, new = found.old.params, found.promoted.params
    parts = [
        f"{knob.short} {setting(old[knob.key])} → {setting(new[knob.key])}"
        for knob in found.knobs
        if _differ(old[knob.key], new[knob.key])
    ]
    if found.is_kept or not parts:
        return ""
    return " ".join([f"What changes from {found.base}: {listed(parts)}.", *_weighed(found)])


def _weighed(found: Findings) -> list[str]:
    """What each change does for the decision: by the rows in which it alone is taken back."""
    changes = changes_of(found)
    known = [(change, change.back) for change in changes if change.back is not None]
    if len(changes) < 2 or not known:
        return []
    told: dict[str, list[tuple[str, Row]]] = {"needed": [], "adds": [], "along": []}
    for change, row in known:
        told[_part(found, row)].append((change.name, row))
    return [_sentence(found, part, rows) for part, rows in told.items() if rows]


def _part(found: Findings, back: Row) -> str:
    """What a change does that can be taken back: what is left then."""
    if found.choice.why == "cheaper":
        return "along" if found.is_cheaper(back, found.old) else "needed"
    if not (back.shown and (back.difference or 0.0) > 0):
        return "needed"
    return "along" if back.in_best else "adds"


def _sentence(found: Findings, part: str, rows: Sequence[tuple[str, Row]]) -> str:
    names, means = listed([name for name, _ in rows]), listed([value(row.mean) for _, row in rows])
    is_one = len(rows) == 1
    of = "either" if len(rows) == 2 else "any one of them"
    old = "with its old value it" if is_one else f"with the old value of {of} it"
    if found.choice.why == "cheaper":
        kept = {
            "needed": f"isn't cheaper than {found.base}",
            "along": f"is cheaper than {found.base} too",
        }
    else:
        kept = {
            "needed": f"isn't shown to beat {found.base}",
            "adds": f"beats {found.base} too, but isn't among the best any more",
            "along": f"beats {found.base} too",
        }
    verb = {
        "needed": "is needed" if is_one else "are needed",
        "adds": "adds to it" if is_one else "add to it",
        "along": "makes no sure difference" if is_one else "make no sure difference",
    }
    return f"{names} {verb[part]}: {old} {kept[part]} ({means})."
