"""Any tensor of an answer: in short, as a map or a table of any plane, and how it spreads."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import Statistics
from inspector.model.tensors.tensor_statistics import statistics
from inspector.preview.inputs.image_files import Picture
from inspector.ui import units
from inspector.ui.documents.weight_reading import View, first_view, plane_of, whole_plane
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.chart import ChartView, values_chart
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import Segmented, add_to, column_of, label, row
from inspector.ui.widgets.table import ShortTable
from inspector.ui.widgets.theme import Painted, Theme, font, painter_on, qt_color

AROUND = 41  # px, of a table besides its rows
CELL = 84  # px, width
LONGEST = 100_000  # rows and columns
_Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_SEVERAL = QAbstractItemView.SelectionMode.ContiguousSelection
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_HEAD = 44  # px, height of the facts
_LINE = 22  # px, height
_GAP = 10  # px
_CURVE = 72  # px, height
WAYS = (mark("Summary"), mark("Map"), mark("Table"), mark("Distribution"))
SHORT, MAP, TABLE, SPREAD = range(4)


class PlaneModel(QAbstractTableModel):
    """Cells of an array (rows, columns); `typed` gets a new text for a cell, if any may be
    typed, and says whether it was taken."""

    def __init__(self, typed: Callable[[int, int, str], bool] | None = None) -> None:
        super().__init__()
        self._values: NDArray[Any] = np.zeros((0, 0))
        self._names: Sequence[str] = ()
        self._typed = typed

    def show_values(self, values: NDArray[Any], names: Sequence[str] = ()) -> None:
        """Show other values (rows, columns); names: of the columns, else their numbers."""
        self.beginResetModel()
        self._values, self._names = values, names
        self.endResetModel()

    def rowCount(self, parent: _Index = _NONE) -> int:
        """Rows, as many as a table can show."""
        return 0 if parent.isValid() else min(LONGEST, self._values.shape[0])

    def columnCount(self, parent: _Index = _NONE) -> int:
        """Columns."""
        return 0 if parent.isValid() else min(LONGEST, self._values.shape[1])

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        return cell_text(self._values[row, column])

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell for a role: the value, or its position."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._shown(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            name = self.headerData(index.column(), Qt.Orientation.Horizontal)
            return tr("row {row}, {name}: {text}").format(
                row=index.row(), name=name, text=self._shown(index)
            )
        return None

    def _shown(self, index: _Index) -> str:
        """Return a number with the signs of the language; copies and files have a point."""
        text, kind = self.text(index.row(), index.column()), self._values.dtype.kind
        return units.localized(text) if kind in "iufc" else text

    def setData(
        self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a typed value."""
        if self._typed is None or role != Qt.ItemDataRole.EditRole:
            return False
        return self._typed(index.row(), index.column(), str(value))

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Cells can be chosen, and typed in where that is wanted."""
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsEditable if self._typed else Qt.ItemFlag.NoItemFlags
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The number of a row, the name or number of a column."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        named = orientation == Qt.Orientation.Horizontal and section < len(self._names)
        return units.clip(self._names[section], 60) if named else str(section)


class PlaneTable(ShortTable):
    """Copies what is chosen as lines of cells."""

    def __init__(self, name: str, model: PlaneModel) -> None:
        super().__init__(name, model, _SEVERAL, AROUND)
        self.plane = model
        self.horizontalHeader().setDefaultSectionSize(CELL)
        for head in (self.verticalHeader(), self.horizontalHeader()):
            head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.verticalHeader().setDefaultAlignment(_RIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, besides what a table does anyway."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied())
        else:
            super().keyPressEvent(event)

    def copied(self) -> str:
        """Return the selected cells, separated by tabs, one line per row."""
        chosen = self.selectedIndexes()
        rows = sorted({index.row() for index in chosen})
        columns = sorted({index.column() for index in chosen})
        return "\n".join("\t".join(self.plane.text(r, c) for c in columns) for r in rows)


def cell_text(value: Any) -> str:
    """A value with all digits that tell it from others of its type."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, bytes)):
        return units.clip(str(value), 200)
    if isinstance(value, float):  # np.float64 is one, too
        return f"{value:.10g}"
    return (
        units.number(float(value), ".6g")
        if "float" in str(getattr(value, "dtype", ""))
        else str(value)
    )


class TensorView(Painted):
    """Minimum, maximum, mean and deviation over the first rows of the last axis."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._facts: tuple[tuple[str, str], ...] = ()
        self._cells: tuple[tuple[str, ...], ...] = ()
        self._curve: tuple[tuple[float, float], ...] = ()
        self._note = ""
        self.setAccessibleName(tr("Tensor values"))

    def show_reading(self, reading: Reading) -> None:
        """Show another tensor."""
        self._facts = _facts(reading.statistics)
        self._cells, self._curve = reading.cells, reading.curve
        self._note = _note(reading)
        head = _HEAD + _GAP if self._facts else 0
        head += _CURVE + _GAP if self._curve else 0
        lines = len(self._cells) + bool(self._note)
        self.setFixedHeight(head + max(1, lines) * _LINE)
        text = ", ".join(f"{name} {value}" for name, value in self._facts)
        self.setAccessibleDescription(text or self._note)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both parts."""
        painter, look = painter_on(self), self._theme.palette
        top = 0.0
        width = self.width() / max(4, len(self._facts))
        for i, (name, value) in enumerate(self._facts):
            box = QRectF(i * width, 0, width - 4, _HEAD)
            painter.setFont(font(11))
            painter.setPen(qt_color(look.tertiary))
            painter.drawText(box.adjusted(0, 2, 0, -24), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(font(13, 600))
            painter.setPen(qt_color(look.text))
            painter.drawText(box.adjusted(0, 18, 0, -2), Qt.AlignmentFlag.AlignVCenter, value)
            top = _HEAD + _GAP
        if self._curve:
            self._paint_curve(painter, QRectF(0, top, self.width(), _CURVE))
            top += _CURVE + _GAP
        self._paint_cells(painter, top)

    def _paint_curve(self, painter: QPainter, box: QRectF) -> None:
        """Draw the values from left to right: a band from the lowest to the highest."""
        look = self._theme.palette
        lowest, highest = (
            min(low for low, _ in self._curve),
            max(high for _, high in self._curve),
        )
        scale = (box.height() - 8) / ((highest - lowest) or 1)
        step = box.width() / max(1, len(self._curve) - 1)

        def point(place: int, value: float) -> QPointF:
            return QPointF(place * step, box.bottom() - 4 - (value - lowest) * scale)

        upper_edge = [point(i, high) for i, (_, high) in enumerate(self._curve)]
        back = [point(i, low) for i, (low, _) in enumerate(self._curve)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(box, qt_color(look.window))
        painter.setPen(QPen(qt_color(look.accent), 1.2))
        painter.setBrush(qt_color(look.accent, 0.35))
        painter.drawPolygon(QPolygonF([*upper_edge, *reversed(back)]))
        painter.restore()

    def _paint_cells(self, painter: QPainter, top: float) -> None:
        look, width = (
            self._theme.palette,
            min(110.0, self.width() / max(map(len, self._cells), default=1)),
        )
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.setFont(font(11, mono=True))
        for line, cells in enumerate(self._cells):
            box = QRectF(0, top + line * _LINE, self.width(), _LINE)
            painter.fillRect(QRectF(0, box.top(), self.width(), 1), qt_color(look.hairline))
            painter.setPen(qt_color(look.secondary))
            for column, text in enumerate(cells):
                cell = QRectF(column * width, box.top(), width - 4, _LINE)
                shown = painter.fontMetrics().elidedText(
                    text, Qt.TextElideMode.ElideRight, int(cell.width())
                )
                painter.drawText(cell, int(side), shown)
        if self._note:
            painter.setFont(font(11))
            painter.setPen(qt_color(look.tertiary))
            box = QRectF(0, top + len(self._cells) * _LINE, self.width(), _LINE)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self._note)


def _facts(statistics: Statistics | None) -> tuple[tuple[str, str], ...]:
    if statistics is None:
        return ()
    odd = ((tr("NaN"), statistics.nan), (tr("Infinite"), statistics.infinite))
    return (
        (tr("Min"), units.number(statistics.minimum, ".5g")),
        (tr("Max"), units.number(statistics.maximum, ".5g")),
        (tr("Mean"), units.number(statistics.mean, ".5g")),
        (tr("Std dev"), units.number(statistics.deviation, ".5g")),
        *((name, units.count(number)) for name, number in odd if number),
    )


def _note(reading: Reading) -> str:
    """Return how much of the tensor is shown."""
    array = reading.output.array
    if array is None or not array.size:
        return tr("No elements.")
    shown = sum(map(len, reading.cells))
    if shown == array.size:
        return ""
    return tr("The first {shown} of {element_count}").format(
        shown=shown, element_count=plural(array.size, "element")
    )


class TensorBody(QWidget):
    """Keeps the way and the plane from one answer to the next, as long as the shape stays."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reading: Reading | None = None
        self.view_switch = Segmented(theme, WAYS, 0, name=tr("Tensor view"))
        self.part = NumberField(tr("Index of the tensor in the sequence"), 0)
        self._parts = QWidget()
        self._parts.setLayout(row(label(tr("Tensor"), "secondary"), self.part, None))
        self._short, self._bars = TensorView(theme), ChartView(theme)
        self.picker: SlicePicker | None = None
        self.table = PlaneTable(tr("Values of the slice"), PlaneModel())
        self._spread = label("", "caption")
        self._column = column_of(row(self.view_switch, None), on=self, spacing=8)
        add_to(self._column, self._parts, self._short, self.table, self._bars, self._spread)
        self.view_switch.chosen.connect(self._turn)
        self.part.valueChanged.connect(self._turn)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer."""
        self._reading = reading
        parts = reading.parts
        self._parts.setVisible(len(parts) > 1)
        self.part.setMaximum(max(0, len(parts) - 1))
        array = self._array
        looks = array is not None and array.size > 0
        tells = looks and array is not None and array.dtype.kind in "fiubc"
        off = {MAP, SPREAD} if looks and not tells else set() if looks else {MAP, TABLE, SPREAD}
        self.view_switch.switch_off(frozenset(off))
        if self.view_switch.current in off:
            self.view_switch.choose(SHORT)
        self._turn()

    @property
    def _array(self) -> Tensor | None:
        if self._reading is None:
            return None
        return self._seen(self._reading).output.array

    def _seen(self, reading: Reading) -> Reading:
        """The reading of the tensor that is looked at."""
        return reading.parts[self.part.value()] if reading.parts else reading

    def _turn(self) -> None:
        view, array = self.view_switch.current, self._array
        if self._reading is not None:
            self._short.show_reading(self._seen(self._reading))
        self._short.setVisible(view == SHORT)
        self.table.setVisible(view == TABLE)
        self._bars.setVisible(view == SPREAD)
        self._spread.setVisible(view == SPREAD)
        if self.picker is not None:
            self.picker.setVisible(view in (MAP, TABLE))
        if array is None or not array.size:
            return
        if view in (MAP, TABLE):
            self._pick(array)
        elif view == SPREAD:
            flat = array.reshape(-1)
            values = statistics([flat]) if flat.dtype.kind in "fiubc" else None
            shown = values.histogram if values is not None else None
            self._bars.setVisible(shown is not None)
            finite = plural(int(np.isfinite(flat).sum()), "finite value")
            self._spread.setText(finite if shown else tr("No finite values."))
            if shown is not None:
                self._bars.show_chart(values_chart(shown))

    def _pick(self, array: Tensor) -> None:
        """Choose a plane: the same as before where the shape is the same."""
        picker = self.picker
        if picker is None or picker.shape != array.shape:
            if picker is not None:
                picker.deleteLater()
            view = first_view(array.shape or (1,))
            assert view is not None, "only what has elements is looked at"
            picker = self.picker = SlicePicker(self._theme, array.shape or (1,), view)
            picker.asked.connect(self._show_plane)
            self._column.insertWidget(3, picker)
        picker.map.setVisible(self.view_switch.current == MAP)
        picker.note.setVisible(False)
        self._show_plane(picker.view)

    def _show_plane(self, view: View) -> None:
        array, picker = self._array, self.picker
        assert array is not None, "a plane is one of an array"
        assert picker is not None, "a picker asked for it"
        whole = array.reshape(array.shape or (1,))
        if self.view_switch.current == TABLE:
            self.table.plane.show_values(whole_plane(whole, view))
        else:
            picker.show_plane(plane_of(whole, 0, view))
