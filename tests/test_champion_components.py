"""A user's own component is imported only where that is allowed, and never from the bundle."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from champions import promoted

from rag_sweep.champion import read_bundle, write_bundle
from rag_sweep.champion.components import foreign, frozen, ours
from rag_sweep.config import build
from rag_sweep.errors import DataError

MODULE = "own_chunker_of_a_champion"
OWN = ("chunker=document", f"chunker._target_={MODULE}.Halves")
SOURCE = """
from dataclasses import dataclass
import pathlib

pathlib.Path(r"{mark}").write_text("imported")

@dataclass(frozen=True)
class Halves:
    version = 1
    def split(self, text):
        middle = len(text) // 2
        return [(0, middle), (middle, len(text))]
"""


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there once the component's module has run."""
    return tmp_path / "mark"


@pytest.fixture
def bundle(tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bundle that needs the component, in a process that doesn't know it yet."""
    home = tmp_path / "home"
    home.mkdir()
    (home / f"{MODULE}.py").write_text(SOURCE.format(mark=mark), encoding="utf-8")
    with monkeypatch.context() as known:
        known.syspath_prepend(str(home))
        write_bundle(tmp_path / "model" / "data" / "champion", promoted(tmp_path / "data", *OWN))
    forget()
    mark.unlink()
    yield tmp_path / "model" / "data" / "champion"
    forget()


def forget() -> None:
    sys.modules.pop(MODULE, None)
    build._built.clear()


def test_a_foreign_component_needs_trust_and_is_not_imported_without(bundle: Path, mark: Path) -> None:
    with pytest.raises(DataError, match=rf"{MODULE}\.Halves.*isn't one of rag-sweep's own.*--trust"):
        read_bundle(bundle)
    assert not mark.exists()


def test_a_trusted_component_comes_from_where_python_finds_it(
    bundle: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(bundle.parents[2] / "home"))
    found = read_bundle(bundle, trust=True)
    assert mark.exists()
    assert found.index.hits(found.golden.questions[0].text, 1)[0].doc_id == "leave"


def test_a_trusted_component_that_is_not_there_is_one_clear_error(bundle: Path) -> None:
    with pytest.raises(DataError, match=f"can't be built.*{MODULE}"):
        read_bundle(bundle, trust=True)


@pytest.mark.parametrize("place", ["bundle", "model"])
def test_nothing_is_imported_from_the_bundle_even_if_it_is_trusted(
    bundle: Path, mark: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The model's folder is on sys.path, as when a user stands in it."""
    inside = bundle if place == "bundle" else bundle.parents[1]
    if place == "bundle":
        inside = bundle.parent  # an extra file in the bundle itself is refused already
    shutil.copy(bundle.parents[2] / "home" / f"{MODULE}.py", inside / f"{MODULE}.py")
    monkeypatch.syspath_prepend(str(inside))
    with pytest.raises(DataError, match="would be imported from the bundle itself"):
        read_bundle(bundle, trust=True)
    assert not mark.exists()


def test_every_shipped_option_is_one_of_ours() -> None:
    assert ("chunker", "rag_sweep.chunker.fixed.FixedChunker") in ours()
    assert {group for group, _ in ours()} >= {"dataset", "lexical", "embedder", "reranker", "tracking"}


def test_foreign_targets_are_named(tmp_path: Path) -> None:
    made = promoted(tmp_path)
    plain = frozen(made.configuration, made.choices)
    assert foreign(plain) == ()
    plain["config"]["chunker"]["_target_"] = "mine.Chunker"
    assert foreign(plain) == ("mine.Chunker",)
