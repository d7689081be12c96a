"""The highest classes of an answer as bars with their labels."""

from collections.abc import Sequence
from math import isfinite, isnan

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.preview.results import Class, Classes
from inspector.ui.kit.theme import Theme, colour, font

LINE, HEAD, WORDS, SHOWN_ROWS = 34, 26, 76, 12


class ClassBars(QWidget):
    """For each row of the output its highest classes; label above a bar, value at the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: tuple[Classes, ...] = ()
        self._softmax = False
        self._scale: tuple[float, float] | None = None
        theme.changed.connect(self.update)

    def show_classes(
        self,
        rows: Sequence[Classes],
        softmax: bool,
        scale: tuple[float, float] | None = None,
    ) -> None:
        """Show another answer, its values as they are or as probabilities.

        scale: what an empty and a full bar mean, where the values do not tell. A class with a
        number below 0 is shown without one.
        """
        self._rows, self._softmax = tuple(rows[:SHOWN_ROWS]), softmax
        self._scale = scale
        lines = sum(len(row.top) for row in self._rows)
        heads = len(self._rows) if self._headed else 0
        self.setFixedHeight(lines * LINE + heads * HEAD)
        best = [f"{_name(c)} {_value(self._amount(c))}" for row in self._rows for c in row.top]
        self.setAccessibleName("Highest classes")
        self.setAccessibleDescription("; ".join(best[:20]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the classes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0.0
        for number, row in enumerate(self._rows):
            if self._headed:
                painter.setFont(font(11, 600))
                painter.setPen(colour(self._theme.palette.tertiary))
                head = QRectF(0, top, self.width(), HEAD)
                painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, f"Row {number}")
                top += HEAD
            low, high = self._range(row)
            for place, found in enumerate(row.top):
                share = (self._amount(found) - low) / (high - low) if high > low else 0.0
                share = 0.0 if isnan(share) else share
                box = QRectF(0, top, self.width(), LINE)
                where = (
                    str(found.index)
                    if self._headed or len(self._rows) == 1
                    else f"row {number}"
                )
                self._paint_class(painter, box, found, share, where, first=place == 0)
                top += LINE

    def _paint_class(
        self,
        painter: QPainter,
        box: QRectF,
        found: Class,
        share: float,
        where: str,
        first: bool,
    ) -> None:
        look = self._theme.palette
        words = box.adjusted(0, 2, 0, -12)
        painter.setFont(font(13, 600 if first else 400))
        painter.setPen(colour(look.text))
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(words, int(side), _value(self._amount(found)))
        name = painter.fontMetrics().elidedText(
            _name(found), Qt.TextElideMode.ElideRight, int(words.width()) - WORDS - 44
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, name)
        if found.index >= 0 and where not in (
            found.label,
            str(found.index) if not found.label else "",
        ):
            x = painter.fontMetrics().horizontalAdvance(name) + 8
            painter.setFont(font(11))
            painter.setPen(colour(look.tertiary))
            painter.drawText(words.adjusted(x, 1, 0, 1), Qt.AlignmentFlag.AlignVCenter, where)
        track = QRectF(0, box.bottom() - 9, box.width(), 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.track))
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(colour(look.accent, 1.0 if first else 0.55))
        filled = max(0.0, min(1.0, share)) * track.width()
        if filled >= 1:
            painter.drawRoundedRect(
                QRectF(track.topLeft(), track.size()).adjusted(0, 0, filled - track.width(), 0),
                3,
                3,
            )

    @property
    def _headed(self) -> bool:
        """Whether rows need a title: there are several, and of several classes each."""
        return len(self._rows) > 1 and len(self._rows[0].top) > 1

    def _amount(self, found: Class) -> float:
        return found.probability if self._softmax else found.value

    def _range(self, row: Classes) -> tuple[float, float]:
        """What an empty and a full bar mean: 0 and 1; of scores the lowest and the highest."""
        values = [found.value for found in row.top if isfinite(found.value)]
        if self._scale is not None:
            return self._scale
        if self._softmax or not row.logits or not values:
            return 0.0, 1.0
        return min(0.0, *values), max(values)


def _name(found: Class) -> str:
    return units.clip(found.label, 120) if found.label else f"Class {found.index}"


def _value(value: float) -> str:
    """A probability with four decimals as far as they tell anything, else four digits."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4f}" if value == 0 or 0.0005 <= value <= 1 else f"{value:.4g}"
