"""The arena that TensorFlow Lite Micro plans for the values of a model, byte by byte.

Its planner puts the largest tensors first, each at the lowest place that is free while it
lives (tensorflow/lite/micro/memory_planner/greedy_memory_planner.cc). Held against the arenas
of its interpreter by benchmarks/arenas.py: equal for 20 of 26 models, within 8% for 25.
"""

from collections.abc import Sequence
from typing import NamedTuple

from inspector.analysis.cost.memory_plan import Lifetime, MemoryPlan
from inspector.model.model import Model

ALIGNMENT = 16  # bytes, of a buffer in the arena (MicroArenaBufferAlignment)
# What stays in the arena besides values, as the recording allocator of the interpreter says it
# on a 64-bit machine: for each layer its registration and what its kernel prepares, for each
# tensor its address and shape, for each output channel of a quantized layer its multiplier.
LAYER_BYTES = 130
TENSOR_BYTES = 24
CHANNEL_BYTES = 8
BASE_BYTES = 700
# More tensors belong to no microcontroller, and placing them takes the square of their number.
MOST_TENSORS = 2_000
FLOAT_OVER_INT8 = 4  # how many times larger float32 is


class ArenaPlan(NamedTuple):
    """The memory of an interpreter for microcontrollers.

    values_bytes: of tensors that share memory. kept_bytes: of layers and tensors themselves.
    layer: index of the one that runs while the most is alive; None where there is none.
    """

    values_bytes: int
    kept_bytes: int
    layer: int | None

    @property
    def bytes(self) -> int:
        """Return the size that the arena must have."""
        return self.values_bytes + self.kept_bytes


def arena_plan(model: Model, memory: MemoryPlan, smaller: int = 1) -> ArenaPlan:
    """Return the arena of a model. smaller: by which values shrink, 4 from float32 to int8."""
    last_read = {
        name: layer.index
        for layer in model.layers
        if layer.parent is None
        for name in layer.inputs
    }
    given = {value.name for value in model.inputs}
    placed: list[tuple[int, int, int, int]] = []
    if len(memory.tensors) > MOST_TENSORS:
        least = int(memory.live.max(initial=0)) // smaller
        return ArenaPlan(least, LAYER_BYTES * len(model.layers), memory.peak.layer)
    largest = sorted(memory.tensors, key=lambda each: (-each.bytes, _first(each)))
    for tensor in largest:
        end = len(model.layers) if tensor.last is None else tensor.last
        if tensor.name in given:  # read only until its last layer
            end = last_read.get(tensor.name, 0)
        size = -(-tensor.bytes // smaller // ALIGNMENT) * ALIGNMENT
        placed.append((_place(placed, size, _first(tensor), end), size, _first(tensor), end))
    values = max((offset + size for offset, size, *_ in placed), default=0)
    kernels = [weight.shape for weight in model.weights if len(weight.shape) == 4]
    # Those of depthwise convolutions are 1 × H × W × channels in TensorFlow Lite.
    channels = sum(shape[-1] if shape[0] == 1 else shape[0] for shape in kernels)
    kept = (
        BASE_BYTES
        + LAYER_BYTES * len(model.layers)
        + TENSOR_BYTES * (len(memory.tensors) + len(model.weights))
        + CHANNEL_BYTES * channels
    )
    return ArenaPlan(values, kept, memory.peak.layer)


def _first(tensor: Lifetime) -> int:
    return -1 if tensor.first is None else tensor.first


def _place(
    placed: Sequence[tuple[int, int, int, int]], size: int, first: int, last: int
) -> int:
    """Return the lowest offset that is free from a layer to another."""
    offset = 0
    for start, taken, begin, end in sorted(placed):
        if begin <= last and first <= end:
            if start - offset >= size:
                break
            offset = max(offset, start + taken)
    return offset
