"""Graphs of one operator repeated, in sizes that networks have.

They tell `benchmarks.estimates` what a kind of layer costs that only one network has.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.corpus.built import Net
from benchmarks.corpus.sized import save
from sample_models.making.graph import value

Shape = tuple[int, ...]
Step = Callable[[Net, str, Shape], str]
_TIMES = 4


def alone(net: Net, x: str, _: Shape, operator: str, **attributes: object) -> str:
    """Add an operator with one input."""
    return net.op(operator, x, **attributes)


def pooled(net: Net, x: str, _: Shape, operator: str) -> str:
    """Pool without a change of size."""
    return net.op(operator, x, kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def convolved(net: Net, x: str, shape: Shape, side: int, depthwise: bool = False) -> str:
    """Convolve to as many channels, in as many dimensions as there are."""
    channels, dimensions = shape[1], len(shape) - 2
    kernel = net.drawn(channels, 1 if depthwise else channels, *([side] * dimensions))
    group, pads = channels if depthwise else 1, [side // 2] * 2 * dimensions
    return net.op("Conv", x, kernel, net.drawn(channels), group=group, pads=pads)


def narrowed(net: Net, x: str, shape: Shape, made: int) -> str:
    """Convolve to few channels and back."""
    channels = shape[1]
    y = net.op("Conv", x, net.drawn(made, channels, 3, 3), pads=[1, 1, 1, 1])
    return net.op("Conv", y, net.drawn(channels, made, 3, 3), pads=[1, 1, 1, 1])


def multiplied(net: Net, x: str, shape: Shape) -> str:
    """Multiply by a matrix of weights."""
    return net.op("MatMul", x, net.drawn(shape[-1], shape[-1]))


def attended(net: Net, x: str, _: Shape) -> str:
    """Multiply by itself twice."""
    return net.op("MatMul", net.op("MatMul", x, net.op("Transpose", x, perm=(0, 1, 3, 2))), x)


def normalized(net: Net, x: str, shape: Shape) -> str:
    """Normalise the last axis."""
    return net.op("LayerNormalization", x, *[net.drawn(shape[-1]) for _ in "sb"], axis=-1)


def reduced(net: Net, x: str, _: Shape) -> str:
    """Multiply by the mean of the last axis."""
    return net.op("Mul", x, net.op("ReduceMean", x, axes=[-1]))


def remembered(net: Net, x: str, shape: Shape, operator: str, gates: int) -> str:
    """Go through a sequence."""
    width = shape[-1]
    weights = [net.drawn(1, gates * width, width) for _ in "wr"]
    y = net.op(operator, x, *weights, net.drawn(1, 2 * gates * width), hidden_size=width)
    return net.op("Squeeze", y, net.numbers(1))


def turned(net: Net, x: str, _: Shape) -> str:
    """Move the channels last and back; the pool keeps both."""
    y = net.op("Relu", net.op("Transpose", x, perm=(0, 2, 3, 1)))
    return net.op("Transpose", y, perm=(0, 3, 1, 2))


def joined(net: Net, x: str, shape: Shape) -> str:
    """Put three beside each other and take one again."""
    y = net.op("Concat", *[net.op("Relu", x) for _ in "abc"], axis=1)
    ends = [net.numbers(shape[1]), net.numbers(2 * shape[1]), net.numbers(1)]
    return net.op("Slice", y, *ends)


def padded(net: Net, x: str, _: Shape) -> str:
    """Add a border."""
    return net.op("Pad", x, net.numbers(0, 0, 1, 1, 0, 0, 1, 1))


def resized(net: Net, x: str, _: Shape, mode: str) -> str:
    """Double the sides, and pool them back."""
    scales = net.weight(f"{x}_scales", np.array([1, 1, 2, 2], np.float32))
    y = net.op("Resize", x, "", scales, mode=mode)
    return net.op("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2])


def combined(net: Net, x: str, shape: Shape, operator: str) -> str:
    """Combine with an array of weights of the same size."""
    return net.op(operator, x, net.drawn(*shape))


def widened(net: Net, x: str, shape: Shape) -> str:
    """Convolve to double sides, and pool them back."""
    y = net.op("ConvTranspose", x, net.drawn(shape[1], shape[1], 2, 2), strides=[2, 2])
    return net.op("MaxPool", y, kernel_shape=[2, 2], strides=[2, 2])


_IMAGES = ((1, 16, 32, 32), (1, 64, 56, 56), (1, 24, 112, 112), (1, 256, 14, 14))
_TOKENS = ((1, 32, 64), (1, 128, 256), (1, 256, 768))
_ROWS = ((1, 256), (1, 2048))
_STEPS = ((20, 1, 64), (100, 1, 128), (50, 1, 256))
_SAMPLES = ((1, 32, 500), (1, 64, 2000), (1, 128, 2000))
# Name: the step, sizes, and whether it is quantized too.
OPERATORS: dict[str, tuple[Step, tuple[Shape, ...], bool]] = {
    **{
        name.lower(): (partial(alone, operator=name), _IMAGES, False)
        for name in ("Relu", "Sigmoid", "Tanh", "Erf", "Exp", "Softmax", "HardSwish")
    },
    "add": (partial(combined, operator="Add"), _IMAGES, True),
    "mul": (partial(combined, operator="Mul"), _IMAGES, False),
    "div": (partial(combined, operator="Div"), _IMAGES, False),
    "maxpool": (partial(pooled, operator="MaxPool"), _IMAGES, False),
    "averagepool": (partial(pooled, operator="AveragePool"), _IMAGES, False),
    "lrn": (partial(alone, operator="LRN", size=5), _IMAGES[:2], False),
    "normalized": (normalized, _TOKENS, False),
    "reduced": (reduced, _TOKENS, False),
    "turned": (turned, _IMAGES, False),
    "joined": (joined, _IMAGES[:3], False),
    "padded": (padded, _IMAGES[:3], False),
    "nearest": (partial(resized, mode="nearest"), _IMAGES[:3], False),
    "linear": (partial(resized, mode="linear"), _IMAGES[:3], False),
    "conv3": (partial(convolved, side=3), _IMAGES, True),
    "conv5": (partial(convolved, side=5), _IMAGES[:2], True),
    "conv1": (partial(convolved, side=1), _IMAGES, True),
    "depthwise3": (partial(convolved, side=3, depthwise=True), _IMAGES, True),
    "depthwise5": (partial(convolved, side=5, depthwise=True), _IMAGES, False),
    "narrowed1": (partial(narrowed, made=1), _IMAGES[:3], False),
    "narrowed3": (partial(narrowed, made=3), _IMAGES[:3], False),
    "line3": (partial(convolved, side=3), _SAMPLES, False),
    "line1": (partial(convolved, side=1), _SAMPLES, False),
    "linedepth": (partial(convolved, side=3, depthwise=True), _SAMPLES, False),
    "widened": (widened, _IMAGES[:2], False),
    "multiplied": (multiplied, _TOKENS + _ROWS, True),
    "attended": (attended, ((1, 4, 64, 32), (1, 8, 196, 32)), False),
    "lstm": (partial(remembered, operator="LSTM", gates=4), _STEPS, False),
    "gru": (partial(remembered, operator="GRU", gates=3), _STEPS, False),
}


def write(folder: Path) -> Iterator[tuple[str, Path, bool]]:
    """Write all of them, and yield name, file, and whether it is quantized too."""
    for name, (step, shapes, quantized) in OPERATORS.items():
        for shape in shapes:
            net, x = Net(name), "x"
            for _ in range(1 if len(shape) == 3 and shape in _STEPS else _TIMES):
                x = step(net, x, shape)
            path = folder / f"{name}_{'_'.join(map(str, shape))}.onnx"
            save(net, value("x", "float32", list(shape)), x, path)
            yield name, path, quantized
