"""The page in a real browser: it can be read, on a screen, on a phone and on paper, however much it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import page_data
import pytest
from page_data import made
from test_report_page_browser import Opened, browser, written  # noqa: F401

from rag_sweep.comparison.words import brief

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

CROSSED = """() => {
  const box = (node) => node.getBoundingClientRect();
  const lines = [...document.querySelectorAll("#decision svg line")].map(box);
  return [...document.querySelectorAll("#decision svg text.strong")].filter((text) => {
    const at = box(text);
    const next = text.nextElementSibling?.matches("text.strong") && box(text.nextElementSibling);
    const lies = next && at.right > next.left && at.top === next.top;
    return lies || lines.some((line) => line.left < at.right && at.left < line.right + 1
      && line.top < at.bottom && at.top < line.bottom + 1);
  }).map((text) => text.textContent);
}"""
"""Labels of the decision's picture that a line runs through, or that lie on their value."""

OUTSIDE = """() => [...document.querySelectorAll("main svg text")].filter((node) => {
  const [at, around] = [node, node.closest("section")].map((one) => one.getBoundingClientRect());
  return at.right > around.right || at.left < around.left;
}).map((node) => node.textContent)"""

LONG = "n" * 5_000 + " and more" * 556 + " is"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_texts_are_large_dark_and_inside(browser: Any, tmp_path: Path, width: int, scheme: str) -> None:  # noqa: F811
    opened = Opened(browser, written(tmp_path, *made()), width, scheme)
    assert opened.page.evaluate(SMALL) == []
    assert opened.page.evaluate(PALE) == []
    assert opened.page.evaluate(OUTSIDE) == []


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
    opened = Opened(browser, file)
    assert int(opened.page.get_attribute("#map", "aria-valuemax") or 0) == 225
    opened.page.fill("#filter-text", "k1=0.9 sentence")
    assert opened.count("tr[data-row]") == 100
    assert (opened.said, len(opened.asked)) == ([], 1)


def test_the_decision_names_its_baseline_and_no_line_crosses_a_label(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    data, detail = made()
    name = data["rows"][5]["name"]
    told = {
        f"baseline: {name}, the configuration as shipped": "Baseline, as shipped",
        f"baseline: {name}, as asked for by its index 5": "Baseline, as asked for",
        f"baseline: {name}, the first configuration of the sweep": "Baseline, first of the sweep",
        "something else": "Baseline",
    }
    for (note, label), width in zip(told.items(), (1280, 390, 1280, 390), strict=True):
        data["notes"] = [note]
        opened = Opened(browser, written(tmp_path, data, detail), width)
        labels = opened.page.locator("#decision svg text.strong").all_text_contents()
        assert labels[::2] == [label, "Promoted, top of the leaderboard", "Expect this on new questions"]
        note = note if name in note else f"baseline: {name}"
        assert opened.text(".baseline-note") == f"B{note[1:]}."
        assert opened.page.evaluate(CROSSED) == []
    data["notes"] = [f"stand-in: {name}, the closest to your configuration (b=0.75 instead of 0.4)"]
    data["stand_in"] = {"differs": ["b=0.75 instead of 0.4"], "overrides": []}
    opened = Opened(browser, written(tmp_path, data, detail))
    assert opened.text(".baseline-note") == f"Stand-in: {name}, of those compared the closest to yours."
    first = opened.page.locator("#decision svg text.strong").all_text_contents()[0]
    assert first == "Stand-in, closest to yours"


def test_the_decision_says_but_and_on_how_many_questions(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    opened = Opened(browser, written(tmp_path, *made()))
    assert opened.text("#decision .caution").split("\n")[0] == "But"
    assert opened.text("#decision .wins-words").split("\n") == [
        "▲ better on 6",
        "= equal on 4",
        "▼ worse on 2",
    ]


def test_words_that_need_it_explain_themselves_to_mouse_finger_and_keyboard(
    browser: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    opened = Opened(browser, written(tmp_path, *made()), 390)
    page, tip = opened.page, opened.page.locator("#tip")
    first = {"objective": "decision", "p": "decision", "interval": "decision", "baseline": "decision"}
    first |= {"best": "leaderboard", "pareto": "cost", "evidence": "cost", "maxt": "rest", "folds": "rest"}
    for key, section in first.items():
        assert opened.count(f"#{section} button[data-term={key}]") >= 1, key
    page.tap("#decision [data-term=p]")
    assert "How often chance alone" in tip.inner_text()
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.hover("#decision [data-term=objective]")
    assert tip.inner_text().startswith("ndcg@10: How high the relevant documents stand among the first 10")
    page.mouse.move(0, 0)
    assert tip.is_hidden()
    page.locator("#rest [data-term=maxt]").scroll_into_view_if_needed()
    page.focus("#rest [data-term=folds]")
    for _ in range(20):
        if page.evaluate("document.activeElement.dataset.term") != "maxt":
            page.keyboard.press("Tab")
    assert "the largest one that chance produces" in tip.inner_text()
    described = """all => all.filter((one) =>
        !document.getElementById(one.getAttribute("aria-describedby"))?.textContent.trim()).length"""
    assert page.eval_on_selector_all("button[data-term]", described) == 0
    page.evaluate("scrollTo(0, 0)")
    page.tap("#leaderboard .help")
    assert tip.inner_text().startswith("set of the best: ")
    assert opened.said == []


def longer(data: Any) -> Any:
    """The same, with 10,000 characters for names of configurations, a value of a knob, and a question."""
    data = json.loads(json.dumps(data).replace('"document"', json.dumps(LONG)))
    for at in (0, 5):
        name, data["rows"][at]["name"] = data["rows"][at]["name"], f"{LONG} {at}"
        for key, text in enumerate(data["notes"]):
            data["notes"][key] = text.replace(name, brief(f"{LONG} {at}"))
    data["decision"]["headline"] = f"Promote {brief(f'{LONG} 0')}: it beats the baseline"
    data["decision"]["reasons"].append(f"{LONG} 0 is better than {LONG} 5.")
    data["per_question"][0].update(text=LONG, id=LONG, tags=[LONG])
    return data


@pytest.mark.parametrize("width", [1280, 390])
def test_texts_of_ten_thousand_characters_are_cut_and_can_be_seen_whole(
    browser: Any,  # noqa: F811
    tmp_path: Path,
    width: int,
) -> None:
    data, detail = made()
    tall = "document.documentElement.scrollHeight"
    before = Opened(browser, written(tmp_path, data, detail), width).page.evaluate(tall)
    detail["titles"][0] = LONG
    opened = Opened(browser, written(tmp_path, longer(data), detail), width)
    page = opened.page
    assert page.evaluate(tall) < before + (1_200 if width > 390 else 3_500)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#decision svg text.strong").first.text_content() == "Baseline, as shipped"
    assert opened.text(".because") == "It beats the baseline."
    assert " and more is 0 is better than nnn" in opened.text(".reasons li >> nth=-1")
    page.click("tr[data-row='0'] .name-button")
    whole = {"#decision-title": f"Promote {LONG} 0", "#question h3": LONG, ".details .wide-text": f"{LONG} 0"}
    for place, text in whole.items():
        assert text not in opened.text(place)
        assert "…" in opened.text(place)
        page.click(f"{place} .show-all")
        assert text in opened.text(place)
        page.keyboard.press("Enter")
        assert text not in opened.text(place)
    assert opened.said == []
