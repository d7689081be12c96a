"""The values of a tensor as bars: the pointer reads each of them, the first one, too."""

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from inspector.model.tensors.tensor_statistics import Histogram
from inspector.ui.tabs.weights.value_histogram import ValueHistogram
from inspector.ui.widgets.theme import Theme


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> ValueHistogram:
    made = ValueHistogram(theme)
    qtbot.addWidget(made)
    made.resize(300, 96)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.mark.parametrize(
    ("x", "title", "facts"),
    [
        (2, "1 value", {"from": "-1", "to": "-0.5"}),
        (40, "7 values", {"from": "-0.5", "to": "0"}),
        (80, "0 values", {"from": "0", "to": "0.5"}),
    ],
)
def test_the_pointer_reads_a_bar(qtbot, shown, x, title, facts):
    shown.show_histogram(Histogram(-1.0, 0.5, (1, 7, 0)))
    qtbot.mouseMove(shown, QPoint(x, 30))
    assert shown._hover.isVisible()
    assert (shown._hover.title, dict(shown._hover.facts)) == (title, facts)
    qtbot.mouseMove(shown, QPoint(200, 30))
    assert not shown._hover.isVisible(), "few bars are not as wide as the card"
    assert "3 bars from -1 to 0.5; the highest from -0.5 to 0" in shown.accessibleDescription()


def test_without_a_histogram_there_is_nothing_to_read(qtbot, shown):
    qtbot.mouseMove(shown, QPoint(2, 30))
    assert not shown._hover.isVisible()
