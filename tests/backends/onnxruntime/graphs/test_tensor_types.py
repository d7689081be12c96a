from pathlib import Path

from onnx import TensorProto, helper

from inspector.backends.onnxruntime.graphs.tensor_types import in_words, tensor_types
from inspector.report.run_spec import RunSpec


def test_a_scalar_is_told_from_an_unknown_rank(tmp_path: Path) -> None:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])
    shape = helper.make_tensor_value_info("shape", TensorProto.INT64, [None])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        helper.make_node("Expand", ["sum", "shape"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "g", [x, shape], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    types = tensor_types(model, RunSpec(), {"x": (4,)}, tmp_path)
    assert in_words(types["sum"]) == "float32 scalar"
    assert in_words(types["y"]) == "float32 unknown rank"
