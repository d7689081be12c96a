"""Cards with shares: data types by bytes and by layer, operators by count."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts, Precision
from inspector.pages.blocks import Fact
from inspector.pages.blocks import Facts as PageFacts
from inspector.pages.model.computed import quantization
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.bars import BarList, Part, StackedBar
from inspector.ui.widgets.page_view import block_view
from inspector.ui.widgets.parts import Card, label, row
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme

SHOWN = 12


class PrecisionCard(Card):
    """In which formats weights are stored, and in which layers work."""

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        self.body.setSpacing(8)
        self.body.addWidget(label(tr("Precision"), "heading"))
        self._theme = theme
        storage = facts.precision.storage
        self._add(
            theme,
            tr("Stored weights by size"),
            [(n, s, units.size(s)) for n, s in storage if s],
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
        layers = [(name, n, plural(n, "layer")) for name, n in precision.compute]
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
        amounts: list[tuple[str, int, str]],
        column: QVBoxLayout | None = None,
    ) -> None:
        column = column or self.body
        total = sum(amount for _, amount, _ in amounts)
        parts = [
            Part(name, amount, text, units.share(amount, total))
            for name, amount, text in amounts
        ]
        column.addWidget(label(title, "section"))
        if parts:
            column.addWidget(StackedBar(theme, parts, title))
        else:
            column.addWidget(label(tr("The file contains no weights."), "secondary"))


class OperatorsCard(Card):
    """Operators by how often they occur; a click looks for their layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        total = sum(count for _, count in facts.operators)
        self.body.setSpacing(4)
        kinds = label(f"{len(facts.operators):,}", "caption")
        self.body.addLayout(row(label(tr("Operators"), "heading"), kinds, None))
        self.body.addSpacing(2)
        parts = [
            Part(name, count, f"{count:,}", units.share(count, total))
            for name, count in facts.operators
        ]
        self.bars = BarList(theme, parts, tr("Operators"), SHOWN)
        self.bars.chosen.connect(self.chosen)
        self.body.addWidget(self.bars)
        self.body.addWidget(
            ShowMoreButton(len(parts), SHOWN, tr("operators"), self.bars.show_first)
        )
        self.body.addStretch(1)
