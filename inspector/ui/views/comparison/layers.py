"""The layers of a comparison in a card: which kind to list, filter, table."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import Qt

from inspector.comparison.comparison import Comparison
from inspector.comparison.layer_changes import Change
from inspector.pages.lists.layer_changes import layer_table
from inspector.ui import units
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import Segmented
from inspector.ui.widgets.table_card import FilterField, PageTableCard, RowMenu
from inspector.ui.widgets.theme import Theme

_FEWEST_ROWS = 4  # so that the window stays small where much is said above the table


class LayerFilter(StrEnum):
    """A choice of the layers that are listed."""

    ALL = mark("All")
    SLOWER = mark("Slower")
    FASTER = mark("Faster")
    MOVED = mark("Different device")
    NEW = mark("Added")
    GONE = mark("Removed")


class LayerCard(PageTableCard):
    """Layers of all reports, aligned; the kinds above the table pick some of them."""

    def __init__(self, theme: Theme, result: Comparison, letters: Sequence[str]) -> None:
        self._places = {
            kind: [place for place in range(len(result.layers))
                   if kind in _filters_of(result, place)]
            for kind in LayerFilter
        }  # fmt: skip
        self.offered = tuple(
            kind for kind in LayerFilter if kind is LayerFilter.ALL or self._places[kind]
        )
        items = [
            kind.value
            if kind is LayerFilter.ALL
            else f"{kind.value} {units.number(len(self._places[kind]))}"
            for kind in self.offered
        ]
        self.kinds = Segmented(theme, items, 0)
        self.kinds.setAccessibleName(tr("Layers shown"))
        text = tr("Filter by name or operator")
        field = FilterField(theme, tr("Filter layers"), text, wide=220, small=110, roomy=900)
        name, table = tr("Layers side by side"), layer_table(result, letters)
        super().__init__(
            theme, tr("Layers"), name, table, field, self.kinds,
            first_rows=0, fewest=_FEWEST_ROWS,
        )  # fmt: skip
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._layers = result.layers
        self.row_menu = RowMenu(self.table, field, self._named)
        self.kinds.chosen.connect(
            lambda index: self.model.show_only(self._places[self.offered[index]])
        )

    def _named(self, row: int) -> tuple[str, tuple[str, ...]]:
        layer = self._layers[self.model.place_of(row)]
        return layer.name, (layer.operator,)


def _filters_of(result: Comparison, place: int) -> frozenset[LayerFilter]:
    layer = result.layers[place]
    block = result.blocks[layer.block]
    kinds = {LayerFilter.ALL}
    for side in range(1, len(layer.cells)):
        one, other = layer.cells[0], layer.cells[side]
        if one is None and other is not None:
            kinds.add(LayerFilter.NEW)
        if one is not None and other is None:
            kinds.add(LayerFilter.GONE)
        if layer.moved_in(side):
            kinds.add(LayerFilter.MOVED)
        if block.lead == place and block.changes[side] is Change.SLOWER:
            kinds.add(LayerFilter.SLOWER)
        if block.lead == place and block.changes[side] is Change.FASTER:
            kinds.add(LayerFilter.FASTER)
    return frozenset(kinds)
