"""Events of the profiler and their layers, without the runtime."""

from inspector.backends.litert.layer_times import (
    DELEGATED,
    OPERATOR,
    Event,
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


def test_each_partition_numbers_its_kernels_anew() -> None:
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


def test_layers_with_fewer_kernels_than_there_are_have_one_time_together() -> None:
    events = run(
        (DELEGATED, "Fully Connected (NC, F32) GEMM", 0),
        (DELEGATED, "Sigmoid (NC)", 1),
        (DELEGATED, "Sigmoid (NC)", 2),
    )
    kernels = assigned(events, [part(1, 2, 3, 4)], LAYERS)
    assert [kernel.layer for kernel in kernels] == [1, 2, 4]
    assert shared(kernels, part(1, 2, 3, 4), LAYERS) == {3: 1}
