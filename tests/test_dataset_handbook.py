"""The bundled collection loads without a fault, in whatever directory one stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_sweep.dataset.handbook import BUNDLED, Handbook


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_bundled_handbook_has_no_fault(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (BUNDLED / f"handbook-{language}" / "gold.jsonl").exists():
        pytest.skip(f"handbook-{language} has no questions yet")
    monkeypatch.chdir(tmp_path)
    dataset, faults = Handbook(language).read()  # type: ignore[arg-type]
    assert [str(fault) for fault in faults] == []
    assert dataset is not None
    assert dataset.name == f"handbook-{language}"
    assert dataset.gold.negatives
    assert all(question.provenance["source"] == "invented" for question in dataset.gold.questions)
    assert all(document.title for document in dataset.corpus.documents)


def test_the_version_can_be_set(tmp_path: Path) -> None:
    assert Handbook("en", version="x").load().gold.version == "x"
