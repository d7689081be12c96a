"""The layers of a walk in a card: what was found, filter, list, steps to and fro."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter

from inspector import units
from inspector.analysis.layer_search import values_by_name
from inspector.analysis.measured.layer_outputs import LayerOutput, LayerStep, Stepping, summary
from inspector.export.charts.palette import Palette
from inspector.model.model import Model, TensorInfo, packed_bytes, product
from inspector.model.tensors.agreement import decibels
from inspector.model.tensors.difference import Difference
from inspector.ui.selection import Selection
from inspector.ui.tabs.weights.weight_facts import Remark
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, button, tip, tool
from inspector.ui.widgets.parts import row as line
from inspector.ui.widgets.table import LEFT, Cells, Table, draw_name
from inspector.ui.widgets.table_card import FilterField, RowMenu, TableCard
from inspector.ui.widgets.table_model import SearchedLayers, TableModel, ranks
from inspector.ui.widgets.theme import Theme, colour, font

# The columns of the list of layers and their values: what each one says, how it sorts.


class ActivationColumn(StrEnum):
    """A column of the list."""

    NUMBER = "#"
    LAYER = mark("Layer")
    OPERATOR = mark("Operator")
    SHAPE = mark("Shape")
    SIZE = mark("Size")
    MIN = mark("Min")
    MAX = mark("Max")
    NON_FINITE = mark("NaN, Inf")
    ERROR = mark("Rel error")
    SQNR = mark("SQNR")

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self in (
            ActivationColumn.SIZE,
            ActivationColumn.MIN,
            ActivationColumn.MAX,
            ActivationColumn.NON_FINITE,
            ActivationColumn.ERROR,
            ActivationColumn.SQNR,
        )

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self in (
            ActivationColumn.SIZE,
            ActivationColumn.MAX,
            ActivationColumn.NON_FINITE,
            ActivationColumn.ERROR,
        )


MEANINGS = {
    ActivationColumn.SIZE: mark("Total size of the layer's outputs"),
    ActivationColumn.MIN: mark("Smallest finite value of the selected output"),
    ActivationColumn.MAX: mark("Largest finite value of the selected output"),
    ActivationColumn.NON_FINITE: mark("Number of NaN and infinite elements in all outputs"),
    ActivationColumn.ERROR: mark("Max error ÷ max |value| of the reference"),
    ActivationColumn.SQNR: mark(
        "Signal-to-quantization-noise ratio: power of the "
        "reference ÷ power of the difference; ∞ means identical"
    ),
}
_WIDE = {
    ActivationColumn.NUMBER: 48,
    ActivationColumn.LAYER: 150,
    ActivationColumn.OPERATOR: 104,
    ActivationColumn.SHAPE: 104,
    ActivationColumn.SIZE: 84,
    ActivationColumn.MIN: 84,
    ActivationColumn.MAX: 84,
    ActivationColumn.NON_FINITE: 96,
    ActivationColumn.ERROR: 78,
    ActivationColumn.SQNR: 78,
}
_FIRST_TO_GO = (
    ActivationColumn.OPERATOR,
    ActivationColumn.SIZE,
    ActivationColumn.SHAPE,
    ActivationColumn.MIN,
    ActivationColumn.SQNR,
    ActivationColumn.MAX,
)


def widths(columns: Sequence[ActivationColumn], room: int) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over."""
    widths_by_column = {subject: _WIDE[subject] for subject in columns}
    for subject in _FIRST_TO_GO:
        if subject in widths_by_column and sum(widths_by_column.values()) > room:
            widths_by_column[subject] = 0
    widths_by_column[ActivationColumn.LAYER] += max(0, room - sum(widths_by_column.values()))
    return tuple(widths_by_column[subject] for subject in columns)


def shown(step: LayerStep) -> LayerOutput | None:
    """The output that a row tells of: the one that differs most, else the first."""
    worst = step.worst
    if worst is not None:
        return next(each for each in step.outputs if each.difference is worst)
    return step.outputs[0] if step.outputs else None


def output_bytes(step: LayerStep) -> int | None:
    """Return the bytes of all outputs of a layer; None if the size of one is not known."""
    sizes = [
        packed_bytes(each.dtype, product(each.shape) or 0) if each.statistics else None
        for each in step.outputs
    ]
    return sum(size or 0 for size in sizes) if sizes and None not in sizes else None


def number(value: float | int | None) -> str:
    """A value in few places."""
    return "–" if value is None else f"{value + 0.0:.4g}"  # 0.0: -0 is 0


def share(difference: Difference | None) -> str:
    """An error in parts of the largest value: '3.1e-05', 'shape' where that differs."""
    if difference is None:
        return "–"
    if difference.problem:
        return "other"
    if difference.identical:
        return "0"
    if difference.unmatched:
        return tr("NaN, Inf")
    relative = difference.relative
    return (
        tr("differs") if relative is None else "∞" if np.isinf(relative) else f"{relative:.2g}"
    )


def odd(step: LayerStep) -> str:
    """Return how many elements are NaN or infinite: '12 NaN', '3 Inf', both added up."""
    if not step.nan and not step.infinite:
        return "" if step.outputs else "–"
    word = tr("NaN") if step.nan and not step.infinite else "" if step.nan else tr("Inf")
    return f"{units.count(step.nan + step.infinite)} {word}".strip()


def text(step: LayerStep, subject: ActivationColumn) -> str:
    """Return the text of a cell."""
    output = shown(step)
    values = output.statistics if output is not None else None
    apart = output.difference if output is not None else None
    match subject:
        case ActivationColumn.NUMBER:
            return str(step.index)
        case ActivationColumn.LAYER:
            return units.clip(step.name)
        case ActivationColumn.OPERATOR:
            return units.clip(step.operator, 60)
        case ActivationColumn.SHAPE:
            return (
                "–"
                if output is None
                else units.clip(output.description) or units.shape(output.shape)
            )
        case ActivationColumn.SIZE:
            size_bytes = output_bytes(step)
            return "–" if size_bytes is None else units.size(size_bytes)
        case ActivationColumn.MIN:
            return number(values.minimum if values else None)
        case ActivationColumn.MAX:
            return number(values.maximum if values else None)
        case ActivationColumn.NON_FINITE:
            return odd(step)
        case ActivationColumn.ERROR:
            return share(apart)
        case ActivationColumn.SQNR:
            return "–" if apart is None or apart.sqnr_db is None else decibels(apart.sqnr_db)


def keys(steps: Sequence[LayerStep], subject: ActivationColumn) -> NDArray[np.float64]:
    """Return what a column sorts by: float64 (steps,); NaN where there is nothing."""
    if subject in (ActivationColumn.LAYER, ActivationColumn.OPERATOR):
        return ranks(
            [
                (step.name if subject is ActivationColumn.LAYER else step.operator)
                for step in steps
            ]
        )
    return np.array([_key(step, subject) for step in steps], np.float64)


def _key(step: LayerStep, subject: ActivationColumn) -> float:
    output = shown(step)
    values = output.statistics if output is not None else None
    apart = output.difference if output is not None else None
    value: float | None
    match subject:
        case ActivationColumn.NUMBER:
            value = step.index
        case ActivationColumn.SHAPE:
            value = product(output.shape) if output is not None else None
        case ActivationColumn.SIZE:
            value = output_bytes(step)
        case ActivationColumn.MIN:
            value = values.minimum if values else None
        case ActivationColumn.MAX:
            value = values.maximum if values else None
        case ActivationColumn.NON_FINITE:
            value = step.nan + step.infinite
        case ActivationColumn.ERROR:
            value = _error(apart)
        case _:
            value = apart.sqnr_db if apart else None
    return float("nan") if value is None else float(value)


def _error(apart: Difference | None) -> float | None:
    if apart is None:
        return None
    return float("inf") if apart.problem or apart.unmatched else apart.relative


# The layers of a walk as rows of a table.


class ActivationModel(TableModel[ActivationColumn]):
    """All layers in the order of the walk, or some of them in another."""

    def __init__(self, stepping: Stepping) -> None:
        left_out = (
            set() if stepping.against else {ActivationColumn.ERROR, ActivationColumn.SQNR}
        )
        if not any(step.nan or step.infinite for step in stepping.steps):
            left_out.add(ActivationColumn.NON_FINITE)
        columns = tuple(subject for subject in ActivationColumn if subject not in left_out)
        super().__init__(columns, len(stepping.steps))
        self.found = stepping
        first = stepping.divergence
        self.divergence = None if first is None else stepping.steps.index(first)
        made = stepping.first_nan
        self.first_nan = None if made is None else stepping.steps.index(made)
        self.places = {step.index: place for place, step in enumerate(stepping.steps)}

    def search_in(self, model: Model) -> None:
        """Let the filter know the layers of the model, and the shapes that outputs had."""

        def source() -> SearchedLayers:
            steps = self.found.steps
            outputs = (output for step in steps for output in step.outputs)
            shapes = {o.name: TensorInfo(o.name, "tensor", o.dtype, o.shape) for o in outputs}
            return [model.layers[step.index] for step in steps], values_by_name(model) | shapes

        self.search_layers(source)

    def step(self, row: int) -> LayerStep:
        """Return what a row shows."""
        return self.found.steps[self.place_of(row)]

    def badge(self, row: int) -> str:
        """Return what is special about a layer, in a word or two; empty for most."""
        place = self.place_of(row)
        if place == self.divergence:
            return tr("first difference")
        return tr("first NaN") if place == self.first_nan else ""

    def text(self, row: int, column: ActivationColumn) -> str:
        """Return the text of a cell."""
        return text(self.step(row), column)

    def spoken(self, row: int, column: ActivationColumn) -> str:
        """The name also tells what is special; an error whether it is too large."""
        text = self.text(row, column)
        if column is ActivationColumn.LAYER and self.badge(row):
            return f"{text}: {self.badge(row)}"
        if column is ActivationColumn.ERROR and self.step(row).over:
            return tr("{text}, exceeds the tolerance").format(text=text)
        return text

    def hint(self, row: int, column: ActivationColumn) -> str:
        """The name also tells why something is not known."""
        step = self.step(row)
        if column is ActivationColumn.LAYER:
            return tip(step.name, self.badge(row).capitalize(), step.problem, step.remark)
        if column in (ActivationColumn.ERROR, ActivationColumn.SQNR):
            apart = step.worst
            return tip(self.spoken(row, column), apart.problem if apart else step.remark)
        return super().hint(row, column)

    def meaning(self, column: ActivationColumn) -> str:
        """Return the meaning of a column title."""
        return MEANINGS.get(column, "")

    def keys(self, column: ActivationColumn) -> NDArray[np.float64]:
        """Return what a column sorts by."""
        return keys(self.found.steps, column)

    def haystack(self) -> Sequence[str]:
        """Name, operator and tensors; "nan" and "differs" where that is so."""
        return [_words(step) for step in self.found.steps]


def _words(step: LayerStep) -> str:
    names = "\n".join(output.name for output in step.outputs)
    odd = "nan" * bool(step.nan) + " inf" * bool(step.infinite)
    differs = tr("differs") if step.over else ""
    return f"{step.name}\n{step.operator}\n{names}\n{odd}\n{differs}".casefold()


# How the list of layers and values is drawn: names in two tones, badges, errors in red.


class ActivationCells(Cells[ActivationColumn]):
    """Draws what is told of a layer."""

    def __init__(self, theme: Theme, model: ActivationModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def side(self, column: ActivationColumn) -> Qt.AlignmentFlag:
        """Numbers of layers are at the left edge."""
        return LEFT if column is ActivationColumn.NUMBER else super().side(column)

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: ActivationColumn, chosen: bool
    ) -> None:
        """Draw a name with its badge, or text."""
        look, step = self._theme.palette, self._model.step(row)
        if column is ActivationColumn.LAYER:
            badge = self._model.badge(row)
            if badge:
                box.setRight(box.right() - self._draw_badge(painter, box, badge))
            painter.setFont(font(12, 400 if step.problem else 500))
            draw_name(painter, box, self._model.text(row, column), look, chosen)
            return
        small = column in (ActivationColumn.NUMBER, ActivationColumn.SHAPE)
        painter.setFont(font(11, mono=column is ActivationColumn.SHAPE) if small else font(12))
        tint = look.on_selection if chosen else self._tint(column, row, look)
        self.draw_text(painter, box, self._model.text(row, column), tint, column)

    def _tint(self, column: ActivationColumn, row: int, look: Palette) -> str:
        step = self._model.step(row)
        if column in (ActivationColumn.ERROR, ActivationColumn.SQNR) and step.over:
            return look.bad
        if column is ActivationColumn.NON_FINITE and step.nan:
            return look.bad
        if column is ActivationColumn.NUMBER or step.problem:
            return look.tertiary
        return look.text if column is ActivationColumn.ERROR else look.secondary

    def _draw_badge(self, painter: QPainter, box: QRectF, text: str) -> float:
        """A word in the colour of failures; the room that it took."""
        look = self._theme.palette
        painter.setFont(font(11, 500))
        if box.width() < 170:
            text = "first" if text.startswith("first") else tr("NaN")
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        badge = QRectF(box.right() - width, box.center().y() - 8, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.bad, 0.14))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(look.bad))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
        return width + 8


_FIND = mark("Filter by name or operator")


class ActivationList(TableCard):
    """Lists all layers; the one that is selected is selected everywhere."""

    chosen = Signal(object)  # LayerStep
    graph_asked = Signal()  # the graph should show the one that is chosen

    def __init__(self, theme: Theme, stepping: Stepping, selection: Selection) -> None:
        rows = ActivationModel(stepping)
        table = Table(theme, tr("Layers and their outputs"), rows, ActivationCells(theme, rows))
        field = FilterField(
            theme, tr("Filter layers"), tr(_FIND), wide=210, small=100, roomy=560
        )
        field.explain_search()
        self.back = tool(theme, "up", tr("Previous layer ([)"))
        self.forward = tool(theme, "down", tr("Next layer (])"))
        super().__init__(theme, table, tr("Layers"), field, 7, self.back, self.forward)
        self.model, self._selection, self._found = rows, selection, stepping
        self.to_first = button(theme, tr("Show"), "right")
        self.to_first.hide()
        self.row_menu = RowMenu(
            table, field, self._named, ((tr("Show in graph"), self.graph_asked.emit),)
        )
        self._add_summary(theme)
        self.back.clicked.connect(lambda: self.walk(-1))
        self.forward.clicked.connect(lambda: self.walk(1))
        selection.changed.connect(self._follow)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(self.model.columns, room)

    def counted(self) -> str:
        """Return how many layers are shown, and how many differ."""
        shown, every = self.model.rowCount(), len(self._found.steps)
        number = (
            f"{shown:,}"
            if shown == every
            else tr("{shown:,} of {every:,}").format(shown=shown, every=every)
        )
        over = sum(step.over for step in self._found.steps)
        return (
            tr("{number} · {over:,} over tolerance").format(number=number, over=over)
            if over
            else number
        )

    def selected_row(self) -> int | None:
        """The row of the selected layer."""
        layer = self._selection.now.layer
        place = None if layer is None else self.model.places.get(layer)
        return None if place is None else self.model.row_at(place)

    def choose_row(self, row: int) -> None:
        """Select a layer, here and everywhere."""
        self._selection.choose(layer=self.model.step(row).index)

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        step = self.model.step(row)
        return step.name, (step.operator, units.scope_and_name(step.name)[0])

    def walk(self, steps: int) -> None:
        """Go on by so many layers, in the order that is shown."""
        now, last = self.selected_row(), self.model.rowCount() - 1
        if last >= 0:
            self.choose_row(0 if now is None else min(max(0, now + steps), last))

    def go_to_first(self) -> None:
        """Select the layer that the summary is about: the first difference, or NaN's maker."""
        place = self.first
        if place is not None:
            if self.model.row_at(place) is None:
                self.filter.clear()
            self._selection.choose(layer=self._found.steps[place].index)
            self.table.setFocus()

    @property
    def first(self) -> int | None:
        """Place of the layer that deserves a look first."""
        model = self.model
        return model.divergence if model.divergence is not None else model.first_nan

    def _add_summary(self, theme: Theme) -> None:
        message = " ".join(summary(self._found))
        if not message:
            return
        wrong = self.first is not None
        icon, role = ("warning", "bad") if wrong else ("check", "good")
        below = line(
            Remark(theme, units.clip(message, 400), icon, role), self.to_first, stretch=0
        )
        below.setContentsMargins(PADDING - 1, 8, PADDING - 1, 8)
        self.to_first.setVisible(wrong)
        self.to_first.clicked.connect(self.go_to_first)
        self.body.insertLayout(1, below)

    def set_foot(self, notes: Sequence[str]) -> None:
        """Show below the list what is to be known of the walk."""
        for note in notes:
            below = line(Remark(self._theme, note), stretch=0)
            below.setContentsMargins(PADDING - 1, 7, PADDING - 1, 2)
            self.body.addLayout(below)

    def begin(self) -> None:
        """Show the selected layer, or that which deserves a look first."""
        if self._step() is None and self.model.rowCount():
            place = self.first
            self._selection.choose(layer=self._found.steps[place or 0].index)
        else:
            self._follow()

    def _follow(self) -> None:
        self.follow_selection()
        step = self._step()
        if step is not None:
            self.chosen.emit(step)

    def _step(self) -> LayerStep | None:
        layer = self._selection.now.layer
        place = None if layer is None else self.model.places.get(layer)
        return None if place is None else self._found.steps[place]
