from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.devices.node_conditions import CHECKS
from inspector.analysis.devices.support_summary import summarised
from inspector.analysis.facts.shapes import by_name
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.report.report import Support
from inspector.report.run_spec import Dimension
from inspector.wording.support_marks import Mark, Rule, Source
from tests.engine.small_models import convolution
from tests.models import save, value

BY_OTHERS = (
    "tensorrt",
    "tensorrt-rtx",
    "vitisai",
    "webnn",
    "qnn",
)  # a library of theirs decides


def said(path: Path, device: str, *dimensions: Dimension) -> list[Support]:
    values = by_name(infer(path, dimensions).values)
    model = open_model(path)
    weights = absent_devices.small_weights(model, path)
    return list(absent_devices.predict(model, [device], values, weights)[device])


@pytest.mark.parametrize("name", absent_devices.KNOWN)
def test_every_table_tells_where_it_comes_from(name):
    table, device = absent_devices.table(name), absent_devices.device(name)
    assert (table.device, device.name) == (name, table.name)
    assert table.operators
    assert device.source == f"support table, {table.source}"
    assert "commit " in table.source or "2026" in table.source
    assert all(rule.file for rule in (*table.every, *table.rules.values()))


@pytest.mark.parametrize("name", absent_devices.KNOWN)
def test_every_condition_is_of_the_vocabulary(name):
    def names(condition: Sequence[object]) -> Iterator[object]:
        yield condition[0]
        for part in condition[1:]:
            if (
                isinstance(part, list)
                and part
                and isinstance(part[0], str)
                and part[0] in CHECKS
            ):
                yield from names(part)

    table = absent_devices.table(name)
    rules = (*table.every, *table.rules.values())
    used = {found for rule in rules for check in rule.checks for found in names(check)}
    assert used <= set(CHECKS)


@pytest.mark.parametrize("name", absent_devices.KNOWN)
def test_what_every_device_can_is_predicted_so(name, tmp_path):
    conv, *_ = said(convolution(tmp_path / "c.onnx"), name)
    by_others = name in BY_OTHERS
    mark, words = (Mark.UNKNOWN, "Unknown") if by_others else (Mark.SUPPORTED, "Supported")
    assert (conv.mark, conv.source, conv.rule, conv.label) == (
        mark,
        Source.TABLE,
        Rule.NONE,
        words,
    )
    assert "Estimated from a table: " in conv.reason
    assert conv.reason.endswith(f"{absent_devices.table(name).source}.")
    assert by_others == ("not checked." in conv.reason)


def test_a_name_without_a_table_gets_a_suggestion():
    with pytest.raises(BadInput, match="Did you mean 'coreml'"):
        absent_devices.table("coremll")


def node(path: Path, operator: str, *shapes: list[int | str], **rest: object) -> Path:
    weights = rest.pop("weights", ())
    opset, kind = rest.pop("opset", 17), rest.pop("kind", TensorProto.FLOAT)
    assert isinstance(weights, tuple)
    assert isinstance(opset, int)
    assert isinstance(kind, int)
    names = [f"i{place}" for place in range(len(shapes))]
    made = helper.make_node(operator, names, ["y"], "it", **rest)
    inputs = [value(n, s, kind) for n, s in zip(names, shapes, strict=True) if n not in weights]
    stored = [
        numpy_helper.from_array(np.ones(s, np.float32), n)
        for n, s in zip(names, shapes, strict=True)
        if n in weights
    ]
    output = [onnx.ValueInfoProto(name="y")]
    return save(path, [made], inputs, output, stored, opset)


@pytest.mark.parametrize(
    ("device", "operator", "shapes", "rest", "rule", "sentence"),
    [
        ("nnapi", "Celu", [[2, 3]], {}, Rule.OPERATOR, "NNAPI does not have this operator."),
        (
            "coreml", "Conv", [[1, 1, 5, 5], [1, 1, 3, 3]],
            {"kind": TensorProto.DOUBLE, "weights": ("i1",)}, Rule.TYPE,
            "Input 0 must be float32, but it is float64.",
        ),
        (
            "directml", "Abs", [[2]], {"kind": TensorProto.DOUBLE}, Rule.TYPE,
            "DirectML has no kernel for Abs with inputs of type float64.",
        ),
        (
            "directml", "Softplus", [[2]], {"opset": 22}, Rule.OPSET,
            "DirectML has no kernel for Softplus in opset 22.",
        ),
        (
            "xnnpack", "MaxPool", [[1, 2, 9]], {"kernel_shape": [3]}, Rule.RANK,
            "Input 0 must have 4 axes, but it has 3.",
        ),
        (
            "nnapi", "Conv", [[1, 1, 5, 5], [1, 1, 3, 3]], {}, Rule.CONSTANT,
            "Input 1 must be constant, but it is computed.",
        ),
        (
            "nnapi", "DepthToSpace", [[1, 4, 2, 2]], {"blocksize": 2, "mode": "CRD"},
            Rule.ATTRIBUTE, "Mode must be DCR, but it is CRD.",
        ),
        (
            "qnn", "Relu", [["batch", 3]], {}, Rule.DYNAMIC_SHAPE,
            "Input 0 must have a fixed shape, but the model has dynamic axes: 'i0'.",
        ),
        (
            "coreml", "Relu", [[1, 1, 1, 1, 1, 1]], {}, Rule.RANK,
            "Input 0 must have at most 5 axes, but it has 6.",
        ),
    ],
)  # fmt: skip
def test_the_rule_that_forbids_is_named(
    tmp_path, device, operator, shapes, rest, rule, sentence
):
    path = node(tmp_path / "n.onnx", operator, *shapes, **rest)
    (found,) = said(path, device)
    assert (found.mark, found.rule) == (Mark.UNSUPPORTED, rule)
    assert found.reason.startswith(sentence)


def test_constant_weights_and_fixed_axes_change_the_answer(tmp_path):
    shapes: list[list[int | str]] = [["batch", 1, 5, 5], [1, 1, 3, 3]]
    path = node(tmp_path / "n.onnx", "Conv", *shapes, weights=("i1",))
    (free,) = said(path, "nnapi")
    assert free.rule is Rule.DYNAMIC_SHAPE
    (fixed,) = said(path, "nnapi", Dimension("batch", 1))
    assert fixed.mark is Mark.SUPPORTED


def test_what_an_operator_is_made_of_may_run_instead(tmp_path):
    path = node(tmp_path / "n.onnx", "Swish", [2, 3], opset=24)
    (found,) = said(path, "directml")
    assert found.mark is Mark.DECOMPOSED
    assert found.reason.startswith("It would run as CastLike, Mul, Sigmoid.")
    (found,) = said(path, "xnnpack")
    assert found.rule is Rule.OPERATOR


def test_what_needs_no_input_is_folded(samples):
    path = samples / "sequence_loop.onnx"
    answers = said(path, "cuda")
    operators = [layer.operator for layer in open_model(path).layers]
    constants = [a.mark for a, o in zip(answers, operators, strict=True) if o == "Constant"]
    assert set(constants) <= {Mark.FOLDED}


def test_a_summary_counts_layers_by_reason(samples):
    path = samples / "unsupported_elsewhere.onnx"
    operators = [layer.operator for layer in open_model(path).layers]
    found = summarised(absent_devices.device("webgpu"), operators, said(path, "webgpu"))
    assert {refusal.operator for refusal in found.refusals} >= {"Round", "Unique"}
    assert (
        found.supported_layers + sum(refusal.layers for refusal in found.refusals)
        == found.layers
    )
    assert found.axes_in_the_way == 0
    assert dict(found.marks) == Counter(s.mark for s in said(path, "webgpu"))


def test_values_of_small_weights_decide_where_a_source_asks_for_them(tmp_path):
    def clip(low: float) -> Path:
        stored = [
            numpy_helper.from_array(np.float32(number), name)
            for name, number in (("low", low), ("high", 6))
        ]
        made = helper.make_node("Clip", ["x", "low", "high"], ["y"], "it")
        return save(tmp_path / "c.onnx", [made], [value("x", [2])], [value("y", [2])], stored)

    assert said(clip(0), "nnapi")[0].mark is Mark.SUPPORTED
    refused = said(clip(1), "nnapi")[0]
    assert refused.rule is Rule.CONSTANT
    assert "but it is 1 to 6" in refused.reason
    model = open_model(clip(0))
    values = {info.name: info for info in model.inputs}
    (unread,) = absent_devices.predict(model, ["nnapi"], values)["nnapi"]
    assert unread.mark is Mark.UNKNOWN
    assert unread.reason.startswith("The value of input 1 was not checked.")


def test_a_weight_that_callers_may_replace_is_not_constant(tmp_path):
    stored = [numpy_helper.from_array(np.ones((1, 1, 3, 3), np.float32), "w")]
    made = helper.make_node("Conv", ["x", "w"], ["y"], "it")
    inputs = [value("x", [1, 1, 5, 5]), value("w", [1, 1, 3, 3])]
    path = save(tmp_path / "c.onnx", [made], inputs, [value("y", [1, 1, 3, 3])], stored)
    assert said(path, "nnapi")[0].rule is Rule.CONSTANT


def test_operators_that_a_group_of_real_work_carries(tmp_path):
    shape = [numpy_helper.from_array(np.array([3, 2], np.int64), "s")]
    reshape = helper.make_node("Reshape", ["x", "s"], ["h"], "reshape")
    relu = helper.make_node("Relu", ["h"], ["y"], "relu")
    inputs, results = [value("x", [2, 3])], [value("y", [3, 2])]
    path = save(tmp_path / "a.onnx", [reshape, relu], inputs, results, shape)
    assert [answer.mark for answer in said(path, "coreml")] == [Mark.SUPPORTED] * 2
    alone = save(tmp_path / "b.onnx", [reshape], inputs, [value("h", [3, 2])], shape)
    (left,) = said(alone, "coreml")
    assert left.mark is Mark.UNSUPPORTED
    assert left.reason.startswith(
        "The provider leaves a partition of only such operators to the CPU."
    )


def test_migraphx_leaves_parts_without_a_heavy_layer(tmp_path):
    """By SubgraphPostProcessing and GetCapability of its provider."""

    def marks(axis: int, refused: int) -> list[Mark]:
        nodes = [helper.make_node("MatMul", ["x", "w"], ["h0"])]
        nodes += [helper.make_node("Hardmax", [f"h{n}"], [f"h{n + 1}"]) for n in range(refused)]
        nodes.append(helper.make_node("Relu", [f"h{refused}"], ["y"]))
        weights = [numpy_helper.from_array(np.ones([axis, axis], np.float32), "w")]
        shape = [value("x", [1, axis])], [value("y", [1, axis])]
        answers = said(save(tmp_path / "m.onnx", nodes, *shape, weights), "migraphx")
        return [answers[0].mark, answers[-1].mark]

    assert marks(4, 0) == [Mark.SUPPORTED, Mark.SUPPORTED]
    assert marks(4, 1) == [Mark.UNSUPPORTED, Mark.UNSUPPORTED]
    assert marks(20, 1) == [Mark.SUPPORTED, Mark.UNKNOWN]
    assert marks(20, 11) == [Mark.UNSUPPORTED, Mark.UNSUPPORTED]


def test_openvino_leaves_a_part_that_ends_with_a_convolution(tmp_path):
    """As its provider of ONNX Runtime 1.24.1 placed these models."""

    def marks(*operators: str) -> list[Mark]:
        nodes = [
            helper.make_node(operator, [f"h{n}", *["w"] * (operator == "Conv")], [f"h{n + 1}"])
            for n, operator in enumerate(operators)
        ]
        weights = [numpy_helper.from_array(np.ones([3, 3, 1, 1], np.float32), "w")]
        shape = [1, 3, 8, 8]
        ends = [value("h0", shape)], [value(f"h{len(nodes)}", shape)]
        answers = said(save(tmp_path / "m.onnx", nodes, *ends, weights), "openvino")
        return [answer.mark for answer in answers]

    taken, left, unknown = Mark.SUPPORTED, Mark.UNSUPPORTED, Mark.UNKNOWN
    assert marks("Sigmoid", "Tanh", "Conv", "Hardmax") == [unknown, unknown, left, left]
    assert marks("Sigmoid", "Conv", "Tanh", "Hardmax") == [taken, taken, taken, left]
    assert marks("Hardmax", "Conv", "Tanh") == [left, taken, taken]


def test_quantized_groups_and_computed_shapes_stay_open(tmp_path):
    scale = [numpy_helper.from_array(np.float32(0.1), "s")]
    scale.append(numpy_helper.from_array(np.uint8(0), "z"))
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["d"]),
        helper.make_node("Relu", ["d"], ["r"]),
        helper.make_node("QuantizeLinear", ["r", "s", "z"], ["y"]),
    ]
    kind = TensorProto.UINT8
    path = save(
        tmp_path / "q.onnx", nodes, [value("x", [2], kind)], [value("y", [2], kind)], scale
    )
    assert {answer.mark for answer in said(path, "nnapi")} == {Mark.UNKNOWN}
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Cast", ["s"], ["y"], to=TensorProto.FLOAT),
    ]
    path = save(tmp_path / "s.onnx", nodes, [value("x", ["n", 2])], [value("y", [2])])
    assert [answer.mark for answer in said(path, "cuda")] == [Mark.SUPPORTED, Mark.UNKNOWN]


def test_marks_of_older_reports_keep_their_words():
    old = Support(Mark.UNSUPPORTED, Source.TABLE, "CUDA does not have Celu. Predicted: table.")
    found = summarised(absent_devices.device("cuda"), ["Celu"], [old])
    assert [refusal.reason for refusal in found.refusals] == ["CUDA does not have Celu."]
    assert (old.label, found.unknowns) == ("Not supported", ())
