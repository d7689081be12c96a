"""Versions, parts, and where weights are."""

import ml_dtypes
import numpy as np
import onnx
import pytest

from inspector.errors import BadInput, EngineFailed
from tests import models
from tests.conversion.conversions import converted, effect, outputs, saved

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


@pytest.mark.parametrize(
    "name", ["openseeface_lm_model0", "ultraface_rfb_320_ort_optimized", "fastestdet_opset11"]
)
def test_opset_converts_a_model_that_imports_other_domains(shared, tmp_path, name):
    path, made = converted(shared / "real" / f"{name}.onnx", tmp_path, "opset:to=17")
    before = onnx.load(shared / "real" / f"{name}.onnx")
    after = onnx.load(path)
    domains = {entry.domain: entry.version for entry in after.opset_import}
    assert domains[""] == 17
    assert {entry.domain for entry in before.opset_import} == set(domains)
    assert made.effects[0].applicable
    (given,) = before.graph.input
    shape = [axis.dim_value or 1 for axis in given.type.tensor_type.shape.dim]
    feeds = {given.name: np.random.default_rng(0).random(shape, np.float32)}
    expected = outputs(shared / "real" / f"{name}.onnx", feeds)
    for key, values in outputs(path, feeds).items():
        np.testing.assert_allclose(values, expected[key], rtol=1e-4, atol=1e-4)


def test_opset_only_changes_the_number_where_no_operator_changed(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 14]>
    net (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Mul (x, w) }"""
    path = saved(tmp_path / "from", text)
    said = effect(path, tmp_path, "opset:to=16")
    assert said.touches.endswith("no operator changed between the two")
    new, _ = converted(path, tmp_path / "to", "opset:to=16")
    assert onnx.load(new).opset_import[0].version == 16


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("migraphx/gelu_default_bf16_test.onnx", "onnx 1.23.2 failed: No Adapter From Version"),
        ("ort/sparse_initializer_as_output.onnx", "onnx 1.23.2 failed: Sparse tensors not"),
        ("migraphx/pad_dyn_reflect_error.onnx", "Input 1 is out of bounds"),
    ],
)
def test_what_the_library_cannot_convert_ends_with_its_reason(shared, tmp_path, path, why):
    with pytest.raises(EngineFailed) as raised:
        converted(shared / "odd" / path, tmp_path, "opset")
    version = onnx.__version__
    assert why.replace("1.23.2", version) in raised.value.why


def test_weights_of_an_old_file_need_not_be_inputs(shared, tmp_path):
    old = shared / "odd" / "ort" / "transform" / "fusion" / "fuse-conv-bn-no-bias.onnx"
    new, _ = converted(old, tmp_path, "opset")
    assert onnx.load(new).opset_import[0].version == 21


def test_opset_says_why_there_is_nothing_to_do(samples, shared, tmp_path):
    digits = samples / "digits_float32.onnx"
    assert effect(digits, tmp_path, "opset:to=15").nothing == "the model already has opset 17"
    tokenizer = shared / "real" / "bert_tokenizer_customop.onnx"
    assert (
        effect(tokenizer, tmp_path, "opset").nothing == "the model uses no operators of ai.onnx"
    )
    assert effect(digits, tmp_path, "opset:to=999").refused


def test_two_parts_of_a_split_give_what_the_whole_gave(digits, tmp_path):
    expected = outputs(digits, PICTURE)["probabilities"]
    first, _ = converted(digits, tmp_path / "1", "split:at=block1/relu")
    second, _ = converted(digits, tmp_path / "2", "split:at=block1/relu,part=second")
    middle = outputs(first, PICTURE)
    given = {i.name: middle[i.name] for i in onnx.load(second).graph.input}
    np.testing.assert_allclose(outputs(second, given)["probabilities"], expected, atol=1e-6)
    layers = [len(onnx.load(path).graph.node) for path in (first, second, digits)]
    assert layers[0] + layers[1] == layers[2]


def test_extract_keeps_what_lies_between_two_layers(digits, tmp_path):
    new, made = converted(digits, tmp_path, "extract:inputs=block1/conv,outputs=block2/conv")
    operators = [node.op_type for node in onnx.load(new).graph.node]
    assert operators[0] == operators[-1] == "Conv"
    assert made.effects[0].layers + len(operators) == len(onnx.load(digits).graph.node)
    onnx.checker.check_model(onnx.load(new), full_check=True)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("extract:outputs=none", "the model has no layer 'none'"),
        ("extract:outputs=stem/conv,inputs=head/dense", "is not needed for"),
        ("extract", "the action needs the option 'outputs', 'inputs' or both"),
        ("split", "the action needs the option 'at'"),
    ],
)
def test_a_part_that_cannot_be_is_refused(digits, tmp_path, step, why):
    with pytest.raises(BadInput) as raised:
        converted(digits, tmp_path, step)
    assert why in raised.value.why


def test_strip_removes_texts_and_stack_traces_but_keeps_the_metadata(samples, tmp_path):
    model = onnx.load(samples / "digits_float32.onnx")
    model.graph.node[0].metadata_props.add(key="stack_trace", value="line 1" * 1000)
    onnx.helper.set_model_props(model, {"classes": "0,1"})
    model.training_info.add().algorithm.name = "sgd"
    onnx.save(model, tmp_path / "full.onnx")
    new, made = converted(tmp_path / "full.onnx", tmp_path / "new", "strip")
    slim = onnx.load(new)
    assert not slim.graph.node[0].metadata_props
    assert not slim.training_info
    assert not any(value.doc_string for value in (*slim.graph.input, *slim.graph.node))
    assert ("classes", "0,1") in [(p.key, p.value) for p in slim.metadata_props]
    assert made.effects[0].touches.startswith("documentation, training information, debug")
    again = effect(new, tmp_path, "strip")
    assert again.nothing


def test_weights_move_out_and_back_in(digits, tmp_path):
    assert effect(digits, tmp_path, "one-file").nothing == "the model is already a single file"
    out, made = converted(digits, tmp_path / "out", "external-data")
    assert made.files == ("model.onnx", "model.onnx.data")
    assert out.stat().st_size < digits.stat().st_size / 2
    assert effect(out, tmp_path, "external-data").nothing
    back, made = converted(out, tmp_path / "back", "one-file")
    assert made.files == ("model.onnx",)
    expected = outputs(digits, PICTURE)["probabilities"]
    for path in (out, back):
        np.testing.assert_array_equal(outputs(path, PICTURE)["probabilities"], expected)


def test_ir_version(digits, shared, tmp_path):
    new, _ = converted(digits, tmp_path / "new", "ir-version:to=9")
    assert onnx.load(new).ir_version == 9
    assert "needs IR version 8" in effect(digits, tmp_path, "ir-version:to=3").refused


DEFECTS = """<ir_version: 8, opset_import: ["" : 17]>
net (float[2,3] x, bool flag) => (float[2,3] y)
<float[2,3] late, float[7] early, float[2,3] gone>
{{
  [{last}] late = Neg (early)
  [same] early = Relu (x)
  [branches] y = If (flag) <
    then_branch = kept () => (float[2,3] {returned}) {{ }},
    else_branch = other () => (float[2,3] n) {{ [same] n = Abs (late) }}
  >
}}"""


def test_repair_mends_names_order_returned_values_and_shapes(tmp_path):
    path = saved(tmp_path / "from", DEFECTS.format(last="same", returned="late"))
    with pytest.raises(Exception, match=r"INVALID_GRAPH|Invalid|FAIL"):
        outputs(path, {"x": np.ones((2, 3), np.float32), "flag": np.array(True)})
    new, made = converted(path, tmp_path / "to", "repair")
    assert made.effects[0].touches == (
        "2 layers renamed, 1 layer moved behind the layers that it reads, "
        "1 Identity layer added, 2 wrong shapes corrected"
    )
    onnx.checker.check_model(new, full_check=True)
    graph = onnx.load(new).graph
    assert [node.name for node in graph.node] == ["same_2", "same", "branches"]
    assert [value.name for value in graph.value_info] == ["late"]
    x = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
    for flag, expected in ((True, -np.maximum(x, 0)), (False, np.maximum(x, 0))):
        found = outputs(new, {"x": x, "flag": np.array(flag)})["y"]
        np.testing.assert_array_equal(found, expected)
    assert effect(new, tmp_path, "repair").nothing.endswith("are consistent")


def test_repair_corrects_the_shape_of_an_output_and_leaves_a_cycle(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2,3] x) => (float[9,9] y) { y = Relu (x) }"""
    new, made = converted(saved(tmp_path / "a", text), tmp_path / "to", "repair")
    assert made.effects[0].touches == "1 wrong shape corrected"
    shape = onnx.load(new).graph.output[0].type.tensor_type.shape
    assert [axis.dim_value for axis in shape.dim] == [2, 3]
    cycle = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[2] x) => (float[2] y) { a = Add (x, b)  b = Relu (a)  y = Neg (b) }"""
    assert effect(saved(tmp_path / "b", cycle), tmp_path, "repair").nothing


def test_opset_lifts_a_model_that_the_runtime_does_not_know(tmp_path):
    text = """<ir_version: 3, opset_import: ["" : 6]>
    net (float[1,2] x) => (float[1,2] y) { s = Sigmoid (x)  y = Mul (x, s) }"""
    path = saved(tmp_path / "from", text)
    with pytest.raises(Exception, match="NOT_IMPLEMENTED"):
        outputs(path, {"x": np.ones((1, 2), np.float32)})
    new, _ = converted(path, tmp_path / "to", "opset:17")
    found = outputs(new, {"x": np.array([[0, 100]], np.float32)})["y"]
    np.testing.assert_allclose(found, [[0, 100]])


@pytest.mark.parametrize("dtype", ["int4", "uint4", "int2", "uint2", "float4_e2m1fn"])
@pytest.mark.parametrize("step", ["metadata:a=b", "external-data", "strip", "rename:y=z"])
def test_large_packed_weights_stay_as_they_are(tmp_path, dtype, step):
    numbers = np.random.default_rng(0).integers(-2 if dtype[0] == "i" else 0, 2, (257, 301))
    values = numbers.astype(getattr(ml_dtypes, dtype))
    weight = onnx.numpy_helper.from_array(values, "w")
    assert len(weight.raw_data) < values.size
    node = onnx.helper.make_node("Identity", ["w"], ["y"])
    model = models.model(
        [node], [], [models.value("y", [257, 301], weight.data_type)], [weight], 25
    )
    model.graph.doc_string = "documentation"
    (tmp_path / "from").mkdir()
    path = tmp_path / "from" / "net.onnx"
    onnx.save(model, path)
    new, _ = converted(path, tmp_path / "to", step)
    (after,) = onnx.load(new).graph.initializer
    assert after.raw_data == weight.raw_data
    assert (after.data_type, after.dims) == (weight.data_type, weight.dims)
