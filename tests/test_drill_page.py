"""The tables of docs/drill.md are what a drill gives."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("drill_page", ROOT / "scripts" / "drill_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(script: ModuleType) -> str:
    text: str = script.PAGE.read_text(encoding="utf-8")
    return text


@pytest.mark.full
@pytest.mark.parametrize("name", ["regulations", "handbook"])
def test_a_table_of_the_page_comes_out_again(
    name: str, script: ModuleType, page: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert script.table(name) == script.on_page(name, page)


def test_every_drill_of_the_script_has_its_place_and_its_table(script: ModuleType, page: str) -> None:
    assert list(script.DRILLS) == ["regulations", "handbook", "cranfield"]
    for name in script.DRILLS:
        table = script.on_page(name, page)
        assert table.startswith("### This gold with these thresholds notices ")
        assert table.count("\n| ") == 2 + 14


def test_a_table_is_renewed_in_its_place(script: ModuleType) -> None:
    page = "a\n<!-- drill x -->\nold\n<!-- end of drill -->\nb\n<!-- drill y -->\n<!-- end of drill -->\n"
    new = script.renewed("x", page, "new \\1\n")
    assert script.on_page("x", new) == "new \\1\n"
    assert new.startswith("a\n")
    assert new.endswith("b\n<!-- drill y -->\n<!-- end of drill -->\n")
    assert script.renewed("x", new, "new \\1\n") == new


def test_on_the_six_documents_most_change_nothing_and_eight_dimensions_improve(
    script: ModuleType, page: str
) -> None:
    rows = [line.split(" | ") for line in script.on_page("regulations", page).splitlines() if " | " in line]
    cells = {row[0].removeprefix("| "): row[1:] for row in rows[2:]}
    base = cells["baseline"][:3]
    still = [name for name, row in cells.items() if row[:3] == base and name not in ("baseline", "restored")]
    assert still == [
        "k1 × 10",
        "k1 × 100",
        "lexical branch: top 2",
        "dense branch: top 2",
        "analyzer swapped",
    ]
    assert cells["dim = 8"][0] > base[0]
    assert cells["dim = 8"][-1] == "no: improves |"
    assert "By this gold the broken search is the better one" in script.on_page("regulations", page)
