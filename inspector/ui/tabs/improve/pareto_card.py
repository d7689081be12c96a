"""Accuracy vs. latency: every candidate as a point, with its file size as the area."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from inspector import units
from inspector.export.charts.drawing import Drawing
from inspector.export.charts.drawing import Label as DrawnLabel
from inspector.export.charts.improvement_plot import key_of, pareto_plot, plot
from inspector.pages.blocks import Chart
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
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import PADDING, Card, Elided, Segmented, label, row, tip
from inspector.ui.widgets.table import Cells, Table
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_EMPTY_PX = 120  # height of the sentence where there are no points
_MOST_ROWS = 12
_COUNTED_PX = 400  # of the card; a narrower one has no room for the number of candidates


def title(goal: str) -> str:
    """Return what the picture shows: the accuracy against what the search is for."""
    return tr("Accuracy vs. size") if goal == SIZE else tr("Accuracy vs. latency")


def _drawn(now: Improvement, goal: str, width: float) -> Drawing:
    """Draw the candidates, or say that there are none yet."""
    text = tr("Candidates appear here with their accuracy and latency.")
    empty = Drawing(text, width, _EMPTY_PX, (DrawnLabel(16, 40, text, "tertiary"),))
    return pareto_plot(now, width, goal) or empty


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
        self.chart, self.table = ChartView(theme, by_return=True), CandidateTable(theme)
        self._now: Improvement | None = None
        self.views = Segmented(theme, (mark("Plot"), mark("Table")), 52)
        self.views.setAccessibleName(tr("View of the candidates"))
        self.count = Elided("", "secondary")
        self.heading = label(title(LATENCY), "heading")
        head = row(self.heading, 4, self.count, self.views, stretch=2)
        head.setContentsMargins(PADDING - 1, 5, 7, 5)
        framed = QWidget()
        column = QVBoxLayout(framed)
        column.setContentsMargins(PADDING - 1, 0, PADDING - 1, 0)
        column.addWidget(self.chart)
        column.addStretch(1)
        self._stack = QStackedWidget()
        self._stack.addWidget(framed)
        self._stack.addWidget(self.table)
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self._stack, 1)
        self.body.setContentsMargins(1, 1, 1, 4)
        self.views.chosen.connect(self._stack.setCurrentIndex)
        self.chart.chosen.connect(self._take)
        self.table.chosen.connect(self.chosen)

    def show_improvement(
        self, now: Improvement, current: Candidate | None, busy: bool, goal: str = LATENCY
    ) -> None:
        """Show the candidates. current: of the recipe; busy: whether more will come."""
        self._now, shown = now, plot(now, goal).goal  # sizes where no latency is known
        name = "Accuracy and latency of each candidate"
        self.chart.show_chart(Chart("candidates", partial(_drawn, now, goal), name))
        self.chart.choose(key_of(now, current))
        self.heading.setText(title(shown))
        self.table.candidates.show_candidates(now)
        place = next((n for n, c in enumerate(now.candidates) if c is current), None)
        self.table.show_row(None if place is None else self.table.candidates.row_at(place))
        self.table.fit(self.width() - 2)
        count = plural(len(now.candidates), "candidate")
        self.count.set_text(f"{count}, {tr('measuring more…')}" if busy else count)

    def _take(self, key: str) -> None:
        if self._now is not None:
            self.chosen.emit(self._now.candidates[int(key)])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns into the new width."""
        super().resizeEvent(event)
        self.count.setVisible(self.width() >= _COUNTED_PX)
        self.table.fit(self.width() - 2)
