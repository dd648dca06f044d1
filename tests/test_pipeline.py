"""Keys of the chain: equal exactly where nothing that has an effect differs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipelines import dataset_of, pipeline_of

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.chunker.heading import HeadingChunker
from rag_sweep.chunker.sentence import SentenceChunker
from rag_sweep.config.build import component
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.fingerprint import class_name, component_identity
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.pipeline import Chain, Node, Pipeline, Roots, Settings, chain
from rag_sweep.records import Question
from rag_sweep.reranker import NoReranker, ZSum

DATASET = dataset_of({"a": "one two", "b": "three"}, ["one", "three"])
ROOTS = Roots.of(DATASET)


def keys(one: Pipeline, settings: Settings | None = None, roots: Roots = ROOTS) -> tuple[str, ...]:
    """What a result is made of; equal keys are one configuration in effect."""
    return tuple(node.key for node in chain(one, settings or Settings(), roots).outputs)


def stages(chained: Chain) -> set[str]:
    """Every stage that a chain runs."""

    def below(node: Node) -> Iterator[str]:
        yield node.stage
        for above in node.inputs:
            yield from below(above)

    return {stage for node in chained.outputs for stage in below(node)}


OPTIONS: dict[str, list[Any]] = {
    "chunker": [DocumentChunker(), FixedChunker(50, 3), SentenceChunker(4, 2), HeadingChunker(90, 5)],
    "analyzer": [SimpleAnalyzer(), StemmedAnalyzer()],
    "lexical": [BM25(), Overlap()],
    "embedder": [HashEmbedder(), LSAEmbedder()],
    "fusion": [RRF(), LexicalOnly(), DenseOnly()],
    "reranker": [NoReranker(), ZSum()],
}
OTHER: dict[str, Any] = {"language": "ru", "stop_words": "short", "extra_stop_words": ("word",)}

EVERY_FIELD = [
    pytest.param(group, option, field.name, id=f"{type(option).__name__}.{field.name}")
    for group, options in OPTIONS.items()
    for option in options
    for field in dataclasses.fields(option)
]


def changed(one: Any, name: str) -> Any:
    """The component with another value of one field: of those in `OTHER`, or half of a float, or one more."""
    value = getattr(one, name)
    other = OTHER.get(name, value / 2 if isinstance(value, float) else None)
    return dataclasses.replace(one, **{name: value + 1 if other is None else other})


@pytest.mark.parametrize(("group", "option", "name"), EVERY_FIELD)
def test_every_field_of_every_component_changes_a_key(group: str, option: Any, name: str) -> None:
    first = pipeline_of(**{group: option})
    second = pipeline_of(**{group: changed(option, name)})
    assert keys(first) != keys(second)


@pytest.mark.parametrize("group", OPTIONS)
def test_every_option_of_a_group_has_keys_of_its_own(group: str) -> None:
    found = [keys(pipeline_of(**{group: option})) for option in OPTIONS[group]]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", ["dim", "components", "seed"])
def test_the_embedder_counts_where_only_the_reranker_reads_it(name: str) -> None:
    first, second = (
        pipeline_of(embedder=embedder, fusion=LexicalOnly(), reranker=ZSum())
        for embedder in (LSAEmbedder(), changed(LSAEmbedder(), name))
    )
    assert keys(first) != keys(second)


lexicals = st.builds(BM25, k1=st.floats(0, 9), b=st.floats(0, 1)) | st.just(Overlap())
embedders = st.builds(HashEmbedder, dim=st.integers(1, 999)) | st.builds(
    LSAEmbedder, dim=st.integers(1, 99), components=st.integers(1, 99), seed=st.integers(0, 9)
)


@given(first=embedders, second=embedders)
def test_the_embedder_has_no_effect_where_nothing_reads_it(first: Any, second: Any) -> None:
    one, other = (pipeline_of(fusion=LexicalOnly(), embedder=embedder) for embedder in (first, second))
    assert keys(one) == keys(other)
    assert not stages(chain(one, Settings(), ROOTS)) & {"vectors", "dense"}


@given(first=lexicals, second=lexicals)
def test_the_lexical_branch_has_no_effect_where_nothing_reads_it(first: Any, second: Any) -> None:
    one, other = (pipeline_of(fusion=DenseOnly(), lexical=lexical) for lexical in (first, second))
    assert keys(one) == keys(other)
    assert not stages(chain(one, Settings(), ROOTS)) & {"postings", "lexical"}


@dataclass(frozen=True)
class Reads:
    """A reranker that wants the scores of some branches."""

    needs: Any  # a class variable elsewhere
    depth: int = 5

    def rescore(self, candidates: Any) -> Any:
        return candidates.ranking.scores


@given(lexical=lexicals, embedder=embedders)
def test_a_reranker_brings_in_the_branches_that_it_needs_and_no_other(lexical: Any, embedder: Any) -> None:
    for fusion, name, other in ((LexicalOnly(), "lexical", "dense"), (DenseOnly(), "dense", "lexical")):
        same = {"fusion": fusion, "reranker": Reads((name,))}
        base = pipeline_of(lexical=BM25(99), embedder=HashEmbedder(5000), **same)
        without_effect = {"lexical": {"embedder": embedder}, "dense": {"lexical": lexical}}[name]
        assert keys(dataclasses.replace(base, **without_effect)) == keys(base)
        both = dataclasses.replace(base, reranker=Reads((name, other)))  # type: ignore[arg-type]
        assert keys(dataclasses.replace(both, **without_effect)) != keys(both)


def test_each_component_is_part_of_the_key_of_its_own_stage() -> None:
    base = chain(pipeline_of(), Settings(), ROOTS)
    analyzed = chain(pipeline_of(analyzer=StemmedAnalyzer()), Settings(), ROOTS)
    cut = chain(pipeline_of(chunker=FixedChunker()), Settings(), ROOTS)
    assert analyzed.passages.key == base.passages.key != cut.passages.key
    assert len({one.passage_terms.key for one in (base, analyzed, cut)}) == 3
    assert cut.query_terms.key == base.query_terms.key != analyzed.query_terms.key


@given(first=lexicals, second=lexicals)
def test_keys_are_equal_exactly_if_the_parameters_are(first: Any, second: Any) -> None:
    equal = keys(pipeline_of(lexical=first)) == keys(pipeline_of(lexical=second))
    assert equal == (first == second)


def test_an_int_for_a_float_is_one_configuration_once_it_is_coerced() -> None:
    def bm25(k1: object) -> Any:
        node = {"_target_": class_name(BM25), "k1": k1, "b": 1}
        return component({"lexical": node}, "lexical")

    assert keys(pipeline_of(lexical=bm25(1))) == keys(pipeline_of(lexical=bm25(1.0)))
    assert bm25(1) == BM25(1.0, 1.0)
    assert type(bm25(1).k1) is float


def test_a_zero_with_a_sign_is_a_zero() -> None:
    assert keys(pipeline_of(lexical=BM25(-0.0))) == keys(pipeline_of(lexical=BM25(0.0)))


def test_one_embedding_serves_every_dim_of_a_nested_embedder_only() -> None:
    def vectors(embedder: Any) -> str:
        node = chain(pipeline_of(embedder=embedder), Settings(), ROOTS).vectors
        assert node is not None
        return node.key

    assert vectors(LSAEmbedder(8)) == vectors(LSAEmbedder(16))
    assert vectors(LSAEmbedder(8, seed=1)) != vectors(LSAEmbedder(8))
    assert vectors(HashEmbedder(8)) != vectors(HashEmbedder(16))
    assert keys(pipeline_of(embedder=LSAEmbedder(8))) != keys(pipeline_of(embedder=LSAEmbedder(16)))


def test_settings_change_the_values_and_a_deeper_one_the_rankings() -> None:
    base, other, deeper = (
        chain(pipeline_of(), settings, ROOTS)
        for settings in (Settings(5, (1, 10)), Settings(3, (1, 10)), Settings(5, (1, 20)))
    )
    assert base.values.key != other.values.key
    assert base.found.key == other.found.key != deeper.found.key
    assert (Settings(7, (1, 3)).depth, Settings(2, ()).depth, Settings(2, (9, 1)).depth) == (7, 2, 9)


def test_documents_and_questions_change_keys_and_grades_only_those_of_values() -> None:
    def chained(documents: dict[str, str], questions: list[str | Question]) -> Chain:
        return chain(pipeline_of(), Settings(), Roots.of(dataset_of(documents, questions)))

    base = chained({"a": "one", "b": "two"}, ["one"])
    graded = chained({"a": "one", "b": "two"}, [Question("q0", "one", {"b": 2})])
    asked = chained({"a": "one", "b": "two"}, ["two"])
    other = chained({"a": "one", "b": "TWO"}, ["one"])
    turned = chained({"b": "two", "a": "one"}, ["one"])
    assert graded.found.key == base.found.key
    assert graded.values.key != base.values.key
    assert graded.recalls["pool"].key != base.recalls["pool"].key
    assert asked.found.key != base.found.key
    assert asked.passage_terms.key == base.passage_terms.key
    assert other.passages.key != base.passages.key
    assert turned.values.key != base.values.key  # its answer is the first document that was given
    assert turned.found.key == base.found.key


@dataclass(frozen=True)
class Renamed:
    """Another class with BM25's fields."""

    k1: float = 1.2
    b: float = 0.75
    repeats: ClassVar[str] = "count"


@dataclass(frozen=True)
class Changed(DocumentChunker):
    version: ClassVar[int] = 2


def test_the_class_and_its_version_are_part_of_the_key() -> None:
    assert keys(pipeline_of(lexical=Renamed())) != keys(pipeline_of(lexical=BM25()))
    assert component_identity(Changed()) == [f"{__name__}.Changed", 2, {}]
    assert component_identity(LSAEmbedder(), without=("dim",))[2] == {"components": 512, "seed": 0}


def test_what_a_pipeline_reads_and_whether_its_scores_can_be_compared() -> None:
    cases = [
        (RRF(), NoReranker(), {"lexical", "dense"}, False),
        (LexicalOnly(), NoReranker(), {"lexical"}, True),
        (DenseOnly(), NoReranker(), {"dense"}, True),
        (LexicalOnly(), ZSum(), {"lexical", "dense"}, False),
    ]
    for fusion, reranker, branches, comparable in cases:
        one = pipeline_of(fusion=fusion, reranker=reranker)
        assert (set(one.branches), one.scores_are_comparable) == (branches, comparable)
