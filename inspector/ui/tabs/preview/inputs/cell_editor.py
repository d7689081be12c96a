"""The values of an input as cells that can be typed in or pasted over."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.preview.inputs import table, text_values
from inspector.tensors.element_types import Tensor
from inspector.ui.documents.weight_reading import View, first_view
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.outputs.value_table import PlaneModel, PlaneTable
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import button, label, row
from inspector.ui.widgets.theme import Theme

MOST = 4_000_000


class CellEditor(QWidget):
    """Begins with what the input got; says `changed` when a cell is another one."""

    changed = Signal()
    dropped = Signal()

    def __init__(self, theme: Theme, info: TensorInfo) -> None:
        super().__init__()
        self._theme, self._info = theme, info
        self.array: Tensor | None = None
        self._picker: SlicePicker | None = None
        self.table = PlaneTable(
            tr("Values of {name}").format(name=info.name), PlaneModel(self._typed)
        )
        self.paste, self.back = button(theme, tr("Paste")), button(theme, tr("Undo"))
        self.problem = wrapped("", "bad")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.table)
        self._column.addWidget(self.problem)
        words = label(tr("Click a value to edit it"), "caption")
        self._column.addLayout(row(words, None, self.paste, self.back))
        self.problem.hide()
        self.paste.clicked.connect(self.take_clipboard)
        self.back.clicked.connect(self.dropped)

    @staticmethod
    def fits(array: Tensor) -> bool:
        """Whether an array is one to edit by hand."""
        return 0 < array.size <= MOST and array.dtype.kind != "c"

    def edit(self, array: Tensor) -> None:
        """Begin with these values."""
        self.array = array.copy()
        shape = array.shape or (1,)
        view = first_view(shape)
        assert view is not None, "only what has elements is edited"
        if self._picker is not None:
            self._picker.deleteLater()
            self._picker = None
        if array.ndim > 2:
            self._picker = SlicePicker(self._theme, shape, view)
            self._picker.map.hide()
            self._picker.asked.connect(self._show)
            self._column.insertWidget(0, self._picker)
        self._view = view
        self._show(view)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste, besides what a widget does anyway."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.take_clipboard()
        else:
            super().keyPressEvent(event)

    def take_clipboard(self) -> None:
        """Lay copied cells over the table, from the chosen cell on."""
        try:
            cells = table.pasted(QGuiApplication.clipboard().text())
            values = text_values.numbers(
                [list(line) for line in cells], self._info, tr("the clipboard")
            )
        except InspectorError as error:
            self._tell(f"{error.why[:1].upper()}{error.why[1:]}.")
            return
        plane, at = self._plane(), self.table.currentIndex()
        top, left = max(0, at.row()), max(0, at.column())
        part = plane[top : top + values.shape[0], left : left + values.shape[1]]
        part[...] = values[: part.shape[0], : part.shape[1]]
        cut = "" if part.shape == values.shape else tr("Values that did not fit were ignored.")
        self._show(self._view)
        self._tell(cut)
        self.changed.emit()

    def _typed(self, line: int, column: int, typed: str) -> bool:
        try:
            value = text_values.numbers([[typed]], self._info, tr("what was typed"))
        except InspectorError as error:
            self._tell(f"{error.why[:1].upper()}{error.why[1:]}.")
            return False
        self._plane()[line, column] = value[0, 0]
        self._tell("")
        self.changed.emit()
        return True

    def _show(self, view: View) -> None:
        self._view = view
        self.table.plane.show_values(self._plane())

    def _plane(self) -> Tensor:
        """The plane that is shown, as a view of the array: writing into it changes that."""
        assert self.array is not None, "only what was begun is shown"
        whole, view = self.array.reshape(self.array.shape or (1,)), self._view
        seen = (view.down, view.across)
        places = (slice(None) if a in seen else view.at[a] for a in range(whole.ndim))
        found = whole[tuple(places)]
        if view.down is None:
            return np.atleast_2d(found)
        return found.T if view.down > view.across else found

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
