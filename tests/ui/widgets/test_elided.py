import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.ui.widgets.parts import Elided

FACTS = "Opset 17 · 19.4 k parameters · 78.6 KiB"


def fitting(qtbot: QtBot, mode: Qt.TextElideMode, words: str, text: str = FACTS) -> str:
    line = Elided(text, "caption", mode)
    qtbot.addWidget(line)
    line.resize(line.fontMetrics().horizontalAdvance(words), 20)
    return line.fitting()


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (Qt.TextElideMode.ElideRight, FACTS),
        (Qt.TextElideMode.ElideRight, "Opset 17 · 19.4 k parameters · …"),
        (Qt.TextElideMode.ElideRight, "Opset 17 · …"),
        (Qt.TextElideMode.ElideLeft, "19.4 k parameters · 78.6 KiB"),
        (Qt.TextElideMode.ElideLeft, "78.6 KiB"),
    ],
)
def test_whole_facts_are_left_out(qtbot, mode, words):
    assert fitting(qtbot, mode, words) == words


def test_what_is_no_list_of_facts_is_cut(qtbot):
    shown = fitting(qtbot, Qt.TextElideMode.ElideRight, "a_very_l…", "a_very_long_name.onnx")
    assert shown.endswith("…")
    assert " · " not in shown


def test_the_last_fact_stays_whole_where_the_first_ones_are_left_out(qtbot):
    line = Elided("Opset 18 · 4 parameters · 352 B", "caption", Qt.TextElideMode.ElideLeft)
    qtbot.addWidget(line)
    whole = line.fontMetrics().horizontalAdvance("4 parameters · 352 B")
    line.resize(whole - 1, 20)
    assert line.fitting() == "352 B"
    line.resize(whole, 20)
    assert line.fitting() == "4 parameters · 352 B"
