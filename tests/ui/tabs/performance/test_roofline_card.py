from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.pages.report.layer_table import layer_table
from inspector.report.layer_timing import TimeSpread
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_table import PageTable, PageTableModel
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Spread
from tests.reports import CPU, GPU, example_report


def report() -> PerformanceReport:
    plain = example_report()
    ceilings = tuple(Ceiling(device, "float32", 1, 1e11, 1e10) for device in (CPU, GPU))
    work = tuple(
        LayerWork(use.index, 1000 * (use.index + 1) ** 2, 5000) for use in plain.layers
    )
    layers = tuple(replace(use, computed_in="float32") for use in plain.layers)
    return replace(plain, layers=layers, roofline=Roofline(ceilings, work))


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme, selection: Selection) -> ChartView:
    view = ReportView(theme, report(), selection)
    qtbot.addWidget(view)
    view.resize(800, 4000)
    view.show()
    return view.roofline.charts[0]


def test_a_click_on_a_dot_selects_its_layer_everywhere(chart, selection):
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.box_of("4").center())
    assert selection.now.layer == 4


def test_arrow_keys_go_from_layer_to_layer_by_intensity(chart, selection):
    centers = []
    for _ in range(3):
        QTest.keyClick(chart, Qt.Key.Key_Right)
        centers.append(chart.box_of(str(selection.now.layer)).center().x())
    assert centers == sorted(centers)


def test_a_layer_that_is_fused_shows_the_dot_of_its_leader(chart, selection):
    fused = next(use for use in report().layers if use.into is not None)
    selection.choose(layer=fused.index)
    assert chart.item_box(chart.current_item()) == chart.box_of(str(fused.into))


def test_a_report_without_ceilings_has_no_card(qtbot, theme):
    view = ReportView(theme, example_report(), Selection())
    qtbot.addWidget(view)
    assert view.roofline is None


def test_the_table_has_columns_only_with_a_roofline():
    def titles(one: PerformanceReport) -> list[str]:
        model = PageTableModel(layer_table(one))
        return list(map(model.title, model.columns))

    assert titles(report())[-3:] == ["GFLOP/s", "% of peak", "Limited by"]
    assert "GFLOP/s" not in titles(example_report())


def test_the_range_of_times_stays_in_the_bar_when_the_peak_was_measured(qtbot, theme):
    measured = report()
    spread = TimeSpread(90_000, 220_000, 100_000, 200_000, 20)
    layers = tuple(replace(use, spread=spread) for use in measured.layers)
    table = PageTable(theme, "Layers", layer_table(replace(measured, layers=layers)))
    qtbot.addWidget(table)
    model = table.rows
    for room in (880, 600):
        assert table.widths(room)[model.place("bar")]
    assert isinstance(model.cell(0, model.column("bar")), Spread)


def test_layers_sort_by_what_they_reach_of_their_ceiling():
    model = PageTableModel(layer_table(report()))
    place = model.place("peak")
    model.sort_by(place, downwards=True)
    shown = [model.text(row, model.columns[place]) for row in range(3)]
    assert " of the " in model.hint(0, model.columns[place]), "what the share is of"
    numbers = [float(text.removesuffix("%")) for text in shown]
    assert numbers == sorted(numbers, reverse=True)
