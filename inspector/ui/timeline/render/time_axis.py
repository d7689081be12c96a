"""The axis of time above the lanes, and the lines it draws down through them."""

from collections.abc import Callable
from functools import lru_cache
from math import inf

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent

from inspector.pages.charts.palette import WHITE, Palette
from inspector.ui import units
from inspector.ui.timeline.model.geometry import Scale
from inspector.ui.timeline.render.text_cache import Laid, Placed, laid, laid_number, write
from inspector.ui.translate import tr
from inspector.ui.widgets.theme import Painted, Theme, fill_round, qt_color

HEIGHT = 22  # px
TICK_ROOM = 66  # px, least distance of ticks with numbers
_APART = 8  # pixels between labels
Marked = tuple[float, float] | None


class Axis(Painted):
    """Round instants with labels, and the duration of the marked range."""

    def __init__(
        self, theme: Theme, scale: Callable[[], Scale], marked: Callable[[], Marked]
    ) -> None:
        super().__init__(theme)
        self._scale, self._marked = scale, marked
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(tr("Time axis"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ticks, labels and the marked range."""
        palette, scale, marked = self._theme.palette, self._scale(), self._marked()
        painter = QPainter(self)
        length = None if marked is None else _length(marked, scale)
        write(painter, _draw_ticks(painter, scale, palette, length))
        if marked is not None and length is not None:
            painter.setClipRect(QRectF(scale.left - 1, 0, scale.width + 1, HEIGHT))
            left, right = scale.x(marked[0]), scale.x(marked[1])
            painter.fillRect(
                QRectF(left, HEIGHT - 3, right - left, 3), qt_color(palette.accent)
            )
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            fill_round(painter, length, 5, qt_color(palette.fill))
            write(
                painter, [(_range_label(marked), length.left() + 6, length.center().y(), WHITE)]
            )


def _draw_ticks(
    painter: QPainter, scale: Scale, palette: Palette, length: QRectF | None
) -> list[Placed]:
    """Draw a tick at each instant; return the labels that have room next to a length."""
    first, step, left = scale.begin_ns, scale.step_ns, scale.left
    tint, end, labels = qt_color(palette.border), left + scale.width, list[Placed]()
    edge, pushed = -inf, False  # of the label before: where it ends, whether it left its tick
    for instant, label in ticks(scale):
        x, text = round(left + (instant - first) / step), laid_number(label, 11)
        if x < end:
            painter.fillRect(x, HEIGHT - 6, 1, 6, tint)
        wide = text.width
        begin = min(max(x - wide / 2, left + 4), end - wide - 4)
        if abs(begin + wide / 2 - x) > wide / 2:
            continue
        if length is not None and length.intersects(QRectF(begin - 4, 0, wide + 8, HEIGHT)):
            continue
        if begin < edge + _APART:
            if not pushed:
                continue
            labels.pop()
        edge, pushed = begin + wide, begin > x - wide / 2
        labels.append((text, round(begin), HEIGHT / 2 - 3, palette.tertiary))
    return labels


@lru_cache(maxsize=4)
def ticks(scale: Scale) -> tuple[tuple[float, str], ...]:
    """The instants to mark, with labels."""
    return units.axis(scale.begin_ns, scale.end_ns, max(1, int(scale.width / TICK_ROOM)))


def draw_grid(painter: QPainter, scale: Scale, height: int, palette: Palette) -> None:
    """Draw a line down from each tick."""
    tint = qt_color(palette.grid)
    for instant, _ in ticks(scale):
        painter.fillRect(round(scale.x(instant)), 0, 1, height, tint)


def _length(marked: tuple[float, float], scale: Scale) -> QRectF:
    """Return the box of the label of the marked range: over its middle, if that is in view."""
    wide, end = _range_label(marked).width + 12, scale.left + scale.width
    at = (scale.x(marked[0]) + scale.x(marked[1]) - wide) / 2
    return QRectF(min(max(at, scale.left + 2), end - wide - 2), 2, wide, 18)


def _range_label(marked: tuple[float, float]) -> Laid:
    return laid(units.duration(marked[1] - marked[0]), 11, 600)
