"""Which layer each event of LiteRT's profiler is of.

LiteRT's own kernels report the number of their node, which is the layer. XNNPACK reports its
kernels in the order of the layers, by names of its own, numbered anew in each partition: the
best match of the two sequences tells which is which. An activation
after a kernel is part of its layer. Kernels that belong to no layer, such as reshapes that
XNNPACK adds, are inserted nodes.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from inspector.model.model import Layer

# types of events
OPERATOR = 2
DELEGATED = 8
WHOLE = 1
REQUEST = 16
INVOKE = "Invoke"
# Kernels of XNNPACK by the first words of their names -> operators that they compute.
_KERNELS: Mapping[str, frozenset[str]] = {
    name: frozenset(operators.split())
    for name, operators in {
        "Fully Connected": "FULLY_CONNECTED CONV_2D",
        "Dynamic Fully Connected": "FULLY_CONNECTED BATCH_MATMUL",
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
        "Square": "SQUARE MUL",
        "Square Root": "SQRT",
        "Reciprocal Square Root": "RSQRT",
        "Floor": "FLOOR",
        "Ceiling": "CEIL",
        "Bankers Rounding": "ROUND",
        "Sine": "SIN",
        "Cosine": "COS",
        "Mean": "MEAN",
        "Sum": "SUM",
        "Normalize": "SUM",  # of squares, with the multiplication before it
        "Mean Squared": "MEAN",
        "Reduce Min": "REDUCE_MIN",
        "Reduce Max": "REDUCE_MAX",
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
        "Copy": "CONCATENATION SPLIT SPLIT_V RESHAPE",
    }.items()
}
_SQUARES_BEFORE = ("Normalize", "Mean Squared")  # kernels with the layer MUL before theirs
_MOVES = ("Static Reshape", "Copy", "Transpose")
_ACTIVATION = "Clamp"
_COMPOSITE = "STABLEHLO_COMPOSITE"
_MOST_COMPARED = (
    4_000_000  # pairs of a kernel and a layer; a partition has a few hundred of each
)


class Event(Struct, frozen=True):
    """One event of a run. node: of the runtime, or the place inside a delegate.

    start_us: 0 for what a delegate reports. subgraph: whose node it is. A REQUEST is the whole
    run with what LiteRT does around the graph.
    """

    type: int
    name: str
    node: int
    subgraph: int
    start_us: int
    duration_us: int


def is_invoke(event: Event) -> bool:
    """Return whether an event is a whole run of the main graph."""
    return event.type == WHOLE and event.name == INVOKE and event.subgraph == 0


class Partition(Struct, frozen=True):
    """Layers that a delegate runs as one.

    node: its number among the runtime's nodes. inputs, outputs: numbers of tensors.
    """

    node: int
    layers: tuple[int, ...]
    inputs: frozenset[int]
    outputs: frozenset[int]


class Kernel(Struct, frozen=True):
    """One event of a run with the layer that it is of; -1: none. partition: -1 for none."""

    event: Event
    layer: int
    partition: int


def assigned(
    run: Sequence[Event], partitions: Sequence[Partition], layers: Sequence[Layer]
) -> list[Kernel]:
    """Return the operators and kernels of a run with their layers, in order.

    The runtime replaces a composite layer by what it is composed of. Where there is only one,
    all that is no other layer's is its.
    """
    composite = [at for at, layer in enumerate(layers) if layer.operator == _COMPOSITE]
    rest = composite[0] if len(composite) == 1 else -1
    kernels: list[Kernel] = []
    for partition, events in _groups(run):
        if partition < 0:
            kernels += (Kernel(each, _layer_of(each, layers, rest), -1) for each in events)
        elif partition < len(partitions) and len(composite) == 0:
            kernels += _of_partition(events, partition, partitions[partition], layers)
        else:
            kernels += (Kernel(each, rest, partition) for each in events)
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


def _layer_of(event: Event, layers: Sequence[Layer], rest: int) -> int:
    return event.node if event.node < len(layers) else rest


def _of_partition(
    events: Sequence[Event], number: int, partition: Partition, layers: Sequence[Layer]
) -> Iterator[Kernel]:
    names = tuple(event.name.partition(" (")[0] for event in events)
    operators = tuple(layers[index].operator for index in partition.layers)
    before = -1
    for event, name, place in zip(events, names, _aligned(names, operators), strict=True):
        layer = partition.layers[place] if place >= 0 else -1
        if layer < 0 and name == _ACTIVATION:
            layer = before
        before = layer
        yield Kernel(event, layer, number)


@lru_cache(maxsize=256)  # each run has the same kernels
def _aligned(kernels: tuple[str, ...], operators: tuple[str, ...]) -> tuple[int, ...]:
    """Return for each kernel the place of its layer, -1 for none: the best match in order.

    Kernels that compute count twice, since XNNPACK adds others.
    """
    places = [-1] * len(kernels)
    if len(kernels) * len(operators) > _MOST_COMPARED:
        return tuple(places)
    computes = {name: _KERNELS.get(name, frozenset((name,))) for name in set(kernels)}
    weights = [1 if name in _MOVES else 2 for name in kernels]
    same = np.array(
        [
            [weight if operator in computes[name] else 0 for operator in operators]
            for name, weight in zip(kernels, weights, strict=True)
        ],
        np.int32,
    ).reshape(len(kernels), len(operators))
    best_to = np.zeros((len(kernels) + 1, len(operators) + 1), np.int32)
    for row, found in enumerate(same):
        best = np.maximum(best_to[row, 1:], best_to[row, :-1] + found)
        best_to[row + 1, 1:] = np.maximum.accumulate(best)
    row, column = len(kernels), len(operators)
    while row and column:
        if best_to[row, column] == best_to[row, column - 1]:
            column -= 1
        elif best_to[row, column] == best_to[row - 1, column]:
            row -= 1
        else:
            row, column = row - 1, column - 1
            places[row] = column
    return tuple(places)


def shared(kernels: Sequence[Kernel], partition: Partition, layers: Sequence[Layer]) -> (
    dict[int, int]
):  # fmt: skip
    """Return the layers of a partition without a time of their own -> the one that has it.

    A multiplication that a kernel computes along with the sum of its results goes there. Other
    layers without a kernel, such as fused activations, go to the layer before that has one.
    """
    timed = sorted({kernel.layer for kernel in kernels if kernel.layer >= 0})
    squared = {
        name: kernel.layer
        for kernel in kernels
        if kernel.layer >= 0 and kernel.event.name.startswith(_SQUARES_BEFORE)
        for name in layers[kernel.layer].inputs
    }
    into: dict[int, int] = {}
    for index in partition.layers:
        if index in timed or not timed:
            continue
        after = [squared[name] for name in layers[index].outputs if name in squared]
        before = [t for t in timed if t < index]
        into[index] = after[0] if after else before[-1] if before else timed[0]
    return into
