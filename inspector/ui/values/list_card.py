"""The layers of a walk in a card: what was found, filter, list, steps to and fro."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from inspector import units
from inspector.analysis.stepping import LayerStep, Stepping, summary
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.parts import PADDING, button, tool
from inspector.ui.kit.parts import row as line
from inspector.ui.kit.table import Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.theme import Theme
from inspector.ui.values.columns import widths
from inspector.ui.values.list_model import StepsModel
from inspector.ui.values.list_view import StepCells
from inspector.ui.weights.remark import Remark

_FIND = "Filter by name or operator"


class StepsList(TableCard):
    """Lists all layers; the one that is selected is selected everywhere."""

    chosen = Signal(object)  # LayerStep

    def __init__(self, theme: Theme, found: Stepping, selection: Selection) -> None:
        rows = StepsModel(found)
        table = Table(theme, "Layers and their values", rows, StepCells(theme, rows))
        field = FilterField(theme, "Filter layers", _FIND, wide=210, small=100, roomy=560)
        self.back = tool(theme, "up", "Previous layer ([)")
        self.forward = tool(theme, "down", "Next layer (])")
        super().__init__(theme, table, "Layers", field, 7, self.back, self.forward)
        self.model, self._selection, self._found = rows, selection, found
        self.to_first = button(theme, "Go there", "right")
        self.to_first.hide()
        self._add_summary(theme)
        self.back.clicked.connect(lambda: self.walk(-1))
        self.forward.clicked.connect(lambda: self.walk(1))
        selection.changed.connect(self._follow)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(self.model.columns, room)

    def counted(self) -> str:
        """How many layers are shown, and how many differ."""
        shown, every = self.model.rowCount(), len(self._found.steps)
        number = f"{shown:,}" if shown == every else f"{shown:,} of {every:,}"
        over = sum(step.over for step in self._found.steps)
        return f"{number} · {over:,} over the tolerance" if over else number

    def selected_row(self) -> int | None:
        """The row of the selected layer."""
        layer = self._selection.now.layer
        place = None if layer is None else self.model.places.get(layer)
        return None if place is None else self.model.row_at(place)

    def choose_row(self, row: int) -> None:
        """Select a layer, here and everywhere."""
        self._selection.choose(layer=self.model.step(row).index)

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
        said = " ".join(summary(self._found))
        if not said:
            return
        wrong = self.first is not None
        icon, role = ("warning", "bad") if wrong else ("check", "good")
        below = line(Remark(theme, units.clip(said, 400), icon, role), self.to_first, stretch=0)
        below.setContentsMargins(PADDING - 1, 8, PADDING - 1, 8)
        self.to_first.setVisible(wrong)
        self.to_first.clicked.connect(self.go_to_first)
        self.body.insertLayout(1, below)

    def set_foot(self, notes: Sequence[str]) -> None:
        """Say below the list what is to be known of the walk."""
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
