from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.ui.kit.theme import Theme
from inspector.ui.performance.statistics_line import StatisticsLine
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton


def test_one_line_opens_to_all_numbers_and_closes_again(qtbot: QtBot) -> None:
    line = StatisticsLine(Theme("light"), example_report())
    qtbot.addWidget(line)
    line.resize(600, 60)
    line.show()
    assert line.line.text().startswith("Median 1.82 ms to 1.88 ms at 95 % · p99 2.56 ms")
    assert not line.numbers.isVisible()
    qtbot.mouseClick(line.more, LEFT)
    assert line.numbers.isVisible()
    texts = {made.text() for made in line.numbers.findChildren(QLabel)}
    assert {"p90", "Deviation", "A second", "1.85 ms"} <= texts
    qtbot.mouseClick(line.more, LEFT)
    assert not line.numbers.isVisible()


def test_a_report_without_predictions_has_no_line(qtbot: QtBot) -> None:
    line = StatisticsLine(Theme("light"), example_report(prediction_ns=()))
    qtbot.addWidget(line)
    assert line.isHidden()
