"""The highest classes of an answer as bars with their labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.results import Class, Classes
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Theme, colour, font, painter_on
from inspector.wording import class_scores

LINE, HEAD, WORDS, SHOWN_ROWS = 34, 26, 76, 12
_MIDDLE, _RIGHT = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class _Line:
    """A class as it is drawn. top: in pixels. share: of the bar. first: of its row."""

    top: int
    name: str
    where: str
    value: str
    share: float
    first: bool


class ClassBars(QWidget):
    """For each row of the output its highest classes; label above a bar, value at the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines: tuple[_Line, ...] = ()
        self._heads: tuple[int, ...] = ()
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
        shown = tuple(rows[:SHOWN_ROWS])
        # Several rows need a title each, unless they have one class each.
        headed = len(shown) > 1 and len(shown[0].top) > 1
        values = iter(_values(shown, softmax))
        lines, heads, top = list[_Line](), list[int](), 0
        for number, row in enumerate(shown):
            if headed:
                heads.append(top)
                top += HEAD
            low, high = _range(row, softmax, scale)
            for place, shown_class in enumerate(row.top):
                amount = _amount(shown_class, softmax)
                share = (amount - low) / (high - low) if high > low else 0.0
                where = (
                    str(shown_class.index)
                    if headed or len(shown) == 1
                    else tr("row {number}").format(number=number)
                )
                position = "" if shown_class.index < 0 or where == shown_class.label else where
                position = (
                    ""
                    if not shown_class.label and where == str(shown_class.index)
                    else position
                )
                share = 0.0 if isnan(share) else max(0.0, min(1.0, share))
                lines.append(
                    _Line(top, _name(shown_class), position, next(values), share, place == 0)
                )
                top += LINE
        self._lines, self._heads = tuple(lines), tuple(heads)
        self.setFixedHeight(top)
        self.setAccessibleName(tr("Top classes"))
        self.setAccessibleDescription("; ".join(f"{e.name} {e.value}" for e in lines[:20]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the classes, all of a kind in turn: to change pen and font takes its time."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bars(painter)
        painter.setFont(font(11, 600))
        painter.setPen(colour(self._theme.palette.tertiary))
        for number, top in enumerate(self._heads):
            painter.drawText(
                QRectF(0, top, self.width(), HEAD),
                _MIDDLE,
                tr("Row {number}").format(number=number),
            )
        positions = [
            *self._paint_words(painter, first=True),
            *self._paint_words(painter, first=False),
        ]
        painter.setFont(font(11))
        painter.setPen(colour(self._theme.palette.tertiary))
        for box, position in positions:
            painter.drawText(box, _MIDDLE, position)

    def _paint_bars(self, painter: QPainter) -> None:
        look, width = self._theme.palette, self.width()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.track))
        for line in self._lines:
            painter.drawRoundedRect(QRectF(0, line.top + LINE - 9, width, 6), 3, 3)
        for first in (True, False):
            painter.setBrush(colour(look.accent, 1.0 if first else 0.55))
            for line in self._lines:
                filled = line.share * width
                if line.first is first and filled >= 1:
                    bar = QRectF(0, line.top + LINE - 9, filled, 6)
                    painter.drawRoundedRect(bar, 3, 3)

    def _paint_words(self, painter: QPainter, first: bool) -> list[tuple[QRectF, str]]:
        """Names and values of the first classes, or of the others; what stands beside them."""
        painter.setFont(font(13, 600 if first else 400))
        painter.setPen(colour(self._theme.palette.text))
        metrics, positions = painter.fontMetrics(), list[tuple[QRectF, str]]()
        room, right = self.width() - WORDS - 44, int(_MIDDLE | _RIGHT)
        for line in self._lines:
            if line.first is not first:
                continue
            box = QRectF(0, line.top + 2, self.width(), LINE - 14)
            painter.drawText(box, right, line.value)
            name, name_width = line.name, metrics.horizontalAdvance(line.name)
            if name_width > room:
                name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
                name_width = metrics.horizontalAdvance(name)
            painter.drawText(box, _MIDDLE, name)
            if line.where:
                positions.append((box.adjusted(name_width + 8, 1, 0, 1), line.where))
        return positions


def _amount(shown_class: Class, softmax: bool) -> float:
    return shown_class.probability if softmax else shown_class.value


def _values(rows: Sequence[Classes], softmax: bool) -> tuple[str, ...]:
    """All values as one column of text."""
    amounts = [_amount(shown_class, softmax) for row in rows for shown_class in row.top]
    likely = all(row.shares or (softmax and row.logits) for row in rows)
    return class_scores.shares(amounts) if likely else class_scores.scores(amounts)


def _range(
    row: Classes, softmax: bool, scale: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the values of an empty and a full bar: 0 and 1; of scores the min and the max."""
    values = [shown_class.value for shown_class in row.top if isfinite(shown_class.value)]
    if scale is not None:
        return scale
    if softmax or not row.logits or not values:
        return 0.0, 1.0
    return min(0.0, *values), max(values)


def _name(shown_class: Class) -> str:
    return (
        units.clip(shown_class.label, 120)
        if shown_class.label
        else tr("Class {index}").format(index=shown_class.index)
    )


# Scores on a scale from 1 to 5, as bars.


WORST, BEST = 1.0, 5.0


class ScoreBody(QWidget):
    """Opinion scores of speech."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.bars = ClassBars(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bars)
        column.addWidget(wrapped(tr("Mean opinion score, 1 (bad) to 5 (excellent)"), "caption"))

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        listed = tuple(Class(-1, name, value, 0.0) for name, value in reading.scores)
        rows = (Classes(listed, len(listed), True),)
        self.bars.show_classes(rows, False, (WORST, BEST))
