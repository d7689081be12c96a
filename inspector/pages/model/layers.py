"""The layers of a model: its graph, all of them in a table, and those that a search finds."""

from collections.abc import Sequence
from functools import partial

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import number
from inspector.analysis.layer_search import HINT, FoundLayers, ValueInfo
from inspector.export.charts.drawing import Drawing
from inspector.model.model import Layer, Model
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
from inspector.wording.values import Amount, Code, Count, Joined, Name, Sentence, Size, Value

MOST_ROWS = 5_000  # a browser takes a second for them
_LAYERS = Limits(terminal=40, document=20, page=MOST_ROWS)
_ALL = Limits(terminal=1_000_000, document=1_000, page=MOST_ROWS)
_SHOWN_OUTPUTS = 2
_OPERATOR_NAME, _TYPE = 60, 40  # letters
_COLUMNS = (
    Column("index", "#", Side.RIGHT),
    Column("layer", "Layer", stretch=True),
    Column("operator", "Operator", keep=7),
    Column("outputs", "Outputs", keep=5),
)
_COSTS = (
    Column("macs", "MACs", Side.RIGHT, keep=6),
    Column("weights", "Weights", Side.RIGHT, keep=4),
)


def graph(model: Model) -> Section:
    """Return the graph; its boxes lead to the rows of the table of layers."""
    text = Sentence("Graph of {layers}", {"layers": Count(len(model.layers), "layer")})
    chart = Chart("graph", partial(_graph, model), text, zoom=True)
    aside = "a box leads to its layer in the table"
    blocks = (chart,) if model.layers else ()
    return Section("graph", "Graph", blocks, Rank.DOCUMENT, aside)


def _graph(model: Model, _: float) -> Drawing:
    from inspector.export.charts.graph_plot import graph_plot  # NumPy, which `info` needs not

    return graph_plot(model, row_id, MOST_ROWS)


def row_id(layer: int) -> str:
    """Return the anchor of a layer's row."""
    return f"layer-{layer}"


def layers(model: Model, estimate: Estimate | None = None) -> Section:
    """Return a row for each layer in the order of the file, with its cost where it is known."""
    types: dict[str, ValueInfo] = dict(estimate.types) if estimate is not None else {}
    for value in (*model.values, *model.inputs, *model.outputs):
        types.setdefault(value.name, value)
    rows = tuple(
        _row(
            layer,
            [types[name] for name in layer.outputs[:_SHOWN_OUTPUTS] if name in types],
            _cost(estimate, layer.index) if estimate is not None else (),
        )
        for layer in model.layers[:MOST_ROWS]
    )
    columns = (*_COLUMNS, *_COSTS) if estimate is not None else _COLUMNS
    table = Table(columns, rows, _LAYERS, "layer", len(model.layers))
    aside = Count(len(model.layers))
    return Section("layers", "Layers", (table,) if rows else (), Rank.DOCUMENT, aside)


def _row(layer: Layer, outputs: Sequence[ValueInfo], cost: tuple[Value, ...] = ()) -> Row:
    types = Joined(tuple(map(_typed, outputs))) if outputs else ""
    name, operator = Name(layer.label), Name(units.clip(layer.operator, _OPERATOR_NAME))
    index = layer.index
    return Row((Count(index), name, operator, types, *cost), id=row_id(index), number=index)


def _typed(value: ValueInfo) -> Value:
    """Return type and shape of a tensor, "sequence(tensor)" of what is none."""
    if getattr(value, "kind", "tensor") != "tensor":
        return Name(units.clip(value.dtype, _OPERATOR_NAME))
    return Name(f"{units.clip(value.dtype, _TYPE)} {units.shape(value.shape)}".strip())


def _cost(estimate: Estimate, index: int) -> tuple[Value, Value]:
    """Return MACs and bytes of weights of a layer."""
    if index >= len(estimate.cost.layers):
        return "", ""
    cost = estimate.cost.layers[index]
    macs = None if cost.macs is None else number(cost.macs, estimate.lengths)
    shown: Value = "unknown" if macs is None else Amount(macs) if macs else ""
    return shown, Size(cost.weights_bytes) if cost.weights_bytes else ""


def found_page(model: Model, result: FoundLayers) -> Page:
    """Return the layers that a search finds, with their outputs."""
    title = Sentence("{model}: {found} of {layers} match {expression}", {
        "model": Name(model.name),
        "found": Count(len(result.layers)),
        "layers": Count(result.total, "layer"),
        "expression": Code(result.expression),
    })  # fmt: skip
    rows = tuple(map(_row, result.layers, result.outputs))
    block = Table(_COLUMNS, rows, _ALL, "layer") if rows else Text(f"{HINT}.", label="Hint")
    return Page("found layers", title, (Section("layers", "", (block,)),))
