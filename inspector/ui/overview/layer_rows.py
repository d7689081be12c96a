"""The layers of a model as rows of a table; a hundred thousand of them cost nothing."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector import units
from inspector.analysis.estimate import Estimate
from inspector.analysis.expressions import number
from inspector.analysis.shapes import by_name
from inspector.model import Layer, Model, TensorInfo

NUMBER, NAME, OPERATOR, FLOW, OUTPUT, MACS = range(6)
TITLES = ("#", "Layer", "Operator", "Inputs → outputs", "Output", "MACs")
RIGHT = {NUMBER, MACS}
_SHOWN_VALUES = 3
_Index = QModelIndex | QPersistentModelIndex


class LayerRows(QAbstractTableModel):
    """All layers in the file's order, or those that a text picks."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._layers = model.layers
        self._types: Mapping[str, TensorInfo] = types(model)
        self._estimate: Estimate | None = None
        self._depths = depths(model.layers)
        self._words = tuple(
            f"{layer.label}\n{layer.operator}".lower() for layer in self._layers
        )
        self._rows: list[int] = list(range(len(self._layers)))
        self._place: dict[int, int] = {}

    def pick(self, text: str) -> None:
        """Show the layers whose name and operator hold every word of the text."""
        wanted = text.lower().split()
        self.beginResetModel()
        self._rows = [
            i for i, words in enumerate(self._words) if all(word in words for word in wanted)
        ]
        self._place = {}
        self.endResetModel()

    def show_estimate(self, found: Estimate) -> None:
        """Take in inferred shapes and multiply-adds."""
        self._estimate = found
        self._types = by_name(found.shapes.values)
        last = self.index(max(0, self.rowCount() - 1), MACS)
        self.dataChanged.emit(self.index(0, OUTPUT), last)

    def layer(self, row: int) -> Layer:
        """The layer that a row shows."""
        return self._layers[self._rows[row]]

    def depth(self, row: int) -> int:
        """How many control-flow nodes the layer of a row lies within."""
        return self._depths[self._rows[row]]

    def row_of(self, layer: int | None) -> int | None:
        """Where a layer is shown; None where the text leaves it out."""
        if not self._place:
            self._place = {index: row for row, index in enumerate(self._rows)}
        return None if layer is None else self._place.get(layer)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Layers that are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The six columns."""
        return 0 if parent.isValid() else len(TITLES)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles; numbers are aligned to the right."""
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return TITLES[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = (
                    Qt.AlignmentFlag.AlignRight
                    if section in RIGHT
                    else Qt.AlignmentFlag.AlignLeft
                )
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        return None

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        layer = self.layer(row)
        if column == NUMBER:
            return str(layer.index)
        if column == NAME:
            return units.clip(layer.label)
        if column == OPERATOR:
            return units.clip(layer.operator, 80)
        if column == MACS:
            return self._macs(layer)
        return flow(layer) if column == FLOW else self._output(layer)

    def _macs(self, layer: Layer) -> str:
        """Multiply-adds; nothing where a layer has none, a question mark where it may."""
        if self._estimate is None:
            return ""
        macs = self._estimate.cost.layers[layer.index].macs
        if macs is None:
            return "?"
        plain = number(macs, self._estimate.lengths)
        return units.count(plain) if plain else ""

    def _output(self, layer: Layer) -> str:
        known = next((self._types[name] for name in layer.outputs if name in self._types), None)
        return "" if known is None else described(known)


def described(value: TensorInfo) -> str:
    """Type and shape of a value in one line: 'float32 1×64×56×56'."""
    kind = units.clip(value.dtype, 60)
    return f"{kind} {units.shape(value.shape)}" if value.kind == "tensor" else kind


def flow(layer: Layer) -> str:
    """Names of what goes in and what comes out, the first few of each."""
    return f"{_some(layer.inputs)} → {_some(layer.outputs)}"


def _some(names: tuple[str, ...]) -> str:
    given = [units.clip(name, 60) for name in names[:_SHOWN_VALUES] if name]
    more = [f"{len(names) - _SHOWN_VALUES} more"] if len(names) > _SHOWN_VALUES else []
    return ", ".join(given + more) or "nothing"


def types(model: Model) -> Mapping[str, TensorInfo]:
    """Every value whose type the file tells, by name."""
    return {value.name: value for value in (*model.values, *model.inputs, *model.outputs)}


def depths(layers: tuple[Layer, ...]) -> list[int]:
    """How deep each layer lies in subgraphs; a parent stands before its children."""
    found: list[int] = []
    for layer in layers:
        found.append(0 if layer.parent is None else found[layer.parent] + 1)
    return found
