"""A whole drill: the working search, each sabotage, and the working search again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from rag_sweep.configuration import Configuration
from rag_sweep.drill.evaluating import Case, differing_parts, outcomes_of
from rag_sweep.drill.facts import Facts
from rag_sweep.drill.judging import in_words, judged, judged_measures, named_measures, unfit, without_tags
from rag_sweep.drill.lessons import Lesson, Miss, lesson
from rag_sweep.drill.memory import Aside
from rag_sweep.drill.sabotages import SABOTAGES, Bench, Broken, NotApplicable, Sabotage
from rag_sweep.drill.states import (
    BASELINE,
    CAUGHT,
    NOT_APPLICABLE,
    RESTORED,
    UNNOTICED,
    Drill,
    Effect,
    Judged,
    State,
    effect_of,
    status_of,
)
from rag_sweep.drill.tampering import without_spans
from rag_sweep.drill.words import Names, fallen, lead, widening
from rag_sweep.errors import RagSweepError
from rag_sweep.execute import Outcome
from rag_sweep.fusion import DenseOnly, Fusion, LexicalOnly
from rag_sweep.gate import Thresholds
from rag_sweep.records import Dataset
from rag_sweep.reranker import NoReranker
from rag_sweep.scorecard import Scorecard
from rag_sweep.single import evaluate_single
from rag_sweep.store.entry import Store
from rag_sweep.store.none import ForgetfulStore

Watch: TypeAlias = Callable[[int, int], None]

ALONE: Mapping[str, Callable[[int], Fusion]] = {"lexical": LexicalOnly, "dense": DenseOnly}
"""A fusion of each branch without the others."""

BRANCH_OF = {"k1": "lexical", "dim": "dense"}
"""For a kind of sabotage the branch that it happens to: it is also looked at alone."""


@dataclass(frozen=True, eq=False)
class Exercise:
    """What is drilled.

    Attributes
    ----------
    thresholds
        What the gate judges by.
    store
        Values that are there already; nothing is added to it.
    seed
        Of every choice of a document or a question.
    sabotages
        What is done.
    has_text
        False where the texts of questions may not be shown: only their ids are.
    """

    configuration: Configuration
    dataset: Dataset
    thresholds: Thresholds
    store: Store | None = None
    seed: int = 0
    sabotages: Sequence[Sabotage] = SABOTAGES
    has_text: bool = True


def run_drill(exercise: Exercise, watch: Watch | None = None) -> Drill:
    """Break the search in every way, and ask the gate each time.

    Parameters
    ----------
    watch
        Told how many of how many rows are done.

    Raises
    ------
    StageFailed
        If the unbroken configuration fails.
    ConfigError
        If the thresholds ask for what isn't measured.
    """
    return _Running(exercise, watch or (lambda done, total: None)).drill()


class _Running:
    """Holds what all rows are compared with."""

    def __init__(self, exercise: Exercise, watch: Watch) -> None:
        self._exercise, self._watch = exercise, watch
        self._configuration = exercise.configuration
        self._bench = Bench(exercise.configuration, exercise.dataset, exercise.seed)
        self._objective = str(exercise.configuration.objective)
        questions = exercise.dataset.gold.questions if exercise.has_text else ()
        self._names = Names({question.query_id: question.text for question in questions})
        self._done = [(one, _attempted(one, self._bench)) for one in exercise.sabotages]
        self._store = Aside(exercise.store or ForgetfulStore())
        self._evaluate()
        self._card = self._scorecard(self._case, self._baseline)
        k, thresholds = self._card.k, exercise.thresholds
        shown = (self._objective, *named_measures(thresholds), f"recall@{k}", f"mrr@{k}")
        self._shown = tuple(dict.fromkeys(shown))
        self._measures = tuple(dict.fromkeys([*self._shown, *judged_measures(thresholds, k)]))

    def drill(self) -> Drill:
        """All rows."""
        exercise, card = self._exercise, self._card
        base = judged(card, card, exercise.thresholds, self._objective)
        restored = self._restored(base)
        first = State("baseline", "baseline", "search as it is", BASELINE, "", self._effect(card), base)
        return Drill(
            name=self._configuration.summary,
            dataset=exercise.dataset.name,
            gold=card.gold_hash,
            gold_version=card.gold_version,
            corpus=exercise.dataset.corpus.fingerprint,
            questions=card.questions,
            documents=len(exercise.dataset.corpus),
            k=card.k,
            objective=self._objective,
            measures=self._measures,
            shown=self._shown,
            thresholds=in_words(exercise.thresholds, card.k),
            seed=exercise.seed,
            states=(first, *self._rows(), restored),
            identical=restored.told == "",
            unfit=unfit(card, exercise.thresholds),
        )

    def _evaluate(self) -> None:
        """All searches as one plan for each dataset: the working one, the broken ones, branches alone."""
        self._case = Case(self._configuration, self._exercise.dataset)
        broken = {one.key: found for one, found in self._done if isinstance(found, Broken)}
        kinds = {one.key: one.kind for one, _ in self._done}
        cases = {"": self._case, **{key: self._broken_case(found) for key, found in broken.items()}}
        fusion = self._bench.pipeline.fusion
        for branch in fusion.branches:
            cases[f"alone {branch}"] = self._alone(self._case, branch)
        for key in broken:
            if BRANCH_OF.get(kinds[key]) in fusion.branches:
                cases[f"alone {key}"] = self._alone(cases[key], BRANCH_OF[kinds[key]])
        found = dict(zip(cases, outcomes_of(list(cases.values()), self._store), strict=True))
        self._cases, self._outcomes = cases, found
        if isinstance(found[""], RagSweepError):
            raise found[""]
        self._baseline = found[""]
        alone = {branch: found[f"alone {branch}"] for branch in fusion.branches}
        sound = {branch: one for branch, one in alone.items() if isinstance(one, Outcome)}
        self._facts = Facts(self._bench, self._baseline, sound)

    def _broken_case(self, broken: Broken) -> Case:
        return Case(replace(self._configuration, pipeline=broken.pipeline), broken.dataset)

    def _alone(self, case: Case, branch: str) -> Case:
        pipeline = case.configuration.pipeline
        fusion = ALONE[branch](pipeline.fusion.pool_depth)
        alone = replace(pipeline, fusion=fusion, reranker=NoReranker())
        return Case(replace(case.configuration, pipeline=alone), case.dataset)

    def _scorecard(self, case: Case, outcome: Outcome) -> Scorecard:
        card = Scorecard.of_outcome(case.configuration, case.dataset, outcome)
        return without_tags(card, self._exercise.thresholds)

    def _effect(self, card: Scorecard) -> Effect:
        return effect_of(card, self._card, self._objective, self._measures)

    def _rows(self) -> list[State]:
        rows: list[State] = []
        for sabotage, done in self._done:
            self._watch(len(rows), len(self._done))
            rows.append(self._state(sabotage, done))
        self._watch(len(rows), len(self._done))
        return rows

    def _state(self, sabotage: Sabotage, done: Broken | NotApplicable) -> State:
        row = State(sabotage.key, sabotage.title, sabotage.story, NOT_APPLICABLE, "")
        if isinstance(done, NotApplicable):
            return replace(row, told=done.why)
        outcome = self._outcomes[sabotage.key]
        if isinstance(outcome, RagSweepError):
            failed = Judged(outcome.exit_code, (f"the search fails: {outcome}",))
            return replace(row, status=CAUGHT, told=done.told, judged=failed, because=failed.reasons)
        card = self._scorecard(self._cases[sabotage.key], outcome)
        effect = self._effect(card)
        found = judged(card, self._card, self._exercise.thresholds, self._objective)
        status = status_of(effect, found, self._objective)
        row = replace(row, status=status, told=done.told, effect=effect, judged=found)
        if status not in UNNOTICED:
            return replace(row, because=(fallen(effect, self._names), *found.reasons))
        learnt = self._lesson(sabotage, done, effect)
        first = lead(status, effect, found, self._objective, self._facts.number, self._names)
        wider = widening(status, effect, found, self._objective)
        return replace(row, because=(*first, *learnt.because), catch=(*learnt.catch, *wider))

    def _lesson(self, sabotage: Sabotage, broken: Broken, effect: Effect) -> Lesson:
        branch = BRANCH_OF.get(sabotage.kind)
        after = self._outcomes.get(f"alone {sabotage.key}")
        alone = {}
        if branch in self._facts.alone and isinstance(after, Outcome):
            before = self._facts.alone[cast(str, branch)].evaluation.mean(self._objective)
            alone[cast(str, branch)] = before, after.evaluation.mean(self._objective)
        return lesson(sabotage.kind, Miss(self._facts, broken, effect.changes[self._objective], alone))

    def _restored(self, base: Judged) -> State:
        """The working search once more: from the documents on, without any value that is there already."""
        again = evaluate_single(self._configuration, without_spans(self._exercise.dataset))
        told = ", ".join(differing_parts(self._baseline, again))
        card = self._scorecard(self._case, again)
        # a verdict is a function of what it is given: equal bytes need no second one
        found = base if not told else judged(card, self._card, self._exercise.thresholds, self._objective)
        return State("restored", "restored", "search as it was", RESTORED, told, self._effect(card), found)


def _attempted(sabotage: Sabotage, bench: Bench) -> Broken | NotApplicable:
    """Do it; a component of the user's may raise anything on the way, and then fails as a search too."""
    try:
        return sabotage.do(bench)
    except Exception as error:
        return NotApplicable(f"it can't be done: {type(error).__name__}: {error}")
