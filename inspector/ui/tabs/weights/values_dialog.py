"""All values of a weight: as a table with axes, as a mosaic of all slices, with its scales."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QDialog, QSizePolicy, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.formats.onnx.weight_values import Values
from inspector.platform import files
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.weight_reading import (
    View,
    WeightContents,
    last_view,
    mosaic,
    whole_plane,
)
from inspector.ui.tabs.preview.outputs.tensor_output import PlaneModel, PlaneTable, cell_text
from inspector.ui.tabs.weights.heat_map import Scale, colors, pixels, scale
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.hover import Hover
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Segmented,
    add_to,
    button,
    column_of,
    label,
    row,
)
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color

_VIEWS = (mark("Table"), mark("All slices"), mark("Scales"))
TABLE, SLICES, SCALES = range(3)
_NUMBERS = (mark("Real values"), mark("As stored"))
REAL, STORED = range(2)
_MOST_CELLS = 1 << 21  # of a mosaic
_LEGEND = 30  # px, height
_UNLIMITED = 16_777_215  # px; QWIDGETSIZE_MAX of Qt


class _WholeTable(PlaneTable):
    """Takes all the room of the dialog."""

    def __init__(self, name: str) -> None:
        super().__init__(name, PlaneModel())
        self.setMinimumHeight(0)
        self.setMaximumHeight(_UNLIMITED)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _fit(self) -> None:
        """Other tables are as high as their rows."""


class ValuesDialog(QDialog):
    """Reads a weight as a whole and shows its slices; `read` runs on a job's thread."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        read: Callable[[], WeightContents],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = tr("Values of {name} — Inspector")
        self.setWindowTitle(title.format(name=units.clip(name, 80)))
        resize_on_screen(self, 940, 640)
        self._theme, self._name = theme, name
        self._contents: WeightContents | None = None
        self._jobs = TaskRunner(self)
        self.views = Segmented(theme, _VIEWS, 0, name=tr("View of the values"))
        self.numbers = Segmented(theme, _NUMBERS, 0, name=tr("Values to show"))
        self.about = label(tr("Reading…"), "secondary", wraps=True)
        self.copy = button(theme, tr("Copy"), then=self.copy_values)
        self.copy.setToolTip(tr("Copy the selected cells, or the whole slice"))
        self.save = button(theme, tr("Save as CSV…"), "save", then=self._ask_to_save)
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.failure.hide()
        self.picker: SlicePicker | None = None
        self.table = _WholeTable(tr("Values of the slice"))
        self.mosaic = Mosaic(theme)
        self.scales = _WholeTable(tr("Scales and zero points"))
        column = column_of(on=self, spacing=GAP, margins=(PADDING,) * 4)
        column.addLayout(
            row(self.views, 8, self.numbers, None, self.copy, self.save, spacing=8)
        )
        add_to(column, self.about, self.failure)
        self._slot = QVBoxLayout()
        column.addLayout(self._slot)
        for part in (self.table, self.mosaic, self.scales):
            column.addWidget(part, 1)
        self.views.chosen.connect(self._show)
        self.numbers.chosen.connect(self._choose_numbers)
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        for widget in (self.views, self.numbers, self.copy, self.save):
            widget.setEnabled(False)
        self._show_parts()
        self._jobs.start(read, self._take, self._fail)

    @property
    def view(self) -> View | None:
        """Return the slice that is shown."""
        return self.picker.view if self.picker is not None else None

    def text(self) -> str:
        """Return the shown slice, or the selected cells, as lines of cells."""
        table = self.scales if self.views.current == SCALES else self.table
        return table.copied() or "\n".join("\t".join(cells) for cells in self._cells())

    def copy_values(self) -> None:
        """Copy the selected cells, else the whole slice."""
        QGuiApplication.clipboard().setText(self.text())

    def save_csv(self, path: Path) -> None:
        """Write the shown slice, with the numbers of rows and columns."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        table = self.scales if self.views.current == SCALES else self.table
        model = table.plane
        across = Qt.Orientation.Horizontal
        heads = [str(model.headerData(n, across)) for n in range(model.columnCount())]
        writer.writerow(["", *heads])
        for number, cells in enumerate(self._cells()):
            writer.writerow([number, *cells])
        try:
            files.write_atomic(path, text.getvalue().encode())
        except InspectorError as error:
            self.failure.show_error(error)

    def _cells(self) -> list[list[str]]:
        if self.views.current == SCALES:
            model = self.scales.plane
            columns = range(model.columnCount())
            return [[model.text(r, c) for c in columns] for r in range(model.rowCount())]
        array, view = self._array, self.view
        if array is None or view is None:
            return []
        return [[cell_text(value) for value in line] for line in whole_plane(array, view)]

    def _ask_to_save(self) -> None:
        proposed = f"{self._name.replace('/', '_')}.csv"
        if path := file_dialogs.ask_place(self, tr("Save as CSV"), proposed):
            self.save_csv(path)

    @property
    def _array(self) -> Values | None:
        contents = self._contents
        if contents is None:
            return None
        real = contents.real
        array = contents.stored
        if real is not None and self.numbers.current == REAL:
            array = real.values
        return array.reshape(array.shape or (1,))

    def _take(self, contents: WeightContents) -> None:
        self._contents = contents
        for widget in (self.views, self.numbers, self.copy, self.save):
            widget.setEnabled(True)
        if contents.real is None:
            self.views.switch_off(frozenset({SCALES}))
        else:
            zero = np.zeros(1) if contents.real.zero_point is None else contents.real.zero_point
            scales = contents.real.scale.reshape(-1)
            zeros = np.broadcast_to(zero.reshape(-1), scales.shape).astype(np.float32)
            rows = np.stack([scales, zeros], axis=1)
            self.scales.plane.show_values(rows, (tr("Scale"), tr("Zero point")))
        self._choose_numbers()

    def _fail(self, error: InspectorError) -> None:
        self.about.setText("")
        self.failure.show_error(error)

    def _choose_numbers(self) -> None:
        """Show real values or stored ones; a slice of another shape starts over."""
        array = self._array
        if array is None:
            return
        if self.picker is None or self.picker.shape != array.shape:
            if self.picker is not None:
                self._slot.removeWidget(self.picker)
                self.picker.hide()
                self.picker.deleteLater()
            view = last_view(array.shape)
            if view is None:
                self.about.setText(tr("This tensor has no elements."))
                return
            self.picker = SlicePicker(self._theme, array.shape, view)
            self.picker.only_choose()
            self.picker.asked.connect(self._show)
            self._slot.addWidget(self.picker)
        self._show()

    def _show_parts(self) -> None:
        view, ready = self.views.current, self._contents is not None
        self.table.setVisible(ready and view == TABLE)
        self.mosaic.setVisible(ready and view == SLICES)
        self.scales.setVisible(ready and view == SCALES)
        if self.picker is not None:
            self.picker.setVisible(view != SCALES and len(self.picker.shape) > 1)
            self.picker.show_indices(view == TABLE)
        quantized = self._contents is not None and self._contents.real is not None
        self.numbers.setVisible(quantized and view != SCALES)

    def _show(self) -> None:
        array, view = self._array, self.view
        if array is None or view is None:
            return
        self._show_parts()
        if self.views.current == TABLE:
            self.table.plane.show_values(whole_plane(array, view))
        elif self.views.current == SLICES:
            self.mosaic.show_array(array, view)
        self.about.setText(self._about(array))

    def _about(self, array: Values) -> str:
        """Return shape and type, how a quantized weight is to be read, and what is shown."""
        contents = self._contents
        assert contents is not None, "nothing is shown before it is read"
        texts = [f"{units.shape(array.shape)} {array.dtype}"]
        real = contents.real
        if real is not None:
            same = tr("scales {low:.4g} to {high:.4g}")
            if real.scale.size == 1:
                same = tr("scale {low:.4g}")
            low, high = float(real.scale.min()), float(real.scale.max())
            texts.append(f"{real.text}: {same.format(low=low, high=high)}")
            rule = tr("real value = scale × (stored − zero point)")
            if real.looked_up:
                rule = tr("real value = scale × the number that the stored code stands for")
            elif real.zero_point is None:
                rule = tr("real value = scale × stored")
            texts.append(rule)
        if self.views.current == SLICES and self.mosaic.note:
            texts.append(self.mosaic.note)
        return " · ".join(texts)


class Mosaic(QWidget):
    """All slices of a tensor side by side, on one color scale; the pointer reads values."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._picture: NDArray[np.float64] = np.zeros((0, 0))
        self._scale: Scale | None = None
        self._image = QImage()
        self._in_row, self._plane = 1, (1, 1)
        self._shape: tuple[int, ...] = ()
        self.shown = 0
        self.note = ""
        self.hover = Hover(theme, self)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Heat maps of all slices"))
        theme.changed.connect(self._color)

    def sizeHint(self) -> QSize:
        """Take the room there is."""
        return QSize(600, 400)

    def show_array(self, array: Values, view: View) -> None:
        """Show all slices of a tensor along the axes of a view."""
        real = np.abs(array) if array.dtype.kind == "c" else array
        numbers = real.astype(np.float64)
        self._picture, self._in_row, self.shown = mosaic(numbers, view, _MOST_CELLS)
        self._scale = scale(numbers)
        rows = 1 if view.down is None else array.shape[view.down]
        self._plane = rows, array.shape[view.across]
        axes = (view.down, view.across)
        self._shape = tuple(n for axis, n in enumerate(array.shape) if axis not in axes)
        every = int(np.prod(self._shape))
        text = tr("{shown:,} slices on one scale")
        if self.shown < every:
            text = tr("the first {shown:,} of {every:,} slices on one scale")
        self.note = text.format(shown=self.shown, every=every)
        self.setAccessibleDescription(self.note)
        self._color()

    def slice_at(self, point: QPointF) -> tuple[int, int, int] | None:
        """Return number of the slice, row and column below a point; None between slices."""
        box = self._box()
        if not self._picture.size or not box.contains(point):
            return None
        high, wide = self._picture.shape
        y = min(high - 1, int((point.y() - box.top()) / box.height() * high))
        x = min(wide - 1, int((point.x() - box.left()) / box.width() * wide))
        line, line_row = divmod(y, self._plane[0] + 1)
        column, line_column = divmod(x, self._plane[1] + 1)
        number = line * self._in_row + column
        if number >= self.shown or line_row >= self._plane[0] or line_column >= self._plane[1]:
            return None
        return number, line_row, line_column

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the value below the pointer."""
        place = self.slice_at(event.position())
        if place is None:
            self.hover.hide()
            return
        number, line, column = place
        top = number // self._in_row * (self._plane[0] + 1) + line
        left = number % self._in_row * (self._plane[1] + 1) + column
        others = np.unravel_index(number, self._shape) if self._shape else ()
        at = ", ".join(str(int(index)) for index in others)
        facts = ((tr("Slice"), f"[{at}]"), (tr("Row, column"), f"{line}, {column}"))
        value = units.number(self._picture[top, left], ".6g")
        self.hover.show_facts(event.position().toPoint(), value, facts)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is below the pointer any more."""
        self.hover.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the slices and the scale."""
        if self._image.isNull() or self._scale is None:
            return
        painter, box, look = painter_on(self), self._box(), self._theme.palette
        small = box.width() < self._image.width()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, small)
        painter.drawImage(box, self._image)
        low, high = self._scale.low, self._scale.high
        ramp = np.linspace(max(low, -self._scale.limit), min(high, self._scale.limit), 128)
        line = np.ascontiguousarray(pixels(ramp[None, :], self._scale, colors(look)))
        image = QImage(line.data, 128, 1, 512, QImage.Format.Format_RGB32)
        bar = QRectF(0, self.height() - 22, min(220, self.width()), 8)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(bar, image)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.tertiary))
        below = QRectF(0, self.height() - 13, bar.width(), 14)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, units.number(ramp[0], ".3g"))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, units.number(ramp[-1], ".3g"))

    def _box(self) -> QRectF:
        """Return where the slices are: as large as fits, cells square where there is room."""
        if self._image.isNull():
            return QRectF()
        room = QRectF(0, 0, self.width(), max(1, self.height() - _LEGEND))
        wide, high = self._image.width(), self._image.height()
        cell = min(room.width() / wide, room.height() / high, 28.0)
        return QRectF(0, 0, wide * cell, high * cell)

    def _color(self) -> None:
        self._image = QImage()
        if self._scale is not None and self._picture.size:
            table = colors(self._theme.palette)
            data = pixels(self._picture, self._scale, table)
            gaps = self._gaps()
            surface = int(qt_color(self._theme.palette.window).rgb()) & 0xFFFFFFFF
            data = np.ascontiguousarray(np.where(gaps, np.uint32(surface), data), np.uint32)
            high, wide = data.shape
            borrowed = QImage(data.data, wide, high, 4 * wide, QImage.Format.Format_RGB32)
            self._image = borrowed.copy()  # QImage only borrows the array's memory
        self.update()

    def _gaps(self) -> NDArray[np.bool_]:
        """Return which cells of the picture are between slices: bool (rows, columns)."""
        high, wide = self._picture.shape
        down = np.arange(high) % (self._plane[0] + 1) == self._plane[0]
        across = np.arange(wide) % (self._plane[1] + 1) == self._plane[1]
        gaps: NDArray[np.bool_] = down[:, None] | across[None, :]
        lines = np.arange(high)[:, None] // (self._plane[0] + 1)
        columns = np.arange(wide)[None, :] // (self._plane[1] + 1)
        return gaps | (lines * self._in_row + columns >= self.shown)
