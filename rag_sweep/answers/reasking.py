"""Asking a judge again: the same call, and with what it is shown in reverse order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rag_sweep.agreement.agreed import Further
from rag_sweep.agreement.bias import Outcome, consistency, order_bias
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.answers.running import Watch
from rag_sweep.answers.sampling import judges_of, same_answers
from rag_sweep.cases.records import Answer, Cases
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.judges.asking import judge_all, labels
from rag_sweep.rules.verdict import Verdict

Verdicts = Mapping[tuple[str, str], Verdict]
"""By (id of the case, name of the judge)."""


def with_judges(
    evaluation: Mapping[str, Any], labelled: Collection[str], overrides: Sequence[str]
) -> list[str]:
    """The overrides, with the judges that were labelled where they name none: others would cost for nothing.

    Raises
    ------
    UsageError
        If no judge of the evaluation was labelled.
    """
    if any(word.lstrip("+").startswith("judges=") for word in overrides):
        return list(overrides)
    judges = [name for name in judges_of(evaluation) if name in labelled]
    if not judges:
        told = ", ".join(judges_of(evaluation)) or "has none, and its rules always say the same"
        raise UsageError(f"no judge was labelled that could be asked again; the evaluation: {told}")
    return [*overrides, f"judges=[{','.join(judges)}]"]


def reask(
    evaluation: Mapping[str, Any],
    cases: Cases,
    answers: Mapping[str, Answer],
    ids: Sequence[str],
    request: AnswersRequest,
    *,
    repeat: int = 0,
    swap: bool = False,
    watch: Watch | None = None,
) -> dict[str, Further]:
    """What changes by itself, by judge.

    Parameters
    ----------
    ids
        The cases to ask about again; those without an answer are left out.
    repeat
        How many more times the same call is made; the evaluation is the first.
    swap
        Whether to ask with the parts of the context, and lists, in reverse order.

    Raises
    ------
    DataError
        If the evaluation is of other cases or answers, or was made by another model or with other prompts.
    """
    same_answers(evaluation, cases, answers)
    _same_judge(evaluation, cases, request)
    client = request.client
    if client is None:
        raise UsageError("asking again needs a language model: give llm=openai or llm=callable")
    ids = [name for name in ids if name in answers and answers[name].text.strip()]
    pairs = [(cases.cases[cases.position[name]], answers[name]) for name in ids]
    rounds = [
        judge_all(request.judges, pairs, client, request.asked, repeat=at, watch=watch)
        for at in range(1, repeat + 1)
    ]
    reverse = replace(request.asked, swapped=True)
    swapped = judge_all(request.judges, pairs, client, reverse, watch=watch) if swap else None
    return {judge.name: _further(evaluation, ids, judge.name, rounds, swapped) for judge in request.judges}


def _further(
    evaluation: Mapping[str, Any],
    ids: Sequence[str],
    judge: str,
    rounds: Sequence[Verdicts],
    swapped: Verdicts | None,
) -> Further:
    given = [_told(evaluation, name, judge) for name in ids]
    again = [[_outcome(one[name, judge]) for name in ids] for one in rounds]
    turned = None if swapped is None else [_outcome(swapped[name, judge]) for name in ids]
    return Further(
        None if turned is None else order_bias(given, turned),
        consistency([given, *again]) if again else None,
    )


def _same_judge(evaluation: Mapping[str, Any], cases: Cases, request: AnswersRequest) -> None:
    name = request.endpoint.name
    if evaluation["judge_model"] != name:
        told = f"{evaluation['judge_model']} judged, and llm is {name}: ask the same model again"
        raise DataError(Fault(told))
    unknown = [judge.name for judge in request.judges if judge.name not in evaluation["over"]]
    if unknown:
        raise DataError(
            Fault(f"the evaluation has no judge {unknown[0]}; it has {', '.join(judges_of(evaluation))}")
        )
    other = set(labels(request.judges, cases.cases, request.asked)) - set(evaluation["prompts"])
    if other:
        told = f"the evaluation was made with other prompts than {', '.join(sorted(other))}"
        told += "; give what it was given (language=…, embedder=…, --config-dir)"
        raise DataError(Fault(told))


def _told(evaluation: Mapping[str, Any], case: str, judge: str) -> Outcome | None:
    verdicts = evaluation["cases"][case]["verdicts"]
    found = next((one for one in verdicts if one["rule"] == judge), None)
    if found is None or found["state"] not in ("pass", "fail"):
        return None
    passed = found["state"] == "pass"
    return passed, float(passed) if found["value"] is None else float(found["value"])


def _outcome(verdict: Verdict) -> Outcome | None:
    if verdict.state not in ("pass", "fail"):
        return None
    passed = verdict.state == "pass"
    return passed, float(passed) if verdict.value is None else verdict.value
