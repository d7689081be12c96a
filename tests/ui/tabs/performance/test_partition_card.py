"""Copies between devices, a line each: how many are listed at first, and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from inspector.analysis.measured.partitions import Crossing
from inspector.ui.tabs.performance.partition_card import CrossingList
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report

Key = Qt.Key


def listed(qtbot: QtBot, theme: Theme, count: int) -> CrossingList:
    crossings = tuple(Crossing(n, n + 1, "cpu", "gpu", 128, 1_000) for n in range(count))
    made = CrossingList(theme, example_report(), crossings)
    qtbot.addWidget(made)
    made.resize(500, made.height())
    made.show()
    return made


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (4, 4), (5, 5), (6, 4), (30, 4)])
def test_a_few_copies_are_listed_and_many_on_request(
    qtbot: QtBot, theme: Theme, count: int, shown: int
) -> None:
    made = listed(qtbot, theme, count)
    assert made.shown == shown, "one more line takes no more room than a button"
    assert made.height() == shown * CrossingList.LINE
    made.show_all()
    assert made.shown == count
    assert made.height() == count * CrossingList.LINE


def test_keys_and_clicks_stay_within_what_is_listed(qtbot: QtBot, theme: Theme) -> None:
    made, chosen = listed(qtbot, theme, 6), list[int]()
    made.chosen.connect(chosen.append)
    for key in (Key.Key_Up, Key.Key_Down, Key.Key_Left, *[Key.Key_Down] * 4, Key.Key_Up):
        qtbot.keyClick(made, key)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=QPoint(10, CrossingList.LINE + 2))
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton, pos=QPoint(10, 1))
    assert chosen == [1, 2, 3, 4, 4, 4, 3, 2, 1], "the layers that the copies lead to"
    assert listed(qtbot, theme, 1).accessibleName() == "1 device transition"
