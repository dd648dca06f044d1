"""Asking a judge again: the same call, and with what it is shown in reverse order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rag_sweep.agreement.agreed import Further
from rag_sweep.agreement.bias import OrderBias, Outcome, consistency, order_bias
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.answers.running import Watch
from rag_sweep.answers.sampling import judges_of, same_answers
from rag_sweep.cases.records import Answer, Cases, absence
from rag_sweep.errors import DataError, Fault, UsageError
from rag_sweep.judges.asking import judge_all, judge_reversed, labels
from rag_sweep.rules.verdict import Verdict

ASKING = ("kappa", "llm", "judges", "language", "without_claims", "embedder", "limits", "calls")
"""Of ``conf/answers.yaml``: what decides how judges are asked again; rules always say the same."""

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
        Whether to ask with the parts of the context, and lists, in reverse order; what is shown the same
        either way counts in nothing.

    Raises
    ------
    DataError
        If the evaluation is of other cases or answers, or was made by another model, or with other prompts or
        settings.
    """
    same_answers(evaluation, cases, answers)
    _same_judge(evaluation, cases, request)
    client = request.client
    if client is None:
        raise UsageError("asking again needs a language model: give llm=openai or llm=callable")
    ids = [name for name in ids if absence(answers.get(name)) is None]
    pairs = [(cases.cases[cases.position[name]], answers[name]) for name in ids]
    rounds = [
        judge_all(request.judges, pairs, client, request.asked, repeat=at, watch=watch)
        for at in range(1, repeat + 1)
    ]
    swapped = judge_reversed(request.judges, pairs, client, request.asked, watch=watch) if swap else None
    return {judge.name: _further(evaluation, ids, judge.name, rounds, swapped) for judge in request.judges}


def _further(
    evaluation: Mapping[str, Any],
    ids: Sequence[str],
    judge: str,
    rounds: Sequence[Verdicts],
    swapped: Verdicts | None,
) -> Further:
    given = [_told(evaluation, name, judge) for name in ids]
    again = [[_new(one, name, judge) for name in ids] for one in rounds]
    return Further(
        None if swapped is None else _order(dict(zip(ids, given, strict=True)), swapped, judge),
        consistency([given, *again]) if again else None,
    )


def _order(given: Mapping[str, Outcome | None], swapped: Verdicts, judge: str) -> OrderBias:
    """Over the cases of which something was shown in reverse."""
    turned = {name: _new(swapped, name, judge) for name in given if (name, judge) in swapped}
    before = [given[name] for name in turned]
    return order_bias(before, list(turned.values()), not_reversed=len(given) - len(turned))


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
        told = f"the evaluation was made with other prompts or settings than {', '.join(sorted(other))}"
        told += "; give what it was given (language=…, without_claims=…, embedder=…, llm.…=…, --config-dir)"
        raise DataError(Fault(told))


def _told(evaluation: Mapping[str, Any], case: str, judge: str) -> Outcome | None:
    verdicts = evaluation["cases"][case]["verdicts"]
    return next((_outcome(one["state"], one["value"]) for one in verdicts if one["rule"] == judge), None)


def _new(verdicts: Verdicts, case: str, judge: str) -> Outcome | None:
    found = verdicts[case, judge]
    return _outcome(found.state, found.value)


def _outcome(state: str, value: float | None) -> Outcome | None:
    return None if value is None else (state == "pass", float(value))
