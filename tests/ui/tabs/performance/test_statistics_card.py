from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.metric_cards import MetricCards, StatisticsCard
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.widgets.theme import Theme, font
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton


def test_the_latency_card_opens_all_numbers_and_closes_them_again(qtbot):
    view = ReportView(Theme("light"), example_report(), Selection())
    qtbot.addWidget(view)
    view.resize(900, 900)
    view.show()
    more, statistics = view.cards.latency.more, view.statistics
    assert more.text() == "All statistics"
    assert statistics.numbers is None
    qtbot.mouseClick(more, LEFT)
    assert statistics.line.text() == "Statistics of 30 runs"
    assert statistics.numbers.isVisible()
    rows = statistics.numbers.table.rows
    shown = {
        rows.text(row, column) for row in range(rows.rowCount()) for column in rows.columns
    }
    assert {"p90", "Std dev", "Runs per second (1 / mean)", "1.85 ms"} <= shown
    qtbot.mouseClick(more, LEFT)
    assert not statistics.isVisible()
    qtbot.mouseClick(more, LEFT)
    qtbot.mouseClick(statistics.close_button, LEFT)
    assert not statistics.isVisible()
    assert not more.isChecked()


def test_percentiles_are_shown_of_enough_runs_only(qtbot):
    few, many = (
        example_report(prediction_ns=(2_000_000,) * runs, prediction_cpu_ns=())
        for runs in (19, 100)
    )
    cards = [MetricCards(Theme("light"), report) for report in (few, many)]
    for card in cards:
        qtbot.addWidget(card)
    assert cards[0].latency.numbers[1] == ("n/a", "", "p95 needs 20 runs")
    assert cards[1].latency.numbers[1] == ("2.00", "ms", "p95 of all runs")


def test_a_report_without_predictions_offers_no_statistics(qtbot):
    cards = MetricCards(Theme("light"), example_report(prediction_ns=()))
    qtbot.addWidget(cards)
    assert cards.latency.more.isHidden()


@pytest.mark.parametrize("width", [900, 620, 360])
def test_the_link_to_all_statistics_covers_no_label(qtbot, width):
    cards = MetricCards(Theme("light"), example_report())
    qtbot.addWidget(cards)
    cards.resize(width, 300)
    cards.show()
    card = cards.latency
    metrics = QFontMetrics(font(11))
    labels = sum(metrics.horizontalAdvance(label) + 18 for _, _, label in card.numbers)
    fits = 16 + labels <= card.more.x() + 4
    assert fits or card.more.text() == "…"
    assert card.more.geometry().right() < card.width()


def test_the_interval_says_what_it_covers_and_several_processes_are_one_click_away(qtbot):
    one = example_report()
    card = MetricCards(Theme("light"), one).latency
    qtbot.addWidget(card)
    assert card.interval.endswith(" within one process")
    statistics = StatisticsCard(Theme("light"), one, measurable=True)
    qtbot.addWidget(statistics)
    statistics.show()
    with qtbot.waitSignal(statistics.processes_asked) as asked:
        qtbot.mouseClick(statistics.several, Qt.MouseButton.LeftButton)
    assert asked.args == [5]
    runs = len(one.prediction_ns)
    five = replace(one, start_lengths=(runs - 4, 1, 1, 1, 1))
    card = MetricCards(Theme("light"), five).latency
    qtbot.addWidget(card)
    assert card.interval.endswith(" over 5 processes")
