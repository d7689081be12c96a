"""Outputs that report the range of inner values, for a model that is run to calibrate it."""

from collections.abc import Sequence

from onnx import TensorProto, helper

from inspector.conversion.action import HIGHEST, LOWEST
from inspector.conversion.editable_model import EditableModel


def add_observers(model: EditableModel, names: Sequence[str]) -> None:
    """Give a model two scalar outputs for each float32 tensor: its lowest and highest value."""
    graph = model.proto.graph
    for name in names:
        for operator, ending in (("ReduceMin", LOWEST), ("ReduceMax", HIGHEST)):
            output = name + ending
            graph.node.append(helper.make_node(operator, [name], [output], keepdims=0))
            graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, ()))
