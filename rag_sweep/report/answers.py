"""An evaluation of answers as text, Markdown and CSV; the data are those of `Evaluation.to_dict`."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.comparison.words import counted, value
from rag_sweep.dataset.spreadsheet import guarded
from rag_sweep.judges.known import SIGNALS
from rag_sweep.report.answers_judges import judges_told, words
from rag_sweep.report.comparison_rows import Column, Data, named
from rag_sweep.report.comparison_sections import shortened
from rag_sweep.report.comparison_text import fitting, table
from rag_sweep.report.printable import printable

LONGEST = 60


def answers_text(data: Data, limit: int, width: int) -> list[Any]:
    """Things for rich: the share that passes, every mean with what it is over, and the cases that fail.

    Parameters
    ----------
    limit
        Failing cases that are shown.
    """
    failing = failures(data)
    found: list[Any] = [headline(data), "", table(fitting(_means(data), width)), *judges_told(data)]
    found += ["", faults(data)] if faults(data) else []
    if failing:
        found += ["", table(fitting(_failing(failing[:limit]), width))]
    if len(failing) > limit:
        found.append(f"{counted(len(failing) - limit, 'more case')} that fail: --limit {len(failing)}")
    return found


def headline(data: Data) -> str:
    """One line: how many of how many pass."""
    cases = data["cases"].values()
    passed = sum(case["pass"] for case in cases)
    share = value(data["pass_at_1"]) if data["pass_at_1"] is not None else "–"
    refused = sum(case["pass"] and _refuses_wrongly(case) for case in cases)
    they = "refuses" if refused == 1 else "refuse"
    but = f"; of those that pass, {refused} {they} where the context has the answer" if refused else ""
    return f"{passed} of {counted(len(cases), 'answer')} pass, pass@1 = {share}{but}"


def _refuses_wrongly(case: Data) -> bool:
    return any(one["reason"] == "wrongly_refused" for one in case["verdicts"])


def faults(data: Data) -> str:
    """One line: whose fault failed questions are, and how many have an answer that passes; "" if none."""
    counts = data["attribution"]
    total = sum(counts.values())
    if not total:
        return ""
    passing = sum(case["pass"] and case["attribution"] is not None for case in data["cases"].values())
    parts = ", ".join(f"{place} {number}" for place, number in counts.items())
    but = f" ({passing} of them with an answer that passes, but {_beyond(data)})" if passing else ""
    return f"{counted(total, 'failed question')}{but}, by whose fault: {parts}"


def _beyond(data: Data) -> str:
    """What makes a question fail beside the rules that count."""
    cites = ", or cites other passages than the evidence" if "evidence_cited" in data["over"] else ""
    return f"refuses wrongly, or should refuse{cites}"


def fault_of(case: Data) -> str:
    """Whose fault a case is, and why; empty for one that didn't fail."""
    fault = case["attribution"]
    return f"{fault['to']}: {words(fault['reason'])}" if fault else ""


def failures(data: Data) -> list[dict[str, Any]]:
    """The cases that don't pass, and failed questions that do, with the verdicts that say why."""
    found = []
    for name, case in data["cases"].items():
        if not case["pass"] or case["attribution"]:
            counting = (*data["pass_rules"], "refusal", "evidence_cited")
            failed = [one for one in case["verdicts"] if one["state"] == "fail" and one["rule"] in counting]
            texts = {"question": case["question"], "answer": case["answer"]}
            found.append({"id": name, **texts, "failed": failed, "fault": fault_of(case)})
    return found


def why(verdict: Mapping[str, Any]) -> str:
    """A verdict in a few words: what was found, where that says more than the reason."""
    detail = verdict["detail"]
    if detail.get("unsupported_numbers"):
        return f"{verdict['rule']}: {words(verdict['reason'])} ({shortened(_numbers(detail), LONGEST)})"
    for key in ("bad_citations", "missing", "found", "misplaced"):
        if detail.get(key):
            items = [one if isinstance(one, str) else " | ".join(map(str, one)) for one in detail[key]]
            return f"{verdict['rule']}: {words(verdict['reason'])} ({shortened(', '.join(items), LONGEST)})"
    return f"{verdict['rule']}: {words(verdict['reason'])}"


def _numbers(detail: Mapping[str, Any]) -> str:
    """Numbers that nothing backs, each with why the same one of the context doesn't."""
    reasons = detail.get("why") or {}
    told = (
        f"{one}: {words(reasons[one])}" if reasons.get(one) else one for one in detail["unsupported_numbers"]
    )
    return ", ".join(told)


def _means(data: Data) -> list[Column]:
    rows = list(data["over"].items())
    means = (value(data[name]) if data[name] is not None else "–" for name, _ in rows)
    return [
        Column("measure", tuple(_called(name) for name, _ in rows), is_number=False),
        Column("mean", tuple(means)),
        Column("over", tuple(str(over["measured"]) for _, over in rows)),
        Column("not applicable", tuple(str(over["not_applicable"] or "–") for _, over in rows)),
        Column("not measured", tuple(str(over["not_measured"] or "–") for _, over in rows)),
    ]


def _called(name: str) -> str:
    return f"{name} (heuristic)" if name in SIGNALS else name


def _failing(rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    reasons = ("; ".join(why(one) for one in row["failed"]) for row in rows)
    return [
        Column("fails", tuple(named(row["id"]) for row in rows), is_number=False),
        Column("why", tuple(printable(text) for text in reasons), is_number=False, least=24),
        Column("fault", tuple(row["fault"] for row in rows), 3, False, 16),
        Column("question", tuple(shortened(row["question"], LONGEST) for row in rows), 1, False, 20),
        Column("answer", tuple(shortened(row["answer"], LONGEST) for row in rows), 2, False, 20),
    ]


def answers_csv(data: Data) -> str:
    """One row a case: id, texts, whether it passes, and the state and value of every rule and judge.

    Nothing in it is a formula where a spreadsheet opens it.
    """
    names = list(dict.fromkeys(one["rule"] for case in data["cases"].values() for one in case["verdicts"]))
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    states = [part for name in names for part in (name, f"{name}_value", f"{name}_reason")]
    writer.writerow(["id", "question", "answer", "pass", "fault", "fault_reason", *states])
    for name, case in data["cases"].items():
        verdicts = {one["rule"]: one for one in case["verdicts"]}
        cells = [cell for rule in names for cell in _cells(verdicts.get(rule))]
        texts = [guarded(text) for text in (name, case["question"], case["answer"] or "")]
        fault = case["attribution"] or {"to": "", "reason": ""}
        writer.writerow([*texts, int(case["pass"]), fault["to"], fault["reason"], *cells])
    return target.getvalue()


def _cells(verdict: Mapping[str, Any] | None) -> tuple[str, str, str]:
    if verdict is None:
        return "", "", ""
    number = verdict["value"]
    return verdict["state"], "" if number is None else f"{number:.6g}", verdict["reason"]


def answers_markdown(data: Data, limit: int = 50) -> str:
    """For a pull request: the means, then the failing cases, then what it was made with."""
    lines = [f"## {headline(data)}", "", "| measure | mean | over | not applicable | not measured |"]
    lines.append("|---|--:|--:|--:|--:|")
    for name, over in data["over"].items():
        mean = value(data[name]) if data[name] is not None else "–"
        counts = " | ".join(str(over[key]) for key in ("measured", "not_applicable", "not_measured"))
        lines.append(f"| {_called(name)} | {mean} | {counts} |")
    failing = failures(data)
    lines += [f"- {text}" if text else "" for text in judges_told(data)]
    lines += ["", f"{faults(data)}."] if faults(data) else []
    if failing:
        lines += ["", "| fails | why | fault | question | answer |", "|---|---|---|---|---|"]
        for row in failing[:limit]:
            reasons = "; ".join(why(one) for one in row["failed"])
            cells = (row["id"], reasons, row["fault"], row["question"], row["answer"] or "")
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
    if len(failing) > limit:
        lines.append(f"\n{counted(len(failing) - limit, 'more case')} that fail.")
    return "\n".join([*lines, "", *(f"- {text}" for text in made_with(data)), ""])


def made_with(data: Data) -> list[str]:
    """What gives the same again: hashes, models, prompts, version."""
    about = data.get("about")
    found = [f"of {about['name']}, {about['place']}"] if about else []
    found.append(
        f"cases {data['cases_hash'][:12]}, answers {data['answers_hash'][:12]}, rag-sweep {data['version']}"
    )
    if data["answer_models"]:
        found.append(f"answers by {', '.join(data['answer_models'])}")
    if data["judge_model"]:
        found.append(f"judged by {data['judge_model']}; prompts {', '.join(data['prompts'])}")
    return found


def _cell(text: str) -> str:
    shown = printable(shortened(text, 160))
    return shown.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
