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
SECTIONS = ("decision", "leaderboard", "knobs", "heat", "parallel", "cost", "questions", "rest", "words")
HOSTILE = '</script><img src=x onerror="window.hit=1"><b id=evil>{}</b>\u202e\u2028' + "x" * 300


def missing(reason: str) -> None:
    """No browser: a failure where all tests must run, else a skip."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A window of Chromium with a touch screen; all tests of a module use it one after the other."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("needs chromium (Debian: the package chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("needs playwright (the extra `test`)")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        yield running.new_context(has_touch=True).new_page()
        running.close()


class Opened:
    """A page in the window, with what it said on the console and what it asked of the network."""

    now: Opened | None = None

    def __init__(self, browser: Any, file: Path, width: int = 1280, scheme: str = "light") -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser
        self.heard = {
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "request": lambda request: self.asked.append(request.url),
        }
        if Opened.now is not None and Opened.now.page is browser:
            for event, call in Opened.now.heard.items():
                browser.remove_listener(event, call)
        Opened.now = self
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media="screen", color_scheme=scheme)
        for event, call in self.heard.items():
            self.page.on(event, call)
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-drawn]", timeout=30_000)

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())

    def each(self, selector: str, told: str) -> list[Any]:
        """What the expression `told` says of `one`, for everything that fits the selector."""
        return list(self.page.eval_on_selector_all(selector, f"all => all.map((one) => {told})"))

    def shows(self, selector: str) -> bool:
        return bool(self.page.locator(selector).first.is_visible())


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
    for section in (
        "decision",
        "leaderboard",
        "knobs",
        "heat",
        "parallel",
        "cost",
        "questions",
        "rest",
        "words",
    ):
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
    rows = lambda: opened.each("tr[data-row]", "+one.dataset.row")  # noqa: E731
    opened.page.click(f"{head} button")
    assert opened.page.get_attribute(head, "aria-sort") == "descending"
    assert (rows()[0], rows()[-1]) == (0, 5)
    opened.page.keyboard.press("Enter")
    assert opened.page.get_attribute(head, "aria-sort") == "ascending"
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


def test_on_a_phone_a_button_shows_the_names_of_all_sections(browser: Any, file: Path) -> None:
    opened = Opened(browser, file, 390)
    assert not opened.shows("nav")
    opened.page.tap(".menu")
    edges = opened.page.eval_on_selector_all(
        "nav a", "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert (len(edges), max(edges) <= 390, opened.count("nav a:visible")) == (9, True, 9)
    opened.page.tap("nav a >> text=Cost")
    assert not opened.shows("nav")
    assert opened.page.locator("#cost-title").bounding_box()["y"] < 200
    opened.page.focus(".menu")
    opened.page.keyboard.press("Enter")
    assert opened.page.get_attribute(".menu", "aria-expanded") == "true"
    opened.page.keyboard.press("Escape")
    assert not opened.shows("nav")
    assert not Opened(browser, file).shows(".menu")


def test_it_works_in_a_frame_in_a_sandbox(browser: Any, tmp_path: Path) -> None:
    source = escape(comparison_page(*made()))
    frame = f'<iframe sandbox="allow-scripts" width="1200" height="800" srcdoc="{source}"></iframe>'
    outer = tmp_path / "outer.html"
    outer.write_text(f"<!doctype html>{frame}", encoding="utf-8")
    page, said = browser.context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(outer.as_uri())
    inner = page.frame_locator("iframe")
    inner.locator("html[data-drawn]").wait_for(state="attached")
    inner.locator("nav a", has_text="Cost").click()
    assert inner.locator("#cost-title").inner_text() == "Quality against cost"
    assert said == []
    page.close()


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


def crowded(rows: int = 24) -> tuple[dict[str, Any], dict[str, Any]]:
    """Rows whose cells are as wide as they come: evidence, large numbers, names of many knobs."""
    data, detail = made(rows)
    for row in data["rows"]:
        row["name"] += " analyzer=stemmed_russian k_rrf=60 dim=1024 zsum size=160"
        row.update(words=123_456.0, wins=1_234, ties=10_234, losses=1_234)
        row["cost"]["units"] = 123_000_000
    data["objective"] = "ndcg_linear@10"
    return data, detail


def test_with_all_its_columns_the_leaderboard_fits_a_screen_in_rows_of_two_lines(
    browser: Any, tmp_path: Path
) -> None:
    opened = Opened(browser, written(tmp_path, *crowded()), 1265)  # 1280 less a scroll bar
    table = "document.querySelector('.leaderboard')"
    assert opened.page.evaluate(f"{table}.offsetWidth <= {table}.parentNode.clientWidth")
    assert not opened.shows(".sideways")
    assert opened.count("th[data-column=evidence]") == opened.count("th[data-column=words]") == 1
    assert max(opened.each("tr[data-row]", "one.offsetHeight")) <= 50
    edge = "one.getBoundingClientRect()"
    name = edge.replace("one", "one.closest('.name-line').firstChild")
    beside = opened.each(".leaderboard .badge", f"{edge}.left >= {name}.right && {edge}.top < {name}.bottom")
    assert len(beside) > 6
    assert all(beside)


def test_on_a_phone_no_text_of_a_table_stands_a_letter_a_line(browser: Any, file: Path) -> None:
    opened = Opened(browser, file, 390)
    widths = opened.page.eval_on_selector_all(
        "td.text", "all => all.map(one => one.getBoundingClientRect().width).filter(width => width > 0)"
    )
    assert widths
    assert min(widths) >= 90


def test_on_a_phone_the_leaderboard_says_that_it_scrolls_and_keeps_the_names(
    browser: Any, tmp_path: Path
) -> None:
    opened = Opened(browser, written(tmp_path, *crowded()), 390)
    name, mean = "tr[data-row='1'] .name-button", "tr[data-row='1'] td.bar"
    where = lambda one: opened.page.locator(one).first.bounding_box()["x"]  # noqa: E731
    frame = opened.page.locator("#leaderboard .wide")
    assert "scroll sideways" in opened.text(".sideways")
    assert "more-right" in frame.get_attribute("class")
    assert opened.page.locator(".sideways button").first.is_disabled()
    before = (where(name), where(mean))
    opened.page.tap(".sideways button >> nth=1")
    opened.page.wait_for_selector("#leaderboard .more-left")
    assert (where(name), where(mean) < before[1]) == (before[0], True)
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('th').dataset.column"
    for column in ("rank", "name"):
        at = opened.page.locator(f"th[data-column={column}]").bounding_box()
        assert opened.page.evaluate(on_top, [at["x"] + at["width"] - 8, at["y"] + 12]) == column
    opened.page.focus("#leaderboard .scroll")
    scrolled = where(mean)
    opened.page.keyboard.press("ArrowRight")
    for _ in range(100):
        if where(mean) < scrolled:
            break
        opened.page.wait_for_timeout(20)
    assert where(mean) < scrolled
    assert opened.page.get_attribute("#leaderboard .scroll", "aria-label") == (
        "Leaderboard, can be scrolled sideways"
    )


def test_columns_can_be_chosen_and_say_what_they_mean(browser: Any, file: Path) -> None:
    opened = Opened(browser, file)
    heads = lambda: opened.each("th[data-column]", "one.dataset.column")  # noqa: E731
    assert not {"p", "share", "mean recall@10"} & set(heads())
    opened.page.focus(".columns summary")
    opened.page.keyboard.press("Enter")
    assert "hardly comes about by chance" in opened.text(".columns")
    for one in ("p", "share", "mean recall@10"):
        opened.page.check(f'[data-show="{one}"]')
    assert {"p", "share", "mean recall@10"} < set(heads())
    assert "0.004" in opened.text("tr[data-row='0']")
    opened.page.click("th[data-column=evidence] button")
    opened.page.uncheck("[data-show=evidence]")
    assert "evidence" not in heads()
    assert opened.page.get_attribute("th[data-column=rank]", "aria-sort") == "ascending"
    assert opened.said == []


def test_rows_come_a_hundred_at_a_time_or_all_when_asked(browser: Any, tmp_path: Path) -> None:
    opened = Opened(browser, written(tmp_path, *made(400)))
    assert opened.count("tr[data-row]") == 100
    assert "The first 100 of 399 configurations" in opened.text("#leaderboard .count")
    assert "299 more configurations below these" in opened.text("#leaderboard .more")
    opened.page.click("#more")
    assert opened.count("tr[data-row]") == 200
    opened.page.click("#all-above")
    assert opened.count("tr[data-row]") == 399
    assert opened.text("#leaderboard .count") == "All 399 configurations"
    assert not opened.shows("#leaderboard .more button")
    assert opened.said == []
