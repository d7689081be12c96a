"""Choosing a plane of a tensor: which axes to see, and where on the others."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.ui.documents.weight_reading import Plane, View
from inspector.ui.tabs.weights.heat_map import HeatMap
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import add_to, column_of, keep_size, label, row
from inspector.ui.widgets.theme import Theme

_MOST_AXES = 12


class SlicePicker(QWidget):
    """A heat map below its selectors; `asked` tells the plane that is wanted."""

    asked = Signal(object)  # View

    def __init__(self, theme: Theme, shape: tuple[int, ...], view: View) -> None:
        super().__init__()
        self.shape, self.view = shape, view
        self._asks_where = True
        self.map = HeatMap(theme)
        self.note = label("", "caption", wraps=True)
        keep_size(self.note)
        self.note.hide()
        self.down = _axis_field(tr("Rows"), shape, view.down)
        self.across = _axis_field(tr("Columns"), shape, view.across)
        self.at = tuple(_index_field(axis, n, view.at[axis]) for axis, n in enumerate(shape))
        self._places = [self._place(axis) for axis in range(len(shape))]
        column = column_of(on=self, spacing=8)
        self._axes = [
            _with_words(tr("Rows"), self.down),
            _with_words(tr("Columns"), self.across),
        ]
        self._flow = Flow(12, 6)
        if len(shape) > 2:
            column.addLayout(self._flow)
        add_to(column, self.map, self.note)
        self._show_places()
        self._wire()

    def show_plane(self, plane: Plane) -> None:
        """Show what was read."""
        self.map.show_plane(plane)
        down, across = plane.steps
        skipped = []
        if down > 1:
            skipped.append(tr("1 of every {down} rows").format(down=down))
        if across > 1:
            skipped.append(tr("1 of every {across} columns").format(across=across))
        text = tr(" and ").join(skipped)
        self.note.setText(tr("Showing {skipped}.").format(skipped=text) if skipped else "")
        self.note.setVisible(bool(skipped))

    def show_indices(self, wanted: bool) -> None:
        """Ask where on the other axes, or only which axes a slice has."""
        if wanted != self._asks_where:
            self._asks_where = wanted
            self._show_places()

    def only_choose(self) -> None:
        """Hide the map: the plane is shown elsewhere."""
        self.map.hide()
        self.note.hide()

    def _place(self, axis: int) -> QWidget:
        return _with_words(tr("Axis {axis}").format(axis=axis), self.at[axis])

    def _wire(self) -> None:
        self.down.activated.connect(self._turn_down)
        self.across.activated.connect(self._turn_across)
        for field in self.at:
            field.valueChanged.connect(self._move)

    def _turn_down(self) -> None:
        down, across = int(self.down.value), self.view.across
        if down == across:  # the two axes change places
            across = self.view.down if self.view.down is not None else across
        self._ask(View(down, across, self.view.at))

    def _turn_across(self) -> None:
        across, down = int(self.across.value), self.view.down
        if across == down:
            down = self.view.across
        self._ask(View(down, across, self.view.at))

    def _move(self) -> None:
        at = tuple(field.value() for field in self.at)
        self._ask(View(self.view.down, self.view.across, at))

    def _ask(self, view: View) -> None:
        if view != self.view:
            self.view = view
            self.down.show_value(str(view.down))
            self.across.show_value(str(view.across))
            self._show_places()
            self.asked.emit(view)

    def _show_places(self) -> None:
        """Only axes that are not in the picture, and have a choice, ask where."""
        if len(self.shape) < 3:
            return
        while self._flow.takeAt(0) is not None:
            continue
        for widget in self._axes:
            self._flow.addWidget(widget)
        for axis, place in enumerate(self._places):
            is_fixed = axis not in (self.view.down, self.view.across)
            asks = self._asks_where and is_fixed and self.shape[axis] > 1
            if asks:
                self._flow.addWidget(place)
            place.setVisible(asks)  # after it has its place: alone it would be a window
        self._flow.invalidate()


def _axis_field(text: str, shape: tuple[int, ...], axis: int | None) -> ChoiceField:
    axes = range(min(len(shape), _MOST_AXES))
    names = [tr("axis {axis}").format(axis=axis) for axis in axes]
    field = ChoiceField(
        tr("{text} of the slice").format(text=text), [str(a) for a in axes], names
    )
    field.setFixedWidth(100)
    if axis is not None:
        field.show_value(str(axis))
    return field


def _index_field(axis: int, length: int, now: int) -> NumberField:
    field = NumberField(
        tr("Index on axis {axis}").format(axis=axis), min(max(0, length - 1), 2**31 - 1)
    )
    field.setToolTip(tr("0 to {length:,}").format(length=length - 1))
    field.setValue(now)
    return field


def _with_words(text: str, field: QWidget) -> QWidget:
    both = QWidget()
    row(label(text, "secondary"), field, on=both)
    return both
