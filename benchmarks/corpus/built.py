"""The families of nets built node by node as exporters write them, where torch is absent."""

from pathlib import Path

import numpy as np
import onnx

from sample_models.making.graph import IR_VERSION, OPSET, GraphInMaking, value

WIDTH, LENGTH, WORDS = 32, 12, 100


class Net(GraphInMaking):
    """A graph in making with weights by chance and the layers that are built of several.

    first: where numbers in names begin, for a graph inside of another.
    """

    def __init__(self, name: str, first: int = 0) -> None:
        super().__init__(name)
        self._random = np.random.default_rng(0)
        self._count = first

    def op(self, operator: str, *inputs: str, **attributes: object) -> str:
        """Add a node under a fresh name."""
        self._count += 1
        return self.node(operator, f"{operator}_{self._count}", *inputs, **attributes)

    def drawn(self, *shape: int) -> str:
        """Add a weight around zero."""
        self._count += 1
        spread = np.prod(shape[1:] or (1,)) ** -0.5
        return self.weight(
            f"w{self._count}", self._random.normal(0, spread, shape).astype("f4")
        )

    def numbers(self, *values: float) -> str:
        """Add integers, or one float."""
        self._count += 1
        kind = np.float32 if isinstance(values[0], float) else np.int64
        held = np.array(values[0] if kind is np.float32 else values, kind)
        return self.weight(f"c{self._count}", held)

    def conv(self, x: str, given: int, made: int, **more: object) -> str:
        """Convolve and normalise by known statistics."""
        groups = more.get("group", 1)
        assert isinstance(groups, int)
        more = {"pads": [1, 1, 1, 1]} | more
        y = self.op("Conv", x, self.drawn(made, given // groups, 3, 3), **more)
        ones = self.weight(f"{y}_var", np.ones(made, np.float32))
        zero = [self.drawn(made) for _ in range(3)]
        return self.op("BatchNormalization", y, *zero, ones)

    def dense(self, x: str, given: int, made: int) -> str:
        """Multiply and add."""
        return self.op("Add", self.drawn(made), self.op("MatMul", x, self.drawn(given, made)))

    def normal(self, x: str, scale: bool = True) -> str:
        """Normalise the last axis, written out."""
        off = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        square = self.op("ReduceMean", self.op("Pow", off, self.numbers(2.0)), axes=[-1])
        y = self.op("Div", off, self.op("Sqrt", self.op("Add", square, self.numbers(1e-5))))
        return self.op("Add", self.op("Mul", y, self.drawn(WIDTH)), self.drawn(WIDTH))

    def even(self, x: str) -> str:
        """Divide by the root of the mean square, written out."""
        return self.even_of(x, WIDTH)

    def even_of(self, x: str, width: int) -> str:
        """Do the same with rows of another width."""
        square = self.op("ReduceMean", self.op("Pow", x, self.numbers(2.0)), axes=[-1])
        root = self.op("Sqrt", self.op("Add", square, self.numbers(1e-6)))
        return self.op("Mul", self.op("Mul", x, self.op("Reciprocal", root)), self.drawn(width))

    def bell(self, x: str) -> str:
        """Gelu, written out."""
        y = self.op("Erf", self.op("Div", x, self.numbers(2.0**0.5)))
        y = self.op("Mul", x, self.op("Add", y, self.numbers(1.0)))
        return self.op("Mul", y, self.numbers(0.5))

    def swish(self, x: str) -> str:
        """Multiply by its own sigmoid."""
        return self.op("Mul", x, self.op("Sigmoid", x))

    def attention(self, x: str) -> str:
        """Attend with four heads."""
        heads = self.numbers(0, 0, 4, WIDTH // 4)
        parts = [
            self.op("Transpose", self.op("Reshape", self.dense(x, WIDTH, WIDTH), heads), perm=p)
            for p in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
        ]
        scores = self.op("Div", self.op("MatMul", *parts[:2]), self.numbers(2.0))
        y = self.op("MatMul", self.op("Softmax", scores, axis=-1), parts[2])
        y = self.op("Transpose", y, perm=(0, 2, 1, 3))
        return self.dense(self.op("Reshape", y, self.numbers(0, 0, WIDTH)), WIDTH, WIDTH)

    def grouped(self, x: str, channels: int) -> str:
        """Normalise in groups, as exporters write it."""
        y = self.op("Reshape", x, self.numbers(0, 4, -1))
        ones = self.weight(f"{y}_one", np.ones(4, np.float32))
        nulls = self.weight(f"{y}_nil", np.zeros(4, np.float32))
        y = self.op("InstanceNormalization", y, ones, nulls)
        y = self.op("Reshape", y, self.op("Shape", x))
        return self.op("Mul", y, self.drawn(channels, 1, 1))


def _cnn(net: Net, x: str) -> str:
    x = net.op("Relu", net.conv(x, 3, 16, strides=[2, 2]))
    y = net.conv(net.op("Relu", net.conv(x, 16, 16)), 16, 16)
    x = net.op("Relu", net.op("Add", y, x))
    x = net.op(
        "Flatten", net.op("GlobalAveragePool", net.op("MaxPool", x, kernel_shape=[2, 2]))
    )
    return net.op("Softmax", net.op("Gemm", x, net.drawn(10, 16), net.drawn(10), transB=1))


def _mobile(net: Net, x: str) -> str:
    x = net.op("HardSwish", net.conv(x, 3, 16, strides=[2, 2]))
    y = net.op("Clip", net.conv(x, 16, 16, group=16), net.numbers(0.0), net.numbers(6.0))
    gate = net.op("HardSigmoid", net.op("GlobalAveragePool", y))
    return net.op("Add", net.conv(net.op("Mul", y, gate), 16, 16), x)


def _unet(net: Net, x: str) -> str:
    fine = net.swish(net.grouped(net.op("Conv", x, net.drawn(16, 3, 1, 1)), 16))
    y = net.op("MaxPool", fine, kernel_shape=[2, 2], strides=[2, 2])
    y = net.swish(net.grouped(net.conv(y, 16, 32), 32))
    wide = net.op("ConvTranspose", y, net.drawn(32, 16, 2, 2), strides=[2, 2])
    scales = net.weight("scales", np.array([1, 1, 2, 2], np.float32))
    other = net.op("Resize", y, "", scales, mode="linear")
    y = net.op("Concat", wide, other, fine, axis=1)
    return net.op("Sigmoid", net.op("Conv", y, net.drawn(1, 64, 1, 1)))


def _encoder(net: Net, x: str) -> str:
    for _ in range(2):
        x = net.normal(net.op("Add", x, net.attention(x)))
        y = net.dense(net.bell(net.dense(x, WIDTH, 64)), 64, WIDTH)
        x = net.normal(net.op("Add", y, x))
    return x


def _bert(net: Net, ids: str) -> str:
    x = _encoder(net, net.normal(net.op("Gather", net.drawn(WORDS, WIDTH), ids)))
    first = net.op("Gather", x, net.weight("first", np.array(0, np.int64)), axis=1)
    return net.op("Gemm", net.op("Tanh", first), net.drawn(WIDTH, 2), net.drawn(2))


def _gpt(net: Net, ids: str) -> str:
    x = net.op("Gather", net.drawn(WORDS, WIDTH), ids)
    for _ in range(2):
        x = net.op("Add", x, net.attention(net.even(x)))
        y = net.even(x)
        gate = net.swish(net.op("MatMul", y, net.drawn(WIDTH, 64)))
        y = net.op("Mul", gate, net.op("MatMul", y, net.drawn(WIDTH, 64)))
        x = net.op("Add", x, net.op("MatMul", y, net.drawn(64, WIDTH)))
    return net.op("MatMul", x, net.drawn(WIDTH, WORDS))


def _lstm(net: Net, ids: str) -> str:
    x = net.op("Transpose", net.op("Gather", net.drawn(WORDS, 16), ids), perm=(1, 0, 2))
    sizes = (net.drawn(1, 64, 16), net.drawn(1, 64, 16), net.drawn(1, 128))
    x = net.op("Squeeze", net.op("LSTM", x, *sizes, hidden_size=16), net.numbers(1))
    sizes = (net.drawn(1, 48, 16), net.drawn(1, 48, 16), net.drawn(1, 96))
    x = net.op("Squeeze", net.op("GRU", x, *sizes, hidden_size=16), net.numbers(1))
    return net.op("LogSoftmax", net.dense(x, 16, 10), axis=-1)


def _vit(net: Net, x: str) -> str:
    y = net.op("Conv", x, net.drawn(WIDTH, 3, 16, 16), strides=[16, 16])
    y = net.op("Transpose", net.op("Reshape", y, net.numbers(0, WIDTH, -1)), perm=(0, 2, 1))
    return _encoder(net, net.op("Add", y, net.drawn(4, WIDTH)))


_PICTURES = {"cnn": _cnn, "mobile": _mobile, "unet": _unet, "vit": _vit}
_TEXTS = {"bert": _bert, "gpt": _gpt, "lstm": _lstm}


def write(folder: Path) -> tuple[Path, ...]:
    """Write one model of each family."""
    written = []
    for name, build in (_PICTURES | _TEXTS).items():
        net = Net(name)
        given = (
            value("picture", "float32", ["batch", 3, 32, 32])
            if name in _PICTURES
            else value("ids", "int64", ["batch", LENGTH])
        )
        result = net.result(build(net, given.name), "answer")
        made = onnx.helper.make_tensor_value_info(result, onnx.TensorProto.FLOAT, None)
        path = folder / f"{name}_built.onnx"
        opsets = [onnx.helper.make_opsetid("", OPSET)]
        graph = net.proto([given], [made])
        model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)
        written.append(path)
    return tuple(written)
