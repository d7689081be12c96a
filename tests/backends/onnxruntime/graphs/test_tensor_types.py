from onnx import TensorProto, helper

from inspector.backends.onnxruntime.graphs.tensor_types import in_words, tensor_types
from inspector.report.run_spec import RunSpec
from tests import models


def test_a_scalar_is_told_from_an_unknown_rank(tmp_path):
    x = models.value("x", [4])
    shape = models.value("shape", [None], TensorProto.INT64)
    y = models.value("y", None)
    nodes = [
        helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        helper.make_node("Expand", ["sum", "shape"], ["y"]),
    ]
    model = models.model(nodes, [x, shape], [y])
    types = tensor_types(model, RunSpec(), {"x": (4,)}, tmp_path)
    assert in_words(types["sum"]) == "float32 scalar"
    assert in_words(types["y"]) == "float32 unknown rank"
