from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import onnx
import pytest
from onnx import helper

from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.cost.memory_plan import Peak, memory_plan
from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.facts.symbolic_sizes import symbol
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.errors import Cancelled, EngineDied
from inspector.formats.opening import open_model
from inspector.model.model import Model, TensorInfo
from inspector.report.run_spec import Dimension
from tests.analysis.build import layers, model, weight
from tests.analysis.inferred import save


def estimated(path: Path, **lengths: int) -> tuple[Estimate, list[Mapping[str, int]]]:
    asked: list[Mapping[str, int]] = []

    def shapes(lengths: Mapping[str, int]) -> Shapes:
        asked.append(lengths)
        return infer(path, [Dimension(*each) for each in lengths.items()])

    return estimate(open_model(path), shapes, lengths), asked


def test_one_inference_is_enough_where_symbols_say_it_all(samples):
    found, asked = estimated(samples / "digits_float32.onnx", batch=4)
    assert asked == [{}]
    assert found.formula
    assert found.macs_formula == found.cost.macs == symbol("batch") * (found.macs // 4)
    assert (found.free, dict(found.lengths)) == (("batch",), {"batch": 4})


def test_other_lengths_need_no_inference_then(samples):
    model = open_model(samples / "digits_float32.onnx")
    found, _ = estimated(samples / "digits_float32.onnx")
    more = found.at(model, {"batch": 10})
    assert more.macs == 10 * found.macs
    assert more.peak_bytes == 10 * found.peak_bytes


def test_lengths_are_put_in_where_symbols_do_not_do(tmp_path):
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    path = save(tmp_path / "m.onnx", [node], {"x": [1, 3, "h", "w_"]}, {"w": [4, 3, 3, 3]})
    found, asked = estimated(path, h=10, w_=20)
    assert asked == [{}, {"h": 10, "w_": 20}]
    assert (found.formula, found.macs_formula) == (False, None)
    assert found.macs == 4 * 10 * 20 * 27


def test_a_formula_is_fitted_through_a_few_lengths(tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["h"], pads=[1, 1]),
        helper.make_node("Transpose", ["h"], ["t"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["t", "h"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 3, "time"]}, {"w": [4, 3, 3]})
    found, _ = estimated(path, time=16)
    time = symbol("time")
    assert found.macs_formula == time * 36 + time * time * 4
    assert found.macs == 16 * 36 + 16 * 16 * 4


def test_a_name_that_no_input_has_cannot_be_contradicted(tmp_path):
    nodes = [
        helper.make_node("Shape", ["x"], ["sizes"]),
        helper.make_node("Add", ["sizes", "sizes"], ["twice"]),
        helper.make_node("Expand", ["one", "twice"], ["t"]),
        helper.make_node("MatMul", ["t", "w"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": ["n", 4]}, {"one": [1, 1], "w": [8, 3]})
    proto = onnx.load(path)
    declared = helper.make_tensor_value_info("t", 1, ["made_up", 8])  # by an exporter
    proto.graph.value_info.append(declared)
    onnx.save(proto, path)
    found, _ = estimated(path, n=3)
    assert (found.contradictions, dict(found.lengths)) == ((), {"n": 3})
    assert found.macs == 6 * 8 * 3


def test_inference_that_fails_leaves_a_note(samples):
    def fail(lengths: Mapping[str, int]) -> Shapes:
        raise EngineDied("Could not infer", "it hung")

    found = estimate(open_model(samples / "digits_float32.onnx"), fail, {})
    assert found.shapes.note == "Could not infer: it hung."
    assert found.cost.unknown == 4


def test_a_converters_own_lengths_need_no_inference_and_others_do():
    """Of an axis without a name, too, which is called after its input and place."""
    asked: list[Mapping[str, int]] = []

    def infer(lengths: Mapping[str, int]) -> Shapes:
        asked.append(dict(lengths))
        return Shapes((Body(values=()),), dict(lengths), "")

    x = TensorInfo("x", "tensor", "float32", (None, "time", 8))
    y = TensorInfo("y", "tensor", "float32", (None, "time", 4))
    known = [replace(x, shape=(1, 16, 8)), replace(y, shape=(1, 16, 4))]
    made = model(
        layers(("FULLY_CONNECTED", "x w", "y")),
        format="tflite", inputs=(x,), outputs=(y,), examples=tuple(known),
        weights=(weight("w", "float32", 32, 128),),
    )  # fmt: skip
    found = estimate(made, infer, {"x[0]": 1, "time": 16})
    assert (asked, found.free) == ([], ("x[0]", "time"))
    for lengths in ({"x[0]": 2, "time": 16}, {"x[0]": 1, "time": 17}):
        asked.clear()
        estimate(made, infer, lengths)
        assert asked == [lengths]


def test_whoever_stops_it_is_heard(samples):
    def stop(lengths: Mapping[str, int]) -> Shapes:
        raise Cancelled("Stopped")

    with pytest.raises(Cancelled):
        estimate(open_model(samples / "digits_float32.onnx"), stop, {})


def test_types_that_inference_finds_complete_the_precision(shared):
    found, _ = estimated(shared / "real" / "squeezenet1.1_fp16.onnx")
    assert found.precision.compute == (("float16", 66),)


@pytest.mark.slow
def test_real_odd_and_hostile_models_are_estimated_without_a_fault(shared):
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.errors import InspectorError

    with EngineProcess() as engine:
        for path in sorted(shared.glob("*/**/*.onnx"))[::4]:  # each folder has its own engine
            try:
                model = open_model(path)
            except InspectorError:
                continue

            def shapes(lengths: Mapping[str, int], path: Path = path) -> Shapes:
                return engine.shapes(path, tuple(Dimension(*each) for each in lengths.items()))

            found = estimate(model, shapes, {})
            assert len(found.cost.layers) == len(model.layers), path.name
            assert found.macs >= 0
            assert found.peak_bytes >= 0


def test_a_model_of_the_runtimes_own_format_brings_its_shapes(samples):
    def refuse(lengths: Mapping[str, int]) -> Shapes:
        raise AssertionError("nothing can be inferred of it, and nothing has to be")

    model = open_model(samples / "wine_tabular.onnx")
    found = estimate(replace(model, format="ort"), refuse, {})
    assert not found.shapes.note
    assert {value.name for value in found.shapes.values} >= {"measurements", "vine"}


KB = 250  # float32 elements of 1,000 bytes


def sized(**sizes: int | str) -> Shapes:
    """Values of so many thousand bytes, or as many as a free axis says."""
    values = tuple(
        TensorInfo(n, "tensor", "float32", (s, KB) if isinstance(s, str) else (s * KB,))
        for n, s in sizes.items()
    )
    return Shapes((Body(values=values),))


def of(*rows: tuple[str, str, str], **more: object) -> Model:
    return model(layers(*rows), **more)


def peak(model: Model, shapes: Shapes, lengths: Mapping[str, int]) -> Peak:
    return memory_plan(model, shapes, lengths).peak


def test_a_value_lives_until_the_last_layer_that_takes_it():
    chain = of(("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "y"))
    found = peak(chain, sized(x=1, a=10, b=20, y=1), {})
    assert (found.bytes, found.layer, found.unknown) == (31_000, 1, 0)
    skip = of(
        ("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "c"), ("Concat", "a c", "y")
    )
    found = peak(skip, sized(x=1, a=10, b=2, c=2, y=12), {})
    assert (found.bytes, found.layer) == (1_000 + 10_000 + 2_000 + 12_000, 3)


def test_views_take_nothing_and_layers_work_in_place_where_they_can():
    view = of(("Conv", "x", "a"), ("Reshape", "a", "b"), ("Relu", "b", "c"), ("Conv", "c", "y"))
    assert peak(view, sized(x=1, a=10, b=10, c=10, y=1), {}).bytes == 12_000
    kept = of(("Conv", "x", "a"), ("Relu", "a", "b"), ("Add", "a b", "c"), ("Conv", "c", "y"))
    assert peak(kept, sized(x=1, a=10, b=10, c=10, y=1), {}).bytes == 21_000


def test_weights_are_no_activations():
    chain = of(("Conv", "x w", "y"), weights=(weight("w", "float32", 9_000, 36_000),))
    assert peak(chain, sized(x=1, y=2), {}).bytes == 3_000


def test_the_moment_depends_on_the_free_axes():
    chain = of(("Conv", "x", "a"), ("Conv", "a", "y"))
    shapes = sized(x="batch", a="batch", y=30)
    small, large = peak(chain, shapes, {}), peak(chain, shapes, {"batch": 1_000})
    assert small.bytes == symbol("batch") * 2_000 + 30_000
    assert large.bytes == small.bytes
    two = of(("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "c"), ("Conv", "c", "y"))
    shapes = sized(x=1, a="batch", b=1, c=30, y=1)
    assert peak(two, shapes, {}).layer == 2
    assert peak(two, shapes, {"batch": 100}).layer == 1


def test_what_has_no_size_is_counted_as_unknown():
    chain = of(("Conv", "x", "a"), ("Conv", "a", "y"))
    found = peak(chain, sized(x=1, y=1), {})
    assert (found.bytes, found.unknown) == (2_000, 1)


def test_the_plan_has_what_is_alive_at_each_layer_and_at_the_peak():
    skip = of(
        ("Conv", "x", "a"), ("Conv", "a", "b"), ("Conv", "b", "c"), ("Concat", "a c", "y")
    )
    plan = memory_plan(skip, sized(x=1, a=10, b=2, c=3, y=12), {})
    assert plan.live.tolist() == [11_000, 13_000, 16_000, 26_000]
    assert plan.live.max() == plan.peak.bytes
    lives = {each.name: (each.bytes, each.first, each.last) for each in plan.tensors}
    assert lives == {
        "x": (1_000, None, None), "a": (10_000, 0, 3), "b": (2_000, 1, 2),
        "c": (3_000, 2, 3), "y": (12_000, 3, None),
    }  # fmt: skip
    assert [each.name for each in plan.at_peak] == ["y", "a", "c", "x"]
    assert sum(each.bytes for each in plan.at_peak) == plan.peak.bytes


def test_what_lives_around_a_body_counts_while_its_layers_run():
    first, condition, inner = layers(("Conv", "x", "a"), ("If", "-", "y"), ("Conv", "a", "t"))
    body = model((first, condition, inner._replace(parent=1, branch="then_branch")))
    plan = memory_plan(body, sized(x=1, a=10, y=4, t=2), {})
    assert plan.live.tolist() == [11_000, 17_000, 17_000]
    assert {each.name for each in plan.at_peak} == {"x", "a", "y", "t"}


@pytest.mark.parametrize("depth", [1, 2])
def test_a_value_lives_while_a_graph_inside_a_later_layer_takes_it(depth):
    outer = (("Conv", "x", "a"), ("Conv", "a", "b"), ("If", "b", "y"))
    ifs = [("If", "-", "t")] * (depth - 1)
    first, *rest = layers(*outer, *ifs, ("Conv", "a", "t"))
    inner = [layer._replace(parent=layer.index - 1, branch="then_branch") for layer in rest[2:]]
    body = model((first, *rest[:2], *inner))
    found = peak(body, sized(x=1, a=10, b=2, y=4, t=1), {})
    assert found.layer in {layer.index for layer in (rest[1], *inner)}
    assert found.bytes == 17_000 + 1_000 * depth, "a is there beside x, b, y and each t"
