"""Large models that work, written on the wire so that making them takes no memory."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper

from inspector.formats.protobuf_wire import encode_varint

_SIDE = 2048  # a weight is SIDE x SIDE float32: 16.8 MB
_WEIGHT_BYTES = 4 * _SIDE * _SIDE


def many_weights(path: Path, megabytes: int) -> Path:
    """Write a chain of MatMul with weights of so many megabytes in all, in one file."""
    number = max(1, round(megabytes * 1e6 / _WEIGHT_BYTES))
    names = ["x", *(f"t{n}" for n in range(number - 1)), "y"]
    nodes = [
        helper.make_node("MatMul", [names[n], f"w{n}"], [names[n + 1]], f"/block.{n}/MatMul")
        for n in range(number)
    ]
    shape = [1, _SIDE]
    graph = helper.make_graph(
        nodes,
        "big",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
    )
    head = _model().SerializeToString()
    body = graph.SerializeToString()
    headers = [_header(f"w{n}") for n in range(number)]
    length = len(body) + sum(len(header) + _WEIGHT_BYTES for header in headers)
    values = np.random.default_rng(0).standard_normal(_SIDE * _SIDE, np.float32) / 50
    with path.open("wb") as file:
        file.write(head + b"\x3a" + encode_varint(length) + body)
        for header in headers:
            file.write(header)
            file.write(values.data)
    return path


def many_nodes(path: Path, number: int) -> Path:
    """Write a chain of so many small nodes, five operators in turn, a weight for each five."""
    weights = [
        helper.make_tensor(f"block.{n}.weight", 1, [4], np.ones(4, np.float32).tobytes(), True)
        for n in range(-(-number // 5))
    ]
    shape = helper.make_tensor("shape", 7, [1], np.array([-1], np.int64).tobytes(), True)
    nodes = [*_nodes(number)]
    nodes[-1].output[0] = "y"
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "long", [value("x", 1, [4])], [value("y", 1, [4])], [*weights, shape]
    )
    model = _model()
    model.graph.CopyFrom(graph)
    path.write_bytes(model.SerializeToString())
    return path


def _nodes(number: int) -> Iterator[onnx.NodeProto]:
    last = first = "x"
    for n in range(number):
        block, step = divmod(n, 5)
        operator = ("Mul", "Relu", "Reshape", "Transpose", "Add")[step]
        more = (f"block.{block}.weight", None, "shape", None, first)[step]
        inputs = [last, more] if more else [last]
        options = {"perm": [0]} if operator == "Transpose" else {}
        last = f"/block.{block}/{operator.lower()}_out"
        yield helper.make_node(
            operator, inputs, [last], f"/block.{block}/{operator}", **options
        )
        first = last if step == 4 else first


def _model() -> ModelProto:
    opset = helper.make_opsetid("", 17)
    return ModelProto(ir_version=8, producer_name="benchmark", opset_import=[opset])


def _header(name: str) -> bytes:
    """Write the beginning of an initializer, up to where its values go."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[_SIDE, _SIDE])
    inner: bytes = tensor.SerializeToString() + b"\x4a" + encode_varint(_WEIGHT_BYTES)
    return b"\x2a" + encode_varint(len(inner) + _WEIGHT_BYTES) + inner
