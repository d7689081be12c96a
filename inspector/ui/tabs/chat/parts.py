"""Small parts of the Chat tab: a switch, a bar of a share, a text field that grows."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QTextOption
from PySide6.QtWidgets import QAbstractButton, QFrame, QPlainTextEdit, QSizePolicy

from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

_SWITCH = QSize(30, 18)
_KNOB_PX = 14.0
_BAR_PX = 6
_FULL = 0.9  # of a context, from which on its bar warns
_LINE_PX = 20  # of the text field


class Switch(QAbstractButton):
    """On or off, as a knob in a track; Space switches it."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setFixedSize(_SWITCH)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track and the knob."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        on = self.isChecked()
        painter.setPen(qt_color(look.text if self.hasFocus() else look.control))
        painter.setBrush(qt_color(look.fill if on else look.track))
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        left = box.right() - _KNOB_PX - 1.5 if on else box.left() + 1.5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(look.knob if on and not look.dark else look.raised))
        if not on or look.dark:
            painter.setBrush(qt_color(look.text if look.dark else look.control))
        painter.drawEllipse(QRectF(left, box.center().y() - _KNOB_PX / 2, _KNOB_PX, _KNOB_PX))


class ShareBar(Painted):
    """A bar as full as a share; the color of a role, or of caution where it is nearly full."""

    def __init__(self, theme: Theme, role: str = "accent", warns: bool = False) -> None:
        super().__init__(theme)
        self._role, self._warns, self._share = role, warns, 0.0
        self.setFixedHeight(_BAR_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(self, share: float) -> None:
        """Show another share, 0 to 1."""
        if share != self._share:
            self._share = share
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track and the bar, 2 px at least."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(look.track))
        box = QRectF(self.rect())
        radius = _BAR_PX / 2
        painter.drawRoundedRect(box, radius, radius)
        if self._share > 0:
            full = self._warns and self._share >= _FULL
            painter.setBrush(qt_color(look.caution if full else getattr(look, self._role)))
            box.setWidth(max(2.0, box.width() * min(1.0, self._share)))
            painter.drawRoundedRect(box, radius, radius)


class GrowingText(QPlainTextEdit):
    """A text field as high as its text, up to some lines; Enter sends, Shift+Enter breaks."""

    sent = Signal()
    left = Signal()  # Esc was pressed

    def __init__(self, name: str, most_lines: int) -> None:
        super().__init__()
        self._most = most_lines
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font(13))
        self.setStyleSheet("QPlainTextEdit { border: none; background: transparent; }")
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send with Enter."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the text in another font."""
        super().changeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = max(1, min(self._most, int(self.document().size().height())))
        height = max(_LINE_PX, self.fontMetrics().lineSpacing()) * lines + 4
        if height != self.height():
            self.setFixedHeight(height)
