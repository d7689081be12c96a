"""Accuracy vs. latency: every candidate as a point, with its file size as the area."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.pages.blocks import Chart
from inspector.pages.charts.drawing import Drawing
from inspector.pages.charts.drawing import Label as DrawnLabel
from inspector.pages.charts.improvement_plot import key_of, pareto_plot, plot
from inspector.pages.improvement import candidate_list
from inspector.report.improvement import LATENCY, SIZE, Candidate, Improvement
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import (
    PADDING,
    Card,
    Elided,
    Segmented,
    add_to,
    column_of,
    label,
    row,
)
from inspector.ui.widgets.theme import Theme

_EMPTY_PX = 120  # height of the sentence where there are no points
_COUNTED_PX = 400  # of the card; a narrower one has no room for the number of candidates


def title(goal: str) -> str:
    """Return what the picture shows: the accuracy against what the search is for."""
    return tr("Accuracy vs. size") if goal == SIZE else tr("Accuracy vs. latency")


class ParetoCard(Card):
    """The picture of all candidates, and a table; a click takes one as the recipe."""

    chosen = Signal(object)  # Candidate

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=1)
        self.chart = ChartView(theme, by_return=True)
        self.table = PageTable(theme, tr("Candidates"))
        self._now: Improvement | None = None
        self.views = Segmented(theme, (mark("Plot"), mark("Table")), 52)
        self.views.setAccessibleName(tr("View of the candidates"))
        self.count = Elided("", "secondary")
        self.heading = label(title(LATENCY), "heading")
        head = row(self.heading, 4, self.count, self.views, stretch=2)
        head.setContentsMargins(PADDING - 1, 5, 7, 5)
        framed = QWidget()
        column_of(self.chart, None, on=framed, margins=(PADDING - 1, 0, PADDING - 1, 0))
        self._stack = QStackedWidget()
        self._stack.addWidget(framed)
        self._stack.addWidget(self.table)
        self.body.setSpacing(0)
        add_to(self.body, head, (self._stack, 1))
        self.body.setContentsMargins(1, 1, 1, 4)
        self.views.chosen.connect(self._stack.setCurrentIndex)
        self.chart.chosen.connect(self._take)
        self.table.key_chosen.connect(self._take)

    def show_improvement(
        self, now: Improvement, current: Candidate | None, busy: bool, goal: str = LATENCY
    ) -> None:
        """Show the candidates. current: of the recipe; busy: whether more will come."""
        self._now, shown = now, plot(now, goal).goal  # sizes where no latency is known
        name = "Accuracy and latency of each candidate"
        self.chart.show_chart(Chart("candidates", partial(_drawn, now, goal), name))
        self.chart.choose(key_of(now, current))
        self.heading.setText(title(shown))
        listed = candidate_list(now)
        self.table.show_table(listed)
        key = key_of(now, current)
        place = next((n for n, row_ in enumerate(listed.rows) if row_.key == key), None)
        self.table.show_row(None if place is None else self.table.rows.row_at(place))
        count = plural(len(now.candidates), "candidate")
        self.count.set_text(f"{count}, {tr('measuring more…')}" if busy else count)

    def _take(self, key: str) -> None:
        if self._now is not None:
            self.chosen.emit(self._now.candidates[int(key)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the number of candidates out where there is no room for it."""
        super().resizeEvent(event)
        self.count.setVisible(self.width() >= _COUNTED_PX)


def _drawn(now: Improvement, goal: str, width: float) -> Drawing:
    """Draw the candidates, or say that there are none yet."""
    text = tr("Candidates appear here with their accuracy and latency.")
    empty = Drawing(text, width, _EMPTY_PX, (DrawnLabel(16, 40, text, "tertiary"),))
    return pareto_plot(now, width, goal) or empty
