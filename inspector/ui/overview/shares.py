"""What a model is made of: number formats by bytes and by layer, operators by count."""

from PySide6.QtCore import Signal

from inspector import units
from inspector.analysis import Facts
from inspector.ui.kit.bars import BarList, Part, StackedBar
from inspector.ui.kit.parts import Card, label, row
from inspector.ui.kit.reveal import Reveal
from inspector.ui.kit.theme import Theme

SHOWN = 12


class PrecisionCard(Card):
    """In which formats weights are stored, and in which layers work."""

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        self.body.setSpacing(8)
        self.body.addWidget(label("Precision", "heading"))
        storage, compute = facts.precision.storage, facts.precision.compute
        self._add(theme, "Storage, by bytes", [(n, s, units.size(s)) for n, s in storage if s])
        layers = [(name, count, units.plural(count, "layer")) for name, count in compute]
        self.body.addSpacing(4)
        self._add(theme, "Compute, by layers", layers)
        self.body.addStretch(1)

    def _add(self, theme: Theme, title: str, amounts: list[tuple[str, int, str]]) -> None:
        whole = sum(amount for _, amount, _ in amounts)
        parts = [
            Part(name, amount, f"{words}   {units.share(amount, whole)}")
            for name, amount, words in amounts
        ]
        self.body.addWidget(label(title, "section"))
        if parts:
            self.body.addWidget(StackedBar(theme, parts, title))
        else:
            self.body.addWidget(label("Nothing is stored in the file.", "secondary"))


class OperatorsCard(Card):
    """Operators by how often they occur; a click looks for their layers."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        whole = sum(count for _, count in facts.operators)
        self.body.setSpacing(4)
        kinds = label(f"{len(facts.operators):,}", "caption")
        self.body.addLayout(row(label("Operators", "heading"), kinds, None))
        self.body.addSpacing(2)
        parts = [
            Part(name, count, f"{count:,}   {units.share(count, whole)}")
            for name, count in facts.operators
        ]
        self.bars = BarList(theme, parts, "Operators", SHOWN)
        self.bars.chosen.connect(self.chosen)
        self.body.addWidget(self.bars)
        self.body.addWidget(Reveal(len(parts), SHOWN, "operators", self.bars.show_first))
        self.body.addStretch(1)
