"""Events of the profiler and their layers, without the runtime."""

from inspector.backends.litert.layer_times import (
    DELEGATED,
    OPERATOR,
    Event,
    Kernel,
    Partition,
    assigned,
    shared,
)
from inspector.model.model import Layer

OPERATORS = ("RESHAPE", "FULLY_CONNECTED", "LOGISTIC", "FULLY_CONNECTED", "LOGISTIC", "PACK")
LAYERS = [Layer(i, f"l{i}", name, "tflite", (), ()) for i, name in enumerate(OPERATORS)]


def run(*events: tuple[int, str, int]) -> list[Event]:
    return [Event(kind, name, node, 0, 0, 1) for kind, name, node in events]


def part(*layers: int) -> Partition:
    return Partition(6, layers, frozenset(), frozenset())


def test_each_partition_numbers_its_kernels_anew():
    events = run(
        (OPERATOR, "RESHAPE", 0),
        (DELEGATED, "Static Reshape (NC)", 0),
        (DELEGATED, "Fully Connected (NC, F32) GEMM", 1),
        (DELEGATED, "Sigmoid (NC)", 2),
        (DELEGATED, "Fully Connected (NC, F32) GEMM", 0),  # the next partition at once
        (DELEGATED, "Sigmoid (NC)", 1),
        (OPERATOR, "PACK", 5),
    )
    nothing = frozenset[int]()
    partitions = [
        Partition(6, (1, 2), nothing, nothing),
        Partition(7, (3, 4), nothing, nothing),
    ]
    found = assigned(events, partitions, LAYERS)
    assert [(each.layer, each.partition) for each in found] == [
        (0, -1), (-1, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, -1),
    ]  # fmt: skip


def of(operators: str, kernels: str) -> tuple[list[Kernel], dict[int, int]]:
    names = operators.split()
    layers = [
        Layer(at, f"l{at}", name, "tflite", (f"l{at - 1}",), (f"l{at}",))
        for at, name in enumerate(names)
    ]
    partition = part(*range(len(layers)))
    events = run(*((DELEGATED, name, at) for at, name in enumerate(kernels.split("; "))))
    found = assigned(events, [partition], layers)
    return found, shared(found, partition, layers)


def test_kernels_belong_to_the_layers_of_their_kind_in_order():
    """XNNPACK computes some convolutions as fully connected layers, and adds reshapes."""
    kernels, into = of(
        "FULLY_CONNECTED RESHAPE CONV_2D RESHAPE CONV_2D MUL FULLY_CONNECTED",
        "Static Reshape (NC); Fully Connected (NC, F32) GEMM; Static Reshape (NC); "
        "Fully Connected (NC, F32) GEMM; Convolution (NHWC, F32) IGEMM; Multiply (ND); "
        "Static Reshape (NC); Fully Connected (NC, F32) GEMM",
    )
    assert [kernel.layer for kernel in kernels] == [-1, 0, 1, 2, 4, 5, -1, 6]
    assert into == {3: 2}


def test_an_activation_and_a_square_belong_to_the_layer_they_were_fused_with():
    kernels, into = of("ADD SQRT MUL SUM", "Add (ND); Clamp (NC); Square Root (NC); Normalize")
    assert [kernel.layer for kernel in kernels] == [0, 0, 1, 3]
    assert into == {2: 3}


def test_what_replaces_a_composite_layer_is_its_time():
    layers = [Layer(0, "l0", "STABLEHLO_COMPOSITE", "tflite", (), ())]
    events = run((OPERATOR, "SUB", 1), (DELEGATED, "Add (ND)", 0))
    assert [kernel.layer for kernel in assigned(events, [], layers)] == [0, 0]
