"""What MLflow's scoring server is given: rows in, plain data out, one clear error for what can't be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from champions import champion

from rag_sweep.served import MOST_RESULTS, Served, _load_pyfunc


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return Served(champion(tmp_path_factory.mktemp("served")))


def test_it_answers_what_was_measured(served: Served) -> None:
    golden = served.champion.golden
    rows = pd.DataFrame([{"query": one.text, "k": golden.depth} for one in golden.questions])
    for answer, question in zip(served.predict(rows), golden.questions, strict=True):
        assert tuple(answer["ids"]) == question.doc_ids
        assert answer["scores"] == [one.score for one in question.documents]


def test_an_answer_has_ids_scores_titles_texts_and_spans(served: Served) -> None:
    (answer,) = served.predict([{"query": "which card opens the door", "k": 2}])
    assert set(answer) == {"ids", "scores", "titles", "texts", "spans"}
    assert {len(column) for column in answer.values()} == {2}
    corpus = served.champion.corpus
    for doc_id, title, text, (start, end) in zip(
        answer["ids"], answer["titles"], answer["texts"], answer["spans"], strict=True
    ):
        document = corpus.documents[corpus.position[doc_id]]
        assert (document.title, document.text[start:end]) == (title, text)


def test_k_chooses_how_many(served: Served) -> None:
    def ids(**row: Any) -> list[str]:
        found: list[str] = served.predict([{"query": "paid leave card error", **row}])[0]["ids"]
        return found

    assert len(ids(k=1)) == 1
    assert ids(k=2) == ids(k=5)[:2]
    assert ids() == ids(k=None) == ids(k=float("nan")) == ids(k=3)
    assert ids(k=np.int64(2)) == ids(k=2.0) == ids(k=2)
    assert len(ids(k=MOST_RESULTS)) <= len(served.champion.corpus)


@pytest.mark.parametrize(
    "query", ["", "  ", None, float("nan"), 7, True, ["x"], {"a": 1}, b"x", np.float64(1)], ids=repr
)
def test_a_question_that_is_no_text_is_refused(served: Served, query: object) -> None:
    from mlflow.exceptions import MlflowException

    with pytest.raises(MlflowException, match="query of row 1 must be a text that isn't empty, got"):
        served.predict([{"query": "leave"}, {"query": query, "k": 1}])


@pytest.mark.parametrize(
    "k", [0, -1, MOST_RESULTS + 1, 2.5, "5", True, [1], {}, float("inf"), 1e300, np.bool_(True)], ids=repr
)
def test_a_k_that_is_no_number_of_documents_is_refused(served: Served, k: object) -> None:
    from mlflow.exceptions import MlflowException

    with pytest.raises(MlflowException, match="k of row 0 must be an int from 1 to 1,000, got"):
        served.predict([{"query": "leave", "k": k}])


def test_a_row_without_a_question_is_refused(served: Served) -> None:
    from mlflow.exceptions import MlflowException

    with pytest.raises(MlflowException, match=r"query of row 0 must be .*, got nothing"):
        served.predict([{"k": 1}])


def test_one_row_may_come_alone_and_none_is_no_error(served: Served) -> None:
    assert served.predict({"query": "leave", "k": 1})[0]["ids"] == ["leave"]  # type: ignore[arg-type]
    assert served.predict([]) == []


def test_a_question_of_unknown_words_finds_nothing_or_something_but_never_fails(served: Served) -> None:
    for text in ("zzzz qqqq", "!!!", "\x00", "\ud800", "ё" * 10_000):
        (answer,) = served.predict([{"query": text}])
        assert len(answer["ids"]) == len(answer["scores"])


def test_a_model_that_brings_code_along_is_refused_before_it_is_read(tmp_path: Path) -> None:
    from rag_sweep.errors import DataError

    data = tmp_path / "data" / "champion"
    data.mkdir(parents=True)
    told = "flavors: {python_function: {loader_module: rag_sweep.served, data: data/champion, code: code}}"
    (tmp_path / "MLmodel").write_text(told, encoding="utf-8")
    with pytest.raises(DataError, match="brings code along"):
        _load_pyfunc(str(data))
