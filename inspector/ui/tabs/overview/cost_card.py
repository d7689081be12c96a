"""The estimated cost of a run: arithmetic and bytes, with fields for dynamic axes."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import in_words, number
from inspector.ui import units
from inspector.ui.documents.estimating import CostEstimation
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import Card, Elided, label, row
from inspector.ui.widgets.theme import Theme

LONGEST = 1_000_000  # size of an axis
SHOWN_AXES = 6
NAMED = 3  # contradictions, and operators
MACS = mark("Multiply-accumulates (MACs)")
OPERATIONS = mark("Operations")
MOVED = mark("Memory traffic (estimated)")
INTENSITY = mark("Arithmetic intensity")
PEAK = mark("Peak activation memory (estimated)")


class CostCard(Card):
    """A number and a formula for each kind of cost; nothing of it is measured."""

    def __init__(self, theme: Theme, work: CostEstimation) -> None:
        super().__init__(theme)
        self._work = work
        self.fields: dict[str, NumberField] = {}
        self.values: dict[str, CostLine] = {}
        self.body.setSpacing(0)
        head = row(label(tr("Cost"), "heading"), label(tr("per run"), "caption"), None)
        self.body.addLayout(head)
        self.body.addSpacing(8)
        for name in (MACS, OPERATIONS, MOVED, INTENSITY, PEAK):
            self.values[name] = CostLine(tr(name))
            self.body.addWidget(self.values[name])
        self._axes = QWidget()
        self._grid = QGridLayout(self._axes)
        self._grid.setContentsMargins(0, 8, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(0, 1)
        self.body.addWidget(self._axes)
        self.note: QLabel = wrapped(tr("Inferring shapes…"), "caption")
        self.body.addSpacing(8)
        self.body.addWidget(self.note)
        self.body.addStretch(1)
        self._axes.hide()
        work.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        estimate = self._work.estimate
        if estimate is None:
            return
        cost, lengths = estimate.cost, estimate.lengths
        vague, sizeless = bool(cost.unknown), bool(estimate.peak.unknown)
        formula = estimate.macs_formula
        macs = in_words(formula, units.count) if formula is not None else ""
        is_known = estimate.macs > 0 or not vague
        least = tr("at least ") if vague else ""
        self.values[MACS].tell(
            least + units.count(estimate.macs) if is_known else tr("unknown"),
            macs if is_known else "",
        )
        partly = vague or sizeless
        operations = number(cost.operations, lengths)
        self.values[OPERATIONS].tell(_known(operations, units.count, partly))
        moved = number(cost.moved_bytes, lengths)
        self.values[MOVED].tell(_known(moved, units.size, partly))
        intensity = None if partly else cost.intensity(lengths)
        text = (
            tr("unknown")
            if intensity is None
            else tr("{intensity} FLOP/byte").format(intensity=units.significant(intensity))
        )
        self.values[INTENSITY].tell(text)
        peak = in_words(estimate.peak.bytes, units.size) if estimate.formula else ""
        low, high = estimate.peak_ends
        self.values[PEAK].tell(
            tr("{low} to {high}").format(low=low, high=high)
            if high
            else _known(estimate.peak_bytes, units.size, sizeless),
            "" if isinstance(estimate.peak.bytes, int) else peak and least_text(peak),
        )
        self._show_fields(estimate)
        self.note.setText(units.clip(_note(estimate), 600))

    def _show_fields(self, estimate: Estimate) -> None:
        for name in estimate.free[:SHOWN_AXES]:
            if name in self.fields:
                continue
            field = NumberField(tr("Size of {name}").format(name=units.clip(name, 60)), LONGEST)
            field.setMinimum(1)
            field.setFixedWidth(96)
            field.setValue(estimate.lengths[name])
            field.valueChanged.connect(lambda size, n=name: self._work.set_length(n, size))
            place = len(self.fields)
            self._grid.addWidget(Elided(name, "secondary"), place, 0)
            self._grid.addWidget(field, place, 1)
            self.fields[name] = field
        self._axes.setVisible(bool(self.fields))


class CostLine(QWidget):
    """Name at the left, value at the right; a formula before it, or below when it is long."""

    HEIGHT, HIGH, LONG = 26, 42, 24

    def __init__(self, name: str) -> None:
        super().__init__()
        self.formula = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.below = Elided("", "caption", Qt.TextElideMode.ElideMiddle)
        for text in (self.formula, self.below):
            text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.value = label("…", "value")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = row(label(name, "secondary"), self.formula, self.value, spacing=12, stretch=1)
        column.addLayout(line)
        column.addWidget(self.below)
        self.tell("…")

    def tell(self, value: str, formula: str = "") -> None:
        """Show a value; a formula that says no more is left out."""
        formula = "" if formula == value else formula
        long = len(formula) > self.LONG
        self.value.setText(value)
        self.formula.set_text("" if long else formula)
        self.below.set_text(formula if long else "")
        self.below.setVisible(long)
        self.setFixedHeight(self.HIGH if long else self.HEIGHT)


def least_text(formula: str) -> str:
    """Return a formula of the least as text."""
    return tr("at least {text}").format(text=formula)


def _known(amount: int, text: Callable[[int], str], partly: bool) -> str:
    """Write a sum; of one that is known only partly, what it is at least."""
    if not partly:
        return text(amount)
    return least_text(text(amount)) if amount else tr("unknown")


def _note(estimate: Estimate) -> str:
    """Return what it rests on and what is missing."""
    parts = []
    if estimate.shapes.note:
        parts.append(
            tr("{note} Only declared shapes are counted.").format(note=estimate.shapes.note)
        )
    parts += [each.text for each in estimate.contradictions[:NAMED]]
    if estimate.cost.unknown:
        named = ", ".join(
            f"{n} {units.number(count)}" for n, count in estimate.cost.operators[:NAMED]
        )
        layers = plural(estimate.cost.unknown, "layer")
        parts.append(tr("Unknown for {layers}: {named}.").format(layers=layers, named=named))
    if estimate.peak.unknown:
        values = plural(estimate.peak.unknown, "value")
        parts.append(tr("The size of {values} is unknown.").format(values=values))
    if len(estimate.free) > SHOWN_AXES:
        parts.append(
            tr("{count} more dynamic axes are assumed to be 1.").format(
                count=len(estimate.free) - SHOWN_AXES
            )
        )
    return " ".join(parts) or tr("Estimated from the tensor shapes, not measured.")
