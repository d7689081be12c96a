"""A failure where the user looks: what, why, what to do, and a way to try again."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout

from inspector.errors import InspectorError
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.parts import Card, button, label, row, tip, tool
from inspector.ui.widgets.theme import Theme, qt_color


class Failure(Card):
    """Hidden until there is one; `again` is the button, `way` another one; `close` hides it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._icon = QLabel()
        self._icon.setFixedSize(16, 16)
        self.what, self.why, self.hint = (
            label("", role) for role in ("heading", "", "secondary")
        )
        for text in (self.what, self.why, self.hint):
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.again = button(theme, tr("Try again"), "play")
        self.way = button(theme, "", "play", primary=True)
        self.way.hide()
        close = tool(theme, "close", tr("Close this message"))
        close.clicked.connect(self.hide)
        column = QVBoxLayout()
        column.setSpacing(3)
        for text in (self.what, self.why, self.hint):
            column.addWidget(text)
        self._below = row(self.way, None)
        column.addLayout(self._below)
        line = row((self._icon, 0, Qt.AlignmentFlag.AlignTop), (column, 1), spacing=10)
        for last in (self.again, close):
            line.addWidget(last, 0, Qt.AlignmentFlag.AlignTop)
        self._line = line
        self.body.addLayout(line)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_error(self, error: InspectorError) -> None:
        """Show an error."""
        self.what.setText(units.clip(error.what))
        self.why.setText(_lines(units.capitalized(error.why)))
        self.hint.setText(_lines(in_window(error.hint)))
        self.why.setVisible(bool(error.why))
        self.hint.setVisible(bool(error.hint))
        self.way.hide()
        self._below.setContentsMargins(0, 0, 0, 0)
        self._line.insertWidget(2, self.again, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(f"{self.what.text()}. {self.why.text()}. {self.hint.text()}")
        self.show()

    def offer(self, hint: str, text: str, tooltip: str) -> None:
        """Offer a way on with the button `way` instead of what the failure hints at."""
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.way.setText(text)
        self.way.setAccessibleName(text)
        self.way.setToolTip(tip(tooltip))
        self.way.show()
        self._below.setContentsMargins(0, 7, 0, 0)
        self._below.insertWidget(1, self.again)  # beside it, so that the sentences have room

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card with a stroke in the color of failures."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(self._theme.palette.bad))
        painter.drawRoundedRect(QRectF(0, 8, 3, self.height() - 16), 1.5, 1.5)

    def _dress(self) -> None:
        self._icon.setPixmap(self._theme.pixmap("warning", "bad"))
        self.update()


def _lines(text: str) -> str:
    """Return what a message says, line by line, each clipped and made visible."""
    return "\n".join(units.clip(line, 600) for line in text.splitlines()[:8])
