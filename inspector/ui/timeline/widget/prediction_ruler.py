"""The line between axis and lanes: predictions with their numbers, the warm-up, moments."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QTransform,
)

from inspector.pages.charts.palette import Palette
from inspector.trace.intervals import Shares, Times
from inspector.trace.trace import InstantEvent, Track
from inspector.ui import units
from inspector.ui.timeline.model.geometry import Band, Scale
from inspector.ui.timeline.model.predictions import Iterations
from inspector.ui.timeline.render.pixel_blocks import is_raster, ratio_of
from inspector.ui.timeline.render.text_cache import Laid, Placed, cut, laid, write
from inspector.ui.translate import tr, written
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color
from inspector.wording.values import Sentence

THICK = 2
_ROW = 16  # px, height of a row
_MOST = 3  # rows
_NEAR = 5.0  # px, to hit a flag
_NUMBERED = 34.0  # px, width of a run that shows its number
_LINE = 11.0  # px, from the top of a row to its line
_FEW = 24  # numbers that are drawn one by one


def draw_brackets(
    painter: QPainter,
    begin_ns: Times,
    end_ns: Times,
    tints: Sequence[tuple[QColor, int]],
    top: float,
    scale: Scale,
) -> None:
    """Draw a bracket for each of N sorted predictions: int64 (N,).

    tints: colors, and how many lines after those before have each. For hundreds this takes a
    tenth of the time of as many calls, and looks the same.
    """
    ratio = ratio_of(painter)
    begin = np.asarray((begin_ns - scale.begin_ns) / scale.step_ns * ratio, np.float64)
    long = np.maximum(1.0, (end_ns - begin_ns) / scale.step_ns - 1) * ratio
    end = np.asarray(begin + long, np.float64)
    line, at = np.zeros((round(scale.width * ratio), 4)), 0
    for tint, count in tints:
        some = slice(at, at + count)
        line += _covered(begin[some], end[some], len(line))[:, None] * _mixed(tint)
        at += count
    _draw_line(painter, line, QRectF(scale.left, top, scale.width, THICK), ratio)


def _covered(begin: Shares, end: Shares, pixels: int) -> Shares:
    """Return how much of each of some pixels is covered: float64 (pixels,)."""
    edges = np.clip(np.concatenate([begin, end]), 0, pixels)
    whole = edges.astype(np.intp)
    part, sign = edges - whole, np.repeat((1.0, -1.0), len(begin))
    steps = np.bincount(whole, sign * (1 - part), pixels + 2)
    steps[1:] += np.bincount(whole, sign * part, pixels + 1)[: pixels + 1]
    return np.clip(np.cumsum(steps)[:pixels], 0, 1)


def _mixed(tint: QColor) -> NDArray[np.float64]:
    """Blue, green, red and opacity of a color, all times its opacity: float64 (4,)."""
    parts = tint.blueF(), tint.greenF(), tint.redF(), 1.0
    return np.array(parts) * tint.alphaF() * 255


def _draw_line(painter: QPainter, line: Shares, box: QRectF, ratio: float) -> None:
    """Draw a line of pixels over the height of a box: blue, green, red, opacity (W, 4)."""
    values = np.rint(np.minimum(line, 255)).astype(np.uint8)
    form = QImage.Format.Format_ARGB32_Premultiplied
    brush = QBrush(QImage(values.data, len(values), 1, 4 * len(values), form))
    brush.setTransform(QTransform.fromScale(1 / ratio, 1))
    painter.setBrushOrigin(box.topLeft())
    painter.fillRect(box, brush)


class Ruler(Painted):
    """Shows a line of predictions for each of the first models, and flags for moments."""

    def __init__(
        self,
        theme: Theme,
        run_list: tuple[Iterations, ...],
        moments: tuple[InstantEvent, ...],
        scale: Callable[[], Scale],
    ) -> None:
        super().__init__(theme)
        self._scale = scale
        self.predictions, self.moments = run_list[:_MOST], moments
        rows = len(self.predictions) + bool(moments)
        self.setFixedHeight(_ROW * rows + 2 if rows else 0)
        if not rows:
            self.hide()
        self.setMouseTracking(True)
        self.hover = Hover(theme, self)
        self.setAccessibleName(tr("Runs"))
        warm = (
            (tr("{model}: {text} (warm-up)") if one.model else tr("{text} (warm-up)")).format(
                model=one.model, text=one.label
            )
            for one in self.predictions
            if one.warm
        )
        names = (units.clip(moment.name, 60) for moment in moments[:8])
        self.setAccessibleDescription(", ".join((*warm, *names)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw predictions and flags."""
        palette, scale = self._theme.palette, self._scale()
        painter = painter_on(self, smooth=True)
        painter.setClipRect(QRectF(scale.left, 0, scale.width, self.height()))
        for row, run_list in enumerate(self.predictions):
            _draw_predictions(painter, run_list, row * _ROW, scale, palette)
        for moment in self.moments:
            _draw_flag(painter, moment, len(self.predictions) * _ROW, scale, palette)
        painter.setClipping(False)
        # Where nothing is clipped something lies below the names.
        painter.fillRect(QRectF(0, 0, scale.left, self.height()), qt_color(palette.surface))
        write(painter, self._titles(scale, palette.tertiary))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the run or the moment under the pointer."""
        point, scale = event.position(), self._scale()
        row, instant = int(point.y() // _ROW), scale.instant(point.x())
        if point.x() >= scale.left and row < len(self.predictions):
            run_list = self.predictions[row]
            at = int(np.searchsorted(run_list.begin_ns, int(instant), "right")) - 1
            if at >= 0 and run_list.end_ns[at] >= instant:
                self._hover_prediction(event, run_list, at)
                return
        near = [m for m in self.moments if abs(scale.x(m.time_ns) - point.x()) < _NEAR]
        if near and row >= len(self.predictions):
            when = ((tr("Time"), units.duration(near[0].time_ns)),)
            self.hover.show_facts(point.toPoint(), units.clip(near[0].name, 80), when)
        else:
            self.hover.hide()

    def leaveEvent(self, event: object) -> None:
        """Clear the hover state."""
        self.hover.hide()

    def _hover_prediction(self, event: QMouseEvent, run_list: Iterations, at: int) -> None:
        took = int(run_list.end_ns[at] - run_list.begin_ns[at])
        facts = [(tr("Duration"), units.duration(took))]
        if at < run_list.warm:
            facts.append((tr("Warm-up"), tr("slower than later runs")))
        if run_list.model:
            facts.append((tr("Model"), units.clip(run_list.model, 60)))
        title = tr("Run {at:,} of {count:,}").format(at=at + 1, count=len(run_list))
        self.hover.show_facts(event.position().toPoint(), title, tuple(facts))

    def _titles(self, scale: Scale, tint: str) -> list[Placed]:
        """The names of the models."""
        room = int(scale.left - 26)
        return [
            (_title(run_list.model, room), 16, (row + 0.5) * _ROW, tint)
            for row, run_list in enumerate(self.predictions)
        ]


@lru_cache(maxsize=16)
def _title(model: str, room: int) -> Laid:
    return laid(cut(units.clip(model, 60) or tr("Runs"), room, 11), 11)


def draw_warm_up(
    painter: QPainter,
    run_list: tuple[Iterations, ...],
    bands: tuple[Band, ...],
    tracks: tuple[Track, ...],
    scale: Scale,
    palette: Palette,
) -> None:
    """Shade the warm-up of each model behind its rows."""
    warm = {one.model: one.warm_up_ns for one in run_list}
    for band in bands:
        span = warm.get(tracks[band.track].model) if band.track >= 0 else None
        if span is not None:
            left, right = scale.x(span[0]), scale.x(span[1])
            box = QRectF(left, band.top, right - left, band.height)
            painter.fillRect(box, qt_color(palette.caution, 0.09))


def _draw_predictions(
    painter: QPainter, run_list: Iterations, top: int, scale: Scale, palette: Palette
) -> None:
    """A bar from begin to end of each, with its number where there is room."""
    first = max(0, int(run_list.begin_ns.searchsorted(int(scale.begin_ns), "right")) - 1)
    last = int(run_list.begin_ns.searchsorted(math.ceil(scale.end_ns)))
    step, labels = max(1, int((last - first) * 4 / max(scale.width, 1))), list[Placed]()
    numbers: Sequence[int] = range(first, last, step)
    tints, low = (qt_color(palette.tertiary, 0.45), qt_color(palette.caution, 0.9)), top + _LINE
    few = len(numbers) <= _FEW or not is_raster(painter)
    if not few:
        begin, end = run_list.begin_ns[first:last:step], run_list.end_ns[first:last:step]
        warm = len(range(first, min(run_list.warm, last), step))
        both = (tints[True], warm), (tints[False], len(numbers) - warm)
        draw_brackets(painter, begin, end, both, low, scale)
        wide = np.flatnonzero(end - begin >= _NUMBERED * scale.step_ns)
        numbers = (first + wide * step).tolist()
    for at in numbers:
        left, right = scale.x(run_list.begin_ns.item(at)), scale.x(run_list.end_ns.item(at))
        if few:
            bar = QRectF(left, low, max(1.0, right - left - 1), THICK)
            painter.fillRect(bar, tints[at < run_list.warm])
        left = max(left, scale.left)
        room = min(right, scale.left + scale.width) - left
        if room >= _NUMBERED:
            labels.append(_numbered(at, at < run_list.warm, room, left, top, palette))
    write(painter, labels)
    span = run_list.warm_up_ns
    if span is not None:
        _name_warm_up(painter, run_list, span, top, scale, palette)


def _numbered(
    at: int, warm: bool, room: float, left: float, top: int, palette: Palette
) -> Placed:
    """The number of a prediction, and that it is a warm-up where there is room for it."""
    text = laid(tr("{at:,} warm-up").format(at=at + 1) if warm else units.number(at + 1), 11)
    if warm and text.width >= room:
        text = laid(units.number(at + 1), 11)
    return text, left, top + (_LINE - 1) / 2, palette.caution if warm else palette.tertiary


def _name_warm_up(
    painter: QPainter,
    run_list: Iterations,
    span: tuple[int, int],
    top: int,
    scale: Scale,
    palette: Palette,
) -> None:
    """Draw one label next to the warm-up where its runs are too small for text."""
    left, right = scale.x(span[0]), scale.x(span[1])
    each = (right - left) / run_list.warm
    if each >= _NUMBERED:
        return
    painter.setFont(font(11))
    text = written(Sentence("warm-up"))
    wide = painter.fontMetrics().horizontalAdvance(text) + 4
    if left - wide > scale.left:
        painter.setPen(qt_color(palette.caution))
        box = QRectF(left - wide, top, wide, _ROW - 2)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


def _draw_flag(
    painter: QPainter, moment: InstantEvent, top: int, scale: Scale, palette: Palette
) -> None:
    x = _flagged(moment, scale)
    label = units.clip(moment.name, 40)
    painter.setFont(font(11))
    wide = painter.fontMetrics().horizontalAdvance(label) + 13
    right = x + wide <= scale.left + scale.width  # else it is hoisted to the other side
    painter.fillRect(QRectF(x, top + 2, 1, _ROW), qt_color(palette.accent))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(qt_color(palette.accent))
    tip = x + 8 if right else x - 7
    flag = (QPointF(x, top + 2), QPointF(tip, top + 5.5), QPointF(x, top + 9))
    painter.drawPolygon(QPolygonF(flag))
    painter.setPen(qt_color(palette.secondary))
    box = QRectF(x + 11 if right else x - wide + 2, top, wide, _ROW)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, label)


def _flagged(moment: InstantEvent, scale: Scale) -> float:
    """Return x of a moment's line; that at the very end of the trace is moved into view."""
    x, end = scale.x(moment.time_ns), scale.left + scale.width
    return end - 1 if end - 1 < x <= end else x


def draw_moments(
    painter: QPainter,
    moments: tuple[InstantEvent, ...],
    scale: Scale,
    height: float,
    palette: Palette,
) -> None:
    """Draw a line down from each flag."""
    for moment in moments:
        x = _flagged(moment, scale)
        painter.fillRect(QRectF(x, 0, 1, height), qt_color(palette.accent, 0.5))
