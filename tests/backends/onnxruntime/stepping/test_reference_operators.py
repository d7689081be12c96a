from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, ValueInfoProto, helper, numpy_helper
from onnxruntime import InferenceSession

from inspector.backends.onnxruntime.stepping import reference_evaluator, reference_operators
from inspector.model.tensors.prediction import UNDEFINED, OutputValue
from tests import models

CONSTANTS = {
    "scales": np.array([1, 1, 1.5, 1.3], np.float32),
    "one_row": np.array([2, 3, 1, 9], np.int64),
    "grid": np.random.default_rng(2).uniform(-1.3, 1.3, (2, 3, 3, 2)).astype(np.float32),
    "regions": np.array([[0, 0, 3, 3], [0.5, 0.5, 2, 2]], np.float32),
    "images": np.array([0, 1], np.int64),
    "shape": np.array([2, 3, 5, 6], np.int64),
    "lengths": np.array([4, 2, 1], np.int32),
    "w": np.random.default_rng(3).normal(size=(1, 8, 5)).astype(np.float32),
    "r": np.random.default_rng(4).normal(size=(1, 8, 2)).astype(np.float32),
}
FEEDS = {"x": np.random.default_rng(0).normal(size=(2, 3, 4, 5)).astype(np.float32)}


def node(
    operator: str, inputs: str = "x", outputs: str = "y", **attributes: Any
) -> onnx.NodeProto:
    """A node with inputs and outputs by letters or words, separated by blanks; '-' for none."""
    names = [
        ["" if name == "-" else name for name in text.split()] for text in (inputs, outputs)
    ]
    return helper.make_node(operator, *names, **attributes)


def model_of(nodes: list[onnx.NodeProto], opset: int, **outputs: int) -> onnx.ModelProto:
    x = models.value("x", [2, 3, 4, 5])
    made = [models.value(name, None, kind) for name, kind in outputs.items()]
    made = made or [ValueInfoProto(name=name) for name in nodes[-1].output if name]
    used = {name for each in nodes for name in each.input}
    held = [numpy_helper.from_array(a, name) for name, a in CONSTANTS.items() if name in used]
    model = models.model(nodes, [x], made, held, opset=opset)
    model.ir_version = 8
    return model


def both(tmp_path: Path, model: onnx.ModelProto) -> list[tuple[np.ndarray, OutputValue]]:
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    session = InferenceSession(path, providers=["CPUExecutionProvider"])
    answers, _ = reference_evaluator.evaluate(path, FEEDS, "Could not")
    return list(zip(session.run(None, FEEDS), answers, strict=True))


@pytest.mark.parametrize("outputs", ["y", "y i"])
@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"pads": [1, 1, 0, 0]},
        {"pads": [0, 0, 1, 1]},
        {"auto_pad": "SAME_LOWER", "strides": [2, 2]},
        {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
        {"auto_pad": "VALID", "strides": [1, 2]},
        {"ceil_mode": 1, "strides": [2, 2], "pads": [1, 1, 1, 1]},
        {"ceil_mode": 1, "strides": [3, 3]},
        {"dilations": [2, 1], "pads": [1, 0, 1, 0]},
        {"storage_order": 1, "strides": [2, 2]},
    ],
)
def test_the_reference_pools_as_the_runtime_does(tmp_path, attributes, outputs):
    pool = node("MaxPool", "x", outputs, kernel_shape=[2, 2], **attributes)
    for ours, answer in both(tmp_path, model_of([pool], 12)):
        assert answer.array is not None
        np.testing.assert_array_equal(answer.array, ours)


@pytest.mark.parametrize(
    ("opset", "layer"),
    [
        (13, node("LRN", size=3, alpha=1.0)),
        (13, node("LRN", size=5, alpha=1.0, beta=0.5)),
        (13, node("LpNormalization", p=1, axis=2)),
        (13, node("LpNormalization", p=2, axis=-1)),
        (10, node("RoiAlign", "x regions images", output_height=2, sampling_ratio=2)),
        (16, node("RoiAlign", "x regions images", output_height=2, sampling_ratio=2)),
        (16, node("GridSample", "x grid", mode="bilinear", padding_mode="reflection")),
        (16, node("GridSample", "x grid", mode="bicubic")),
        *(
            (13, node("Resize", "x - scales", mode=mode, coordinate_transformation_mode=how))
            for mode in ("nearest", "linear", "cubic")
            for how in ("align_corners", "half_pixel", "asymmetric", "pytorch_half_pixel")
        ),
        (
            13,
            node(
                "Resize",
                "x - - one_row",
                mode="cubic",
                coordinate_transformation_mode="pytorch_half_pixel",
            ),
        ),
    ],
    ids=lambda value: value.op_type if isinstance(value, onnx.NodeProto) else str(value),
)
def test_operators_that_onnx_computes_otherwise_are_as_in_the_runtime(tmp_path, opset, layer):
    ((ours, answer),) = both(tmp_path, model_of([layer], opset))
    assert answer.array is not None
    np.testing.assert_allclose(answer.array, ours, rtol=1e-4, atol=1e-4)


def test_if_with_optionals_gives_the_element_itself(tmp_path):
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT, [2, 3, 4, 5])
    optional = helper.make_optional_type_proto(kind)
    branches = [
        helper.make_graph([part], name, [], [helper.make_value_info(part.output[0], optional)])
        for name, part in (
            ("then", node("Optional", "x", "full")),
            ("else", helper.make_node("Optional", [], ["empty"], type=kind)),
        )
    ]
    yes = numpy_helper.from_array(np.array(True))
    nodes = [
        helper.make_node("Constant", [], ["yes"], value=yes),
        node("If", "yes", "o", then_branch=branches[0], else_branch=branches[1]),
        node("OptionalHasElement", "o", "has"),
        node("OptionalGetElement", "o", "y"),
    ]
    model = model_of(nodes, 16, has=TensorProto.BOOL, y=TensorProto.FLOAT)
    for ours, answer in both(tmp_path, model):
        assert answer.array is not None
        np.testing.assert_array_equal(answer.array, ours)


POOL = node("MaxPool", "x", "p i", kernel_shape=[2, 2], strides=[2, 2])
ROWS = node("ReduceMean", "x", "rows", axes=[1], keepdims=0)
DISPUTED = {
    "MaxUnpool": (13, [POOL, node("MaxUnpool", "p i shape", kernel_shape=[2, 2])]),
    "RNN": (
        11,
        [
            ROWS,
            node("Transpose", "rows", "t", perm=[1, 0, 2]),
            node("GRU", "t w r - lengths", hidden_size=2),
        ],
    ),
    "Attention": (23, [node("Attention", "x x x", "a - - y")]),
    "LpPool": (18, [node("LpPool", kernel_shape=[3, 3], ceil_mode=1)]),
    "GridSample": (16, [node("GridSample", "x grid", mode="bicubic", padding_mode="border")]),
}


@pytest.mark.parametrize("name", DISPUTED)
def test_what_the_reference_cannot_judge_is_not_compared(name):
    opset, nodes = DISPUTED[name]
    model = model_of([*nodes, node("Relu", "y", "z")], opset)
    reasons = reference_operators.undefined(model)
    assert set(reasons) == {"y", "z"}
    assert set(reference_operators.undefined(model, inherited=False)) == {"y"}
    assert nodes[-1].op_type in reasons["y"]


def test_what_cannot_be_judged_inside_a_branch_or_function_is_seen():
    inner = helper.make_graph([DISPUTED["LpPool"][1][0]], "b", [], [ValueInfoProto(name="y")])
    own = helper.make_function(
        "own", "F", ["x"], ["y"], [DISPUTED["LpPool"][1][0]], [helper.make_opsetid("", 18)]
    )
    nodes = [
        node("If", "c", "z", then_branch=inner, else_branch=inner),
        node("F", "x", "f", domain="own"),
        node("Relu", "x", "fine"),
    ]
    model = model_of(nodes, 18)
    model.functions.append(own)
    assert set(reference_operators.undefined(model)) == {"z", "f"}


def test_the_rest_of_a_model_is_compared_where_an_output_cannot_be_judged(tmp_path):
    nodes = [*DISPUTED["LpPool"][1], node("Relu", "x", "z")]
    model = model_of(nodes, 18, y=TensorProto.FLOAT, z=TensorProto.FLOAT)
    (_, pooled), (ours, other) = both(tmp_path, model)
    assert pooled.kind == UNDEFINED
    assert "LpPool" in pooled.text
    np.testing.assert_array_equal(other.array, ours)
