"""Judging and writing answers, from files or from records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.cases.records import Answer, Cases
from rag_sweep.errors import DataError, Fault
from rag_sweep.judges.asking import judge_all, labels
from rag_sweep.rules.verdict import Verdict

Watch = Callable[[int, int], None]
SHOWN = 5


def judge(
    cases: Cases, answers: Mapping[str, Answer], request: AnswersRequest, watch: Watch | None = None
) -> Evaluation:
    """Judge every answer by the rules, and by the judges that were asked for.

    A case without an answer fails; judges are asked of what was answered only.

    Raises
    ------
    DataError
        For answers to cases that aren't there.
    """
    unknown = [name for name in answers if name not in cases.position]
    if unknown:
        raise DataError([Fault(f"no case has the id of this answer: {name!r}") for name in unknown])
    judged = request.rules.judge_all(cases, answers)
    verdicts, spent, asked = _judged_by_model(cases, answers, request, watch)
    missing = [case.id for case in cases.cases if case.id not in answers]
    notes = [f"no answer to {len(missing)} cases, which fail: {_some(missing)}"] if missing else []
    return Evaluation(
        cases,
        answers,
        judged,
        verdicts,
        prompts=labels(request.judges, cases.cases, request.asked),
        judge_model=request.endpoint.name if request.judges else None,
        spent=spent,
        asked=asked,
        notes=(*notes, *_same_model(answers, request)),
    )


def generate(cases: Cases, request: AnswersRequest, watch: Watch | None = None) -> dict[str, Answer]:
    """Answers to all cases, by the generator of the config; one that failed says why."""
    written = request.generator.write(cases.cases, request.desk, watch or (lambda done, total: None))
    return {answer.id: answer for answer in written}


def _judged_by_model(
    cases: Cases, answers: Mapping[str, Answer], request: AnswersRequest, watch: Watch | None
) -> tuple[dict[tuple[str, str], Verdict], int, int]:
    client = request.client
    if not request.judges or client is None:
        return {}, 0, 0
    missing = {case.id: why for case in cases.cases if (why := _missing(answers.get(case.id)))}
    there = [(case, answers[case.id]) for case in cases.cases if case.id not in missing]
    spent, asked = client.budget.spent, client.asked
    verdicts = judge_all(request.judges, there, client, request.asked, watch=watch)
    names = [judge.name for judge in request.judges]
    verdicts |= {
        (case_id, name): Verdict(name, "not_measured", why)
        for case_id, why in missing.items()
        for name in names
    }
    return verdicts, client.budget.spent - spent, client.asked - asked


def _missing(answer: Answer | None) -> str | None:
    """Why there is no answer to judge; a mean over the others alone would reward a writer that fails."""
    if answer is None:
        return "no_answer"
    if answer.failure:
        return "generator_failed"
    return None if answer.text.strip() else "empty_answer"


def _same_model(answers: Mapping[str, Answer], request: AnswersRequest) -> list[str]:
    """A judge is kind to its own words (Panickssery et al., NeurIPS 2024)."""
    if not request.judges:
        return []
    written = [answer for answer in answers.values() if _missing(answer) is None]
    own = [answer.id for answer in written if answer.model == request.endpoint.name]
    if not own:
        return []
    return [f"{request.endpoint.name} judges {len(own)} answers that it wrote itself: it may be kind to them"]


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
