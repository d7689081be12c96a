from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.analysis.measured.sample_statistics import course
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.metric_cards import MetricCards
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.tabs.performance.run_chart import RunChart, Scale, _ticks
from inspector.ui.tabs.performance.statistics_card import AllStatistics, StatisticsCard
from inspector.ui.widgets.theme import Theme, font
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton


def test_the_latency_card_opens_all_numbers_and_closes_them_again(qtbot: QtBot) -> None:
    view = ReportView(Theme("light"), example_report(), Selection())
    qtbot.addWidget(view)
    view.resize(900, 900)
    view.show()
    more, statistics = view.cards.latency.more, view.statistics
    assert more.text() == "All statistics"
    assert statistics.numbers is None
    qtbot.mouseClick(more, LEFT)
    assert statistics.line.text().startswith("max 2.67 ms of all runs · "), "30 runs: no p99"
    assert statistics.numbers is not None
    assert statistics.numbers.isVisible()
    texts = {made.text() for made in statistics.numbers.findChildren(QLabel)}
    assert {"p90", "Std dev", "1 / mean", "1.85 ms"} <= texts
    qtbot.mouseClick(more, LEFT)
    assert not statistics.isVisible()
    qtbot.mouseClick(more, LEFT)
    qtbot.mouseClick(statistics.close_button, LEFT)
    assert not statistics.isVisible()
    assert not more.isChecked()


def test_percentiles_are_shown_of_enough_runs_only(qtbot: QtBot) -> None:
    few, many = (
        example_report(prediction_ns=(2_000_000,) * runs, prediction_cpu_ns=())
        for runs in (19, 100)
    )
    cards = [MetricCards(Theme("light"), report) for report in (few, many)]
    for card in cards:
        qtbot.addWidget(card)
    assert cards[0].latency.numbers[1] == ("n/a", "", "p95 needs 20 runs")
    assert cards[1].latency.numbers[1] == ("2.00", "ms", "p95 of all runs")
    statistics = StatisticsCard(Theme("light"), many)
    qtbot.addWidget(statistics)
    assert statistics.line.text().startswith("p99 2.00 ms · max 2.00 ms of all runs · ")


def test_a_report_without_predictions_offers_no_statistics(qtbot: QtBot) -> None:
    cards = MetricCards(Theme("light"), example_report(prediction_ns=()))
    qtbot.addWidget(cards)
    assert cards.latency.more.isHidden()


@pytest.mark.parametrize("width", [900, 620, 360])
def test_the_link_to_all_statistics_covers_no_label(qtbot: QtBot, width: int) -> None:
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


def opened(qtbot: QtBot, report: PerformanceReport) -> AllStatistics:
    numbers = AllStatistics(Theme("light"), report)
    qtbot.addWidget(numbers)
    numbers.resize(700, 500)
    numbers.show()
    return numbers


def test_all_that_was_timed_has_its_statistics(qtbot: QtBot) -> None:
    report = example_report(loads_ns=(9_000_000,) * 3, first_predictions_ns=(4_000_000,) * 2)
    numbers = opened(qtbot, report)
    texts = [made.text() for made in numbers.findChildren(QLabel)]
    assert {"All runs", "CPU time, all threads", "Load", "First run"} <= set(texts)
    assert "Compilation" not in texts
    assert texts.count("9.00 ms") >= 3
    assert any("fit into one video frame: 100% at 24 fps" in text for text in texts)


def test_all_numbers_fit_the_narrowest_window(qtbot: QtBot) -> None:
    few = opened(qtbot, example_report())
    many = example_report(loads_ns=(9_000_000,) * 5, first_predictions_ns=(4_000_000,) * 5)
    for numbers in (few, opened(qtbot, many)):
        assert numbers.minimumSizeHint().width() <= 500


def test_the_course_draws_warm_up_outliers_and_a_change(qtbot: QtBot) -> None:
    calm = [2_000_000 + 1000 * (i % 7) for i in range(40)]
    slow = [2_600_000 + 1000 * (i % 5) for i in range(40)]
    report = example_report(
        prediction_ns=(*calm, 90_000_000, *slow), prediction_cpu_ns=(), warmup_ns=(3_000_000,)
    )
    numbers = opened(qtbot, report)
    found = numbers.course.course
    assert found.outliers == (40,)
    assert found.change is not None
    assert "1 outliers; the median changed at run 4" in (numbers.course.accessibleDescription())
    assert not numbers.course.grab().isNull()


def test_the_pointer_finds_the_prediction_under_it(qtbot: QtBot) -> None:
    numbers = opened(qtbot, example_report())
    view = numbers.course
    assert view.place_at(view.x_of(7)) == 7
    assert view.place_at(view.x_of(-1)) == -1
    assert view.place_at(3) is None


def test_very_many_predictions_are_drawn_too(qtbot: QtBot) -> None:
    samples = tuple(2_000_000 + 37 * (i * 7919 % 1000) for i in range(50_000))
    report = example_report(prediction_ns=samples, prediction_cpu_ns=samples)
    view = RunChart(Theme("light"), course(report))
    qtbot.addWidget(view)
    view.resize(700, 200)
    assert not view.grab().isNull()


def test_predictions_of_a_slower_processor_are_drawn_paler_and_told(qtbot: QtBot) -> None:
    times = [4000] * 20 + [6400] * 20
    wall = tuple(ns * 250 for ns in times[:-1] for _ in range(10))
    pace = CpuSpeed(tuple(times), tuple(range(0, 400, 10)))
    report = example_report(
        spec=RunSpec(threads=1), pace=pace, prediction_ns=wall, prediction_cpu_ns=wall
    )
    numbers = opened(qtbot, report)
    view = numbers.course
    assert view.course.slow == tuple(range(190, 390))
    assert view.course.middle_ns == 1_000_000
    assert "the CPU was throttled or busy in 200" in view.accessibleDescription()
    scale, picture = view.scale(), view.grab().toImage()

    def seen(place: int) -> str:
        x, y = view.x_of(place), scale.y(wall[place])
        return picture.pixelColor(int(x), int(y)).name()

    slow = QColor(seen(250))
    assert slow.hslSaturation() < 60 < QColor(seen(20)).hslSaturation()
    line = StatisticsCard(Theme("light"), report)
    qtbot.addWidget(line)
    assert "190 of 390 runs were at full CPU speed" in line.line.text()


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 100.0, [0, 20, 40, 60, 80]),
        (2.1e6, 2.45e6, [2.1e6, 2.2e6, 2.3e6, 2.4e6]),
        (95.0, 107.0, [96, 98, 100, 102, 104, 106]),
        (0.0, 35.0, [0, 10, 20, 30]),
        (0.0, 15.5, [0, 5, 10, 15]),
    ],
)
def test_times_beside_the_course_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert _ticks(Scale(low, high, 0, 100)) == pytest.approx(ticks)


def test_the_interval_says_what_it_covers_and_several_processes_are_one_click_away(
    qtbot: QtBot,
) -> None:
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
