"""`rag-sweep gold check`: one reading of documents and GOLD that lists every fault."""

from __future__ import annotations

from collections.abc import Sequence

from rag_sweep.config import build
from rag_sweep.config.program import compose_once
from rag_sweep.dataset.check import GoldReport, check


def check_gold(overrides: Sequence[str]) -> GoldReport:
    """Check the dataset that the overrides describe, under the analyzer that they choose."""
    config = compose_once(overrides)
    analyzer = build.component(config, "analyzer")
    return check(build.component(config, "dataset"), analyzer.tokens)


def lines(report: GoldReport) -> list[str]:
    """The report for people: counts, hashes, then every fault."""
    version = report.version or "not declared"
    found = [
        f"{report.name}: {report.documents} documents, {report.questions} questions "
        f"({report.answerable} answerable, {report.negatives} negative, {report.unjudged} unjudged left out)",
        f"evidence: {report.spans} spans; graded questions: {report.graded}",
        f"version: {version}",
        f"gold:   {report.gold_fingerprint or 'none: there are errors'}",
        f"corpus: {report.corpus_fingerprint or 'none: there are errors'}",
    ]
    for name, counted in (("tags", report.tags), ("sources", report.sources)):
        if counted:
            found.append(f"{name}: {', '.join(f'{key} {number}' for key, number in counted.items())}")
    found += [f"error: {fault}" for fault in report.errors]
    found += [f"warning: {fault}" for fault in report.warnings]
    verdict = "ok" if report.ok else f"{len(report.errors)} errors"
    return [*found, f"{verdict}, {len(report.warnings)} warnings"]
