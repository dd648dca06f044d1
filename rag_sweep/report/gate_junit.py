"""A verdict of the gate as JUnit XML, as CI servers show it: a case for each check."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from rag_sweep.report.comparison_rows import Data
from rag_sweep.report.gate_rows import captions, powers, question_lines

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gate_junit(data: Data) -> str:
    """A failure for a check that fails, an error for one that couldn't be judged."""
    rows = data["checks"]
    suite = ElementTree.Element(
        "testsuite",
        name="rag-sweep gate",
        tests=str(len(rows)),
        failures=str(sum(row["passed"] is False for row in rows)),
        errors=str(sum(row["passed"] is None for row in rows)),
        skipped="0",
    )
    _properties(suite, data)
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", classname="rag_sweep.gate", name=_clean(row["what"]))
        if row["passed"] is not True:
            kind = "failure" if row["passed"] is False else "error"
            ElementTree.SubElement(case, kind, message=_clean(row["why"]), type=row["kind"])
    told = [*captions(data), *powers(data), *question_lines(data), *data["next_steps"]]
    ElementTree.SubElement(suite, "system-out").text = _clean("\n".join(told))
    ElementTree.indent(suite)
    body = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _properties(suite: ElementTree.Element, data: Data) -> None:
    box = ElementTree.SubElement(suite, "properties")
    current = data["current"]
    for key in ("gold", "gold_version", "gold_date", "corpus", "configuration", "code", "index_version"):
        if current[key] is not None:
            ElementTree.SubElement(box, "property", name=key, value=_clean(str(current[key])))
    counts = {"k": data["k"], "questions": current["questions"], "zero_hits": data["zero_hits"]}
    for key, number in counts.items():
        ElementTree.SubElement(box, "property", name=key, value=str(number))


def _clean(text: str) -> str:
    """Without the characters that XML can't hold."""
    return _NO_XML.sub("\ufffd", text)
