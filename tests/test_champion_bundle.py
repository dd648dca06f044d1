"""A bundle gives back what was promoted, byte for byte, and only as a whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from champions import promoted, written

from rag_sweep.champion import Promoted, read_bundle, write_bundle
from rag_sweep.champion.manifest import MANIFEST
from rag_sweep.errors import DataError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Promoted:
    return promoted(tmp_path_factory.mktemp("made"), thresholds={"format": 1})


@pytest.fixture(scope="module")
def bundle(made: Promoted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    write_bundle(folder, made)
    return folder


def test_what_is_read_is_what_was_promoted(made: Promoted, bundle: Path) -> None:
    found = read_bundle(bundle)
    assert found.name == "small"
    assert found.configuration.fingerprint == made.configuration.fingerprint
    assert found.configuration.pipeline == made.configuration.pipeline
    assert found.configuration.params == made.configuration.params
    assert found.configuration.objective == made.configuration.objective
    assert found.corpus == made.index.corpus
    assert found.golden == made.golden
    assert found.thresholds == {"format": 1}
    assert found.scorecard.means() == made.scorecard.means()
    assert found.scorecard.rankings == made.scorecard.rankings


def test_the_restored_index_finds_the_golden_rankings_to_the_last_bit(made: Promoted, bundle: Path) -> None:
    found = read_bundle(bundle)
    asked = [question.text for question in found.golden.questions]
    again, before = found.index.search(asked, found.golden.depth), made.index.search(asked, made.golden.depth)
    for one, other in ((again.documents, before.documents), (again.passages, before.passages)):
        assert np.array_equal(one.items, other.items)
        assert one.scores.tobytes() == other.scores.tobytes()


def test_golden_rankings_hold_every_question_negatives_too(made: Promoted) -> None:
    assert [one.query_id for one in made.golden.questions] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert tuple(one.doc_ids for one in made.golden.questions) == made.scorecard.rankings


def test_equal_content_gives_equal_bytes(made: Promoted, bundle: Path, tmp_path: Path) -> None:
    write_bundle(tmp_path / "again", made)
    files = {file.relative_to(bundle): file.read_bytes() for file in bundle.rglob("*") if file.is_file()}
    again = tmp_path / "again"
    assert files == {
        file.relative_to(again): file.read_bytes() for file in again.rglob("*") if file.is_file()
    }


def test_a_bundle_holds_plain_data_only(bundle: Path) -> None:
    endings = {file.suffix for file in bundle.rglob("*") if file.is_file()}
    assert endings == {".json", ".jsonl", ".npy"}
    for file in bundle.rglob("*.npy"):
        np.load(file, allow_pickle=False)  # raises for objects


def test_no_path_of_a_tracking_store_and_no_password_is_kept(bundle: Path) -> None:
    told = json.loads((bundle / "configuration.json").read_text(encoding="utf-8"))
    assert told["config"].keys() & {"tracking", "store", "execute", "journal"} == set()


def test_a_folder_with_something_in_it_takes_no_bundle(made: Promoted, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match="new or empty folder"):
        write_bundle(tmp_path, made)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_an_interrupted_bundle_is_none(
    made: Promoted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag_sweep.champion import manifest

    written_files = 0
    whole = manifest.write_whole

    def broken(*given: object) -> None:
        nonlocal written_files
        written_files += 1
        if written_files == 4:
            raise KeyboardInterrupt
        whole(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(manifest, "write_whole", broken)
    with pytest.raises(KeyboardInterrupt):
        write_bundle(tmp_path / "half", made)
    with pytest.raises(DataError, match=f"there is no {MANIFEST}"):
        read_bundle(tmp_path / "half")


@pytest.mark.parametrize(
    "part", ["configuration", "scorecard", "golden", "index"], ids=lambda part: f"another {part}"
)
def test_whole_parts_of_another_champion_are_refused(made: Promoted, tmp_path: Path, part: str) -> None:
    other = promoted(tmp_path / "other", "lexical.k1=2.0", "chunker=document", "k=1")
    if part == "index":
        texts = other.index.corpus.documents
        changed = tuple(replace(one, text=f"{one.text} more") for one in texts)
        from rag_sweep.index import Index
        from rag_sweep.records import Corpus

        other = replace(other, index=Index.build(made.configuration.pipeline, Corpus(changed)))
    write_bundle(tmp_path / "mixed", replace(made, **{part: getattr(other, part)}))
    with pytest.raises(DataError, match="parts don't belong together"):
        read_bundle(tmp_path / "mixed")


def test_arrays_of_another_pipeline_are_refused_before_anything_is_searched(
    made: Promoted, tmp_path: Path
) -> None:
    other = promoted(tmp_path / "other", "fusion=lexical_only")
    write_bundle(tmp_path / "mixed", replace(made, index=other.index))
    found = read_bundle(tmp_path / "mixed")
    with pytest.raises(DataError, match="index can't be restored"):
        _ = found.index


@pytest.mark.parametrize(
    "knobs",
    [("fusion=lexical_only",), ("fusion=dense_only", "embedder=hash"), ("reranker=zsum", "chunker=fixed")],
    ids=" ".join,
)
def test_every_kind_of_pipeline_goes_there_and_back(tmp_path: Path, knobs: tuple[str, ...]) -> None:
    found = read_bundle(written(tmp_path, *knobs))
    for question in found.golden.questions:
        hits = found.index.hits(question.text, found.golden.depth)
        assert tuple((hit.doc_id, hit.score) for hit in hits) == tuple(
            (one.doc_id, one.score) for one in question.documents
        )
