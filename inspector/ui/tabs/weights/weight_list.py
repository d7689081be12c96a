"""The weights of a model in a card: filter, list, and reading all of them."""

from PySide6.QtCore import Signal

from inspector.model.model import Model
from inspector.pages.blocks import Table
from inspector.pages.lists.weight_rows import weight_table
from inspector.ui import units
from inspector.ui.documents.weight_reading import WeightLoader
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, button, label, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme

_FIND = mark("Filter by name, type or file")


class WeightsList(PageTableCard):
    """Lists all weights; `chosen` tells the place of one in `Model.weights`."""

    entered = Signal(int)  # the same, after Return or a double click
    graph_asked = Signal()  # the graph should show the one that is chosen

    def __init__(
        self, theme: Theme, model: Model, uses: tuple[tuple[int, ...], ...], work: WeightLoader
    ) -> None:
        self.weights, self._source, self._uses = model.weights, model, uses
        self._sizes = [weight.size_bytes or 0 for weight in model.weights]
        self._work, self._has_forms = work, work.has_forms
        field = FilterField(
            theme, tr("Filter weights"), tr(_FIND), wide=230, small=120, roomy=500
        )
        name, table = tr("Weights"), self._table()
        super().__init__(theme, tr("Tensors"), name, table, field, first_rows=0, fewest=7)
        self._readable = sum(not weight.problem for weight in model.weights)
        self.all_button = button(theme, tr("Load all"), "play")
        self.progress = ProgressLine(theme, tr("Loading all tensors"))
        self.said = label("", "secondary")
        self.row_menu = RowMenu(
            self.table,
            field,
            self._named,
            lambda _: ((tr("Show in graph"), self.graph_asked.emit),),
        )
        self._lay_out()
        self._wire()
        self._show_progress()

    def _table(self) -> Table:
        form = self._work.form if self._has_forms else None
        return weight_table(self._source, self._uses, form)

    def counted(self) -> str:
        """Return how many weights are shown, and their bytes."""
        shown, every = self.model.rowCount(), len(self.weights)
        number = (
            units.number(shown)
            if shown == every
            else tr("{shown:,} of {every:,}").format(shown=shown, every=every)
        )
        return f"{number} · {units.size(sum(self._sizes[place] for place in self.model.order))}"

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        weight = self.weights[self.model.place_of(row)]
        return weight.name, (weight.dtype, units.scope_and_name(weight.name)[0])

    def choose(self, index: int) -> None:
        """Select a weight; the filter gives way if it hides it."""
        if self.model.row_at(index) is None:
            self.filter.clear()
        self.show_place(index)
        self.chosen.emit(index)

    def _lay_out(self) -> None:
        foot = row(self.said, self.progress, self.all_button)
        foot.setStretch(0, 1)
        foot.setStretch(1, 1)
        foot.setContentsMargins(PADDING - 1, 7, PADDING - 1, 0)
        self.body.addLayout(foot)

    def _wire(self) -> None:
        self.table.row_activated.connect(self.entered)
        self.all_button.clicked.connect(self._work.read_all)
        self.progress.cancelled.connect(self._work.cancel_all)
        self._work.progressed.connect(self._show_progress)
        self._work.found_changed.connect(self._show_progress)
        self._work.found_changed.connect(self._show_forms)

    def _show_forms(self) -> None:
        """Show the column of forms as soon as a weight has one."""
        if self._work.has_forms != self._has_forms:
            self._has_forms = self._work.has_forms
            self.show_table(self._table())
        self.table.viewport().update()

    def _show_progress(self) -> None:
        """Show how far reading all is, or what it would take."""
        work, every = self._work, len(self.weights)
        busy = work.all_done is not None
        self.progress.setVisible(busy)
        self.said.setVisible(not busy)
        self.all_button.setVisible(not busy)
        self.all_button.setEnabled(work.read_ones < self._readable)
        read = work.read_ones
        refused = len(work.found) - read
        text = tr("Statistics loaded for {read:,} of {every:,} tensors").format(
            read=read, every=every
        )
        if refused:
            text = tr("{text} · {refused:,} unreadable").format(text=text, refused=refused)
        self.said.setText(text)
        if work.all_done is not None:
            self.progress.show_share(work.all_done, text)
