"""Networks of further kinds: masks and caches of a free length, graphs inside of layers,
windows, sums along a text, experts, two inputs.

`benchmarks.estimates` foretells each kind from the others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from benchmarks.corpus.built import Net
from benchmarks.corpus.sized import conv, dense_layer, head, layer_norm
from sample_models.making.graph import IR_VERSION, OPSET, value

Given = tuple[str, str, Sequence[int | str]]
_FLOAT, _WHOLE = "float32", "int64"
_WORDS, _HEADS = 500, 4


def _number(net: Net, each: int) -> str:
    """Add a whole number without axes."""
    return net.weight(f"n{len(net.weights)}", np.array(each, np.int64))


def _part(net: Net, x: str, begin: int, end: int, axis: int) -> str:
    return net.op("Slice", x, net.numbers(begin), net.numbers(end), net.numbers(axis))


def _halves(net: Net, x: str, each: int, axis: int) -> tuple[str, ...]:
    name, sizes = f"split_{x}", net.numbers(each, each)
    return net.node_with("Split", name, [x, sizes], [f"{name}_a", f"{name}_b"], axis=axis)


def _heads(net: Net, x: str, width: int, bias: str = "", size: int = 0) -> str:
    """Attend; size: of rows that keys and values are made of, 0 for all of them."""
    shape = net.numbers(0, -1, _HEADS, width // _HEADS)
    kept = x
    if size:  # fewer keys, as for large images
        kept = net.op("AveragePool", net.op("Transpose", x, perm=(0, 2, 1)),
                      kernel_shape=[size], strides=[size])  # fmt: skip
        kept = net.op("Transpose", kept, perm=(0, 2, 1))
    q, k, v = (
        net.op("Transpose", net.op("Reshape", dense_layer(net, s, width, width), shape), perm=p)
        for s, p in ((x, (0, 2, 1, 3)), (kept, (0, 2, 3, 1)), (kept, (0, 2, 1, 3)))
    )
    scores = net.op("Mul", net.op("MatMul", q, k), net.numbers(0.25))
    scores = net.op("Add", scores, bias) if bias else scores
    y = net.op("Transpose", net.op("MatMul", net.op("Softmax", scores, axis=-1), v),
               perm=(0, 2, 1, 3))  # fmt: skip
    return dense_layer(net, net.op("Reshape", y, net.numbers(0, -1, width)), width, width)


def _forward(net: Net, x: str, width: int, wide: int) -> str:
    return dense_layer(net, net.bell(dense_layer(net, x, width, wide)), wide, width)


def split_detector(net: Net, x: str, width: int, depth: int) -> str:
    """A detector of split stages, whose sides are means over bins."""
    x = net.swish(conv(net, x, 3, width, stride=2))
    for _ in range(depth):
        x = net.swish(conv(net, x, width, 2 * width, stride=2))
        left, right = _halves(net, x, width, 1)
        y = net.swish(conv(net, net.swish(conv(net, right, width, width)), width, width))
        x = net.op("Concat", left, right, y, axis=1)
        x = net.swish(conv(net, x, 3 * width, width, 1))
    y = net.op("Reshape", conv(net, x, width, 64, 1), net.numbers(1, 4, 16, -1))
    y = net.op("Softmax", net.op("Transpose", y, perm=(0, 2, 1, 3)), axis=1)
    sides = net.op("Reshape", net.op("Conv", y, net.drawn(1, 16, 1, 1)), net.numbers(1, 4, -1))
    scores = net.op("Reshape", conv(net, x, width, 20, 1), net.numbers(1, 20, -1))
    return net.op("Concat", sides, net.op("Sigmoid", scores), axis=1)


def segmenter(net: Net, x: str, width: int, depth: int) -> str:
    """SegFormer: attention to fewer keys, and depthwise convolutions between dense layers."""
    side = 32
    x = conv(net, x, 3, width, 7, stride=4)
    y = net.op("Transpose", net.op("Reshape", x, net.numbers(0, width, -1)), perm=(0, 2, 1))
    for _ in range(depth):
        y = net.op("Add", y, _heads(net, layer_norm(net, y, width), width, size=16))
        z = dense_layer(net, layer_norm(net, y, width), width, 2 * width)
        z = net.op("Transpose", z, perm=(0, 2, 1))
        z = net.op("Reshape", z, net.numbers(0, 0, side, side))
        z = conv(net, z, 2 * width, 2 * width, 3, 2 * width)
        z = net.op("Transpose", net.op("Reshape", z, net.numbers(0, 0, -1)), perm=(0, 2, 1))
        y = net.op("Add", y, dense_layer(net, net.bell(z), 2 * width, width))
    y = net.op("Reshape", net.op("Transpose", y, perm=(0, 2, 1)), net.numbers(0, 0, side, side))
    scales = net.weight("up", np.array([1, 1, 4, 4], np.float32))
    return net.op("Resize", conv(net, y, width, 19, 1), "", scales, mode="linear")


def windowed(net: Net, x: str, width: int, depth: int) -> str:
    """Swin: attention inside of windows of 8 by 8, which move on every second layer."""
    y = net.op("Conv", x, net.drawn(width, 3, 4, 4), net.drawn(width), strides=[4, 4])
    y, side = net.op("Transpose", y, perm=(0, 2, 3, 1)), 32
    for place in range(depth):
        z = layer_norm(net, y, width)
        if place % 2:
            z = net.op("Concat", _part(net, z, 4, side, 1), _part(net, z, 0, 4, 1), axis=1)
        z = net.op("Reshape", z, net.numbers(1, side // 8, 8, side // 8, 8, width))
        z = net.op("Transpose", z, perm=(0, 1, 3, 2, 4, 5))
        z = net.op("Reshape", z, net.numbers(-1, 64, width))
        z = _heads(net, z, width, net.drawn(1, _HEADS, 64, 64))
        z = net.op("Reshape", z, net.numbers(1, side // 8, side // 8, 8, 8, width))
        z = net.op("Transpose", z, perm=(0, 1, 3, 2, 4, 5))
        y = net.op("Add", y, net.op("Reshape", z, net.numbers(1, side, side, width)))
        y = net.op("Add", y, _forward(net, layer_norm(net, y, width), width, 4 * width))
    return dense_layer(net, net.op("ReduceMean", y, axes=[1, 2], keepdims=0), width, 100)


def conformer(net: Net, x: str, width: int, depth: int) -> str:
    """Speech: attention beside gated depthwise convolutions, frames of free number."""
    x = dense_layer(net, x, 80, width)
    for _ in range(depth):
        y = net.swish(dense_layer(net, layer_norm(net, x, width), width, 2 * width))
        x = net.op("Add", x, dense_layer(net, y, 2 * width, width))
        x = net.op("Add", x, _heads(net, layer_norm(net, x, width), width))
        y = net.op("Transpose", layer_norm(net, x, width), perm=(0, 2, 1))
        y = net.op("Conv", y, net.drawn(2 * width, width, 1), net.drawn(2 * width))
        left, right = _halves(net, y, width, 1)
        y = net.op("Mul", left, net.op("Sigmoid", right))
        y = net.op("Conv", y, net.drawn(width, 1, 15), group=width, pads=[7, 7])
        y = net.op("Conv", net.swish(y), net.drawn(width, width, 1))
        x = layer_norm(net, net.op("Add", x, net.op("Transpose", y, perm=(0, 2, 1))), width)
    return net.op("LogSoftmax", dense_layer(net, x, width, 60), axis=-1)


def cached_decoder(net: Net, ids: str, width: int, depth: int) -> str:
    """One step of a language model: rotated keys after those of a cache."""
    across = width // _HEADS
    x = net.op("Gather", net.drawn(_WORDS, width), ids)
    turns = [net.drawn(1, 1, 1, across) for _ in "sc"]
    for _ in range(depth):
        y, parts = net.even_of(x, width), []
        for place in range(3):
            z = net.op("Reshape", net.op("MatMul", y, net.drawn(width, width)),
                       net.numbers(0, -1, _HEADS, across))  # fmt: skip
            z = net.op("Transpose", z, perm=(0, 2, 1, 3))
            if place < 2:
                swapped = net.op("Concat", net.op("Neg", _part(net, z, across // 2, across, 3)),
                                 _part(net, z, 0, across // 2, 3), axis=-1)  # fmt: skip
                z = net.op("Add", net.op("Mul", z, turns[0]), net.op("Mul", swapped, turns[1]))
            parts.append(z if not place else net.op("Concat", "past", z, axis=2))
        q, k, v = parts
        scores = net.op("MatMul", q, net.op("Transpose", k, perm=(0, 1, 3, 2)))
        scores = net.op("Softmax", net.op("Div", scores, net.numbers(4.0)), axis=-1)
        z = net.op("Transpose", net.op("MatMul", scores, v), perm=(0, 2, 1, 3))
        z = net.op("MatMul", net.op("Reshape", z, net.numbers(0, -1, width)),
                   net.drawn(width, width))  # fmt: skip
        x = net.op("Add", x, z)
        y = net.even_of(x, width)
        gate = net.swish(net.op("MatMul", y, net.drawn(width, 3 * width)))
        y = net.op("Mul", gate, net.op("MatMul", y, net.drawn(width, 3 * width)))
        x = net.op("Add", x, net.op("MatMul", y, net.drawn(3 * width, width)))
    return net.op("MatMul", net.even_of(x, width), net.drawn(width, _WORDS))


def causal(net: Net, ids: str, width: int, depth: int) -> str:
    """A decoder whose mask is cut out of a triangle as long as the text."""
    size = net.op("Gather", net.op("Shape", ids), net.numbers(1))
    square = net.op("Concat", size, size, axis=0)
    ones = net.op("Expand", net.weight("one", np.array(1, np.float32)), square)
    mask = net.op("Where", net.op("Cast", net.op("Trilu", ones, upper=0), to=TensorProto.BOOL),
                  net.numbers(0.0), net.numbers(-1e9))  # fmt: skip
    x = net.op("Gather", net.drawn(_WORDS, width), ids)
    for _ in range(depth):
        x = net.op("Add", x, _heads(net, layer_norm(net, x, width), width, mask))
        x = net.op("Add", x, _forward(net, layer_norm(net, x, width), width, 4 * width))
    return dense_layer(net, layer_norm(net, x, width), width, _WORDS)


def padded_text(net: Net, ids: str, width: int, depth: int) -> str:
    """BERT as transformers exports it: a mask of the input, spread over all pairs."""
    mask = net.op("Unsqueeze", "mask", net.numbers(1, 2))
    mask = net.op("Sub", net.numbers(1.0), net.op("Cast", mask, to=TensorProto.FLOAT))
    mask = net.op("Mul", mask, net.numbers(-3e4))
    shape = net.op("Concat", net.numbers(-1), net.numbers(_HEADS),
                   *[net.op("Gather", net.op("Shape", ids), net.numbers(1))] * 2,
                   axis=0)  # fmt: skip
    ends = net.op("Where", net.op("Less", shape, net.numbers(0)), net.numbers(1), shape)
    mask = net.op("Expand", mask, ends)
    x = layer_norm(net, net.op("Gather", net.drawn(_WORDS, width), ids), width)
    for _ in range(depth):
        x = layer_norm(net, net.op("Add", x, _heads(net, x, width, mask)), width)
        x = layer_norm(net, net.op("Add", x, _forward(net, x, width, 4 * width)), width)
    first = net.op("Gather", x, _number(net, 0), axis=1)
    return dense_layer(net, net.op("Tanh", dense_layer(net, first, width, width)), width, 3)


def biased(net: Net, ids: str, width: int, depth: int) -> str:
    """T5: the distance of two places picks what is added to their score."""
    size = net.op("Gather", net.op("Shape", ids), _number(net, 1))
    places = net.op("Range", _number(net, 0), size, _number(net, 1))
    far = net.op("Sub", net.op("Unsqueeze", places, net.numbers(0)),
                 net.op("Unsqueeze", places, net.numbers(1)))  # fmt: skip
    far = net.op("Min", net.op("Abs", far), _number(net, 31))
    bias = net.op("Transpose", net.op("Gather", net.drawn(32, _HEADS), far), perm=(2, 0, 1))
    bias = net.op("Unsqueeze", bias, net.numbers(0))
    x = net.op("Gather", net.drawn(_WORDS, width), ids)
    for _ in range(depth):
        x = net.op("Add", x, _heads(net, net.even_of(x, width), width, bias))
        y = net.op("Relu", net.op("MatMul", net.even_of(x, width), net.drawn(width, 4 * width)))
        x = net.op("Add", x, net.op("MatMul", y, net.drawn(4 * width, width)))
    return net.even_of(x, width)


def points(net: Net, x: str, width: int, depth: int) -> str:
    """PointNet: the same dense layers for each point, then the largest of each feature."""
    given = 3
    for place in range(depth):
        made = width << place
        x = net.op("Relu", net.op("Conv", x, net.drawn(made, given, 1), net.drawn(made)))
        given = made
    y = net.op("ReduceMax", x, axes=[2], keepdims=1)
    y = net.op("Expand", y, net.op("Shape", x))
    x = net.op("Concat", x, y, axis=1)
    return net.op("Conv", x, net.drawn(12, 2 * given, 1), net.drawn(12))


def painter(net: Net, x: str, width: int, depth: int) -> str:
    """Style transfer: reflected borders, instance norms, blocks, transposed convolutions."""

    def unit(x: str, given: int, made: int, stride: int = 1) -> str:
        x = net.op("Pad", x, net.numbers(0, 0, 1, 1, 0, 0, 1, 1), mode="reflect")
        kernel = net.drawn(made, given, 3, 3)
        y = net.op("Conv", x, kernel, net.drawn(made), strides=[stride, stride])
        return net.op("InstanceNormalization", y, net.drawn(made), net.drawn(made))

    x = net.op("Relu", unit(x, 3, width))
    x = net.op("Relu", unit(x, width, 2 * width, 2))
    for _ in range(depth):
        y = unit(net.op("Relu", unit(x, 2 * width, 2 * width)), 2 * width, 2 * width)
        x = net.op("Add", x, y)
    x = net.op("ConvTranspose", x, net.drawn(2 * width, width, 2, 2), strides=[2, 2])
    return net.op("Tanh", conv(net, net.op("LeakyRelu", x, alpha=0.2), width, 3, 7))


def temporal(net: Net, x: str, width: int, depth: int) -> str:
    """Causal convolutions over a series: padded on one side only."""
    given = 8
    for place in range(depth):
        step = 1 << place
        y = net.op("Pad", x, net.numbers(0, 0, 2 * step, 0, 0, 0))
        kernel = net.drawn(width, given, 3)
        y = net.op("Relu", net.op("Conv", y, kernel, net.drawn(width), dilations=[step]))
        short = x if given == width else net.op("Conv", x, net.drawn(width, given, 1))
        x, given = net.op("Relu", net.op("Add", y, short)), width
    return dense_layer(net, net.op("Gather", x, _number(net, -1), axis=2), width, 4)


def reader(net: Net, x: str, width: int, depth: int) -> str:
    """Text in an image: convolutions down to one row, then LSTMs in both directions."""
    given = 1
    for place in range(depth):
        x = net.op("Relu", conv(net, x, given, width << place))
        across = 2 if place < 2 else 1
        x = net.op("MaxPool", x, kernel_shape=[2, across], strides=[2, across])
        given = width << place
    x = net.op("ReduceMean", x, axes=[2], keepdims=0)
    x = net.op("Transpose", x, perm=(2, 0, 1))
    sizes = (net.drawn(2, 4 * width, given), net.drawn(2, 4 * width, width))
    y = net.op("LSTM", x, *sizes, net.drawn(2, 8 * width), hidden_size=width,
               direction="bidirectional")  # fmt: skip
    y = net.op("Reshape", net.op("Transpose", y, perm=(0, 2, 1, 3)), net.numbers(0, 0, -1))
    return net.op("Softmax", dense_layer(net, y, 2 * width, 37), axis=-1)


def siamese(net: Net, x: str, width: int, depth: int) -> str:
    """Two images through the same layers, and how far apart they are."""
    kernels = [
        (net.drawn(width << n, 3 if not n else width << (n - 1), 3, 3), net.drawn(width << n))
        for n in range(depth)
    ]
    ends = []
    for y in (x, "other"):
        for kernel in kernels:
            y = net.op("Relu", net.op("Conv", y, *kernel, pads=[1] * 4, strides=[2, 2]))
        ends.append(net.op("Flatten", net.op("GlobalAveragePool", y)))
    far = net.op("Abs", net.op("Sub", *ends))
    return net.op("Sigmoid", dense_layer(net, far, width << (depth - 1), 1))


def experts(net: Net, x: str, width: int, depth: int) -> str:
    """Four dense networks, weighed by a fifth."""
    for _ in range(depth):
        shares = net.op("Softmax", dense_layer(net, x, width, 4), axis=-1)
        made = [
            net.op("Mul", _forward(net, x, width, 2 * width), _part(net, shares, n, n + 1, 2))
            for n in range(4)
        ]
        x = layer_norm(net, net.op("Add", x, net.op("Sum", *made)), width)
    return x


def scanned(net: Net, x: str, width: int, depth: int) -> str:
    """A cell written out in a Scan over a sequence, and layers around it."""
    body = Net("body", 1000)
    y = body.op("Add", body.op("MatMul", "now", body.drawn(width, width)),
                body.op("MatMul", "state", body.drawn(width, width)))  # fmt: skip
    gate = body.op("Sigmoid", body.op("MatMul", "now", body.drawn(width, width)))
    y = body.op("Mul", gate, body.op("Tanh", y))
    body.node_with("Identity", "kept", [y], ["next"])
    body.node_with("Identity", "shown", [y], ["row"])
    ends = [value(name, _FLOAT, [1, width]) for name in ("state", "now", "next", "row")]
    graph = body.proto(ends[:2], ends[2:])
    x = dense_layer(net, x, width, width)
    for _ in range(depth):
        start = net.weight(f"start_{x}", np.zeros((1, width), np.float32))
        _, x = net.node_with("Scan", f"scan_{x}", [start, x], [f"{x}_end", f"{x}_rows"],
                             body=graph, num_scan_inputs=1)  # fmt: skip
    return dense_layer(net, x, width, 50)


def grown(net: Net, x: str, width: int, depth: int) -> str:
    """A Loop that refines an image and collects a row in each step."""
    body = Net("body", 1000)
    y = body.op("Relu", conv(body, "state", width, width))
    y = body.op("Add", "state", conv(body, y, width, width))
    body.node_with("Identity", "kept", [y], ["next"])
    body.node_with("Identity", "go", ["keep"], ["goes"])
    rows = body.op("ReduceMean", y, axes=[2, 3], keepdims=0)
    body.node_with("Identity", "shown", [rows], ["row"])
    shape, flag = [1, width, 48, 48], value("keep", "bool", [])
    graph = body.proto(
        [value("step", _WHOLE, []), flag, value("state", _FLOAT, shape)],
        [value("goes", "bool", []), value("next", _FLOAT, shape),
         value("row", _FLOAT, [1, width])],
    )  # fmt: skip
    x = conv(net, x, 3, width)
    go = net.weight("start", np.array(True))
    end, rows = net.node_with("Loop", "loop", [_number(net, depth), go, x], ["end", "rows"],
                              body=graph)  # fmt: skip
    shown = dense_layer(net, net.op("ReduceMean", rows, axes=[0, 1], keepdims=1), width, 8)
    return net.op("Add", conv(net, end, width, 8), net.op("Reshape", shown,
                                                          net.numbers(1, 8, 1, 1)))  # fmt: skip


def forked(net: Net, x: str, width: int, depth: int) -> str:
    """An If in an If: few rows take a dense layer, many a transformer."""
    size = net.op("Gather", net.op("Shape", x), _number(net, 1))
    sides = []
    for name, first in (("then", 1000), ("else", 2000)):
        side, y = Net(name, first), x
        for _ in range(depth if name == "else" else 1):
            y = side.op("Add", y, _heads(side, y, width))
            y = _forward(side, y, width, 4 * width)
        made = helper.make_tensor_value_info(side.result(y, f"{name}_y"), 1, None)
        sides.append(side.proto([], [made]))
    few = net.op("Less", size, _number(net, 8))
    return net.op("Relu", net.op("If", few, then_branch=sides[0], else_branch=sides[1]))


def stereo(net: Net, x: str, width: int, depth: int) -> str:
    """Two views: features are compared at several shifts."""
    one, two = (net.op("Relu", conv(net, net.op("Relu", conv(net, each, 3, width)), width,
                                    width, stride=2)) for each in (x, "other"))  # fmt: skip
    costs = [net.op("ReduceMean", net.op("Mul", one, two), axes=[1], keepdims=1)]
    for shift in range(1, 4 * depth):
        moved = net.op("Pad", _part(net, two, 0, 64 - shift, 3),
                       net.numbers(0, 0, 0, shift, 0, 0, 0, 0))  # fmt: skip
        costs.append(net.op("ReduceMean", net.op("Mul", one, moved), axes=[1], keepdims=1))
    y = net.op("Concat", *costs, axis=1)
    y = conv(net, net.op("Relu", conv(net, y, 4 * depth, width)), width, 4 * depth)
    return net.op("ReduceMean", net.op("Softmax", y, axis=1), axes=[1])


def selected(net: Net, x: str, width: int, depth: int) -> str:
    """A detector that picks its best boxes itself."""
    given = 3
    for place in range(depth):
        x = net.op("Relu", conv(net, x, given, width << place, stride=2))
        given = width << place
    boxes = net.op("Reshape", conv(net, x, given, 12, 1), net.numbers(1, 4, -1))
    boxes = net.op("Transpose", boxes, perm=(0, 2, 1))
    scores = net.op("Sigmoid", conv(net, x, given, 15, 1))
    scores = net.op("Reshape", scores, net.numbers(1, 5, -1))
    best = net.op("ReduceMax", scores, axes=[1], keepdims=0)
    name = "best"
    _, places = net.node_with("TopK", name, [best, net.numbers(50)], ["top", "top_at"])
    y = net.op("Gather", net.op("Squeeze", boxes, net.numbers(0)), places, axis=0)
    z = net.op("Gather", net.op("Transpose", scores, perm=(0, 2, 1)), places, axis=1)
    return net.op("Concat", net.op("Squeeze", y, net.numbers(0)),
                  net.op("Reshape", z, net.numbers(50, 5)), axis=1)  # fmt: skip


def attentive(net: Net, x: str, width: int, depth: int) -> str:
    """Super resolution with gates over channels, and nearest resizes."""
    x = first = conv(net, x, 3, width)
    for _ in range(depth):
        y = conv(net, net.op("Relu", conv(net, x, width, width)), width, width)
        gate = net.op("ReduceMean", y, axes=[2, 3], keepdims=1)
        gate = conv(net, net.op("Relu", conv(net, gate, width, width // 4, 1)), width // 4,
                    width, 1)  # fmt: skip
        x = net.op("Add", x, net.op("Mul", y, net.op("Sigmoid", gate)))
    x = net.op("Add", x, first)
    scales = net.weight("twice", np.array([1, 1, 2, 2], np.float32))
    x = net.op("Resize", x, "", scales, mode="nearest")
    return conv(net, net.op("LeakyRelu", conv(net, x, width, width)), width, 3)


def states(net: Net, x: str, width: int, depth: int) -> str:
    """Layers of a state space: short convolutions, sums along the text, gates."""
    for _ in range(depth):
        y = net.op("MatMul", layer_norm(net, x, width), net.drawn(width, 2 * width))
        left, gate = _halves(net, y, width, 2)
        y = net.op("Transpose", left, perm=(0, 2, 1))
        y = net.op("Conv", y, net.drawn(width, 1, 4), net.drawn(width), group=width,
                   pads=[3, 0])  # fmt: skip
        y = net.op("Transpose", net.swish(y), perm=(0, 2, 1))
        rate = net.op("Softplus", dense_layer(net, y, width, width))
        decay = net.op("Exp", net.op("Mul", rate, net.drawn(width)))
        y = net.op("Mul", net.op("CumSum", net.op("Mul", y, decay), _number(net, 1)), rate)
        y = net.op("Mul", y, net.swish(gate))
        x = net.op("Add", x, net.op("MatMul", y, net.drawn(width, width)))
    return x


def spectrum(net: Net, x: str, width: int, depth: int) -> str:
    """Sound: its spectrum by convolutions, logarithms of bands, and a small network."""
    bins = 4 * width
    real, imaginary = (
        net.op("Conv", x, net.drawn(bins, 1, 400), strides=[160]) for _ in ("cos", "sin")
    )
    power = net.op("Add", net.op("Mul", real, real), net.op("Mul", imaginary, imaginary))
    bands = net.op("MatMul", net.op("Transpose", power, perm=(0, 2, 1)), net.drawn(bins, 40))
    y = net.op("Log", net.op("Add", net.op("Abs", bands), net.numbers(1e-6)))
    mean = net.op("ReduceMean", y, axes=[1])
    y = net.op("Unsqueeze", net.op("Sub", y, mean), net.numbers(1))
    y = net.op("Relu", conv(net, y, 1, width, stride=2))
    for _ in range(depth):
        y = net.op("Relu", conv(net, y, width, width, 3, width))
        y = net.op("Relu", conv(net, y, width, width, 1))
    return head(net, y, width)


def columns(net: Net, x: str, width: int, depth: int) -> str:
    """A table whose columns are embedded, and attend to each other."""
    y = net.op("Concat", *[
        net.op("Gather", net.drawn(50, width), _part(net, x, n, n + 1, 1)) for n in range(12)
    ], axis=1)  # fmt: skip
    for _ in range(depth):
        y = layer_norm(net, net.op("Add", y, _heads(net, y, width)), width)
        y = layer_norm(net, net.op("Add", y, _forward(net, y, width, 2 * width)), width)
    y = net.op("Flatten", y)
    return dense_layer(net, net.op("Relu", dense_layer(net, y, 12 * width, width)), width, 2)


def neighborly(net: Net, x: str, width: int, depth: int) -> str:
    """A graph network that attends along the edges of a matrix."""
    near = net.weight("near", np.random.default_rng(5).random((150, 150)) < 0.1)
    given = 32
    for _ in range(depth):
        y = dense_layer(net, x, given, width)
        ends = [net.op("MatMul", y, net.drawn(width, 1)) for _ in "ab"]
        scores = net.op("Add", ends[0], net.op("Transpose", ends[1], perm=(1, 0)))
        scores = net.op("LeakyRelu", scores, alpha=0.2)
        scores = net.op("Where", near, scores, net.numbers(-1e9))
        x = net.op("Elu", net.op("MatMul", net.op("Softmax", scores, axis=-1), y))
        given = width
    return dense_layer(net, x, width, 5)


_IMAGE: Given = ("x", _FLOAT, (1, 3, 128, 128))
_TEXT: Given = ("x", _WHOLE, ("batch", "sequence"))
# Kind: how it is built, its inputs, and (width, depth) of a network.
KINDS: dict[str, tuple[Callable[..., str], Sequence[Given], tuple[int, int]]] = {
    "splitdetector": (split_detector, [_IMAGE], (32, 3)),
    "segmenter": (segmenter, [_IMAGE], (64, 3)),
    "windowed": (windowed, [_IMAGE], (96, 4)),
    "conformer": (conformer, [("x", _FLOAT, (1, "frames", 80))], (96, 2)),
    "cached": (cached_decoder, [
        ("x", _WHOLE, ("batch", 1)), ("past", _FLOAT, ("batch", _HEADS, "past_sequence", 48)),
    ], (192, 3)),
    "causal": (causal, [_TEXT], (128, 3)),
    "paddedtext": (padded_text, [_TEXT, ("mask", _WHOLE, ("batch", "sequence"))], (96, 4)),
    "biased": (biased, [_TEXT], (128, 3)),
    "points": (points, [("x", _FLOAT, (1, 3, 1024))], (32, 3)),
    "painter": (painter, [_IMAGE], (16, 3)),
    "temporal": (temporal, [("x", _FLOAT, (1, 8, 512))], (48, 5)),
    "reader": (reader, [("x", _FLOAT, (1, 1, 32, 128))], (32, 4)),
    "siamese": (siamese, [_IMAGE, ("other", _FLOAT, _IMAGE[2])], (24, 4)),
    "experts": (experts, [("x", _FLOAT, (1, 64, 128))], (128, 2)),
    "scanned": (scanned, [("x", _FLOAT, (60, 1, 128))], (128, 1)),
    "grown": (grown, [("x", _FLOAT, (1, 3, 48, 48))], (24, 4)),
    "forked": (forked, [("x", _FLOAT, (1, "sequence", 96))], (96, 2)),
    "stereo": (stereo, [_IMAGE, ("other", _FLOAT, _IMAGE[2])], (16, 3)),
    "selected": (selected, [_IMAGE], (24, 3)),
    "attentive": (attentive, [("x", _FLOAT, (1, 3, 64, 64))], (32, 3)),
    "states": (states, [("x", _FLOAT, (1, 128, 96))], (96, 3)),
    "spectrum": (spectrum, [("x", _FLOAT, (1, 1, 16000))], (32, 3)),
    "columns": (columns, [("x", _WHOLE, (4, 12))], (64, 2)),
    "neighborly": (neighborly, [("x", _FLOAT, (150, 32))], (64, 3)),
}  # fmt: skip


def write(folder: Path, kinds: Iterable[str] = KINDS) -> Iterator[tuple[str, Path]]:
    """Write networks of these kinds, and yield kind and file."""
    for kind in kinds:
        build, inputs, (width, depth) = KINDS[kind]
        net = Net(kind)
        given = [value(name, dtype, list(shape)) for name, dtype, shape in inputs]
        answer = net.result(build(net, "x", width, depth), "answer")
        made = helper.make_tensor_value_info(answer, TensorProto.FLOAT, None)
        graph, opsets = net.proto(given, [made]), [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        path = folder / f"{kind}_{width}_{depth}.onnx"
        onnx.save(onnx.shape_inference.infer_shapes(model), path)
        yield kind, path
