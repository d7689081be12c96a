"""How sure the latency is and what it means: one line, or all numbers."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector import units
from inspector.analysis.statistics import Statistics, sentences, statistics, table
from inspector.report import PerformanceReport
from inspector.ui.kit.parts import PADDING, Card, Elided, button, label, row
from inspector.ui.kit.theme import Theme

_CELL = 150


class StatisticsLine(Card):
    """The interval, the tail and the rate of the predictions; opens to all their numbers."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__(theme)
        self.body.setContentsMargins(PADDING, 8, PADDING, 8)
        found = statistics(report.prediction_ns)
        told = sentences(report)
        words = " · ".join((*summary(found), *told)) if found else ""
        self.line = Elided(words, "secondary", Qt.TextElideMode.ElideRight)
        self.more = button(theme, "All numbers")
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.numbers = Numbers(table(report.prediction_ns), told)
        self.numbers.hide()
        self.body.addLayout(row(self.line, self.more, stretch=0))
        self.body.addWidget(self.numbers)
        if found is None:
            self.hide()
        self.more.toggled.connect(self._open)

    def _open(self, opened: bool) -> None:
        self.numbers.setVisible(opened)
        words = "Fewer numbers" if opened else "All numbers"
        self.more.setText(words)
        self.more.setAccessibleName(words)


def summary(found: Statistics) -> tuple[str, ...]:
    """The few numbers that the cards do not have."""
    low, high = found.median_low_ns, found.median_high_ns
    rest = (
        f"p99 {units.duration(found.p99_ns)}",
        f"{units.rate(found.per_second)} a second",
    )
    if low is None or high is None:
        return rest
    return (f"Median {units.duration(low)} to {units.duration(high)} at 95 %", *rest)


class Numbers(QWidget):
    """Names over values in as many columns as fit, then sentences."""

    def __init__(self, cells: tuple[tuple[str, str], ...], told: tuple[str, ...]) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 6, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(2)
        self._cells = tuple((label(n, "caption"), label(v, selectable=True)) for n, v in cells)
        for name, _ in self._cells:
            name.setContentsMargins(0, 6, 0, 0)
        self._told = tuple(label(sentence, "secondary") for sentence in told)
        for line in self._told:
            line.setWordWrap(True)
        self._columns = 0
        self._arrange(3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(max(2, self.width() // _CELL))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(self._columns):
            self._grid.setColumnStretch(column, 0)
        self._columns = columns
        for place, (name, value) in enumerate(self._cells):
            line, column = divmod(place, columns)
            self._grid.addWidget(name, 2 * line, column)
            self._grid.addWidget(value, 2 * line + 1, column)
        for column in range(columns):
            self._grid.setColumnStretch(column, 1)
        below = 2 * (-(-len(self._cells) // columns))
        for place, sentence in enumerate(self._told):
            self._grid.addWidget(sentence, below + place, 0, 1, columns)
