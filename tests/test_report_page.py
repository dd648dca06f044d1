"""The page of a comparison as text: it holds everything, and no text of the data gets out of its place."""

from __future__ import annotations

import json
import math
import re

import pytest
from page_data import made

from rag_sweep.report.page.build import SCRIPTS, STYLES, comparison_page


def inline(page: str, name: str) -> object:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_data_come_back_from_the_page_as_they_went_in() -> None:
    data, detail = made(text="</script><!-- {} & \u2028 {{{{data}}}}")
    page = comparison_page(data, detail)
    assert inline(page, "data") == data
    assert inline(page, "detail") == detail


def test_a_page_without_detail_says_null() -> None:
    assert inline(comparison_page(made()[0], None), "detail") is None


def test_the_name_of_a_dataset_is_no_markup_in_the_title() -> None:
    data, _ = made()
    data["dataset"]["name"] = "</title><b>"
    assert "<title>&lt;/title&gt;&lt;b&gt;:" in comparison_page(data, None)


def test_a_number_that_json_has_not_is_refused() -> None:
    data, _ = made()
    data["rows"][0]["mean"] = math.nan
    with pytest.raises(ValueError, match="JSON"):
        comparison_page(data, None)


def test_nothing_on_the_page_points_elsewhere() -> None:
    page = comparison_page(*made())
    addresses = set(re.findall(r"\w+://[^\s\"']*", page)) - {"http://www.w3.org/2000/svg"}
    assert addresses == set()
    assert re.findall(r"<(?:link|img|iframe)\b|\ssrc=|@import|url\(", page) == []


def test_scripts_never_read_texts_as_markup_nor_keep_anything() -> None:
    page = comparison_page(*made())
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage|cookie|\beval\("
    )
    assert re.findall(forbidden, page) == []


def test_every_file_beside_the_builder_is_on_the_page(request: pytest.FixtureRequest) -> None:
    folder = request.config.rootpath / "rag_sweep" / "report" / "page"
    assert {path.stem for path in (folder / "css").iterdir()} == set(STYLES)
    assert {path.stem for path in (folder / "js").iterdir()} == set(SCRIPTS)
