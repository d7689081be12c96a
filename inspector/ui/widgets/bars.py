"""Shares of a whole as a stacked bar, and counts as a list of bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.export.charts import palette as palette_module
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_TINTS = (0.0, 0.36, 0.58, 0.74, 0.84)


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a whole: its amount decides the length, words and share stand beside it."""

    name: str
    amount: float
    words: str
    share: str = ""

    @property
    def spoken(self) -> str:
        """All of it in one line."""
        return " ".join(filter(None, (self.name, self.words, self.share)))


class StackedBar(QWidget):
    """One bar in parts, largest first, over a legend with a line for each."""

    BAR, LINE = 10, 24

    def __init__(self, theme: Theme, parts: Sequence[Part], text: str) -> None:
        super().__init__()
        self._theme = theme
        self._parts = _largest(parts, len(_TINTS))
        self.setFixedHeight(self.BAR + 6 + self.LINE * len(self._parts))
        self.setAccessibleName(text)
        self.setAccessibleDescription("; ".join(p.spoken for p in self._parts))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bar and legend."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self._paint_bar(painter)
        shares = _widest(part.share for part in self._parts)
        for i, part in enumerate(self._parts):
            top = self.BAR + 6 + i * self.LINE
            line = QRectF(0, top, self.width(), self.LINE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._tint(i))
            painter.drawRoundedRect(QRectF(0, top + 8, 8, 8), 2, 2)
            _two_ends(painter, line.adjusted(16, 0, 0, 0), part, shares, self._theme.palette)

    def _paint_bar(self, painter: QPainter) -> None:
        total = sum(part.amount for part in self._parts)
        clip = QPainterPath()
        clip.addRoundedRect(QRectF(0, 0, self.width(), self.BAR), 3, 3)
        painter.save()
        painter.setClipPath(clip)
        painter.fillRect(self.rect(), colour(self._theme.palette.track))
        x = 0.0
        for i, part in enumerate(self._parts):
            width = self.width() * part.amount / total if total else 0.0
            painter.fillRect(QRectF(x, 0, max(1.0, width - 1), self.BAR), self._tint(i))
            x += width
        painter.restore()

    def _tint(self, place: int) -> QColor:
        palette = self._theme.palette
        return colour(palette_module.mix(palette.accent, palette.surface, _TINTS[place]))


class BarList(QWidget):
    """Names with a bar each, as long as their count; a click names the one that was hit."""

    chosen = Signal(str)
    LINE, NAME, WORDS = 26, 170, 96

    def __init__(self, theme: Theme, parts: Sequence[Part], text: str, shown: int) -> None:
        super().__init__()
        self._theme, self._parts, self._hovered = theme, tuple(parts), -1
        self._shown = 0
        self._shares = _widest(part.share for part in parts)
        self._room = max(self.WORDS, _widest(p.words for p in parts) + self._shares + 22)
        self.show_first(shown)
        self.setMouseTracking(True)
        self.setAccessibleName(text)
        self.setAccessibleDescription("; ".join(p.spoken for p in parts[:50]))
        theme.changed.connect(self.update)

    def show_first(self, number: int) -> None:
        """Show so many of the bars."""
        self._shown = min(number, len(self._parts))
        self.setFixedHeight(self.LINE * self._shown)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which one a click would choose."""
        self._hover(int(event.position().y()) // self.LINE)

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight when the pointer leaves."""
        self._hover(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the click; it counts when it ends."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked."""
        place = int(event.position().y()) // self.LINE
        if 0 <= place < self._shown:
            self.chosen.emit(self._parts[place].name)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines that are in view."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        longest = max((part.amount for part in self._parts), default=0) or 1
        first = event.rect().top() // self.LINE
        for i in range(first, min(self._shown, event.rect().bottom() // self.LINE + 1)):
            self._paint_line(painter, i, self._parts[i], longest)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            self._hovered = place
            self.update()

    def _paint_line(self, painter: QPainter, place: int, part: Part, longest: float) -> None:
        palette = self._theme.palette
        line = QRectF(0, place * self.LINE, self.width(), self.LINE)
        painter.setPen(Qt.PenStyle.NoPen)
        if place == self._hovered:
            painter.setBrush(colour(palette.hover))
            painter.drawRoundedRect(line.adjusted(-8, 0, 8, 0), 5, 5)
        left = min(self.NAME, self.width() * 0.42)
        track = QRectF(left, line.y() + 9, self.width() - left - self._room, 8)
        painter.setBrush(colour(palette.track))
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(colour(palette.accent))
        filled = max(3.0, track.width() * part.amount / longest)
        painter.drawRoundedRect(QRectF(track.x(), track.y(), filled, track.height()), 3, 3)
        names = line.adjusted(0, 0, left - line.width() - 12, 0)
        _ends(painter, names, line, part, self._shares, palette)


def _widest(text: Iterable[str]) -> int:
    metrics = QFontMetrics(font(12))
    return max((metrics.horizontalAdvance(each) for each in text), default=0)


def _largest(parts: Sequence[Part], number: int) -> tuple[Part, ...]:
    """The largest parts; what is over the number becomes one."""
    ordered = sorted(parts, key=lambda part: -part.amount)
    if len(ordered) <= number:
        return tuple(ordered)
    rest = ordered[number - 1 :]
    amount = sum(part.amount for part in rest)
    total = sum(part.amount for part in parts)
    return (
        *ordered[: number - 1],
        Part(
            tr("{count} others").format(count=len(rest)), amount, "", units.share(amount, total)
        ),
    )


def _two_ends(
    painter: QPainter, line: QRectF, part: Part, shares: int, palette: palette_module.Palette
) -> None:
    text = _widest((part.words,)) + shares + 22
    _ends(painter, line.adjusted(0, 0, -text, 0), line, part, shares, palette)


def _ends(
    painter: QPainter,
    names: QRectF,
    line: QRectF,
    part: Part,
    shares: int,
    palette: palette_module.Palette,
) -> None:
    """Draw the name, and the words and the share in a column each, `shares` wide."""
    painter.setFont(font(12, 500))
    painter.setPen(colour(palette.text))
    name = painter.fontMetrics().elidedText(
        units.clip(part.name, 80), Qt.TextElideMode.ElideMiddle, int(names.width())
    )
    painter.drawText(names, Qt.AlignmentFlag.AlignVCenter, name)
    painter.setFont(font(12))
    painter.setPen(colour(palette.secondary))
    side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    painter.drawText(line, int(side), part.share)
    gap = shares + 10 if shares else 0
    painter.drawText(line.adjusted(0, 0, -gap, 0), int(side), part.words)
