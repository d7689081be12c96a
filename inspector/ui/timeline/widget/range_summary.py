"""What lies in the marked stretch of time: numbers, and shares by lane and by layer."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inspector import units
from inspector.ui.timeline.model.selected_range import RangeStatistics, Share
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.theme import Theme, colour, font

_LINE, _TOP, _NUMBERS, _TWO, _WIDEST = 19, 10, 156, 560, 420


class RangeSummary(QWidget):
    """A quiet strip below the lanes; hidden when nothing is marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.statistics: RangeStatistics | None = None
        self.setAccessibleName(tr("Selected time range"))
        theme.changed.connect(self.update)
        self.hide()

    def show_statistics(self, found: RangeStatistics | None) -> None:
        """Show other numbers, or none."""
        self.statistics = found
        if found is not None:
            most = max(len(found.tracks), len(found.layers), 4)
            self.setFixedHeight(_TOP * 2 + _LINE * (most + 1))
            self.setAccessibleDescription(summary_text(found))
        self.setVisible(found is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw numbers at the left, shares beside them."""
        found, palette = self.statistics, self._theme.palette
        if found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(1, 0, self.width() - 2, 1), colour(palette.hairline))
        self._draw_numbers(painter, found)
        parts = [
            (tr("Busy time by lane, % of selection"), found.tracks),
            (tr("Time by layer, % of selection"), found.layers),
        ]
        parts = [part for part in parts if part[1]]
        if self.width() < _TWO + _NUMBERS:
            parts = parts[:1]
        room = (self.width() - _NUMBERS - 24) / max(1, len(parts))
        for place, (title, shares) in enumerate(parts):
            left = _NUMBERS + 56 + place * room
            box = QRectF(left, _TOP, min(_WIDEST, room - 48), _LINE)
            self._draw_shares(painter, title, shares, box, found.length_ns)

    def _draw_numbers(self, painter: QPainter, found: RangeStatistics) -> None:
        box = QRectF(16, _TOP, _NUMBERS, _LINE)
        for place, (name, value) in enumerate(numbers(found)):
            line = box.translated(0, place * _LINE)
            _draw_pair(painter, line, name, value, self._theme, strong=not place)

    def _draw_shares(
        self,
        painter: QPainter,
        title: str,
        shares: tuple[Share, ...],
        box: QRectF,
        whole: float,
    ) -> None:
        palette = self._theme.palette
        painter.setFont(font(12, 600))
        painter.setPen(colour(palette.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, title)
        for place, share in enumerate(shares):
            line = box.translated(0, (place + 1) * _LINE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.lane(share.family)))
            painter.drawRoundedRect(QRectF(line.x(), line.y() + 4, 4, _LINE - 8), 2, 2)
            told = f"{units.duration(share.busy_ns)} · {units.share(share.busy_ns, whole)}"
            name = f"{units.clip(share.name, 80)} ×{share.count:,}"
            _draw_pair(painter, line.adjusted(12, 0, 0, 0), name, told, self._theme)


def numbers(found: RangeStatistics) -> tuple[tuple[str, str], ...]:
    """What is said of all events of a stretch."""
    return (
        (plural(found.count, "event"), units.duration(found.length_ns)),
        (tr("Total time"), units.duration(found.sum_ns)),
        (tr("Mean"), units.duration(found.mean_ns)),
        ("p50", units.duration(found.p50_ns)),
        ("p95", units.duration(found.p95_ns)),
    )


def summary_text(found: RangeStatistics) -> str:
    """The same in one line, for screen readers."""
    shares = (
        f"{units.clip(share.name, 60)} {units.share(share.busy_ns, found.length_ns)}"
        for share in (*found.tracks, *found.layers)
    )
    return ", ".join((*(f"{name} {value}" for name, value in numbers(found)), *shares))


def _draw_pair(
    painter: QPainter, box: QRectF, name: str, value: str, theme: Theme, strong: bool = False
) -> None:
    palette = theme.palette
    painter.setFont(font(12, 600 if strong else 400))
    metrics = painter.fontMetrics()
    wide = metrics.horizontalAdvance(value)
    painter.setPen(colour(palette.text))
    painter.drawText(
        box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), value
    )
    painter.setPen(colour(palette.text if strong else palette.secondary))
    middle = Qt.TextElideMode.ElideMiddle
    shown = metrics.elidedText(name, middle, max(0, int(box.width()) - wide - 10))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
