"""All that follows from types and shapes: cost, peak memory, structure, quantisation.

Peak activation memory of one run, estimated from the lifetime of each tensor.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from inspector.analysis.cost.model_cost import Cost, cost
from inspector.analysis.cost.scopes import Scope, scopes
from inspector.analysis.facts.layer_cost import stored_bytes, value_bytes
from inspector.analysis.facts.model_facts import Precision, precision
from inspector.analysis.facts.quantization import Quantization, quantization
from inspector.analysis.facts.shapes import (
    Shapes,
    as_converted,
    by_name,
    declared,
    with_shapes,
)
from inspector.analysis.facts.symbolic_sizes import Amount, fitted, number, total
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import TFLITE, Layer, Model, TensorInfo

_VIEWS = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout"}
_IN_PLACE = {
    "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Add", "Mul", "Sub", "Div", "Sum", "Elu",
    "Erf", "Exp", "Sqrt", "Neg", "Abs", "HardSigmoid", "HardSwish", "Softmax", "Selu", "Gelu",
    "BatchNormalization", "Softplus", "PRelu",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Peak:
    """The moment when the values of a prediction take the most memory.

    bytes: of values that are not weights; a formula where free axes are open. layer: index of
    the layer that runs then; None where there is nothing. unknown: values whose size is not
    known, which count for nothing.
    """

    bytes: Amount
    layer: int | None
    unknown: int


def peak(model: Model, shapes: Shapes, lengths: Mapping[str, int]) -> Peak:
    """Estimate the most memory that values take at once, layers one by one in their order.

    A value lives from the layer that makes it to the last one that takes it; inputs and
    outputs live throughout. Views take nothing, and a layer that may work in place does so. The
    runtime plans alike, but may keep more for patterns of memory and for operators' own needs.
    lengths: which moment it is depends on the free axes; those not given count as 1.
    """
    return _Planning(model, shapes, lengths).peak


@dataclass(frozen=True, slots=True)
class _Moment:
    """Bytes that are taken, by which values, while which layer runs."""

    bytes: int = 0
    values: tuple[str, ...] = ()
    layer: int | None = None


class _Planning:
    def __init__(self, model: Model, shapes: Shapes, lengths: Mapping[str, int]) -> None:
        self._lengths = lengths
        self._weights = {w.name: stored_bytes(w) for w in model.weights}
        self._types = by_name(shapes.values)
        self._numbers: dict[str, int] = {}
        self._kinds: dict[object, tuple[Amount | None, int]] = {}
        self._unknown: set[str] = set()
        self._inner: dict[int, _Moment] = {}
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
            if parent < 0:
                best = self._graph(layers, inputs, lasting, inside)
            else:
                peak_found = self._graph(layers, (), (), inside)
                if peak_found.bytes > self._inner.get(parent, _Moment()).bytes:
                    self._inner[parent] = peak_found
        read_names = {name for layer in model.layers for name in layer.inputs} | {*lasting}
        unknown = len(self._unknown & read_names)  # nobody misses a mask that nobody takes
        self.peak = Peak(total(map(self._size, best.values)), best.layer, unknown)

    def _graph(
        self,
        layers: Sequence[Layer],
        input_names: Iterable[str],
        lasting: Iterable[str],
        inside: Mapping[int, frozenset[str]],
    ) -> "_Moment":
        """Find the fullest moment of one graph, from when to when each value lives."""
        root = _owners(layers, self._weights)
        first = {root.get(name, name): 0 for name in input_names}
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
        for name, begin in first.items():
            size = self._plain(name)
            if size:
                change[begin] += size
                change[max(begin, last.get(name, begin)) + 1] -= size
        none = _Moment()
        inner = (self._inner.get(layer.index, none).bytes for layer in layers)
        sums = [now + more for now, more in zip(accumulate(change), inner, strict=False)]
        if not max(sums, default=0):
            return none
        place = sums.index(max(sums))
        alive = (n for n, begin in first.items() if begin <= place <= last.get(n, begin))
        inner_values = self._inner.get(layers[place].index, none).values
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
                size = self._plain(root.get(layer.outputs[0], layer.outputs[0]))
                for name in map(root.get, layer.inputs, layer.inputs):
                    ends = last[name] == place and first.get(name, place) < place
                    if ends and self._plain(name) == size:
                        last[name] = place - 1
                        break

    def _plain(self, name: str) -> int:
        size = self._numbers.get(name)
        if size is None:
            size = self._numbers[name] = self._of_kind(name)[1]
        return size

    def _size(self, name: str) -> Amount:
        return self._of_kind(name)[0]

    def _of_kind(self, name: str) -> tuple[Amount, int]:
        """Bytes of a value as a formula and with the lengths; worked out once a type."""
        value = self._types.get(name)
        if name in self._weights:
            return 0, 0
        key = None if value is None else (value.kind, value.dtype, value.shape)
        if key not in self._kinds:
            size = None if value is None else value_bytes(value)
            self._kinds[key] = size, number(size or 0, self._lengths)
        size, plain = self._kinds[key]
        if size is None:
            self._unknown.add(name)
        return size or 0, plain


def _owners(layers: Iterable[Layer], weights: Mapping[str, int]) -> dict[str, str]:
    """View -> the value whose memory it shows."""
    root: dict[str, str] = {}
    for layer in layers:
        if layer.operator in _VIEWS and layer.inputs and layer.outputs:
            source = layer.inputs[0]
            if source not in weights:
                root[layer.outputs[0]] = root.get(source, source)
    return root


def _taken_inside(layers: Sequence[Layer]) -> dict[int, frozenset[str]]:
    """Node -> all names that the layers in its bodies take, of outer values among others."""
    by_parent: dict[int, set[str]] = {}
    for layer in reversed(layers):
        if layer.parent is not None:
            names = by_parent.setdefault(layer.parent, set())
            names.update(layer.inputs, by_parent.get(layer.index, ()))
    return {index: frozenset(names) for index, names in by_parent.items()}


_FITTED = (1, 2, 3, 5)
_MOST_FITTED = 5_000
_SEQUENCE = 128
_OF_WORDS = re.compile(r"(^|[^a-z])(seq|sequence|tokens?)([^a-z]|$)|seqlen|seq_len")
Infer = Callable[[Mapping[str, int]], Shapes]


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated cost of one run, from tensor shapes alone; nothing here is measured.

    lengths: what free axes, and open numbers of iterations, count as. shapes: what cost and
    peak are of. formula: whether cost and peak hold for all lengths, as formulas; otherwise
    for these alone. free: names that lengths can be given to.
    types: the values of `shapes` by name.
    """

    lengths: Mapping[str, int]
    shapes: Shapes
    cost: Cost
    peak: Peak
    formula: bool
    macs_formula: Amount | None
    free: tuple[str, ...]
    precision: Precision
    quantization: Quantization
    structure: Scope
    types: Mapping[str, TensorInfo]

    @property
    def macs(self) -> int:
        """Multiply-adds with these lengths, as far as they are known."""
        return number(self.cost.macs, self.lengths)

    @property
    def peak_bytes(self) -> int:
        """Most bytes that values take at once, with these lengths."""
        return number(self.peak.bytes, self.lengths)

    def at(self, model: Model, lengths: Mapping[str, int]) -> "Estimate":
        """Return the same for other lengths; only where it is a formula."""
        assert self.formula, "for other sizes, run shape inference again"
        all_lengths = {**self.lengths, **lengths}
        return replace(self, lengths=all_lengths, peak=peak(model, self.shapes, all_lengths))


def estimate(model: Model, infer: Infer, lengths: Mapping[str, int]) -> Estimate:
    """Estimate with lengths of free axes; those not given count as 1, sequences as 128.

    infer: finds the shapes with some axes set. Inference that fails is a note in `shapes`, and
    what the file declares then has to do. Raises Cancelled.
    """
    first = _inferred(model, infer, {})
    general = cost(model, first)
    free = tuple(dict.fromkeys((*free_axes(model.inputs), *general.symbols)))
    all_lengths = _filled(free, lengths)
    chosen, estimated_cost, formula = first, general, True
    macs: Amount | None = general.macs
    if not first.note and free and _open(general):
        settled = _inferred(model, infer, all_lengths)
        special = cost(model, settled)
        if settled.note or not _same(special, general, all_lengths):
            chosen, estimated_cost, formula = settled, special, False
            free = tuple(dict.fromkeys((*free, *special.symbols)))
            all_lengths = _filled(free, lengths)
            macs = _formula(model, infer, general, special, all_lengths)
    shaped = with_shapes(model, chosen)
    return Estimate(
        lengths=all_lengths,
        shapes=chosen,
        cost=estimated_cost,
        peak=peak(model, chosen, all_lengths),
        formula=formula,
        macs_formula=macs,
        free=free,
        precision=precision(shaped),
        quantization=quantization(shaped),
        structure=scopes(shaped, estimated_cost),
        types=by_name(chosen.values),
    )


def free_axes(inputs: tuple[TensorInfo, ...]) -> tuple[str, ...]:
    """Names of free axes; one without a name is called after its input: "input[1]"."""
    named = (
        axis or f"{value.name}[{place}]"
        for value in inputs
        for place, axis in enumerate(value.shape or ())
        if not isinstance(axis, int)
    )
    return tuple(dict.fromkeys(named))


def _filled(free: tuple[str, ...], lengths: Mapping[str, int]) -> dict[str, int]:
    usual = {name: _SEQUENCE if _OF_WORDS.search(name.lower()) else 1 for name in free}
    return {name: lengths.get(name, usual[name]) for name in free}


def _open(general: Cost) -> bool:
    """Return whether some of it may become known when free axes get a length."""
    return any(
        each.macs is None or each.operations is None or each.moved_bytes is None
        for each in general.layers
    )


def _same(special: Cost, general: Cost, lengths: Mapping[str, int]) -> bool:
    """Return whether formulas say all that is known with lengths given."""
    return special.unknown == general.unknown and all(
        number(one, lengths) == number(other, lengths)
        for one, other in (
            (special.macs, general.macs),
            (special.operations, general.operations),
            (special.moved_bytes, general.moved_bytes),
        )
    )


def _formula(
    model: Model, infer: Infer, general: Cost, special: Cost, lengths: Mapping[str, int]
) -> Amount | None:
    """Multiply-adds for all lengths, by inference with symbols or through a few lengths."""
    if special.unknown == general.unknown and number(general.macs, lengths) == special.macs:
        return general.macs
    if len(lengths) != 1 or len(model.layers) > _MOST_FITTED:
        return None
    name = next(iter(lengths))
    sizes = [lengths[name] * factor for factor in _FITTED]
    totals = [cost(model, _inferred(model, infer, {name: size})) for size in sizes]
    if any(
        each.unknown != special.unknown or not isinstance(each.macs, int) for each in totals
    ):
        return None
    return fitted(name, sizes, [number(each.macs, {}) for each in totals])


def _as_converted(model: Model, lengths: Mapping[str, int]) -> bool:
    """Return whether lengths of free axes are those whose shapes the converter wrote down."""
    examples = {value.name: value.shape or () for value in model.examples}
    taken = {
        axis or f"{value.name}[{place}]": examples.get(value.name, ())[place : place + 1]
        for value in model.inputs
        for place, axis in enumerate(value.shape or ())
        if not isinstance(axis, int)
    }
    return all((length,) == taken.get(name, (length,)) for name, length in lengths.items())


def _inferred(model: Model, infer: Infer, lengths: Mapping[str, int]) -> Shapes:
    # ONNX Runtime has written down all that it inferred; of other formats nothing infers it.
    if model.format == "ort" or model.details is not None:
        return declared(model)
    if model.format == TFLITE and _as_converted(model, lengths):
        return as_converted(model, lengths) if lengths else declared(model)
    try:
        return infer(lengths)
    except Cancelled:
        raise
    except InspectorError as error:
        return declared(model, f"{error.what}: {error.why or 'no reason was given'}.")
