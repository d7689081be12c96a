"""Networks of the usual families in several sizes, with weights by chance.

`benchmarks.estimates` measures them beside the files of a folder: each family in a few widths,
depths and input sizes. All of one family are left out at once when an estimate of one of them
is checked, so that it is foretold from networks unlike it.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from benchmarks.corpus.built import Net
from sample_models.making.graph import IR_VERSION, OPSET, value

Build = Callable[[Net, str], str]
_WORDS = 1000
_CLASSES = 1000


def conv(
    net: Net, x: str, given: int, made: int, side: int = 3, group: int = 1, stride: int = 1
) -> str:
    """Convolve with a bias, and keep the size but for the stride."""
    weight = net.drawn(made, given // group, side, side)
    pads, strides = [side // 2] * 4, [stride, stride]
    return net.op("Conv", x, weight, net.drawn(made), group=group, pads=pads, strides=strides)


def head(net: Net, x: str, width: int) -> str:
    """Pool and classify."""
    flat = net.op("Flatten", net.op("GlobalAveragePool", x))
    weight = net.drawn(_CLASSES, width)
    return net.op("Softmax", net.op("Gemm", flat, weight, net.drawn(_CLASSES), transB=1))


def residual(net: Net, x: str, width: int, blocks: int) -> str:
    """ResNet: two convolutions beside a shortcut, in four stages."""
    x = net.op("Relu", conv(net, x, 3, width, 7, stride=2))
    x = net.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    given = width
    for stage in range(4):
        made = width << stage
        for place in range(blocks):
            stride = 2 if stage and not place else 1
            short = x if given == made else conv(net, x, given, made, 1, stride=stride)
            y = net.op("Relu", conv(net, x, given, made, stride=stride))
            x = net.op("Relu", net.op("Add", conv(net, y, made, made), short))
            given = made
    return head(net, x, given)


def mobile(net: Net, x: str, width: int, blocks: int) -> str:
    """MobileNet V2: wide, depthwise, narrow again."""
    x = net.op("Clip", conv(net, x, 3, width, stride=2), net.numbers(0.0), net.numbers(6.0))
    given = width
    for stage in range(4):
        made = width + stage * width // 2
        for place in range(blocks):
            wide, stride = 6 * given, 1 if place else 2
            y = net.op("Clip", conv(net, x, given, wide, 1), net.numbers(0.0), net.numbers(6.0))
            y = conv(net, y, wide, wide, 3, wide, stride)
            y = net.op("Clip", y, net.numbers(0.0), net.numbers(6.0))
            y = conv(net, y, wide, made, 1)
            x = net.op("Add", x, y) if given == made and stride == 1 else y
            given = made
    return head(net, x, given)


def gated(net: Net, x: str, width: int, blocks: int) -> str:
    """MobileNet V3 and EfficientNet: the same with a gate over channels and a swish."""
    x = net.op("HardSwish", conv(net, x, 3, width, stride=2))
    given = width
    for stage in range(3):
        made = width * (stage + 1)
        for place in range(blocks):
            wide = 4 * given
            y = net.op("HardSwish", conv(net, x, given, wide, 1))
            y = net.op("HardSwish", conv(net, y, wide, wide, 5, wide, 1 if place else 2))
            gate = net.op("Relu", conv(net, net.op("GlobalAveragePool", y), wide, given, 1))
            y = net.op("Mul", y, net.op("HardSigmoid", conv(net, gate, given, wide, 1)))
            y = conv(net, y, wide, made, 1)
            x = net.op("Add", x, y) if place else y
            given = made
    return head(net, x, given)


def stacked(net: Net, x: str, width: int, blocks: int) -> str:
    """VGG: plain convolutions and pools."""
    given = 3
    for stage in range(4):
        made = width << stage
        for _ in range(blocks):
            x = net.op("Relu", conv(net, x, given, made))
            given = made
        x = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    return head(net, x, given)


def unet(net: Net, x: str, width: int, blocks: int) -> str:
    """U-Net: down and up again, with the outer parts handed across."""
    sides: list[str] = []
    given = 3
    for stage in range(3):
        made = width << stage
        for _ in range(blocks):
            x = net.op("Relu", conv(net, x, given, made))
            given = made
        sides.append(x)
        x = net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    for stage in reversed(range(3)):
        made = width << stage
        weight = net.drawn(given, made, 2, 2)
        x = net.op("ConvTranspose", x, weight, strides=[2, 2], kernel_shape=[2, 2])
        x = net.op("Concat", x, sides[stage], axis=1)
        x = net.op("Relu", conv(net, x, 2 * made, made))
        given = made
    return net.op("Sigmoid", conv(net, x, given, 1, 1))


def detector(net: Net, x: str, width: int, blocks: int) -> str:
    """YOLO: swish everywhere, a neck with a resize, boxes of two sizes."""

    def unit(x: str, given: int, made: int, side: int = 3, stride: int = 1) -> str:
        return net.swish(conv(net, x, given, made, side, stride=stride))

    x = unit(x, 3, width, stride=2)
    given, stages = width, []
    for stage in range(1, 4):
        made = width << stage
        x = unit(x, given, made, stride=2)
        for _ in range(blocks):
            x = net.op("Add", x, unit(unit(x, made, made // 2, 1), made // 2, made))
        stages.append(x)
        given = made
    scales = net.weight("scales", onnx.numpy_helper.to_array(_floats("s", 1, 1, 2, 2)))
    up = net.op("Resize", unit(x, given, given // 2, 1), "", scales, mode="nearest")
    y = unit(net.op("Concat", up, stages[1], axis=1), given, given // 2)
    flat = [
        net.op("Reshape", conv(net, each, wide, 85, 1), net.numbers(1, 85, -1))
        for each, wide in ((x, given), (y, given // 2))
    ]
    return net.op("Sigmoid", net.op("Concat", *flat, axis=2))


def sharpen(net: Net, x: str, width: int, blocks: int) -> str:
    """Super resolution: all layers at full size, then depth to space."""
    x = net.op("Relu", conv(net, x, 3, width, 5))
    for _ in range(blocks):
        x = net.op("Relu", conv(net, x, width, width))
    return net.op("DepthToSpace", conv(net, x, width, 12), blocksize=2)


def _floats(name: str, *values: float) -> onnx.TensorProto:
    return helper.make_tensor(name, TensorProto.FLOAT, [len(values)], values)


def dense_layer(net: Net, x: str, given: int, made: int) -> str:
    """Multiply and add a bias."""
    return net.op("Add", net.op("MatMul", x, net.drawn(given, made)), net.drawn(made))


def layer_norm(net: Net, x: str, width: int) -> str:
    """Normalize the last axis."""
    return net.op("LayerNormalization", x, net.drawn(width), net.drawn(width), axis=-1)


def _attention(net: Net, x: str, width: int) -> str:
    split = net.numbers(0, 0, width // 32, 32)
    parts = [
        net.op(
            "Transpose", net.op("Reshape", dense_layer(net, x, width, width), split), perm=perm
        )
        for perm in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    ]
    scores = net.op("Mul", net.op("MatMul", *parts[:2]), net.numbers(0.177))
    y = net.op("MatMul", net.op("Softmax", scores, axis=-1), parts[2])
    y = net.op("Reshape", net.op("Transpose", y, perm=(0, 2, 1, 3)), net.numbers(0, 0, width))
    return dense_layer(net, y, width, width)


def _blocks(net: Net, x: str, width: int, blocks: int) -> str:
    for _ in range(blocks):
        x = layer_norm(net, net.op("Add", x, _attention(net, x, width)), width)
        y = net.bell(dense_layer(net, x, width, 4 * width))
        x = layer_norm(net, net.op("Add", x, dense_layer(net, y, 4 * width, width)), width)
    return x


def encoder(net: Net, ids: str, width: int, blocks: int) -> str:
    """BERT: words, blocks, a pooled answer."""
    x = layer_norm(net, net.op("Gather", net.drawn(_WORDS, width), ids), width)
    first = net.op("Gather", _blocks(net, x, width, blocks), net.numbers(0), axis=1)
    return dense_layer(net, net.op("Tanh", dense_layer(net, first, width, width)), width, 2)


def patches(net: Net, x: str, width: int, blocks: int) -> str:
    """Vision transformer: patches of 16 pixels, then blocks."""
    y = net.op("Conv", x, net.drawn(width, 3, 16, 16), net.drawn(width), strides=[16, 16])
    y = net.op("Transpose", net.op("Reshape", y, net.numbers(0, width, -1)), perm=(0, 2, 1))
    y = net.op("ReduceMean", _blocks(net, y, width, blocks), axes=[1], keepdims=0)
    return dense_layer(net, y, width, _CLASSES)


def recurrent(net: Net, ids: str, width: int, blocks: int, gates: int) -> str:
    """LSTM (4 gates) or GRU (3) over words."""
    x = net.op("Transpose", net.op("Gather", net.drawn(_WORDS, width), ids), perm=(1, 0, 2))
    for _ in range(blocks):
        weights = [net.drawn(1, gates * width, width) for _ in "wr"]
        bias = net.drawn(1, 2 * gates * width)
        cell = net.op({4: "LSTM", 3: "GRU"}[gates], x, *weights, bias, hidden_size=width)
        x = net.op("Squeeze", cell, net.numbers(1))
    return dense_layer(net, x, width, 40)


def waves(net: Net, x: str, width: int, blocks: int) -> str:
    """Speech in time: dilated convolutions over samples, with sums."""
    y = net.op("Conv", x, net.drawn(width, 1, 16), strides=[8], pads=[4, 4])
    for place in range(blocks):
        step = 2 ** (place % 6)
        z = net.op("PRelu", net.op("Conv", y, net.drawn(2 * width, width, 1)), net.drawn(1))
        z = net.op(
            "Conv", z, net.drawn(2 * width, 1, 3), group=2 * width, dilations=[step],
            pads=[step, step],
        )  # fmt: skip
        y = net.op("Add", y, net.op("Conv", net.op("Relu", z), net.drawn(width, 2 * width, 1)))
    return net.op("ConvTranspose", y, net.drawn(width, 1, 16), strides=[8], pads=[4, 4])


def dense(net: Net, x: str, width: int, blocks: int) -> str:
    """Fully connected layers: a table's features, or an autoencoder."""
    for _ in range(blocks):
        weight = net.drawn(width, width)
        x = net.op("Relu", net.op("Gemm", x, weight, net.drawn(width), transB=1))
    return x


def speech(net: Net, x: str, width: int, blocks: int) -> str:
    """Sound: frames by convolutions, GRUs over them, a sigmoid for each frame."""
    y = net.op("Conv", x, net.drawn(width, 1, 32), strides=[16], pads=[8, 8])
    y = net.op("Transpose", net.op("Tanh", y), perm=(2, 0, 1))
    for _ in range(blocks):
        weights = [net.drawn(1, 3 * width, width) for _ in "wr"]
        y = net.op("GRU", y, *weights, net.drawn(1, 6 * width), hidden_size=width)
        y = net.op("Squeeze", y, net.numbers(1))
    return net.op("Sigmoid", dense_layer(net, y, width, 1))


# Family: how it is built, the shape and type of its input, and (width, blocks, input size).
FAMILIES: dict[str, tuple[Callable[..., str], str, tuple[tuple[int, int, int], ...]]] = {
    "residual": (residual, "image", ((16, 1, 96), (32, 2, 128), (64, 2, 224))),
    "mobile": (mobile, "image", ((8, 1, 96), (16, 2, 160), (24, 3, 224))),
    "gated": (gated, "image", ((8, 1, 96), (16, 2, 160), (24, 2, 224))),
    "stacked": (stacked, "image", ((8, 1, 64), (16, 2, 128), (32, 2, 160))),
    "unet": (unet, "image", ((8, 1, 64), (16, 2, 128), (24, 2, 192))),
    "detector": (detector, "image", ((8, 1, 128), (16, 1, 256), (24, 2, 320))),
    "sharpen": (sharpen, "image", ((8, 2, 64), (16, 3, 128), (32, 4, 160))),
    "encoder": (encoder, "words", ((64, 2, 32), (128, 4, 64), (256, 4, 128), (384, 6, 128))),
    "patches": (patches, "image", ((96, 2, 96), (192, 6, 160), (256, 8, 224))),
    "lstm": (partial(recurrent, gates=4), "words", ((64, 1, 20), (128, 2, 50), (256, 2, 100))),
    "gru": (partial(recurrent, gates=3), "words", ((64, 1, 20), (128, 2, 50), (256, 1, 100))),
    "speech": (speech, "sound", ((48, 1, 1600), (128, 2, 4800), (192, 1, 8000))),
    "waves": (waves, "sound", ((32, 4, 4000), (64, 8, 8000), (96, 12, 16000))),
    "dense": (dense, "table", ((64, 3, 64), (512, 4, 512), (1024, 4, 1024))),
}
# Those that are quantized too.
QUANTIZED = ("residual", "mobile", "stacked", "detector", "dense", "encoder")


def given(kind: str, size: int) -> onnx.ValueInfoProto:
    """Return the input of a network. size: side, words, samples or features."""
    if kind == "words":
        return value("words", "int64", [1, size])
    shape = {"image": [1, 3, size, size], "sound": [1, 1, size], "table": [1, size]}[kind]
    return value(kind, "float32", shape)


def save(net: Net, put_in: onnx.ValueInfoProto, result: str, path: Path) -> None:
    """Write a network with its shapes."""
    made = helper.make_tensor_value_info(net.result(result, "answer"), TensorProto.FLOAT, None)
    graph = net.proto([put_in], [made])
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    onnx.save(onnx.shape_inference.infer_shapes(model), path)


def write(folder: Path) -> Iterator[tuple[str, Path, bool]]:
    """Write all of them, and yield family, file, and whether it is quantized too."""
    for family, (build, kind, sizes) in FAMILIES.items():
        for width, blocks, size in sizes:
            net, put_in = Net(family), given(kind, size)
            path = folder / f"{family}_{width}_{blocks}_{size}.onnx"
            save(net, put_in, build(net, put_in.name, width, blocks), path)
            yield family, path, family in QUANTIZED
