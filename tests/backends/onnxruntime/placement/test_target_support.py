"""Targets that people know: which part of a model each supports, in one sentence."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from msgspec.structs import replace
from onnx import TensorProto, helper

from inspector.analysis.devices import targets
from inspector.analysis.devices.support_summary import Refusal
from inspector.analysis.devices.targets import TARGETS, Answer, TargetSupport, Verdict
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import BadInput
from inspector.formats.opening import open_bytes, open_model
from inspector.wording.support_marks import Mark, Rule
from tests import models
from tests.formats.tflite import build


def support(
    path: Path, operators: tuple[str, ...], dtype: int = TensorProto.FLOAT, size: object = 4
) -> dict[str, TargetSupport]:
    """Answers for a chain of elementwise operators on a tensor of 1x3xSIZExSIZE."""
    names = [f"v{place}" for place in range(len(operators) + 1)]
    nodes = [
        helper.make_node(operator, [names[place]], [names[place + 1]])
        for place, operator in enumerate(operators)
    ]
    values = [models.value(name, [1, 3, size, size], dtype) for name in names]
    proto = models.model(nodes, values[:1], values[-1:])
    proto.graph.value_info.extend(values[1:-1])
    onnx.save(proto, path)
    model = open_model(path)
    known = {value.name: value for value in (*model.values, *model.inputs, *model.outputs)}
    numbers = absent_devices.small_weights(model, path)
    return {
        each.target.id: each
        for each in absent_devices.check_targets(model, TARGETS, known, numbers)
    }


def test_every_layer_of_a_plain_network_runs_on_phones(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu", "Sigmoid"))
    for target in ("apple", "android", "nvidia"):
        assert found[target].verdict is Verdict.ALL
        assert found[target].count == "2 of 2"


def test_layers_that_the_runtime_removes_count_for_nothing(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu", "Dropout", "Identity"))["android"]
    assert (found.count, found.removed, found.layers) == ("1 of 1", 2, (0,))


@pytest.mark.parametrize(
    ("dtype", "size", "end"),
    [
        (TensorProto.FLOAT16, 4, "Convert the model to float32."),
        (
            TensorProto.INT32,
            4,
            "it is int32. No conversion of the model's floats changes that.",
        ),
        (TensorProto.FLOAT, "n", "Fix the sizes of the dynamic axes."),
    ],
)
def test_a_type_that_a_target_lacks_and_a_dynamic_axis_have_their_remedy(
    tmp_path, dtype, size, end
):
    found = support(tmp_path / "m.onnx", ("Relu",), dtype, size)["android"]
    assert found.verdict is Verdict.NONE
    assert found.sentence.endswith(end)


def test_the_option_that_a_target_needs_is_named(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu",), TensorProto.FLOAT16)["apple"]
    assert (found.table, found.option) == ("coreml-mlprogram", "ModelFormat=MLProgram")
    assert found.sentence == "Core ML supports the only layer with ModelFormat=MLProgram."


def test_an_operator_that_a_target_lacks_falls_back_to_the_cpu(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu", "Erf"))["android"]
    assert found.verdict is Verdict.PART
    assert found.sentence.startswith("NNAPI supports 1 of 2 layers; 1 runs on the CPU (Erf). ")
    assert [answer.mark for answer in found.answers] == [Mark.SUPPORTED, Mark.UNSUPPORTED]


def test_a_reason_says_which_operators_it_is_for(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu", "Erf", "Celu"))
    assert found["android"].sentence == (
        "NNAPI supports 1 of 3 layers; 2 run on the CPU (Erf, Celu). "
        "NNAPI does not have these operators."
    )
    phone = replace(found["android"], target=found["phone-cpu"].target)
    own = "1 with XNNPACK, 2 with the runtime's own kernels (Erf, Celu). "
    assert phone.sentence.startswith(f"The CPU runs all 3 layers: {own}")
    assert phone.known_layers == 3
    assert (found["android"].answer, phone.answer) == (Answer.PARTLY, Answer.YES)
    one = Refusal("Erf", Rule.OPERATOR, "NNAPI does not have this operator.", 2)
    other = Refusal("Relu", Rule.TYPE, "The type is float64.", 1)
    android = found["android"]
    mixed = replace(android, summary=replace(android.summary, layers=4, refusals=(one, other)))
    assert mixed.sentence == (
        "NNAPI supports 1 of 4 layers; 3 run on the CPU (Erf, Relu). "
        "Erf: NNAPI does not have this operator."
    )


def test_targets_whose_compiler_decides_are_not_promised(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu",))["tensorrt"]
    assert (found.verdict, found.count) == (Verdict.UNKNOWN, "")
    assert found.text.startswith("Not known. Whether TensorRT's own ONNX parser accepts the ")


def test_of_a_model_that_was_hardly_checked_nothing_is_known(tmp_path):
    found = support(tmp_path / "m.onnx", ("Relu", "Erf", "Celu"))["android"]
    erf, celu = (Refusal(name, Rule.OPERATOR, "", 1) for name in ("Erf", "Celu"))
    few = replace(found, summary=replace(found.summary, refusals=(erf,), unknowns=(celu,)))
    assert few.answer is Answer.PARTLY
    rest = replace(few, summary=replace(few.summary, refusals=()))
    assert rest.answer is Answer.MOSTLY
    assert targets.overall([rest])[0].startswith(
        "On Android: Yes, mostly. NNAPI supports 1 of 3"
    )
    most = replace(found, summary=replace(few.summary, layers=4, unknowns=(celu, erf, celu)))
    assert most.answer is Answer.NOT_KNOWN
    assert (few.on_cpu, few.unchecked) == ("1 (Erf)", 1)


def test_a_model_with_custom_operators_is_promised_nowhere_without_their_library():
    node = helper.make_node("BertTokenizer", ["x"], ["y"], domain="ai.onnx.contrib")
    proto = models.model([node], [models.value("x", [4])], [models.value("y", [4])])
    model = open_bytes(proto.SerializeToString(), "m.onnx")
    found = absent_devices.check_targets(model, TARGETS, {}, lambda _: None)
    needs = "Its custom operators need onnxruntime-extensions there."
    assert all(line.endswith(needs) for line in targets.overall(found))


def test_an_empty_region_of_interest_keeps_no_layer_from_core_ml():
    """Builders of Core ML check inputs for empty axes, but for those of Resize."""
    ends = [[models.value(name, [1, 1, 4, 4])] for name in "xy"]
    node = helper.make_node(
        "Resize", ["x", "roi", "scales"], ["y"], mode="linear",
        coordinate_transformation_mode="align_corners",
    )  # fmt: skip
    weights = {"roi": np.zeros(0, np.float32), "scales": np.ones(4, np.float32)}
    proto = models.model([node], *ends, weights, opset=11)
    model = open_bytes(proto.SerializeToString(), "m.onnx")
    known = {value.name: value for value in (*model.inputs, *model.outputs)}
    (apple,) = absent_devices.check_targets(model, TARGETS[:1], known, lambda _: None)
    assert all("size 0" not in each.reason for each in apple.answers)


def test_targets_are_chosen_by_id(tmp_path):
    support(tmp_path / "m.onnx", ("Relu",))
    model = open_model(tmp_path / "m.onnx")
    assert [each.id for each in targets.chosen("android,apple", model)] == ["android", "apple"]
    assert targets.chosen("all", model) == TARGETS
    with pytest.raises(BadInput, match="no target 'fridge'"):
        targets.chosen("fridge", model)


def test_models_of_another_format_have_the_targets_of_its_runtime():
    lite = open_bytes(build.adding(), "m.tflite")
    assert targets.chosen("all", lite) == targets.LITERT_TARGETS
    with pytest.raises(BadInput, match="no target 'nvidia'"):
        targets.chosen("nvidia", lite)
    answers = {
        each.target.id: each
        for each in absent_devices.check_targets(
            lite, targets.for_model(lite), {v.name: v for v in lite.values}, lambda _: None
        )
    }
    assert answers["hexagon"].count == "0 of 1"


def test_each_support_table_belongs_to_one_target():
    for every, known in (
        (TARGETS, absent_devices.KNOWN),
        (targets.LITERT_TARGETS, absent_devices.DELEGATES),
    ):
        tables = [table for target in every for table in target.tables]
        assert sorted(tables) == sorted(known)


def test_each_target_says_which_processor_it_stands_for_and_how_to_settle_an_unknown(tmp_path):
    assert {t.id: t.units for t in TARGETS if t.id in ("android", "qualcomm", "phone-cpu")} == {
        "android": "NPU, GPU, DSP or CPU",
        "qualcomm": "NPU",
        "phone-cpu": "CPU",
    }
    found = support(tmp_path / "m.onnx", ("Relu", "Attention"))
    assert "whether the NPU runs it depends on the phone" in found["android"].explanation
    assert found["qualcomm"].summary.unknowns
    assert "inspector compile MODEL --target sm8650" in found["qualcomm"].sentence


@pytest.mark.parametrize(
    ("operators", "android"),
    [
        (("Relu",), "Yes. NNAPI supports the only layer; "),
        (
            ("Relu", "Erf"),
            "Yes, partly on the CPU. NNAPI supports 1 of 2 layers; 1 runs on the CPU (Erf).",
        ),
        (("Erf",), "Yes, but only on the CPU. NNAPI supports no layer. "),
    ],
)
def test_one_line_answers_for_android_and_one_for_iphone(tmp_path, operators, android):
    found = support(tmp_path / "m.onnx", operators)
    lines = targets.overall(tuple(found.values()))
    assert lines[0].startswith(f"On Android: {android}")
    assert lines[0].endswith(f" Qualcomm NPU: {found['qualcomm'].answer.value}.")
    assert lines[1].startswith("On iPhone: ")
