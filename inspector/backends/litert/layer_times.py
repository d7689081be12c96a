"""Which layer each event of LiteRT's profiler is of, and the time of each layer.

LiteRT's own kernels report the number of their node, which is the layer. XNNPACK reports its
kernels in order, by names of its own, numbered anew in each partition. Kernels of one kind are
those of the partition's layers of that kind, in order, where there are as many of each;
otherwise their time belongs to these layers together. Kernels that belong to no layer, such as
reshapes that XNNPACK adds, are inserted nodes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inspector.model.model import Layer

OPERATOR, DELEGATED, WHOLE = 2, 8, 1  # types of events
INVOKE = "Invoke"
# Kernels of XNNPACK by the first words of their names -> operators that they compute.
_KERNELS: Mapping[str, frozenset[str]] = {
    name: frozenset(operators.split())
    for name, operators in {
        "Fully Connected": "FULLY_CONNECTED",
        "Dynamic Fully Connected": "FULLY_CONNECTED",
        "Convolution": "CONV_2D DEPTHWISE_CONV_2D",
        "Deconvolution": "TRANSPOSE_CONV",
        "Batch Matrix Multiply": "BATCH_MATMUL",
        "Add": "ADD",
        "Subtract": "SUB",
        "Multiply": "MUL",
        "Divide": "DIV",
        "Maximum": "MAXIMUM",
        "Minimum": "MINIMUM",
        "Squared Difference": "SQUARED_DIFFERENCE",
        "Sigmoid": "LOGISTIC",
        "TanH": "TANH",
        "Softmax": "SOFTMAX",
        "Clamp": "RELU RELU6 RELU_N1_TO_1 RELU_0_TO_1",
        "Leaky ReLU": "LEAKY_RELU",
        "PReLU": "PRELU",
        "ELU": "ELU",
        "GELU": "GELU",
        "HardSwish": "HARD_SWISH",
        "Exp": "EXP",
        "Log": "LOG",
        "Abs": "ABS",
        "Negate": "NEG",
        "Square": "SQUARE",
        "Square Root": "SQRT",
        "Reciprocal Square Root": "RSQRT",
        "Floor": "FLOOR",
        "Ceiling": "CEIL",
        "Bankers Rounding": "ROUND",
        "Sine": "SIN",
        "Cosine": "COS",
        "Mean": "MEAN",
        "Sum": "SUM",
        "Max Pooling": "MAX_POOL_2D",
        "Average Pooling": "AVERAGE_POOL_2D",
        "Transpose": "TRANSPOSE",
        "Slice": "SLICE STRIDED_SLICE",
        "Constant Pad": "PAD PADV2",
        "Static Reshape": "RESHAPE SQUEEZE EXPAND_DIMS",
        "Resize Bilinear": "RESIZE_BILINEAR",
        "Depth To Space": "DEPTH_TO_SPACE",
        "Space To Depth": "SPACE_TO_DEPTH",
        "Convert": "QUANTIZE DEQUANTIZE CAST",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a run. node: of the runtime, or the place inside a delegate.

    start_us: 0 for what a delegate reports. subgraph: whose node it is.
    """

    type: int
    name: str
    node: int
    subgraph: int
    start_us: int
    duration_us: int


@dataclass(frozen=True, slots=True)
class Partition:
    """Layers that a delegate runs as one.

    node: its number among the runtime's nodes. inputs, outputs: numbers of tensors.
    """

    node: int
    layers: tuple[int, ...]
    inputs: frozenset[int]
    outputs: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kernel:
    """One event of a run with the layer that it is of; -1: none. partition: -1 for none."""

    event: Event
    layer: int
    partition: int


def assigned(
    run: Sequence[Event], partitions: Sequence[Partition], layers: Sequence[Layer]
) -> list[Kernel]:
    """Return the operators and kernels of a run with their layers, in order."""
    kernels: list[Kernel] = []
    groups = list(_groups(run))
    for partition, events in groups:
        if partition < 0:
            kernels += (Kernel(each, _layer_of(each, layers), -1) for each in events)
        elif partition < len(partitions):
            kernels += _of_partition(events, partition, partitions[partition], layers)
        else:
            kernels += (Kernel(each, -1, partition) for each in events)
    return kernels


def _groups(run: Sequence[Event]) -> Iterator[tuple[int, list[Event]]]:
    """Yield (number of a partition or -1, events); kernels are numbered from 0 in each."""
    number, group = -1, list[Event]()
    inside = False
    for event in run:
        if event.type == OPERATOR and event.subgraph == 0:
            if group:
                yield (number if inside else -1), group
            inside, group = False, [event]
        elif event.type == DELEGATED:
            begins = not inside or event.node <= group[-1].node
            if begins and group:
                yield (number if inside else -1), group
            if begins:
                number, inside, group = number + 1, True, []
            group.append(event)
    if group:
        yield (number if inside else -1), group


def _layer_of(event: Event, layers: Sequence[Layer]) -> int:
    return event.node if event.node < len(layers) else -1


def _of_partition(
    events: Sequence[Event], number: int, partition: Partition, layers: Sequence[Layer]
) -> Iterator[Kernel]:
    by_kind: dict[frozenset[str], list[Event]] = defaultdict(list)
    for event in events:
        by_kind[_operators(event.name)].append(event)
    layer_of: dict[int, int] = {}
    for operators, kernels in by_kind.items():
        own = [index for index in partition.layers if layers[index].operator in operators]
        for place, event in enumerate(kernels if own else ()):
            layer_of[id(event)] = own[place if len(kernels) == len(own) else 0]
    for event in events:
        yield Kernel(event, layer_of.get(id(event), -1), number)


def _operators(kernel: str) -> frozenset[str]:
    name = kernel.partition(" (")[0]
    return _KERNELS.get(name, frozenset((name,)))


def shared(kernels: Sequence[Kernel], partition: Partition, layers: Sequence[Layer]) -> (
    dict[int, int]
):  # fmt: skip
    """Return the layers of a partition without a time of their own -> the one that has it.

    Layers of one kind that have fewer or more kernels go to the first of them; those without
    any kernel, such as fused activations, to the layer before them that has one.
    """
    timed = sorted({kernel.layer for kernel in kernels if kernel.layer >= 0})
    into: dict[int, int] = {}
    for index in partition.layers:
        if index in timed or not timed:
            continue
        alike = [t for t in timed if layers[t].operator == layers[index].operator]
        before = [t for t in timed if t < index]
        into[index] = alike[0] if alike else before[-1] if before else timed[0]
    return into
