"""The layers of a model as rows of a table; a hundred thousand of them cost nothing."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import number
from inspector.analysis.layer_search import values_by_name
from inspector.model.model import Axis, Layer, Model, TensorInfo
from inspector.platform.cooperative_yielding import polite
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.table_model import Keys, TableModel, ranks

_SHOWN_VALUES = 3


class LayerColumn(StrEnum):
    """A column; the value is its title."""

    NUMBER = "#"
    NAME = mark("Layer")
    OPERATOR = mark("Operator")
    FLOW = mark("Inputs → outputs")
    OUTPUT = mark("Output")
    MACS = mark("MACs")

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self in (LayerColumn.NUMBER, LayerColumn.MACS)

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self is LayerColumn.MACS


COLUMNS = tuple(LayerColumn)


class LayerRows(TableModel[LayerColumn]):
    """All layers in the file's order, or some of them in another."""

    def __init__(self, model: Model) -> None:
        super().__init__(COLUMNS, len(model.layers))
        self._layers = model.layers
        self._model = model
        self._types: Mapping[str, TensorInfo] | None = None
        self._estimate: Estimate | None = None
        self.search_layers(lambda: (model.layers, values_by_name(model)))

    def show_estimate(self, estimate: Estimate) -> None:
        """Take in inferred shapes and MACs."""
        self._estimate, self._types = estimate, None
        inferred = estimate.shapes.values
        self.search_layers(lambda: (self._layers, values_by_name(self._model, inferred)))
        self.forget(LayerColumn.OUTPUT, LayerColumn.MACS)

    def layer(self, row: int) -> Layer:
        """The layer that a row shows."""
        return self._layers[self.place_of(row)]

    def depth(self, row: int) -> int:
        """Return how many control-flow nodes it lies within; only told in the file's order."""
        return depth(self._layers, self.place_of(row)) if self.sorted_by is None else 0

    def row_of(self, layer: int | None) -> int | None:
        """Return where a layer is shown; None where the text leaves it out."""
        return None if layer is None else self.row_at(layer)

    def text(self, row: int, column: LayerColumn) -> str:
        """Return the text of a cell."""
        return self._text(self.layer(row), column)

    def keys(self, column: LayerColumn) -> Keys:
        """Return what a column sorts by."""
        if column is LayerColumn.NUMBER:
            return np.arange(self.total, dtype=np.int64)
        if column is LayerColumn.MACS:
            return np.array(
                [self._known_macs(layer) for layer in polite(self._layers, True)], np.float64
            )
        return ranks(
            [self._key(layer, column).casefold() for layer in polite(self._layers, True)]
        )

    def haystack(self) -> Sequence[str]:
        """Name and operator of each layer."""
        return [
            f"{layer.label}\n{layer.operator}".casefold()
            for layer in polite(self._layers, True)
        ]

    def _key(self, layer: Layer, column: LayerColumn) -> str:
        """Return the text of a cell, unclipped: clipping a hundred thousand names takes a
        while."""
        match column:
            case LayerColumn.NAME:
                return layer.label
            case LayerColumn.OPERATOR:
                return layer.operator
            case LayerColumn.FLOW:
                return ", ".join(layer.inputs + layer.outputs)
            case _:
                return self._text(layer, column)

    def _text(self, layer: Layer, column: LayerColumn) -> str:
        match column:
            case LayerColumn.NUMBER:
                return str(layer.index)
            case LayerColumn.NAME:
                return units.clip(layer.label)
            case LayerColumn.OPERATOR:
                return units.clip(layer.operator, 80)
            case LayerColumn.FLOW:
                return flow(layer)
            case LayerColumn.OUTPUT:
                return self._output(layer)
            case LayerColumn.MACS:
                return self._macs(layer)

    def _known_macs(self, layer: Layer) -> float:
        """MACs; NaN where they are not known."""
        if self._estimate is None:
            return np.nan
        macs = self._estimate.cost.layers[layer.index].macs
        return np.nan if macs is None else number(macs, self._estimate.lengths)

    def _macs(self, layer: Layer) -> str:
        """MACs; nothing where a layer has none, a question mark where it may."""
        if self._estimate is None:
            return ""
        macs = self._estimate.cost.layers[layer.index].macs
        if macs is None:
            return "?"
        plain = number(macs, self._estimate.lengths)
        return units.count(plain) if plain else ""

    def _output(self, layer: Layer) -> str:
        if self._types is None:
            estimate = self._estimate
            self._types = estimate.types if estimate else types(self._model)
        for name in layer.outputs:
            value_type = self._types.get(name)
            if value_type is not None:
                return _written(value_type.kind, value_type.dtype, value_type.shape)
        return ""


def described(value: TensorInfo) -> str:
    """Type and shape of a value in one line: 'float32 1×64×56×56'."""
    return _written(value.kind, value.dtype, value.shape)


@lru_cache(maxsize=1024)
def _written(kind: str, dtype: str, shape: tuple[Axis, ...] | None) -> str:
    name = units.clip(dtype, 60)
    return f"{name} {units.shape(shape)}" if kind == "tensor" else name


def flow(layer: Layer) -> str:
    """Names of what goes in and what comes out, the first few of each."""
    return f"{_some(layer.inputs)} → {_some(layer.outputs)}"


def _some(names: tuple[str, ...]) -> str:
    given = [units.clip(name, 60) for name in names[:_SHOWN_VALUES] if name]
    more = (
        [tr("{count} more").format(count=len(names) - _SHOWN_VALUES)]
        if len(names) > _SHOWN_VALUES
        else []
    )
    return ", ".join(given + more) or tr("none")


def types(model: Model) -> Mapping[str, TensorInfo]:
    """Every value whose type the file tells, by name."""
    return {value.name: value for value in (*model.values, *model.inputs, *model.outputs)}


def depth(layers: tuple[Layer, ...], index: int) -> int:
    """Return how deep a layer lies in subgraphs."""
    level, parent = 0, layers[index].parent
    while parent is not None:
        level, parent = level + 1, layers[parent].parent
    return level
