"""What a model is made of: number formats by bytes and by layer, operators by count."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.analysis import Facts, Precision
from inspector.analysis.estimate import Estimate
from inspector.analysis.quantization import Compression, Quantization
from inspector.ui.kit.bars import BarList, Part, StackedBar
from inspector.ui.kit.parts import Card, label, row
from inspector.ui.kit.reveal import Reveal
from inspector.ui.kit.theme import Theme
from inspector.ui.overview.about import wrapped

SHOWN = 12
SCHEMES = {
    "QDQ": "QDQ: quantise and dequantise around float operators",
    "QOperator": "QOperator: operators that take integers",
    "dynamic": "dynamic: activations are quantised at each prediction",
    "weight-only": "weight-only: activations stay float",
}


class PrecisionCard(Card):
    """In which formats weights are stored, and in which layers work."""

    def __init__(self, theme: Theme, facts: Facts) -> None:
        super().__init__(theme)
        self.body.setSpacing(8)
        self.body.addWidget(label("Precision", "heading"))
        self._theme = theme
        storage = facts.precision.storage
        self._add(theme, "Storage, by bytes", [(n, s, units.size(s)) for n, s in storage if s])
        self.body.addSpacing(4)
        self._more: QWidget | None = None
        self._show_rest(facts.precision, ())
        self.body.addStretch(1)

    def show_estimate(self, found: Estimate) -> None:
        """Take in what follows from inferred types: formats of layers, quantisation, casts."""
        self._show_rest(found.precision, remarks(found.quantization))

    def _show_rest(self, precision: Precision, told: Sequence[tuple[str, str]]) -> None:
        rest = QWidget()
        column = QVBoxLayout(rest)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        layers = [(name, n, units.plural(n, "layer")) for name, n in precision.compute]
        self._add(self._theme, "Compute, by layers", layers, column)
        for name, words in told:
            column.addWidget(label(name, "section"))
            column.addWidget(wrapped(words))
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
        whole = sum(amount for _, amount, _ in amounts)
        parts = [
            Part(name, amount, words, units.share(amount, whole))
            for name, amount, words in amounts
        ]
        column.addWidget(label(title, "section"))
        if parts:
            column.addWidget(StackedBar(theme, parts, title))
        else:
            column.addWidget(label("Nothing is stored in the file.", "secondary"))


def remarks(found: Quantization) -> tuple[tuple[str, str], ...]:
    """Say how the model is quantised, how its weights are packed and what its edges convert."""
    scheme = " and ".join(SCHEMES[name] for name, _ in found.schemes)
    packed = [
        f"{units.plural(each.tensors, 'tensor')} {_form(each)}: "
        f"{units.size(each.stored_bytes)} that would be {units.size(each.expanded_bytes)}"
        for each in found.compressions
    ]
    told = [("Quantisation", scheme), ("Compressed weights", "; ".join(packed))]
    if found.edges:
        first = found.edges[0]
        casts = all(edge.operator.startswith("Cast") for edge in found.edges)
        noun = units.plural(len(found.edges), "cast" if casts else "conversion")
        words = f"{first.inside} inside, {first.outside} outside: {noun} a prediction"
        told.append(("At the edges", words))
    return tuple((name, words) for name, words in told if words)


def _form(packed: Compression) -> str:
    return " ".join(filter(None, (packed.kind, f"{packed.bits} bit", packed.granularity)))


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
            Part(name, count, f"{count:,}", units.share(count, whole))
            for name, count in facts.operators
        ]
        self.bars = BarList(theme, parts, "Operators", SHOWN)
        self.bars.chosen.connect(self.chosen)
        self.body.addWidget(self.bars)
        self.body.addWidget(Reveal(len(parts), SHOWN, "operators", self.bars.show_first))
        self.body.addStretch(1)
