"""Cost of one run, layer by layer: operations, memory traffic, and how often bodies run."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from inspector.analysis.cost import shown_operations, tflite_operations
from inspector.analysis.cost.operation_counts import LayerShapes, Shape, work
from inspector.analysis.facts.layer_cost import (
    NOTHING,
    LayerCost,
    added,
    dearest,
    repeated,
    stored_bytes,
    summed,
    value_bytes,
)
from inspector.analysis.facts.requirements import qualified
from inspector.analysis.facts.shapes import MAIN, Body, Shapes, by_name, inner_first
from inspector.analysis.facts.symbolic_sizes import Amount, number, symbol, symbols, times
from inspector.model.model import TFLITE, Layer, Model, TensorInfo, WeightInfo
from inspector.model.operator_traits import TFLITE_VIEWS, VIEWS
from inspector.units import clip

ITERATIONS = "iterations"
_CHOICES = {"If", "IF", "STABLEHLO_CASE"}  # operators that run one of their bodies
_LEARNED_BYTES = 4  # of a coefficient of ai.onnx.ml, which runtimes keep as float32
# Besides views, what reads no values.
_VIEWS = VIEWS | TFLITE_VIEWS | {
    "Shape", "Size", "Optional", "OptionalGetElement", "Constant", "SHAPE", "RANK",
}  # fmt: skip
_TAKES_PARTS = {
    "Gather", "GatherND", "GatherElements", "Slice", "ArrayFeatureExtractor", "GATHER",
    "GATHER_ND", "SLICE", "STRIDED_SLICE", "EMBEDDING_LOOKUP",
}  # fmt: skip


class Nesting(Struct, frozen=True):
    """The bodies of control flow, and the parts of composite layers.

    inside: node -> names of its branches, in the file's order. repeats: node -> how often its
    body runs; a symbol where only the data tell.
    """

    inside: Mapping[int, tuple[str, ...]]
    repeats: Mapping[int, Amount]

    def holds(self, layer: int) -> bool:
        """Return whether a layer has a body that is not empty."""
        return layer in self.inside

    def branches(self, layer: int) -> tuple[str, ...]:
        """Names of the bodies of a layer."""
        return self.inside.get(layer, ())

    def trips(self, layer: int) -> Amount:
        """Return how often the body of a layer runs each time it is reached."""
        return self.repeats.get(layer, 1)


def nesting(layers: Sequence[Layer], body: Body, types: Mapping[str, TensorInfo]) -> Nesting:
    """Find the bodies of control flow, and how often each runs."""
    inside: dict[int, dict[str, None]] = {}
    for layer in layers:
        if layer.parent is not None:
            inside.setdefault(layer.parent, {})[layer.branch] = None
    parts = {layer.parent for layer in layers if layer.is_part}
    loops = [
        index
        for index in inside
        if layers[index].operator not in _CHOICES and index not in parts
    ]
    repeats: dict[int, Amount] = {}
    open_ended: list[int] = []
    for index in loops:
        trip_count = _known_trips(layers[index], body, types)
        if trip_count is None:
            open_ended.append(index)
        else:
            repeats[index] = trip_count
    for index in open_ended:
        name = ITERATIONS if len(open_ended) == 1 else f"{ITERATIONS} of {layers[index].label}"
        repeats[index] = symbol(clip(name, 60))
    return Nesting({index: tuple(names) for index, names in inside.items()}, repeats)


def _known_trips(layer: Layer, body: Body, types: Mapping[str, TensorInfo]) -> Amount | None:
    """Iterations of a Loop with a constant number, or the length of what a Scan goes over."""
    if layer.operator == "Loop":
        return body.trips.get(layer.index)
    name = layer.inputs[-1] if layer.operator == "Scan" and layer.inputs else ""
    value = types.get(name)
    if value is None or not value.shape:
        return None
    if any(attribute.name == "scan_input_axes" for attribute in layer.attributes):
        return None
    axis = value.shape[0]
    return axis if isinstance(axis, int) else symbol(axis) if axis else None


class Cost(Struct, frozen=True):
    """The cost of one run of a model: sums over the layers whose cost is known.

    layers: by `Layer.index`. weights_bytes: each weight once, however many layers share it.
    unknown: number of layers whose MACs are not known; operators: (name, layers) of
    those, most frequent first.
    """

    layers: tuple[LayerCost, ...]
    macs: Amount
    operations: Amount
    weights_bytes: int
    moved_bytes: Amount
    unknown: int
    operators: tuple[tuple[str, int], ...]

    @property
    def symbols(self) -> tuple[str, ...]:
        """Free axes, and numbers of iterations, that the cost depends on."""
        amounts = (self.macs, self.operations, self.moved_bytes)
        return tuple(dict.fromkeys(name for amount in amounts for name in symbols(amount)))

    def intensity(self, lengths: Mapping[str, int]) -> float | None:
        """Operations a byte, of the whole."""
        moved = number(self.moved_bytes, lengths)
        return number(self.operations, lengths) / moved if moved else None


def cost(model: Model, shapes: Shapes) -> Cost:
    """Count what a prediction takes, with types and shapes as far as they are known."""
    weights = {weight.name: weight for weight in model.weights}
    whole: dict[int, Cost] = {}
    for place in inner_first(shapes.bodies):
        body = shapes.bodies[place]
        layers = model.layers if body.function == MAIN else _layers(model, body.function)
        whole[place] = _Counting(
            layers, body, weights if body.function == MAIN else {}, whole
        ).cost
    stored = sum(map(stored_bytes, model.distinct_weights))
    return structs.replace(whole[0], weights_bytes=stored)


class _Counting:
    """The cost of one body, with that of the functions it calls at hand."""

    def __init__(
        self,
        layers: Sequence[Layer],
        body: Body,
        weights: Mapping[str, WeightInfo],
        whole: Mapping[int, Cost],
    ) -> None:
        self._layers, self._body, self._weights, self._whole = layers, body, weights, whole
        self._types = by_name(body.values)
        self._sizes: dict[str, Amount | None] = {}
        self._kinds = _Kinds(self._types, weights)
        self._cost_of_kind: dict[object, LayerCost] = {}
        self._nesting: Nesting = nesting(layers, body, self._types)
        costs = self._all()
        outer = [
            each
            for layer, each in zip(layers, costs, strict=True)
            if each.counted and layer.index not in self._nesting.inside
        ]
        whole_cost = summed(outer)
        self.cost = Cost(
            layers=tuple(costs),
            macs=whole_cost.macs or 0,
            operations=whole_cost.operations or 0,
            weights_bytes=sum(map(stored_bytes, weights.values())),
            moved_bytes=whole_cost.moved_bytes or 0,
            unknown=whole_cost.unknown,
            operators=self._unknown(costs),
        )

    def _unknown(self, costs: Sequence[LayerCost]) -> tuple[tuple[str, int], ...]:
        unknown_counts = Counter(
            qualified(layer.domain, layer.operator)
            for layer, each in zip(self._layers, costs, strict=True)
            if each.macs is None and each.counted
        )
        for index, place in self._body.calls.items():
            if place in self._whole and index < len(costs):
                unknown_counts.update(dict(self._whole[place].operators))
        return tuple(sorted(unknown_counts.items(), key=lambda entry: (-entry[1], entry[0])))

    def _all(self) -> list[LayerCost]:
        """Inner layers come after the node they lie in: bodies are summed up from the end."""
        layers, inside = self._layers, self._nesting
        costs: list[LayerCost] = [NOTHING] * len(layers)
        branches: dict[tuple[int, str], list[LayerCost]] = {}
        untaken: set[tuple[int, str]] = set()
        for layer in reversed(layers):
            place = layer.index
            names = inside.branches(place)
            own_branches = {name: summed(branches.pop((place, name))) for name in names}
            if layer.operator in _CHOICES and own_branches:
                name = dearest(own_branches)
                untaken |= {(place, other) for other in own_branches if other != name}
                costs[place] = own_branches[name]
            elif own_branches:
                costs[place] = repeated(summed([*own_branches.values()]), inside.trips(place))
            else:
                costs[place] = self._remembered(layer)
            if layer.parent is not None:
                branches.setdefault((layer.parent, layer.branch), []).append(costs[layer.index])
        return _per_prediction(layers, costs, inside, untaken)

    def _remembered(self, layer: Layer) -> LayerCost:
        """The cost of a layer; equal ones, of which large models are full, only once."""
        if layer.index in self._body.calls:
            return self._leaf(layer)
        kind_of, inputs, attributes = self._kinds.__getitem__, layer.inputs, layer.attributes
        key = (
            layer.operator,
            layer.domain,
            tuple(map(id, attributes)) if attributes else (),
            tuple(map(kind_of, inputs)),
            tuple(map(kind_of, layer.outputs)),
            len(inputs) if len(inputs) < 2 else len(set(inputs)),
        )
        remembered = self._cost_of_kind.get(key)
        if remembered is None:
            remembered = self._cost_of_kind[key] = self._leaf(layer)
        return remembered

    def _leaf(self, layer: Layer) -> LayerCost:
        inner = self._whole.get(self._body.calls.get(layer.index, -1))
        weights = sum(
            stored_bytes(self._weights[name])
            for name in dict.fromkeys(layer.inputs)
            if name in self._weights
        )
        output_bytes = added(self._size(name) for name in layer.outputs if name)
        if inner is not None:
            return LayerCost(
                inner.macs,
                inner.operations,
                weights,
                inner.moved_bytes,
                output_bytes,
                inner.unknown,
            )
        inputs = tuple(map(self._shape, layer.inputs))
        count = work
        if layer.domain == TFLITE:
            count = tflite_operations.work
        elif layer.domain in shown_operations.DOMAINS:
            count = shown_operations.work
        done = count(LayerShapes(layer, inputs, tuple(map(self._shape, layer.outputs))))
        moved = self._moved(layer, output_bytes)
        if done is None or done.macs is None:
            return LayerCost(None, None, weights, moved, output_bytes, 1)
        return LayerCost(done.macs, done.operations, weights, moved, output_bytes)

    def _moved(self, layer: Layer, output_bytes: Amount | None) -> Amount | None:
        if layer.operator in _VIEWS:
            return 0
        names = dict.fromkeys(name for name in layer.inputs if name)
        if layer.operator in _TAKES_PARTS:
            rest = list(names)[1:]
            return added((output_bytes, output_bytes, *map(self._size, rest)))
        learned = layer.learned_numbers * _LEARNED_BYTES
        return added((output_bytes, learned, *map(self._size, names)))

    def _shape(self, name: str) -> Shape:
        weight = self._weights.get(name)
        if weight is not None:
            return weight.shape
        value = self._types.get(name)
        return value.shape if value is not None and value.kind == "tensor" else None

    def _size(self, name: str) -> Amount | None:
        if name not in self._sizes:
            weight, value = self._weights.get(name), self._types.get(name)
            if weight is not None:
                self._sizes[name] = stored_bytes(weight)
            else:
                self._sizes[name] = None if value is None else value_bytes(value)
        return self._sizes[name]


class _Kinds(dict[str, int]):
    """Name of a value -> a number that values of equal type, shape and origin share."""

    def __init__(
        self, types: Mapping[str, TensorInfo], weights: Mapping[str, WeightInfo]
    ) -> None:
        super().__init__()
        self._types, self._weights = types, weights
        self._numbers: dict[object, int] = {}

    def __missing__(self, name: str) -> int:
        weight, value = self._weights.get(name), self._types.get(name)
        kind: object = None
        if weight is not None:
            kind = weight.shape, stored_bytes(weight)
        elif value is not None:
            kind = value.kind, value.dtype, value.shape
        number = self[name] = self._numbers.setdefault((name == "", kind), len(self._numbers))
        return number


def _layers(model: Model, function: int) -> tuple[Layer, ...]:
    return model.functions[function].layers if function < len(model.functions) else ()


def _per_prediction(
    layers: Sequence[Layer],
    run_costs: Sequence[LayerCost],
    inside: Nesting,
    untaken: set[tuple[int, str]],
) -> list[LayerCost]:
    """Multiply what lies in loops, and mark what lies in branches that are not counted."""
    costs: list[LayerCost] = []
    runs: dict[int, Amount] = {}
    for layer, one in zip(layers, run_costs, strict=True):
        if layer.parent is None:
            costs.append(one)
            continue
        outer = runs.get(layer.parent, 1)
        runs[layer.index] = times(outer, inside.trips(layer.parent)) or 0
        total_cost = one if runs[layer.index] == 1 else repeated(one, runs[layer.index])
        counted = costs[layer.parent].counted and (layer.parent, layer.branch) not in untaken
        # Most of a million layers stay as they are: a copy of each takes longer than all else.
        if counted != total_cost.counted:
            total_cost = structs.replace(total_cost, counted=counted)
        costs.append(total_cost)
    return costs
