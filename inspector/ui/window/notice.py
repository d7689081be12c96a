"""A strip over the page: what failed and what to do, or what was done."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.look import mix
from inspector.ui.kit.parts import label, tool
from inspector.ui.kit.theme import Theme, colour


class Notice(QWidget):
    """Hidden until there is something to say; stays until it is closed or replaced."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._bad = theme, False
        self._icon = QLabel()
        self.what = label("", "heading")
        self.why = label("", "secondary")
        for words in (self.what, self.why):
            words.setWordWrap(True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = tool(theme, "close", "Close this message")
        close.clicked.connect(self.hide)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self.what)
        column.addWidget(self.why)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(12)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(column, 1)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._dress)
        self.hide()

    def show_error(self, error: InspectorError) -> None:
        """Tell a failure: what, why, and what to do next."""
        why = error.why[:1].upper() + error.why[1:]
        self._say(error.what, f"{why}. {error.hint}".strip(". ") + ".", bad=True)

    def show_done(self, what: str, where: str) -> None:
        """Tell that something was done, and where the result is."""
        self._say(what, where, bad=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a tinted strip."""
        look = self._theme.palette
        tint = look.bad if self._bad else look.good
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(mix(look.surface, tint, 0.12)))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), colour(look.border))
        painter.fillRect(QRectF(0, 0, 3, self.height()), colour(tint))

    def _say(self, what: str, why: str, bad: bool) -> None:
        self._bad = bad
        self.what.setText(what)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.setAccessibleName(f"{what}. {why}")
        self._dress()
        self.show()

    def _dress(self) -> None:
        name, role = ("warning", "bad") if self._bad else ("check", "good")
        self._icon.setPixmap(self._theme.pixmap(name, role))
        self.update()
