"""Accuracy vs. latency: every candidate as a point, with its file size as the area."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from math import sqrt

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
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
from inspector.export.charts.drawing import Rectangle, place_labels
from inspector.export.charts.improvement_plot import Plot, PlotPoint, far_text, plot, radius
from inspector.export.charts.palette import mix
from inspector.report.improvement import (
    LATENCY,
    OVER,
    SIZE,
    UNDECIDED,
    WITHIN,
    Candidate,
    Improvement,
    value_text,
    verdict_text,
)
from inspector.ui.translate import mark, plural, tr, tr_message
from inspector.ui.widgets.parts import PADDING, Card, Elided, Segmented, label, row, tip
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 22, 26, 40  # of the plot within the widget, in pixels
_LEGEND_PX = 30
_HEIGHT_PX = 330
_LARGEST_PX = 11.0  # radius of the largest file
_REACH_PX = 14  # how near a click must be
_MOST_ROWS = 12
_MOST_LABEL = 48
_LABEL_SHARE = 0.6  # of the plot's width: a longer label is cut
_COUNTED_PX = 400  # of the card; a narrower one has no room for the number of candidates


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
        self._plot = Plot()
        self._current: Candidate | None = None
        self._best: Candidate | None = None
        self._at, self._busy = -1, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_HEIGHT_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(title(LATENCY))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a height with room for a few ticks."""
        return QSize(380, _HEIGHT_PX)

    def show_points(
        self, now: Improvement, current: Candidate | None, busy: bool, goal: str = LATENCY
    ) -> None:
        """Show other candidates. current: of the recipe; busy: whether more will come."""
        self._current, self._busy = current, busy
        self._best = now.candidates[now.best] if now.best >= 0 else None
        self._plot = plot(now, goal)
        self.setAccessibleName(title(self._plot.goal))
        self._at = min(self._at, len(self._plot.points) - 1)
        self._speak()
        self.update()

    @property
    def shown(self) -> tuple[PlotPoint, ...]:
        """The points within the picture."""
        return self._plot.points

    @property
    def goal(self) -> str:
        """What the x axis shows: LATENCY, or SIZE where no latency was measured."""
        return self._plot.goal

    def place_of(self, point: PlotPoint) -> QPointF:
        """Return where a point is drawn."""
        return self._at_values(point.x, point.y)

    def _at_values(self, across: float, up: float) -> QPointF:
        box, shown = self._box(), self._plot
        (left, right), (low, high) = shown.x_range, shown.y_range
        x = box.left() + (across - left) / (right - left) * box.width()
        y = box.bottom() - (up - low) / (high - low) * box.height()
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
        can = at >= 0 and self._plot.points[at].candidate is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next point by latency, or choose it."""
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key, 0)
        if step and self._plot.points:
            order = sorted(range(len(self._plot.points)), key=lambda n: self._plot.points[n].x)
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
            text = tip(*self._about(self._plot.points[at])) if at >= 0 else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _choose(self) -> None:
        point = self._plot.points[self._at] if 0 <= self._at < len(self._plot.points) else None
        if point is not None and point.candidate is not None:
            self.chosen.emit(point.candidate)

    def _nearest(self, position: QPointF) -> int:
        best, at = float(_REACH_PX), -1
        for number, point in enumerate(self._plot.points):
            apart = self.place_of(point) - position
            distance = sqrt(apart.x() ** 2 + apart.y() ** 2)
            if distance < best:
                best, at = distance, number
        return at

    def _about(self, point: PlotPoint) -> tuple[str, ...]:
        value = self._plot.text(point.y)
        return (
            point.name,
            tr("Accuracy {value}").format(value=value),
            (
                tr("Size is {ratio} of the original")
                if self._plot.goal == SIZE
                else tr("Latency is {ratio} of the original")
            ).format(ratio=f"{100 * point.x:.0f}%"),
            units.size(point.size_bytes),
        )

    def _speak(self) -> None:
        point = self._plot.points[self._at] if 0 <= self._at < len(self._plot.points) else None
        text = ", ".join(self._about(point)) if point is not None else ""
        count = plural(max(0, len(self._plot.points) - 1), "candidate")
        self.setAccessibleDescription(text or count)

    def _box(self) -> QRectF:
        height = self.height() - _TOP - _BOTTOM - _LEGEND_PX
        return QRectF(_LEFT, _TOP, max(60, self.width() - _LEFT - _RIGHT), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axes, limit, front, points, labels and legend."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._theme.palette
        if not self._plot.points:
            painter.setFont(font(12))
            painter.setPen(colour(look.tertiary))
            text = tr("Candidates appear here with their accuracy and latency.")
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(24, 0, -24, 0), flags, text)
            return
        self._draw_axes(painter)
        self._draw_front(painter)
        self._draw_intervals(painter)
        for point in self._plot.points:
            self._draw_point(painter, point)
        self._draw_labels(painter)
        self._draw_legend(painter)

    def _draw_axes(self, painter: QPainter) -> None:
        look, box, shown = self._theme.palette, self._box(), self._plot
        limit, (low, high) = shown.limit, shown.y_range
        painter.setFont(font(11))
        if limit is not None and low < limit < high:
            y = self._at_values(0, limit).y()
            shade = QRectF(box.left(), y, box.width(), box.bottom() - y)
            painter.fillRect(shade, colour(look.bad, 0.07))
            painter.setPen(QPen(colour(look.bad), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        for value in shown.y_ticks:
            y = self._at_values(0, value).y()
            painter.setPen(QPen(colour(look.grid), 1))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(colour(look.tertiary))
            room = QRectF(0, y - 9, box.left() - 8, 18)
            painter.drawText(room, _RIGHT_MIDDLE, shown.text(value))
        if (beside := self._limit_box()).isValid():
            painter.fillRect(beside, colour(look.surface))  # a line of the grid may lie there
            painter.fillRect(beside, colour(look.bad, 0.07))
            painter.setPen(colour(look.bad))
            painter.drawText(beside, Qt.AlignmentFlag.AlignLeft, tr("limit"))
            painter.setPen(colour(look.tertiary))
        for value in shown.x_ticks:
            x = self._at_values(value, 0).x()
            room = QRectF(x - 30, box.bottom() + 4, 60, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, f"{100 * value:.0f}%")
        painter.setPen(QPen(colour(look.border), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.setPen(colour(look.secondary))
        name = tr_message(shown.measure.name) if shown.measure is not None else ""
        painter.drawText(QRectF(0, 2, self.width(), 16), Qt.AlignmentFlag.AlignLeft, name)
        axis = (
            tr("File size, % of original")
            if shown.goal == SIZE
            else tr("Latency, p50, % of original")
        )
        below = QRectF(box.left(), box.bottom() + 19, box.width(), 16)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, axis)

    def _limit_box(self) -> QRectF:
        """Return where the word beside the limit stands; empty without one."""
        limit, (low, high) = self._plot.limit, self._plot.y_range
        if limit is None or not low < limit < high:
            return QRectF()
        wide = QFontMetricsF(font(11)).horizontalAdvance(tr("limit"))
        return QRectF(_LEFT + 4, self._at_values(0, limit).y() + 1, wide + 2, 16)

    def _draw_front(self, painter: QPainter) -> None:
        best = [self.place_of(point) for point in self._plot.front]
        painter.setPen(QPen(colour(self._theme.palette.accent, 0.6), 1.2))
        for one, two in pairwise(best):
            corner = QPointF(two.x(), one.y())
            painter.drawLine(one, corner)
            painter.drawLine(corner, two)

    def _disc(self, point: PlotPoint) -> QRectF:
        at, size = self.place_of(point), radius(point.size_bytes, self._plot, _LARGEST_PX)
        return QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size)

    def _interval(self, point: PlotPoint) -> QLineF | None:
        if point.low is None or point.high is None:
            return None
        ends = (self._at_values(point.x, y) for y in (point.high, point.low))
        return QLineF(*ends)

    def _draw_intervals(self, painter: QPainter) -> None:
        look = self._theme.palette
        for point in self._plot.points:
            line = self._interval(point)
            if line is not None:
                current = point.candidate is self._current
                pen = QPen(colour(look.text), 1.4) if current else (
                    QPen(colour(look.secondary, 0.4), 1)
                )  # fmt: skip
                painter.setPen(pen)
                painter.drawLine(line)

    def _draw_point(self, painter: QPainter, point: PlotPoint) -> None:
        look, at = self._theme.palette, self.place_of(point)
        disc, current = self._disc(point), point.candidate is self._current
        if point.candidate is None:
            painter.setPen(QPen(colour(look.text), 1.6))
            painter.setBrush(colour(look.surface))
            painter.drawEllipse(disc)
            painter.setBrush(colour(look.text))
            painter.drawEllipse(at, 1.6, 1.6)
        else:
            tint = look.tertiary if point.over else look.accent
            painter.setPen(QPen(colour(tint), 1.4))
            painter.setBrush(colour(tint if current else mix(look.surface, tint, 0.55)))
            painter.drawEllipse(disc)
            if current:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(disc.adjusted(-4, -4, 4, 4))
        at_keys = (
            0 <= self._at < len(self._plot.points) and point is self._plot.points[self._at]
        )
        if self.hasFocus() and at_keys:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(look.text), 1, Qt.PenStyle.DotLine))
            painter.drawRect(disc.adjusted(-7, -7, 7, 7))

    def _draw_labels(self, painter: QPainter) -> None:
        """Write the name of each point where it covers nothing, those that matter first."""
        look, box = self._theme.palette, self._box()
        ordered = sorted(self._plot.points, key=lambda p: not self._matters(p))
        texts, sizes = list[str](), list[tuple[float, float]]()
        for point in ordered:
            metrics = QFontMetricsF(self._label_font(point))
            current = point.candidate is not None and point.candidate is self._current
            name = tr("this recipe") if current else tr_message(point.name)
            best = point.candidate is not None and point.candidate is self._best
            if best and not current:
                name = tr("{name} (recommended)").format(name=name)
            name = tr("original") if point.candidate is None else name
            text = metrics.elidedText(
                units.clip(name, _MOST_LABEL),
                Qt.TextElideMode.ElideMiddle,
                _LABEL_SHARE * box.width(),
            )
            texts.append(text)
            sizes.append((metrics.horizontalAdvance(text) + 2, metrics.height()))
        lines = [line for line in map(self._interval, ordered) if line is not None]
        if (limit := self._plot.limit) is not None:
            y = self._at_values(0, limit).y()
            lines.append(QLineF(box.left(), y, box.right(), y))
        placements = place_labels(
            [_edges(self._disc(point)) for point in ordered],
            sizes,
            (box.left() + 2, box.top() - 8, box.right() + _RIGHT, box.bottom() - 1),
            [_edges(self._limit_box())],
            [(line.x1(), line.y1(), line.x2(), line.y2()) for line in lines],
        )
        for point, text, placement in zip(ordered, texts, placements, strict=True):
            left, top, right, bottom = placement.box
            if placement.leader is not None:
                painter.setPen(QPen(colour(look.tertiary), 0.8))
                painter.drawLine(*(QPointF(*end) for end in placement.leader))
            painter.setFont(self._label_font(point))
            painter.setPen(colour(look.text if self._matters(point) else look.secondary))
            where = QRectF(left, top, right - left, bottom - top)
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)

    def _matters(self, point: PlotPoint) -> bool:
        return point.candidate is None or point.candidate is self._current

    def _label_font(self, point: PlotPoint) -> QFont:
        return font(11, 600 if self._matters(point) else 400)

    def _draw_legend(self, painter: QPainter) -> None:
        """Draw the legend: meaning of areas, and candidates outside of the plot."""
        look = self._theme.palette
        y, x = self.height() - _LEGEND_PX / 2, 0.0
        painter.setPen(QPen(colour(look.hairline), 1))
        top = self.height() - _LEGEND_PX
        painter.drawLine(QPointF(0, top), QPointF(self.width(), top))
        painter.setFont(font(11))
        sizes = sorted({p.size_bytes for p in self._plot.points})
        for size_bytes in dict.fromkeys((sizes[0], sizes[-1])):
            size = radius(size_bytes, self._plot, _LARGEST_PX)
            painter.setPen(QPen(colour(look.secondary), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x + _LARGEST_PX, y), size, size)
            text = units.size(size_bytes)
            painter.drawText(QPointF(x + 2 * _LARGEST_PX + 6, y + 4), text)
            advance = painter.fontMetrics().horizontalAdvance(text)
            x += 2 * _LARGEST_PX + 6 + advance + 14
        texts = [far_text(self._plot)] if self._plot.far else []
        texts += [tr("measuring more…")] if self._busy else []
        room = QRectF(x, y - 9, self.width() - x, 18)
        text = painter.fontMetrics().elidedText(
            "   ".join(texts), Qt.TextElideMode.ElideLeft, int(room.width())
        )
        painter.drawText(room, _RIGHT_MIDDLE, text)


def _edges(box: QRectF) -> Rectangle:
    return box.left(), box.top(), box.right(), box.bottom()


_RIGHT_MIDDLE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


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


_NAME_PX, _LEAST_NAME_PX = 130, 60
_WIDTHS_PX = {Column.SIZE: 66, Column.LATENCY: 62, Column.ACCURACY: 66, Column.VERDICT: 124}
_SIGN_PX = 32  # of the verdict where there is no room for its words
_ICON_PX = 16
_BEST_SIGN = "certain", "accent"
_SIGNS = {WITHIN: ("check", "good"), OVER: ("warning", "bad"), UNDECIDED: ("info", "tertiary")}


class CandidateModel(TableModel[Column]):
    """All candidates in the order in which they were made."""

    def __init__(self) -> None:
        super().__init__(tuple(Column), 0)
        self.now: Improvement | None = None
        self.signs_only = False  # in the column of verdicts
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
                change = held.known_change if held is not None else None
                return "" if change is None else units.change(1 + change)
            case Column.ACCURACY:
                measure = candidate.measure(self.now.main)
                return "" if measure is None else value_text(measure)
            case Column.VERDICT:
                best = self.is_best(row)
                return tr("Recommended") if best else verdict_word(self.now, candidate)

    def title(self, column: Column) -> str:
        """Return the title of a column; "" where it has room for a sign only."""
        return "" if column is Column.VERDICT and self.signs_only else super().title(column)

    def is_best(self, row: int) -> bool:
        """Return whether a row is the candidate that a search recommends."""
        return self.now is not None and self.place_of(row) == self.now.best

    def hint(self, row: int, column: Column) -> str:
        """Return the whole problem of a candidate that cannot be used, or its verdict."""
        candidate = self.candidates[self.place_of(row)]
        if candidate.problem or self.now is None:
            return tip(candidate.problem)
        best = tr("Recommended") if self.is_best(row) else ""
        return tip(candidate.name, verdict_text(self.now, candidate), best)

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
                changes = [c.latency.known_change if c.latency else None
                           for c in self.candidates]  # fmt: skip
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

    elide = Qt.TextElideMode.ElideRight

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
        best = model.is_best(row)
        painter.setFont(font(12, 600 if best else 500 if column is Column.NAME else 400))
        text = model.text(row, column)
        if column is Column.VERDICT and model.now is not None:
            sign = _SIGNS[OVER if candidate.problem else model.now.verdict(candidate)]
            at = QPointF(box.left(), box.center().y() - _ICON_PX / 2)
            painter.drawPixmap(at, self._theme.pixmap(*(_BEST_SIGN if best else sign)))
            box = box.adjusted(_ICON_PX + 6, 0, 0, 0)
            text = "" if model.signs_only else text
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
        """Give the columns their room; names get what is over.

        Where there is little, the verdict is a sign, and at worst latency or size is left out,
        the one that the search was not for.
        """
        widths = dict(_WIDTHS_PX)
        now = self.candidates.now
        by_size = now is not None and now.goal == SIZE
        few = width - sum(widths.values()) < _NAME_PX + _ICON_PX
        self.candidates.signs_only = few
        if few:
            widths[Column.VERDICT] = _SIGN_PX
        if width - sum(widths.values()) < _NAME_PX - _ICON_PX:
            widths[Column.LATENCY if by_size else Column.SIZE] = 0
        name = max(_LEAST_NAME_PX, width - sum(widths.values()))
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
        self.chart.show_points(now, current, busy, goal)
        self.heading.setText(title(self.chart.goal))
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
