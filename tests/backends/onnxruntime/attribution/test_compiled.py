from onnx import parser

from inspector.backends.onnxruntime.attribution.attribution import explain_by_names
from inspector.backends.onnxruntime.graphs.layer_names import rename
from tests.backends.onnxruntime.attribution.optimised import statuses

NPU, CPU = "NpuExecutionProvider", "CPUExecutionProvider"


def test_a_compiled_part_has_one_time_at_its_first_layer():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) {
      two = Constant<value = float {2}>()
      a = Mul(x, two)
      b = Tanh(a)
      c = Unique(b)
      d = Exp(c)
      e = Neg(d)
      y = Identity(e)
    }"""
    model, _ = rename(parser.parse_model(text))
    found = explain_by_names(
        model,
        [
            ("Npu_main_4711_0", "Npu_main_4711_0", NPU),
            ("L3", "Unique", CPU),
            ("Npu_main_4711_1", "Npu_main_4711_1", NPU),
            ("L3", "Unique", CPU),
        ],
        [(NPU, ("L1", "L2")), (CPU, ("L3",)), (NPU, ("L4", "L5_token_2"))],
    )
    assert statuses(found) == [
        "folded", "compiled", "compiled -> 1", "executed", "compiled", "compiled -> 4",
        "eliminated",
    ]  # fmt: skip
    assert [node.lead for node in found.executed] == [1, 3, 4]


def test_a_part_nobody_lists_has_no_layer():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) { y = Tanh(x) }"""
    model, _ = rename(parser.parse_model(text))
    found = explain_by_names(model, [("Npu_main_7", "Npu_main_7", NPU)], [])
    assert statuses(found) == ["unknown"]
    assert found.executed[0].lead is None


def test_a_layer_that_lost_its_name_is_in_the_part_of_its_neighbors():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) {
      a = Tanh(x)
      b = Exp(a)
      c = Neg(b)
      d = Abs(c)
      y = Unique(d)
    }"""
    model, _ = rename(parser.parse_model(text))
    found = explain_by_names(
        model,
        [("Npu_main_7_0", "Npu_main_7_0", NPU), ("L4", "Unique", CPU)],
        [(NPU, ("L0", "Exp_token_3", "L2")), (CPU, ("L4",))],
    )
    assert statuses(found)[:4] == [
        "compiled",
        "compiled -> 0",
        "compiled -> 0",
        "compiled -> 0",
    ]
