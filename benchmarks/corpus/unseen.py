"""Networks of kinds unlike those of `sized`, in two sizes.

`benchmarks.estimates` and `benchmarks.time_gained` foretell each kind from the others.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from benchmarks.corpus.built import Net
from benchmarks.corpus.sized import conv, dense_layer, head, layer_norm
from sample_models.making.graph import IR_VERSION, OPSET, value

Shape = tuple[int | str, ...]
_HEADS = 4


def _relu_conv(net: Net, x: str, given: int, made: int, side: int = 3, stride: int = 1) -> str:
    return net.op("Relu", conv(net, x, given, made, side, stride=stride))


def _heads(net: Net, x: str, width: int, keys: str = "", dynamic: bool = False) -> str:
    """Attend, with the mask `keys` where one is given."""
    split = net.numbers(0, -1 if dynamic else 0, _HEADS, width // _HEADS)
    parts = [
        net.op("Transpose", net.op("Reshape", dense_layer(net, x, width, width), split), perm=p)
        for p in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    ]
    scores = net.op("Div", net.op("MatMul", *parts[:2]), net.numbers(4.0))
    if keys:
        scores = net.op("Add", scores, keys)
    y = net.op("MatMul", net.op("Softmax", scores, axis=-1), parts[2])
    y = net.op("Reshape", net.op("Transpose", y, perm=(0, 2, 1, 3)), net.numbers(0, -1, width))
    return dense_layer(net, y, width, width)


def masked(net: Net, x: str, width: int, depth: int) -> str:
    """A transformer with dynamic axes and a mask that is computed from the text's length."""
    size = net.op("Gather", net.op("Shape", x), net.weight("at", np.array(1, np.int64)))
    zero, one = (net.weight(n, np.array(v, np.int64)) for n, v in (("z", 0), ("o", 1)))
    places = net.op("Range", zero, size, one)
    after = net.op("Less", net.op("Unsqueeze", places, net.numbers(1)), places)
    mask = net.op("Mul", net.op("Cast", after, to=TensorProto.FLOAT), net.numbers(-1e4))
    for _ in range(depth):
        y = _heads(net, layer_norm(net, x, width), width, mask, dynamic=True)
        x = net.op("Add", x, y)
        y = net.bell(dense_layer(net, layer_norm(net, x, width), width, 4 * width))
        x = net.op("Add", x, dense_layer(net, y, 4 * width, width))
    return x


def generator(net: Net, x: str, width: int, depth: int) -> str:
    """DCGAN: an image from noise by transposed convolutions."""
    given = width << depth
    x = net.op("Reshape", dense_layer(net, x, 64, given * 16), net.numbers(0, given, 4, 4))
    for _ in range(depth):
        kernel = net.drawn(given, given // 2, 4, 4)
        x = net.op("ConvTranspose", x, kernel, strides=[2, 2], pads=[1, 1, 1, 1])
        x, given = net.op("Relu", x), given // 2
    return net.op("Tanh", conv(net, x, given, 3))


def looped(net: Net, x: str, width: int, depth: int) -> str:
    """A Loop whose body multiplies and bounds."""
    body = Net("body", 1000)
    y = body.op("Tanh", body.op("MatMul", "state", body.drawn(width, width)))
    body.result(y, "next")
    body.node_with("Identity", "go", ["keep"], ["kept"])
    ends = [value("step", "int64", []), value("keep", "bool", [])]
    state = helper.make_tensor_value_info("state", TensorProto.FLOAT, [1, width])
    made = helper.make_tensor_value_info("next", TensorProto.FLOAT, [1, width])
    graph = body.proto([*ends, state], [value("kept", "bool", []), made])
    count = net.weight("count", np.array(depth, np.int64))
    go = net.weight("start", np.array(True))
    return dense_layer(net, net.op("Loop", count, go, x, body=graph), width, width)


def branched(net: Net, x: str, width: int, depth: int) -> str:
    """An If with convolutions on one side."""
    x = _relu_conv(net, x, 3, width)
    sides = []
    for name, first in (("then", 1000), ("else", 2000)):
        side, y = Net(name, first), x
        for _ in range(depth if name == "then" else 1):
            y = side.op("Relu", conv(side, y, width, width))
        made = helper.make_tensor_value_info(side.result(y, f"{name}_y"), 1, None)
        sides.append(side.proto([], [made]))
    bright = net.op("Greater", net.op("ReduceMean", x, keepdims=0), net.numbers(0.0))
    return head(net, net.op("If", bright, then_branch=sides[0], else_branch=sides[1]), width)


def both_ways(net: Net, x: str, width: int, depth: int) -> str:
    """LSTMs in both directions over features of sound."""
    x, given = net.op("Transpose", x, perm=(1, 0, 2)), 40
    for _ in range(depth):
        sizes = (net.drawn(2, 4 * width, given), net.drawn(2, 4 * width, width))
        cell = net.op(
            "LSTM", x, *sizes, net.drawn(2, 8 * width), hidden_size=width,
            direction="bidirectional",
        )  # fmt: skip
        y = net.op("Transpose", cell, perm=(0, 2, 1, 3))
        x, given = net.op("Reshape", y, net.numbers(0, 0, -1)), 2 * width
    return net.op("Softmax", dense_layer(net, x, given, 60), axis=-1)


def concatenated(net: Net, x: str, width: int, depth: int) -> str:
    """DenseNet: each layer reads all before it."""
    x, given = _relu_conv(net, x, 3, width, 7, 2), width
    for _ in range(3):
        for _ in range(depth):
            y = _relu_conv(net, net.op("Relu", x), given, 2 * width, 1)
            x = net.op("Concat", x, conv(net, y, 2 * width, width // 2), axis=1)
            given += width // 2
        x, given = conv(net, x, given, given // 2, 1), given // 2
        x = net.op("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])
    return head(net, x, given)


def pyramid(net: Net, x: str, width: int, depth: int) -> str:
    """A feature pyramid: linear resizes of coarse maps onto fine ones, then masks."""
    levels, given = [], 3
    for stage in range(3):
        for place in range(depth):
            x = _relu_conv(net, x, given, width << stage, stride=1 if place else 2)
            given = width << stage
        levels.append(conv(net, x, given, width, 1))
    x = levels[-1]
    scales = net.weight("twice", np.array([1, 1, 2, 2], np.float32))
    for fine in reversed(levels[:-1]):
        x = net.op("Add", net.op("Resize", x, "", scales, mode="linear"), fine)
        x = _relu_conv(net, x, width, width)
    return net.op("Sigmoid", conv(net, x, width, 8, 1))


def grouped_norm(net: Net, x: str, width: int, depth: int) -> str:
    """The blocks of a diffusion network: group norms, swish, attention over pixels."""
    x = conv(net, x, 3, width)
    for _ in range(depth):
        y = conv(net, net.swish(net.grouped(x, width)), width, width)
        x = net.op("Add", x, conv(net, net.swish(net.grouped(y, width)), width, width))
    flat = net.op("Transpose", net.op("Reshape", x, net.numbers(0, width, -1)), perm=(0, 2, 1))
    y = net.op("Transpose", _heads(net, flat, width), perm=(0, 2, 1))
    x = net.op("Add", x, net.op("Reshape", y, net.op("Shape", x)))
    return conv(net, x, width, 3)


def convnext(net: Net, x: str, width: int, depth: int) -> str:
    """Depthwise convolutions of 7 pixels, then layers over channels that stand last."""
    x = net.op("Conv", x, net.drawn(width, 3, 4, 4), net.drawn(width), strides=[4, 4])
    for _ in range(depth):
        y = net.op("Transpose", conv(net, x, width, width, 7, width), perm=(0, 2, 3, 1))
        y = net.bell(dense_layer(net, layer_norm(net, y, width), width, 4 * width))
        y = net.op("Transpose", dense_layer(net, y, 4 * width, width), perm=(0, 3, 1, 2))
        x = net.op("Add", x, y)
    return head(net, x, width)


def mixer(net: Net, x: str, width: int, depth: int) -> str:
    """MLP-Mixer: dense layers over patches and over channels in turn."""
    y = net.op("Conv", x, net.drawn(width, 3, 16, 16), strides=[16, 16])
    y = net.op("Transpose", net.op("Reshape", y, net.numbers(0, width, -1)), perm=(0, 2, 1))
    patches = 100
    for _ in range(depth):
        z = net.op("Transpose", layer_norm(net, y, width), perm=(0, 2, 1))
        z = net.bell(dense_layer(net, z, patches, 2 * width))
        z = dense_layer(net, z, 2 * width, patches)
        y = net.op("Add", y, net.op("Transpose", z, perm=(0, 2, 1)))
        z = net.bell(dense_layer(net, layer_norm(net, y, width), width, 4 * width))
        y = net.op("Add", y, dense_layer(net, z, 4 * width, width))
    return dense_layer(net, net.op("ReduceMean", y, axes=[1], keepdims=0), width, 1000)


def inception(net: Net, x: str, width: int, depth: int) -> str:
    """Branches of several kernels beside a pool."""
    x, given = _relu_conv(net, x, 3, width, stride=2), width
    for place in range(depth):
        pooled = net.op("MaxPool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        sides = [
            _relu_conv(net, x, given, width, 1),
            _relu_conv(net, _relu_conv(net, x, given, width, 1), width, width),
            _relu_conv(net, _relu_conv(net, x, given, width // 2, 1), width // 2, width, 5),
            _relu_conv(net, pooled, given, width, 1),
        ]
        x, given = net.op("Concat", *sides, axis=1), 4 * width
        if place % 2:
            x = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    return head(net, x, given)


def shuffled(net: Net, x: str, width: int, depth: int) -> str:
    """ShuffleNet: half the channels pass, the others are convolved, then all are mixed."""
    x, half = _relu_conv(net, x, 3, width, stride=2), width // 2
    for _ in range(depth):
        left, right = net.node_with(
            "Split", f"halves_{x}", [x, net.numbers(half, half)], [f"{x}_l", f"{x}_r"], axis=1
        )
        y = conv(net, _relu_conv(net, right, half, half, 1), half, half, 3, half)
        x = net.op("Concat", left, _relu_conv(net, y, half, half, 1), axis=1)
        shape = net.op("Shape", x)
        y = net.op("Reshape", x, net.numbers(0, 2, half, -1))
        x = net.op("Reshape", net.op("Transpose", y, perm=(0, 2, 1, 3)), shape)
    return head(net, x, width)


def cardinal(net: Net, x: str, width: int, depth: int) -> str:
    """ResNeXt with gates: convolutions in 8 groups."""
    x = _relu_conv(net, x, 3, width, 7, 2)
    for _ in range(depth):
        y = _relu_conv(net, x, width, width, 1)
        y = conv(net, net.op("Relu", conv(net, y, width, width, 3, 8)), width, width, 1)
        gate = _relu_conv(net, net.op("GlobalAveragePool", y), width, width // 4, 1)
        gate = net.op("Sigmoid", conv(net, gate, width // 4, width, 1))
        x = net.op("Relu", net.op("Add", x, net.op("Mul", y, gate)))
    return head(net, x, width)


def volume(net: Net, x: str, width: int, depth: int) -> str:
    """Convolutions over three dimensions, as for video."""
    given = 1
    for _ in range(depth):
        kernel = net.drawn(width, given, 3, 3, 3)
        x = net.op("Relu", net.op("Conv", x, kernel, net.drawn(width), pads=[1] * 6))
        x, given = net.op("MaxPool", x, kernel_shape=[1, 2, 2], strides=[1, 2, 2]), width
    return dense_layer(net, net.op("Flatten", net.op("GlobalAveragePool", x)), width, 10)


def gated_waves(net: Net, x: str, width: int, depth: int) -> str:
    """WaveNet: dilated convolutions with a gate, and sums of what each layer skips to."""
    x = net.op("Conv", x, net.drawn(width, 1, 1))
    skipped = []
    for place in range(depth):
        step = 1 << place % 5
        more = {"dilations": [step], "pads": [2 * step, 0]}
        y = net.op("Mul", *(
            net.op(name, net.op("Conv", x, net.drawn(width, width, 3), **more))
            for name in ("Tanh", "Sigmoid")
        ))  # fmt: skip
        skipped.append(net.op("Conv", y, net.drawn(width, width, 1)))
        x = net.op("Add", x, net.op("Conv", y, net.drawn(width, width, 1)))
    y = net.op("Relu", net.op("Sum", *skipped))
    return net.op("Conv", y, net.drawn(256, width, 1))


def interacting(net: Net, x: str, width: int, depth: int) -> str:
    """A recommender: embeddings of many features, their products, and dense layers."""
    y = net.op("Gather", net.drawn(5000, width), x)
    pairs = net.op("MatMul", y, net.op("Transpose", y, perm=(0, 2, 1)))
    flat = [net.op("Reshape", each, net.numbers(0, -1)) for each in (pairs, y)]
    y, given = net.op("Concat", *flat, axis=1), 26 * 26 + 26 * width
    for _ in range(depth):
        y, given = net.op("Relu", dense_layer(net, y, given, 4 * width)), 4 * width
    return net.op("Sigmoid", dense_layer(net, y, given, 1))


def einsum(net: Net, x: str, width: int, depth: int) -> str:
    """Attention by Einsum, as exporters of JAX write it."""
    across = width // _HEADS
    for _ in range(depth):
        q, k, v = (
            net.op("Einsum", x, net.drawn(width, _HEADS, across), equation="btd,dhk->bthk")
            for _ in range(3)
        )
        scores = net.op("Softmax", net.op("Einsum", q, k, equation="bthk,bshk->bhts"), axis=-1)
        y = net.op("Einsum", scores, v, equation="bhts,bshk->bthk")
        y = net.op("Einsum", y, net.drawn(_HEADS, across, width), equation="bthk,hkd->btd")
        x = layer_norm(net, net.op("Add", x, y), width)
    return x


def dilated(net: Net, x: str, width: int, depth: int) -> str:
    """DeepLab: dilated convolutions side by side, then a resize to the image's size."""
    x, given = _relu_conv(net, x, 3, width, stride=2), width
    for _ in range(depth):
        x = _relu_conv(net, x, given, width)
    sides = []
    for step in (1, 2, 4):
        more = {"dilations": [step, step], "pads": [step] * 4}
        y = net.op("Conv", x, net.drawn(width, width, 3, 3), net.drawn(width), **more)
        sides.append(net.op("Relu", y))
    y = conv(net, net.op("Concat", *sides, axis=1), 3 * width, 21, 1)
    scales = net.weight("out", np.array([1, 1, 2, 2], np.float32))
    return net.op("ArgMax", net.op("Resize", y, "", scales, mode="linear"), axis=1)


def neighbors(net: Net, x: str, width: int, depth: int) -> str:
    """A graph network: features of neighbors are gathered and added up."""
    random = np.random.default_rng(3)
    ends = [net.weight(n, random.integers(0, 300, (1200,))) for n in ("from", "to")]
    places = net.op("Unsqueeze", ends[1], net.numbers(1))
    given = 32
    for _ in range(depth):
        y = net.op("Gather", x, ends[0], axis=0)
        own = net.op("Relu", dense_layer(net, x, given, width))
        y = net.op("Relu", dense_layer(net, y, given, width))
        x = net.op("ScatterND", own, places, y, reduction="add")
        given = width
    return dense_layer(net, x, given, 7)


# Name: how it is built, type and shape of its input, and (width, depth) of two sizes.
KINDS: dict[str, tuple[Callable[..., str], str, Shape, Sequence[tuple[int, int]]]] = {
    "masked": (masked, "float32", ("batch", "sequence", "width"), ((64, 2), (192, 4))),
    "generator": (generator, "float32", (1, 64), ((8, 3), (24, 4))),
    "looped": (looped, "float32", (1, "width"), ((128, 10), (256, 40))),
    "branched": (branched, "float32", (1, 3, 64, 64), ((16, 3), (32, 4))),
    "bothways": (both_ways, "float32", (1, 80, 40), ((48, 1), (128, 2))),
    "concatenated": (concatenated, "float32", (1, 3, 128, 128), ((16, 3), (32, 4))),
    "pyramid": (pyramid, "float32", (1, 3, 160, 160), ((8, 1), (24, 2))),
    "groupnorm": (grouped_norm, "float32", (1, 3, 32, 32), ((32, 2), (64, 3))),
    "convnext": (convnext, "float32", (1, 3, 160, 160), ((48, 2), (96, 4))),
    "mixer": (mixer, "float32", (1, 3, 160, 160), ((64, 2), (192, 4))),
    "inception": (inception, "float32", (1, 3, 128, 128), ((16, 2), (32, 4))),
    "shuffled": (shuffled, "float32", (1, 3, 128, 128), ((48, 3), (116, 8))),
    "cardinal": (cardinal, "float32", (1, 3, 96, 96), ((32, 2), (128, 4))),
    "volume": (volume, "float32", (1, 1, 8, 48, 48), ((8, 2), (24, 3))),
    "gatedwaves": (gated_waves, "float32", (1, 1, 4000), ((16, 5), (48, 10))),
    "interacting": (interacting, "int64", (1, 26), ((16, 2), (64, 3))),
    "einsum": (einsum, "float32", (1, 48, "width"), ((64, 2), (256, 3))),
    "dilated": (dilated, "float32", (1, 3, 128, 128), ((16, 2), (40, 3))),
    "neighbors": (neighbors, "float32", (300, 32), ((32, 2), (128, 3))),
}


def write(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write all of them, and yield kind and file."""
    for kind, (build, dtype, shape, sizes) in KINDS.items():
        for width, depth in sizes:
            net = Net(kind)
            given = value("x", dtype, [width if axis == "width" else axis for axis in shape])
            answer = net.result(build(net, "x", width, depth), "answer")
            element = TensorProto.INT64 if kind == "dilated" else TensorProto.FLOAT
            made = helper.make_tensor_value_info(answer, element, None)
            opsets = [helper.make_opsetid("", OPSET)]
            graph = net.proto([given], [made])
            model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
            path = folder / f"{kind}_{width}_{depth}.onnx"
            onnx.save(onnx.shape_inference.infer_shapes(model), path)
            yield kind, path
