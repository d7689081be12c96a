"""What a report says about itself around its numbers: badge, load, memory."""

from itertools import product

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.report.environment import SystemLoad
from inspector.report.report import LoadPhase, PerformanceReport
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.metric_cards import LatencyCard
from inspector.ui.tabs.performance.report_view import ReportView
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report


def view_of(qtbot: QtBot, theme: Theme, report: PerformanceReport) -> ReportView:
    made = ReportView(theme, report, Selection())
    qtbot.addWidget(made)
    made.resize(884, 900)
    made.show()
    return made


def settings_label(view: ReportView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def tinted(picture: QPixmap, color: str) -> int:
    """How many pixels have exactly this color."""
    image, wanted = picture.toImage(), QColor(color)
    places = product(range(image.width()), range(image.height()))
    return sum(image.pixelColor(x, y) == wanted for x, y in places)


def test_a_doubtful_latency_has_a_badge_with_the_reasons(qtbot, theme):
    reason = "Other programs used 40% of the CPU."
    view = view_of(qtbot, theme, example_report(surroundings=SystemLoad(others=0.4)))
    card = view.cards.cards[0]
    assert isinstance(card, LatencyCard)
    assert card.noise_reasons == (reason,)
    assert reason in card.toolTip()
    assert reason in card.accessibleDescription()
    assert f"Noisy: {reason}" in settings_label(view)
    quiet = view_of(qtbot, theme, example_report())
    assert "Noisy" not in quiet.cards.cards[0].toolTip()
    corner = QRect(60, 8, 80, 22)
    tints = [
        tinted(each.grab(corner), theme.palette.caution)
        for each in (card, quiet.cards.cards[0])
    ]
    assert tints[0] > 10
    assert tints[1] == 0


def test_loading_and_memory_have_a_bar_for_each_phase(qtbot, theme):
    phases = (LoadPhase("optimise", 9_000_000), LoadPhase("Fusion", 8_000_000, "optimise"))
    view = view_of(qtbot, theme, example_report(load_phases=phases, loads_ns=(3, 1_000, 1_000)))
    loading, memory = view.phases.findChildren(ChartView)
    names = [loading.item_name(n) for n in range(loading.item_count())]
    assert names == [
        "optimise: 9.00 ms", "Fusion: 8.00 ms", "first run: 21.3 ms",
        "more than the median run: 19.4 ms",
    ]  # fmt: skip
    assert memory.item_name(0).endswith(": 61.0 MiB")
    assert "Loading again took" in settings_label(view)
    qtbot.waitUntil(lambda: loading.y() == memory.y() and loading.x() < memory.x())
    view.resize(560, 900)
    qtbot.waitUntil(lambda: memory.y() > loading.y())
