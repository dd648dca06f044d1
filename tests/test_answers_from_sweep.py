"""Cases of a sweep: what is handed over, and whether the evidence is in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import Command

from rag_sweep.answers.attribution import Known
from rag_sweep.answers.choosing import chosen_rows
from rag_sweep.answers.finalists import FinalistsRequest
from rag_sweep.answers.from_sweep import FromSweep, _context, cases_of
from rag_sweep.cases.records import Case
from rag_sweep.comparing.finding import Finder
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.texts import dataset_of
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Corpus, Dataset, Document

SPANS = {
    "q1": [{"doc_id": "leave", "quote": "Twenty eight days of paid leave a year."}],
    "q2": [{"doc_id": "vpn", "quote": "Error 812 means a wrong password."}],
    "q3": [
        {"doc_id": "travel", "quote": "Tickets are booked by the office."},
        {"doc_id": "travel", "quote": "The daily allowance is 700."},
    ],
}
GRID = [
    "-m",
    "chunker=document,sentence",
    "chunker.sentences=1",
    "lexical.k1=0.5,1.2",
    "k=2",
    "cutoffs=[1,2,3]",
]


def with_spans(command: Command) -> None:
    """Evidence and an answer in the gold of the small dataset; sweeps are kept."""
    file = command.folder / "gold.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row["spans"] = SPANS.get(row["id"], [])
    rows[1]["answer"] = "A wrong password."
    file.write_text("\n".join(map(json.dumps, rows)))
    command.small.remove("journal=null")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    found = Command(tmp_path, monkeypatch, capsys)
    with_spans(found)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    ran = found("run", *found.small, *GRID)
    assert ran.code == 0, ran.err
    return found


def newest(command: Command) -> tuple[SweepData, Dataset]:
    request = Request.of(["tracking=none"])
    (sweep,) = Finder(request).find(()).sweeps
    dataset = dataset_of(sweep, request)
    assert isinstance(dataset, Dataset)
    return sweep, dataset


def index_with(sweep: SweepData, chunker: str) -> int:
    return next(one.index for one in sweep.configurations if one.params["chunker"] == chunker)


def one_of(made: FromSweep, name: str) -> tuple[Case, Known]:
    return made.cases.cases[made.cases.position[name]], made.known[name]


def test_the_first_passages_are_the_context_and_the_gold_is_the_question(command: Command) -> None:
    sweep, dataset = newest(command)
    index = index_with(sweep, "document")
    case, known = one_of(cases_of(sweep, index, dataset), "q2")
    assert case.question == "what does error 812 mean"
    assert [part.id for part in case.context] == [p[0] for p in sweep.passages(index, "q2")[:2]]
    assert case.context[0].text == dataset.corpus.documents[dataset.corpus.position["vpn"]].text
    assert case.rubric.allow_cites == tuple(part.id for part in case.context)
    assert (case.reference, case.evidence, case.query_id) == ("A wrong password.", True, "q2")
    assert known.supporting == ("vpn",)
    assert [span.state for span in known.spans] == ["handed_over"]


def test_no_two_passages_of_a_case_have_one_id_though_a_document_is_called_like_a_passage() -> None:
    texts = {"a": "One two.", "a:0-3": "Three.", "b c": "Four.", "passage-3": "Five.", "passage-3.2": "Six."}
    corpus = Corpus(tuple(Document(name, "", text) for name, text in texts.items()))
    pieces = [
        ("a", 0, 3),
        ("a:0-3", 0, 6),
        ("b c", 0, 5),
        ("passage-3", 0, 5),
        ("passage-3.2", 0, 4),
        ("b c", 0, 2),
    ]
    found = _context(pieces, corpus)
    assert [part.id for part in found] == [
        *("a:0-3", "passage-2", "passage-3.3", "passage-3", "passage-3.2", "passage-6"),
    ]
    assert [part.text for part in found] == ["One", "Three.", "Four.", "Five.", "Six.", "Fo"]


def test_a_passage_is_named_by_its_place_and_its_evidence_is_told_apart(command: Command) -> None:
    sweep, dataset = newest(command)
    index = index_with(sweep, "sentence")
    made = cases_of(sweep, index, dataset, k=1)
    case, known = one_of(made, "q3")
    doc_id, start, end = sweep.passages(index, "q3")[0]
    assert (doc_id, case.context[0].id) == ("travel", f"travel:{start}-{end}")
    assert sorted(span.state for span in known.spans) == ["handed_over", "other_passage"]
    assert case.evidence is True


def test_evidence_is_there_as_the_measures_of_retrieval_count_it(command: Command) -> None:
    sweep, dataset = newest(command)
    for one in sweep.configurations:
        made = cases_of(sweep, one.index, dataset)
        found = [
            sum(span.state == "handed_over" for span in made.known[name].spans) / len(SPANS[name])
            for name in SPANS
        ]
        assert one.metrics["evidence.found@2"] == pytest.approx(sum(found) / len(found))


def test_without_spans_only_a_whole_document_or_none_says_whether_the_evidence_is_there(
    command: Command,
) -> None:
    sweep, dataset = newest(command)
    whole, _ = one_of(cases_of(sweep, index_with(sweep, "document"), dataset), "q4")
    part, _ = one_of(cases_of(sweep, index_with(sweep, "sentence"), dataset), "q4")
    assert (whole.evidence, part.evidence) == (True, None)


def test_nothing_is_the_evidence_of_a_negative(command: Command) -> None:
    sweep, dataset = newest(command)
    case, known = one_of(cases_of(sweep, 0, dataset), "q6")
    assert (case.evidence, known.negative, known.supporting) == (False, True, ())


def test_a_share_of_a_span_may_be_enough(command: Command) -> None:
    sweep, dataset = newest(command)
    index = index_with(sweep, "sentence")
    strict, _ = one_of(cases_of(sweep, index, dataset, k=1, share=1.0), "q1")
    assert strict.evidence is True
    with pytest.raises(
        ConfigError, match=r"answers\.share must be null or a number above 0, at most 1, got 0"
    ):
        cases_of(sweep, index, dataset, share=0.0)


def test_what_cannot_be_answered_for_is_refused(command: Command) -> None:
    sweep, dataset = newest(command)
    with pytest.raises(ConfigError, match=r"answers\.k must be null or an int from 1 to 3"):
        cases_of(sweep, 0, dataset, k=4)
    questions = dataset.gold.questions[1:]
    with pytest.raises(DataError, match=r"the gold of .* has changed"):
        cases_of(sweep, 0, replace(dataset, gold=replace(dataset.gold, questions=questions)))


def test_configurations_that_hand_over_the_same_are_judged_once_and_the_baseline_always(
    command: Command,
) -> None:
    asked = FinalistsRequest.of(["answers.top=1", "tracking=none"], baseline="chunker=sentence")
    found = asked.judged()
    assert found.finalists[-1].is_baseline
    params = [one.sweep.configurations[one.index].params["chunker"] for one in found.finalists]
    assert params[-1] == "sentence"
    judged = {one.index for one in found.finalists} | {n for one in found.finalists for n in one.same}
    assert judged >= {one.index for one in found.finalists}
    rows = chosen_rows(asked.grid, asked.chosen, baseline=len(asked.grid) - 1)
    assert len(asked.grid) - 1 in rows


def test_an_unknown_key_is_refused_with_the_nearest_one(command: Command) -> None:
    with pytest.raises(ConfigError, match="answers"):
        FinalistsRequest.of(["+answers.tops=1"])
