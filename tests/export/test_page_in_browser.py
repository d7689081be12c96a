"""The exported page in a real browser, with real events."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.export.registry import export
from tests.export.browser import PROGRAM, Browser
from tests.reports import example_report, half_slow

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM, reason="no Chromium on this machine"),
]
HOSTILE = "<img src=x onerror=document.title='owned'>\u202e</script>"


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Browser]:
    report = example_report()
    layers = (replace(report.layers[0], name=HOSTILE), *report.layers[1:])
    trace = replace(report.trace, names=(HOSTILE, *report.trace.names[1:]))
    path = tmp_path / "page.html"
    path.write_bytes(export(replace(report, layers=layers, trace=trace), "html"))
    with Browser(tmp_path / "home") as browser:
        browser.open(path)
        browser.settle()
        yield browser
        browser.settle()
        assert browser.problems == []
        assert browser.run("document.title") != "owned"
        assert [url for url in browser.asked if not url.startswith("data:")] == [path.as_uri()]


def view(page: Browser) -> tuple[float, float]:
    begin, end = page.run("document.querySelector('.timeline').dataset.view").split()
    return float(begin), float(end)


def shown(page: Browser) -> list[str]:
    script = (
        "[...document.querySelectorAll('#layers tbody tr')].filter(r => r.offsetHeight)"
        ".map(r => r.dataset.index || r.querySelector('button').textContent)"
    )
    rows: list[str] = page.run(script)
    return rows


@pytest.mark.parametrize("width", [1200, 1000, 800])
def test_the_histogram_stands_beside_the_latencies_and_none_is_cut(
    tmp_path: Path, width: int
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(export(half_slow(), "html"))
    with Browser(tmp_path / "home") as browser:
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=800, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        browser.open(path)
        browser.settle()
        room = "document.querySelector('.cards .histogram').getBoundingClientRect().left"
        end = "document.querySelector('.pair > div:last-child').getBoundingClientRect().right"
        assert browser.run(f"{room} || 1e9") > browser.run(end)
        notes = "[...document.querySelectorAll('.cards .card:first-child .note')]"
        assert browser.run(f"{notes}.every(n => n.scrollWidth <= n.clientWidth)")


def test_layers_sort_and_filter(page: Browser) -> None:
    assert shown(page)[:3] == ["0", "1", "2"]
    page.click("th[data-by=time] button")
    slowest = sorted(example_report().layers, key=lambda layer: -(layer.time_ns or -1))
    assert shown(page)[:4] == [str(layer.index) for layer in slowest[:4]]
    page.click("#filter")
    page.call("Input.insertText", text="pool")
    names = [layer for layer in slowest if "pool" in f"{layer.name} {layer.operator}".lower()]
    assert sorted(shown(page)) == sorted(str(layer.index) for layer in names)


def test_groups_open_and_close_and_a_link_reaches_into_them(page: Browser) -> None:
    change = "g.value = 'operator'; g.dispatchEvent(new Event('change'))"
    page.run(f"g = document.getElementById('grouped'); {change}")
    closed = shown(page)
    assert "Conv" in closed
    assert not any(each.isdecimal() for each in closed)
    page.click("tr.group button")
    opened = shown(page)
    assert len(opened) > len(closed)
    page.click("tr.group button")
    assert shown(page) == closed
    page.run("location.hash = '#layer-8'")
    page.settle()
    assert "8" in shown(page)


def test_the_timeline_zooms_to_the_pointer_and_pans(page: Browser) -> None:
    x, y = page.middle(".timeline canvas")
    before = view(page)
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-500)
    zoomed = view(page)
    assert zoomed[1] - zoomed[0] < 0.6 * (before[1] - before[0])
    left = page.run("document.querySelector('canvas').getBoundingClientRect().left")
    wide = page.run("document.querySelector('canvas').clientWidth") - 150 - 12
    share = (x - left - 150) / wide
    under = [begin + share * (end - begin) for begin, end in (before, zoomed)]
    assert under[0] == pytest.approx(under[1], abs=0.002 * (before[1] - before[0]))
    page.mouse("mousePressed", x, y, button="left")
    page.mouse("mouseMoved", x - 80, y, button="left", buttons=1)
    page.mouse("mouseReleased", x - 80, y, button="left")
    assert view(page)[0] > zoomed[0]
    page.run("document.querySelector('canvas').focus()")
    page.key("f")
    everything = view(page)
    assert everything[0] == 0
    page.key("w")
    assert view(page)[1] - view(page)[0] < everything[1]
    page.key("p")
    assert view(page) == before


def test_a_span_tells_its_facts_and_leads_to_its_layer(page: Browser) -> None:
    page.run("document.querySelector('canvas').focus()")
    for _ in range(4):
        page.key("]")
    told = page.run("document.querySelector('.told').textContent")
    assert "layer" in told
    assert page.run("document.querySelectorAll('#layers tr.chosen').length") == 1
    page.click(".told a")
    assert page.run("location.hash").startswith("#layer-")


def test_the_switch_of_colours_reaches_the_canvas(page: Browser) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.run(ground)
    page.click("#theme button[value=dark]")
    assert page.run(ground) != light
    page.click("#theme button[value=light]")
    assert page.run(ground) == light


def test_paper_is_white_and_has_all_rows_though_the_screen_is_dark_and_filtered(
    page: Browser,
) -> None:
    page.click("#theme button[value=dark]")
    page.click("#filter")
    page.call("Input.insertText", text="gemm")
    page.call("Emulation.setEmulatedMedia", media="print")
    assert len(shown(page)) == len(example_report().layers)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.run(ground) == "rgb(255, 255, 255)"
    ink = "getComputedStyle(document.querySelector('h1')).color"
    assert page.run(ink) == "rgb(26, 29, 35)"
    assert page.run("document.querySelector('.stage').offsetHeight") == 0
    assert page.run("document.querySelector('.still').offsetHeight") > 0
