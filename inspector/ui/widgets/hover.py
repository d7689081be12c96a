"""A small note beside the pointer: a title and facts; never takes its words for markup."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inspector.ui.widgets.theme import Theme, font, qt_color

_LINE = 18  # px, height of a line
_PADDING = 10  # px
_APART = 16  # px, from a name to its value
_OFF = 14  # px, from the pointer
_WIDEST = 340  # px


class Hover(QWidget):
    """Floats over the window of `owner`, follows the pointer and lets every click through.

    It goes when its owner moves away below it, as where a page scrolls, or is hidden.
    """

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme, self._owner = theme, owner
        self.title = ""
        self.facts: tuple[tuple[str, str], ...] = ()
        self._watched: tuple[QWidget, ...] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        owner.destroyed.connect(self.deleteLater)  # it may live in the window by then

    def show_facts(self, where: QPoint, title: str, facts: tuple[tuple[str, str], ...]) -> None:
        """Show these near a point of the owner."""
        self.title, self.facts = title, facts
        frame = self._owner.window()
        if self.parentWidget() is not frame:
            self.setParent(frame)
        point = self._owner.mapTo(frame, where)
        self.setGeometry(self._placed(point, frame.rect()))
        self._watch(frame)
        self.show()
        self.raise_()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide when something moves or goes that the owner lies in."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Hide):
            self.hide()
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Watch nothing any more."""
        for part in self._watched:
            part.removeEventFilter(self)
        self._watched = ()

    def _watch(self, frame: QWidget) -> None:
        """Watch the owner and all its parents in the window for moves."""
        if self._watched:
            return
        widgets = list[QWidget]()
        part: QWidget | None = self._owner
        while part is not None and part is not frame:
            widgets.append(part)
            part = part.parentWidget()
        for part in widgets:
            part.installEventFilter(self)
        self._watched = tuple(widgets)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the note."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(qt_color(look.border), 1))
        painter.setBrush(qt_color(look.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        available = self.width() - 2 * _PADDING
        left = _name_width(self.facts) + _APART
        top = _PADDING - 2
        painter.setFont(font(12, 600))
        painter.setPen(qt_color(look.text))
        _line(painter, QRectF(_PADDING, top, available, _LINE), self.title)
        for name, value in self.facts:
            top += _LINE
            painter.setFont(font(11))
            painter.setPen(qt_color(look.tertiary))
            _line(painter, QRectF(_PADDING, top, available, _LINE), name)
            painter.setPen(qt_color(look.text))
            _line(painter, QRectF(_PADDING + left, top, available - left, _LINE), value)

    def _placed(self, point: QPoint, frame: QRect) -> QRect:
        metrics = QFontMetrics(font(11))
        values = max((metrics.horizontalAdvance(value) for _, value in self.facts), default=0)
        title = QFontMetrics(font(12, 600)).horizontalAdvance(self.title)
        inner = max(title, _name_width(self.facts) + _APART + values)
        width = min(_WIDEST, inner + 2 * _PADDING + 4)
        height = _LINE * (len(self.facts) + 1) + 2 * _PADDING - 4
        x = point.x() + _OFF
        if x + width > frame.right() - 4:
            x = point.x() - _OFF - width
        y = min(point.y() + _OFF, frame.bottom() - height - 4)
        return QRect(max(4, x), max(4, y), width, height)


def _name_width(facts: tuple[tuple[str, str], ...]) -> int:
    metrics = QFontMetrics(font(11))
    return max((metrics.horizontalAdvance(name) for name, _ in facts), default=0)


def _line(painter: QPainter, box: QRectF, text: str) -> None:
    middle = Qt.TextElideMode.ElideMiddle
    shown = painter.fontMetrics().elidedText(text, middle, int(box.width()))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
