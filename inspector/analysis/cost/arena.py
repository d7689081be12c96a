"""The most memory that the values of a run may take in a runtime, beyond those that are alive.

Tensors that are alive are the least. A runtime adds what is estimated here, each with what it
was seen to do (ONNX Runtime 1.20 to 1.27 on CPUs, memory in use of its arena after each layer
of 20 models): few kernels work in place, a buffer that a later tensor of the same shape takes
over stays reserved meanwhile, blocks are larger than their tensors, values are converted to
another layout or type, and kernels need memory of their own.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate
from math import prod

from msgspec import Struct

from inspector.analysis.facts.symbolic_sizes import number, product
from inspector.model.model import ITEM_BITS, Layer, TensorInfo
from inspector.model.operator_traits import RANDOM, RECURRENT, VIEWS

# Kernels that write over their input, by the memory in use after each operator alone. Those of
# Add, Mul, Exp, Sqrt and BatchNormalization are not among them.
IN_PLACE = frozenset({
    "Relu", "LeakyRelu", "Sigmoid", "Tanh", "Clip", "Elu", "HardSigmoid", "Softmax", "Selu",
    "LogSoftmax", "Softplus", "Softsign", "ThresholdedRelu", "Celu", "Cast",
})  # fmt: skip
# Operators that run on 8-bit integers between DequantizeLinear and QuantizeLinear.
INT8 = frozenset({
    "Conv", "MatMul", "Gemm", "Add", "Mul", "AveragePool", "GlobalAveragePool", "Concat",
    "Sigmoid", "LeakyRelu", "Softmax", "MaxPool", "Reshape", "Transpose", "Squeeze", "Relu",
    "Unsqueeze", "Flatten", "Clip", "Resize", "Split", "Gather", "Where", "ArgMax",
})  # fmt: skip
_ACTIVATIONS = frozenset({"Relu", "Clip"})
_CONVOLUTIONS = frozenset({"Conv", "FusedConv"})
# Operators that take the layout of convolutions as it is.
_IN_BLOCKS = _ACTIVATIONS | _CONVOLUTIONS | {
    "Add", "Sum", "Mul", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool",
    "Concat", "Sigmoid", "Tanh", "BatchNormalization",
}  # fmt: skip
CHANNELS_OF_BLOCK = 16  # of a layout for vectors of 512 bits; channels are filled up to it
LEAST_CHANNELS = 8  # fewer stay in their layout
LEAST_BLOCK = 256  # bytes, to which the arena rounds
SCRATCH_BYTES = 1 << 16  # most of a convolution's columns, of each thread
LEFTOVER_PERCENT = 106  # blocks are also what others left over, a bit above their powers
SQUARES = 2  # copies that an LRN makes: squares with a border, and scales
SMALL = 2 * LEAST_BLOCK  # of other kernels, such as the votes of trees
GATES = 5  # times the hidden size, that a recurrent layer takes for each step
STATES = 12  # times the hidden size, for each row of a batch


def folded(layers: Iterable[Layer], weights: Iterable[str]) -> set[str]:
    """Return the values that follow from weights alone, which are computed when a model is
    loaded."""
    layers = tuple(layers)
    parents = {layer.parent for layer in layers}
    fixed = set(weights)
    made = set[str]()
    for layer in layers:
        if layer.index in parents or layer.operator in RANDOM:
            continue
        known = layer.operator == "Constant" or any(layer.inputs)
        known &= layer.parent is None
        if known and all(not name or name in fixed for name in layer.inputs):
            names = {name for name in layer.outputs if name}
            fixed |= names
            made |= names
    return made


def in_int8(layers: Sequence[Layer], types: Mapping[str, TensorInfo]) -> set[str]:
    """Return the values that never exist as floats, since their layers run on 8-bit integers:
    those behind DequantizeLinear and before QuantizeLinear."""
    readers: dict[str, list[Layer]] = {}
    maker: dict[str, Layer] = {}
    for layer in layers:
        for name in layer.inputs:
            readers.setdefault(name, []).append(layer)
        maker.update(dict.fromkeys(layer.outputs, layer))

    def following(layer: Layer) -> list[Layer]:
        return [each for name in layer.outputs for each in readers.get(name, ())]

    def ends_in_int8(layer: Layer) -> bool:
        after = following(layer)
        if len(after) == 1 and after[0].operator in _ACTIVATIONS:
            after = following(after[0])
        return bool(after) and all(each.operator == "QuantizeLinear" for each in after)

    def is_int8(layer: Layer) -> bool:
        source = maker.get(layer.inputs[0]) if layer.inputs else None
        if source is None or layer.operator not in INT8 or not ends_in_int8(layer):
            return False
        starts = source.operator == "DequantizeLinear"
        return starts or (layer.operator in _ACTIVATIONS and is_int8(source))

    absorbed = set[str]()
    for layer in layers:
        if layer.operator == "DequantizeLinear" and layer.inputs:
            stored = types.get(layer.inputs[0])
            if stored is not None and stored.dtype not in ("int8", "uint8"):
                continue
            after = following(layer)
            if after and all(map(is_int8, after)):
                absorbed.update(layer.outputs)
        elif is_int8(layer):
            absorbed.update(layer.outputs)
    return absorbed


def block(size: int) -> int:
    """Return the bytes of an arena's block for a size: a power of two, by which it grows."""
    return max(LEAST_BLOCK, 1 << (size - 1).bit_length()) if size else 0


def added_in_place(layers: Sequence[Layer]) -> set[str]:
    """Return the outputs of convolutions that an Add reads at once: fused with it, they are
    summed up in the memory of the other value."""
    readers: dict[str, int] = {}
    maker: dict[str, Layer] = {}
    for layer in layers:
        for name in layer.inputs:
            readers[name] = readers.get(name, 0) + 1
        maker.update(dict.fromkeys(layer.outputs, layer))

    def of_convolution(name: str) -> list[str]:
        layer = maker.get(name)
        if layer is None or readers.get(name, 0) != 1:
            return []
        if layer.operator == "BatchNormalization" and layer.inputs:
            before = of_convolution(layer.inputs[0])
            return [*before, name] if before else []
        return [name] if layer.operator in _CONVOLUTIONS else []

    absorbed = set[str]()
    for layer in layers:
        if layer.operator in ("Add", "Sum") and len(layer.inputs) == 2:
            parts = [of_convolution(name) for name in layer.inputs]
            if all(name in maker for name in layer.inputs):
                absorbed.update(parts[0] if len(parts[0]) >= len(parts[1]) else parts[1])
    return absorbed


class _Buffer(Struct):
    """Memory that values share one after the other: from which place in a graph to which."""

    kind: tuple[object, ...]  # type and shape, which the next value must have
    bytes: int
    first: int
    last: int
    waiting: set[str]  # values in it that are read later


class Buffers:
    """The buffers of a graph in the order of its layers, as a runtime plans them."""

    def __init__(
        self,
        types: Mapping[str, TensorInfo],
        weights: Mapping[str, tuple[int, ...]],
        lengths: Mapping[str, int],
        without: Set[str],
        integers: Set[str],
    ) -> None:
        """Take types of values and shapes of weights. without: values that take no memory,
        among them `integers`, whose layers run on 8-bit integers."""
        self._types, self._weights = types, weights
        self._lengths, self._without, self._integers = lengths, without, integers
        self._readers: dict[str, list[str]] = {}  # operators that read a value
        self._blocked = set[str]()  # values in blocks of channels
        self._last: dict[str, int] = {}  # place of the last layer that reads a value
        self._fixed: frozenset[str] = frozenset()  # inputs and outputs of the graph
        self._of: dict[str, _Buffer] = {}
        self._free: dict[tuple[object, ...], list[_Buffer]] = {}

    def live(
        self,
        layers: Sequence[Layer],
        inputs: Iterable[str],
        outputs: Iterable[str],
        inside: Mapping[int, frozenset[str]],
    ) -> list[int]:
        """Return the most bytes in use while each layer runs.

        inputs, outputs: of the graph. inside: names that the bodies of a layer read.
        """
        inputs, ends = frozenset(inputs), frozenset(outputs)
        self._fixed = inputs | ends
        self._look_through(layers, inside)
        self._of, self._free = {}, {}
        buffers = []
        for name in inputs:
            self._of[name] = self._new(name, 0)
            self._of[name].bytes = self._bytes(name)  # the caller's, not the arena's
            buffers.append(self._of[name])
        for place, layer in enumerate(layers):
            for name in filter(None, layer.outputs):
                buffer = self._taken_over(layer, name, place) or self._reused(name)
                if buffer is None:
                    buffer = self._new(name, place)
                    buffers.append(buffer)
                self._of[name] = buffer
                buffer.waiting.add(name)
            for name in {*layer.inputs, *layer.outputs, *inside.get(layer.index, ())}:
                self._use(name, place)
        for name in self._fixed & self._of.keys():
            self._of[name].last = len(layers)
        change = [0] * (len(layers) + 2)
        for buffer in buffers:
            change[buffer.first] += buffer.bytes
            change[buffer.last + 1] -= buffer.bytes
        pairs = zip(accumulate(change), layers, strict=False)
        return [(taken + self._own(layer)) * LEFTOVER_PERCENT // 100 for taken, layer in pairs]

    def _look_through(
        self, layers: Sequence[Layer], inside: Mapping[int, frozenset[str]]
    ) -> None:
        """Note who reads a value, until when, and which values lie in blocks of channels."""
        self._last = {}
        for place, layer in enumerate(layers):
            for name in layer.inputs:
                self._readers.setdefault(name, []).append(layer.operator)
            goes_on = layer.operator in _IN_BLOCKS and not self._blocked.isdisjoint(
                layer.inputs
            )
            if layer.operator in _CONVOLUTIONS or goes_on:
                self._blocked.update(layer.outputs)
            for name in (*layer.outputs, *layer.inputs, *inside.get(layer.index, ())):
                self._last[name] = place

    def _new(self, name: str, place: int) -> _Buffer:
        size = block(self._bytes(name))
        return _Buffer(self._kind(name), size, place, place, set())

    def _reused(self, name: str) -> _Buffer | None:
        """Return a buffer that is free and was planned for the same type and shape."""
        free = [] if name in self._fixed else self._free.get(self._kind(name), [])
        return free.pop() if free else None

    def _use(self, name: str, place: int) -> None:
        """Note that a layer reads or makes a value; the last one frees its buffer."""
        buffer = self._of.get(name)
        if buffer is None:
            return
        buffer.last = max(buffer.last, place)
        if self._last[name] <= place and name not in self._fixed:
            buffer.waiting.discard(name)
            if not buffer.waiting:
                self._free.setdefault(buffer.kind, []).append(buffer)

    def _taken_over(self, layer: Layer, name: str, place: int) -> _Buffer | None:
        """Return the buffer of the input that an output lies in; None if in none."""
        source = layer.inputs[0] if layer.inputs else ""
        if source not in self._of or name != layer.outputs[0]:
            return None
        if layer.operator in VIEWS:
            return self._of[source]
        ends = self._last[source] == place and self._fixed.isdisjoint((source, name))
        in_place = layer.operator in IN_PLACE and self._bytes(source) == self._bytes(name)
        return self._of[source] if in_place and ends else None

    def _kind(self, name: str) -> tuple[object, ...]:
        value = self._types.get(name)
        return (name,) if value is None else (value.dtype, self._shape(value))

    def _shape(self, value: TensorInfo) -> tuple[int, ...]:
        amounts = (product((axis,)) for axis in value.shape or ())
        return tuple(number(1 if each is None else each, self._lengths) for each in amounts)

    def _elements(self, name: str) -> int:
        value = self._types.get(name)
        return 0 if value is None or value.shape is None else prod(self._shape(value))

    def _bytes(self, name: str) -> int:
        value = self._types.get(name)
        if value is None or value.kind != "tensor" or value.shape is None:
            return 0
        if name in self._weights or name in self._without or None in value.shape:
            return 0
        shape = list(self._shape(value))
        if name in self._blocked and len(shape) == 4 and shape[1] >= LEAST_CHANNELS:
            shape[1] = -(-shape[1] // CHANNELS_OF_BLOCK) * CHANNELS_OF_BLOCK
        bits = ITEM_BITS.get("float32" if value.dtype == "float16" else value.dtype) or 0
        return prod(shape) * bits // 8

    def _own(self, layer: Layer) -> int:
        """Return what a layer needs while it runs: other layouts, columns, gates."""
        operator = layer.operator
        if not layer.inputs or not layer.outputs:
            return SMALL
        if operator in _CONVOLUTIONS and layer.outputs[0] in self._integers:
            # Integers with their channels last before and after, and sums of 32 bits.
            before, after = self._elements(layer.inputs[0]), self._elements(layer.outputs[0])
            return block(before) + block(after) + block(4 * after) + self._columns(layer)
        if operator in _CONVOLUTIONS:
            return self._other_layout(layer.outputs[0]) + self._columns(layer)
        if operator == "ConvTranspose":
            return self._columns(layer, transposed=True)
        if operator in RECURRENT:
            return self._gates(layer)
        if operator == "LRN":
            return SQUARES * block(self._bytes(layer.outputs[0]))
        return SMALL

    def _other_layout(self, name: str) -> int:
        """Return the bytes of a copy in the usual layout, where other layers need it, or where
        blocks are not full."""
        value = self._types.get(name)
        shape = () if value is None else self._shape(value)
        full = len(shape) == 4 and shape[1] % CHANNELS_OF_BLOCK == 0
        stays = full and _IN_BLOCKS.issuperset(self._readers.get(name, ("",)))
        return 0 if stays else block(self._bytes(name))

    def _columns(self, layer: Layer, transposed: bool = False) -> int:
        kernel = self._weights.get(layer.inputs[1]) if len(layer.inputs) > 1 else None
        data = self._types.get(layer.inputs[0] if transposed else layer.outputs[0])
        if kernel is None or data is None or not data.shape:
            return 0
        column = prod(kernel[1:])
        size = 4 * column * prod(self._shape(data)[2:])
        return block(size if transposed else min(size, SCRATCH_BYTES))

    def _gates(self, layer: Layer) -> int:
        recurrence = self._weights.get(layer.inputs[2]) if len(layer.inputs) > 2 else None
        data = self._types.get(layer.inputs[0])
        if not recurrence or data is None or not data.shape:
            return 0
        directions, *_, hidden = recurrence
        steps, *rows = self._shape(data)[:2]
        return block(4 * (GATES * steps + STATES) * directions * hidden * prod(rows))
