"""Judging and writing answers, from files or from records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.request import AnswersRequest
from rag_sweep.answers.strangers import refuse_strangers
from rag_sweep.cases.records import Answer, Cases, absence
from rag_sweep.generator.checking import answers_of
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
    refuse_strangers(cases, answers)
    judged = request.rules.judge_all(cases, answers)
    verdicts, spent, asked = _judged_by_model(cases, answers, request, watch)
    missing = [case.id for case in cases.cases if case.id not in answers]
    notes = [f"no answer to {len(missing)} cases, which fail: {_some(missing)}"] if missing else []
    return Evaluation(
        cases,
        answers,
        judged,
        verdicts,
        rules=request.rules,
        prompts=labels(request.judges, cases.cases, request.asked),
        judge_model=request.endpoint.name if request.judges else None,
        spent=spent,
        asked=asked,
        notes=(*notes, *_same_model(answers, request)),
    )


def generate(cases: Cases, request: AnswersRequest, watch: Watch | None = None) -> dict[str, Answer]:
    """Answers to all cases, by the generator of the config; one that failed says why.

    Raises
    ------
    StageFailed
        For a generator that doesn't give one answer to each case.
    """
    return answers_of(request.generator, cases.cases, request.desk, watch or (lambda done, total: None))


def _judged_by_model(
    cases: Cases, answers: Mapping[str, Answer], request: AnswersRequest, watch: Watch | None
) -> tuple[dict[tuple[str, str], Verdict], int, int]:
    client = request.client
    if not request.judges or client is None:
        return {}, 0, 0
    # a mean over the others alone would reward a writer that fails
    missing = {case.id: why for case in cases.cases if (why := absence(answers.get(case.id)))}
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


def _same_model(answers: Mapping[str, Answer], request: AnswersRequest) -> list[str]:
    """A judge is kind to its own words (Panickssery et al., NeurIPS 2024)."""
    if not request.judges:
        return []
    written = [answer for answer in answers.values() if answer.missing is None]
    own = [answer.id for answer in written if answer.model == request.endpoint.name]
    if not own:
        return []
    return [f"{request.endpoint.name} judges {len(own)} answers that it wrote itself: it may be kind to them"]


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
