"""Producers and consumers of each tensor, and layers that only prepare constants."""

from collections.abc import Container, Sequence
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from inspector.model.model import InnerGraph, Layer
from inspector.model.operator_traits import OF_SHAPE, WITHOUT_EFFECT
from inspector.platform.cooperative_yielding import polite

_DEFAULT_DOMAINS = ("", "ai.onnx", "com.microsoft")
# Operators that exporters use to compute with shapes, where nothing but shapes goes in.
_SHAPE_OPERATORS = frozenset(
    [
        "Add",
        "And",
        "Cast",
        "CastLike",
        "Ceil",
        "Concat",
        "ConstantOfShape",
        "Div",
        "Equal",
        "Expand",
        "Flatten",
        "Floor",
        "Gather",
        "GatherElements",
        "Greater",
        "Identity",
        "Less",
        "Max",
        "Min",
        "Mod",
        "Mul",
        "Neg",
        "Not",
        "Or",
        "Pow",
        "Range",
        "ReduceMax",
        "ReduceMin",
        "ReduceProd",
        "Reshape",
        "ScatterElements",
        "ScatterND",
        "Slice",
        "Split",
        "Squeeze",
        "Sub",
        "Sqrt",
        "Tile",
        "Transpose",
        "Unsqueeze",
        "Where",
    ]
)


class Fold(StrEnum):
    """Layers that are left out of the drawing. Those that prepare constants always are."""

    IDENTITIES = "identities"
    SHAPES = "shape arithmetic"


class Flow(Struct, frozen=True, eq=False):
    """The values of a graph and of its subgraphs, between numbered nodes.

    Nodes are the layers, then the `inputs`, then the `outputs`.
    tensors, source, uses: for each value its name, the node that makes it and the nodes that
        use it, each once. Values that only constants go into are left out.
    home: for each layer the one whose box stands for it: itself, or, where all that goes in
        is constant, the layer that takes the result; for one that is folded away a neighbor.
    weights: names of the carried tensors that end in a layer, by layer.
    """

    layers: tuple[Layer, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    tensors: tuple[str, ...]
    source: tuple[int, ...]
    uses: tuple[tuple[int, ...], ...]
    home: tuple[int, ...]
    weights: dict[int, tuple[str, ...]]

    @property
    def nodes(self) -> int:
        """Number of layers, inputs and outputs."""
        return len(self.layers) + len(self.inputs) + len(self.outputs)


class _Values(Struct):
    """Names of values by the graph they are made in; an inner graph sees the outer ones.

    uses: the nodes that use each value. inputs_of: the values that each layer uses. weights: of
    each layer, names.
    """

    layers: tuple[Layer, ...]
    within: list[int]
    outer: list[int]
    places: list[dict[str, int]]
    names: list[str]
    source: list[int]
    uses: list[list[int]]
    inputs_of: list[list[int]]
    weights: dict[int, tuple[str, ...]]

    def add(self, graph: int, name: str, node: int) -> None:
        if name:
            self.places[graph][name] = len(self.names)
            self.names.append(name)
            self.source.append(node)
            self.uses.append([])

    def find(self, graph: int, name: str) -> int | None:
        place = self.places[graph].get(name)
        while place is None and graph:
            graph = self.outer[graph]
            place = self.places[graph].get(name)
        return place


def flow(
    layers: tuple[Layer, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    carried: Container[str],
    graphs: Sequence[InnerGraph] = (),
    folds: Container[Fold] = (),
) -> Flow:
    """Connect layers by the names of their values; `carried` are the file's tensors.

    folds: kinds of layers that get no box. What `graphs` inside layers give out goes to those
    who use what their layers make of it.
    """
    values = _collect(layers, inputs)
    uses, weights = values.uses, values.weights
    for node, layer in enumerate(polite(layers)):
        graph, sources = values.within[node], []
        for name in layer.inputs:
            source = values.find(graph, name) if name else None
            if source is not None:
                sources.append(source)
                if not uses[source] or uses[source][-1] != node:
                    uses[source].append(node)
            elif name in carried:
                weights[node] = (*weights.get(node, ()), name)
        values.inputs_of.append(sources)
    for place, name in enumerate(outputs, len(layers) + len(inputs)):
        source = values.find(0, name)
        if source is not None:
            uses[source].append(place)
    constant = _constant(values)
    if Fold.SHAPES in folds:
        constant |= _shape_arithmetic(values, constant)
    _lead_out(values, constant, graphs)
    bypassed: dict[int, int] = {}
    if Fold.IDENTITIES in folds:
        bypassed = _bypass_identities(values, constant)
    connected = [k for k, node in enumerate(polite(values.source)) if node not in constant]
    return Flow(
        layers,
        tuple(inputs),
        tuple(outputs),
        tuple(values.names[k] for k in connected),
        tuple(values.source[k] for k in connected),
        tuple(tuple(uses[k]) for k in polite(connected)),
        _homes(values, constant, bypassed),
        weights,
    )


def _collect(layers: tuple[Layer, ...], inputs: Sequence[str]) -> _Values:
    within, outer = _graphs(layers)
    values = _Values(layers, within, outer, [{} for _ in outer], [], [], [], [], {})
    for place, name in enumerate(inputs):
        values.add(0, name, len(layers) + place)
    for node, layer in enumerate(polite(layers)):
        for name in layer.outputs:
            values.add(within[node], name, node)
    return values


def _graphs(layers: tuple[Layer, ...]) -> tuple[list[int], list[int]]:
    """Number of the graph that each layer lies in, and of the graph around each graph."""
    numbers: dict[tuple[int, str], int] = {}
    within, outer = [], [0]
    for layer in polite(layers):
        if layer.parent is None:
            within.append(0)
            continue
        key = (layer.parent, layer.branch)
        if key not in numbers:
            numbers[key] = len(outer)
            outer.append(within[layer.parent])
        within.append(numbers[key])
    return within, outer


def _lead_out(values: _Values, constant: set[int], graphs: Sequence[InnerGraph]) -> None:
    """Connect the outputs of graphs inside layers, the outer ones first.

    Where each graph of a layer makes a value of its own, that line says all.
    """
    layers, uses = values.layers, values.uses
    inner_graphs = [(graph.layer, graph) for graph in graphs if graph.layer is not None]
    if not inner_graphs:
        return
    numbers = {
        (layer.parent, layer.branch): values.within[i] for i, layer in enumerate(polite(layers))
    }
    inner_graphs.sort(key=itemgetter(0))
    for holder, inside in groupby(inner_graphs, itemgetter(0)):
        ends: dict[str, list[int | None]] = {}
        for _, graph in inside:
            places = values.places[numbers.get((holder, graph.branch), 0)]
            graph_outputs = graph.outputs[layers[holder].operator == "Loop" :]
            for value, name in zip(graph_outputs, layers[holder].outputs, strict=False):
                ends.setdefault(name, []).append(places.get(value.name))
        for name, producer in ends.items():
            outer = values.places[values.within[holder]].get(name)
            inner = [k for k in producer if k is not None and values.source[k] not in constant]
            for place in inner if outer is not None else ():
                uses[place] = sorted({*uses[place], *uses[outer]})
            if outer is not None and len(inner) == len(producer):
                uses[outer] = []


def _constant(values: _Values) -> set[int]:
    """Layers that a runtime could work out before the first prediction, and need no box.

    One whose result nobody or the caller takes keeps its box. Hands weights on to their users.
    """
    layers, weights = values.layers, values.weights
    constant_outputs: list[list[int]] = [[] for _ in layers]
    for place, node in enumerate(polite(values.source)):
        if node < len(layers):
            constant_outputs[node].append(place)
    holders = {layer.parent for layer in polite(layers)}
    constants: set[int] = set()
    for node, layer in enumerate(polite(layers)):
        sources = values.inputs_of[node]
        if sources and values.source[sources[0]] not in constants:
            continue  # as most do: something of it changes with the input
        ready = all(values.source[place] in constants for place in sources)
        if ready and sources:
            ends = (values.source[place] for place in sources)
            more = tuple(name for end in ends for name in weights.get(end, ()))
            weights[node] = weights.get(node, ()) + more
        fed = layer.operator == "Constant" or sources or node in weights
        plain = layer.domain in _DEFAULT_DOMAINS and node not in holders
        if not (ready and fed and plain) or layer.operator.startswith("Random"):
            continue
        users = [user for place in constant_outputs[node] for user in values.uses[place]]
        if users and max(users) < len(layers) and _all_known(layer, sources, node, weights):
            constants.add(node)
            if layer.operator == "Constant":
                weights[node] = layer.outputs[:1]
    _hand_on(constants, values)
    return constants


def _all_known(
    layer: Layer, sources: list[int], node: int, weights: dict[int, tuple[str, ...]]
) -> bool:
    """Return whether all inputs of a layer are constants or computed from constants."""
    input_count = sum(1 for name in layer.inputs if name)
    return input_count <= len(sources) + len(weights.get(node, ()))


def _hand_on(constants: set[int], values: _Values) -> None:
    weights = values.weights
    for node, sources in enumerate(polite(values.inputs_of if constants else ())):
        if node not in constants:
            ends = {values.source[place] for place in sources} & constants
            more = tuple(name for end in sorted(ends) for name in weights.get(end, ()))
            if more and not set(more) <= set(weights.get(node, ())):
                weights[node] = weights.get(node, ()) + more


def _shape_arithmetic(values: _Values, constant: set[int]) -> set[int]:
    """Return layers that compute with nothing but shapes, and cut them off from their inputs.

    One whose result nobody or the caller takes keeps its box.
    """
    layers, uses, inputs_of = values.layers, values.uses, values.inputs_of
    candidates: set[int] = set()
    for node, layer in enumerate(polite(layers)):
        if layer.domain not in _DEFAULT_DOMAINS:
            continue
        sources = {values.source[place] for place in inputs_of[node]} - constant
        if layer.operator in OF_SHAPE or (
            layer.operator in _SHAPE_OPERATORS and sources and sources <= candidates
        ):
            candidates.add(node)
    last_user: dict[int, int] = {}
    for place, node in enumerate(polite(values.source)):
        if node in candidates and uses[place]:
            last_user[node] = max(last_user.get(node, -1), *uses[place])
    folded = {node for node in candidates if 0 <= last_user.get(node, -1) < len(layers)}
    undrawn = folded | constant  # their values have no edges, and home needs the first user
    for node in folded:
        for place in inputs_of[node]:
            if node in uses[place] and values.source[place] not in undrawn:
                uses[place].remove(node)
    return folded


def _bypass_identities(values: _Values, constant: set[int]) -> dict[int, int]:
    """Hand what goes into an identity to who takes what comes out; returns who makes it.

    One that takes an input of the graph, or a value of an outer graph, keeps its box.
    """
    layers, uses, inputs_of = values.layers, values.uses, values.inputs_of
    outputs_of: dict[int, list[int]] = {}
    for place, node in enumerate(polite(values.source)):
        if node < len(layers) and layers[node].operator in WITHOUT_EFFECT and uses[place]:
            outputs_of.setdefault(node, []).append(place)
    moved: dict[int, int] = {}
    makers: dict[int, int] = {}
    for node, outputs in sorted(outputs_of.items()):
        plain = layers[node].domain in _DEFAULT_DOMAINS and node not in constant
        if not plain or not inputs_of[node] or len(outputs) != 1:
            continue
        place = inputs_of[node][0]
        while place in moved:
            place = moved[place]
        maker = values.source[place]
        if maker >= len(layers) or values.within[maker] != values.within[node]:
            continue
        uses[place] = sorted({*uses[place], *uses[outputs[0]]} - {node})
        uses[outputs[0]] = []
        moved[outputs[0]], makers[node] = place, maker
    return makers


def _homes(values: _Values, constant: set[int], bypassed: dict[int, int]) -> tuple[int, ...]:
    uses, homes = values.uses, list(range(len(values.layers)))
    for node in sorted(bypassed):
        homes[node] = homes[bypassed[node]]
    first = {node: uses[k][0] for k, node in enumerate(polite(values.source)) if uses[k]}
    for node in sorted(constant, reverse=True):
        homes[node] = homes[first[node]]
    return tuple(homes)
