"""Pages in a real browser, with real events."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.render.html import html
from tests.render.browser import PROGRAM, Browser
from tests.render.example_pages import HOSTILE, example_page, scoped

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="no Chromium on this machine"),
]
LAYERS = "[...document.querySelectorAll('#layers tbody tr')].filter(row => row.offsetHeight)"
TABLE = "#layers table"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Browser]:
    path = tmp_path / "page.html"
    path.write_bytes(html(example_page(lambda at: HOSTILE if at == 1 else scoped(at))))
    with Browser(tmp_path / "home") as browser:
        size(browser, 1200)
        browser.open(path)
        browser.settle()
        yield browser
        browser.settle()
        assert browser.problems == []
        assert [url for url in browser.asked if not url.startswith("data:")] == [path.as_uri()]


def size(page: Browser, width: int) -> None:
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=900, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    page.settle()


def column(page: Browser, place: int) -> list[str]:
    return page.run(f"{LAYERS}.map(row => row.cells[{place}].innerText)")


def head(place: int) -> str:
    return f"{TABLE} th:nth-child({place + 1}) button"


def test_of_a_long_table_the_first_rows_are_shown_until_one_wants_more(page):
    assert len(column(page, 0)) == 20
    page.click("#layers .rest button")
    assert len(column(page, 0)) == 40


def test_a_link_to_a_row_shows_it(page):
    assert "33" not in column(page, 0)
    page.run("location.hash = 'layer-33'")
    page.settle()
    page.settle()
    assert "33" in column(page, 0)


def test_columns_sort_by_mouse_and_keyboard(page):
    page.click(head(8))
    assert len(column(page, 0)) == 20
    page.click("#layers .rest button")
    times = page.run(f"{LAYERS}.map(row => Number(row.cells[8].dataset.value))")
    assert times == sorted(times, reverse=True)
    sorts = f"[...document.querySelectorAll('{TABLE} th')].map(th => th.ariaSort || '')"
    assert [sort for sort in page.run(sorts) if sort] == ["descending"]
    page.run(f"document.querySelector('{head(0)}').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    page.settle()
    assert column(page, 0) == [str(place) for place in reversed(range(40))]
    page.click(head(2))
    assert column(page, 2) == sorted(column(page, 2))


def test_search_finds_what_is_shown_and_counts(page):
    page.run(
        "const field = document.querySelector('#layers input'); field.value = 'LAYER.3 conv';"
        "field.dispatchEvent(new Event('input'))"
    )
    assert column(page, 0) == ["32", "36"]
    assert "2 / 40" in page.run("document.querySelector('#layers .tools').innerText")


def test_colors_can_be_chosen(page):
    ground = "getComputedStyle(document.body.parentElement).backgroundColor"
    page.click(".theme button[value=dark]")
    dark = page.run(ground)
    page.click(".theme button[value=light]")
    assert page.run(ground) != dark


def test_a_link_opens_what_is_folded(page):
    assert not page.run("document.getElementById('settings').open")
    page.click("nav a[href='#settings']")
    page.settle()
    assert page.run("document.getElementById('settings').open")


@pytest.mark.parametrize("width", [360, 700, 1100, 1600])
def test_no_window_is_too_narrow(page, width):
    size(page, width)
    page.settle()
    assert page.run("document.documentElement.scrollWidth") <= width
    out = (
        "[...document.querySelectorAll('.card, h1, p, dd')].filter(e => e.offsetWidth && "
        "e.getBoundingClientRect().right > innerWidth).map(e => e.innerText)"
    )
    assert page.run(out) == []
    button = "document.querySelector('#layers .tools button')"
    assert bool(page.run(f"{button} && !{button}.hidden")) == (width < 1000)


def test_columns_that_were_left_out_come_back(page):
    size(page, 360)
    page.settle()
    heads = f"[...document.querySelectorAll('{TABLE} th')].filter(h => h.offsetWidth).length"
    before = page.run(heads)
    page.click("#layers .tools button")
    page.settle()
    assert before < page.run(heads) == 10
