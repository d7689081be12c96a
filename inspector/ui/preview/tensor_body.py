"""Any tensor of an answer: in short, as a map or a table of any plane, and how it spreads."""

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.tensor_statistics import statistics
from inspector.preview.elements import Tensor
from inspector.preview.picture import Picture
from inspector.ui.kit.fields import NumberField
from inspector.ui.kit.parts import Segmented, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.preview.plane_table import PlaneModel, PlaneTable
from inspector.ui.preview.reading import Reading
from inspector.ui.preview.tensor_view import TensorView
from inspector.ui.weights.gathering import View, first_view, plane_of
from inspector.ui.weights.plane_picker import PlanePicker
from inspector.ui.weights.value_bars import ValueBars

WAYS = ("In short", "Map", "Table", "Spread")
SHORT, MAP, TABLE, SPREAD = range(4)


class TensorBody(QWidget):
    """Keeps the way and the plane from one answer to the next, as long as the shape stays."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reading: Reading | None = None
        self.ways = Segmented(theme, WAYS, 0)
        self.ways.setAccessibleName("How to look at the tensor")
        self.part = NumberField("Number of the tensor in the sequence", 0)
        self._parts = QWidget()
        self._parts.setLayout(row(label("Tensor", "secondary"), self.part, None))
        self._short, self._bars = TensorView(theme), ValueBars(theme)
        self.picker: PlanePicker | None = None
        self.table = PlaneTable("Values of the plane", PlaneModel())
        self._spread = label("", "caption")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addLayout(row(self.ways, None))
        for part in (self._parts, self._short, self.table, self._bars, self._spread):
            self._column.addWidget(part)
        self.ways.chosen.connect(self._turn)
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
        self.ways.switch_off(frozenset(off))
        if self.ways.current in off:
            self.ways.choose(SHORT)
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
        way, array = self.ways.current, self._array
        if self._reading is not None:
            self._short.show_reading(self._seen(self._reading))
        self._short.setVisible(way == SHORT)
        self.table.setVisible(way == TABLE)
        self._bars.setVisible(way == SPREAD)
        self._spread.setVisible(way == SPREAD)
        if self.picker is not None:
            self.picker.setVisible(way in (MAP, TABLE))
        if array is None or not array.size:
            return
        if way in (MAP, TABLE):
            self._pick(array)
        elif way == SPREAD:
            self._show_spread(array)

    def _pick(self, array: Tensor) -> None:
        """Choose a plane: the same as before where the shape is the same."""
        picker = self.picker
        if picker is None or picker.shape != array.shape:
            if picker is not None:
                picker.deleteLater()
            view = first_view(array.shape or (1,))
            assert view is not None, "only what has elements is looked at"
            picker = self.picker = PlanePicker(self._theme, array.shape or (1,), view)
            picker.asked.connect(self._show_plane)
            self._column.insertWidget(3, picker)
        picker.map.setVisible(self.ways.current == MAP)
        picker.note.setVisible(False)
        self._show_plane(picker.view)

    def _show_plane(self, view: View) -> None:
        array, picker = self._array, self.picker
        assert array is not None, "a plane is one of an array"
        assert picker is not None, "a picker asked for it"
        whole = array.reshape(array.shape or (1,))
        if self.ways.current == TABLE:
            self.table.plane.show_values(_plane(whole, view))
        else:
            picker.show_plane(plane_of(whole, 0, view))

    def _show_spread(self, array: Tensor) -> None:
        flat = array.reshape(-1)
        found = statistics([flat]) if flat.dtype.kind in "fiubc" else None
        shown = found.histogram if found is not None else None
        self._bars.setVisible(shown is not None)
        finite = units.plural(int(np.isfinite(flat).sum()), "finite value")
        self._spread.setText(finite if shown else "Nothing finite that could spread.")
        if shown is not None:
            self._bars.show_histogram(shown)


def _plane(array: Tensor, view: View) -> Tensor:
    """The values of a plane (rows, columns), all of them."""
    seen = (view.down, view.across)
    found = array[tuple(slice(None) if a in seen else view.at[a] for a in range(array.ndim))]
    if view.down is None:
        return np.atleast_2d(found)
    return found.T if view.down > view.across else found
