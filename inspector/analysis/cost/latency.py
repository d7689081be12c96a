"""The time of a run that nobody measured, from what its layers compute and move.

A layer's time is the sum of three parts: its arithmetic at the device's peak, its bytes at the
device's memory bandwidth, each divided by how much of that its kind of layer reaches, and the
launch of its kernel. Several threads take longer where their cores have no cache in common,
which a virtual machine may change from minute to minute: an estimate covers both. What kinds
of layers reach on a device is `Efficiency`: learned from measured models by
benchmarks/estimates.py, which leaves each family of models out once to tell how far estimates
are off. Of other devices only ceilings are known, and so only a range is.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf, prod

from msgspec import Struct

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.folding import folded, in_int8
from inspector.analysis.facts.layer_cost import LayerCost, value_bytes
from inspector.analysis.facts.symbolic_sizes import number
from inspector.model.model import Layer, Model
from inspector.model.operator_traits import CONTROL_FLOW, OF_SHAPE, TFLITE_VIEWS, VIEWS
from inspector.report.roofline import FLOAT16, FLOAT32, INT8

CALL = "call"  # the cost of a run whatever its layers
WEIGHTS = "weights"  # bytes of weights, whatever the layer
CHANNELS = 16  # of a vector of 512 bits, to which kernels fill up the outputs of a convolution
# Layers by what limits them. Operators of TensorFlow Lite are looked up by the same names.
_KINDS = {
    "matmul": "MatMul Gemm FusedMatMul FusedGemm MatMulInteger QLinearMatMul MatMulNBits "
    "Einsum FULLY_CONNECTED BATCH_MATMUL MultiHeadAttention GroupQueryAttention Attention",
    "transposed": "ConvTranspose TRANSPOSE_CONV",
    "lstm": "LSTM RNN UNIDIRECTIONAL_SEQUENCE_LSTM",
    "gru": "GRU",
    "function": "Sigmoid Tanh Erf Exp Log Pow Sqrt Softmax LogSoftmax Gelu HardSwish Softplus "
    "LayerNormalization InstanceNormalization Sin Cos Elu Selu Mish LOGISTIC TANH SOFTMAX GELU "
    "HARD_SWISH EXP LOG POW RSQRT",
    "pool": "MaxPool AveragePool LpPool MAX_POOL_2D AVERAGE_POOL_2D",
    "resize": "Resize Upsample RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR GridSample",
    "normalization": "LRN LOCAL_RESPONSE_NORMALIZATION",
    "copy": "Transpose Concat Slice Split Gather Pad Expand Tile DepthToSpace SpaceToDepth "
    "TRANSPOSE CONCATENATION SLICE STRIDED_SLICE SPLIT PAD GATHER PACK",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_CONVOLUTIONS = {"Conv", "FusedConv", "QLinearConv", "ConvInteger", "CONV_2D", "CONV_3D"}
_DEPTHWISE = {"DEPTHWISE_CONV_2D"}
_HEAVY = ("conv", "line", "pointwise", "depthwise", "transposed", "matmul")
_RECURRENT = ("lstm", "gru")
# What a runtime computes in the kernel before it, where nothing else reads that one's result.
_ABSORBED = {
    "Relu", "Clip", "LeakyRelu", "HardSigmoid", "Sigmoid", "Tanh", "BatchNormalization", "Add",
    "Sum",
}  # fmt: skip
_QUANTIZING = ("QuantizeLinear", "DequantizeLinear")
_NOTHING = VIEWS | TFLITE_VIEWS | OF_SHAPE | CONTROL_FLOW | {"Constant"}
# Time of a step of a layer at ceilings from which on threads share it, in ns: of those tried
# (0, 300, 1,000, 3,000), with this one times of cores that are apart were the least off.
SHARED_NS = 300.0
# Share of its ceilings that a device which nobody measured is taken to reach at least. The
# range that it leaves is held against measured times by benchmarks/estimates.py.
WORST_SHARE = 0.03


class LayerLoad(Struct, frozen=True):
    """What a layer asks of a device in one run.

    index: of the layer. kind: what limits it. precision: of its arithmetic. operations: with
    channels filled up; a MAC is two. weight_bytes: read of weights. other_bytes: read and
    written besides. steps: of a recurrent layer, or runs of one in a Loop or Scan; else 1.
    """

    index: int
    kind: str
    precision: str
    operations: float
    weight_bytes: float
    other_bytes: float
    steps: int = 1


class Rates(Struct, frozen=True):
    """The ceilings of a device.

    operations_per_second: by precision; a MAC is two. launch_ns: of a kernel, where known.
    """

    operations_per_second: Mapping[str, float]
    bytes_per_second: float
    launch_ns: float = 0.0

    def peak(self, precision: str) -> float:
        """Return the peak of a precision, or of the next wider one that the device computes in;
        0 where it has none. Where float16 is the widest, runtimes convert float32 to it."""
        others = {INT8: (FLOAT16, FLOAT32), FLOAT16: (FLOAT32,), FLOAT32: (FLOAT16,)}
        peaks = map(self.operations_per_second.get, (precision, *others[precision]))
        return next(filter(None, peaks), 0.0)


class KindTimes(Struct, frozen=True):
    """Times of a kind of layer as multiples of what ceilings allow, and of a launch, in ns."""

    arithmetic: float
    memory: float
    launch_ns: float


class Efficiency(Struct, frozen=True):
    """What kinds of layers reach on one device, and how far estimates with it were off.

    device: as in `Ceiling`. threads: 0 for all. processor: that it was learned on. kinds: by
    name of the kind and ":int8". models: how many were left out and foretold. median_error:
    of their times, 0.2 is 20 %. bound: all times of 9 of 10 families are at most this factor
    outside of the estimates for cores that are near each other and for those that are apart.
    inside: how many of the models lay within the bound of the other families. rates: of the
    processor. apart: what layers take longer where cores are apart.
    """

    id: str
    title: str
    device: str
    threads: int
    processor: str
    date: str
    kinds: Mapping[str, KindTimes]
    weights: float
    call_ns: float
    models: int
    median_error: float
    bound: float
    inside: int
    rates: Rates
    apart: KindTimes = KindTimes(0.0, 0.0, 0.0)


class LayerTime(Struct, frozen=True):
    """The estimated time of a layer of `Model.layers`, in nanoseconds."""

    index: int
    time_ns: float


class Latency(Struct, frozen=True):
    """The estimated time of a run, in nanoseconds.

    time_ns: None where only a range is known. low_ns, high_ns: with an `Efficiency`, of 9 in 10
    models; else the range that ceilings leave. layers: those that take time, in order; of a
    range, at its low end.
    """

    time_ns: float | None
    low_ns: float
    high_ns: float
    layers: tuple[LayerTime, ...]


def loads(model: Model, estimated: Estimate, wide: bool = False) -> tuple[LayerLoad, ...]:
    """Return what the layers ask that a runtime executes, as far as their cost is known.

    Layers that are computed at loading, views, and what is fused into the layer before are left
    out. wide: float16 counts as float32, which runtimes on CPUs compute it in.
    """
    return tuple(_Loads(model, estimated, wide).all())


class _Loads:
    def __init__(self, model: Model, estimated: Estimate, wide: bool) -> None:
        self._model, self._estimated, self._wide = model, estimated, wide
        self._shapes = {weight.name: weight.shape for weight in model.weights}
        self._types = estimated.types
        self._folded = folded(model.layers, self._shapes) | self._shapes.keys()
        self._int8 = in_int8(model.layers, self._types)
        self._readers: dict[str, int] = {}
        self._maker: dict[str, Layer] = {}
        for layer in model.layers:
            for name in layer.inputs:
                self._readers[name] = self._readers.get(name, 0) + 1
            self._maker.update(dict.fromkeys(layer.outputs, layer))
        self._packed = set[str]()  # weights whose layers take them as integers
        for layer in model.layers:
            if self._int8.intersection(layer.outputs):
                self._packed.update(layer.inputs)
        self._fusing = set[int]()  # layers that others are computed with
        self._bodies = {layer.parent for layer in model.layers}

    def all(self) -> Iterator[LayerLoad]:
        for layer, cost in zip(self._model.layers, self._estimated.cost.layers, strict=False):
            if not cost.counted or layer.index in self._bodies or self._free(layer):
                continue
            operations, moved = self._number(cost.operations), self._number(cost.moved_bytes)
            absorbed = bool(layer.outputs) and layer.outputs[0] in self._int8
            int8 = absorbed or self._stored_small(layer)
            kind = self._kind(layer)
            if kind in _HEAVY:
                self._fusing.add(layer.index)
                operations *= self._filling(layer, kind)
            weights = min(float(cost.weights_bytes), moved)
            shrunk = 4.0 if absorbed else 1.0  # values are float32 between Q and DQ
            if self._wide and self._is_half(layer):
                shrunk = 0.5
            if layer.operator == "Einsum":  # ONNX Runtime puts inputs and product in order
                shrunk /= 3.0
            yield LayerLoad(
                layer.index,
                kind,
                INT8 if int8 else FLOAT32,
                operations,
                weights / shrunk,
                (moved - weights) / shrunk,
                self._steps(layer) if kind in _RECURRENT else self._runs(layer, cost),
            )

    def _is_half(self, layer: Layer) -> bool:
        value = self._types.get(layer.outputs[0]) if layer.outputs else None
        return value is not None and value.dtype == "float16" and layer.operator != "Cast"

    def _stored_small(self, layer: Layer) -> bool:
        """Return whether a layer computes on 8-bit integers that its inputs are stored as."""
        value = self._types.get(layer.inputs[0]) if layer.inputs else None
        small = value is not None and value.dtype in ("int8", "uint8")
        return small and layer.operator not in (*_QUANTIZING, "Cast", "DEQUANTIZE")

    def _number(self, amount: object) -> float:
        return 0.0 if amount is None else float(number(amount, self._estimated.lengths))  # type: ignore[arg-type]

    def _free(self, layer: Layer) -> bool:
        """Return whether a layer takes no time of its own."""
        outputs = [name for name in layer.outputs if name]
        if layer.operator == "DequantizeLinear" and outputs[0] in self._folded:
            return outputs[0] in self._packed
        if layer.operator in _NOTHING or all(name in self._folded for name in outputs):
            return True
        first = layer.inputs[0] if layer.inputs else ""
        if layer.operator in _QUANTIZING:
            return outputs[0] in self._int8 or first in self._int8
        if layer.operator in _ABSORBED:
            for name in layer.inputs:
                before = self._maker.get(name)
                if before and self._readers[name] == 1 and before.index in self._fusing:
                    self._fusing.add(layer.index)
                    return True
        return False

    def _shape(self, name: str) -> tuple[int, ...]:
        value = self._types.get(name)
        shape = self._shapes.get(name) or (value.shape if value is not None else None) or ()
        return tuple(axis if isinstance(axis, int) else 1 for axis in shape)

    def _kind(self, layer: Layer) -> str:
        operator = layer.operator
        if operator in _DEPTHWISE:
            return "depthwise"
        if operator in _CONVOLUTIONS:
            place = 3 if operator.startswith("QLinear") else 1
            kernel = self._shape(layer.inputs[place]) if len(layer.inputs) > place else ()
            last = operator.startswith("CONV")  # TensorFlow Lite has channels last
            if len(kernel) != 4:
                return "line"
            if not last and kernel[1] == 1 and kernel[0] > 1:
                return "depthwise"
            return "pointwise" if prod(kernel[1:3] if last else kernel[2:]) == 1 else "conv"
        return _KIND_OF.get(operator, "elementwise")

    def _filling(self, layer: Layer, kind: str) -> float:
        """Return how much arithmetic grows by channels that fill up a vector."""
        if kind == "matmul" or len(layer.inputs) < 2:
            return 1.0
        kernel = self._shape(layer.inputs[1])
        place = 1 if layer.operator == "ConvTranspose" else 0
        made = kernel[place] if len(kernel) > place else 0
        return -(-made // CHANNELS) * CHANNELS / made if made else 1.0

    def _runs(self, layer: Layer, cost: LayerCost) -> int:
        """Return how often a layer inside of another one runs, by the bytes that it makes."""
        if layer.parent is None or cost.output_bytes is None:
            return 1
        made = (self._types.get(name) for name in layer.outputs if name)
        once = sum(self._number(value_bytes(each)) for each in made if each is not None)
        return max(1, round(self._number(cost.output_bytes) / once)) if once else 1

    def _steps(self, layer: Layer) -> int:
        shape = self._shape(layer.inputs[0]) if layer.inputs else ()
        return max(1, shape[0] if shape else 1)


def parts(load: LayerLoad, rates: Rates) -> Mapping[tuple[str, str], float]:
    """Return what a layer adds to each part of an estimate: (kind, part) -> ns at ceilings.

    parts: "arithmetic", "memory", and "launch" in launches.
    """
    kind = f"{load.kind}:{load.precision}" if load.precision == INT8 else load.kind
    peak = rates.peak(load.precision)
    found = {
        (kind, "memory"): load.other_bytes * 1e9 / rates.bytes_per_second,
        (kind, "launch"): float(load.steps),
        (WEIGHTS, "memory"): load.weight_bytes * 1e9 / rates.bytes_per_second,
    }
    if load.kind in _HEAVY or load.kind in _RECURRENT:
        found[kind, "arithmetic"] = load.operations * 1e9 / peak if peak else inf
    return found


def latency(
    layers: Sequence[LayerLoad], rates: Rates, efficiency: Efficiency | None
) -> Latency:
    """Return the time of a run on a device. efficiency: None where nobody measured it."""
    if efficiency is None:
        return _range(layers, rates)
    near = [sum(part_times(load, rates, efficiency).values()) for load in layers]
    more = [
        sum(ns * _factor(efficiency.apart, part) for part, ns in shared(load, rates).items())
        for load in layers
    ]
    times = tuple(
        LayerTime(load.index, least + longer / 2)
        for load, least, longer in zip(layers, near, more, strict=True)
    )
    least = efficiency.call_ns + sum(near)
    most, bound = least + sum(more), efficiency.bound
    return Latency((least + most) / 2, least / bound, most * bound, times)


def shared(load: LayerLoad, rates: Rates) -> Mapping[str, float]:
    """Return what takes longer where cores are apart: the memory in ns at ceilings, and the
    launches; nothing of a layer that one thread computes."""
    memory = load.other_bytes * 1e9 / rates.bytes_per_second
    peak = rates.peak(load.precision)
    computing = load.operations * 1e9 / peak if peak else 0.0
    if (memory + computing) / load.steps <= SHARED_NS:
        return {}
    return {"memory": memory, "launch": float(load.steps)}


def _factor(times: KindTimes, part: str) -> float:
    known = {"arithmetic": times.arithmetic, "memory": times.memory}
    return known.get(part, times.launch_ns)


def part_times(
    load: LayerLoad, rates: Rates, efficiency: Efficiency
) -> Mapping[tuple[str, str], float]:
    """Return the estimated time in ns of each part of a layer, with the keys of `parts`, where
    cores are near each other."""
    found = {}
    for (kind, part), ns in parts(load, rates).items():
        if kind == WEIGHTS:
            found[kind, part] = ns * efficiency.weights
            continue
        known = efficiency.kinds.get(kind) or efficiency.kinds[kind.partition(":")[0]]
        found[kind, part] = ns * _factor(known, part)
    return found


def _range(layers: Sequence[LayerLoad], rates: Rates) -> Latency:
    """Return the times from all that ceilings allow with one launch to `WORST_SHARE` of it with
    the launch of each layer."""
    best, worst = [], 0.0
    for load in layers:
        peak = rates.peak(load.precision)
        computing = load.operations * 1e9 / peak if peak else 0.0
        # At best, values stay in caches and only weights come from memory.
        reading = load.weight_bytes * 1e9 / rates.bytes_per_second
        moving = load.other_bytes * 1e9 / rates.bytes_per_second
        best.append(LayerTime(load.index, max(computing, reading)))
        worst += max(computing, reading + moving) / WORST_SHARE + rates.launch_ns
    quickest = rates.launch_ns + sum(each.time_ns for each in best)
    return Latency(None, quickest, max(worst, quickest), tuple(best))
