"""Whether a model fits into the memory of a device, the layer at the peak, and what to do."""

from collections.abc import Iterator
from math import sqrt

from msgspec import Struct

from inspector.analysis.cost.arena_plan import FLOAT_OVER_INT8, arena_plan
from inspector.analysis.cost.estimate import Estimate
from inspector.model.model import TFLITE, Model
from inspector.wording.values import Code, Name, Sentence, Share, Size

# TensorFlow Lite Micro without kernels, which take more by the operators of a model.
# Source: tensorflow.org/lite/microcontrollers ("16 KB on Arm Cortex M3").
MICRO_FLASH_BYTES = 16 << 10
LEARNED_BYTES = 4  # of a threshold or a value of a leaf
_IMAGE_RANK = 4  # of an input: batch, channels, height, width
_LEAST_SIDE = 0.25  # of an input; a smaller one is no longer the same task


class MemoryNeed(Struct, frozen=True):
    """What a model takes on a device, in bytes.

    ram_low, ram_high: from what values and weights take at least to what runtimes were seen to
    take. flash: of weights and runtime; 0 where weights lie in RAM. values: that share memory,
    at the peak.
    """

    ram_low: int
    ram_high: int
    flash: int
    values: int


class MemoryFit(Struct, frozen=True):
    """The need of a model beside the memory of a device.

    fits: None where the limits lie in the range, or are not known. layer: index of the one at
    the peak. remedies: what makes it fit.
    """

    need: MemoryNeed
    ram_limit: int
    flash_limit: int
    fits: bool | None
    layer: int | None
    remedies: tuple[Sentence, ...]


def memory_fit(
    model: Model, cost: Estimate, ram_limit: int, flash_limit: int, tokens_bytes: int = 0
) -> MemoryFit:
    """Return whether a model fits.

    ram_limit, flash_limit: of the device; with flash, weights stay there and TensorFlow Lite
    Micro runs the model. tokens_bytes: RAM of a language model with its cache.
    """
    need = _need(model, cost, flash_limit > 0, 1, tokens_bytes)
    fits = _fits(need, ram_limit, flash_limit)
    remedies = () if fits else tuple(_remedies(model, cost, need, ram_limit, flash_limit))
    return MemoryFit(need, ram_limit, flash_limit, fits, cost.peak.layer, remedies)


def _need(
    model: Model, cost: Estimate, in_flash: bool, smaller: int, tokens_bytes: int = 0
) -> MemoryNeed:
    learned = sum(layer.learned_numbers for layer in model.layers)  # of trees, in attributes
    weights = (cost.cost.weights_bytes + LEARNED_BYTES * learned) // smaller
    if in_flash:
        plan = arena_plan(model, cost.memory, smaller)
        if model.format == TFLITE:  # the whole file is in flash
            weights = max(weights, model.size_bytes // smaller)
        flash = weights + MICRO_FLASH_BYTES
        return MemoryNeed(plan.bytes, plan.bytes, flash, plan.values_bytes)
    if tokens_bytes:
        return MemoryNeed(tokens_bytes, tokens_bytes, 0, cost.peak_bytes)
    low, high = cost.peak_bytes // smaller, cost.most_peak_bytes // smaller
    return MemoryNeed(weights + low, weights + high, 0, low)


def _fits(need: MemoryNeed, ram_limit: int, flash_limit: int) -> bool | None:
    if not ram_limit:
        return None
    if need.flash > flash_limit or need.ram_low > ram_limit:
        return False
    return True if need.ram_high <= ram_limit else None


def _remedies(
    model: Model, cost: Estimate, need: MemoryNeed, ram_limit: int, flash_limit: int
) -> Iterator[Sentence]:
    if not ram_limit:
        return
    stored = sum(weight.size_bytes or 0 for weight in model.weights)
    in_float = sum(
        weight.size_bytes or 0 for weight in model.weights if weight.dtype == "float32"
    )
    least_flash = need.flash
    if 2 * in_float > stored:
        small = _need(model, cost, flash_limit > 0, FLOAT_OVER_INT8)
        least_flash = min(least_flash, small.flash)
        answer = {True: "fits", False: "does not fit either", None: "may fit"}
        yield Sentence(
            "In int8 ({command}) it needs {ram} of RAM{flash}: it {answer}.",
            command=Code("inspector convert MODEL int8 -o FILE"),
            ram=Size(small.ram_high),
            flash=Sentence(" and {size} of flash", Size(small.flash)) if flash_limit else "",
            answer=answer[_fits(small, ram_limit, flash_limit)],
        )
    if least_flash > flash_limit:  # no change of the values helps
        return
    if not any(len(value.shape or ()) == _IMAGE_RANK for value in model.inputs):
        return
    room = ram_limit - (need.ram_low - need.values)
    if need.ram_low > ram_limit and 0 < room < need.values:
        # Values of images grow with the area of the input.
        side = sqrt(room / need.values)
        if side >= _LEAST_SIDE:
            yield Sentence(
                "Smaller input: at {side} of the width and height, values take as much as "
                "there is.",
                side=Share(side),
            )
    layer = cost.peak.layer
    if need.ram_low > ram_limit and layer is not None and cost.memory.at_peak:
        largest = cost.memory.at_peak[0]
        yield Sentence(
            "Tiling: the peak is at {layer}, where {tensor} alone takes {size}; computed in "
            "parts, only a part of it is there at once.",
            layer=Name(model.layers[layer].label),
            tensor=Name(largest.name),
            size=Size(largest.bytes),
        )
