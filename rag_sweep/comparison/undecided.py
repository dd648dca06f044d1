"""Where no question tells one configuration from another one: what that means, and what to do."""

from __future__ import annotations

from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.handed import times
from rag_sweep.comparison.row import Row
from rag_sweep.comparison.words import brief, counted, listed, value
from rag_sweep.statistics.table import TIE


def undecided_told(found: Findings) -> list[str]:
    """Reasons for keeping the baseline."""
    return [part for part in (_level(found), _remedy(found), _cheapest(found)) if part]


def _level(found: Findings) -> str:
    row = found.old
    level = (
        f"Every configuration has {value(row.mean)} in {found.objective}, and no question differs between two"
    )
    if not _is_one_ranking(found):
        return f"{level}, though they rank documents differently."
    knobs = listed([knob.short for knob in found.knobs])
    return f"{level}: what was varied ({knobs}) changes the ranking of no question."


def _is_one_ranking(found: Findings) -> bool:
    """True if all rank the same documents in the same order."""
    return 1 + len(_main(found)[0].twins) >= found.distinct


def _main(found: Findings) -> list[Row]:
    return [row for row in found.rows if row.alias_of is None]


def _remedy(found: Findings) -> str:
    """What would tell them apart: it depends on why these questions don't."""
    mean, asked = found.old.mean, counted(found.questions, "question")
    if mean >= 1.0 - TIE:
        return f"All of {asked} are answered as well as can be: to choose, ask harder ones."
    if mean <= TIE:
        return (
            "Nothing relevant is found by any of them: `rag-sweep gold check` says whether the gold belongs "
            "to these documents."
        )
    return (
        "To choose, ask more and harder questions (in the words of users, with near-duplicates among the "
        "documents), or vary other knobs."
    )


def cheapest(found: Findings) -> Row | None:
    """The row that costs least, of those that are cheaper than the baseline; None if none is."""
    cheaper = [row for row in _main(found) if found.is_cheaper(row, found.old)]
    return min(cheaper, key=lambda row: sum(found.is_cheaper(other, row) for other in cheaper), default=None)


def _cheapest(found: Findings) -> str:
    """Who costs least: whether to take it is left to the reader."""
    row = cheapest(found)
    if row is None or row.cost is None or found.old.cost is None:
        return ""
    work = times(row.cost["units"], found.old.cost["units"])
    now, before = (f"{one['words']:,.0f}" for one in (row.cost, found.old.cost))
    return (
        f"{brief(row.name)} is cheaper, {work} computing a question and {now} words instead of {before}; "
        "nothing here speaks against it, or shows that it is as good."
    )
