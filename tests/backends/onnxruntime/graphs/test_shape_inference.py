import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.analysis.facts.shapes import Shapes, by_name, joined
from inspector.backends.onnxruntime.graphs.shape_inference import infer, infer_in_pieces
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineDied, EngineFailed, UnreadableFile
from inspector.report.run_spec import Dimension
from tests import models
from tests.analysis.inferred import save
from tests.engine.small_models import convolution
from tests.models import value


def shape(found: Shapes, name: str) -> object:
    return by_name(found.values)[name].shape


def test_every_value_gets_type_and_shape(tmp_path):
    found = infer(convolution(tmp_path / "m.onnx"), ())
    assert shape(found, "h") == (1, 4, 8, 8)
    assert by_name(found.values)["r"].dtype == "float32"
    assert shape(found, "w") == (4, 3, 3, 3)


def test_free_axes_stay_symbols_until_they_get_a_length(tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"])
    path = save(tmp_path / "m.onnx", [node], {"x": ["batch", None, 3]}, {})
    assert shape(infer(path, ()), "y") == ("batch", "x[1]", 3)
    lengths = Dimension("batch", 2), Dimension("x[1]", 7)
    found = infer(path, lengths)
    assert shape(found, "y") == (2, 7, 3)
    assert found.lengths == {"batch": 2, "x[1]": 7}


def test_lengths_that_inference_made_up_are_unknown(tmp_path):
    node = helper.make_node("NonZero", ["x"], ["y"])
    path = save(tmp_path / "m.onnx", [node], {"x": [3, 4]}, {})
    assert shape(infer(path, ()), "y") == (2, None)


def test_what_a_file_declares_is_held_against_what_is_inferred(tmp_path):
    found, wrong = (
        value("found", [2, "number"], TensorProto.INT64),
        value("wrong", ["batch", 5]),
    )
    nodes = [
        helper.make_node("NonZero", ["x"], ["found"]),
        helper.make_node("Relu", ["x"], ["wrong"]),
    ]
    path = models.save(tmp_path / "m.onnx", nodes, [value("x", ["batch", 4])], [found, wrong])
    inferred = infer(path, [Dimension("batch", 3)])
    assert (shape(inferred, "found"), shape(inferred, "wrong")) == ((2, None), (3, 4))
    (odd,) = inferred.contradictions
    assert (odd.value, odd.axis, odd.evaluated, odd.inferred) == ("wrong", 1, 5, 4)


def test_sizes_of_outputs_are_tested_without_free_axes_too(tmp_path):
    nodes = [
        helper.make_node("Relu", ["x"], ["wrong"]),
        helper.make_node("Odd", ["x"], ["believed"], domain="own"),
    ]
    ends = [value("wrong", [3, 5]), value("believed", [7])]
    path = models.save(tmp_path / "m.onnx", nodes, [value("x", [3, 4])], ends)
    inferred = infer(path, ())
    assert (shape(inferred, "wrong"), shape(inferred, "believed")) == ((3, 4), (7,))
    (odd,) = inferred.contradictions
    assert odd.text == "The file declares axis 1 of 'wrong' as 5, but the layers make 4."


def test_shapes_that_hang_on_small_constants_are_known(tmp_path):
    wanted = numpy_helper.from_array(np.array([2, -1], np.int64))
    nodes = [
        helper.make_node("Constant", [], ["to"], value=wanted),
        helper.make_node("Reshape", ["x", "to"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [4, 5]}, {})
    assert shape(infer(path, ()), "y") == (2, 10)


def test_the_runtimes_own_operators_have_shapes_too(tmp_path):
    nodes = [
        helper.make_node("MatMulNBits", ["x", "w", "s"], ["a"], domain="com.microsoft",
                         K=64, N=32, bits=4, block_size=32),
        helper.make_node("BiasGelu", ["a", "b"], ["c"], domain="com.microsoft"),
        helper.make_node("FusedMatMul", ["c", "v"], ["y"], domain="com.microsoft"),
    ]  # fmt: skip
    weights = {"w": [32, 2, 16], "s": [64], "b": [32], "v": [32, 5]}
    path = save(tmp_path / "m.onnx", nodes, {"x": ["batch", 64]}, weights, w=TensorProto.UINT8)
    found = infer(path, ())
    assert [shape(found, name) for name in "acy"] == [
        ("batch", 32),
        ("batch", 32),
        ("batch", 5),
    ]
    assert not any("stand-in" in each.name for each in found.values)


def test_a_domain_that_nobody_imported_keeps_no_other_layer_from_its_shape(tmp_path):
    nodes = [
        helper.make_node("Frobnicate", ["x"], ["a"], domain="nobody"),
        helper.make_node("Relu", ["x"], ["y"]),
    ]
    path = models.save(tmp_path / "m.onnx", nodes, [value("x", [3])], [value("y", ["n"])])
    assert shape(infer(path, ()), "y") == (3,)


def test_a_call_that_chooses_an_attribute_of_a_function_counts(tmp_path):
    inner = helper.make_node("Transpose", ["a"], ["c"])
    inner.attribute.add(name="perm", ref_attr_name="order", type=7)
    opsets = [helper.make_opsetid("", 20)]
    turn = helper.make_function("local", "Turn", ["a"], ["c"], [inner], opsets, ["order"])
    nodes = [helper.make_node("Turn", ["x"], ["y"], domain="local", order=[1, 2, 0])]
    path = save(tmp_path / "m.onnx", nodes, {"x": [2, 3, 4]}, {}, functions=[turn])
    found = infer(path, ())
    assert found.bodies[0].calls == {0: 1}
    assert by_name(found.bodies[1].values)["c"].shape == (3, 4, 2)


def test_a_function_that_calls_itself_is_refused(tmp_path):
    opsets = [helper.make_opsetid("local", 1)]
    again = helper.make_node("F", ["a"], ["c"], domain="local")
    function = helper.make_function("local", "F", ["a"], ["c"], [again], opsets)
    nodes = [helper.make_node("F", ["x"], ["y"], domain="local")]
    path = save(tmp_path / "m.onnx", nodes, {"x": [2]}, {}, functions=[function])
    with pytest.raises(EngineFailed, match=r"Could not infer the shapes of m\.onnx"):
        infer(path, ())


@pytest.mark.engine
def test_the_engine_process_infers_and_lives_on(tmp_path):
    path = convolution(tmp_path / "m.onnx")
    with EngineProcess() as engine:
        assert engine.shapes(path) == infer(path, ())
        with pytest.raises(UnreadableFile):
            engine.shapes(tmp_path / "missing.onnx")
        assert shape(engine.shapes(path, ()), "h") == (1, 4, 8, 8)


@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="the faults are signals of POSIX")
def test_inference_that_takes_too_long_is_ended(tmp_path):
    program = Path(__file__).parents[4] / "tests" / "engine" / "faulty_engine.py"
    mark = tmp_path / "mark"
    mark.touch()
    command = [sys.executable, str(program), "start", "deaf", str(mark)]
    late = pytest.raises(EngineDied, match=r"longer than the 0\.3 s allowed")
    with EngineProcess(command=command) as engine, late:
        engine.shapes(tmp_path / "m.onnx", seconds=0.3)


@pytest.mark.engine
def test_what_was_inferred_before_a_layer_that_hangs_is_kept_as_partial(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["r0"])]
    nodes += [helper.make_node("Relu", [f"r{i}"], [f"r{i + 1}"]) for i in range(63)]
    nodes.append(
        helper.make_node("Einsum", ["r63", "x"], ["e"], equation="." * 1000 + "->")
    )  # never ends
    nodes.append(helper.make_node("Relu", ["e"], ["y"]))
    path = save(tmp_path / "m.onnx", nodes, {"x": [2, 3]}, {})
    with EngineProcess() as engine:
        found = engine.shapes(path, seconds=1.0)
    assert found.note.startswith("Partial: inferred only for the first 9")
    assert (
        "longer than" in found.note
    )  # 1 s of work, or more by the clock where others work, too
    assert shape(found, "r62") == (2, 3)
    assert all(value.name != "e" or value.shape is None for value in found.values)


def test_pieces_know_what_the_whole_knows_where_no_shape_is_computed(samples):
    path = samples / "digits_float32.onnx"
    whole = {value.name: value for value in infer(path, ()).values}
    parts = joined([part for part, _ in infer_in_pieces(path, ())], "")
    assert {value.name: value for value in parts.values} == whole
