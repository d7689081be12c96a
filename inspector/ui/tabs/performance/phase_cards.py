"""Loading and memory of a report, phase by phase, as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector import units
from inspector.analysis.measured import phases
from inspector.report.report import PerformanceReport
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import GAP, Card, label, row
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

_ONE_ROW_PX = 700
_INDENT = 14


@dataclass(frozen=True, slots=True)
class Bar:
    """A line: name, length, a mark further right if any, and the length in words."""

    name: str
    amount: float
    text: str
    mark: float | None = None
    inside: bool = False

    @property
    def title(self) -> str:
        """The name as the beginning of a line."""
        return units.capitalized(self.name)


class PhaseCards(QWidget):
    """Loading beside memory, or one over the other where there is less room."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        self.loading = PhaseCard(
            theme,
            tr("Load"),
            _load_text(report),
            _time_bars(report),
            phases.loading_sentences(report),
        )
        memory = report.memory
        self.memory = PhaseCard(
            theme,
            tr("Memory"),
            tr("resident (RSS), peak marked"),
            _memory_bars(report),
            phases.memory_sentences(memory, report.model.size_bytes),
        )
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._columns = 0
        self._arrange(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(2 if self.width() >= _ONE_ROW_PX else 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, card in enumerate((self.loading, self.memory)):
            self._grid.addWidget(card, place // columns, place % columns)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)


class PhaseCard(Card):
    """A title, bars, and sentences that say what they are of."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        subtitle: str,
        bars: Sequence[Bar],
        sentences: Sequence[str],
    ) -> None:
        super().__init__(theme)
        self.bars = PhaseBars(theme, title, bars)
        self.body.addLayout(row(label(title, "heading"), None, label(subtitle, "caption")))
        self.body.addWidget(self.bars)
        for sentence in sentences:
            line = label(sentence, "caption")
            line.setWordWrap(True)
            self.body.addWidget(line)
        self.body.addStretch(1)


class PhaseBars(QWidget):
    """Names with a bar each on one scale; a mark shows what was reached in between."""

    LINE = 22

    def __init__(self, theme: Theme, title: str, bars: Sequence[Bar]) -> None:
        super().__init__()
        self._theme, self.shown = theme, tuple(bars)
        widest = max(
            (QFontMetrics(font(12)).horizontalAdvance(b.text) for b in bars), default=0
        )
        self._words = max(84, widest + 14)  # room to the right of the bars
        self._longest = max((max(b.amount, b.mark or 0) for b in bars), default=0) or 1
        self.setFixedHeight(self.LINE * len(self.shown))
        self.setAccessibleName(tr("{title} by phase").format(title=title))
        self.setAccessibleDescription("; ".join(f"{b.name} {b.text}" for b in bars))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw all lines; there are a few."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, bar in enumerate(self.shown):
            self._paint(painter, bar, place * self.LINE)

    def _paint(self, painter: QPainter, bar: Bar, top: int) -> None:
        palette = self._theme.palette
        left = min(200.0, self.width() * 0.46)
        indent = _INDENT if bar.inside else 0
        painter.setFont(font(12))
        painter.setPen(colour(palette.secondary if bar.inside else palette.text))
        names = QRectF(indent, top, left - indent - 12, self.LINE)
        name = painter.fontMetrics().elidedText(
            units.clip(bar.title, 80), Qt.TextElideMode.ElideRight, int(names.width())
        )
        painter.drawText(names, Qt.AlignmentFlag.AlignVCenter, name)
        track = QRectF(left, top + 8, self.width() - left - self._words, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(palette.track))
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(colour(palette.accent, 0.45 if bar.inside else 1.0))
        filled = max(3.0, track.width() * bar.amount / self._longest)
        painter.drawRoundedRect(QRectF(track.x(), track.y(), filled, 6), 3, 3)
        if bar.mark is not None and bar.mark > bar.amount:
            x = track.x() + track.width() * bar.mark / self._longest - 1
            painter.setPen(QPen(colour(palette.secondary), 2))
            painter.drawLine(int(x), int(track.y()) - 3, int(x), int(track.bottom()) + 3)
        painter.setPen(colour(palette.secondary))
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, top, self.width(), self.LINE), int(alignment), bar.text)


def _load_text(report: PerformanceReport) -> str:
    sources = {
        "path": tr("from the file"),
        "bytes": tr("from bytes in memory"),
        "reader": "re-serialized",
        "compiled": tr("compiled earlier"),
    }
    source = sources.get(report.spec.load_from, "")
    text = f"{units.duration(report.load_ns)} {source}".strip()
    return tr("{time}, in a new process").format(time=text)


def _time_bars(report: PerformanceReport) -> tuple[Bar, ...]:
    return tuple(
        Bar(phase.name, phase.duration_ns, phase.text, None, phase.inside)
        for phase in phases.timed_phases(report)
    )


def _memory_bars(report: PerformanceReport) -> tuple[Bar, ...]:
    return tuple(
        Bar(
            phase.name, phase.resident_bytes, units.size(phase.resident_bytes), phase.peak_bytes
        )
        for phase in phases.held_phases(report.memory)
    )
