"""Why a gold doesn't notice a sabotage: counts over its questions, and the sentences made of them."""

from __future__ import annotations

from typing import Any

import pytest
from pipelines import dataset_of, pipeline_of, run_one

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.configuration import Configuration
from rag_sweep.drill.facts import Contrast, Facts
from rag_sweep.drill.lessons import Lesson, Miss, lesson
from rag_sweep.drill.sabotages import SABOTAGES, Bench, Broken
from rag_sweep.fusion import DenseOnly, LexicalOnly
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Settings
from rag_sweep.records import Dataset, Question

DATASET = dataset_of(
    {
        "pump": "the pump is red and the pump is loud and the pump is new",
        "valve": "a valve sits beside the pump and it closes tightly at night",
        "hose": "green hoses bend in the garden and never leak water anywhere",
        "door": "the door has a lock",
        "idle": "nobody asks for this one",
    },
    [
        Question("q1", "loud pump", {"pump": 1}),
        Question("q2", "which part shuts at night", {"valve": 1}),
        Question("q3", "hose leak", {"hose": 1, "gone": 1}),
        Question("q4", "red lock", {"door": 1}),
        Question("q5", "moon", {}),
    ],
)
TABLE = {one.key: one for one in SABOTAGES}


def facts(dataset: Dataset = DATASET, **choices: Any) -> Facts:
    pipeline = pipeline_of(**choices)
    bench = Bench(Configuration(0, (), {}, pipeline, Settings(3, ()), Measure("ndcg", 3)), dataset)
    alone = {
        "lexical": run_one(dataset, pipeline_of(**{**choices, "fusion": LexicalOnly()}), Settings(3, ())),
        "dense": run_one(dataset, pipeline_of(**{**choices, "fusion": DenseOnly()}), Settings(3, ())),
    }
    return Facts(bench, run_one(dataset, pipeline, Settings(3, ())), alone)


def miss(key: str, change: float = 0.0, **alone: tuple[float, float]) -> Miss:
    found = facts()
    broken = TABLE[key].do(found.bench)
    assert isinstance(broken, Broken)
    return Miss(found, broken, change, alone)


def test_negatives_are_not_counted() -> None:
    assert facts().number == 4


def test_a_question_repeats_where_a_passage_it_finds_has_a_word_of_it_twice() -> None:
    # "pump" in q1 and "a"/"the"-less q4 finds "red" in pump once; "at"/"night" once
    assert facts().repeating() == 1


def test_a_paraphrase_shares_less_than_half_of_its_words() -> None:
    found = facts()
    shared = {question.query_id: found.shared(question) for _, question in found.asked}
    assert shared == {"q1": 1.0, "q2": 2 / 5, "q3": 1 / 2, "q4": 1 / 2}
    assert found.paraphrased() == 1


def test_other_forms_of_a_word_are_shared_under_the_stemmer_only() -> None:
    assert facts(analyzer=StemmedAnalyzer()).in_other_forms(SimpleAnalyzer()) == 1  # hose, hoses
    assert facts(analyzer=SimpleAnalyzer()).in_other_forms(StemmedAnalyzer()) == 0


def test_words_of_a_second_half_are_found_there_only() -> None:
    # q1: loud in the second half; q2: night; q3: leak; q4: lock
    assert facts().in_second_halves() == 4


def test_documents_that_no_question_asks_for_are_named() -> None:
    assert facts().unasked() == ["idle"]


def test_a_document_is_found_where_it_stands_among_the_first_k() -> None:
    found = facts()
    assert found.finding("pump") == 1
    assert found.finding("idle") == 0
    assert found.asking_for(["pump", "hose"]) == 2


def test_a_branch_is_late_where_its_first_relevant_document_stands_behind_its_top() -> None:
    found = facts()
    ranks = {
        name: [int(outcome.evaluation.first_relevant[at]) for at, _ in found.asked]
        for name, outcome in found.alone.items()
    }
    for branch, other in (("lexical", "dense"), ("dense", "lexical")):
        late = [at for at, rank in enumerate(ranks[branch]) if 1 < rank <= 3]
        covered = [at for at in late if ranks[other][at] == 1]
        assert found.behind(branch, 1) == (len(late), len(covered))


def test_a_document_behind_a_louder_one_is_late_in_both_branches() -> None:
    dataset = dataset_of(
        {"loud": "red red red", "right": "red and a tail of other words", "x": "y", "z": "w"},
        [Question("q", "red", {"right": 1})],
    )
    found = facts(dataset)
    assert found.behind("lexical", 1) == (1, 0)
    assert found.behind("lexical", 2) == (0, 0)


def test_a_contrast_is_a_word_that_one_document_repeats_and_another_says_once() -> None:
    assert facts().contrast() == Contrast("pump", "pump", 3, "valve")


def test_short_words_and_words_that_nobody_repeats_are_no_contrast() -> None:
    dataset = dataset_of({"d1": "the the the cat", "d2": "the cat", "d3": "x", "d4": "y"}, ["cat"])
    assert facts(dataset).contrast() is None


def test_a_contrast_is_named_as_it_is_written_and_not_by_its_stem() -> None:
    dataset = dataset_of({"d1": "pumps pumps pumping", "d2": "two Pumps", "d3": "x", "d4": "y"}, ["pump"])
    found = facts(dataset, analyzer=StemmedAnalyzer()).contrast()
    assert found == Contrast("Pumps", "d1", 3, "d2")


@pytest.mark.parametrize("sabotage", [one for one in SABOTAGES if one.key != "reversed"], ids=lambda s: s.key)
def test_every_sabotage_has_a_lesson(sabotage: Any) -> None:
    found = lesson(sabotage.kind, miss(sabotage.key))
    assert found.because
    assert found.catch


def test_an_unknown_kind_has_no_lesson() -> None:
    assert lesson("own", miss("dim8")) == Lesson()


def test_a_lesson_counts_the_questions_of_the_data() -> None:
    k1 = lesson("k1", miss("k1x10"))
    assert k1.because == (
        "what k1 weighs are repeated words: in 1 of 4 questions one of the first 3 passages repeats a word "
        "of the question",
    )
    assert k1.catch[0].endswith("as “pump” stands 3 times in pump and once in valve")
    dim = lesson("dim", miss("dim8"))
    assert dim.because[0].startswith("1 of 4 questions shares less than half of its words")
    lost = lesson("lost", miss("lost"))
    assert lost.because[1].startswith("1 of 5 documents are asked for by no question")


@pytest.mark.parametrize(
    ("change", "alone", "told"),
    [
        (
            -0.01,
            (0.9, 0.7),
            "alone, the lexical branch falls (0.900 → 0.700); the dense branch makes up for it",
        ),
        (-0.3, (0.9, 0.7), "alone, the lexical branch falls (0.900 → 0.700)"),
        (0.0, (0.9, 0.9), "alone, the lexical branch has the same mean before and after (0.900)"),
        (0.0, (0.7, 0.9), "alone, the lexical branch gains (0.700 → 0.900)"),
    ],
)
def test_what_happens_to_a_branch_alone_is_told(change: float, alone: tuple[float, float], told: str) -> None:
    assert lesson("k1", miss("k1x10", change, lexical=alone)).because[-1] == told
