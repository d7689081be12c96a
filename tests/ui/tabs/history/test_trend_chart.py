"""The trend of one model: what the pointer, keys and screen readers get of each report."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector.report.history import PastReport
from inspector.ui.tabs.history.trend_chart import QUANTITIES, TrendChart
from inspector.ui.widgets.theme import Theme

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key
WIDTH = 700


def past(day: int, p50_ns: float) -> PastReport:
    return PastReport(
        Path(f"report_{day}.json"), "m.onnx", "0" * 64, f"2026-11-{day:02}T10:00:00+00:00",
        "CPU", "", "Example CPU", "1.27.0", p50_ns, p50_ns, p50_ns, 1 << 20, 2 << 20, "",
    )  # fmt: skip


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme) -> TrendChart:
    made = TrendChart(theme)
    qtbot.addWidget(made)
    made.resize(WIDTH, 200)
    made.show_series(tuple(past(day, day * 1e6) for day in range(1, 7)), (), QUANTITIES[0])
    made.show()
    return made


def test_each_column_belongs_to_its_report_and_there_is_none_beside(chart: TrendChart) -> None:
    wide = chart.x_of(1) - chart.x_of(0)
    for place in range(6):
        middle = chart.x_of(place)
        around = [chart.place_at(middle + shift * wide) for shift in (-0.49, 0, 0.49)]
        assert around == [place] * 3
        box = chart.item_box(place)
        assert box.left() == pytest.approx(middle - wide / 2, abs=1)
        assert box.right() + 1 == pytest.approx(middle + wide / 2, abs=1)
        assert box.bottom() + 1 == chart.height()
    assert chart.place_at(chart.x_of(0) - 0.51 * wide) == -1
    assert chart.place_at(chart.x_of(5) + 0.51 * wide) == -1
    left, right = chart.x_of(-0.5), chart.x_of(5.5)
    assert 0 < left < right < WIDTH
    chart.show_series(chart.series[:1], (), QUANTITIES[0])
    assert chart.x_of(0) == pytest.approx((left + right) / 2), "one alone is in the middle"


def test_reports_are_chosen_by_clicks_and_keys(qtbot: QtBot, chart: TrendChart) -> None:
    chosen: list[int] = []
    chart.chosen.connect(chosen.append)
    qtbot.mouseClick(chart, LEFT, pos=QPoint(round(chart.x_of(4)), 100))
    for key in (Key.Key_Left, Key.Key_Right, Key.Key_Right, Key.Key_End, Key.Key_Home):
        qtbot.keyClick(chart, key)
    qtbot.keyClick(chart, Key.Key_Left)
    qtbot.mouseClick(chart, LEFT, pos=QPoint(1, 100))
    assert chosen == [4, 3, 4, 5, 5, 0, 0]
    assert chart.current_item() == 0


def test_the_pointer_shows_what_was_measured(qtbot: QtBot, chart: TrendChart) -> None:
    qtbot.mouseMove(chart, QPoint(round(chart.x_of(2)), 100))
    assert chart._hover.title == "report_3.json"
    facts = dict(chart._hover.facts)
    assert facts.keys() == {"Date", "Latency p50", "Peak process memory", "File size"}
    assert facts["File size"] == "1.00 MiB"
    assert chart._hover.isVisible()
    qtbot.mouseMove(chart, QPoint(1, 100))
    assert not chart._hover.isVisible()
    assert chart.item_count() == 6
    assert chart.item_name(2).endswith(", 3.00 ms")
