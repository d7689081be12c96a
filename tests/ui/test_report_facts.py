"""What a report says about itself around its numbers: badge, load, memory."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.report import PerformanceReport, Surroundings
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.metric_cards import PredictionCard
from inspector.ui.performance.report_view import ReportView
from inspector.ui.selection import Selection
from tests.reports import example_report


def view_of(qtbot: QtBot, theme: Theme, report: PerformanceReport) -> ReportView:
    made = ReportView(theme, report, Selection())
    qtbot.addWidget(made)
    made.resize(884, 900)
    made.show()
    return made


def words_of(view: ReportView) -> str:
    return "\n".join(label.text() for label in view.findChildren(QLabel))


def test_a_doubtful_latency_has_a_badge_with_the_reasons(qtbot: QtBot, theme: Theme) -> None:
    reason = "Other programs used 40% of all cores meanwhile."
    view = view_of(qtbot, theme, example_report(surroundings=Surroundings(others=0.4)))
    card = view.cards.cards[0]
    assert isinstance(card, PredictionCard)
    assert card.disturbed == (reason,)
    assert reason in card.toolTip()
    assert reason in card.accessibleDescription()
    assert f"Disturbed: {reason}" in words_of(view)
    quiet = view_of(qtbot, theme, example_report())
    assert quiet.cards.cards[0].toolTip() == ""
    assert card.grab().toImage() != quiet.cards.cards[0].grab().toImage()
