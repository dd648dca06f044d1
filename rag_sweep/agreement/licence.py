"""The report of an agreement, and whether it lets a judge decide about an evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from rag_sweep.agreement.agreed import Decision, decide
from rag_sweep.agreement.kappa import Kappa, Weights
from rag_sweep.errors import DataError, Fault
from rag_sweep.judges.faithfulness import CitationSupport, Faithfulness
from rag_sweep.judges.relevance import Completeness, Relevance, ReverseQuestions
from rag_sweep.rules.judging import NAMES, metric_of

FORMAT = 1
KIND = "rag-sweep agreement"

JUDGES = {
    "faithfulness": Faithfulness.prompts,
    "citation_support": CitationSupport.prompts,
    "relevance": Relevance.prompts,
    "reverse_questions": ReverseQuestions.prompts,
    "completeness": Completeness.prompts,
}
"""By the name of a judge, its prompts."""
_MEASURED = frozenset({"pass_at_1", "evidence_cited", *map(metric_of, NAMES)})
"""Means that no model has a part in."""


def is_judge(measure: str) -> bool:
    """True for the mean of a model's verdicts; what isn't known is taken for one."""
    return measure not in _MEASURED


def prompts_of(judge: str, labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of an evaluation's prompts that a judge was asked with, that of repairs among them."""
    used = {*JUDGES[judge], "repair"} if judge in JUDGES else None
    return tuple(label for label in labels if used is None or label.partition(".")[0] in used)


def read_agreement(path: Path) -> dict[str, Any]:
    """A report that `rag-sweep answers agree --out` wrote.

    Raises
    ------
    DataError
        If it can't be read, or is none of this version.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(Fault(f"can't be read as JSON: {error}", path)) from error
    sound = isinstance(data, dict) and data.get("kind") == KIND and data.get("format") == FORMAT
    if not sound or not all(_is_sound(one) for one in _judged(data)):
        told = "is no agreement of this version: rag-sweep answers agree --out agreement.json writes one"
        raise DataError(Fault(told, path))
    found: dict[str, Any] = data
    return found


def licence(
    judge: str, evaluation: Mapping[str, Any], agreement: Mapping[str, Any] | None, least: float
) -> Decision:
    """Whether a judge may decide about an evaluation: people have agreed with this very judge, well enough.

    Parameters
    ----------
    evaluation
        As `rag-sweep answers judge --json` prints it.
    agreement
        As `read_agreement` gives it; None where there is none.
    least
        Kappa that the lower end of its interval must reach.
    """
    if agreement is None:
        told = "is the opinion of a model that nobody has compared with people's"
        return Decision(False, f"{judge} {told}: rag-sweep answers sample, label, rag-sweep answers agree")
    found = agreement["labels"].get(judge)
    if found is None:
        there = ", ".join(agreement["labels"]) or "nothing"
        return Decision(False, f"the agreement says nothing of {judge}, but of {there}")
    if agreement["judge_model"] != evaluation["judge_model"]:
        told = f"is with {agreement['judge_model']}, and {evaluation['judge_model']} has judged here"
        return Decision(False, f"the agreement about {judge} {told}")
    mine = prompts_of(judge, evaluation["prompts"])
    if evaluation["judge_model"] is None or not mine:
        return Decision(False, f"the evaluation doesn't say which model, with which prompts, judged {judge}")
    known = set(prompts_of(judge, agreement["prompts"]))
    other = [label for label in mine if label not in known]
    if other:
        return Decision(False, f"the agreement about {judge} is with other prompts than {', '.join(other)}")
    decision = decide(_kappa(found["kappa"]), least)
    return Decision(decision.may, f"{judge}: {decision.why}")


def _judged(data: Mapping[str, Any]) -> list[Any]:
    labels = data.get("labels")
    prompts = data.get("prompts")
    texts = isinstance(prompts, list) and all(isinstance(one, str) for one in prompts)
    there = texts and isinstance(data.get("judge_model", 0), str | None)
    return list(labels.values()) if isinstance(labels, dict) and there else [None]


def _is_sound(one: Any) -> bool:
    value = one.get("kappa") if isinstance(one, dict) else None
    if not isinstance(value, dict) or value.keys() != Kappa.__dataclass_fields__.keys():
        return False
    numbers = [value[key] for key in ("value", "lower", "upper")]
    real = all(number is None or _is_kappa(number) for number in numbers)
    return real and value["weights"] in get_args(Weights)


def _is_kappa(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and -1 <= number <= 1


def _kappa(data: Mapping[str, Any]) -> Kappa:
    return Kappa(**data)
