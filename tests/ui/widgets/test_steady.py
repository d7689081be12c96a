from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector.ui.widgets.layouts import SteadyHeight
from inspector.ui.widgets.parts import Elided, wrapped


class Laid(QObject):
    """Counts how often a page is laid out, and keeps it."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.page, self.times = page, 0
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.LayoutRequest
        return False


def page(qtbot: QtBot, part: QWidget) -> Laid:
    home = QWidget()
    column = QVBoxLayout(home)
    column.addWidget(part)
    column.addWidget(QLabel("below"))
    column.addStretch(1)
    qtbot.addWidget(home)
    home.resize(200, 300)
    home.show()
    settle()
    return Laid(home)


def settle() -> None:
    for _ in range(3):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def test_another_text_of_the_same_height_moves_nothing(qtbot):
    words = wrapped("two words")
    laid = page(qtbot, SteadyHeight(words))
    words.setText("three other words")
    settle()
    assert laid.times == 0


def test_a_text_of_more_lines_gets_its_room(qtbot):
    words = wrapped("short")
    home = SteadyHeight(words)
    laid = page(qtbot, home)
    before = home.height()
    words.setText("long enough for several lines of this narrow page " * 3)
    settle()
    assert laid.times > 0
    assert home.height() > 2 * before
    assert words.height() == home.height()


def test_another_line_that_is_cut_moves_nothing_either(qtbot):
    line = Elided("wolves.jpg · 500 × 334", "caption")
    laid = page(qtbot, line)
    line.set_text("goldfish.jpg · 376 × 263 …")
    settle()
    assert laid.times == 0
    assert line.text() == line.accessibleName() == "goldfish.jpg · 376 × 263 …"


def test_a_line_in_letters_of_another_height_is_laid_out_anew(qtbot):
    line = Elided("cat", "caption")
    line.setAlignment(Qt.AlignmentFlag.AlignLeft)
    laid = page(qtbot, line)
    line.set_text("猫")
    settle()
    assert laid.times > 0
