"""Whether an agreement with people lets a judge decide about an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.agreement.agreed import Decision, decide
from rag_sweep.agreement.kappa import Kappa
from rag_sweep.judges.known import JUDGES
from rag_sweep.judges.settings import PREFIX


def prompts_of(judge: str, labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of an evaluation that decide a judge's values: its prompts, that of repairs, the model's."""
    used = {*JUDGES[judge].kind.prompts, "repair", PREFIX} if judge in JUDGES else None
    return tuple(label for label in labels if used is None or label.partition(".")[0] in used)


def licence(
    judge: str, evaluation: Mapping[str, Any], agreement: Mapping[str, Any] | None, least: float
) -> Decision:
    """Whether a judge may decide about an evaluation: people have agreed with this very judge, well enough.

    Parameters
    ----------
    evaluation
        As `rag-sweep answers judge --json` prints it.
    agreement
        As `rag_sweep.agreement.reading.read_agreement` gives it; None where there is none.
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
    if evaluation["judge_model"] is None or not _names_prompts(judge, mine):
        return Decision(False, f"the evaluation doesn't say which model, with which prompts, judged {judge}")
    known = set(prompts_of(judge, agreement["prompts"]))
    other = [label for label in mine if label not in known]
    if other:
        told = f"is with other prompts or settings than {', '.join(other)}"
        return Decision(False, f"the agreement about {judge} {told}")
    decision = decide(Kappa(**found["kappa"]), least)
    return Decision(decision.may, f"{judge}: {decision.why}")


def _names_prompts(judge: str, labels: Sequence[str]) -> bool:
    """Whether the labels name every prompt of a judge; of an unknown one, anything."""
    names = JUDGES[judge].kind.prompts if judge in JUDGES else ("",)
    return all(any(label.startswith(name) for label in labels) for name in names)
