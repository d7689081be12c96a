"""Layer by layer, in real engine processes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.measured.layer_outputs import Stepping, summary
from inspector.backends.onnxruntime.stepping import exposed_outputs
from inspector.engine.client.engine_process import ComparisonRun
from inspector.engine.requests import GetTensor, RunLayer
from inspector.errors import BadInput, EngineFailed
from inspector.model.tensors.difference import difference
from inspector.report.run_spec import RunSpec
from tests import models

SAMPLES = Path(__file__).parents[4] / "sample_models"
AS_IS = RunSpec(optimization="none")
pytestmark = pytest.mark.engine


def saved(
    folder: Path,
    nodes: Sequence[onnx.NodeProto],
    weights: dict[str, np.ndarray] | None = None,
    name: str = "made.onnx",
    kind: int = TensorProto.FLOAT,
) -> Path:
    shape = [2, 3]
    path = folder / name
    return models.save(
        path,
        nodes,
        [models.value("x", shape, kind)],
        [models.value("y", None, kind)],
        [numpy_helper.from_array(array, key) for key, array in (weights or {}).items()],
    )


X = np.array([[1, -2, 3], [0.5, 4, 2]], np.float32)


def logarithm(folder: Path) -> Path:
    """The second layer makes NaN of -2, the third passes it on, the fourth is beside them."""
    return saved(
        folder,
        [
            helper.make_node("Add", ["x", "w"], ["a"], "shift"),
            helper.make_node("Log", ["a"], ["b"], "log"),
            helper.make_node("Mul", ["b", "w"], ["c"], "scale"),
            helper.make_node("Relu", ["a"], ["d"], "beside"),
            helper.make_node("Add", ["c", "d"], ["y"], "end"),
        ],
        {"w": np.full(3, 0.25, np.float32)},
    )


def test_each_layer_has_what_it_gave(engine, tmp_path):
    found = engine.steps(logarithm(tmp_path), AS_IS, {"x": X})
    assert [step.name for step in found.steps] == ["shift", "log", "scale", "beside", "end"]
    first = found.steps[0].outputs[0]
    assert (first.name, first.dtype, first.shape) == ("a", "float32", (2, 3))
    assert first.statistics.minimum == -1.75
    assert first.statistics.histogram is not None
    assert found.steps[4].inputs == (2, 3)
    assert (found.optimization, found.devices, found.notes) == ("none", ("cpu",), ())


def test_nan_is_traced_to_the_layer_that_made_it(engine, tmp_path):
    found = engine.steps(logarithm(tmp_path), AS_IS, {"x": X})
    assert [step.nan for step in found.steps] == [0, 1, 1, 0, 1]
    assert found.first_nan.name == "log"
    assert summary(found) == ("The first NaN is in layer 1, 'log' (Log).",)
    given = X.copy()
    given[0, 0] = np.nan
    given[0, 1] = 1
    found = engine.steps(logarithm(tmp_path), AS_IS, {"x": given})
    assert found.first_nan is None
    assert summary(found) == ("The inputs contain NaN.",)


def test_the_reference_evaluator_agrees(engine, tmp_path):
    found = engine.steps(logarithm(tmp_path), AS_IS, {"x": X}, ComparisonRun())
    assert found.divergence is None, "NaN is in the same places"
    assert found.compared == 5
    assert found.against == "ONNX reference evaluator"


def digits() -> dict[str, np.ndarray]:
    return {"picture": np.random.default_rng(0).integers(0, 256, (1, 1, 8, 8)).astype("f4")}


def test_another_level_agrees_and_says_that_nothing_was_fused(engine):
    model = SAMPLES / "digits_float32.onnx"
    found = engine.steps(model, RunSpec(), digits(), ComparisonRun(AS_IS))
    assert found.divergence is None
    assert found.compared == len(found.steps) == 15
    assert found.against == "CPU, optimization none"
    assert "no layer is fused" in found.notes[0]


@pytest.mark.parametrize(
    ("other", "least", "most"), [("float16", 40, 90), ("int8_qdq", 20, 60)]
)
def test_another_type_differs_within_what_it_allows(engine, other, least, most):
    model, against = SAMPLES / "digits_float32.onnx", SAMPLES / f"digits_{other}.onnx"
    found = engine.steps(model, AS_IS, digits(), ComparisonRun(AS_IS, str(against)))
    assert found.divergence is None, summary(found)
    last = found.steps[-2].worst
    assert least < last.sqnr_db < most


def test_a_quantised_model_is_held_against_what_it_was_made_of(engine):
    """The quantiser calls what comes before a Relu as the Relu's output was called."""
    model, other = SAMPLES / "digits_int8_qdq.onnx", SAMPLES / "digits_float32.onnx"
    found = engine.steps(model, AS_IS, digits(), ComparisonRun(AS_IS, str(other)))
    assert found.divergence is None, summary(found)
    assert found.compared > 5


def test_the_first_layer_over_the_tolerance_is_named(engine):
    model, other = SAMPLES / "digits_float32.onnx", SAMPLES / "digits_int8_qdq.onnx"
    found = engine.steps(model, AS_IS, digits(), ComparisonRun(AS_IS, str(other)), 1e-3)
    assert found.divergence.over
    before = found.steps[: found.steps.index(found.divergence)]
    assert not any(step.over for step in before)
    assert found.tolerance == 1e-3


def wrong(folder: Path, factor: float) -> Path:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "one"),
        helper.make_node("Mul", ["a", "w"], ["b"], "two"),
        helper.make_node("Sigmoid", ["b"], ["y"], "three"),
    ]
    return saved(folder, nodes, {"w": np.full(3, factor, np.float32)}, f"by{factor}.onnx")


def test_a_changed_weight_is_found(engine, tmp_path):
    against = ComparisonRun(AS_IS, str(wrong(tmp_path, 1.01)))
    found = engine.steps(wrong(tmp_path, 1.0), AS_IS, {"x": X}, against)
    assert [step.over for step in found.steps] == [False, True, True]
    assert summary(found) == (
        "The first difference above the tolerance is in layer 1, 'two' (Mul).",
    )


def test_operators_that_the_evaluator_lacks_do_not_end_the_walk(engine, tmp_path):
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "one"),
        helper.make_node("FastGelu", ["a"], ["b"], "theirs", domain="com.microsoft"),
        helper.make_node("Neg", ["b"], ["y"], "three"),
    ]
    path = saved(tmp_path, nodes)
    model = onnx.load(path)
    model.opset_import.add(domain="com.microsoft", version=1)
    onnx.save(model, path)
    found = engine.steps(path, AS_IS, {"x": X}, ComparisonRun())
    assert [step.worst is not None for step in found.steps] == [True, False, True]
    assert "does not implement com.microsoft:FastGelu" in found.steps[1].remark
    assert "continued with the values of ONNX Runtime" in found.notes[0]


def test_the_reference_judges_old_batch_normalization_by_its_stored_statistics(
    engine, tmp_path
):
    node = helper.make_node("BatchNormalization", ["x", "w", "w", "w", "w"], ["y"], "norm")
    path = saved(tmp_path, [node], {"w": np.ones(3, np.float32)})
    model = onnx.load(path)
    model.opset_import[0].version = 9
    onnx.save(model, path)
    found = engine.steps(path, AS_IS, {"x": X}, ComparisonRun())
    assert found.divergence is None
    assert found.compared == 1


def test_weights_that_are_missing_are_one_sentence(engine, tmp_path):
    path = wrong(tmp_path, 1.0)
    model = onnx.load(path)
    onnx.save(model, path, save_as_external_data=True, location="side.bin", size_threshold=0)
    (tmp_path / "side.bin").unlink()
    with pytest.raises(EngineFailed, match=r"Could not (load|run)"):
        engine.steps(path, AS_IS, {"x": X}, ComparisonRun())


def test_layers_of_bodies_are_listed_with_what_they_gave_last(engine):
    model = SAMPLES / "sequence_loop.onnx"
    info = onnx.load(model).graph.input
    feeds = {
        value.name: np.ones([d.dim_value or 2 for d in value.type.tensor_type.shape.dim], "f4")
        for value in info
    }
    found = engine.steps(model, AS_IS, feeds)
    inside = [step for step in found.steps if step.remark == "Values from the last iteration."]
    assert len(inside) > 15
    assert all(step.outputs for step in inside)
    # What tells whether to go on cannot be given out.
    (untold,) = (step for step in found.steps if step.problem)
    assert "in a subgraph" in untold.problem
    loop = next(step for step in found.steps if step.operator in ("Loop", "Scan", "If"))
    assert loop.outputs[0].statistics is not None


def test_one_tensor_comes_from_both_sides(engine, tmp_path):
    model = logarithm(tmp_path)
    for against in (ComparisonRun(), ComparisonRun(RunSpec())):
        answer = engine.call(GetTensor(model, AS_IS, {"x": X}, "a", against))
        ours, theirs = answer.outputs
        assert ours.array is not None
        assert theirs.array is not None
        assert difference(X + np.float32(0.25), ours.array).identical
        assert difference(ours.array, theirs.array).identical
    with pytest.raises(BadInput, match="no layer produces 'nowhere'"):
        engine.call(GetTensor(model, AS_IS, {"x": X}, "nowhere", None))


def test_parts_give_the_same_as_the_whole(monkeypatch):
    from inspector.backends.onnxruntime.stepping import stepping
    from inspector.backends.onnxruntime.stepping.hoisting import plan_steps

    model, tells = SAMPLES / "digits_float32.onnx", []

    def walked(against: ComparisonRun | None) -> Stepping:
        way = plan_steps(model, AS_IS, digits())
        return stepping.step_through(way, against, None, lambda *step: tells.append(step))

    whole = walked(ComparisonRun())
    monkeypatch.setattr(exposed_outputs, "MOST_BYTES", 10_000)
    parts = walked(ComparisonRun())
    assert whole.sessions == 1
    assert parts.sessions > 2
    assert parts.steps == whole.steps
    assert "with different outputs" in parts.notes[0]
    assert tells[-1] == ("walk", 1.0)


def test_a_layer_runs_alone_on_what_it_gets_in_the_model(engine, tmp_path):
    found = engine.call(
        RunLayer(SAMPLES / "digits_float32.onnx", RunSpec(runs=12), digits(), 4)
    )
    assert len(found.samples_ns) == 12
    assert all(ns > 0 for ns in found.samples_ns)
    assert found.given == (("stem/relu_output", "float32", (1, 16, 8, 8)),)
    half = SAMPLES / "digits_float16.onnx"
    found = engine.call(RunLayer(half, RunSpec(runs=3), digits(), 2))
    assert found.given[0][1] == "float16"
    with pytest.raises(BadInput, match="there is none"):
        engine.call(RunLayer(logarithm(tmp_path), RunSpec(), {"x": X}, -1))


def test_a_layer_that_fails_is_one_sentence(engine, tmp_path):
    nodes = [helper.make_node("Reshape", ["x", "to"], ["y"], "no")]
    path = saved(tmp_path, nodes, {"to": np.array([7], np.int64)})
    with pytest.raises(EngineFailed, match=r"Could not run made\.onnx layer by layer"):
        engine.steps(path, AS_IS, {"x": X})


def test_a_model_without_layers_has_nothing_to_step_through(engine, tmp_path):
    value = models.value("x", [2])
    path = models.save(tmp_path / "through.onnx", [], [value], [value], opset=13)
    stepping = engine.steps(path, RunSpec(), {"x": np.zeros(2, np.float32)})
    assert stepping.steps == ()


def test_layers_come_after_those_they_need():
    nodes = [
        helper.make_node("Neg", ["b"], ["y"], "last"),
        helper.make_node("Relu", ["x"], ["a"], "first"),
        helper.make_node("Abs", ["a"], ["b"], "second"),
    ]
    model = models.model(nodes, [], [])
    assert [place.index for place in exposed_outputs.layer_positions(model)] == [1, 2, 0]


def test_values_that_the_runtime_keeps_in_float32_are_shown_as_the_next_layer_gets_them(
    engine, tmp_path
):
    half = TensorProto.FLOAT16
    nodes = [
        helper.make_node("Mul", ["x", "k"], ["a"], "first"),
        helper.make_node("Mul", ["x", "k"], ["b"], "second"),
        helper.make_node("Sub", ["a", "b"], ["c"], "less"),
        helper.make_node("Add", ["c", "x"], ["y"], "more"),
    ]
    x, y = (models.value(name, [2], half) for name in "xy")
    path = tmp_path / "half.onnx"
    models.save(path, nodes, [x], [y], {"k": np.array([1000], np.float16)})
    feeds = {"x": np.array([1000, 2], np.float16)}
    found = engine.steps(path, AS_IS, feeds, ComparisonRun())
    first, _, less, _ = found.steps
    assert [out.kept_in for out in (first.outputs[0], less.outputs[0])] == ["float32", ""]
    assert first.outputs[0].statistics.maximum == 1e6  # as float16 it would be infinite
    assert (first.infinite, less.nan) == (0, 0)
    in_float32 = "passes 2 float16 tensors between layers in float32"
    told = next(note for note in found.notes if in_float32 in note)
    assert "2 tensors would contain infinite values" in told
    # By ONNX the tensor is infinite, and infinity less infinity is no number.
    assert found.divergence is first
    assert less.worst.unmatched == 1
    alone = engine.call(RunLayer(path, AS_IS, feeds, 2))
    assert [dtype for _, dtype, _ in alone.given] == ["float16", "float16"]
