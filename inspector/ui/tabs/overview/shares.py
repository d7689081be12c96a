"""Cards with shares: data types by bytes and by layer, operators by count."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts, Precision
from inspector.export.charts.bars import ROW, lines, shares, shares_of
from inspector.export.charts.drawing import Drawing
from inspector.model.model import Model
from inspector.pages.blocks import Chart, Fact
from inspector.pages.blocks import Facts as PageFacts
from inspector.pages.model.computed import quantization
from inspector.pages.model.weights import no_weights
from inspector.ui import units
from inspector.ui.translate import tr, tr_message
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.page_view import block_view
from inspector.ui.widgets.parts import Card, label, row
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Count, Name, Size, Value

SHOWN = 12
_TOP_PX = 8.0  # above the first bar


class PrecisionCard(Card):
    """In which formats weights are stored, and in which layers work."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__(theme)
        self._without = tr_message(no_weights(model))
        self.body.setSpacing(8)
        self.body.addWidget(label(tr("Precision"), "heading"))
        self._theme = theme
        storage = facts.precision.storage
        self._add(
            theme,
            tr("Stored weights by size"),
            [(n, s, Size(s)) for n, s in storage if s],
        )
        self.body.addSpacing(4)
        self._more: QWidget | None = None
        self._show_rest(facts.precision, ())
        self.body.addStretch(1)

    def show_estimate(self, estimate: Estimate) -> None:
        """Take in what follows from inferred types: formats of layers, quantisation, casts."""
        facts = tuple(fact for fact in quantization(estimate.quantization) if fact.value)
        self._show_rest(estimate.precision, facts)

    def _show_rest(self, precision: Precision, facts: tuple[Fact, ...]) -> None:
        rest = QWidget()
        column = QVBoxLayout(rest)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        layers = [(name, n, Count(n, "layer")) for name, n in precision.compute]
        if layers:
            self._add(self._theme, tr("Compute types by layer count"), layers, column)
        if facts:
            column.addWidget(block_view(self._theme, PageFacts(facts)))
        if self._more is None:
            self.body.addWidget(rest)
        else:
            self.body.replaceWidget(self._more, rest)
            self._more.hide()
            self._more.deleteLater()
        self._more = rest

    def _add(
        self,
        theme: Theme,
        title: str,
        amounts: Sequence[tuple[Value, float, Value]],
        column: QVBoxLayout | None = None,
    ) -> None:
        column = column or self.body
        column.addWidget(label(title, "section"))
        if amounts:
            chart = Chart("shares", partial(shares, shares_of(amounts)), title)
            column.addWidget(ChartView(theme, chart))
        else:
            column.addWidget(label(self._without, "secondary"))


class OperatorsCard(Card):
    """Operators by how often they occur; a click looks for their layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        self.body.setSpacing(4)
        kinds = label(units.number(len(facts.operators)), "caption")
        self.body.addLayout(row(label(tr("Operators"), "heading"), kinds, None))
        self.body.addSpacing(2)
        parts = shares_of([(Name(name), n, Count(n)) for name, n in facts.operators])
        longest = max((part.share for part in parts), default=0) or 1.0
        self._bars = tuple(
            replace(part, share=part.share / longest, key=name)
            for part, (name, _) in zip(parts, facts.operators, strict=True)
        )
        self.bars = ChartView(theme, by_return=True)
        self.bars.chosen.connect(self._choose)
        self._show_first(SHOWN)
        self.body.addWidget(self.bars)
        self.body.addWidget(
            ShowMoreButton(len(parts), SHOWN, tr("operators"), self._show_first)
        )
        self.body.addStretch(1)

    def _show_first(self, number: int) -> None:
        shown = self._bars[:number]

        def draw(width: float) -> Drawing:
            tall = _TOP_PX + len(shown) * ROW
            return Drawing("", width, tall, tuple(lines(shown, width, _TOP_PX)))

        self.bars.show_chart(Chart("operators", draw, tr("Operators")))

    def _choose(self, operator: str) -> None:
        self.bars.choose("")  # the search shows what was chosen, until it is cleared
        self.chosen.emit(operator)
