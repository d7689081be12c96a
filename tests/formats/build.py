"""Small models for tests of the readers, made with onnx itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper


def value(name: str, shape: Sequence[int | str | None] | None = (4,), dtype: int = 1) -> Any:
    return helper.make_tensor_value_info(name, dtype, shape)


def weight(name: str, array: NDArray[Any]) -> Any:
    kind = helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor(name, kind, array.shape, array.tobytes(), raw=True)


def external(name: str, shape: Sequence[int], **entries: str) -> Any:
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, text in entries.items():
        tensor.external_data.add(key=key, value=text)
    return tensor


def model(nodes: Sequence[Any], weights: Sequence[Any] = (), **more: Any) -> Any:
    inputs, outputs = more.pop("inputs", [value("x")]), more.pop("outputs", [value("y")])
    sparse, info = more.pop("sparse", []), more.pop("value_info", [])
    opsets = more.pop("opsets", [helper.make_opsetid("", 17)])
    graph = helper.make_graph(
        nodes, "g", inputs, outputs, weights, value_info=info, sparse_initializer=sparse
    )
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, **more)


def add(first: str = "x", second: str = "w", result: str = "y", **more: Any) -> Any:
    return helper.make_node("Add", [first, second], [result], **more)


def save(proto: Any, path: Path) -> Path:
    path.write_bytes(proto.SerializeToString())
    return path


def nested(depth: int) -> Any:
    inner = [helper.make_node("Identity", ["x"], ["y"], name=f"leaf{depth}")]
    for level in reversed(range(depth)):
        branch = helper.make_graph(inner, f"b{level}", [], [value("y")])
        other = helper.make_graph(
            [helper.make_node("Identity", ["x"], ["z"])], f"c{level}", [], [value("z")]
        )
        inner = [
            helper.make_node(
                "If", ["c"], ["y"], name=f"if{level}", then_branch=branch, else_branch=other
            )
        ]
    return inner[0]


def ramp(elements: int, dtype: str = "float32") -> NDArray[Any]:
    return np.arange(elements).astype(dtype)
