"""The fusions of ONNX Runtime that change what values take in memory.

Followed are its basic and extended optimizers (onnxruntime/core/optimizer of 1.32), as far as
shapes and constants tell what they do; numbers are not looked at.
"""

from collections.abc import Callable, Collection, Iterator
from math import prod

from inspector.analysis.cost.kernels import FLOAT_BYTES, Kernel, KernelGraph

ACTIVATIONS = frozenset({"Relu", "Clip", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid"})
SCRATCH_BYTES = 1 << 16  # of a convolution's columns, of each thread (MLAS)
_WITH_ACTIVATION = {"Conv": ACTIVATIONS | {"HardSwish"}, "Gemm": ACTIVATIONS}
_CONVOLUTIONS = frozenset({"Conv", "ConvTranspose"})
_SCALES = frozenset({"Mul", "Div"})
_OF_MANY = frozenset({"Sum", "Max", "Min", "Mean"})
# Rows that a recurrent layer has for each hidden unit: for each step, for each direction, and
# for each last state that is no output.
_GATES = {"LSTM": (4, 9, (1, 2)), "GRU": (3, 5, (1,))}
_LENGTHS_BYTES = 256  # of a batch, that a recurrent layer copies


def fuse(graph: KernelGraph) -> None:
    """Fuse kernels of floats; those of integers are fused before."""
    _compute_in_float32(graph)
    for operators, fusion in _FUSIONS:
        if any(kernel.operator in operators for kernel in graph.kernels):
            graph.drop(set(fusion(graph)))


def add_scratch(graph: KernelGraph) -> None:
    """Add the memory that kernels of floats need of their own."""
    for kernel in graph.kernels:
        operator, data = kernel.operator, graph.shape(kernel.input(0)) if kernel.inputs else ()
        if operator in _GATES and len(kernel.inputs) > 2:
            kernel.scratch += _gates(graph, kernel)
        elif operator == "LRN" and len(data) > 1:  # squares with a border of channels, scales
            pixels, border = FLOAT_BYTES * prod(data[2:]), sum(kernel.numbers("size")[:1]) - 1
            kernel.scratch += [pixels * data[0] * data[1], pixels * (data[1] + border)]
        elif operator == "ConvInteger":
            made = graph.shape(kernel.output)
            if made[2:] != data[2:] or prod(graph.shape(kernel.input(1))[2:]) > 1:
                column = prod(graph.shape(kernel.input(1))[1:])
                kernel.scratch.append(column * prod(made[2:]))
        elif operator == "Where":  # what is taken of each of the two
            kernel.scratch += 2 * [graph.bytes(kernel.output)]
        elif operator in _OF_MANY:  # of the first ones, then of them and the next one
            kernel.scratch += [graph.bytes(kernel.output)] * min(len(kernel.inputs) - 2, 2)
        elif operator == "Einsum":  # inputs in another order, the product, and that in order
            kernel.scratch += map(graph.bytes, (*kernel.inputs, kernel.output, kernel.output))
        elif operator == "ConvTranspose":
            column = prod(graph.shape(kernel.input(1))[1:])
            kernel.scratch.append(FLOAT_BYTES * column * prod(data[2:]))


def columns(graph: KernelGraph, kernel: Kernel) -> list[int]:
    """Return the columns of a convolution of floats that is computed as a product (MLAS)."""
    weights, made = graph.shape(kernel.input(1)), graph.shape(kernel.output)
    if not weights or not made:
        return []
    if prod(weights[2:]) == 1 and graph.shape(kernel.input(0))[2:] == made[2:]:
        return []
    pixels, group = prod(made[2:]), kernel.groups
    if weights[0] // group <= pixels:
        return [SCRATCH_BYTES]
    return [FLOAT_BYTES * prod(weights[1:]) * pixels]


def _gates(graph: KernelGraph, kernel: Kernel) -> list[int]:
    recurrence, data = graph.shape(kernel.input(2)), graph.shape(kernel.input(0))
    if len(recurrence) != 3 or len(data) != 3:
        return []
    directions, _, hidden = recurrence
    gates, states, last = _GATES[kernel.operator]
    states += sum(place >= len(kernel.outputs) or not kernel.outputs[place] for place in last)
    row = FLOAT_BYTES * hidden * data[1]
    found = ([gates * data[0] * row] + [row] * states + [_LENGTHS_BYTES]) * directions
    if directions == 2 or kernel.text("direction") == "reverse":  # input and output in reverse
        found += [graph.bytes(kernel.input(0)), data[0] * row]
    return found


def _compute_in_float32(graph: KernelGraph) -> None:
    """Leave only inputs and outputs of the graph in float16, which few kernels compute in."""
    halves = graph.values_of("float16")
    if not halves:
        return
    makers, wide = graph.makers(), dict[str, str]()
    for name in halves:
        if name in graph.inputs or name in graph.outputs:
            wide[name] = graph.value(name, "float32", graph.shape(name), FLOAT_BYTES)
        else:
            graph.widen(name)
    for kernel in graph.kernels:
        kernel.inputs = [wide.get(name, name) for name in kernel.inputs]
        kernel.outputs = [wide.get(name, name) for name in kernel.outputs]
    for name, as_float32 in sorted(wide.items()):
        ends = (as_float32, name) if name in makers else (name, as_float32)
        graph.add("FreeCast", *ends)


def _into_convolutions(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a normalization, factors and summands of channels with the convolution before."""
    readers, gone = graph.readers(), set[Kernel]()
    for kernel in graph.kernels:
        while kernel.operator in _CONVOLUTIONS and not kernel.quantized:
            after = graph.only_reader(kernel, readers)
            if after is None or after in gone or not _is_of_channels(graph, kernel, after):
                break
            kernel.outputs[0] = after.output
            gone.add(after)
            yield after


def _is_of_channels(graph: KernelGraph, kernel: Kernel, after: Kernel) -> bool:
    if after.operator == "BatchNormalization":
        return after.input(0) == kernel.output
    constants = [name for name in after.inputs if name in graph.constants]
    if kernel.operator != "Conv" or after.operator not in ("Mul", "Add") or not constants:
        return False
    made = graph.shape(kernel.output)
    same_rank = len(made) == len(graph.shape(after.output)) > 1
    return same_rank and prod(graph.shape(constants[0])) in (1, made[1])


def _pads(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a border of zeros with the convolution after it."""
    readers = graph.readers()
    for kernel in graph.kernels:
        after = graph.only_reader(kernel, readers) if kernel.operator == "Pad" else None
        if after is None or after.operator != "Conv" or after.quantized:
            continue
        same = graph.shape(kernel.input(0))[:2] == graph.shape(kernel.output)[:2]
        amounts = graph.constants.issuperset(filter(None, kernel.inputs[1:]))
        if same and amounts and kernel.text("mode") in ("", "constant"):
            after.inputs[0] = kernel.input(0)
            yield kernel


def _into_gemm(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a product with its bias; it computes in two dimensions."""
    readers, constants = graph.readers(), graph.constants
    for kernel in graph.ordered():
        if kernel.operator != "MatMul" or kernel.quantized or kernel.input(0) in constants:
            continue
        factor = graph.shape(kernel.input(1))
        after = graph.only_reader(kernel, readers)
        if kernel.input(1) not in constants or len(factor) != 2 or after is None:
            continue
        biases = [graph.shape(name) for name in after.inputs if name in constants]
        if after.operator != "Add" or not biases or len(biases[0]) != 1:
            continue
        source, made = kernel.input(0), after.output
        shape = graph.shape(made)
        if len(shape) > 2 and made not in graph.fixed:
            continue
        kernel.operator, kernel.order, kernel.outputs[0] = "Gemm", graph.next_order(), made
        if len(shape) > 2:
            rows = prod(shape[:-1])
            kernel.inputs[0] = graph.value(source, f"rows{kernel.order}", (rows, factor[0]))
            kernel.outputs[0] = graph.value(made, "rows", (rows, shape[-1]))
            graph.add("Reshape", kernel.output, made)
            graph.add("Reshape", source, kernel.input(0))
        yield after


def _into_gelu(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse x / √2 → Erf → + 1 → · x → · 0.5, with the factors in any order."""
    readers, makers = graph.readers(), graph.makers()
    for kernel in graph.ordered():
        before = makers.get(kernel.input(0)) if kernel.operator == "Erf" else None
        if before is None or before.operator not in _SCALES:
            continue
        source = [name for name in before.inputs if name not in graph.constants]
        plus = graph.only_reader(kernel, readers)
        times = graph.only_reader(plus, readers) if plus is not None else None
        if not source or plus is None or times is None or times.operator != "Mul":
            continue
        last, halved = graph.only_reader(times, readers), times
        if source[0] in times.inputs and last is not None and last.operator == "Mul":
            halved, ends = last, last.outputs
        else:
            other = [name for name in times.inputs if name != plus.output]
            maker = makers.get(other[0]) if other else None
            if maker is None or maker.operator != "Mul" or source[0] not in maker.inputs:
                continue
            halved, ends = maker, times.outputs
        kernel.operator, kernel.order = "Gelu", graph.next_order()
        kernel.inputs, kernel.outputs = source[:1], [ends[0]]
        yield from (before, plus, times, halved)


def _into_bias_gelu(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a bias with the Gelu after it, which then needs a copy of its input."""
    readers, makers = graph.readers(), graph.makers()
    for kernel in graph.kernels:
        before = makers.get(kernel.input(0)) if kernel.operator == "Gelu" else None
        if before is None or before.operator != "Add":
            continue
        biases = [graph.shape(name) for name in before.inputs if name in graph.constants]
        rows = [shape for shape in biases if len(shape) == 1]
        if rows and graph.only_reader(before, readers) is kernel:
            kernel.inputs = before.inputs
            kernel.scratch.append(graph.bytes(kernel.output))
            yield before


def _into_quick_gelu(graph: KernelGraph) -> Iterator[Kernel]:
    readers = graph.readers()
    for kernel in graph.ordered():
        after = graph.only_reader(kernel, readers) if kernel.operator == "Sigmoid" else None
        if after is not None and after.operator == "Mul" and kernel.input(0) in after.inputs:
            kernel.operator, kernel.order = "QuickGelu", graph.next_order()
            kernel.outputs = [after.output]
            yield after


def _into_skip_normalization(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a sum with the normalization after it, unless others read the sum."""
    readers, makers, rank = graph.readers(), graph.makers(), 3
    for kernel in graph.ordered():
        if kernel.operator != "LayerNormalization":
            continue
        before = makers.get(kernel.input(0))
        if before is None or before.operator != "Add":
            continue
        if graph.only_reader(before, readers) is not kernel:
            continue
        shapes = [graph.shape(name) for name in (before.input(0), before.input(1))]
        constant = not graph.constants.isdisjoint(before.inputs)
        if constant or shapes[0] != shapes[1] or len(shapes[0]) != rank:
            continue
        kernel.operator, kernel.order = "SkipLayerNormalization", graph.next_order()
        kernel.inputs = before.inputs + kernel.inputs[1:]
        yield before


def _into_scaled_product(graph: KernelGraph) -> Iterator[Kernel]:
    """Fuse a product with factors of one number, and with inputs that swap their last axes."""
    readers, makers, gone = graph.readers(), graph.makers(), set[Kernel]()
    for kernel in graph.ordered():
        if kernel.operator != "MatMul" or kernel.quantized:
            continue
        fused = set[Kernel]()
        after = graph.only_reader(kernel, readers)
        if after is not None and _is_scale(graph, after):
            fused.add(after)
            kernel.outputs[0] = after.output
        for place, name in enumerate(kernel.inputs[:2]):
            before = makers.get(name)
            while before is not None and before not in gone | fused and (
                graph.only_reader(before, readers) is not None
            ) and (_is_scale(graph, before) or _swaps_last(before)):  # fmt: skip
                source = [each for each in before.inputs if each not in graph.constants]
                if not source:
                    break
                fused.add(before)
                kernel.inputs[place] = source[0]
                before = makers.get(source[0])
        if fused:
            kernel.operator, kernel.order = "FusedMatMul", graph.next_order()
            gone |= fused
    yield from gone


def _is_scale(graph: KernelGraph, kernel: Kernel) -> bool:
    return kernel.operator in _SCALES and any(map(graph.is_scalar, kernel.inputs))


def _swaps_last(kernel: Kernel) -> bool:
    order = kernel.numbers("perm") if kernel.operator == "Transpose" else ()
    rank = len(order)
    return rank > 1 and order == (*range(rank - 2), rank - 1, rank - 2)


def _into_activated(graph: KernelGraph) -> Iterator[Kernel]:
    readers = graph.readers()
    for kernel in graph.ordered():
        kinds = None if kernel.quantized else _WITH_ACTIVATION.get(kernel.operator)
        after = graph.only_reader(kernel, readers) if kinds is not None else None
        if kinds is not None and after is not None and after.operator in kinds:
            kernel.outputs[0], kernel.order = after.output, graph.next_order()
            kernel.activated = True
            yield after


_FUSIONS: tuple[tuple[Collection[str], Callable[[KernelGraph], Iterator[Kernel]]], ...] = (
    (("Pad",), _pads),
    (_CONVOLUTIONS, _into_convolutions),
    (("MatMul",), _into_gemm),
    (("Erf",), _into_gelu),
    (("Gelu",), _into_bias_gelu),
    (("Sigmoid",), _into_quick_gelu),
    (("LayerNormalization",), _into_skip_normalization),
    (("MatMul",), _into_scaled_product),
    (_WITH_ACTIVATION, _into_activated),
)
