"""Accuracy vs. latency: every candidate as a point, with its file size as the area."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import sqrt

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QToolTip, QWidget

from inspector import units
from inspector.export.charts.palette import mix
from inspector.report.improvement import (
    LATENCY,
    MIN_INPUTS,
    OVER,
    SIZE,
    WITHIN,
    Candidate,
    Improvement,
    value_text,
)
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import PADDING, Card, Elided, Segmented, label, row, tip
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 22, 26, 40  # of the plot within the widget, in pixels
_LEGEND_PX = 30
_HEIGHT_PX = 330
_LARGEST_PX, _SMALLEST_PX = 11.0, 3.0  # radius of the largest file, and of any
_REACH_PX = 14  # how near a click must be
_TICKS = 5
_ROOM = 0.12  # around the points, as a share of their range
_LEAST_RANGE = 0.02  # of accuracy and of relative latency, so that noise does not fill it
_FAR = 3.0  # times the slower of original and median candidate: named at the edge instead
_MOST_ROWS = 12
_MOST_LABEL = 28
_MOST_ACCURACY = 1.0001  # all measures of a verdict are shares
_COUNTED_PX = 400  # of the card; a narrower one has no room for the number of candidates


@dataclass(frozen=True, slots=True)
class Point:
    """A candidate in the picture. x: latency or size, 1 is the original's; y: the accuracy."""

    name: str
    x: float
    y: float
    size_bytes: int
    candidate: Candidate | None = None  # None: the original
    low: float | None = None
    high: float | None = None
    over: bool = False


def points(now: Improvement, goal: str = LATENCY) -> tuple[Point, ...]:
    """Return the original and all candidates that have an accuracy and a number of the goal.

    goal: LATENCY or SIZE.
    """
    found: list[Point] = []
    first = 1.0
    for candidate in now.candidates:
        measure, latency = candidate.measure(now.main), candidate.latency
        x = candidate.size_bytes / max(1, now.original.size_bytes)
        if goal != SIZE:
            x = 1 + latency.change if latency is not None and latency.change is not None else 0
        if measure is None or not x:
            continue
        base = measure.original if measure.original is not None else 1.0
        first = base
        several = measure.count > 1  # one input says nothing about others
        low = max(0.0, base + measure.low) if several and measure.low is not None else None
        high = min(1.0, base + measure.high) if several and measure.high is not None else None
        over = now.verdict(candidate) == OVER
        found.append(
            Point(candidate.name, x, measure.value, candidate.size_bytes,
                  candidate, low, high, over)
        )  # fmt: skip
    if not found:
        return ()
    return (Point(tr("original"), 1.0, first, now.original.size_bytes), *found)


def front(shown: Sequence[Point]) -> tuple[Point, ...]:
    """Return the points that no other one beats in both latency and accuracy, by latency."""
    best: list[Point] = []
    for point in sorted(shown, key=lambda each: (each.x, -each.y)):
        if not best or point.y > best[-1].y:
            best.append(point)
    return tuple(best)


def title(goal: str) -> str:
    """Return what the picture shows: the accuracy against what the search is for."""
    return tr("Accuracy vs. size") if goal == SIZE else tr("Accuracy vs. latency")


class ParetoChart(QWidget):
    """Paints the points; a click, or arrow keys and Return, chooses a candidate."""

    chosen = Signal(object)  # Candidate

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._now: Improvement | None = None
        self._points: tuple[Point, ...] = ()
        self._far: tuple[Point, ...] = ()
        self._current: Candidate | None = None
        self._at, self._busy = -1, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_HEIGHT_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._goal = LATENCY
        self.setAccessibleName(title(LATENCY))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a height with room for a few ticks."""
        return QSize(380, _HEIGHT_PX)

    def show_points(
        self, now: Improvement, current: Candidate | None, busy: bool, goal: str = LATENCY
    ) -> None:
        """Show other candidates. current: of the recipe; busy: whether more will come."""
        self._now, self._current, self._busy, self._goal = now, current, busy, goal
        self.setAccessibleName(title(goal))
        every = points(now, goal)
        slow = _FAR * max(1.0, float(np.median([p.x for p in every])) if every else 1.0)
        self._points = tuple(p for p in every if p.x <= slow)
        self._far = tuple(p for p in every if p.x > slow)
        self._at = min(self._at, len(self._points) - 1)
        self._speak()
        self.update()

    @property
    def shown(self) -> tuple[Point, ...]:
        """The points within the picture."""
        return self._points

    def place_of(self, point: Point) -> QPointF:
        """Return where a point is drawn."""
        box, (left, right), (low, high) = self._frame()
        x = box.left() + (point.x - left) / (right - left) * box.width()
        y = box.bottom() - (point.y - low) / (high - low) * box.height()
        return QPointF(x, y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the candidate that is clicked."""
        at = self._nearest(event.position())
        if at >= 0:
            self._at = at
            self._choose()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show that a point can be clicked."""
        at = self._nearest(event.position())
        can = at >= 0 and self._points[at].candidate is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next point by latency, or choose it."""
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key, 0)
        if step and self._points:
            order = sorted(range(len(self._points)), key=lambda n: self._points[n].x)
            place = order.index(self._at) + step if self._at >= 0 else 0
            self._at = order[max(0, min(place, len(order) - 1))]
            self._speak()
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which point the keys are at."""
        super().focusInEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the point under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._nearest(QPointF(event.pos()))
            text = tip(*self._about(self._points[at])) if at >= 0 else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _choose(self) -> None:
        point = self._points[self._at] if 0 <= self._at < len(self._points) else None
        if point is not None and point.candidate is not None:
            self.chosen.emit(point.candidate)

    def _nearest(self, position: QPointF) -> int:
        best, at = float(_REACH_PX), -1
        for number, point in enumerate(self._points):
            apart = self.place_of(point) - position
            distance = sqrt(apart.x() ** 2 + apart.y() ** 2)
            if distance < best:
                best, at = distance, number
        return at

    def _about(self, point: Point) -> tuple[str, ...]:
        value = self._value(point.y)
        return (
            point.name,
            tr("Accuracy {value}").format(value=value),
            (
                tr("Size is {ratio} of the original")
                if self._goal == SIZE
                else tr("Latency is {ratio} of the original")
            ).format(ratio=f"{100 * point.x:.0f}%"),
            units.size(point.size_bytes),
        )

    def _speak(self) -> None:
        point = self._points[self._at] if 0 <= self._at < len(self._points) else None
        text = ", ".join(self._about(point)) if point is not None else ""
        count = plural(max(0, len(self._points) - 1), "candidate")
        self.setAccessibleDescription(text or count)

    def _value(self, y: float) -> str:
        now = self._now
        measures = [c.measure(now.main) for c in now.candidates] if now is not None else []
        measure = next((each for each in measures if each is not None), None)
        return value_text(measure, y) if measure is not None else f"{y:.3g}"

    def _frame(self) -> tuple[QRectF, tuple[float, float], tuple[float, float]]:
        """Return the box of the plot, and the ranges of both axes."""
        height = self.height() - _TOP - _BOTTOM - _LEGEND_PX
        box = QRectF(_LEFT, _TOP, max(60, self.width() - _LEFT - _RIGHT), height)
        xs = [p.x for p in self._points] or [0.5, 1.0]
        ys = [p.y for p in self._points] or [0.0, 1.0]
        limit = self._limit()
        ys += [limit] if limit is not None else []
        for point in self._points:
            if point.candidate is self._current:
                ys += [end for end in (point.low, point.high) if end is not None]
        return box, _range(xs), _range(ys)

    def _limit(self) -> float | None:
        now = self._now
        if now is None or now.limit is None or not self._points:
            return None
        measures = (c.measure(now.main) for c in now.candidates)
        if any(each is not None and each.count < MIN_INPUTS for each in measures):
            return None  # there is no verdict
        return self._points[0].y - now.limit

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axes, limit, front, points, labels and legend."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._theme.palette
        if not self._points:
            painter.setFont(font(12))
            painter.setPen(colour(look.tertiary))
            text = tr("Candidates appear here with their accuracy and latency.")
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(24, 0, -24, 0), flags, text)
            return
        self._draw_axes(painter)
        self._draw_front(painter)
        taken = [self._disc(point) for point in self._points]
        for point in self._points:
            self._draw_point(painter, point)
        for point in sorted(self._points, key=lambda p: p.candidate is not self._current):
            self._draw_label(painter, point, taken)
        self._draw_legend(painter)

    def _draw_axes(self, painter: QPainter) -> None:
        look, (box, (left, right), (low, high)) = self._theme.palette, self._frame()
        limit = self._limit()
        if limit is not None and limit > low:
            y = box.bottom() - (limit - low) / (high - low) * box.height()
            shade = QRectF(box.left(), y, box.width(), box.bottom() - y)
            painter.fillRect(shade, colour(look.bad, 0.07))
        painter.setFont(font(11))
        for value in _ticks(low, min(high, _MOST_ACCURACY)):
            y = box.bottom() - (value - low) / (high - low) * box.height()
            painter.setPen(QPen(colour(look.grid), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(colour(look.tertiary))
            room = QRectF(0, y - 9, box.left() - 8, 18)
            painter.drawText(room, _RIGHT_MIDDLE, self._value(value))
        for value in _ticks(left, right):
            x = box.left() + (value - left) / (right - left) * box.width()
            room = QRectF(x - 30, box.bottom() + 4, 60, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, f"{100 * value:.0f}%")
        painter.setPen(QPen(colour(look.border), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.setPen(colour(look.secondary))
        now = self._now
        measures = [c.measure(now.main) for c in now.candidates] if now is not None else []
        name = next((each.name for each in measures if each is not None), "")
        painter.drawText(QRectF(0, 2, self.width(), 16), Qt.AlignmentFlag.AlignLeft, name)
        axis = (
            tr("File size, % of original")
            if self._goal == SIZE
            else tr("Latency, p50, % of original")
        )
        below = QRectF(box.left(), box.bottom() + 19, box.width(), 16)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, axis)
        if limit is not None and low < limit < high:
            y = box.bottom() - (limit - low) / (high - low) * box.height()
            pen = QPen(colour(look.bad), 1, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            room = QRectF(box.left() + 4, y + 1, box.width() - 8, 16)
            end = QRectF(box.right() - 40, y - 12, 40, 30)
            hidden = any(end.intersects(self._disc(point)) for point in self._points)
            side = Qt.AlignmentFlag.AlignLeft if hidden else Qt.AlignmentFlag.AlignRight
            painter.drawText(room, side, tr("limit"))

    def _draw_front(self, painter: QPainter) -> None:
        best = [self.place_of(point) for point in front(self._points)]
        painter.setPen(QPen(colour(self._theme.palette.accent, 0.6), 1.2))
        for one, two in pairwise(best):
            corner = QPointF(two.x(), one.y())
            painter.drawLine(one, corner)
            painter.drawLine(corner, two)

    def _radius(self, size_bytes: int) -> float:
        largest = max((p.size_bytes for p in (*self._points, *self._far)), default=1) or 1
        return max(_SMALLEST_PX, _LARGEST_PX * sqrt(size_bytes / largest))

    def _disc(self, point: Point) -> QRectF:
        at, radius = self.place_of(point), self._radius(point.size_bytes)
        return QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)

    def _draw_point(self, painter: QPainter, point: Point) -> None:
        look, at = self._theme.palette, self.place_of(point)
        disc, current = self._disc(point), point.candidate is self._current
        if point.candidate is None:
            painter.setPen(QPen(colour(look.text), 1.6))
            painter.setBrush(colour(look.surface))
            painter.drawEllipse(disc)
            painter.setBrush(colour(look.text))
            painter.drawEllipse(at, 1.6, 1.6)
        else:
            if current and point.low is not None and point.high is not None:
                ends = [QPointF(at.x(), self.place_of(_at_height(point, y)).y())
                        for y in (point.low, point.high)]  # fmt: skip
                painter.setPen(QPen(colour(look.text), 1.4))
                painter.drawLine(*ends)
            tint = look.tertiary if point.over else look.accent
            painter.setPen(QPen(colour(tint), 1.4))
            painter.setBrush(colour(tint if current else mix(look.surface, tint, 0.55)))
            painter.drawEllipse(disc)
            if current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(disc.adjusted(-4, -4, 4, 4))
        at_keys = 0 <= self._at < len(self._points) and point is self._points[self._at]
        if self.hasFocus() and at_keys:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(look.text), 1, Qt.PenStyle.DotLine))
            painter.drawRect(disc.adjusted(-7, -7, 7, 7))

    def _draw_label(self, painter: QPainter, point: Point, taken: list[QRectF]) -> None:
        """Write the name of a point where it covers least; leave it out where it hides one."""
        look, current = self._theme.palette, point.candidate is self._current
        known = current or point.candidate is None
        painter.setFont(font(11, 600 if known else 400))
        name = tr("this recipe") if current and point.candidate else point.name
        text = units.clip(name, _MOST_LABEL)
        metrics, disc = painter.fontMetrics(), self._disc(point)
        wide, tall = metrics.horizontalAdvance(text) + 2, metrics.height()
        middle = disc.center()
        room = self._frame()[0].adjusted(2, -8, _RIGHT, 0)
        across = max(room.left(), min(middle.x() - wide / 2, room.right() - wide))
        boxes = (
            QRectF(disc.right() + 6, middle.y() - tall / 2, wide, tall),
            QRectF(disc.left() - 6 - wide, middle.y() - tall / 2, wide, tall),
            QRectF(across, disc.top() - 5 - tall, wide, tall),
            QRectF(across, disc.bottom() + 4, wide, tall),
        )
        for box in boxes:
            if room.contains(box) and not any(box.intersects(other) for other in taken):
                painter.fillRect(box, colour(look.surface, 0.75))
                painter.setPen(colour(look.text if known else look.secondary))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                taken.append(box)
                return

    def _draw_legend(self, painter: QPainter) -> None:
        """Draw the legend: meaning of areas, and candidates outside of the plot."""
        look = self._theme.palette
        y, x = self.height() - _LEGEND_PX / 2, 0.0
        painter.setPen(QPen(colour(look.hairline), 1))
        top = self.height() - _LEGEND_PX
        painter.drawLine(QPointF(0, top), QPointF(self.width(), top))
        painter.setFont(font(11))
        sizes = sorted({p.size_bytes for p in self._points})
        for size_bytes in dict.fromkeys((sizes[0], sizes[-1])):
            radius = self._radius(size_bytes)
            painter.setPen(QPen(colour(look.secondary), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x + _LARGEST_PX, y), radius, radius)
            text = units.size(size_bytes)
            painter.drawText(QPointF(x + 2 * _LARGEST_PX + 6, y + 4), text)
            advance = painter.fontMetrics().horizontalAdvance(text)
            x += 2 * _LARGEST_PX + 6 + advance + 14
        texts = [f"{p.name}: {100 * p.x:.0f}% →" for p in self._far[:1]]
        texts += [tr("measuring more…")] if self._busy else []
        room = QRectF(x, y - 9, self.width() - x, 18)
        text = painter.fontMetrics().elidedText(
            "   ".join(texts), Qt.TextElideMode.ElideLeft, int(room.width())
        )
        painter.drawText(room, _RIGHT_MIDDLE, text)


_RIGHT_MIDDLE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def _at_height(point: Point, y: float) -> Point:
    return Point(point.name, point.x, y, point.size_bytes)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a range that holds all values, with room around them."""
    low, high = min(values), max(values)
    spread = max(high - low, _LEAST_RANGE)
    middle = (low + high) / 2
    half = spread / 2 + _ROOM * spread
    return middle - half, middle + half


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers within a range, about _TICKS of them."""
    raw = (high - low) / _TICKS
    power = 10.0 ** np.floor(np.log10(raw))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
    first = np.ceil(low / step) * step
    return [float(value) for value in np.arange(first, high, step)]


# Every candidate as a row, for the keyboard and for those that the picture leaves out.


class Column(StrEnum):
    """A column of the table of candidates."""

    NAME = mark("Recipe")
    SIZE = mark("Size")
    LATENCY = mark("Latency")
    ACCURACY = mark("Accuracy")
    VERDICT = mark("Verdict")

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self in (Column.SIZE, Column.LATENCY, Column.ACCURACY)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self is Column.ACCURACY


_NAME_PX = 130
_WIDTHS_PX = {Column.SIZE: 78, Column.LATENCY: 76, Column.ACCURACY: 76, Column.VERDICT: 100}


class CandidateModel(TableModel[Column]):
    """All candidates in the order in which they were made."""

    def __init__(self) -> None:
        super().__init__(tuple(Column), 0)
        self.now: Improvement | None = None
        self.candidates: tuple[Candidate, ...] = ()

    def show_candidates(self, now: Improvement) -> None:
        """Show other candidates."""
        self.now, self.candidates = now, now.candidates
        self.start_over(len(now.candidates))

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        candidate = self.candidates[self.place_of(row)]
        assert self.now is not None
        match column:
            case Column.NAME:
                return units.clip(candidate.name, 80)
            case Column.SIZE:
                return units.size(candidate.size_bytes) if candidate.size_bytes else ""
            case Column.LATENCY:
                held = candidate.latency
                change = held.change if held is not None else None
                return "" if change is None else units.change(1 + change)
            case Column.ACCURACY:
                measure = candidate.measure(self.now.main)
                return "" if measure is None else value_text(measure)
            case Column.VERDICT:
                return verdict_word(self.now, candidate)

    def hint(self, row: int, column: Column) -> str:
        """Return the whole problem of a candidate that cannot be used."""
        candidate = self.candidates[self.place_of(row)]
        return tip(candidate.problem) if candidate.problem else super().hint(row, column)

    def meaning(self, column: Column) -> str:
        """Return what a title means."""
        if column is Column.LATENCY:
            return tr("Change in median latency, measured interleaved with the original")
        return ""

    def keys(self, column: Column) -> Keys:
        """Return the sort keys of a column."""
        now = self.now
        match column:
            case Column.SIZE:
                return np.array([float(c.size_bytes) or np.nan for c in self.candidates])
            case Column.LATENCY:
                changes = [c.latency.change if c.latency else None for c in self.candidates]
                return np.array([np.nan if one is None else one for one in changes])
            case Column.ACCURACY:
                held = [c.measure(now.main) if now is not None else None
                        for c in self.candidates]  # fmt: skip
                return np.array([np.nan if one is None else one.value for one in held])
            case Column.VERDICT:
                assert now is not None
                return ranks([verdict_word(now, c) for c in self.candidates])
            case Column.NAME:
                return ranks([c.name.casefold() for c in self.candidates])

    def haystack(self) -> Sequence[str]:
        """Return the names."""
        return [candidate.name.casefold() for candidate in self.candidates]


def verdict_word(now: Improvement, candidate: Candidate) -> str:
    """Return a candidate's verdict as one or two words."""
    if candidate.problem:
        return tr("Cannot be used")
    verdict = now.verdict(candidate)
    if verdict == WITHIN:
        return tr("Within limit")
    return tr("Over limit") if verdict == OVER else tr("Inconclusive")


class CandidateCells(Cells[Column]):
    """Draws a candidate; its verdict in the color of what it means."""

    def __init__(self, theme: Theme, model: CandidateModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw one cell."""
        look, model = self._theme.palette, self._model
        candidate = model.candidates[model.place_of(row)]
        tint = look.text if column is Column.NAME else look.secondary
        if column in (Column.VERDICT, Column.ACCURACY) and model.now is not None:
            verdict = model.now.verdict(candidate)
            tint = {WITHIN: look.good, OVER: look.bad}.get(verdict, look.secondary)
            tint = look.bad if candidate.problem else tint
        painter.setFont(font(12, 500 if column is Column.NAME else 400))
        text = model.text(row, column)
        self.draw_text(painter, box, text, look.on_selection if chosen else tint, column)


class CandidateTable(Table):
    """A row for each candidate; a click or Return takes one as the recipe."""

    chosen = Signal(object)  # Candidate

    def __init__(self, theme: Theme) -> None:
        model = CandidateModel()
        super().__init__(theme, tr("Candidates"), model, CandidateCells(theme, model))
        self.candidates = model
        self.lay_flat(_MOST_ROWS)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():  # where a click also activates, the first signal renewed the rows
            model = self.candidates
            self.chosen.emit(model.candidates[model.place_of(index.row())])

    def fit(self, width: int) -> None:
        """Give the columns their room; names get what is over, some are left out."""
        widths = dict(_WIDTHS_PX)
        for column in (Column.VERDICT, Column.SIZE):  # the accuracy has the verdict's color
            if width - sum(widths.values()) < _NAME_PX:
                widths[column] = 0
        name = max(_NAME_PX, width - sum(widths.values()))
        self.place_columns((name, *widths.values()))


class ParetoCard(Card):
    """The picture of all candidates, and the same as a table."""

    chosen = Signal(object)  # Candidate

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=1)
        self.chart, self.table = ParetoChart(theme), CandidateTable(theme)
        self.views = Segmented(theme, (mark("Plot"), mark("Table")), 52)
        self.views.setAccessibleName(tr("View of the candidates"))
        self.count = Elided("", "secondary")
        self.heading = label(title(LATENCY), "heading")
        head = row(self.heading, 4, self.count, self.views, stretch=2)
        head.setContentsMargins(PADDING - 1, 5, 7, 5)
        framed = QWidget()
        framed.setLayout(row(self.chart))
        framed.setContentsMargins(PADDING - 1, 0, PADDING - 1, 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(framed)
        self._stack.addWidget(self.table)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self._stack, 1)
        self.body.setContentsMargins(1, 1, 1, 4)
        self.views.chosen.connect(self._stack.setCurrentIndex)
        self.chart.chosen.connect(self.chosen)
        self.table.chosen.connect(self.chosen)

    def show_improvement(
        self, now: Improvement, current: Candidate | None, busy: bool, goal: str = LATENCY
    ) -> None:
        """Show the candidates. current: of the recipe; busy: whether more will come."""
        self.heading.setText(title(goal))
        self.chart.show_points(now, current, busy, goal)
        self.table.candidates.show_candidates(now)
        place = next((n for n, c in enumerate(now.candidates) if c is current), None)
        self.table.show_row(None if place is None else self.table.candidates.row_at(place))
        self.table.fit(self.width() - 2)
        self.count.set_text(plural(len(now.candidates), "candidate"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns into the new width."""
        super().resizeEvent(event)
        self.count.setVisible(self.width() >= _COUNTED_PX)
        self.table.fit(self.width() - 2)
