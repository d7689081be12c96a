"""Plots of a sweep: lines with their spread, throughput, and which model to take."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.sweep_results import Candidate
from inspector.errors import InspectorError
from inspector.export.charts.curves import choices, over_settings, under_load
from inspector.report import report as reports
from inspector.report.report import Throughput
from inspector.report.sweep import Cell, Sweep
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.sweep.plot import Plot, series
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Card, Elided, button, label, row
from inspector.ui.widgets.theme import Theme, colour, font, painter_on


class LinesCard(Card):
    """The cells across one axis, a line for each value of the other; bars are the spread."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self.title = label(tr("Latency by setting"), "heading")
        self.legend = Legend(theme)
        self.plot: Plot | None = None
        self.words = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(row(self.title, 8, self.legend, self.words, stretch=3))

    def show_rows(self, sweep: Sweep, cells: Sequence[Sequence[Cell]], axes: "_Two") -> None:
        """Show the rows of the heat map."""
        across, down = axes
        if self.plot is None:
            self.plot = Plot(self._theme, tr("Median latency by setting"))
            self.body.addWidget(self.plot)
        lines, titles = over_settings(sweep, cells, across, down)
        median = f"{tr('Dots: median')} {tr(sweep_results.common_kind(sweep))}".rstrip()
        self.words.set_text(
            tr("{median}. Bars: p5 to p95 (long bars are cut off)").format(median=median)
        )
        self.plot.show_lines(lines, titles)
        self.legend.show_names([line.name for line in lines if line.name])


_Two = tuple[int, int | None]


class ThroughputCard(Card):
    """Latency against load: predictions a second across, p50 and p95 up."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self.words = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.legend = Legend(theme)
        self.legend.show_names(["p50", "p95"])
        self.points: tuple[Throughput, ...] = ()
        self.plot: Plot | None = None
        self.body.addLayout(
            row(
                label(tr("Throughput, measured"), "heading"),
                4,
                self.words,
                self.legend,
                stretch=2,
            )
        )

    def show_points(self, points: Sequence[Throughput], text: str) -> None:
        """Show the curve of a cell or a report."""
        if self.plot is None:
            self.plot = Plot(self._theme, tr("Latency vs. throughput"))
            self.body.addWidget(self.plot)
        lines, titles = under_load(points)
        self.points = tuple(points)
        self.words.set_text(text)
        self.legend.show_names([line.name for line in lines])
        self.plot.show_lines(lines, titles)


class ChoiceCard(Card):
    """Models and reports by size, latency and agreement; filled ones lie on the front."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self.others: tuple[Candidate, ...] = ()
        self.mine: tuple[Candidate, ...] = ()
        self.words = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.add = button(theme, tr("Add reports…"), "plus")
        self.add.setProperty("role", "link")
        self.plot: Plot | None = None
        self.body.addLayout(
            row(label(tr("Compare models"), "heading"), 4, self.words, self.add, stretch=2)
        )
        self.add.clicked.connect(self._choose)

    def show_candidates(self, own: Sequence[Candidate]) -> None:
        """Show the models of a sweep, beside the reports that were added."""
        self.mine = tuple(own)
        self._draw()

    def add_reports(self, paths: Sequence[Path]) -> None:
        """Add what reports say; one that is none says so in the line above."""
        try:
            loaded = [reports.load(path) for path in paths]
        except InspectorError as error:
            self.words.set_text(f"{error.what}: {error.why}")
            return
        self.others += tuple(
            Candidate(one.model.name, one.model.size_bytes, one.median_ns)
            for one in loaded
            if one.prediction_ns
        )
        self._draw()

    def _choose(self) -> None:
        title = tr("Add reports")
        names, _ = QFileDialog.getOpenFileNames(
            self, title, file_dialogs.start(), tr("Reports (*.json)")
        )
        self.add_reports(tuple(map(Path, names)))

    def _draw(self) -> None:
        every = (*self.mine, *self.others)
        if not every:
            return
        if self.plot is None:
            self.plot = Plot(self._theme, tr("Latency by model size"))
            self.body.addWidget(self.plot)
        lines, titles = choices(every)
        self.plot.show_lines(lines, titles)
        text = plural(sum(lines[0].filled), "model")
        self.words.set_text(
            tr(
                "Filled: Pareto-optimal. No other model is as good in size, speed and "
                "accuracy and better in one of them ({value})"
            ).format(value=text)
        )


class Legend(QWidget):
    """Names of lines with a swatch of their colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.names: tuple[str, ...] = ()
        self.setFixedHeight(18)
        theme.changed.connect(self.update)

    def show_names(self, names: Sequence[str]) -> None:
        """Show other names."""
        self.names = tuple(names)
        self.setAccessibleName(", ".join(names))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for all names."""
        metrics = QFontMetrics(font(11))
        width = sum(metrics.horizontalAdvance(name) + 26 for name in self.names)
        return QSize(max(0, width - 14), 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw them side by side."""
        painter = painter_on(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(11))
        look, x = self._theme.palette, 0.0
        tints = series(look)
        for number, name in enumerate(self.names):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(tints[number % len(tints)]))
            painter.drawEllipse(QRectF(x, 5, 8, 8))
            painter.setPen(colour(look.secondary))
            width = painter.fontMetrics().horizontalAdvance(name)
            painter.drawText(QRectF(x + 12, 0, width + 2, 18), 0x80, name)
            x += 12 + width + 14
