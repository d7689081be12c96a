"""The graph that a runtime executes: its nodes, and what became of each layer of the model."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.model.layer_values import LayerNumbers, Quantity
from inspector.model.model import Layer, Model
from inspector.platform.data_struct import DataStruct
from inspector.trace.kinds import Kind
from inspector.wording.support_marks import Status
from inspector.wording.values import Count, Sentence, counted, joined

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport

_TOKEN = re.compile(r"(?<![A-Za-z0-9])([LT]\d+)(?!\d)")
_MOST_NAMES = 3

FUSED = "fused"  # kind of a node that carries out several layers


class ExecutedNode(Struct, frozen=True):
    """A node of the optimized graph; its place is that in the layers of the optimized model.

    layers: of the model, that it carries out; none for a node that the runtime inserted.
    lead: the one that its time is shown at. kind: what an inserted node does ("cast",
    "layout", "copy"). after, before: the layers whose nodes feed an inserted node, and read it.
    """

    name: str
    operator: str
    layers: tuple[int, ...] = ()
    lead: int | None = None
    kind: str = ""
    after: int | None = None
    before: int | None = None

    @property
    def inserted(self) -> bool:
        """Return whether the runtime put it in by itself."""
        return self.lead is None


class LayerFate(Struct, frozen=True):
    """The outcome of a layer of the model; into: the layer that carries out its work."""

    status: Status
    into: int | None = None


class ExecutedGraph(DataStruct, frozen=True, dict=True, weakref=True):
    """The optimized graph of a model in terms of its layers.

    nodes: one for each layer of the optimized model. fates: one for each layer of the model.
    tensors: name in the optimized graph -> name in the model. runtime, devices, optimization:
    what it was optimized by, and for.
    """

    nodes: tuple[ExecutedNode, ...]
    fates: tuple[LayerFate, ...]
    tensors: dict[str, str]
    runtime: str
    devices: tuple[str, ...]
    optimization: str

    @cached_property
    def nodes_of(self) -> dict[int, tuple[int, ...]]:
        """Return the nodes that carry out each layer."""
        places: dict[int, list[int]] = defaultdict(list)
        for place, node in enumerate(self.nodes):
            for layer in node.layers:
                places[layer].append(place)
        return {layer: tuple(nodes) for layer, nodes in places.items()}

    def node_for(self, layer: int) -> int | None:
        """Return the node that stands for a layer best; None for a layer without one."""
        nodes = self.nodes_of.get(layer, ())
        led = [place for place in nodes if self.nodes[place].lead == layer]
        if led or nodes:
            return (*led, *nodes)[0]
        into = self.fates[layer].into if layer < len(self.fates) else None
        return self.node_for(into) if into is not None and into != layer else None

    @property
    def inserted(self) -> tuple[ExecutedNode, ...]:
        """Return the nodes that the runtime put in by itself."""
        return tuple(node for node in self.nodes if node.inserted)


def with_original_names(optimized: Model, executed: ExecutedGraph, model: Model) -> Model:
    """Return the optimized model with the names of the model: of layers, tensors and file."""
    tensors, labels = executed.tensors, [layer.label for layer in model.layers]

    def token(match: "re.Match[str]") -> str:
        text = match[1]
        number = int(text[1:])
        if text[0] == "L" and number < len(labels):
            return labels[number]
        return tensors.get(text, text)

    known: dict[str, str] = {}

    def restored(name: str) -> str:
        if name not in known:
            known[name] = tensors.get(name) or _TOKEN.sub(token, name)
        return known[name]

    def names(values: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(restored, values))

    layers = tuple(
        layer._replace(name=node.name, inputs=names(layer.inputs), outputs=names(layer.outputs))
        for layer, node in zip(optimized.layers, executed.nodes, strict=True)
    )
    graphs = tuple(
        replace(
            graph,
            inputs=tuple(replace(v, name=restored(v.name)) for v in graph.inputs),
            outputs=tuple(replace(v, name=restored(v.name)) for v in graph.outputs),
            values=tuple(replace(v, name=restored(v.name)) for v in graph.values),
        )
        for graph in optimized.graphs
    )
    return replace(
        optimized,
        name=model.name,
        layers=layers,
        weights=tuple(w._replace(name=restored(w.name)) for w in optimized.weights),
        values=tuple(replace(v, name=restored(v.name)) for v in optimized.values),
        graphs=graphs,
    )


def what_became_of(executed: ExecutedGraph, layers: Sequence[Layer], layer: int) -> str:
    """Return one sentence on what the runtime made of a layer; empty if it is none of these."""
    if not 0 <= layer < len(executed.fates):
        return ""
    fate = executed.fates[layer]
    nodes = [executed.nodes[place] for place in executed.nodes_of.get(layer, ())]
    match fate.status:
        case Status.FOLDED:
            return "Folded: it depends on no input, so it is computed once, during loading."
        case Status.ELIMINATED:
            return "Removed: it has no effect on the result."
        case Status.DEAD:
            return "Removed: no other layer and no output uses its result."
        case Status.MERGED:
            other = _named(layers, fate.into)
            return Sentence(
                "Merged with {value}, which computes the same values.", other or "another layer"
            )
        case Status.MOVED:
            other = _named(layers, fate.into)
            return Sentence("Moved into {value}.", other or "another layer")
        case Status.NOT_REACHED:
            return "Removed with a branch that is never taken."
        case Status.EXECUTED | Status.FUSED if nodes:
            return _executed_text(nodes, layers, layer, fate)
        case Status.FUSED:
            other = _named(layers, fate.into)
            return Sentence("Fused into {value}.", other or "another layer")
        case Status.COMPILED:
            return "Compiled: the device runs it as a part of a compiled partition."
    return "Unknown: the optimized graph does not contain it."


def _executed_text(
    nodes: Sequence[ExecutedNode], layers: Sequence[Layer], layer: int, fate: LayerFate
) -> str:
    if len(nodes) > 1:
        operators = ", ".join(dict.fromkeys(node.operator for node in nodes))
        return Sentence("Split into {len} nodes ({operators}).", len(nodes), operators)
    node = nodes[0]
    if node.lead != layer:
        return Sentence(
            "Fused into {named} as {operator}.", _named(layers, node.lead), node.operator
        )
    others = [other for other in node.layers if other != layer]
    if others:
        shown = joined(*(_named(layers, other) for other in others[:_MOST_NAMES]))
        more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
        return Sentence(
            "Runs as one {operator} together with {shown}{more}.", node.operator, shown, more
        )
    if node.operator != layers[layer].operator:
        return Sentence("Runs as {operator}.", node.operator)
    return "Runs unchanged."


def _named(layers: Sequence[Layer], layer: int | None) -> str:
    if layer is None or not 0 <= layer < len(layers):
        return ""
    return units.clip(layers[layer].label, 60)


def summary(executed: ExecutedGraph, layers: int) -> str:
    """Return what the runtime made of the model in one line, with numbers."""
    counts = [0, 0, 0]
    for node in executed.nodes:
        counts[0 if node.inserted else 2 if len(node.layers) > 1 else 1] += 1
    inserted, _, fused = counts
    gone = sum(
        fate.status in (Status.FOLDED, Status.ELIMINATED, Status.DEAD, Status.MERGED)
        for fate in executed.fates
    )
    nodes = counted(len(executed.nodes), "node")
    parts = [Sentence("{layers} became {nodes}", Count(layers, "layer"), nodes)]
    parts += [Sentence("{fused} fused from several layers", Count(fused))] * bool(fused)
    parts += [Sentence("{layers} folded or removed", Count(gone, "layer"))] * bool(gone)
    parts += [Sentence("{nodes} inserted", Count(inserted, "node"))] * bool(inserted)
    return joined(*parts)


def node_times(
    executed: ExecutedGraph, report: "PerformanceReport", title: str
) -> LayerNumbers | None:
    """Return the measured time of each node; None if the report is of another optimization.

    A layer that several nodes carry out has one time, which the first of them shows.
    """
    spec = report.spec
    if spec.optimization != executed.optimization or spec.devices != executed.devices:
        return None
    values = np.full(len(executed.nodes), np.nan)
    times = {use.index: use.time_ns for use in report.layers}
    shown: set[int] = set()
    for place, node in enumerate(executed.nodes):
        time_ns = None if node.lead is None else times.get(node.lead)
        if node.lead is not None and time_ns is not None and node.lead not in shown:
            shown.add(node.lead)
            values[place] = time_ns
    insertions: dict[tuple[str, int | None, int | None], list[int]] = defaultdict(list)
    for each in report.inserted:
        insertions[each.operator, each.after, each.before].append(each.time_ns)
    for place, node in enumerate(executed.nodes):
        waiting = insertions.get((node.operator, node.after, node.before), [])
        if node.inserted and waiting:
            values[place] = waiting.pop(0)
    return LayerNumbers(title, values, Quantity.TIME, clock_ns=report.profiling.clock_ns)


def kind_of(node: ExecutedNode) -> str:
    """Return "cast", "layout", "copy" or "other" if it is inserted, `FUSED`, or nothing."""
    if node.inserted:
        return node.kind if node.kind in (Kind.CAST, Kind.LAYOUT, Kind.COPY) else "other"
    return FUSED if len(node.layers) > 1 else ""
