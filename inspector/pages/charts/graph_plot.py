"""The graph of a model as a drawing whose boxes lead to the rows of a table of layers."""

from collections.abc import Callable, Iterator
from math import hypot

from inspector import units
from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import BoxKind
from inspector.analysis.graph_layout.drawing import Drawing as Graph
from inspector.analysis.graph_layout.frames import GroupKind
from inspector.model.model import Model
from inspector.pages.charts.drawing import Box, Drawing, Label, Line, Shape, fitting_name

_MARGIN = 10.0  # pixels beside the texts of a box
_TIP = 7.0  # pixels, of the head of an arrow
_LOW = 40.0  # pixels; a lower box has one line of text
_TINT = 0.28  # of a color that fills a box
_FILLS = {BoxKind.INPUT: "data", BoxKind.OUTPUT: "data", BoxKind.GROUP: "cpu"}


def graph_plot(model: Model, row_id: Callable[[int], str], rows: int) -> Drawing:
    """Return the graph as the window first shows it: large scopes open, repeated ones closed.

    row_id: the anchor of a layer's row, by its index. rows: how many layers have one.
    """
    _, graph = layout.first_drawn(layout.body(model))
    shapes = [*_frames(graph), *_lines(graph)]
    for place in range(len(graph)):
        shapes += _box(graph, place, row_id, rows)
    return Drawing(model.name, graph.width, graph.height, tuple(shapes))


def _frames(graph: Graph) -> Iterator[Shape]:
    for frame in graph.frames:
        title = f"{units.clip(frame.group.title, 40)} · {units.plural(frame.count, 'layer')}"
        yield Box(frame.x, frame.y, frame.width, frame.height, "window",
                  radius=8, edge="border", edge_width=1)  # fmt: skip
        yield Label(frame.x + _MARGIN, frame.y + 16, title, "secondary")


def _lines(graph: Graph) -> Iterator[Line]:
    """Yield a line for each part of a way between boxes, with a head where it ends."""
    for (x0, y0, x1, y1), tip in zip(graph.line.tolist(), graph.tip.tolist(), strict=True):
        yield Line(((x0, y0), (x1, y1)), "tertiary", 1.2)
        if tip:
            length = hypot(x1 - x0, y1 - y0) or 1.0
            along, across = _TIP * (x1 - x0) / length, _TIP * (y1 - y0) / length
            left = x1 - along - across / 2, y1 - across + along / 2
            right = x1 - along + across / 2, y1 - across - along / 2
            yield Line((left, (x1, y1), right), "tertiary", 1.2)


def _box(graph: Graph, place: int, row_id: Callable[[int], str], rows: int) -> Iterator[Shape]:
    """Yield the box of a layer, an input, an output or a closed scope, with its texts."""
    x, y, width, height = graph.box[place].tolist()
    body, node = graph.bodies[graph.body[place]], int(graph.node[place])
    kind, layer = BoxKind(int(graph.kind[place])), -1
    if kind is BoxKind.INPUT:
        title, name = "Input", body.flow.inputs[node]
    elif kind is BoxKind.OUTPUT:
        title, name = "Output", body.flow.outputs[node]
    elif kind is BoxKind.GROUP:
        group = body.tree.groups[node]
        count = units.plural(body.tree.counts[node], "layer")
        title, name = group.title, "Function" if group.kind is GroupKind.CALL else count
        layer = group.layer if group.layer >= 0 else int(body.tree.first[node])
    else:
        layer, found = body.layers[node].index, body.layers[node]
        title, name = found.operator, found.name.strip("/").rpartition("/")[2]
    shown = body is graph.bodies[0] and 0 <= layer < rows
    tip = body.layers[node].label if kind is BoxKind.LAYER else f"{title}: {name}"
    fill = _FILLS.get(kind)
    yield Box(
        x, y, width, height, fill or "raised", _TINT if fill else 1.0, units.clip(tip, 200), 6,
        edge="" if fill else "border", edge_width=1, href=f"#{row_id(layer)}" if shown else "",
    )  # fmt: skip
    room, left = width - 2 * _MARGIN, x + _MARGIN
    title, name = units.clip(title, 60), units.clip(name, 80)
    if height < _LOW:
        text = fitting_name(f"{title} {name}".strip(), room, 12)
        yield Label(left, y + height / 2 + 4, text, size=12)
        return
    yield Label(left, y + 19, fitting_name(title, room, 12.5), size=12, bold=True)
    yield Label(left, y + 36, fitting_name(name, room), "secondary")
