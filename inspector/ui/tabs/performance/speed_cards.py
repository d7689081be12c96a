"""The top of a report on a language model: both speeds, four cards, tokens, layers by phase."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from inspector.pages.language.speed import SpeedCard, headline, speed_cards, speed_sections
from inspector.report.report import PerformanceReport
from inspector.ui.translate import mark, tr, written
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import GAP, Card, Elided, column_of, grid_of, label, row, tip
from inspector.ui.widgets.theme import Theme, font

_ONE_ROW_PX = 800  # width from which on four cards stand in a row
_PADDING_PX = 12
_NUMBER_PX = 16  # the headline is the only large number
_LEAST_CHART_PX = 60
_NOISY = mark("Noisy")


class SpeedTop(QWidget):
    """Everything that only a language model has.

    findings: whether the headline can be quoted, which stands below it. sections: cards below
    the four. phases: that of the layers, for whoever shows layers.
    """

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        findings: QWidget,
        doubts: Sequence[str] = (),
    ) -> None:
        super().__init__()
        assert report.generation is not None, "other reports have no such top"
        said = headline(report.generation)
        self.title = Elided(written(said) if said else "", "title", Qt.TextElideMode.ElideRight)
        self.noisy = label(tr(_NOISY), "caution")
        self.noisy.setToolTip(tip(*doubts))
        self.noisy.setVisible(bool(doubts))
        self.cards = tuple(NumberCard(theme, each) for each in speed_cards(report))
        cards = {
            section.id: SectionCard(theme, section)
            for section in speed_sections(report)
            if section
        }
        self.phases = cards.pop("phases", None)  # stands below the timeline
        self.sections = tuple(cards[name] for name in ("tokens", "speed") if name in cards)
        self._columns = 0
        self._grid = grid_of(GAP, GAP)
        head = row(self.title, self.noisy, stretch=0)
        column_of(head, findings, self._grid, *self.sections, on=self, spacing=GAP)
        self._arrange(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap."""
        super().resizeEvent(event)
        self._arrange(len(self.cards) if self.width() >= _ONE_ROW_PX else 2)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns or not self.cards:
            return
        self._columns = columns
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(len(self.cards)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)


class NumberCard(Card):
    """One number with what it is, a bar of its parts, and two quiet lines."""

    def __init__(self, theme: Theme, shown: SpeedCard) -> None:
        super().__init__(theme, _PADDING_PX)
        self.body.setSpacing(3)
        texts = [written(each) for each in shown.lines if each]
        self.setAccessibleName(written(shown.title))
        number, about = written(shown.number), written(shown.about)
        self.setAccessibleDescription(f"{number}, {about}; {'; '.join(texts)}")
        self.body.addWidget(label(written(shown.title), "caption"))
        aside = Elided(about, "secondary", Qt.TextElideMode.ElideRight)
        value = label(number)
        value.setFont(font(_NUMBER_PX, 600))
        self.body.addLayout(row(value, 6, aside, stretch=2))
        chart = ChartView(theme, shown.chart, least_px=_LEAST_CHART_PX)
        self.body.addWidget(chart)
        for text in texts:
            self.body.addWidget(Elided(text, "caption", Qt.TextElideMode.ElideRight))
        self.body.addStretch(1)
