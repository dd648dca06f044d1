"""The page in a real browser: it can be read, on a screen, on a phone and on paper, however much it holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import page_data
import pytest
from page_data import made
from test_report_page_browser import Opened, browser, written  # noqa: F401

pytestmark = pytest.mark.full

SMALL = """() => [...document.querySelectorAll("main *, header *")].filter((node) =>
  node.getClientRects().length && [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim())
  && !node.matches(".map .mark, .hidden-text") && parseFloat(getComputedStyle(node).fontSize) < 12)
  .map((node) => `${node.className} ${node.textContent}`)"""
"""Texts below 12 px; the signs in a heat map are no text."""

PALE = """() => {
  const linear = (one) => ((one /= 255) <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = parts(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] > 0.99) return found;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("main *")].filter((node) => node.getClientRects().length
    && [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim())
    && !node.matches(".hidden-text")).filter((node) => {
    const style = getComputedStyle(node);
    const [a, b] = [light(parts(node.ownerSVGElement ? style.fill : style.color)), light(behind(node))];
    return Math.max(a, b) / Math.min(a, b) < 4.5;
  }).map((node) => `${node.className} ${node.textContent}`);
}"""
"""Texts whose contrast is below the 4.5 of WCAG 2.1 AA."""

LABELS_TOUCH = """() => {
  const nodes = [...document.querySelectorAll("#parallel .mark .value")];
  const at = nodes.map((node) => node.getBoundingClientRect());
  const touch = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  return at.filter((one, place) => at.slice(place + 1).some((other) => touch(one, other))).length;
}"""

BEYOND = """() => [...document.querySelectorAll("main svg, main canvas")].filter((node) => {
  const [inner, outer] = [node, node.closest("section")].map((one) => one.getBoundingClientRect());
  return inner.width && inner.right > outer.right + 1;
}).length"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_texts_are_large_and_dark_enough(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:  # noqa: F811
    opened = Opened(browser, written(tmp_path, *made()), width, scheme)
    assert opened.page.evaluate(SMALL) == []
    assert opened.page.evaluate(PALE) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_values_of_a_long_axis_do_not_lie_on_each_other(browser: Any, tmp_path: Path, width: int) -> None:  # noqa: F811
    data, detail = made(120)
    data["knobs"].append({"key": "chunker.size", "short": "size", "values": list(range(100, 220))})
    for at, row in enumerate(data["rows"]):
        row["params"]["chunker.size"] = 100 + at
    opened = Opened(browser, written(tmp_path, data, detail), width)
    axis = '#parallel [data-value^="chunker.size="]'
    assert opened.count(axis) == 120
    assert 5 < opened.count(f"{axis} .value") < 60
    assert opened.page.evaluate(LABELS_TOUCH) == 0


def test_on_paper_it_is_light_and_no_chart_is_cut_off(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    opened = Opened(browser, written(tmp_path, *made()), 1280, "dark")
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
    opened.page.emulate_media(media="print")
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(247, 247, 245)"
    assert not opened.page.locator("nav").is_visible()
    # A sheet of A4 between its margins; measured at once, since nothing draws the charts again for paper.
    narrow = f"() => {{ document.getElementById('main').style.width = '700px'; return ({BEYOND})(); }}"
    assert opened.page.evaluate(narrow) == 0
    assert opened.said == []


def test_two_thousand_rows_and_all_questions_open_at_once(
    browser: Any,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_data, "QUESTIONS", 225)
    file = written(tmp_path, *made(2_000))
    assert file.stat().st_size < 8_000_000
    start = time.perf_counter()
    opened = Opened(browser, file)
    assert time.perf_counter() - start < 15
    assert int(opened.page.get_attribute("#map", "aria-valuemax") or 0) == 225
    opened.page.fill("#filter-text", "k1=0.9 sentence")
    assert opened.count("tr[data-row]") == 100
    assert (opened.said, len(opened.asked)) == ([], 1)
