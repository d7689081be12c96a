"""Cards of the Overview: what a model is, its file, types and operators, cost, and checks."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts, Precision
from inspector.analysis.facts.symbolic_sizes import in_words, number
from inspector.model.model import Model
from inspector.pages.blocks import Chart, Fact
from inspector.pages.blocks import Facts as PageFacts
from inspector.pages.charts.bars import ROW, lines, shares, shares_of
from inspector.pages.charts.drawing import Drawing
from inspector.pages.model import file
from inspector.pages.model.computed import quantization
from inspector.pages.model.weights import dominant_sentence, no_weights
from inspector.preview.identity import (
    ASSUMED,
    CERTAIN,
    LIKELY,
    UNKNOWN,
    UNREADABLE_WEIGHTS,
    Evidence,
    Identity,
)
from inspector.ui import glossary, units
from inspector.ui.documents.document import Document
from inspector.ui.documents.estimating import CompatibilityCheck, CostEstimation
from inspector.ui.tabs.overview.validity import ROW_PX, ValidityRow
from inspector.ui.translate import mark, plural, tr, tr_message, written
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.page_view import SectionCard, block_view
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    follow,
    grid_of,
    label,
    row,
    tip,
    tool,
    wrapped,
)
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Count, Name, Size, Value

_PROOF_BESIDE_PX = 800  # width of the card, below which reasons had a few letters in a line
_UNLIMITED_PX = 16_777_215  # QWIDGETSIZE_MAX of Qt
# Shape, color and word together, so that none of them has to be told by its color.
_CONFIDENCE_SIGNS = {
    CERTAIN: ("certain", "good", mark("Certain")),
    LIKELY: ("likely", "good", mark("Likely")),
    ASSUMED: ("assumed", "caution", mark("Assumed")),
    UNKNOWN: ("info", "secondary", mark("Unknown")),
}
_STATEMENT_CHARS = 56  # shown of a statement, so that its reason has room
_CONFIDENCE_TIPS = {
    CERTAIN: mark(
        "Stated in the file, or the only possibility given the structure of the model."
    ),
    LIKELY: mark("The structure matches a known model family."),
    ASSUMED: mark(
        "These match the model, but nothing in the file confirms them. Change or undo them if "
        "they are wrong."
    ),
    UNKNOWN: mark("The file does not state it, and its structure matches no known family."),
}
_ABBREVIATION = re.compile(r"\b[A-Z]{3,}\b")
_SHOWN_DIGITS = 12  # of the SHA-256
_SHOWN_OPERATORS = 12  # operators, before all are asked for
_ABOVE_BARS_PX = 8.0  # above the first bar
_LONG_AXIS = 1_000_000  # length of an axis
_SHOWN_AXES = 6
_MOST_NAMED = 3  # contradictions, and operators without known numbers
MACS = mark("Multiply-accumulates (MACs)")
OPERATIONS = mark("Operations")
MOVED = mark("Memory traffic (estimated)")
INTENSITY = mark("Arithmetic intensity")
PEAK = mark("Peak activation memory (estimated)")


class IdentityCard(Card):
    """The sentence of a model in two lines, and its evidence as rows.

    chosen: whether somebody chose the names of the classes.
    """

    change_requested = Signal()  # of the names of the classes
    undone = Signal()  # the assumed or chosen names of the classes

    def __init__(self, theme: Theme, identity: Identity, chosen: bool = False) -> None:
        super().__init__(theme)
        self._chosen = chosen
        self.headline = wrapped(identity.headline, "metric")
        details = units.capitalized(written(identity.details))
        self.details = wrapped(details, "subtitle")
        column = column_of(self.headline, 2, self.details, 10, spacing=0)
        self._across = row((column, 1), spacing=24)
        self.body.addLayout(self._across)
        self._rows = grid_of(8, 0, (0, 0, 0, 1))
        for line, evidence in enumerate(identity.evidence):
            if evidence.statement != UNREADABLE_WEIGHTS:  # the last row says so
                self._add_row(theme, line, evidence)
        add_to(column, self._rows, None)
        self.validity: ValidityRow | None = None
        self._proof: QWidget | None = None
        self._proof_px = 0
        self.setAccessibleName(written(identity.sentence))

    def show_validity(
        self, document: Document, work: CompatibilityCheck | None, findings: int
    ) -> ValidityRow:
        """Say in the last row whether the file is valid; see `ValidityRow`."""
        self.validity = ValidityRow(self._theme, document, work, findings, self._rows, self)
        return self.validity

    def show_proof(self, proof: QWidget) -> None:
        """Put at the right what the model answers, or below where the card is narrow."""
        self._proof, self._proof_px = proof, proof.minimumWidth()
        self._across.addWidget(proof)
        self._place_proof()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the reasons a line that can be read."""
        super().resizeEvent(event)
        self._place_proof()

    def _place_proof(self) -> None:
        beside = self.width() >= _PROOF_BESIDE_PX
        ways = QBoxLayout.Direction
        way = ways.LeftToRight if beside else ways.TopToBottom
        if self._proof is not None and way != self._across.direction():
            self._across.setDirection(way)
            self._proof.setMinimumWidth(self._proof_px if beside else 0)
            self._proof.setMaximumWidth(self._proof_px if beside else _UNLIMITED_PX)

    def _add_row(self, theme: Theme, line: int, evidence: Evidence) -> None:
        icon, role, word = _CONFIDENCE_SIGNS[evidence.confidence]
        sign = QLabel()
        sign.setFixedWidth(16)
        follow(theme, sign, lambda: sign.setPixmap(theme.pixmap(icon, role)))
        confidence = label(tr(word), "secondary")
        for widget in (sign, confidence):
            widget.setToolTip(tr(_CONFIDENCE_TIPS[evidence.confidence]))
        statement = written(evidence.statement)
        if evidence.subject != "precision":  # whose first word is a type's name
            statement = units.capitalized(statement)
        middle = Qt.AlignmentFlag.AlignVCenter
        changeable = evidence.subject == "classes" and (
            self._chosen or evidence.confidence == ASSUMED
        )
        if changeable:
            self._rows.addLayout(self._class_name_buttons(theme), line, 4, middle)
        self._rows.setRowMinimumHeight(line, ROW_PX)
        self._rows.addWidget(sign, line, 0, middle)
        self._rows.addWidget(confidence, line, 1, middle)
        shown = label(units.clip(statement, _STATEMENT_CHARS), "value", selectable=True)
        terms = map(glossary.meaning, _ABBREVIATION.findall(statement))
        whole = statement if len(statement) > _STATEMENT_CHARS else ""
        shown.setToolTip(tip(whole, *terms))
        self._rows.addWidget(shown, line, 2, middle)
        reason = wrapped(units.clip(written(evidence.reason), 200), "secondary")
        reason.setContentsMargins(8, 3, 0, 3)
        self._rows.addWidget(reason, line, 3, 1, 1 if changeable else 2, middle)

    def _class_name_buttons(self, theme: Theme) -> QHBoxLayout:
        change = button(theme, tr("Change…"))
        undo = button(theme, tr("Restore") if self._chosen else tr("Use numbers"))
        change.setAccessibleName(tr("Change the class names"))
        undo.setAccessibleName(
            tr("Restore the previous class names")
            if self._chosen
            else tr("Show numbers instead of the assumed class names")
        )
        change.clicked.connect(self.change_requested)
        undo.clicked.connect(self.undone)
        for link in (change, undo):
            link.setProperty("role", "link")  # the reason beside them needs the room
        self.change, self.undo = change, undo
        return row(None, change, undo)


class FileCard(SectionCard):
    """What the file says of itself, and its digest, which can be copied."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__(theme, file.facts_section(model, facts, False, False))
        self.digest = DigestLine(theme)
        add_to(self.body, self.digest, None)


class DigestLine(QWidget):
    """The sha256: its beginning, and a button that copies the whole."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._digest = ""
        self.value = label(tr("Computing…"), "mono")
        self.copy: QToolButton = tool(theme, "copy", tr("Copy the full SHA-256"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._digest))
        self.copy.setEnabled(False)
        layout = _two_ends(self, tr("SHA-256"))
        add_to(layout, self.value, self.copy)
        layout.setContentsMargins(0, 0, 0, 0)

    def show_digest(self, digest: str) -> None:
        """Show it once it is known."""
        self._digest = digest
        self.value.setText(f"{digest[:_SHOWN_DIGITS]}…")
        self.value.setToolTip(digest)
        self.copy.setEnabled(True)


def with_opset(text: str) -> str:
    """Return a requirement in ONNX's notation: "opset 17", "BatchNormalization-15"."""
    text = re.sub(r" \((?:of )?(?:operator set|opset) (\d+)\)", r"-\1", text)
    return text.replace("operator set", "opset")


def _two_ends(widget: QWidget, name: str) -> QHBoxLayout:
    widget.setFixedHeight(ROW_PX)
    layout = row(on=widget)
    add_to(layout, label(name, "secondary"), None)
    return layout


class PrecisionCard(Card):
    """In which formats weights are stored, and in which layers work."""

    def __init__(self, theme: Theme, model: Model, facts: Facts) -> None:
        super().__init__(theme)
        self._without = tr_message(no_weights(model))
        self.body.setSpacing(8)
        self.body.addWidget(label(tr("Data types"), "heading"))
        self._theme = theme
        storage = facts.precision.storage
        self._add(
            theme, tr("Stored weights by size"), [(n, s, Size(s)) for n, s in storage if s]
        )
        if facts.dominant is not None:
            self.dominant = wrapped(written(dominant_sentence(facts.dominant)), "secondary")
            self.body.addWidget(self.dominant)
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
        column = column_of(on=rest, spacing=8)
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
        add_to(self.body, row(label(tr("Operators"), "heading"), kinds, None), 2)
        parts = shares_of([(Name(name), n, Count(n)) for name, n in facts.operators])
        longest = max((part.share for part in parts), default=0) or 1.0
        self._bars = tuple(
            replace(part, share=part.share / longest, key=name)
            for part, (name, _) in zip(parts, facts.operators, strict=True)
        )
        self.bars = ChartView(theme, by_return=True)
        self.bars.chosen.connect(self._choose)
        self._show_first(_SHOWN_OPERATORS)
        self.body.addWidget(self.bars)
        self.body.addWidget(
            ShowMoreButton(len(parts), _SHOWN_OPERATORS, tr("operators"), self._show_first)
        )
        self.body.addStretch(1)

    def _show_first(self, number: int) -> None:
        shown = self._bars[:number]

        def draw(width: float) -> Drawing:
            tall = _ABOVE_BARS_PX + len(shown) * ROW
            return Drawing("", width, tall, tuple(lines(shown, width, _ABOVE_BARS_PX)))

        self.bars.show_chart(Chart("operators", draw, tr("Operators")))

    def _choose(self, operator: str) -> None:
        self.bars.choose("")  # the search shows what was chosen, until it is cleared
        self.chosen.emit(operator)


class CostCard(Card):
    """A number and a formula for each kind of cost; nothing of it is measured."""

    def __init__(self, theme: Theme, work: CostEstimation) -> None:
        super().__init__(theme)
        self._work = work
        self.fields: dict[str, NumberField] = {}
        self.values: dict[str, CostLine] = {}
        self.body.setSpacing(0)
        head = row(label(tr("Cost"), "heading"), label(tr("per run"), "caption"), None)
        add_to(self.body, head, 8)
        for name in (MACS, OPERATIONS, MOVED, INTENSITY, PEAK):
            self.values[name] = CostLine(tr(name))
            self.body.addWidget(self.values[name])
        self._axes = QWidget()
        self._grid = grid_of(12, 6, (1,), on=self._axes, margins=(0, 8, 0, 0))
        self.body.addWidget(self._axes)
        self.note: QLabel = wrapped(tr("Inferring shapes…"), "caption")
        add_to(self.body, 8, self.note, None)
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
        total = _sum_text(estimate.macs, units.count, vague)
        self.values[MACS].tell(total, macs if is_known else "")
        partly = vague or sizeless
        operations = number(cost.operations, lengths)
        self.values[OPERATIONS].tell(_sum_text(operations, units.count, partly))
        moved = number(cost.moved_bytes, lengths)
        self.values[MOVED].tell(_sum_text(moved, units.size, partly))
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
            (high if high.startswith(f"{low} ") else tr("{low} to {high}")).format(
                low=low, high=high
            )
            if high
            else _sum_text(estimate.peak_bytes, units.size, sizeless),
            "" if isinstance(estimate.peak.bytes, int) else peak and least_text(peak),
        )
        self._show_fields(estimate)
        self.note.setText(units.clip(_cost_note(estimate), 600))

    def _show_fields(self, estimate: Estimate) -> None:
        for name in estimate.free[:_SHOWN_AXES]:
            if name in self.fields:
                continue
            field = NumberField(
                tr("Size of {name}").format(name=units.clip(name, 60)), _LONG_AXIS
            )
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
        column = column_of(on=self, spacing=0)
        line = row(label(name, "secondary"), self.formula, self.value, spacing=12, stretch=1)
        add_to(column, line, self.below)
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


def _sum_text(amount: int, text: Callable[[int], str], partly: bool) -> str:
    """Write a sum; of one that is known only partly, what it is at least."""
    if not partly:
        return text(amount)
    return least_text(text(amount)) if amount else tr("unknown")


def _cost_note(estimate: Estimate) -> str:
    """Return what it rests on and what is missing."""
    parts = []
    if estimate.shapes.note:
        parts.append(
            tr("{note} Only declared shapes are counted.").format(note=estimate.shapes.note)
        )
    parts += [each.text for each in estimate.contradictions[:_MOST_NAMED]]
    if estimate.cost.unknown:
        named = ", ".join(
            f"{units.number(count)} {n}" for n, count in estimate.cost.operators[:_MOST_NAMED]
        )
        layers = plural(estimate.cost.unknown, "layer")
        parts.append(tr("Unknown for {layers}: {named}.").format(layers=layers, named=named))
    if estimate.peak.unknown:
        values = plural(estimate.peak.unknown, "value")
        parts.append(tr("The size of {values} is unknown.").format(values=values))
    if len(estimate.free) > _SHOWN_AXES:
        parts.append(
            tr("{count} more dynamic axes are assumed to be 1.").format(
                count=len(estimate.free) - _SHOWN_AXES
            )
        )
    return " ".join(parts) or tr("Estimated from the tensor shapes, not measured.")
