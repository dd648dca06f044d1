"""`rag-sweep score --against`: another system's rankings beside a report, under the rules of the gate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rag_sweep.errors import NotComparable
from rag_sweep.gate.current import scorecard_of_score
from rag_sweep.gate.files import read_report
from rag_sweep.gate.judge import judge
from rag_sweep.gate.thresholds import Thresholds
from rag_sweep.scoring import Score

ANY_DROP = 1.0
"""No drop is larger: nothing is judged, all is told."""


def against(found: Score, report: Path) -> dict[str, Any]:
    """Every measure at k beside that of a report, with the interval of the difference: a verdict.

    Raises
    ------
    DataError
        If the report can't be read.
    NotComparable
        If gold, filters or k differ; the message names the difference.
    """
    baseline = read_report(report)
    verdict = judge(scorecard_of_score(found), baseline, Thresholds(max_drop=ANY_DROP))
    if verdict.refused:
        pair = f"{found.rankings.source.name} and {report} can't be compared"
        raise NotComparable("\n".join([f"{pair}: {verdict.refused[0]}", *verdict.refused[1:]]))
    return verdict.to_dict()
