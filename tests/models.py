"""ONNX models of a few nodes: the one place where tests build a graph and write it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
_FIRST_OF_IR_10 = 19  # opset; older runtimes refuse newer IR versions


def value(
    name: str, shape: Sequence[int | str | None] | None = (), kind: int = FLOAT
) -> onnx.ValueInfoProto:
    """Declare a tensor; the shape None is an unknown one."""
    return helper.make_tensor_value_info(name, kind, shape)


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    weights: Sequence[onnx.TensorProto] | Mapping[str, ArrayLike] = (),
    opset: int = 17,
    **domains: int,
) -> onnx.ModelProto:
    """Make a model. domains: versions of the operator sets that are not ONNX's and not 1."""
    if isinstance(weights, Mapping):
        weights = [numpy_helper.from_array(np.asarray(v), name) for name, v in weights.items()]
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    versions = {"": opset} | dict.fromkeys((n.domain for n in nodes if n.domain), 1) | domains
    opsets = [helper.make_opsetid(domain, version) for domain, version in versions.items()]
    ir_version = 8 if opset < _FIRST_OF_IR_10 else 10
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir_version)


def save(
    path: Path,
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    weights: Sequence[onnx.TensorProto] | Mapping[str, ArrayLike] = (),
    opset: int = 17,
    **domains: int,
) -> Path:
    """Write a model as `model` makes it, and return where."""
    onnx.save(model(nodes, inputs, outputs, weights, opset, **domains), path)
    return path
