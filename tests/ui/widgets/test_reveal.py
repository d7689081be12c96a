from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.ui.widgets.table_card import ShowMoreButton


def clicked(qtbot: QtBot, total: int, step: int, clicks: int) -> tuple[list[int], list[str]]:
    told: list[int] = []
    button = ShowMoreButton(total, 8, "inputs", told.append, step)
    qtbot.addWidget(button)
    words = [button.text()]
    for _ in range(clicks):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        words.append(button.text())
    return told, words


def test_a_cheap_list_opens_at_once_and_closes_again(qtbot):
    told, words = clicked(qtbot, 300, 0, 2)
    assert told == [300, 8]
    assert words == ["Show all 300 inputs", "Show only the first 8", "Show all 300 inputs"]


def test_a_dear_list_opens_step_by_step(qtbot):
    told, words = clicked(qtbot, 30, 16, 3)
    assert told == [24, 30, 8]
    assert words == [
        "Show 16 more of 30 inputs",
        "Show all 30 inputs",
        "Show only the first 8",
        "Show 16 more of 30 inputs",
    ]


def test_nothing_is_offered_where_nothing_was_cut(qtbot):
    button = ShowMoreButton(8, 8, "inputs", lambda _: None)
    qtbot.addWidget(button)
    assert button.isHidden()
