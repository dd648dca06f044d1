"""A verdict of the gate as JUnit XML, as CI servers show it: a case for each check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from rag_sweep.report.comparison_rows import Data
from rag_sweep.report.gate_fell import fell_lines
from rag_sweep.report.gate_rows import captions, cautions, powers, question_lines

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gate_junit(data: Data) -> str:
    """The verdict about a configuration."""
    current = data["current"]
    keys = (
        "dataset",
        "gold",
        "gold_version",
        "gold_date",
        "corpus",
        "configuration",
        "code",
        "index_version",
    )
    about = {key: current[key] for key in keys}
    about |= {"k": data["k"], "questions": current["questions"], "zero_hits": data["zero_hits"]}
    told = [data["headline"], *captions(data), *cautions(data), *powers(data), *question_lines(data)]
    bodies = {row["what"]: "\n".join(fell_lines(data, row)) for row in data["checks"]}
    name = f"rag-sweep gate: {data['judged']}"
    return junit(name, data["checks"], about, [*told, *data["next_steps"]], bodies)


def junit(
    name: str,
    rows: Sequence[Data],
    about: Mapping[str, Any],
    told: Sequence[str],
    bodies: Mapping[str, str] | None = None,
) -> str:
    """A failure for a check that fails, an error for one that couldn't be judged.

    Parameters
    ----------
    rows
        Each with ``what``, ``kind``, ``passed`` and ``why``.
    about
        Properties; those that are None are left out.
    bodies
        What stands below the message of a failure, by ``what``.
    """
    suite = ElementTree.Element(
        "testsuite",
        name=_clean(name),
        tests=str(len(rows)),
        failures=str(sum(row["passed"] is False for row in rows)),
        errors=str(sum(row["passed"] is None for row in rows)),
        skipped="0",
    )
    box = ElementTree.SubElement(suite, "properties")
    for key, found in about.items():
        if found is not None:
            ElementTree.SubElement(box, "property", name=key, value=_clean(str(found)))
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", classname="rag_sweep.gate", name=_clean(row["what"]))
        if row["passed"] is not True:
            kind = "failure" if row["passed"] is False else "error"
            told_of = ElementTree.SubElement(case, kind, message=_clean(row["why"]), type=row["kind"])
            told_of.text = _clean((bodies or {}).get(row["what"], "")) or None
    ElementTree.SubElement(suite, "system-out").text = _clean("\n".join(told))
    ElementTree.indent(suite)
    body = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _clean(text: str) -> str:
    """Without the characters that XML can't hold."""
    return _NO_XML.sub("\ufffd", text)
