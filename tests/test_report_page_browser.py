"""The page of a comparison in a real browser: it draws, filters, and asks nothing of the network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from page_data import made

from rag_sweep.report.page.build import comparison_page

pytestmark = pytest.mark.full

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = '</script><img src=x onerror="window.hit=1"><b id=evil>{}</b>\u202e\u2028' + "x" * 300


def missing(reason: str) -> None:
    """No browser: a failure where all tests must run, else a skip."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("needs chromium (Debian: the package chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("needs playwright (the extra `test`)")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        yield running
        running.close()


class Opened:
    """A page in the browser, with what it said on the console and what it asked of the network."""

    def __init__(self, browser: Any, file: Path, width: int = 1280, scheme: str = "light") -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-drawn]", timeout=30_000)

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, *made())


def written(folder: Path, data: Any, detail: Any) -> Path:
    path = folder / "page.html"
    path.write_text(comparison_page(data, detail), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_draws_every_section_and_fits_its_width(browser: Any, file: Path, width: int, scheme: str) -> None:
    opened = Opened(browser, file, width, scheme)
    assert opened.said == []
    assert opened.asked == [file.as_uri()]
    for section in ("decision", "knobs", "heat", "parallel", "cost", "questions", "rest"):
        assert opened.count(f"#{section} h2") == 1
    assert opened.count("#decision svg") == 1
    assert opened.count("#heat [role=grid]") == 2
    assert opened.count("#parallel canvas") == 1
    assert opened.count("#map") == 1
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_filters_narrow_the_leaderboard_and_the_axes_follow(browser: Any, file: Path) -> None:
    opened = Opened(browser, file)
    assert opened.count("tr[data-row]") == 23
    opened.page.select_option("select[data-knob=chunker]", label="sentence")
    assert opened.count("tr[data-row]") == 12
    assert opened.count('.mark[aria-pressed="true"][aria-label="chunker = sentence"]') == 1
    opened.page.click('.mark[aria-label="lexical.b = 0.25"]')
    assert opened.count("tr[data-row]") == 4
    opened.page.click("#leaderboard >> text=Clear filters")
    opened.page.check("#only-best")
    assert opened.count("tr[data-row]") == 7
    opened.page.check("#only-pareto")
    assert opened.count("tr[data-row]") == 2
    opened.page.fill("#filter-text", "nothing like this")
    assert "No configuration fits" in opened.text("#leaderboard tbody")
    assert opened.said == []


def test_a_column_sorts_both_ways_and_a_missing_value_stays_last(browser: Any, file: Path) -> None:
    opened = Opened(browser, file)
    head = "th[data-column=difference]"
    rows = lambda: opened.page.eval_on_selector_all("tr[data-row]", "all => all.map(one => +one.dataset.row)")  # noqa: E731
    opened.page.click(f"{head} button")
    assert opened.page.get_attribute(head, "aria-sort") == "descending"
    assert (rows()[0], rows()[-1]) == (0, 5)
    opened.page.click(f"{head} button")
    assert (rows()[0], rows()[-1]) == (23, 5)


def test_a_question_opens_two_rankings_with_signs(browser: Any, file: Path) -> None:
    opened = Opened(browser, file)
    opened.page.click("[data-list=easiest]")
    opened.page.click("[data-question='11']")
    assert "what about thing 11" in opened.text("#question h3")
    assert opened.count("#question .ranking") == 2
    right = opened.page.locator("#question .ranking").nth(1)
    assert "★ relevant" in right.locator("li").nth(0).inner_text()
    assert "▲ 6" in right.locator("li").nth(0).inner_text()
    assert "new" in right.locator("li").nth(7).inner_text()
    assert "title 8" in opened.text("#question .missed")


def test_the_keyboard_reaches_rows_cells_and_questions(browser: Any, file: Path) -> None:
    opened = Opened(browser, file)
    opened.page.focus("tr[data-row='0'] .name-button")
    opened.page.keyboard.press("Enter")
    assert opened.count("tr.details") == 1
    opened.page.focus("#heat [role=gridcell][tabindex='0']")
    opened.page.keyboard.press("ArrowRight")
    assert "k1 = 0.9" in str(opened.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    opened.page.keyboard.press("Enter")
    assert opened.count("tr[data-row]") == 1
    opened.page.focus("#map")
    opened.page.keyboard.press("End")
    opened.page.keyboard.press("Enter")
    assert "thing 11" in opened.text("#question h3")


def test_it_works_in_a_frame_in_a_sandbox(browser: Any, tmp_path: Path) -> None:
    source = escape(comparison_page(*made()))
    frame = f'<iframe sandbox="allow-scripts" width="1200" height="800" srcdoc="{source}"></iframe>'
    outer = tmp_path / "outer.html"
    outer.write_text(f"<!doctype html>{frame}", encoding="utf-8")
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(outer.as_uri())
    inner = page.frame_locator("iframe")
    inner.locator("html[data-drawn]").wait_for(state="attached")
    inner.locator("nav a", has_text="Cost").click()
    assert inner.locator("#cost-title").inner_text() == "Quality against cost"
    assert said == []


def test_hostile_texts_stay_texts(browser: Any, tmp_path: Path) -> None:
    data, detail = made(text=HOSTILE)
    data["rows"][1]["name"] = HOSTILE
    for width in (1280, 390):
        opened = Opened(browser, written(tmp_path, data, detail), width)
        assert opened.count("#evil") == 0
        assert opened.page.evaluate("window.hit") is None
        assert "<b id=evil>" in opened.text("#question h3")
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert (opened.said, len(opened.asked)) == ([], 1)


def test_without_detail_the_lists_are_still_there(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, written(tmp_path, made()[0], None))
    assert opened.count("#map") == 0
    assert "what about thing 0" in opened.text("#question h3")
    assert opened.said == []


def test_two_thousand_rows_come_a_hundred_at_a_time(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, written(tmp_path, *made(2_000)))
    assert opened.count("tr[data-row]") == 100
    opened.page.click("#more")
    assert opened.count("tr[data-row]") == 200
    assert opened.said == []
