"""What the colors of tokens mean, in one line."""

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent

from inspector.ui.tabs.chat import shades
from inspector.ui.tabs.chat.shades import TITLES, ColorBy
from inspector.ui.tabs.chat.token_view import draw_difference_mark
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import label, row
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

_SIDE_PX = 16
_HIGH_PX = 40
_CHOICE_PX = 116
_SWATCH = (18, 14)  # px


class Legend(Painted):
    """What tokens are colored by, and what the colors mean, at the bottom of the tab."""

    color_changed = Signal(object)  # ColorBy

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._by, self._both = ColorBy.PROBABILITY, False
        self.color = ChoiceField(tr("Color tokens by"), [*TITLES], [*TITLES.values()])
        self.color.setFixedWidth(_CHOICE_PX)
        self.color.currentIndexChanged.connect(
            lambda _: self.color_changed.emit(ColorBy(self.color.value))
        )
        line = row(label(tr("Color tokens by"), "caption"), self.color, None)
        line.setContentsMargins(_SIDE_PX, 1, _SIDE_PX, 0)
        self.setLayout(line)
        self.setFixedHeight(_HIGH_PX)

    def show_meaning(self, by: ColorBy, both: bool) -> None:
        """Explain other colors. both: whether two answers are compared."""
        if (by, both) != (self._by, self._both):
            self._by, self._both = by, both
            self.update()
        title, words = shades.LEGENDS.get(by, ("", ()))
        self.setAccessibleName(": ".join(filter(None, (tr(title), ", ".join(map(tr, words))))))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the swatches with their words."""
        look, painter = self._theme.palette, painter_on(self, smooth=True)
        painter.fillRect(self.rect(), qt_color(look.bar))
        painter.fillRect(0, 0, self.width(), 1, qt_color(look.border))
        title, words = shades.LEGENDS.get(self._by, ("", ()))
        if not title:
            return
        x = float(self.color.geometry().right()) + _SIDE_PX
        wide, high = _SWATCH
        top = (self.height() - high) / 2 + 0.5
        for strength, text in zip((3, 2, 1, 0), words, strict=True):
            painter.setPen(qt_color(look.border))
            painter.setBrush(qt_color(shades.color(look, strength)))
            painter.drawRoundedRect(QRectF(x, top, wide, high), 3, 3)
            if self._by is ColorBy.PROBABILITY and strength > 1:
                share = (0.3, 0.7)[strength == 2]
                painter.fillRect(
                    int(x + 2), int(top + high - 3), int((wide - 4) * share), 2,
                    qt_color(look.caution),
                )  # fmt: skip
            x = self._write(painter, tr(text), x + wide + 7) + 18
        if self._both:
            draw_difference_mark(painter, look.caution, look.surface, QPointF(x, top))
            x = self._write(painter, tr("First differing token"), x + 20) + 18
        if self._by is ColorBy.PROBABILITY:
            text = tr("Bar: probability, under 50% only")
            painter.setFont(font(11))
            room = painter.fontMetrics().horizontalAdvance(text)
            if x + room + _SIDE_PX <= self.width():
                self._write(painter, text, self.width() - _SIDE_PX - room)

    def _write(self, painter: QPainter, text: str, x: float) -> float:
        painter.setFont(font(11))
        painter.setPen(qt_color(self._theme.palette.secondary))
        wide = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(int(x), 0, wide + 4, self.height(), 0x80, text)
        return x + wide
