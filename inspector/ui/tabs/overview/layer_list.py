"""The list of a model's layers: a card with a filter and a table."""

from threading import Thread

from PySide6.QtWidgets import QAbstractItemView

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.layer_search import values_by_name
from inspector.model.model import Model
from inspector.pages.model.layers import layer_table
from inspector.ui import commands, units
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.table import ROW
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme

_SHOWN_ROWS = 18
_FIND = mark("Filter: conv, op:Add, 1x*x8x8")


class LayerList(PageTableCard):
    """Shows the layers; what is chosen here is chosen everywhere."""

    def __init__(self, theme: Theme, model: Model, selection: Selection) -> None:
        self._model, self._selection = model, selection
        field = FilterField(theme, tr("Filter layers"), tr(_FIND), wide=230, tint="secondary")
        field.explain_search()
        title = tr("Layers")
        super().__init__(theme, title, title, layer_table(model), field, first_rows=0)
        self.table.page_first = True
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.table.setFixedHeight(ROW * (1 + max(1, min(_SHOWN_ROWS, len(model.layers)))))
        self.model.search_layers(lambda: (model.layers, values_by_name(model)))
        selection.changed.connect(self.follow_selection)
        shows = (
            (tr("Show in graph"), commands.runner(self, "tab/graph")),
            (tr("Show in Performance"), commands.runner(self, "tab/performance")),
            (tr("Show weights"), commands.runner(self, "tab/weights")),
            (tr("Show layer outputs"), commands.runner(self, "tab/activations")),
        )
        self.row_menu = RowMenu(self.table, field, self._named, lambda _: shows)

    def prepare(self) -> None:
        """Let the first click on a title and the first letter find everything worked out."""
        Thread(target=self.model.prepare, daemon=True).start()

    def show_estimate(self, estimate: Estimate) -> None:
        """Show inferred shapes, and what each layer costs in columns of their own."""
        model, inferred = self._model, estimate.shapes.values
        self.show_table(layer_table(model, estimate))
        self.model.search_layers(lambda: (model.layers, values_by_name(model, inferred)))

    def selected_row(self) -> int | None:
        """Return the row of the selected layer."""
        layer = self._selection.now.layer
        return None if layer is None else self.model.row_at(layer)

    def choose_row(self, row: int) -> None:
        """Select a layer, here and everywhere."""
        self._selection.choose(layer=self.model.place_of(row))

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        layer = self._model.layers[self.model.place_of(row)]
        return layer.label, (f"op:{layer.operator}", units.scope_and_name(layer.name)[0])
