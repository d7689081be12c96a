"""The reports of a series from the oldest to the newest, with what changed for good."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10
from statistics import geometric_mean

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector import units
from inspector.pages.lists.past_reports import day, moment
from inspector.report.history import PastReport
from inspector.statistics.change_points import ChangePoint
from inspector.ui.translate import interval, mark, plural, tr
from inspector.ui.widgets.accessible import forget_items, tell_current
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.parts import follow
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_LEFT, _TOP, _BOTTOM, _RIGHT, _LOWEST = 72, 26, 24, 12, 150
_MOST_DOTS = 200  # more of them are a line alone
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a trend is of. field: of PastReport, 0 where unknown. change: text of a ratio."""

    field: str
    title: str
    text: Callable[[float], str]
    change: Callable[[float], str]


QUANTITIES = (
    Quantity("p50_ns", mark("Latency p50"), units.duration, units.time_change),
    Quantity("memory_bytes", mark("Peak process memory"), units.size, units.change),
    Quantity("model_bytes", mark("File size"), units.size, units.change),
)


class TrendChart(QWidget):
    """One point for each report, with its interval; lines where the level changed.

    chosen: emitted with the place of a report in the series when the user selects its point.
    """

    chosen = Signal(int)
    ITEM_ROLES = (QAccessible.Role.List, QAccessible.Role.ListItem)  # reports

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._hover = theme, Hover(theme, self)
        self.series: tuple[PastReport, ...] = ()
        self.changes: tuple[ChangePoint, ...] = ()
        self.quantity = QUANTITIES[0]
        self.current = -1
        self.setMinimumHeight(_LOWEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Trend of the selected model"))
        follow(theme, self, self.update)

    def show_series(
        self,
        series: tuple[PastReport, ...],
        changes: Sequence[ChangePoint],
        quantity: Quantity,
    ) -> None:
        """Show a series of reports, the oldest first."""
        forget_items(self)
        self.series, self.changes, self.quantity = series, tuple(changes), quantity
        self.setAccessibleDescription(self.description())
        self.update()

    def show_current(self, place: int) -> None:
        """Mark the report that is selected; -1 for none."""
        self.current = place
        tell_current(self)
        self.update()

    def item_count(self) -> int:
        """Return the number of reports, for screen readers."""
        return len(self.series)

    def item_name(self, number: int) -> str:
        """Return when a report was made, and its value."""
        value = self.values()[number]
        text = self.quantity.text(value) if value else tr("Unknown")
        return f"{moment(self.series[number])}, {text}"

    def item_box(self, number: int) -> QRect:
        """Return the column of a report."""
        first, last = self.x_of(number - 0.5), self.x_of(number + 0.5)
        return QRectF(first, _TOP, last - first, self.height() - _TOP).toAlignedRect()

    def current_item(self) -> int:
        """Return the report that is selected."""
        return self.current

    def values(self) -> list[float]:
        """Return the value of each report; 0 where it is unknown."""
        return [float(getattr(each, self.quantity.field)) for each in self.series]

    def description(self) -> str:
        """Return in words what the chart shows."""
        values, write = self.values(), self.quantity.text
        if not values:
            return ""
        begin = tr("{title}, {reports}: from {first} to {last}").format(
            title=tr(self.quantity.title),
            reports=plural(len(values), "report"),
            first=write(values[0]),
            last=write(values[-1]),
        )
        return "; ".join((begin, *map(self.change_text, self.changes)))

    def change_text(self, change: ChangePoint) -> str:
        """Return what changed, by how much, and when or since when."""
        text, begin = self.quantity.change(change.ratio), moment(self.series[change.at])
        if change.end >= len(self.series):
            return tr("{change} since {date}").format(change=text, date=begin)
        end = moment(self.series[change.end - 1])
        return tr("{change} from {date} to {end}").format(change=text, date=begin, end=end)

    def x_of(self, place: float) -> float:
        """Return where a report is drawn."""
        width = self.width() - _LEFT - _RIGHT
        return _LEFT + (place + 0.5) / max(1, len(self.series)) * width

    def place_at(self, x: float) -> int:
        """Return the report nearest to a pixel; -1 beside them."""
        width = self.width() - _LEFT - _RIGHT
        place = floor((x - _LEFT) / max(1, width) * len(self.series))
        return place if 0 <= place < len(self.series) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show which report is under the pointer."""
        place = self.place_at(event.position().x())
        if place < 0:
            self._hover.hide()
            return
        report = self.series[place]
        facts = [(tr("Date"), moment(report)), (tr("Latency p50"), _latency(report))]
        if report.memory_bytes:
            facts.append((tr("Peak process memory"), units.size(report.memory_bytes)))
        facts.append((tr("File size"), units.size(report.model_bytes)))
        if report.tags or report.note:
            facts.append((tr("Tags"), units.clip(" ".join((*report.tags, report.note)), 60)))
        title = units.clip(report.path.name, 60)
        self._hover.show_facts(event.position().toPoint(), title, tuple(facts))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the tooltip when the pointer leaves."""
        self._hover.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the report that was clicked."""
        self._choose(self.place_at(event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right select the report before and after; Home and End the outer ones."""
        last = len(self.series) - 1
        target = {
            Qt.Key.Key_Left: max(0, self.current - 1),
            Qt.Key.Key_Right: min(last, self.current + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
        else:
            self._choose(target)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self.series):
            self.show_current(place)
            self.chosen.emit(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axis, intervals, points, and the level before and after each change."""
        values = self.values()
        known = [value for value in values if value > 0]
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(colour(self._theme.palette.accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        if not known:
            self._say_unknown(painter)
            return
        timed = self.quantity.field == "p50_ns"
        lows = [each.low_ns for each in self.series if timed and each.low_ns]
        highs = [each.high_ns for each in self.series if timed and each.high_ns]
        low, high = min(*known, *lows, known[0]), max(*known, *highs, known[0])
        room = max(0.12 * (high - low), 0.02 * high)
        low, high = max(0.0, low - room), high + room

        def y_of(value: float) -> float:
            part = (value - low) / (high - low)
            return self.height() - _BOTTOM - part * (self.height() - _BOTTOM - _TOP)

        self._draw_axis(painter, low, high, y_of)
        self._draw_levels(painter, values, y_of)
        if timed:
            self._draw_intervals(painter, y_of)
        self._draw_points(painter, values, y_of)

    def _say_unknown(self, painter: QPainter) -> None:
        painter.setFont(font(12))
        painter.setPen(colour(self._theme.palette.tertiary))
        text = tr("Select a report to see its trend") if not self.series else tr("Unknown")
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)

    def _draw_axis(
        self, painter: QPainter, low: float, high: float, y_of: Callable[[float], float]
    ) -> None:
        look = self._theme.palette
        painter.setFont(font(11))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value, text in self._ticks(low, high):
            y = y_of(value)
            painter.setPen(QPen(colour(look.hairline), 1))
            painter.drawLine(QPointF(_LEFT, y), QPointF(self.width() - _RIGHT, y))
            painter.setPen(colour(look.tertiary))
            painter.drawText(QRectF(0, y - 8, _LEFT - 8, 16), right, text)
        below = QRectF(_LEFT, self.height() - _BOTTOM + 5, self.width() - _LEFT - _RIGHT, 16)
        painter.setPen(colour(look.tertiary))
        first, last = day(self.series[0]), day(self.series[-1])
        if first == last:  # then the time of day tells more
            first, last = moment(self.series[0]), moment(self.series[-1])
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, first)
        if len(self.series) > 1:
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, last)

    def _ticks(self, low: float, high: float) -> tuple[tuple[float, str], ...]:
        if self.quantity.field == "p50_ns":
            return units.axis(low, high, _TICKS)
        scale = 1024.0 ** min(4, int(log10(max(high, 1)) / log10(1024)))
        unit = ("B", "KiB", "MiB", "GiB", "TiB")[round(log10(scale) / log10(1024))]
        raw = (high - low) / scale / _TICKS
        power = 10.0 ** floor(log10(raw))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= raw * 0.999)
        decimals = max(0, -floor(log10(step) + 1e-9))
        first, last = int(low / scale / step) + 1, int(high / scale / step)
        return tuple(
            (k * step * scale, f"{k * step:.{decimals}f} {unit}")
            for k in range(first, last + 1)
        )

    def _draw_levels(
        self, painter: QPainter, values: Sequence[float], y_of: Callable[[float], float]
    ) -> None:
        """Draw each level, and what changed above the line between two.

        A level is a geometric mean: the changes are ratios of those.
        """
        look = self._theme.palette
        newest = self.changes[-1].end if self.changes else len(values)
        ends = [0, *(change.at for change in self.changes), newest]
        painter.setPen(QPen(colour(look.accent), 1.6))
        for begin, end in pairwise(ends):
            level = [value for value in values[begin:end] if value > 0]
            if len(ends) > 2 and level:
                y = y_of(geometric_mean(level))
                first, last = self.x_of(begin - 0.5), self.x_of(end - 0.5)
                painter.drawLine(QPointF(first, y), QPointF(last, y))
        painter.setFont(font(11, 500))
        free = float(_LEFT)
        for change in self.changes:
            tint = colour(look.bad if change.ratio > 1 else look.good)
            x = self.x_of(change.at - 0.5)
            painter.setPen(QPen(tint, 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, _TOP - 4), QPointF(x, self.height() - _BOTTOM))
            text = self.quantity.change(change.ratio)
            wide = painter.fontMetrics().horizontalAdvance(text)
            left = min(max(x - wide / 2, _LEFT), self.width() - _RIGHT - wide)
            if left >= free:
                painter.setPen(tint)
                painter.drawText(QRectF(left, 4, wide + 1, 16), 0, text)
                free = left + wide + 10

    def _draw_intervals(self, painter: QPainter, y_of: Callable[[float], float]) -> None:
        painter.setPen(QPen(colour(self._theme.palette.activity, 0.45), 1.4))
        for place, report in enumerate(self.series):
            if report.high_ns and len(self.series) <= _MOST_DOTS:
                x = self.x_of(place)
                top, bottom = y_of(report.high_ns), y_of(report.low_ns)
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    def _draw_points(
        self, painter: QPainter, values: Sequence[float], y_of: Callable[[float], float]
    ) -> None:
        look = self._theme.palette
        radius = 3.2 if len(values) <= _MOST_DOTS else 1.4
        painter.setPen(Qt.PenStyle.NoPen)
        for place, value in enumerate(values):
            if value > 0 and place != self.current:
                tagged = bool(self.series[place].tags)
                painter.setBrush(QColor(look.caution if tagged else look.activity))
                painter.drawEllipse(QPointF(self.x_of(place), y_of(value)), radius, radius)
        if 0 <= self.current < len(values) and values[self.current] > 0:
            painter.setBrush(colour(look.surface))
            painter.setPen(QPen(colour(look.text), 2))
            at = QPointF(self.x_of(self.current), y_of(values[self.current]))
            painter.drawEllipse(at, 4.5, 4.5)


def _latency(report: PastReport) -> str:
    if not report.high_ns:
        return units.duration(report.p50_ns)
    between = interval(units.durations(round(report.low_ns), round(report.high_ns)))
    return f"{units.duration(report.p50_ns)} ({between})"
