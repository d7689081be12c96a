"""Plots of a sweep: lines with their spread, throughput, and which model to take."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector import report as reports
from inspector import units
from inspector.analysis import sweeps
from inspector.analysis.sweeps import Candidate
from inspector.errors import InspectorError
from inspector.export.sweep_tables import axis_words, value_words
from inspector.sweep import MODEL, Cell, Sweep
from inspector.throughput import Throughput
from inspector.ui.kit.parts import Card, Elided, button, label, row
from inspector.ui.kit.theme import Theme, colour, font
from inspector.ui.sweep.plot import Axes, Line, Plot, series

_SCALES = ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (float("inf"), 1e9, "s"))


class LinesCard(Card):
    """The cells across one axis, a line for each value of the other; bars are the spread."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self.title = label("Lines", "heading")
        self.legend = Legend(theme)
        self.plot: Plot | None = None
        told = "Bars: nine of ten predictions; long ones are cut"
        words = Elided(told, "caption", Qt.TextElideMode.ElideRight)
        words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(row(self.title, 8, self.legend, words, stretch=3))

    def show_rows(self, sweep: Sweep, cells: Sequence[Sequence[Cell]], axes: "_Two") -> None:
        """Show the rows of the heat map."""
        across, down = axes
        if self.plot is None:
            self.plot = Plot(self._theme, "Median by setting")
            self.body.addWidget(self.plot)
        axis = sweep.axes[across]
        known = [m for r in cells for c in r if (m := sweeps.median_ns(c)) is not None]
        scale, unit = _scale(max(known, default=1.0))
        lines = []
        for number, line in enumerate(cells):
            name = ""
            if down is not None:
                other = sweep.axes[down]
                name = value_words(other.name, other.values[number])
                if other.name != MODEL:
                    name = f"{axis_words(other.name)} {name}"
            lines.append(_line(name, line, scale))
        ticks = tuple((float(x), value_words(axis.name, v)) for x, v in enumerate(axis.values))
        words = axis_words(axis.name)
        self.plot.show_lines(lines, Axes(words[:1].upper() + words[1:], unit, ticks))
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
        self.plot: Plot | None = None
        self.body.addLayout(
            row(label("Throughput", "heading"), 4, self.words, self.legend, stretch=2)
        )

    def show_points(self, points: Sequence[Throughput], words: str) -> None:
        """Show the curve of a cell or a report."""
        if self.plot is None:
            self.plot = Plot(self._theme, "Latency against load")
            self.body.addWidget(self.plot)
        scale, unit = _scale(max((p.quantile_ns(0.95) for p in points), default=1))
        rates = tuple(p.per_second for p in points)
        lines = [
            Line(
                name,
                rates,
                tuple(p.quantile_ns(q) / scale for p in points),
                names=tuple(f"{p.concurrency} at once" for p in points) if q > 0.5 else (),
            )
            for name, q in (("p50", 0.5), ("p95", 0.95))
        ]
        self.words.set_text(words)
        self.plot.show_lines(lines, Axes("Predictions a second", unit))


class ChoiceCard(Card):
    """Models and reports by size, latency and agreement; filled ones lie on the front."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self.others: tuple[Candidate, ...] = ()
        self.mine: tuple[Candidate, ...] = ()
        self.words = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.add = button(theme, "Add reports…", "plus")
        self.add.setProperty("role", "link")
        self.plot: Plot | None = None
        self.body.addLayout(
            row(label("Which model to take", "heading"), 4, self.words, self.add, stretch=2)
        )
        self.add.clicked.connect(self._choose)

    def show_candidates(self, mine: Sequence[Candidate]) -> None:
        """Show the models of a sweep, beside the reports that were added."""
        self.mine = tuple(mine)
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
        title = "Reports to choose between"
        names, _ = QFileDialog.getOpenFileNames(self, title, "", "Reports (*.json)")
        self.add_reports(tuple(map(Path, names)))

    def _draw(self) -> None:
        every = (*self.mine, *self.others)
        if not every:
            return
        if self.plot is None:
            self.plot = Plot(self._theme, "Size against latency")
            self.body.addWidget(self.plot)
        scale, unit = _scale(max(one.median_ns for one in every))
        front = sweeps.front(every)
        mib = max(one.size_bytes for one in every) >= 1 << 20
        sizes = [one.size_bytes / (1 << 20 if mib else 1 << 10) for one in every]
        line = Line(
            "models",
            tuple(sizes),
            tuple(one.median_ns / scale for one in every),
            names=tuple(f"{units.clip(one.name, 40)}, {_near(one)}" for one in every),
            joined=False,
            filled=tuple(place in front for place in range(len(every))),
        )
        size = "MiB" if mib else "KiB"
        self.plot.show_lines([line], Axes(f"Size of the file in {size}", unit))
        kept = units.plural(len(front), "model")
        self.words.set_text(f"Filled: no other is smaller, faster and nearer ({kept})")


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
        painter = QPainter(self)
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


def _line(name: str, cells: Sequence[Cell], scale: float) -> Line:
    points = []
    for x, cell in enumerate(cells):
        middle, wide = sweeps.median_ns(cell), sweeps.spread(cell)
        if middle is not None and wide is not None:
            points.append((float(x), middle, wide.p5_ns, wide.p95_ns))
    columns = list(zip(*points, strict=True)) or [(), (), (), ()]
    y, low, high = (tuple(v / scale for v in column) for column in columns[1:])
    return Line(name, tuple(columns[0]), y, low, high)


def _scale(largest_ns: float) -> tuple[float, str]:
    """What to divide nanoseconds by, and the unit that this gives."""
    return next((scale, unit) for limit, scale, unit in _SCALES if largest_ns < limit)


def _near(one: Candidate) -> str:
    if one.agreement is None:
        return units.size(one.size_bytes)
    return "the reference" if one.agreement == float("inf") else f"{one.agreement:.0f} dB"
