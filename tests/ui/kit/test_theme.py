"""Light and dark are changed without polishing everything over and over."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.look import DARK, LIGHT
from inspector.ui.kit.parts import label
from inspector.ui.kit.theme import Theme

DEEP = 12


class Counting(QWidget):
    """Counts how often its style became another one."""

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.StyleChange:
            self.changes += 1


def nested(qtbot: QtBot) -> tuple[Counting, QWidget]:
    top = QWidget()
    qtbot.addWidget(top)
    outer: QWidget = top
    for _ in range(DEEP):
        inner = Counting()
        QVBoxLayout(outer).addWidget(inner)
        outer = inner
    assert isinstance(outer, Counting)
    top.show()
    return outer, top


def test_what_lies_deep_is_polished_no_more_often_than_what_lies_on_top(
    qtbot: QtBot, theme: Theme
) -> None:
    deepest, _top = nested(qtbot)
    deepest.changes = 0
    theme.choose("dark")
    assert 0 < deepest.changes <= DEEP / 2


def test_words_wear_the_colour_of_the_theme_that_was_chosen_last(
    qtbot: QtBot, theme: Theme
) -> None:
    words = label("words", "secondary")
    qtbot.addWidget(words)
    words.show()
    for choice, look in (("dark", DARK), ("light", LIGHT), ("dark", DARK)):
        theme.choose(choice)
        assert words.palette().windowText().color().name().upper() == look.secondary
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        assert application.palette().window().color().name().upper() == look.window
