"""Static quantization: weights and activations as 8-bit integers, in QDQ form.

A pair of QuantizeLinear and DequantizeLinear on each value tells a runtime that layers around
it may compute with integers; ONNX Runtime fuses them into kernels such as QLinearConv. Where a
layer stays in float, it reads the dequantized value.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper

from inspector.conversion.action import ALL, COMPARE_ON_OTHERS, MINMAX, Effect
from inspector.conversion.editable_model import EditableModel, stored_bytes
from inspector.conversion.edits.graph_edits import to_opset
from inspector.conversion.int8_layers import (
    CONVOLUTIONS,
    INTEGER_LAYERS,
    OPERATORS,
    SAME_SCALE,
    WEIGHTED,
    Choice,
    Selection,
    choices,
    operands,
    ranks,
)
from inspector.conversion.plan import (
    Context,
    Plan,
    attribute,
    check_layers,
    counted,
    nodes,
    refill,
)
from inspector.conversion.preparation import (
    FLOAT,
    all_names,
    drop_unused,
    dropped_bytes,
    inner_first,
    prepare,
    unused_name,
)
from inspector.units import plural

Values = NDArray[Any]
Ranges = Mapping[str, tuple[float, float]]

_TYPES = {
    "uint8": (TensorProto.UINT8, np.uint8),
    "int8": (TensorProto.INT8, np.int8),
    "uint16": (TensorProto.UINT16, np.uint16),
}
_WIDE = "uint16"  # activations that make the result w8a16
# The first opsets whose QuantizeLinear has scales per channel, and 16-bit values.
_PER_CHANNEL_OPSET = 13
_WIDE_OPSET = 21
# Forms of weights: type, zero point, largest magnitude. Two products of 7-bit weights with
# uint8 fit the 16-bit sums of x86 processors without VNNI.
_WEIGHTS = {
    "7bit": (TensorProto.INT8, 0, 63),
    "int8": (TensorProto.INT8, 0, 127),
    "uint8": (TensorProto.UINT8, 128, 127),
}
_PERCENTILE = 99.99
_LEAST_PERCENTILE = 50.0
# A bias is stored in units of (scale of input * scale of weight) as int32; scales of weights
# are made larger where it would not fit with one bit to spare.
_LARGEST_BIAS = 2.0**30
# In a file, of a pair of QuantizeLinear and DequantizeLinear, of the latter alone, and of the
# scale and zero point of a channel; names begin with that of the value. Found with 23 models.
_BYTES_OF_PAIR = 270
_NAMES_OF_PAIR = 9
_BYTES_OF_CONSTANT = 140
_NAMES_OF_CONSTANT = 6
_BYTES_OF_SCALE = 6
_HALF_STEP = 0.5  # below, a number is rounded to zero
_MOST_COUNTED_BYTES = 512 << 20  # of weights that are read only to count what is lost
_BATCHED = 3  # axes of a product from which on it is one for each of a batch
_SMALLEST_SCALE = float(np.finfo(np.float32).tiny)


class _Options(Struct, frozen=True):
    per_channel: bool
    activations: str
    weights: str
    selection: Selection


def int8(
    model: EditableModel,
    per_channel: bool = True,
    activations: str = "uint8",
    keep: Sequence[str] = (),
    operators: Sequence[str] = (),
    weights: str = "7bit",
    only: Sequence[str] = (),
    method: str = MINMAX,
    parts: str = ALL,
    percentile: float = _PERCENTILE,
) -> Plan:
    """Plan static quantization.

    per_channel: a scale for each output channel of a weight. activations: their type. keep:
    layers that stay in float, by name or output. operators: the only ones to quantize; all if
    empty. weights: their form. only: if not empty, the only layers with a weight to quantize.
    method: how the ranges of all inputs become one. parts: what of the layers, see PARTS.
    percentile: of the values that the range has to hold, for that method.
    """
    before = model.size_bytes()
    unknown = sorted(set(operators).difference(OPERATORS))
    if unknown:
        known = ", ".join(OPERATORS)
        refused = f"there are no integer versions of {', '.join(unknown)}"
        return Plan(Effect(bytes_before=before, refused=refused, hint=f"Choose from: {known}."))
    if not _LEAST_PERCENTILE <= percentile <= 100:
        refused = f"{percentile:g} is not a percentile from {_LEAST_PERCENTILE:g} to 100"
        return Plan(
            Effect(
                bytes_before=before, refused=refused, hint="Common values are 99.9 to 99.999."
            )
        )
    options = _Options(
        per_channel,
        activations,
        weights,
        Selection(frozenset(keep), frozenset(only), parts, frozenset(operators)),
    )
    done = [n.op_type for n in nodes(model.proto) if n.op_type in INTEGER_LAYERS]
    if done:
        nothing = f"the model is already quantized ({counted(done)})"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    opset, wanted = model.opset, _WIDE_OPSET if activations == _WIDE else _PER_CHANNEL_OPSET
    original = ModelProto()
    original.CopyFrom(model.proto)
    try:
        prepare(model)
        check_layers((*keep, *only), original, model.proto)
        chosen = choices(model, options.selection)
        effect = _effect(model, chosen, before, opset, wanted, activations)
        counts = Counter(node.name for choice in chosen for node in choice.graph.node)
        names = []
        for node in (node for choice in chosen for node in choice.weighted):
            usable = (
                node.name and counts[node.name] == 1 and not set("+,").intersection(node.name)
            )
            names.append((node.name if usable else node.output[0], node.op_type))
        layers = tuple(names)
        results = tuple(c.result(node) for c in chosen for node in c.weighted)
    finally:
        model.proto.CopyFrom(original)
    if not effect.applicable:
        return Plan(effect)

    def observe() -> tuple[str, ...]:
        _prepare(model, wanted)
        chosen = choices(model, options.selection)
        return tuple(dict.fromkeys(name for choice in chosen for name in choice.observed()))

    def apply(context: Context) -> None:
        _prepare(model, wanted)
        _quantize(model, options, context)

    def lost() -> tuple[tuple[int, int], ...]:
        chosen = choices(model, options.selection)
        weights = [(n, c.fixed[n.input[1]]) for c in chosen for n in c.weighted]
        if sum(stored_bytes(tensor) for _, tensor in weights) > _MOST_COUNTED_BYTES:
            return ()
        return tuple(
            _lost_weights(node, model.values(tensor), options) for node, tensor in weights
        )

    return Plan(effect, apply, observe, layers, method, results, percentile, lost)


def _prepare(model: EditableModel, opset: int) -> None:
    prepare(model)
    if model.opset < opset:
        to_opset(model, opset)


def _effect(
    model: EditableModel,
    chosen: Sequence[Choice],
    before: int,
    opset: int,
    wanted: int,
    activations: str,
) -> Effect:
    layers = [node for choice in chosen for node in choice.layers.values()]
    weights = {
        node.input[1]: choice.fixed[node.input[1]]
        for choice in chosen
        for node in choice.weighted
    }
    values = sum(len(choice.sources) for choice in chosen)
    if not layers and not values:
        names = ", ".join(WEIGHTED[:-1]) + f" or {WEIGHTED[-1]}"
        nothing = f"the model has no {names} layers with constant weights"
        return Effect(bytes_before=before, nothing=nothing)
    touches = counted(node.op_type for node in layers) or plural(values, "value")
    if activations == _WIDE:
        touches += "; 8-bit weights, 16-bit activations (w8a16)"
    if opset < wanted:
        touches += f"; opset {opset} to {wanted} first"
    uses = Counter(node.input[1] for choice in chosen for node in choice.weighted)
    integers = sum(prod(tensor.dims) for tensor in weights.values())
    after = model.size_bytes() - dropped_bytes(model, uses) + integers
    after += sum(map(_added_bytes, chosen))
    caution = COMPARE_ON_OTHERS
    if after >= before:
        caution = (
            "The file becomes larger: scales and added layers take more than the weights save. "
            + caution
        )
    larger = after >= before
    return Effect(touches, len(layers), before, after, caution=caution, particular=larger)


def _added_bytes(choice: Choice) -> int:
    """Return about how many bytes the layers, scales and zero points take that are added."""
    added = sum(_BYTES_OF_PAIR + _NAMES_OF_PAIR * len(name) for name in choice.sources)
    for node in choice.weighted:
        weight = choice.fixed[node.input[1]]
        axis = _channel_axis(node, len(weight.dims))
        constants = [name for name in node.input[1:3] if name in choice.fixed]
        for name in constants:
            added += _BYTES_OF_CONSTANT + _NAMES_OF_CONSTANT * len(name)
            added += _BYTES_OF_SCALE * (1 if axis is None else weight.dims[axis])
    return added


class _Scale(Struct, frozen=True):
    """The quantization of a tensor, with the names of its scale and zero point."""

    scale: float
    zero: int
    scale_name: str
    zero_name: str


def _quantize(model: EditableModel, options: _Options, context: Context) -> None:
    ranges, unknown = dict(context.ranges or {}), frozenset[str]()
    for node in nodes(model.proto):  # for values that lost the source of their scale
        if node.op_type in SAME_SCALE and node.input[0] in ranges:
            for name in node.output:
                ranges.setdefault(name, ranges[node.input[0]])
    while True:
        chosen = choices(model, options.selection, unknown)
        lost = {name for choice in chosen for name in choice.observed() if name not in ranges}
        lost |= {
            node.input[1]
            for choice in chosen
            for node in choice.weighted
            if not np.isfinite(model.values(choice.fixed[node.input[1]])).all()
        }
        if not lost:
            break
        unknown |= lost
    if unknown:
        context.notes.append(
            f"Layers around {plural(len(unknown), 'value')} without a finite range, such as "
            f"'{min(unknown)}', stay in float."
        )
    names, axes = all_names(model.proto.graph), ranks(model.proto)
    for choice in chosen[::-1]:  # see inner_first
        _Rewriter(model, options, choice, ranges, context, names, axes).run()
    for graph in inner_first(model.proto.graph):
        drop_unused(graph)


class _Rewriter:
    """Writes the quantized graph."""

    def __init__(
        self,
        model: EditableModel,
        options: _Options,
        choice: Choice,
        ranges: Ranges,
        context: Context,
        names: set[str],
        axes: Mapping[str, int],
    ) -> None:
        self._model, self._options, self._choice = model, options, choice
        self._products = {
            name
            for name, node in choice.layers.items()
            if node.op_type == "MatMul" and axes.get(name, 0) >= _BATCHED
        }
        self._ranges, self._context = ranges, context
        self._graph, self._names = choice.graph, names
        self._scales: dict[str, _Scale] = {}
        self._dequantized: dict[str, str] = {}  # value -> what is read in its place
        self._weights: dict[tuple[str, bytes], str] = {}
        self._body: list[NodeProto] = []
        # The largest value that the output of a Clip can have, where it has one.
        self._limits: dict[str, float] = {}
        for node in self._graph.node:
            if node.op_type == "Clip" and len(node.input) > 2 and node.input[2]:
                tensor = self._choice.fixed.get(node.input[2])
                if tensor is not None:
                    self._limits[node.output[0]] = float(self._model.values(tensor).ravel()[0])

    def run(self) -> None:
        graph, choice = self._graph, self._choice
        quantized = {id(node) for node in choice.layers.values()}
        outputs = {value.name for value in graph.output}
        original = [*graph.node]
        made = {name for node in original for name in node.output}
        for name in choice.sources:  # inputs, and values of the graphs around this one
            if name not in made and name not in choice.fixed:
                self._pair(name, name)
        for number, node in enumerate(original):
            self._context.share(number / len(original))
            if id(node) in quantized:
                for name in operands(node):
                    if name in choice.fixed and name in choice.sources:
                        self._constant(name)
                if node.op_type in WEIGHTED:
                    self._weighted(node)
            elif node.op_type == "Add" and self._products.intersection(node.input):
                self._keep_apart(node)
            moving = len(operands(node)) if id(node) in quantized else 0
            for place, name in enumerate(node.input):
                if name in self._dequantized and (name not in choice.fixed or place < moving):
                    node.input[place] = self._dequantized[name]
            results = [*node.output]
            self._body.append(node)
            for place, name in enumerate(results):
                if name in choice.sources and name not in choice.fixed:
                    source = name
                    if name in outputs:
                        source = node.output[place] = unused_name(f"{name}_float", self._names)
                    self._pair(name, source)
        refill(graph.node, self._body)

    def _keep_apart(self, node: NodeProto) -> None:
        """Give the bias of a product as many axes as the product has.

        ONNX Runtime fuses a product and a bias of one axis to a Gemm of floats, which turns its
        weights into floats whenever it runs: transformers then take 2 to 4 times as long.
        """
        for place, name in enumerate(node.input):
            bias = self._choice.fixed.get(name)
            if bias is not None and len(bias.dims) == 1:
                node.input[place] = self._add(
                    f"{name}_3d", self._model.values(bias)[None, None]
                )

    def _pair(self, name: str, source: str) -> None:
        """Add QuantizeLinear and DequantizeLinear of a value; `source` is where it is made."""
        how = self._scale(self._choice.sources[name])
        given = self._names
        integer = unused_name(f"{name}_quantized", given)
        result = name if source != name else unused_name(f"{name}_dequantized", given)
        self._node("QuantizeLinear", [source, how.scale_name, how.zero_name], integer)
        self._node("DequantizeLinear", [integer, how.scale_name, how.zero_name], result)
        self._dequantized[name] = result

    def _node(
        self, operator: str, inputs: list[str], output: str, axis: int | None = None
    ) -> None:
        name = unused_name(f"{output}_{operator}", self._names)
        node = helper.make_node(operator, inputs, [output], name)
        if axis is not None:
            node.attribute.append(helper.make_attribute("axis", axis))
        self._body.append(node)

    def _scale(self, name: str) -> _Scale:
        """Return scale and zero point of a value, made when they are first needed."""
        if name not in self._scales:
            tensor = self._choice.fixed.get(name)
            if tensor is None:
                low, high = self._ranges[name]
            else:
                values = self._model.values(tensor)
                low, high = float(values.min()), float(values.max())
            kind = np.dtype(_TYPES[self._options.activations][1])
            scale, zero = scale_and_zero(low, high, kind, self._limits.get(name))
            scale_name = self._add(f"{name}_scale", np.float32(scale))
            zero_name = self._add(f"{name}_zero_point", np.asarray(zero, kind))
            self._scales[name] = _Scale(float(scale), zero, scale_name, zero_name)
        return self._scales[name]

    def _constant(self, name: str) -> None:
        """Quantize a constant operand of a layer such as Add, once."""
        if name in self._dequantized:
            return
        how = self._scale(name)
        kind = np.dtype(_TYPES[self._options.activations][1])
        tensor, info = self._choice.fixed[name], _limits_of(kind)
        steps = np.rint(self._model.values(tensor) / np.float32(how.scale)) + how.zero
        values = np.clip(steps, info.min, info.max).astype(kind)
        integer = self._add(f"{name}_quantized", values)
        result = unused_name(f"{name}_dequantized", self._names)
        self._node("DequantizeLinear", [integer, how.scale_name, how.zero_name], result)
        self._dequantized[name] = result

    def _weighted(self, node: NodeProto) -> None:
        """Make a layer read dequantized weights, and its bias where that is exact."""
        weight = self._choice.fixed[node.input[1]]
        axis = _channel_axis(node, len(weight.dims)) if self._options.per_channel else None
        values = self._model.values(weight)
        scale = _weight_scale(values, axis, _WEIGHTS[self._options.weights][2])
        source, bias = self._choice.sources.get(node.input[0]), self._bias(node)
        if bias is not None and source is not None:
            input_scale = self._scale(source)
            numbers = np.abs(self._model.values(bias).ravel().astype(np.float64))
            smallest = numbers / (_LARGEST_BIAS * input_scale.scale)
            # A weight of ConvTranspose has a scale for each channel of a group.
            smallest = smallest.reshape(-1, scale.size).max(0).reshape(scale.shape)
            scale = np.maximum(scale, smallest).astype(np.float32)
            node.input[2] = self._int32(node.input[2], bias, scale, input_scale.scale)
        name = node.input[1]
        key = name, scale.tobytes()
        if key not in self._weights:
            tensor = self._graph.initializer.add()
            tensor.CopyFrom(weight)
            tensor.name = unused_name(f"{name}_int8", self._names)
            kind, zero, largest = _WEIGHTS[self._options.weights]
            form = np.dtype(helper.tensor_dtype_to_np_dtype(kind))
            self._model.convert_later(
                tensor,
                kind,
                partial(_integers, tuple(weight.dims), scale, axis, largest, zero, form),
                by_piece=False,
            )
            scale_name = self._add(f"{name}_scale", scale)
            zero_name = self._add(f"{name}_zero_point", np.full(scale.shape, zero, form))
            result = unused_name(f"{name}_dequantized", self._names)
            self._node("DequantizeLinear", [tensor.name, scale_name, zero_name], result, axis)
            self._weights[key] = result
        node.input[1] = self._weights[key]

    def _bias(self, node: NodeProto) -> TensorProto | None:
        """Return the constant bias of a layer, if integer kernels can add it."""
        name = node.input[2] if len(node.input) > 2 else ""
        bias = self._choice.fixed.get(name)
        if bias is None or bias.data_type != FLOAT or 0 in bias.dims:
            return None
        if node.op_type == "Gemm":
            factors = [attribute(node, each) for each in ("alpha", "beta")]
            if any(factor is not None and factor.f != 1 for factor in factors):
                return None
            weight = self._choice.fixed[node.input[1]]
            channels = weight.dims[_channel_axis(node, 2)]
            if tuple(bias.dims) not in ((channels,), (1, channels)):
                return None
        return bias if np.isfinite(self._model.values(bias)).all() else None

    def _int32(self, name: str, bias: TensorProto, scale: Values, input_scale: float) -> str:
        """Return the dequantized form of a bias, in steps of the products that it joins."""
        steps = scale * np.float32(input_scale)
        if steps.ndim:
            steps = np.resize(steps, bias.dims[-1])
        steps = np.maximum(steps, _SMALLEST_SCALE).astype(np.float32)
        values = self._model.values(bias)
        integers = np.rint(values.astype(np.float64) / steps)
        integer = self._add(f"{name}_int32", integers.astype(np.int32))
        scale_name = self._add(f"{name}_scale", steps)
        zero_name = self._add(f"{name}_zero_point", np.zeros(steps.shape, np.int32))
        result = unused_name(f"{name}_dequantized", self._names)
        axis = values.ndim - 1 if steps.ndim else None
        self._node("DequantizeLinear", [integer, scale_name, zero_name], result, axis)
        return result

    def _add(self, name: str, values: Any) -> str:
        tensor = self._graph.initializer.add()
        tensor.name = unused_name(name, self._names)
        self._model.set_values(tensor, np.asarray(values))
        return str(tensor.name)


def scale_and_zero(
    low: float, high: float, kind: np.dtype[Any], limit: float | None = None
) -> tuple[np.float32, int]:
    """Return the scale and zero point with which an integer type covers a range and zero.

    limit: of a Clip, that the largest representable value must not exceed; a runtime then
    leaves the Clip out.
    """
    info = _limits_of(kind)
    low, high = min(low, 0.0), max(high, 0.0)
    steps = int(info.max) - int(info.min)
    scale = np.float32(max((high - low) / steps, 0.0))
    if not np.isfinite(scale):
        scale = np.float32(np.finfo(np.float32).max / steps)
    if scale < _SMALLEST_SCALE:
        scale = np.float32(1.0)
    zero = int(np.clip(round(info.min - low / float(scale)), info.min, info.max))
    top = int(info.max) - zero
    if limit is not None and limit > 0 and high <= limit:
        while np.float32(scale * np.float32(top)) > np.float32(limit):
            scale = np.nextafter(scale, np.float32(0))
    return scale, zero


def _limits_of(kind: np.dtype[Any]) -> Any:
    return np.iinfo(str(kind))


def _channel_axis(node: NodeProto, rank: int) -> int | None:
    """Return the axis of output channels of a weight; None: only one scale for all."""
    if node.op_type in CONVOLUTIONS:
        return CONVOLUTIONS[node.op_type]
    if node.op_type == "Gemm":
        transposed = attribute(node, "transB")
        return 0 if transposed is not None and transposed.i else 1
    return 1 if rank == 2 else None


def _lost_weights(node: NodeProto, values: Values, options: _Options) -> tuple[int, int]:
    """Return how many weights of a layer become zero, of those that are not zero anyway."""
    axis = _channel_axis(node, values.ndim) if options.per_channel else None
    scale = _weight_scale(values, axis, _WEIGHTS[options.weights][2])
    if axis is not None:
        scale = scale.reshape([-1 if place == axis else 1 for place in range(values.ndim)])
    alive = values != 0
    lost = alive & (np.abs(values) < _HALF_STEP * scale)
    return int(lost.sum()), int(alive.sum())


def _weight_scale(values: Values, axis: int | None, largest: int) -> Values:
    """Return the scale of a weight: one number, or one for each channel."""
    axes = None if axis is None else tuple(a for a in range(values.ndim) if a != axis)
    highest = np.abs(values).max(axis=axes).astype(np.float64)
    scale = np.where(highest > 0, highest / largest, 1.0)
    return np.maximum(scale, _SMALLEST_SCALE).astype(np.float32)


def _integers(
    shape: tuple[int, ...],
    scale: Values,
    axis: int | None,
    largest: int,
    zero: int,
    form: np.dtype[Any],
    values: Values,
) -> Values:
    """Return flat weights as integers, the same number of elements."""
    whole = values.reshape(shape)
    if axis is not None:
        scale = scale.reshape([-1 if place == axis else 1 for place in range(len(shape))])
    exact = np.clip(whole / scale, -largest, largest)
    channels = np.moveaxis(exact, axis or 0, 0)
    rounded = _rounded(channels.reshape(channels.shape[0], -1))
    steps = np.moveaxis(rounded.reshape(channels.shape), 0, axis or 0)
    steps = np.clip(steps, -largest, largest)
    return (steps + zero).astype(form).ravel()


def _rounded(rows: Values) -> Values:
    """Round rows of numbers so that each row's sum changes by at most one half.

    Inputs of one sign, such as those behind a Relu, would add up the rounding errors of a
    channel's weights to a shift of its output. Where the sum is off by some steps, as many
    numbers are rounded to the other side: those that are nearest to it.
    """
    rounded = np.rint(rows)
    errors = rows - rounded
    off = np.rint(errors.sum(axis=1))
    order = np.argsort(errors * -np.sign(off)[:, None], axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(rows.shape[1])[None, :], axis=1)
    return np.where(ranks < np.abs(off)[:, None], rounded + np.sign(off)[:, None], rounded)
