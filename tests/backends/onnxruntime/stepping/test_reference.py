from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, ValueInfoProto, helper
from onnxruntime import InferenceSession

from inspector.backends.onnxruntime.stepping import reference_evaluator, reference_operators
from inspector.engine.client.engine_process import EngineProcess, second_prediction
from inspector.engine.requests import Reference
from inspector.errors import EngineDied, EngineFailed
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs import parity
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import RunSpec
from tests import models

STATISTICS = {
    "scale": np.array([1, 2, 3], np.float32),
    "bias": np.array([0, 1, -1], np.float32),
    "mean": np.array([0.5, 0, 1], np.float32),
    "variance": np.array([1, 4, 0.25], np.float32),
}


def saved(path: Path, nodes: list[onnx.NodeProto], opset: int = 17) -> Path:
    x, y = (models.value(n, [None]) for n in "xy")
    return models.save(path, nodes, [x], [y], opset=opset)


def endless(path: Path) -> Path:
    values, kinds = models.value, TensorProto
    step = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Relu", ["a"], ["b"])],
        "step",
        [values("i", [], kinds.INT64), values("go", [], kinds.BOOL), values("a", [None])],
        [values("on", [], kinds.BOOL), values("b", [None])],
    )
    most = helper.make_tensor("most", TensorProto.INT64, [], [1 << 60])
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    nodes = [
        helper.make_node("Constant", [], ["most"], value=most),
        helper.make_node("Constant", [], ["true"], value=true),
        helper.make_node("Loop", ["most", "true", "x"], ["y"], body=step),
    ]
    return saved(path, nodes)


def test_the_reference_answers_as_the_definition_says(tmp_path):
    path = saved(tmp_path / "m.onnx", [helper.make_node("Softmax", ["x"], ["y"])])
    feeds = {"x": np.array([0.0, np.log(3.0)], np.float32)}
    ((answer,), spent_ns) = reference_evaluator.evaluate(path, feeds, "Could not")
    assert answer.array is not None
    assert answer.array == pytest.approx([0.25, 0.75])
    assert (answer.name, answer.dtype) == ("y", "float32")
    assert spent_ns > 0


def test_unknown_operators_are_named_also_inside_branches(tmp_path):
    strange = helper.make_node("Strange", ["x"], ["z"], domain="own")
    inner = helper.make_graph([strange], "then", [], [models.value("z", [None])])
    constant = helper.make_tensor("c", TensorProto.BOOL, [], [True])
    nodes = [
        helper.make_node("Constant", [], ["c"], value=constant),
        helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner),
    ]
    path = saved(tmp_path / "m.onnx", nodes)
    with pytest.raises(EngineFailed, match=r"does not implement own:Strange \(opset 1\)"):
        reference_evaluator.evaluate(path, {"x": np.zeros(1, np.float32)}, "Could not")


@pytest.mark.engine
def test_the_reference_runs_in_the_engine_and_within_its_time(tmp_path):
    path = saved(tmp_path / "m.onnx", [helper.make_node("Relu", ["x"], ["y"])])
    feeds = {"x": np.array([-1.0, 2.0], np.float32)}
    with EngineProcess() as engine:
        answer = second_prediction(engine, path, RunSpec(), OtherRun(reference=True))(feeds)
        assert answer.devices == ("reference",)
        assert answer.outputs[0].array.tolist() == [0, 2]
        with pytest.raises(EngineDied, match="longer"):
            engine.call(Reference(endless(tmp_path / "loop.onnx"), feeds, 0.4))
        plain = second_prediction(engine, path, RunSpec(), OtherRun(level="none"))(feeds)
        assert plain.outputs[0].name == "y"


def several(path: Path, node: onnx.NodeProto, opset: int, outputs: int = 1) -> Path:
    x = models.value("x", [2, 3, 4])
    given = [onnx.numpy_helper.from_array(array, name) for name, array in STATISTICS.items()]
    made = [ValueInfoProto(name=name) for name in node.output[:outputs]]
    model = models.model([node], [x], made, given, opset=opset)
    model.ir_version = 8
    onnx.save(model, path)
    return path


def by_runtime(path: Path, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    providers = ["CPUExecutionProvider"]
    return InferenceSession(path, providers=providers).run(None, feeds)


@pytest.mark.parametrize("opset", [7, 11, 12, 13])
@pytest.mark.parametrize("operator", ["Softmax", "LogSoftmax", "Hardmax"])
@pytest.mark.parametrize("axis", [{}, {"axis": 0}, {"axis": 1}, {"axis": 2}])
def test_softmax_below_opset_13_is_over_all_axes_behind_its_own(
    tmp_path, opset, operator, axis
):
    path = several(tmp_path / "m.onnx", helper.make_node(operator, ["x"], ["y"], **axis), opset)
    feeds = {"x": np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)}
    ((answer,), _) = reference_evaluator.evaluate(path, feeds, "Could not")
    assert answer.array is not None
    np.testing.assert_allclose(answer.array, by_runtime(path, feeds)[0], rtol=1e-5)


@pytest.mark.parametrize("opset", [7, 9, 13, 14])
def test_batch_normalization_of_old_opsets_takes_the_stored_statistics(tmp_path, opset):
    node = helper.make_node("BatchNormalization", ["x", *STATISTICS], ["y"], momentum=0.5)
    path = several(tmp_path / "m.onnx", node, opset)
    feeds = {"x": np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)}
    ((answer,), _) = reference_evaluator.evaluate(path, feeds, "Could not")
    assert answer.array is not None
    np.testing.assert_allclose(answer.array, by_runtime(path, feeds)[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("opset", "compared"), [(7, False), (10, False), (12, True)])
def test_the_mask_of_dropout_is_compared_only_where_it_is_defined(tmp_path, opset, compared):
    path = several(
        tmp_path / "m.onnx", helper.make_node("Dropout", ["x"], ["y", "m"]), opset, 2
    )
    feeds = {"x": np.ones((2, 3, 4), np.float32)}
    answers, _ = reference_evaluator.evaluate(path, feeds, "Could not")
    ours = [
        OutputValue(name, "tensor", str(array.dtype), array)
        for name, array in zip("ym", by_runtime(path, feeds), strict=True)
    ]
    kept, mask = parity.outputs(ours, answers)
    assert kept.difference.identical
    assert (mask.difference is not None) == compared
    assert mask.comparable
    not_compared = "not compared: ONNX does not define the mask of Dropout before opset 12"
    assert parity.summary_text(mask) == ("identical" if compared else not_compared)


def test_what_is_computed_of_random_numbers_is_not_compared():
    nodes = [
        helper.make_node("RandomNormalLike", ["x"], ["noise"]),
        helper.make_node("Add", ["x", "noise"], ["sum"]),
        helper.make_node("Shape", ["sum"], ["shape"]),
        helper.make_node("Relu", ["x"], ["y"]),
    ]
    model = models.model(nodes, [], [])
    assert set(reference_operators.undefined(model)) == {"noise", "sum"}


def test_a_function_of_another_opset_is_said_to_be_beyond_the_reference():
    function = helper.make_function(
        "own", "F", ["x"], ["y"], [helper.make_node("Softmax", ["x"], ["y"])],
        [helper.make_opsetid("", 13)],
    )  # fmt: skip
    call = helper.make_node("F", ["x"], ["y"], domain="own")
    model = models.model([call], [], [], opset=11)
    model.functions.append(function)
    assert reference_evaluator.unsupported(model) == ("Softmax (opset 13) in a function",)


def test_what_stops_the_reference_is_told_without_the_words_of_python():
    error = reference_evaluator._stopped(RuntimeError("Issues with [<class 'list'>]"), "x")
    assert error.why == 'the reference evaluator failed with "Issues with [list]"'
    assert error.hint == "Compare with another optimization level, device or model instead."
