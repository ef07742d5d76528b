"""The pages in a real browser, where there is one."""

import numpy as np
import pytest
from pages import CHROMIUM, HOSTILE, hostile_problem

from discreet.comparison import compare
from discreet.engines.status import Status
from discreet.generate import ons_problem
from discreet.methods.suppress.lp import SuppressLP
from discreet.pipeline import protect, publish
from discreet.release import Release
from discreet.report.comparing import comparison_report
from discreet.report.confidential import confidential_report
from discreet.report.public import public_report
from discreet.result import Result

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
QUICK = SuppressLP(passes=1, patience=0)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def opened(browser, tmp_path):
    """A page in the browser; at the end it must have said nothing wrong and asked for nothing."""
    wrong, pages = [], []

    def show(content, width=1280):
        path = tmp_path / "page.html"
        path.write_text(content, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.on("console", lambda said: wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url == path.as_uri() else wrong.append(asked.url))
        page.goto(path.as_uri())
        page.wait_for_selector("h1")
        pages.append(page)
        return page

    yield show
    for page in pages:
        page.close()
    assert wrong == []


@pytest.fixture(scope="module")
def hostile():
    return protect(hostile_problem(), QUICK)


@pytest.fixture(scope="module")
def three():
    problem = ons_problem((6, 5, 4), seed=2, levels=2)
    return Result(problem, "x", Status.FEASIBLE, release=Release.suppressed(problem, problem.withholdable))


def test_hostile_names_are_shown_and_do_nothing(opened, hostile):
    for content in (
        confidential_report(hostile),
        public_report(publish(hostile)),
        comparison_report(compare(hostile.problem, {HOSTILE[0]: QUICK})),
    ):
        page = opened(content)
        assert page.title().startswith("discreet: ")
        assert page.locator("script").count() == page.locator("body > script").count() == 2
        assert page.locator("img").count() == 0
        assert page.locator("h1").inner_text().startswith(HOSTILE[1])


def test_ten_thousand_cells_are_shown_soon(opened):
    problem = ons_problem((99, 99), seed=1)
    made = Result(problem, "x", Status.FEASIBLE, release=Release.suppressed(problem, problem.withholdable))
    page = opened(confidential_report(made))
    assert page.locator("td[data-cell]").count() == 10_000
    assert page.evaluate("performance.timing.domComplete - performance.timing.navigationStart") < 15_000


def test_a_phone_needs_no_scrolling_sideways(opened, hostile, three):
    for made in (hostile, three):
        page = opened(confidential_report(made), width=390)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_total_folds_its_parts_away_and_unfolds_them(opened, three):
    page = opened(confidential_report(three))
    rows = page.locator(".cells tbody tr")
    every = rows.count()
    page.locator("tbody .fold").first.click()
    assert rows.count() == 1
    page.keyboard.press("Enter")
    assert rows.count() == every


def test_levels_are_chosen_by_a_button(opened, three):
    page = opened(confidential_report(three))
    page.locator(".group button", has_text="1").first.click()
    axis = three.problem.table.structure.dimensions[0]
    assert page.locator(".cells tbody tr").count() == int(np.count_nonzero(axis.level <= 1))


def test_a_cell_explains_itself_when_it_is_chosen_with_the_keyboard(opened, three):
    page = opened(confidential_report(three))
    page.locator("td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    codes = [d.code[1] for d in three.problem.table.structure.dimensions[:2]]
    assert page.locator(".details h3").inner_text() == f"a {codes[0]} · b {codes[1]} · c Total"
    assert "readers are told" in page.locator(".details").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".details").is_hidden()


def test_a_further_dimension_is_chosen_from_a_list(opened, three):
    page = opened(confidential_report(three))
    structure, value = three.problem.table.structure, three.problem.table.value
    page.locator("select").nth(2).select_option("1")
    at = (structure.code == [0, 0, 1]).all(axis=1)
    assert page.locator("td[data-cell]").first.inner_text().replace(",", "") == str(value[at][0])


def test_what_readers_see_is_shown_on_demand(opened, hostile):
    page = opened(confidential_report(hostile))
    page.locator("button", has_text="what readers see").click()
    assert set(page.locator("td.primary, td.secondary").all_inner_texts()) == {"c"}


def test_the_printed_table_breaks_into_parts_that_fit_the_paper(opened, three):
    page = opened(confidential_report(three))
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".paper table").count() >= 1
    assert page.locator(".paper td[data-cell]").count() == page.locator(".frame td[data-cell]").count()
