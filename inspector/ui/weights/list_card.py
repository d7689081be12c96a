"""The weights of a model in a card: filter, list, and reading all of them."""

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QProgressBar

from inspector import units
from inspector.model import Model
from inspector.ui.kit.parts import PADDING, button, label, row
from inspector.ui.kit.table import Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.theme import Theme
from inspector.ui.weights.columns import widths
from inspector.ui.weights.list_model import WeightsModel
from inspector.ui.weights.list_view import WeightCells
from inspector.ui.weights.work import WeightsWork

_FIND = "Filter by name, type or file"


class WeightsList(TableCard):
    """Lists all weights; `chosen` tells the place of one in `Model.weights`."""

    chosen = Signal(int)
    entered = Signal(int)  # the same, after Return or a double click

    def __init__(
        self,
        theme: Theme,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        work: WeightsWork,
    ) -> None:
        rows = WeightsModel(model, uses)
        table = Table(theme, "Weights", rows, WeightCells(theme, rows))
        field = FilterField(theme, "Filter weights", _FIND, wide=230, small=120, roomy=500)
        super().__init__(theme, table, "Tensors", field, 7)
        self.model, self._work = rows, work
        self._index: int | None = None
        self._readable = sum(not weight.problem for weight in model.weights)
        self.all_button = button(theme, "Read all", "play")
        self.cancel_button = button(theme, "Cancel")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Reading all weights")
        self.said = label("", "secondary")
        self._lay_out()
        self._wire()
        self.refresh()
        self._show_progress()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(room)

    def counted(self) -> str:
        """How many weights are shown, and their bytes."""
        shown, every = self.model.rowCount(), len(self.model.model.weights)
        number = f"{shown:,}" if shown == every else f"{shown:,} of {every:,}"
        return f"{number} · {units.size(self.model.shown_bytes())}"

    def selected_row(self) -> int | None:
        """The row of the weight that was chosen last."""
        return self.model.row_at(self._index) if self._index is not None else None

    def choose_row(self, row: int) -> None:
        """Tell which weight was chosen."""
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

    def _enter(self, current: QModelIndex) -> None:
        self.entered.emit(self.model.place_of(current.row()))

    def _show_progress(self) -> None:
        """Tell how far reading all is, or what it would take."""
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
        words = f"{read:,} of {every:,} read"
        self.said.setText(f"{words} · {refused:,} cannot be" if refused else words)
