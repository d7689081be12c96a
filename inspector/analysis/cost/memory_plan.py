"""Memory of activations over one run: which tensors are alive when, and the peak."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.cost.arena import inside_steps, most_bytes, planned_bytes, planned_steps
from inspector.analysis.cost.folding import added_in_place, folded, in_int8
from inspector.analysis.cost.kernels import AVX512, KernelGraph, Step
from inspector.analysis.facts.layer_cost import value_bytes
from inspector.analysis.facts.shapes import Shapes, by_name
from inspector.analysis.facts.symbolic_sizes import Amount, number, total
from inspector.model.axes import free_axes
from inspector.model.model import Layer, Model
from inspector.model.operator_traits import VIEWS

_IN_PLACE = {
    "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Add", "Mul", "Sub", "Div", "Sum", "Elu",
    "Erf", "Exp", "Sqrt", "Neg", "Abs", "HardSigmoid", "HardSwish", "Softmax", "Selu", "Gelu",
    "BatchNormalization", "Softplus", "PRelu",
}  # fmt: skip
_REPEATING = {"Loop", "Scan"}
# Declared shapes may multiply to more than 64 bits hold; sums of two of these do not.
_MOST_BYTES = 1 << 61


class Peak(Struct, frozen=True):
    """The moment when the values of a prediction take the most memory.

    bytes: of values that are not weights; a formula where free axes are open. layer: index of
    the layer that runs then; None where there is nothing. unknown: values whose size is not
    known, which count for nothing.
    """

    bytes: Amount
    layer: int | None
    unknown: int


class Lifetime(NamedTuple):
    """A tensor of the main graph: its bytes, and the layers from which to which it lives.

    first, last: indices of layers; None for what is there before or after all of them.
    """

    name: str
    bytes: int
    first: int | None
    last: int | None


class MemoryPlan(Struct, frozen=True, eq=False):
    """Which tensors are alive while each layer runs; computed from shapes, not measured.

    live: bytes of them by `Layer.index`, weights not counted: int64 (layers,). tensors: of the
    main graph, those whose size is known, by their first layer. at_peak: those alive at the
    peak, the largest first; with tensors of a subgraph if the peak lies in one. arena: bytes
    in use at most in ONNX Runtime's arena, with those of the inputs, as its planner would.
    """

    peak: Peak
    live: NDArray[np.int64]
    tensors: tuple[Lifetime, ...]
    at_peak: tuple[Lifetime, ...]
    arena: int = 0

    def alive_at(self, layer: int) -> tuple[Lifetime, ...]:
        """Return the tensors that live while a layer of the main graph runs, largest first."""
        alive = (
            each
            for each in self.tensors
            if (each.first is None or each.first <= layer)
            and (each.last is None or each.last >= layer)
        )
        return tuple(sorted(alive, key=lambda each: -each.bytes))


def memory_plan(
    model: Model, shapes: Shapes, lengths: Mapping[str, int], block: int = AVX512
) -> MemoryPlan:
    """Estimate the memory that values take over a run, layers one by one in their order.

    A value lives from the layer that makes it to the last one that takes it; inputs and
    outputs live throughout. Views take nothing, and a layer that may work in place, alone or
    fused with the one before it, does so: this is the least. What ONNX Runtime takes is planned
    in `planned_bytes`.
    lengths: which moment it is depends on the free axes; those not given count as 1. block:
    channels of a block on the CPU (`AVX512`, `AVX2`).
    """
    return _Planning(model, shapes, lengths, block).plan


class _Moment(Struct, frozen=True):
    """Bytes that are taken, by which values, while which layer runs."""

    bytes: int = 0
    values: tuple[str, ...] = ()
    layer: int | None = None


class _Planning:
    def __init__(
        self, model: Model, shapes: Shapes, lengths: Mapping[str, int], block: int
    ) -> None:
        self._lengths = lengths
        weights = {weight.name: weight.shape for weight in model.weights}
        self._types = by_name(shapes.values)
        fixed = self._fixed_shapes(model)
        # Shapes that lengths do not change are known by themselves.
        named = free_axes(model.inputs)
        declared = {value.name: value.shape for value in model.values if named}
        without = folded(model.layers, weights, fixed) | weights.keys()
        integers = in_int8(model.layers, self._types)
        self._without_memory = without | integers | added_in_place(model.layers)
        bodies: dict[int, tuple[Step, ...]] = {}  # of each layer, that which takes most
        arena = 0
        self._byte_counts: dict[str, int] = {}
        self._sizes_by_type: dict[object, tuple[Amount | None, int]] = {}
        self._unknown: set[str] = set()
        self._inner: dict[int, _Moment] = {}
        self._live = np.zeros(len(model.layers), np.int64)
        self._main: list[Lifetime] = []
        self._alive: dict[str, Lifetime] = {}  # at the fullest moment of each graph
        graphs: dict[tuple[int, str], list[Layer]] = {}
        for layer in model.layers:
            parent = -1 if layer.parent is None else layer.parent
            graphs.setdefault((parent, layer.branch), []).append(layer)
        inside = _taken_inside(model.layers)
        inputs = [value.name for value in model.inputs]
        lasting = [*inputs, *(value.name for value in model.outputs)]
        best = _Moment()
        # Inner graphs first: their own peak counts while the layer that holds them runs.
        for (parent, _), layers in sorted(graphs.items(), key=lambda entry: -entry[0][0]):
            is_main = parent < 0
            kernels = KernelGraph(
                layers, self._types, weights, lengths, without, inputs if is_main else (),
                lasting[len(inputs) :] if is_main else _ends(layers), inside, bodies, fixed,
                declared, block,
            )  # fmt: skip
            if is_main:
                arena = planned_bytes(kernels)
            else:
                repeats = model.layers[parent].operator in _REPEATING
                steps = inside_steps(planned_steps(kernels), repeats)
                bodies[parent] = max(bodies.get(parent, ()), steps, key=most_bytes)
            if is_main:
                best = self._graph(layers, inputs, lasting, inside)
            else:
                peak_found = self._graph(layers, (), (), inside)
                if peak_found.bytes > self._inner_bytes(parent):
                    self._inner[parent] = peak_found
        read_names = {name for layer in model.layers for name in layer.inputs} | {*lasting}
        unknown = len(self._unknown & read_names)  # nobody misses a mask that nobody takes
        peak = Peak(total(map(self._formula, best.values)), best.layer, unknown)
        for layer in model.layers:
            if layer.parent is not None:  # what lives outside of a body lives meanwhile
                around = self._live[layer.parent]
                self._live[layer.index] += around - self._inner_bytes(layer.parent)
        alive = (self._alive[n] for n in dict.fromkeys(best.values) if n in self._alive)
        at_peak = tuple(sorted(alive, key=lambda each: -each.bytes))
        arena, main = min(arena, _MOST_BYTES), tuple(self._main)
        self.plan = MemoryPlan(peak, self._live, main, at_peak, arena)

    def _fixed_shapes(self, model: Model) -> set[str]:
        """Return the values whose shape a runtime knows when it loads the model."""
        if free_axes(model.inputs):
            return set()
        return {
            name
            for name, value in self._types.items()
            if value.shape is not None and all(isinstance(axis, int) for axis in value.shape)
        }

    def _inner_bytes(self, layer: int) -> int:
        """Return the peak of the bodies of a layer."""
        moment = self._inner.get(layer)
        return min(moment.bytes, _MOST_BYTES) if moment is not None else 0

    def _graph(
        self,
        layers: Sequence[Layer],
        input_names: Iterable[str],
        lasting: Iterable[str],
        inside: Mapping[int, frozenset[str]],
    ) -> "_Moment":
        """Find the fullest moment of one graph, from when to when each value lives."""
        root = _owners(layers, self._without_memory)
        given = {root.get(name, name) for name in input_names}
        first = dict.fromkeys(given, 0)
        last: dict[str, int] = {}
        for place, layer in enumerate(layers):
            for name in layer.outputs:
                first.setdefault(root.get(name, name), place)
                last[root.get(name, name)] = place
            for name in layer.inputs:
                last[root.get(name, name)] = place
            for name in inside.get(layer.index, ()) if inside else ():
                last[root.get(name, name)] = place
        last |= {root.get(name, name): len(layers) for name in lasting}
        self._work_in_place(layers, root, first, last)
        change = [0] * (len(layers) + 2)
        is_main = bool(layers) and layers[0].parent is None
        for name, begin in first.items():
            size = self._byte_count(name)
            if size:
                end = max(begin, last.get(name, begin))
                change[begin] += size
                change[end + 1] -= size
                if is_main:
                    self._main.append(_lifetime(name, size, layers, begin, end, name in given))
        inner = (self._inner_bytes(layer.index) for layer in layers)
        sums = [now + more for now, more in zip(accumulate(change), inner, strict=False)]
        for layer, taken in zip(layers, sums, strict=True):
            self._live[layer.index] = min(taken, _MOST_BYTES)
        if not max(sums, default=0):
            return _Moment()
        place = sums.index(max(sums))
        alive = [n for n, begin in first.items() if begin <= place <= last.get(n, begin)]
        for name in alive:
            size, begin = self._byte_count(name), first[name]
            if size:
                end = last.get(name, begin)
                self._alive[name] = _lifetime(name, size, layers, begin, end, name in given)
        inner_moment = self._inner.get(layers[place].index)
        inner_values = inner_moment.values if inner_moment is not None else ()
        return _Moment(sums[place], (*alive, *inner_values), layers[place].index)

    def _work_in_place(
        self,
        layers: Sequence[Layer],
        root: Mapping[str, str],
        first: Mapping[str, int],
        last: dict[str, int],
    ) -> None:
        """End a value before the layer whose output takes its place, in `last`."""
        for place, layer in enumerate(layers):
            if layer.operator in _IN_PLACE and len(layer.outputs) == 1:
                size = self._byte_count(root.get(layer.outputs[0], layer.outputs[0]))
                for name in map(root.get, layer.inputs, layer.inputs):
                    ends = last[name] == place and first.get(name, place) < place
                    if ends and self._byte_count(name) == size:
                        last[name] = place - 1
                        break

    def _byte_count(self, name: str) -> int:
        size = self._byte_counts.get(name)
        if size is None:
            size = self._byte_counts[name] = self._formula_and_bytes(name)[1]
        return size

    def _formula(self, name: str) -> Amount:
        return self._formula_and_bytes(name)[0]

    def _formula_and_bytes(self, name: str) -> tuple[Amount, int]:
        """Return the size of a value: its formula, and its bytes with the lengths of the axes.

        Both are 0 for values without memory of their own. Values of a type that says no size
        count as 0 too, and are in `_unknown` from then on. Values of one type share the work.
        """
        value = self._types.get(name)
        if name in self._without_memory:
            return 0, 0
        key = None if value is None else (value.kind, value.dtype, value.shape)
        if key not in self._sizes_by_type:
            formula = None if value is None else value_bytes(value)
            self._sizes_by_type[key] = formula, number(formula or 0, self._lengths)
        formula, byte_count = self._sizes_by_type[key]
        if formula is None:
            self._unknown.add(name)
        return formula or 0, byte_count


def _lifetime(
    name: str, size: int, layers: Sequence[Layer], begin: int, end: int, given: bool
) -> Lifetime:
    last = layers[end].index if end < len(layers) else None
    return Lifetime(name, size, None if given else layers[begin].index, last)


def _owners(layers: Iterable[Layer], weights: Collection[str]) -> dict[str, str]:
    """View -> the value whose memory it shows."""
    root: dict[str, str] = {}
    for layer in layers:
        if layer.operator in VIEWS and layer.inputs and layer.outputs:
            source = layer.inputs[0]
            if source not in weights:
                root[layer.outputs[0]] = root.get(source, source)
    return root


def _ends(layers: Sequence[Layer]) -> tuple[str, ...]:
    """Return what a graph inside of a layer makes that none of its layers reads."""
    read = {name for layer in layers for name in layer.inputs}
    return tuple(n for layer in layers for n in layer.outputs if n and n not in read)


def _taken_inside(layers: Sequence[Layer]) -> dict[int, frozenset[str]]:
    """Node -> all names that the layers in its bodies take, of outer values among others."""
    by_parent: dict[int, set[str]] = {}
    for layer in reversed(layers):
        if layer.parent is not None:
            names = by_parent.setdefault(layer.parent, set())
            names.update(layer.inputs, by_parent.get(layer.index, ()))
    return {index: frozenset(names) for index, names in by_parent.items()}
