"""Where layer times are too uncertain to rank, all say so; no color or bar ranks them."""

from dataclasses import replace

import msgspec
import pytest

from inspector.analysis.measured.layer_sum import most_important, unranked
from inspector.pages.blocks import Table
from inspector.pages.charts.drawing import Box, Label, worded
from inspector.pages.charts.report_plots import layers_plot
from inspector.pages.report.page import report_page
from inspector.render.registry import export
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import PerformanceReport
from tests.page_text import report_text
from tests.pdf_text import pdf_text
from tests.reports import example_report

pytestmark = pytest.mark.simulation

REASON = "The order by time is uncertain"


def measured(half_width: float) -> PerformanceReport:
    """The example whose layer times are known to a share of themselves."""
    report = example_report()
    layers = tuple(
        replace(
            layer,
            spread=TimeSpread(
                1000,
                4 * layer.time_ns,
                round(layer.time_ns * (1 - half_width)),
                round(layer.time_ns * (1 + half_width)),
                20,
            ),
        )
        if layer.time_ns
        else layer
        for layer in report.layers
    )
    return replace(report, layers=layers, profiling=Profiling(20, tuple(range(20)), True))


CERTAIN, UNCERTAIN = measured(0.05), measured(0.9)
TIMED = [layer.name for layer in CERTAIN.layers if layer.time_ns]
SLOWEST = sorted(
    TIMED, key=lambda name: -next(x.time_ns or 0 for x in CERTAIN.layers if x.name == name)
)


def order(text: str, names: list[str]) -> list[str]:
    """Return the names that a text has, in the order of their first place."""
    return sorted((name for name in names if name in text), key=text.index)


def test_text_and_markdown_say_where_the_order_of_layers_is_uncertain():
    assert unranked(UNCERTAIN)
    assert not unranked(CERTAIN)
    for report in (CERTAIN, UNCERTAIN):
        text = report_text(report)
        assert (REASON in text) is (report is UNCERTAIN)
        rows = [line for line in text.split("\n") if "%  " in line and "µs" in line]
        assert order("\n".join(rows), TIMED)[:5] == SLOWEST[:5]
        page = export(report, "md").decode()
        assert (REASON in page) is (report is UNCERTAIN)
        slowest = page.partition("| Layer |")[2].partition("\n\n")[0]
        assert order(slowest, TIMED)[:5] == SLOWEST[:5]


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_pages_say_that_layers_are_not_ranked(kind):
    for report in (CERTAIN, UNCERTAIN):
        shown = pdf_text(report) if kind == "pdf" else export(report, kind).decode()
        assert (REASON in shown) is (report is UNCERTAIN)


def few(names: list[str], count: int) -> list[str]:
    """Return the slowest layers in the order of `names`."""
    return [name for name in names if name in SLOWEST[:count]]


def test_pages_with_room_for_few_layers_have_the_slowest():
    for report, order_of in ((CERTAIN, SLOWEST), (UNCERTAIN, TIMED)):
        section = next(s for s in report_page(report).sections if s.id == "layers")
        table = next(block for block in section.blocks if isinstance(block, Table))
        assert [report.layers[row.number].name for row in table.rows[:3]] == SLOWEST[:3]
        assert [layer.name for layer in most_important(report, 3)] == few(order_of, 3)


def test_the_plot_of_the_slowest_layers_has_no_bars_where_they_are_not_ranked():
    ranked, unsorted = worded(layers_plot(CERTAIN)), worded(layers_plot(UNCERTAIN))
    assert any(isinstance(shape, Box) and shape.opacity for shape in ranked.shapes)
    assert not any(isinstance(shape, Box) and shape.opacity for shape in unsorted.shapes)
    texts = [shape.text for shape in unsorted.shapes if isinstance(shape, Label)]
    assert texts[0] == "Layers in model order (times are too uncertain to rank)"
    assert [text for text in texts if text in TIMED] == few(TIMED, len(texts) // 2)


def test_model_explorer_colors_no_layer_by_a_time_that_is_not_ranked():
    colors = []
    for report in (CERTAIN, UNCERTAIN):
        body = msgspec.json.decode(export(report, "model-explorer"))
        assert len(body["results"]) == len(TIMED)
        colors.append({stop["bgColor"] for stop in body["gradient"]})
    assert len(colors[0]) == 3
    assert len(colors[1]) == 1
