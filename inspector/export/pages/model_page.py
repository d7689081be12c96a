"""A model as one page that opens anywhere: what it is, its graph, its layers. Nothing is run.

The graph is a drawing of SVG whose boxes lead to the rows of the table; the script only zooms.
"""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.model_facts import Facts
from inspector.analysis.facts.symbolic_sizes import Amount, number
from inspector.analysis.graph_layout import layout
from inspector.analysis.graph_layout.drawing import BoxKind, Drawing
from inspector.analysis.graph_layout.frames import GroupKind
from inspector.export.charts import web_style
from inspector.model.model import Layer, Model, TensorInfo
from inspector.platform import files
from inspector.preview.identity import Identity

MOST_ROWS = 5_000  # of the table of layers; a browser takes a second for them
MOST_OPERATORS = 12
_BOX_CHARACTERS = 24  # of a name in a box, which is 176 pixels wide
_TIP = 7.0  # pixels, of the head of an arrow


@dataclass(frozen=True, slots=True)
class _Box:
    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str
    name: str
    href: str
    tip: str


@dataclass(frozen=True, slots=True)
class _Graph:
    width: float
    height: float
    boxes: tuple[_Box, ...]
    frames: tuple[tuple[float, float, float, float, str], ...]
    lines: str  # of a path
    tips: str  # of a path: the heads of the arrows


def model_html(
    model: Model, facts: Facts, identity: Identity, estimate: Estimate | None = None
) -> bytes:
    """Return the page; UTF-8. estimate: shapes and cost, as far as they are computed.

    Everything a model says is escaped, clipped and isolated in its own direction; the page
    allows no script but its own.
    """
    types = dict(estimate.types) if estimate is not None else {}
    for value in (*model.values, *model.inputs, *model.outputs):
        types.setdefault(value.name, value)
    text: str = _template().render(
        model=model,
        identity=identity,
        facts=tuple(_facts(model, facts, estimate)),
        operators=facts.operators[:MOST_OPERATORS],
        more_operators=max(0, len(facts.operators) - MOST_OPERATORS),
        graph=_graph(model) if model.layers else None,
        rows=tuple(_rows(model, types, estimate)),
        hidden_rows=max(0, len(model.layers) - MOST_ROWS),
        has_cost=estimate is not None,
        declared=declared,
        **_styles(),
    )
    return text.encode("utf-8", "backslashreplace")


def declared(value: TensorInfo) -> str:
    """Return the type and shape of a value: 'float32 batch×1×8×8'."""
    if value.kind != "tensor":
        return units.clip(value.dtype, 80)
    return f"{value.dtype} {units.shape(value.shape)}".strip()


def _facts(model: Model, facts: Facts, estimate: Estimate | None) -> Iterator[tuple[str, str]]:
    yield "Format", model.format_text
    producer = " ".join(filter(None, (model.producer, model.producer_version)))
    if producer:
        yield "Producer", units.clip(producer, 80)
    yield "Size", units.size(model.size_bytes)
    opsets = ", ".join(f"{each.domain or 'ai.onnx'} {each.version}" for each in model.opsets)
    if opsets:
        yield "Opsets", units.clip(opsets, 80)
    requires = facts.requirements
    if model.details is None:
        yield "Requires", units.clip(requires.text, 200)
    elif model.details is not None and model.details.needs:
        yield "Requires", units.clip(model.details.needs, 80)
    yield "Layers", f"{len(model.layers):,}"
    amount, what = model.numbers
    yield what.capitalize(), units.count(amount)
    stored = (f"{dtype} {units.size(size)}" for dtype, size in facts.precision.storage[:3])
    if facts.precision.storage:
        yield "Stored as", ", ".join(stored)
    if estimate is not None and estimate.of_graph:
        sizes = ", ".join(f"{name} = {size}" for name, size in estimate.lengths.items())
        assumed = f" with {sizes}" if sizes else ""
        yield "MACs", f"{units.count(estimate.macs)}{assumed}"
        yield "Peak activation memory", f"{estimate.peak_text} (estimated)"
    if model.doc:
        yield "Description", units.clip(model.doc, 300)


def _rows(
    model: Model, types: dict[str, TensorInfo], estimate: Estimate | None
) -> Iterator[tuple[int, str, str, str, str, str]]:
    """Yield index, name, operator, outputs, MACs and weights of each layer."""
    costs = estimate.cost.layers if estimate is not None else ()
    for layer in model.layers[:MOST_ROWS]:
        outputs = (types.get(name) for name in layer.outputs[:2])
        made = "; ".join(declared(value) for value in outputs if value is not None)
        macs = weights = ""
        if estimate is not None and layer.index < len(costs):
            cost = costs[layer.index]
            macs = _amount(cost.macs, estimate)
            weights = units.size(cost.weights_bytes) if cost.weights_bytes else ""
        yield layer.index, units.clip(layer.label, 80), _operator(layer), made, macs, weights


def _amount(amount: Amount | None, estimate: Estimate) -> str:
    if amount is None:
        return "unknown"
    count = number(amount, estimate.lengths)
    return units.count(count) if count else ""


def _operator(layer: Layer) -> str:
    return units.clip(layer.operator, 60)


def _graph(model: Model) -> _Graph:
    _, drawing = layout.first_drawn(layout.body(model))
    ends = zip(drawing.line.tolist(), drawing.tip.tolist(), strict=True)
    lines, tips = [], []
    for (x0, y0, x1, y1), tip in ends:
        lines.append(f"M{x0:.0f} {y0:.0f}L{x1:.0f} {y1:.0f}")
        if tip:
            tips.append(_tip(x0, y0, x1, y1))
    frames = tuple(
        (
            frame.x,
            frame.y,
            frame.width,
            frame.height,
            f"{units.clip(frame.group.title, 40)} · {units.plural(frame.count, 'layer')}",
        )
        for frame in drawing.frames
    )
    boxes = tuple(_box(drawing, place) for place in range(len(drawing)))
    return _Graph(drawing.width, drawing.height, boxes, frames, "".join(lines), "".join(tips))


def _tip(x0: float, y0: float, x1: float, y1: float) -> str:
    """Return the head of an arrow as a path: a marker of SVG would need a path for each."""
    length = hypot(x1 - x0, y1 - y0) or 1.0
    along, across = (x1 - x0) / length, (y1 - y0) / length
    back_x, back_y = x1 - _TIP * along, y1 - _TIP * across
    side_x, side_y = 0.5 * _TIP * across, 0.5 * _TIP * along
    return (
        f"M{x1:.1f} {y1:.1f}L{back_x - side_x:.1f} {back_y + side_y:.1f}"
        f"L{back_x + side_x:.1f} {back_y - side_y:.1f}Z"
    )


def _box(drawing: Drawing, place: int) -> _Box:
    x, y, width, height = drawing.box[place].tolist()
    body, node = drawing.bodies[drawing.body[place]], int(drawing.node[place])
    kind, href, tip = BoxKind(int(drawing.kind[place])), "", ""
    if kind is BoxKind.INPUT:
        title, name = "Input", body.flow.inputs[node]
    elif kind is BoxKind.OUTPUT:
        title, name = "Output", body.flow.outputs[node]
    elif kind is BoxKind.GROUP:
        group = body.tree.groups[node]
        title = group.title
        count = units.plural(body.tree.counts[node], "layer")
        name = "Function" if group.kind is GroupKind.CALL else count
        layer = group.layer if group.layer >= 0 else body.tree.first[node]
        href = f"#layer-{layer}" if body is drawing.bodies[0] else ""
    else:
        layer_ = body.layers[node]
        title, tip = _operator(layer_), units.clip(layer_.label, 200)
        name = layer_.name.strip("/").rpartition("/")[2]
        if body is drawing.bodies[0] and layer_.index < MOST_ROWS:
            href = f"#layer-{layer_.index}"
    return _Box(
        x,
        y,
        width,
        height,
        kind.name.lower(),
        units.clip(title, _BOX_CHARACTERS),
        units.clip(name, _BOX_CHARACTERS),
        href,
        tip or units.clip(name, 200),
    )


@cache
def _styles() -> dict[str, Any]:
    script = files.resource("report", "model.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return web_style.styles() | {"script": script, "script_digest": f"sha256-{digest}"}


@cache
def _template() -> Any:
    templates = Environment(
        loader=FileSystemLoader(files.resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "plural": units.plural,
        "thousands": "{:,}".format,
        "clip": units.clip,
    }
    return templates.get_template("model.html")
