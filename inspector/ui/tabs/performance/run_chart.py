"""Predictions one after the other, and beside them how they spread, on one axis of time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.analysis.measured.sample_statistics import Course
from inspector.export.charts import palette as palette_module
from inspector.ui.translate import tr
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.parts import follow
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

HEIGHT_PX, _LEFT, _TOP, _BOTTOM, _APART = 188, 62, 12, 24, 14
_BARS, _SHARE, _MAX_DOTS, _ROOMY = 28, 0.22, 1500, 420


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of the time axis: from low at the bottom to high at the top."""

    low: float
    high: float
    top: float
    bottom: float

    def y(self, ns: float) -> float:
        """Return where a time is drawn; those above are at the top."""
        part = (min(ns, self.high) - self.low) / max(1.0, self.high - self.low)
        return self.bottom - part * (self.bottom - self.top)


class RunChart(QWidget):
    """Dots for predictions, pale ones where the processor was slower, hollow for warming up.

    Triangles stand for those beyond the axis.
    """

    def __init__(self, theme: Theme, course: Course) -> None:
        super().__init__()
        self._theme, self.course = theme, course
        self._hover = Hover(theme, self)
        self._samples = np.asarray(course.samples_ns, np.float64)
        self._warm = np.asarray(course.warmup_ns, np.float64)
        self._slow = np.zeros(len(self._samples), bool)
        self._slow[list(course.slow)] = True
        self.setFixedHeight(HEIGHT_PX)
        self.setMinimumWidth(280)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Latency of each run, in order"))
        self.setAccessibleDescription(_description(course))
        follow(theme, self, self.update)

    def scale(self) -> Scale:
        """The axis: all but outliers, with a little room."""
        regular = np.delete(self._samples, self.course.outliers)
        regular = regular if len(regular) else self._samples
        low, high = float(regular.min()), float(regular.max())
        room = max(0.08 * (high - low), 0.01 * high)
        top = high + room
        if self.course.outliers:
            top = high + max(0.25 * (high - low), room)
        return Scale(max(0.0, low - room), top, _TOP, HEIGHT_PX - _BOTTOM)

    def x_of(self, place: int) -> float:
        """Return where a prediction is drawn; those to warm up have negative places."""
        first, last = self._across()
        before = len(self._warm)
        return first + (place + before + 0.5) / (before + len(self._samples)) * (last - first)

    def place_at(self, x: float) -> int | None:
        """The prediction at a pixel; None beside them."""
        first, last = self._across()
        if not first <= x <= last:
            return None
        whole = len(self._warm) + len(self._samples)
        return int((x - first) / (last - first) * whole) - len(self._warm)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which prediction is under the pointer."""
        place = self.place_at(event.position().x())
        if place is None or not -len(self._warm) <= place < len(self._samples):
            self._hover.hide()
            return
        course = self.course
        if place < 0:
            number = place + len(self._warm)
            title = (
                tr("First run")
                if number == 0
                else tr("Warm-up run {number}").format(number=number)
            )
            facts = [(tr("Time"), units.duration(course.warmup_ns[number]))]
        else:
            title = tr("Run {place:,}").format(place=place + 1)
            facts = [(tr("Time"), units.duration(course.samples_ns[place]))]
            if place < len(course.cpu_ns):
                facts.append((tr("CPU time"), units.duration(course.cpu_ns[place])))
            if self._slow[place]:
                facts.append((tr("CPU"), tr("throttled or busy")))
            if place in course.waited:
                facts.append((tr("Outlier"), tr("waited for a CPU core")))
        self._hover.show_facts(event.position().toPoint(), title, tuple(facts))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the tooltip when the pointer leaves."""
        self._hover.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axis, predictions, medians and the histogram."""
        if not len(self._samples):
            return
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = self.scale()
        self._draw_axis(painter, scale)
        self._draw_change(painter, scale)
        self._draw_dots(painter, scale)
        self._draw_bars(painter, scale)

    def _across(self) -> tuple[float, float]:
        last = self.width() * (1 - _SHARE) - _APART
        return float(_LEFT), max(float(_LEFT) + 40, last)

    def _draw_axis(self, painter: QPainter, scale: Scale) -> None:
        palette, (first, last) = self._theme.palette, self._across()
        painter.setFont(font(11))
        for ns in _ticks(scale):
            y = scale.y(ns)
            painter.setPen(QPen(colour(palette.hairline), 1))
            painter.drawLine(QPointF(first, y), QPointF(self.width(), y))
            painter.setPen(colour(palette.tertiary))
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y - 8, _LEFT - 8, 16), alignment, units.duration(ns))
        painter.setPen(colour(palette.tertiary))
        below = QRectF(first, HEIGHT_PX - _BOTTOM + 5, last - first, 16)
        many = tr("{count:,} runs").format(count=len(self._samples))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, many)
        if self._slow.any():
            self._draw_legend(painter, below)
        if len(self._warm):
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "warm-up")
            x = (self.x_of(-1) + self.x_of(0)) / 2
            painter.setPen(QPen(colour(palette.border), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, scale.top), QPointF(x, scale.bottom))

    def _draw_legend(self, painter: QPainter, below: QRectF) -> None:
        """Draw the meaning of the two shades of runs."""
        parts = list(
            zip(
                (tr("full CPU speed"), tr("CPU throttled or busy")), self._shades(), strict=True
            )
        )
        if below.width() < _ROOMY:
            del parts[0]
        wide = [painter.fontMetrics().horizontalAdvance(word) + 26 for word, _ in parts]
        x = below.center().x() - sum(wide) / 2
        for (text, shade), room in zip(parts, wide, strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shade)
            painter.drawEllipse(QPointF(x + 4, below.center().y()), 3, 3)
            painter.setPen(colour(self._theme.palette.tertiary))
            box = QRectF(x + 12, below.top(), room, below.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft, text)
            x += room

    def _shades(self) -> tuple[QColor, QColor]:
        """Return the shades of runs at full CPU speed and of throttled runs."""
        palette = self._theme.palette
        pale = palette_module.mix(palette.tertiary, palette.surface, 0.45)
        return colour(palette.activity, 0.55), colour(pale, 0.7)

    def _draw_change(self, painter: QPainter, scale: Scale) -> None:
        """The median before and after, and a line where it changed."""
        palette, change, count = self._theme.palette, self.course.change, len(self._samples)
        parts = [(0, count, self.course.middle_ns)]
        if change is not None:
            parts = [(0, change.at, change.before_ns), (change.at, count, change.after_ns)]
            x = (self.x_of(change.at - 1) + self.x_of(change.at)) / 2
            painter.setPen(QPen(colour(palette.caution), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, scale.top - 6), QPointF(x, scale.bottom))
        painter.setPen(QPen(colour(palette.accent), 1.6))
        for begin, end, middle in parts:
            y = scale.y(middle)
            painter.drawLine(QPointF(self.x_of(begin), y), QPointF(self.x_of(end - 1), y))

    def _draw_dots(self, painter: QPainter, scale: Scale) -> None:
        palette = self._theme.palette
        full, pale = self._shades()
        for shade, mask in ((pale, self._slow), (full, ~self._slow)):
            if len(self._samples) > _MAX_DOTS:
                self._draw_columns(painter, scale, shade, mask)
            else:
                self._draw_each(painter, scale, shade, mask)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(palette.tertiary), 1.2))
        for place, ns in enumerate(self._warm):
            x = self.x_of(place - len(self._warm))
            if ns <= scale.high:
                painter.drawEllipse(QPointF(x, scale.y(max(ns, scale.low))), 2.2, 2.2)
            else:
                _triangle(painter, x, scale.top)
        waited = set(self.course.waited)
        painter.setPen(Qt.PenStyle.NoPen)
        for place in self.course.outliers[:_MAX_DOTS]:
            painter.setBrush(colour(palette.caution if place in waited else palette.bad))
            _triangle(painter, self.x_of(place), scale.top)

    def _draw_each(
        self, painter: QPainter, scale: Scale, shade: QColor, mask: NDArray[np.bool_]
    ) -> None:
        """A dot for each prediction that is wanted."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        radius = 2.2 if len(self._samples) <= 300 else 1.5
        for place in np.flatnonzero(mask & (self._samples <= scale.high)).tolist():
            centre = QPointF(self.x_of(place), scale.y(self._samples[place]))
            painter.drawEllipse(centre, radius, radius)

    def _draw_columns(
        self, painter: QPainter, scale: Scale, shade: QColor, mask: NDArray[np.bool_]
    ) -> None:
        """For many predictions: from the least to the most of each pixel."""
        first, last = self._across()
        pixels = max(1, int(last - first))
        column = np.linspace(0, pixels - 1, len(self._samples)).astype(np.intp)
        low = np.full(pixels, np.inf)
        high = np.zeros(pixels)
        regular = mask & (self._samples <= scale.high)
        np.minimum.at(low, column[regular], self._samples[regular])
        np.maximum.at(high, column[regular], self._samples[regular])
        painter.setPen(QPen(shade, 1))
        begin = self.x_of(0)
        for pixel in np.flatnonzero(high):
            x = begin + pixel * (last - begin) / pixels
            top, bottom = scale.y(high[pixel]), scale.y(low[pixel]) + 1
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    def _draw_bars(self, painter: QPainter, scale: Scale) -> None:
        """The histogram, lying on its side on the same axis."""
        palette = self._theme.palette
        left, room = self.width() * (1 - _SHARE), self.width() * _SHARE - 2
        counts = _counts(self._samples, scale)
        full = _counts(self._samples, scale, ~self._slow)
        middle = self.course.middle_ns
        each = (scale.bottom - scale.top) / len(counts)
        painter.setPen(Qt.PenStyle.NoPen)
        for place, count in enumerate(counts):
            y = scale.bottom - (place + 1) * each
            holds = scale.y(middle) >= y and scale.y(middle) < y + each
            soft = palette_module.mix(palette.accent, palette.surface, 0.6)
            painter.setBrush(colour(palette.accent if holds else soft))
            if full[place]:
                width = max(2.0, room * full[place] / counts.max())
                painter.drawRoundedRect(QRectF(left, y + 0.5, width, each - 1), 1, 1)
            if count > full[place]:
                begin = left + room * full[place] / counts.max()
                width = max(2.0, room * (count - full[place]) / counts.max())
                painter.setBrush(self._shades()[1])
                painter.drawRoundedRect(QRectF(begin, y + 0.5, width, each - 1), 1, 1)


def _counts(
    samples: NDArray[np.float64], scale: Scale, mask: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Return how many samples each bar holds, from the bottom up; outliers in the last."""
    number = max(8, min(_BARS, len(samples) // 2))
    part = (samples - scale.low) / max(1.0, scale.high - scale.low)
    places = (part * number).astype(np.intp).clip(0, number - 1)
    return np.bincount(places if mask is None else places[mask], minlength=number)


def _ticks(scale: Scale) -> list[float]:
    """Round times between both ends, three to six of them."""
    span = max(1.0, scale.high - scale.low)
    step = 10.0 ** np.floor(np.log10(span / 3))
    for factor in (5, 2, 1):
        if span / (factor * step) >= 3:
            step *= factor
            break
    first = np.ceil(scale.low / step) * step
    return [float(ns) for ns in np.arange(first, scale.high, step)]


def _triangle(painter: QPainter, x: float, top: float) -> None:
    points = QPointF(x, top - 7), QPointF(x - 3.5, top - 1), QPointF(x + 3.5, top - 1)
    painter.drawPolygon(QPolygonF(points))


def _description(course: Course) -> str:
    samples = course.samples_ns
    if not samples:
        return ""
    text = tr("{count:,} runs from {duration} to ").format(
        count=len(samples), duration=units.duration(min(samples))
    )
    text += tr("{duration}; {count:,} outliers").format(
        duration=units.duration(max(samples)), count=len(course.outliers)
    )
    if course.slow:
        text += tr("; the CPU was throttled or busy in {count:,}").format(
            count=len(course.slow)
        )
    if course.change is not None:
        text += tr("; the median changed at run {at:,}").format(at=course.change.at + 1)
    return text
