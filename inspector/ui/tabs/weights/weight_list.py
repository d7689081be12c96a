"""The weights of a model in a card: filter, list, and reading all of them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QProgressBar

from inspector import units
from inspector.analysis.facts.weight_compression import WeightForm
from inspector.export.charts.palette import Palette
from inspector.model.model import Model, WeightInfo, product
from inspector.ui.documents.weight_reading import WeightLoader
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, button, label, row, tip
from inspector.ui.widgets.table import Cells, Table, draw_bar, draw_name
from inspector.ui.widgets.table_card import FilterField, RowMenu, TableCard
from inspector.ui.widgets.table_model import TableModel, ranks
from inspector.ui.widgets.theme import Theme, colour, font

# The columns of the list of weights: what each one says, and how it sorts.


Sorted = TypeVar("Sorted", str, tuple[str, int])


class WeightColumn(StrEnum):
    """A column of the list."""

    NAME = mark("Name")
    TYPE = mark("Type")
    SHAPE = mark("Shape")
    BYTES = mark("Size")
    SHARE = mark("Share")
    PLACE = mark("Location")
    USERS = mark("Used by")
    FORM = mark("Stored as")

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self in (WeightColumn.BYTES, WeightColumn.SHARE)

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self in (WeightColumn.BYTES, WeightColumn.SHARE, WeightColumn.SHAPE)


COLUMNS = tuple(WeightColumn)
_WIDE = {
    WeightColumn.NAME: 164,
    WeightColumn.TYPE: 72,
    WeightColumn.SHAPE: 112,
    WeightColumn.BYTES: 130,
    WeightColumn.SHARE: 62,
    WeightColumn.PLACE: 160,
    WeightColumn.USERS: 150,
    WeightColumn.FORM: 122,
}
_BYTES_BESIDE_FORMS, _NAMES_BESIDE_FORMS = 88, 140
_ROOM_FOR_NAMES = 260  # before columns are shown that the details show too
_FIRST_TO_GO = {  # with the least room that names have beside them; None: their usual one
    WeightColumn.PLACE: _ROOM_FOR_NAMES,
    WeightColumn.USERS: _ROOM_FOR_NAMES,
    WeightColumn.SHARE: _ROOM_FOR_NAMES,
    WeightColumn.TYPE: None,
    WeightColumn.FORM: None,
}


def widths(room: int, with_forms: bool = True) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over."""
    widths_by_column = dict(_WIDE)
    if with_forms:
        widths_by_column[WeightColumn.BYTES] = _BYTES_BESIDE_FORMS
        widths_by_column[WeightColumn.NAME] = _NAMES_BESIDE_FORMS
    else:
        widths_by_column[WeightColumn.FORM] = 0
    for text, names in _FIRST_TO_GO.items():
        more = max(0, (names or 0) - widths_by_column[WeightColumn.NAME])
        if sum(widths_by_column.values()) + more > room:
            widths_by_column[text] = 0
    widths_by_column[WeightColumn.NAME] += max(0, room - sum(widths_by_column.values()))
    return tuple(widths_by_column[text] for text in COLUMNS)


def name(weight: WeightInfo) -> str:
    """Return what a weight is called; the file may give it no name."""
    return units.clip(weight.name or tr("(no name)"))


def place(weight: WeightInfo, long: bool = False) -> str:
    """Return the file and offset of a weight; "nowhere" if it cannot be read."""
    if weight.place is None:
        return "missing" if weight.problem else tr("no values")
    file = units.clip(weight.place.file, 60) or (tr("the model file") if long else "model")
    between = tr(", byte offset") if long else " ·"
    return f"{file}{between} {weight.place.offset:,}"


def users(model: Model, indices: Sequence[int]) -> str:
    """Return the layer that uses a weight, or the first one and the number of others."""
    if not indices:
        return tr("no layer")
    first = units.clip(model.layers[indices[0]].label, 80)
    return first if len(indices) == 1 else f"{first} +{len(indices) - 1:,}"


def keys(
    text: WeightColumn, model: Model, uses: Sequence[Sequence[int]], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return what a column sorts by: float64 (weights,)."""
    weights = model.weights
    match text:
        case WeightColumn.BYTES | WeightColumn.SHARE:
            return sizes.astype(np.float64)
        case WeightColumn.SHAPE:
            elements = {shape: product(shape) or 0 for shape in {w.shape for w in weights}}
            return np.fromiter((elements[w.shape] for w in weights), np.float64, len(weights))
        case WeightColumn.NAME:
            return _order([weight.name.casefold() for weight in weights])
        case WeightColumn.TYPE | WeightColumn.FORM:
            return ranks([weight.dtype for weight in weights])
        case WeightColumn.PLACE:
            places = [(w.place.file, w.place.offset) if w.place else ("", -1) for w in weights]
            return _order(places)
        case WeightColumn.USERS:
            return np.array([used[0] if used else np.inf for used in uses], np.float64)


def _order(values: Sequence[Sorted]) -> NDArray[np.float64]:
    """Place of each value when all are sorted; equal ones stay in order."""
    ranks = np.empty(len(values), np.float64)
    ranks[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
    return ranks


# The weights of a model as rows of a table.


class WeightsModel(TableModel[WeightColumn]):
    """All weights in the file's order, or some of them in another.

    uses: for each weight the layers that take it. form: how one is stored, by its place.
    """

    def __init__(
        self,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        form: "Callable[[int], WeightForm | None]" = lambda _: None,
    ) -> None:
        super().__init__(COLUMNS, len(model.weights))
        self.model, self.uses, self._form = model, uses, form
        self.sizes = np.fromiter(
            (weight.size_bytes or 0 for weight in model.weights), np.int64, len(model.weights)
        )
        self.whole_bytes = int(self.sizes.sum())
        self.largest_bytes = int(self.sizes.max(initial=0))

    def weight(self, row: int) -> WeightInfo:
        """Return what a row shows."""
        return self.model.weights[self.place_of(row)]

    def shown_bytes(self) -> int:
        """Bytes of all weights that are shown."""
        return int(self.sizes[self.order].sum())

    def text(self, row: int, column: WeightColumn) -> str:
        """Return the text of a cell."""
        weight, index = self.weight(row), self.place_of(row)
        match column:
            case WeightColumn.NAME:
                return name(weight)
            case WeightColumn.TYPE:
                return units.clip(weight.dtype, 40)
            case WeightColumn.FORM:
                return self.form_text(index)
            case WeightColumn.SHAPE:
                return units.shape(weight.shape)
            case WeightColumn.BYTES:
                return "–" if weight.size_bytes is None else units.size(weight.size_bytes)
            case WeightColumn.SHARE:
                return units.share(int(self.sizes[index]), self.whole_bytes)
            case WeightColumn.PLACE:
                return place(weight)
            case WeightColumn.USERS:
                return users(self.model, self.uses[index])

    def form_text(self, index: int) -> str:
        """Return how a weight is stored; in brackets a pattern that the file does not use."""
        form = self._form(index)
        if form is None or not form.kind:
            return ""
        return form.short_text if form.is_stored_so else f"({form.short_text})"

    def spoken(self, row: int, column: WeightColumn) -> str:
        """The name also tells the problem."""
        text = self.text(row, column)
        problem = self.weight(row).problem if column is WeightColumn.NAME else ""
        return f"{text}: {units.clip(problem)}" if problem else text

    def hint(self, row: int, column: WeightColumn) -> str:
        """The name also tells the origin and the problem."""
        if column is not WeightColumn.NAME:
            return super().hint(row, column)
        weight = self.weight(row)
        return tip(name(weight), weight.origin, weight.problem)

    def keys(self, column: WeightColumn) -> NDArray[np.float64]:
        """Return what a column sorts by."""
        if column is WeightColumn.FORM:
            texts = [self.form_text(index) for index in range(len(self.model.weights))]
            return ranks([text or "~" for text in texts])  # plain weights come last
        return keys(column, self.model, self.uses, self.sizes)

    def haystack(self) -> Sequence[str]:
        """Name, type, file and origin; "problem" where there is one."""
        return [_words(weight) for weight in self.model.weights]


def _words(weight: WeightInfo) -> str:
    file = weight.place.file if weight.place is not None else ""
    problem = "problem" if weight.problem else ""
    return f"{weight.name}\n{weight.dtype}\n{file}\n{weight.origin}\n{problem}".casefold()


# How the list of weights is drawn: names in two tones, problems, and bars of bytes.


WORDS, ROOMY = 70, 230
_DOWN = QPointF(0, 5.5)


class WeightCells(Cells[WeightColumn]):
    """Draws what is told of a weight."""

    def __init__(self, theme: Theme, model: WeightsModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: WeightColumn, chosen: bool
    ) -> None:
        """Draw a name with its badge, a bar with bytes, or text."""
        look = self._theme.palette
        if column is WeightColumn.NAME:
            self._draw_name(painter, box, row, chosen)
            return
        if column is WeightColumn.BYTES:
            self._draw_bar(painter, box, row, chosen)
        painter.setFont(font(11, mono=True) if column is WeightColumn.SHAPE else font(12))
        tint = look.on_selection if chosen else self._tint(column, row, look)
        self.draw_text(painter, box, self._model.text(row, column), tint, column)

    def _tint(self, text: WeightColumn, row: int, look: Palette) -> str:
        if text is WeightColumn.BYTES:
            return look.text
        if text is WeightColumn.USERS and not self._model.uses[self._model.place_of(row)]:
            return look.tertiary
        return look.secondary

    def _draw_name(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        weight = self._model.weight(row)
        if weight.problem:
            painter.drawPixmap(box.topLeft() + _DOWN, self._theme.pixmap("warning", "caution"))
            box.setLeft(box.left() + 22)
        if weight.origin != "initializer":
            box.setRight(box.right() - self._draw_badge(painter, box, weight.origin, chosen))
        painter.setFont(font(12, 500))
        draw_name(painter, box, name(weight), self._theme.palette, chosen)

    def _draw_badge(self, painter: QPainter, box: QRectF, origin: str, chosen: bool) -> float:
        """Mark what is no plain initializer; the room that took."""
        look, text = self._theme.palette, origin.split()[0]
        if box.width() < ROOMY:
            text = text[0].upper()
        painter.setFont(font(11))
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        badge = QRectF(box.right() - width, box.center().y() - 8, width, 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.text, 0.1) if chosen else colour(look.track))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(look.on_selection if chosen else look.secondary))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
        return width + 8

    def _draw_bar(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        look, size = self._theme.palette, self._model.weight(row).size_bytes
        width = box.width() - WORDS
        if width < 12 or size is None:
            return
        track = QRectF(box.left(), box.center().y() - 3, width, 6)
        part = size / max(1, self._model.largest_bytes) if size else None
        draw_bar(painter, track, part, look.accent, look, chosen)


_FIND = mark("Filter by name, type or file")


class WeightsList(TableCard):
    """Lists all weights; `chosen` tells the place of one in `Model.weights`."""

    chosen = Signal(int)
    entered = Signal(int)  # the same, after Return or a double click
    graph_asked = Signal()  # the graph should show the one that is chosen

    def __init__(
        self,
        theme: Theme,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        work: WeightLoader,
    ) -> None:
        rows = WeightsModel(model, uses, work.form)
        table = Table(theme, tr("Weights"), rows, WeightCells(theme, rows))
        field = FilterField(
            theme, tr("Filter weights"), tr(_FIND), wide=230, small=120, roomy=500
        )
        self._work, self._has_forms = work, work.has_forms
        super().__init__(theme, table, tr("Tensors"), field, 7)
        self.model = rows
        self._index: int | None = None
        self._readable = sum(not weight.problem for weight in model.weights)
        self.all_button = button(theme, tr("Load all"), "play")
        self.cancel_button = button(theme, tr("Cancel"))
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(tr("Loading all tensors"))
        self.said = label("", "secondary")
        self.row_menu = RowMenu(
            table, field, self._named, ((tr("Show in graph"), self.graph_asked.emit),)
        )
        self._lay_out()
        self._wire()
        self.refresh()
        self._show_progress()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(room, self._work.has_forms)

    def counted(self) -> str:
        """Return how many weights are shown, and their bytes."""
        shown, every = self.model.rowCount(), len(self.model.model.weights)
        number = (
            f"{shown:,}"
            if shown == every
            else tr("{shown:,} of {every:,}").format(shown=shown, every=every)
        )
        return f"{number} · {units.size(self.model.shown_bytes())}"

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        weight = self.model.weight(row)
        return weight.name, (weight.dtype, units.scope_and_name(weight.name)[0])

    def selected_row(self) -> int | None:
        """The row of the weight that was chosen last."""
        return self.model.row_at(self._index) if self._index is not None else None

    def choose_row(self, row: int) -> None:
        """Show which weight was chosen."""
        self._index = self.model.place_of(row)
        self.chosen.emit(self._index)

    def choose(self, index: int) -> None:
        """Select a weight; the filter gives way if it hides it."""
        if self.model.row_at(index) is None:
            self.filter.clear()
        self._index = index
        self.follow_selection()
        self.chosen.emit(index)

    def _lay_out(self) -> None:
        foot = row(self.said, self.progress, None, self.cancel_button, self.all_button)
        foot.setStretch(1, 1)
        foot.setContentsMargins(PADDING - 1, 7, PADDING - 1, 0)
        self.body.addLayout(foot)

    def _wire(self) -> None:
        self.table.activated.connect(self._enter)
        self.all_button.clicked.connect(self._work.read_all)
        self.cancel_button.clicked.connect(self._work.cancel_all)
        self._work.progressed.connect(self._show_progress)
        self._work.found_changed.connect(self._show_progress)
        self._work.found_changed.connect(self._show_forms)

    def _show_forms(self) -> None:
        """Show the column of forms as soon as a weight has one."""
        if self._work.has_forms != self._has_forms:
            self._has_forms = self._work.has_forms
            self.refresh()
        self.table.viewport().update()

    def _enter(self, current: QModelIndex) -> None:
        self.entered.emit(self.model.place_of(current.row()))

    def _show_progress(self) -> None:
        """Show how far reading all is, or what it would take."""
        work, every = self._work, len(self.model.model.weights)
        busy = work.all_done is not None
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        self.all_button.setVisible(not busy)
        self.all_button.setEnabled(work.read_ones < self._readable)
        if work.all_done is not None:
            self.progress.setValue(round(100 * work.all_done))
        read = work.read_ones
        refused = len(work.found) - read
        text = tr("Statistics loaded for {read:,} of {every:,} tensors").format(
            read=read, every=every
        )
        self.said.setText(
            tr("{text} · {refused:,} unreadable").format(text=text, refused=refused)
            if refused
            else text
        )
