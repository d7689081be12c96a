"""The layers of a model: its graph, all of them in a table, and those that a search finds."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import nan
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import number
from inspector.analysis.layer_search import HINT, FoundLayers, ValueInfo
from inspector.model.model import Axis, Layer, Model
from inspector.pages.blocks import (
    Chart,
    Column,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.rows import LazyRows
from inspector.platform.cooperative_yielding import polite
from inspector.platform.late_modules import LateModule
from inspector.wording.values import Amount, Code, Count, Joined, Name, Sentence, Size, Value

if TYPE_CHECKING:
    from inspector.pages.charts import graph_plot
    from inspector.pages.charts.drawing import Drawing
else:
    # 11 ms: `info` draws no graph.
    graph_plot = LateModule("inspector.pages.charts.graph_plot")

MOST_ROWS = 5_000  # a browser takes a second for them
_LAYERS = Limits(terminal=40, document=20, page=MOST_ROWS)
_ALL = Limits(terminal=1_000_000, document=1_000, page=MOST_ROWS)
_SHOWN_OUTPUTS = 2
_SHOWN_VALUES = 3  # of inputs and of outputs, beside each other
# letters
_OPERATOR_NAME = 60
_TYPE = 40
_VALUE_NAME = 60
_COLUMNS = (
    Column("index", "#", Side.RIGHT, falling=False),
    Column("layer", "Layer", stretch=True),
    Column("operator", "Operator", keep=7),
)
_FLOW = Column("flow", "Inputs → outputs", keep=2, stretch=True)
_OUTPUTS = Column("outputs", "Outputs", keep=5, digits=True)
_COSTS = (
    Column("macs", "MACs", Side.RIGHT, keep=6),
    Column("parameters", "Parameters", Side.RIGHT, keep=3),
    Column("weights", "Weights", Side.RIGHT, keep=4),
)


def graph(model: Model) -> Section:
    """Return the graph; its boxes lead to the rows of the table of layers."""
    text = Sentence("Graph of {layers}", Count(len(model.layers), "layer"))
    chart = Chart("graph", partial(_graph, model), text, zoom=True)
    aside = "a box leads to its layer in the table"
    blocks = (chart,) if model.layers else ()
    return Section("graph", "Graph", blocks, Rank.DOCUMENT, aside)


def _graph(model: Model, _: float) -> "Drawing":
    return graph_plot.graph_plot(model, row_id, MOST_ROWS)


def row_id(layer: int) -> str:
    """Return the anchor of a layer's row."""
    return f"layer-{layer}"


def layers(model: Model, estimate: Estimate | None = None) -> Section:
    """Return a row for each layer in the order of the file, with its cost where it is known."""
    table = layer_table(model, estimate, with_flow=False)
    rows = tuple(table.rows[:MOST_ROWS])
    shown = replace(table, rows=rows, total=len(table.rows))
    aside = Count(len(model.layers))
    return Section("layers", "Layers", (shown,) if rows else (), Rank.DOCUMENT, aside)


def layer_table(
    model: Model, estimate: Estimate | None = None, with_flow: bool = True
) -> Table:
    """Return all layers. with_flow: with the names of what goes in and what comes out."""
    types = _types_of(model, estimate)

    def outputs(layer: Layer) -> list[ValueInfo]:
        return [types[name] for name in layer.outputs[:_SHOWN_OUTPUTS] if name in types]

    def row(place: int) -> Row:
        layer = model.layers[place]
        flow = (
            (Joined((_some(layer.inputs), _some(layer.outputs)), " → "),) if with_flow else ()
        )
        cost = () if estimate is None else _cost(estimate, place, model.parameters_of(layer))
        level, parent = 0, model.layers[place].parent
        while parent is not None:
            level, parent = level + 1, model.layers[parent].parent
        return _row(layer, outputs(layer), flow, cost, level)

    def each(value: Callable[[Layer], Any]) -> Callable[[], list[Any]]:
        return lambda: [value(layer) for layer in polite(model.layers, True)]

    keys = {
        "index": each(lambda layer: layer.index),
        "layer": each(lambda layer: layer.label.casefold()),
        "operator": each(lambda layer: layer.operator.casefold()),
        "flow": each(lambda layer: ", ".join(layer.inputs + layer.outputs).casefold()),
        "outputs": each(lambda layer: ", ".join(map(type_text, outputs(layer))).casefold()),
    }
    if estimate is not None:
        keys["macs"] = each(lambda layer: _sortable(_macs(estimate, layer.index)))
        keys["parameters"] = each(lambda layer: model.parameters_of(layer) or nan)
        keys["weights"] = each(lambda layer: _weights_bytes(estimate, layer.index) or nan)
    columns = (
        *_COLUMNS,
        *((_FLOW,) * with_flow),
        _OUTPUTS,
        *(_COSTS if estimate is not None else ()),
    )
    texts = each(lambda layer: f"{layer.label}\n{layer.operator}".casefold())
    rows = LazyRows(len(model.layers), row, keys, texts)
    return Table(columns, rows, _LAYERS, "layer")


def _types_of(model: Model, estimate: Estimate | None = None) -> dict[str, ValueInfo]:
    """Return what is known of each tensor by its name; inferred types have the last word."""
    declared = (*model.outputs, *model.inputs, *model.values)
    types: dict[str, ValueInfo] = {value.name: value for value in declared}
    return {**types, **estimate.types} if estimate is not None else types


def type_text(value: ValueInfo) -> str:
    """Return type and shape of a tensor: "float32 1×64×56×56", or the type of what is none."""
    kind = getattr(value, "kind", "tensor")
    return _written(kind, value.dtype, value.shape)


@lru_cache(maxsize=1024)
def _written(kind: str, dtype: str, shape: tuple[Axis, ...] | None) -> str:
    if kind != "tensor":
        return units.clip(dtype, _OPERATOR_NAME)
    return f"{units.clip(dtype, _TYPE)} {units.shape(shape)}".strip()


def _row(
    layer: Layer,
    outputs: Sequence[ValueInfo],
    flow: tuple[Value, ...] = (),
    cost: tuple[Value, ...] = (),
    depth: int = 0,
) -> Row:
    types = Joined(tuple(Name(type_text(value)) for value in outputs)) if outputs else ""
    name, operator = Name(layer.label), Name(units.clip(layer.operator, _OPERATOR_NAME))
    cells = (Count(layer.index), name, operator, *flow, types, *cost)
    return Row(cells, id=row_id(layer.index), number=layer.index, depth=depth)


def _some(names: Sequence[str]) -> Value:
    shown: list[Value] = [
        Name(units.clip(name, _VALUE_NAME)) for name in names[:_SHOWN_VALUES] if name
    ]
    if len(names) > _SHOWN_VALUES:
        shown.append(Sentence("{count} more", Count(len(names) - _SHOWN_VALUES)))
    return Joined(tuple(shown)) if shown else "none"


def _macs(estimate: Estimate, index: int) -> float | None:
    """Return the MACs of a layer; None where they are not known."""
    if index >= len(estimate.cost.layers):
        return 0.0
    count = estimate.cost.layers[index].macs
    return None if count is None else number(count, estimate.lengths)


def _sortable(count: float | None) -> float:
    return nan if count is None else count


def _cost(estimate: Estimate, index: int, parameters: int) -> tuple[Value, Value, Value]:
    """Return MACs, parameters and bytes of weights of a layer."""
    count, size = _macs(estimate, index), _weights_bytes(estimate, index)
    shown: Value = "unknown" if count is None else Amount(count) if count else ""
    return shown, Amount(parameters) if parameters else "", Size(size) if size else ""


def _weights_bytes(estimate: Estimate, index: int) -> int:
    costs = estimate.cost.layers
    return costs[index].weights_bytes if index < len(costs) else 0


def found_page(model: Model, result: FoundLayers) -> Page:
    """Return the layers that a search finds, with their outputs."""
    title = Sentence("{model}: {found} of {layers} match {expression}", Name(model.name),
                     Count(len(result.layers)),
                     Count(result.total, "layer"), Code(result.expression))  # fmt: skip
    rows = tuple(map(_row, result.layers, result.outputs))
    block = (
        Table((*_COLUMNS, _OUTPUTS), rows, _ALL, "layer")
        if rows
        else Text(f"{HINT}.", label="Hint")
    )
    return Page("found layers", title, (Section("layers", "", (block,)),))
