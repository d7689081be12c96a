"""The layouts of ONNX Runtime on CPUs: floats in blocks of channels, integers channels last.

Sources: nchwc_transformer.cc, nhwc_transformer.cc, qdq_selector_action_transformer.cc and
qlinearconv.cc of onnxruntime 1.32. Blocks are as large as vectors of the CPU.
"""

from math import prod

from inspector.analysis.cost.fusing import columns
from inspector.analysis.cost.kernels import FLOAT_BYTES, Kernel, KernelGraph, Shape

LEAST_MULTIPLE = 4  # of channels, for blocks
IMAGE_RANK = 4  # batch, channels, height, width
ADDRESS_BYTES = 8
_POOLS = frozenset({"MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"})
_FUSED_LATE = frozenset({"Relu", "Sigmoid", "Tanh"})
_ALONE = _FUSED_LATE | {"BatchNormalization", "QuickGelu"}
_SUMS = frozenset({"Add", "Sum", "Mul"})
_RESIZES = frozenset({"Resize", "Upsample"})
_COORDINATES = ("", "half_pixel", "asymmetric", "align_corners")  # of linear resizes
_LAST = (0, 2, 3, 1)  # Transpose to channels last
# Kernels for 8-bit integers, and those that move values of any type.
_INTEGER = frozenset({
    "Conv", "MatMul", "Gemm", "Add", "Mul", "AveragePool", "GlobalAveragePool", "Concat",
    "Sigmoid", "LeakyRelu", "Softmax", "Where", "ConvTranspose",
})  # fmt: skip
# As a file may have them: what they are called here, and the places of their values.
_STORED = {
    "QLinearConv": ("Conv", (0, 3)), "QLinearMatMul": ("MatMul", (0, 3)),
    "QGemm": ("Gemm", (0, 3)), "QLinearAdd": ("Add", (0, 3)), "QLinearMul": ("Mul", (0, 3)),
    "QLinearSigmoid": ("Sigmoid", (0,)), "QLinearLeakyRelu": ("LeakyRelu", (0,)),
    "QLinearSoftmax": ("Softmax", (0,)), "QLinearAveragePool": ("AveragePool", (0,)),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", (0,)),
}  # fmt: skip
_OF_TWO = frozenset({"Conv", "MatMul", "Gemm"})  # whose weights are integers, too
_MOVING = frozenset({
    "Reshape", "Transpose", "MaxPool", "Squeeze", "Unsqueeze", "Flatten", "Gather", "Slice",
    "Resize", "Upsample", "Split", "Expand",
})  # fmt: skip
_ELEMENTWISE = frozenset({"Add", "Mul", "Sigmoid", "LeakyRelu", "Concat"})
_POOLING = frozenset({
    "MaxPool", "AveragePool", "GlobalAveragePool", "Resize", "Upsample"
})  # fmt: skip


class _Layout:
    """Values in another layout, and the kernels that convert to it and back."""

    def __init__(self, graph: KernelGraph, suffix: str, to: str, back: str) -> None:
        self._graph, self._suffix, self._to, self._back = graph, suffix, to, back
        self._made: dict[str, str] = {}  # by kernels in that layout
        self._converted: dict[str, str] = {}

    def has(self, name: str) -> bool:
        return name in self._made

    def read(self, name: str, shape: Shape) -> str:
        """Return a value in that layout; it is converted where no kernel made it so."""
        known = self._made.get(name) or self._converted.get(name)
        if known is None:
            known = self._graph.value(name, f"read {self._suffix}", shape)
            self._converted[name] = known
            self._graph.add(self._to, name, known)
        return known

    def make(self, kernel: Kernel, shape: Shape) -> None:
        """Let a kernel make its output in that layout."""
        name = kernel.output
        kernel.outputs[0] = self._made[name] = self._graph.value(name, self._suffix, shape)

    def rename(self, old: str, new: str) -> str:
        """Let the kernel that made a value make another one in its place."""
        self._made[new] = self._made.pop(old)
        return self._made[new]

    def finish(self) -> None:
        """Convert back what kernels read in the usual layout."""
        read = {name for k in self._graph.kernels for name in k.inputs} | self._graph.outputs
        for name, made in self._made.items():
            if name in read:
                self._graph.add(self._back, made, name)


def block_channels(graph: KernelGraph) -> None:
    """Put the values of convolutions of floats into blocks of channels."""
    layout = _Layout(graph, "blocks", "ReorderInput", "ReorderOutput")
    readers, gone = graph.readers(), set[Kernel]()
    maker: dict[str, Kernel] = {}  # of values in blocks

    def blocks(name: str) -> Shape:
        rows, channels, *sides = graph.shape(name)
        full = -(-channels // graph.block) * graph.block
        return (rows, full, *sides)

    def make(kernel: Kernel) -> None:
        name = kernel.output
        maker[name] = kernel
        layout.make(kernel, blocks(name))
        kernel.order = graph.next_order()

    def fuse(name: str, kernel: Kernel) -> None:
        """Let the convolution that made a value make the output of its reader."""
        before = maker.pop(name)
        before.outputs[0] = layout.rename(name, kernel.output)
        maker[kernel.outputs[0]] = before
        gone.add(kernel)

    def can_fuse(name: str) -> bool:
        alone = len(readers[name]) == 1 and name not in graph.outputs
        return alone and maker[name].operator == "Conv" and not maker[name].activated

    for kernel in graph.ordered():
        operator, name = kernel.operator, kernel.input(0)
        images = len(graph.shape(name)) == len(graph.shape(kernel.output)) == IMAGE_RANK
        if kernel.quantized or (not images and operator != "Transpose"):
            if operator == "Conv" and not kernel.quantized:
                kernel.scratch += columns(graph, kernel)
        elif operator == "Conv":
            if not _can_be_blocked(graph, kernel):
                kernel.scratch += columns(graph, kernel)
                continue
            weights = graph.shape(kernel.input(1))
            if weights[1] >= graph.block or kernel.groups > 1:
                kernel.inputs[0] = layout.read(name, blocks(name))
            make(kernel)
        elif operator in _POOLS and len([*filter(None, kernel.outputs)]) == 1:
            if graph.shape(name)[1] % graph.block == 0:
                kernel.inputs[0] = layout.read(name, blocks(name))
                make(kernel)
        elif operator in _RESIZES and layout.has(name):
            if _can_resize_blocks(graph, kernel):
                kernel.inputs = [layout.read(name, ())]
                make(kernel)
        elif operator in _ALONE and layout.has(name):
            if operator in _FUSED_LATE and can_fuse(name):
                maker[name].activated = True
                fuse(name, kernel)
            else:
                kernel.inputs[0] = layout.read(name, ())
                make(kernel)
        elif operator in _SUMS and len(kernel.inputs) == 2 and all(
            map(layout.has, kernel.inputs)
        ) and graph.shape(name) == graph.shape(kernel.input(1)):  # fmt: skip
            summed = [e for e in kernel.inputs if can_fuse(e) and not maker[e].summed]
            if operator == "Mul" or not summed or kernel.input(0) == kernel.input(1):
                kernel.inputs = [layout.read(each, ()) for each in kernel.inputs]
                make(kernel)
                continue
            (other,) = (each for each in kernel.inputs if each != summed[0])
            convolution = maker[summed[0]]
            convolution.summed = layout.read(other, ())
            convolution.inputs.append(convolution.summed)
            fuse(summed[0], kernel)
        elif operator == "Concat" and kernel.numbers("axis") == (1,) and all(
            layout.has(each) and graph.shape(each)[1] % graph.block == 0
            for each in kernel.inputs
        ):  # fmt: skip
            kernel.inputs = [layout.read(each, ()) for each in kernel.inputs]
            make(kernel)
        elif operator == "Transpose" and layout.has(name) and kernel.numbers("perm") == _LAST:
            kernel.inputs[0], kernel.order = layout.read(name, ()), graph.next_order()
    graph.drop(gone)
    layout.finish()


def _can_be_blocked(graph: KernelGraph, kernel: Kernel) -> bool:
    weights = graph.shape(kernel.input(1))
    if kernel.input(1) not in graph.constants or len(weights) != IMAGE_RANK:
        return False
    made, read, *_ = weights
    groups = kernel.groups
    if groups == 1:
        return read < graph.block or read % LEAST_MULTIPLE == 0
    if read == 1 and made == groups:
        return made % LEAST_MULTIPLE == 0
    full = read % graph.block == 0 and made % groups == 0
    return full and made // groups % graph.block == 0


def _can_resize_blocks(graph: KernelGraph, kernel: Kernel) -> bool:
    """Return whether height and width grow by whole factors, in a way that blocks know."""
    given, made = graph.shape(kernel.input(0)), graph.shape(kernel.output)
    whole = given[:2] == made[:2] and not any(b % a for a, b in zip(given, made, strict=True))
    if kernel.operator == "Upsample" or kernel.text("mode") == "linear":
        return whole and kernel.text("coordinate_transformation_mode") in _COORDINATES
    asymmetric = kernel.text("coordinate_transformation_mode") == "asymmetric"
    floor = kernel.text("nearest_mode") == "floor"
    return whole and kernel.text("mode") in ("", "nearest") and asymmetric and floor


def quantize(graph: KernelGraph) -> None:
    """Run layers between DequantizeLinear and QuantizeLinear on integers."""
    for kernel in graph.kernels:
        if kernel.operator in _STORED:
            operator, places = _STORED[kernel.operator]
            kernel.operator, kernel.quantized = operator, True
            kernel.inputs = [kernel.inputs[n] for n in places if n < len(kernel.inputs)]
            kernel.scratch += _sums(graph, kernel)
    floats = {k.output: k for k in graph.kernels if k.operator == "DequantizeLinear"}
    if not floats and not any(kernel.quantized for kernel in graph.kernels):
        return
    _drop_activations(graph)
    readers, gone = graph.readers(), set[Kernel]()
    for kernel in graph.kernels:
        operator = kernel.operator
        after = graph.only_reader(kernel, readers)
        if after is None or after.operator != "QuantizeLinear":
            continue
        values = kernel.inputs[:2] if operator in _OF_TWO else [*filter(None, kernel.inputs)]
        values = values[:1] if operator in _MOVING else values
        if operator in _MOVING | _INTEGER and values and floats.keys() >= {*values}:
            kernel.quantized = True
            kernel.inputs = [
                floats[name].inputs[0] if name in floats else name for name in kernel.inputs
            ]
            kernel.outputs[0] = after.output
            gone.add(after)
            if operator in _INTEGER:
                kernel.order = graph.next_order()
            kernel.scratch += _sums(graph, kernel)
    graph.drop(gone)
    read = graph.readers().keys() | graph.outputs
    graph.drop({each for name, each in floats.items() if name not in read})
    _put_channels_last(graph)


def _sums(graph: KernelGraph, kernel: Kernel) -> list[int]:
    """Return the sums of 32 bits of a product of integers."""
    made = FLOAT_BYTES * prod(graph.shape(kernel.output))
    return [made] if kernel.operator == "MatMul" else []


def _drop_activations(graph: KernelGraph) -> None:
    """Remove activations whose range is that of the integers after them."""
    readers, makers, gone = graph.readers(), graph.makers(), set[Kernel]()
    for kernel in graph.kernels:
        if kernel.operator in ("Relu", "Clip"):
            after, before = graph.only_reader(kernel, readers), makers.get(kernel.input(0))
            if after is None or after.operator != "QuantizeLinear" or before is None:
                continue
            if graph.only_reader(before, readers) is kernel:
                before.outputs[0] = kernel.output
                gone.add(kernel)
    graph.drop(gone)


def _put_channels_last(graph: KernelGraph) -> None:
    layout = _Layout(graph, "last", "Transpose", "Transpose")

    def last(name: str) -> Shape:
        rows, channels, *sides = graph.shape(name)
        return (rows, *sides, channels)

    for kernel in graph.ordered():
        operator, inputs = kernel.operator, kernel.inputs
        ends = (kernel.input(0), kernel.output)
        if not kernel.quantized or any(len(graph.shape(e)) != IMAGE_RANK for e in ends):
            continue
        if operator == "Conv" and len(graph.shape(kernel.input(1))) == IMAGE_RANK:
            kernel.scratch += _integer_scratch(graph, kernel)
            inputs[0] = layout.read(inputs[0], last(inputs[0]))
        elif operator in _POOLING and layout.has(inputs[0]):
            inputs[0] = layout.read(inputs[0], ())
        elif operator in _ELEMENTWISE and any(map(layout.has, inputs)):
            kernel.inputs = [
                layout.read(name, last(name)) if len(graph.shape(name)) == IMAGE_RANK else name
                for name in inputs
            ]
        else:
            continue
        layout.make(kernel, last(kernel.output))
    layout.finish()


def packed_bytes(graph: KernelGraph, kernel: Kernel) -> int:
    """Return what the packed weights of a convolution take in the arena; 0 for none."""
    if kernel.operator == "ConvTranspose":
        return graph.bytes(kernel.input(1)) if kernel.input(1) in graph.constants else 0
    if kernel.operator != "Conv" or not kernel.quantized:
        return 0
    made, *rest = graph.shape(kernel.input(1)) or (0,)
    if len(rest) != IMAGE_RANK - 1:
        return 0
    full = -(-made // graph.block) * graph.block
    if _is_symmetric(graph, kernel):
        return (full if rest[0] == 1 else made) * prod(rest)
    depth = -(-prod(rest) // LEAST_MULTIPLE) * LEAST_MULTIPLE
    return full * (depth + FLOAT_BYTES)


def _is_symmetric(graph: KernelGraph, kernel: Kernel) -> bool:
    """Return whether there is a kernel that reads the input through addresses (MLAS)."""
    made, read, *_ = graph.shape(kernel.input(1))
    if kernel.groups > 1:
        return read == 1
    return read % LEAST_MULTIPLE == 0 and made % graph.block == 0


def _integer_scratch(graph: KernelGraph, kernel: Kernel) -> list[int]:
    """Return sums of 32 bits, and columns or addresses, of a convolution of integers."""
    weights, made = graph.shape(kernel.input(1)), graph.shape(kernel.output)
    pixels, addressed = prod(made[2:]), _is_symmetric(graph, kernel)
    found = [] if addressed else [FLOAT_BYTES * prod(made)]
    if prod(weights[2:]) == 1 and graph.shape(kernel.input(0))[2:] == made[2:]:
        return found
    group = kernel.groups
    column = ADDRESS_BYTES * prod(weights[2:]) if addressed else prod(weights[1:]) * group
    return [*found, column * pixels]
