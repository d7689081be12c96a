"""What layers are given that are run one by one."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from inspector.backends.onnxruntime.measuring import synchronized_layers
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.report.report import LayerUse
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Status
from tests.conversion.conversions import saved

pytestmark = pytest.mark.engine
TEXT = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 2] x) => (float[1, 2] y) {
        a = MatMul (x, w)
        one = Constant <value = float {1}> ()
        b = Add (a, one)
        y = Mul (b, x)
    }"""


def test_only_what_other_layers_make_is_computed_for_a_layer(tmp_path, monkeypatch):
    weights, x = np.array([[1, 2], [3, 4]], np.float32), np.array([[1, 10]], np.float32)
    path = saved(tmp_path, TEXT, w=weights)
    model = onnx.load(path)
    operators = [node.op_type for node in model.graph.node]
    homes = ["cpu" if operator == "Constant" else "npu" for operator in operators]
    uses = [
        LayerUse(i, f"l{i}", operator, Status.EXECUTED, home, 1)
        for i, (operator, home) in enumerate(zip(operators, homes, strict=True))
    ]
    expose, computed = exposed_outputs.expose_outputs, list[tuple[str, ...]]()

    def told(model: Path, spec: RunSpec, tensors: tuple[str, ...]) -> Any:
        assert spec.devices == ("cpu",)
        computed.append(tensors)
        return expose(model, spec, tensors)

    monkeypatch.setattr(exposed_outputs, "expose_outputs", told)
    groups = synchronized_layers._groups(model, uses, {"npu"})
    spec = RunSpec(devices=("npu",))
    found = {
        group.lead.operator: given
        for group, given in synchronized_layers._with_inputs(
            model, path, spec, {"x": x}, groups
        )
    }
    assert computed == [("a", "b")]
    assert {name: sorted(given) for name, given in found.items()} == {
        "MatMul": ["x"],
        "Add": ["a"],
        "Mul": ["b", "x"],
    }
    np.testing.assert_array_equal(found["Add"]["a"], x @ weights)
    np.testing.assert_array_equal(found["Mul"]["b"], x @ weights + 1)
    assert found["Mul"]["x"] is x
