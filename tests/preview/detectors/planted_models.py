"""Small ONNX models with the exact outputs of a family and a planted answer.

Each output is the bias of a Gemm whose weights are zero, reshaped, behind the operators that
the family has at its head. So the graph's structure is that of the family, the answer is known,
and the input still takes part. All in float32 or float16, or as static int8 quantization leaves
them: with QuantizeLinear and DequantizeLinear behind every float output (QDQ), or with
quantized operators in the head (QOperator).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.generic]
PRECISIONS = ("float32", "float16", "int8", "int8-operators")
_STEPS = 255  # of uint8
# Operators that detectors have somewhere: shapes of what they read, and indices behind it.
_BESIDE = {
    "NonMaxSuppression": (((1, 2, 4), (1, 1, 2)), 1),
    "RoiAlign": (((1, 1, 4, 4), (1, 4)), 1),
}


@dataclass(frozen=True)
class Part:
    """Values as they leave the model, and the operator that makes them so."""

    values: Array
    operator: str = ""


@dataclass(frozen=True)
class Output:
    """An output of parts joined along an axis, and operators behind that change no value."""

    name: str
    parts: tuple[Part, ...]
    axis: int = -1
    after: tuple[str, ...] = ()

    @property
    def values(self) -> Array:
        return np.concatenate([part.values for part in self.parts], axis=self.axis)


def out(name: str, values: Array, operator: str = "", after: Sequence[str] = ()) -> Output:
    """An output of one part."""
    return Output(name, (Part(values, operator),), after=tuple(after))


@dataclass(frozen=True)
class Planted:
    """A family's model: its outputs, and what should be made of it.

    size: width and height of the picture. dtype: of the input, where it is not the precision.
    selector: operator of no standard that gives all outputs, as TensorFlow Lite's does.
    """

    name: str
    outputs: tuple[Output, ...]
    size: tuple[int, int]
    layout: str = "nchw"
    channels: int = 3
    dtype: str = ""
    input_name: str = "images"
    metadata: dict[str, str] = field(default_factory=dict)
    operators: tuple[str, ...] = ()
    layer_prefix: str = ""
    more_inputs: tuple[str, ...] = ()
    selector: str = ""


SELECTOR_DOMAIN = "custom"


def model(planted: Planted, precision: str) -> onnx.ModelProto:
    """Return the model in one of PRECISIONS; int8 is between float32."""
    kind = TensorProto.FLOAT16 if precision == "float16" else TensorProto.FLOAT
    width, height = planted.size
    sides = [planted.channels, height, width]
    shape = [1, *(sides if planted.layout == "nchw" else [height, width, planted.channels])]
    taken = getattr(TensorProto, planted.dtype.upper()) if planted.dtype else kind
    graph = _Graph(planted.layer_prefix, kind, precision == "int8-operators")
    mean = graph.add("Cast", [planted.input_name], to=kind)
    for operator in planted.operators:
        mean = graph.through(operator, mean, planted.channels)
    axes = graph.constant(np.arange(4))
    mean = graph.add("ReduceMean", [mean, axes], keepdims=0)
    mean = graph.add("Reshape", [mean, graph.constant(np.array([1, 1]))])
    listed = planted.outputs
    if planted.selector:
        listed = tuple(replace(each, name=f"{each.name}.raw") for each in listed)
    outputs = [graph.output(each, mean, precision == "int8") for each in listed]
    functions = []
    if planted.selector:
        functions = [graph.select(planted.selector, listed, planted.outputs)]
        for info, each in zip(outputs, planted.outputs, strict=True):
            info.name = each.name
    inputs = [helper.make_tensor_value_info(planted.input_name, taken, shape)]
    inputs += [
        helper.make_tensor_value_info(name, TensorProto.INT64, [1, 2])
        for name in planted.more_inputs
    ]
    built = helper.make_graph(graph.nodes, "planted", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    if functions:
        opsets.append(helper.make_opsetid(SELECTOR_DOMAIN, 1))
    made = helper.make_model(built, opset_imports=opsets, ir_version=9, functions=functions)
    helper.set_model_props(made, planted.metadata)
    return made


class _Graph:
    def __init__(self, prefix: str, kind: int, operators: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._prefix, self._kind, self._operators = prefix, kind, operators

    def constant(self, values: Array) -> str:
        name = f"weight_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def real(self, values: Array) -> str:
        wanted = np.float16 if self._kind == TensorProto.FLOAT16 else np.float32
        return self.constant(np.asarray(values, wanted))

    def add(
        self,
        operator: str,
        inputs: list[str],
        output: str = "",
        domain: str = "",
        **attributes: int,
    ) -> str:
        name = output or f"value_{len(self.nodes)}"
        label = f"{self._prefix}{operator}_{len(self.nodes)}"
        node = helper.make_node(operator, inputs, [name], label, domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def select(
        self, operator: str, inputs: Sequence[Output], outputs: Sequence[Output]
    ) -> onnx.FunctionProto:
        """Give all outputs by one operator; returns the function that it is."""
        taken, given = [each.name for each in inputs], [each.name for each in outputs]
        self.nodes.append(helper.make_node(operator, taken, given, domain=SELECTOR_DOMAIN))
        names = [f"in{i}" for i in range(len(taken))], [f"out{i}" for i in range(len(given))]
        nodes = [helper.make_node("Identity", [a], [b]) for a, b in zip(*names, strict=True)]
        opset = [helper.make_opsetid("", 18)]
        return helper.make_function(SELECTOR_DOMAIN, operator, *names, nodes, opset)

    def through(self, operator: str, value: str, channels: int) -> str:
        """A layer inside the network that only its operator is wanted of."""
        if operator == "InstanceNormalization":
            ones = self.real(np.ones(channels))
            return self.add(operator, [value, ones, ones])
        if operator in _BESIDE:
            shapes, integers = _BESIDE[operator]
            reads = [self.constant(np.ones(shape, np.float32)) for shape in shapes]
            reads += [self.constant(np.zeros(1, np.int64))] * integers
            self.add(operator, reads)
            return value
        return self.add(operator, [value])

    def output(self, wanted: Output, mean: str, quantized: bool) -> onnx.ValueInfoProto:
        values = wanted.values
        if values.dtype.kind in "iu":
            return self._whole(wanted, mean)
        parts = [self._part(part, mean) for part in wanted.parts]
        value = parts[0]
        if len(parts) > 1 and self._operators:
            value = self._quantized_concat(wanted, parts)
        elif len(parts) > 1:
            value = self.add("Concat", parts, axis=wanted.axis)
        for operator in wanted.after:
            value = self._unchanged(operator, value)
        if quantized:
            value = self._quantized(value, values)
        self.add("Identity", [value], wanted.name)
        return helper.make_tensor_value_info(wanted.name, self._kind, values.shape)

    def _part(self, part: Part, mean: str) -> str:
        values = part.values.astype(np.float64)
        if part.operator == "Sigmoid":
            values = np.log(
                np.clip(values, 1e-4, 1 - 1e-4) / (1 - np.clip(values, 1e-4, 1 - 1e-4))
            )
        if part.operator in ("Softmax", "Exp"):
            values = np.log(np.clip(values, 1e-4, 1))
        zeros, bias = self.real(np.zeros((1, values.size))), self.real(values.ravel()[None])
        flat = self.add("Gemm", [mean, zeros, bias])
        value = self.add("Reshape", [flat, self.constant(np.array(values.shape))])
        if self._operators and part.operator in ("Sigmoid", "Softmax"):
            return self._quantized_operator(part.operator, value, values)
        if part.operator == "Softmax":
            return self.add("Softmax", [value], axis=_class_axis(values.shape))
        return self.add(part.operator, [value]) if part.operator else value

    def _unchanged(self, operator: str, value: str) -> str:
        if operator == "Mul":
            return self.add("Mul", [value, self.real(np.ones(1))])
        if operator == "Transpose":
            return self.add("Transpose", [self.add("Transpose", [value])])
        if operator == "Cos":
            turned = self.add("Cos", [value])
            none = self.add("Mul", [turned, self.real(np.zeros(1))])
            return self.add("Add", [value, none])
        return self.add(operator, [value])

    def _quantized(self, value: str, values: Array) -> str:
        scale, zero = self._steps(values)
        whole = self.add("QuantizeLinear", [value, scale, zero])
        return self.add("DequantizeLinear", [whole, scale, zero])

    def _steps(self, values: Array) -> tuple[str, str]:
        """Scale and zero point of values as uint8."""
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        step = (high - low) / _STEPS or 1.0
        zero = self.constant(np.array(round(-low / step), np.uint8))
        return self.constant(np.array(step, np.float32)), zero

    def _quantized_operator(self, operator: str, value: str, values: Array) -> str:
        """Sigmoid or Softmax as ONNX Runtime's static quantization to operators writes it."""
        given, one = self._steps(values), self._steps(np.array([0.0, 1.0]))
        whole = self.add("QuantizeLinear", [value, *given])
        more = {"opset": 18, "axis": _class_axis(values.shape)} if operator == "Softmax" else {}
        inputs = [whole, *given, *one]
        made = self.add(f"QLinear{operator}", inputs, domain="com.microsoft", **more)
        return self.add("DequantizeLinear", [made, *one])

    def _quantized_concat(self, wanted: Output, parts: list[str]) -> str:
        whole = self._steps(wanted.values)
        inputs = [*whole]
        for part, value in zip(wanted.parts, parts, strict=True):
            own = self._steps(part.values)
            inputs += [self.add("QuantizeLinear", [value, *own]), *own]
        joined = self.add("QLinearConcat", inputs, domain="com.microsoft", axis=wanted.axis)
        return self.add("DequantizeLinear", [joined, *whole])

    def _numbered(self, wanted: Output, mean: str) -> onnx.ValueInfoProto:
        """Numbers of classes, by ArgMax of a plane for each."""
        numbers = wanted.values
        planes = np.moveaxis(np.eye(int(numbers.max()) + 1)[numbers], -1, 1)
        zeros, bias = self.real(np.zeros((1, planes.size))), self.real(planes.ravel()[None])
        flat = self.add("Gemm", [mean, zeros, bias])
        value = self.add("Reshape", [flat, self.constant(np.array(planes.shape))])
        self.add("ArgMax", [value], wanted.name, axis=1, keepdims=0)
        return helper.make_tensor_value_info(wanted.name, TensorProto.INT64, numbers.shape)

    def _whole(self, wanted: Output, mean: str) -> onnx.ValueInfoProto:
        values = wanted.values
        if wanted.parts[0].operator == "ArgMax":
            return self._numbered(wanted, mean)
        none = self.add("Cast", [mean], to=TensorProto.INT64)
        none = self.add("Mul", [none, self.constant(np.array([[0]]))])
        flat = self.add("Add", [self.constant(values.ravel()[None].astype(np.int64)), none])
        shaped = self.add("Reshape", [flat, self.constant(np.array(values.shape))])
        kind = helper.np_dtype_to_tensor_dtype(values.dtype)
        self.add("Cast", [shaped], wanted.name, to=kind)
        return helper.make_tensor_value_info(wanted.name, kind, values.shape)


def _class_axis(shape: Sequence[int]) -> int:
    """Classes are the channels of a grid, and the last axis of a list."""
    return 1 if len(shape) == 4 else -1
