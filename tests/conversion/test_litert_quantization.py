"""Quantization of TensorFlow Lite models; what needs the extra `quantizer` is slow."""

import json
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from inspector.app.changing import conversion
from inspector.app.changing.improvement import Workbench
from inspector.app.changing.layer_errors import layer_errors
from inspector.app.changing.sensitivity import _Ranking, ranked
from inspector.conversion import litert_quantization as quantization
from inspector.conversion.action import Converted, Effect, Step
from inspector.conversion.registry import LITERT_ACTIONS, extract_step
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import GetTensor, ListEffects
from inspector.errors import BadInput, EngineFailed
from inspector.formats.opening import open_model
from inspector.report import improvement
from inspector.report.run_spec import RunSpec
from tests import command_line
from tests.conftest import ROOT
from tests.conversion.conversions import both_outputs
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, code, i4, operator, subgraph, tensor

needs_library = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("ai_edge_quantizer") is None or find_spec("ai_edge_litert") is None,
        reason="needs the extras litert and quantizer",
    ),
]
FULLY_CONNECTED, RELU, SOFTMAX = 9, 19, 25


@pytest.fixture
def dense(tmp_path: Path) -> Path:
    tensors = [
        tensor("x", (1, 64)), tensor("w", (64, 64), 0, 1), tensor("b", (64,), 0, 2),
        tensor("y", (1, 64)),
    ]  # fmt: skip
    random = np.random.default_rng(0)
    buffers = tuple(random.random(n, np.float32).tobytes() for n in (64 * 64, 64))
    graph = subgraph(tensors, (0,), (3,), [operator(0, (0, 1, 2), (3,))])
    path = tmp_path / "dense.tflite"
    path.write_bytes(
        build.model([{0: Number("i1", FULLY_CONNECTED), 2: i4(1)}], [graph], buffers)
    )
    return path


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    with EngineProcess(lock=tmp_path_factory.mktemp("lock") / "lock") as engine:
        yield engine


def test_a_missing_library_and_an_action_for_onnx_are_told(dense, tmp_path, monkeypatch):
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(quantization, "version", missing)
    steps = (Step("litert-int8"), Step("float16"))
    without, other = quantization.effects_of(dense, (), steps, tmp_path)
    assert without.refused == "ai-edge-quantizer is not installed"
    assert without.hint == 'Install it with: pip install "onnx-inspector[quantizer]"'
    assert other.refused == "'float16' is for ONNX models"


def test_a_search_without_the_library_says_what_installs_it(dense, monkeypatch):
    effect = Effect(refused="ai-edge-quantizer is not installed", hint="Install it")
    monkeypatch.setattr(Workbench, "effects", lambda _: dict.fromkeys(LITERT_ACTIONS, effect))
    bench = Workbench(dense, open_model(dense), (), ())
    with pytest.raises(BadInput, match="Could not improve dense") as refused:
        bench.usual_recipes()
    assert (refused.value.why, refused.value.hint) == (effect.refused, effect.hint)


def test_each_format_has_its_own_actions(dense, tmp_path):
    refused = command_line.run("convert", dense, "float16", "-o", tmp_path / "made.tflite")
    assert "'float16' is for ONNX models\nActions for TensorFlow Lite" in refused.stderr
    digits = ROOT / "sample_models/digits_float32.onnx"
    refused = command_line.run("convert", digits, "litert-int8", "-o", tmp_path / "made.onnx")
    assert "'litert-int8' is for TensorFlow Lite models\nActions for ONNX" in refused.stderr


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_library)])
def test_candidates_are_compared_and_the_smallest_is_saved(dense, tmp_path, mark):
    random, before = np.random.default_rng(0), dense.read_bytes()
    for folder, count in (("test", 30), ("calibration", 3)):
        (tmp_path / folder).mkdir()
        for number in range(count):
            values = random.random((1, 64), np.float32)
            np.save(tmp_path / folder / f"{number}.npy", values)
    saved, report = tmp_path / "small.tflite", tmp_path / "report.json"
    done = command_line.run(
        "improve", dense, "--test", tmp_path / "test", "--goal", "size", "--processes", 1,
        "--calibration", tmp_path / "calibration", "-o", saved, "--report", report,
        "--max-loss", "any", "--try", "litert-int8", "--try", "litert-int8-weights:bits=4",
    )  # fmt: skip
    assert "best: Integer weights, 4 bits" in done.stdout, done.stderr
    state = improvement.load(report)
    assert len(state.candidates) == 2
    assert not [each.problem for each in state.candidates if each.problem]
    assert {(each.levels, each.of_levels) for each in state.candidates} == {(2, 2)}
    assert all(each.latency and each.latency.change is not None for each in state.candidates)
    assert saved.stat().st_size == state.candidates[state.best].size_bytes
    assert (dense.read_bytes(), open_model(saved).format) == (before, "tflite")
    given = ("--calibration", tmp_path / "calibration", "-o", tmp_path / "again.tflite")
    again = command_line.run("convert", dense, "litert-int8", *given)
    assert "with XNNPACK and with LiteRT's own kernels" in again.stdout


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.tflite"
    path.write_bytes(build.two_signatures())
    return path


def test_only_another_signature_can_become_the_main_graph(two, tmp_path):
    names = ("mul", "add", "div", "")
    steps = [Step("litert-signature", (("name", name),)) for name in names]
    mul, add, div, none = quantization.effects_of(two, (), steps, tmp_path)
    assert (mul.applicable, mul.layers) == (True, 1)
    assert add.nothing == "'add' runs the main graph already"
    assert (div.refused, div.hint) == (
        "it has no signature 'div'", "Its signatures are add, mul.",
    )  # fmt: skip
    assert none.needs == "a name: mul"


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_another_signature_runs_as_the_main_graph(engine, two, tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    steps = (Step("litert-signature", (("name", "mul"),)),)
    given = np.arange(4, dtype=np.float32)
    before = engine.predict(two, RunSpec(), {"add_x": given}).outputs[0].array
    made = conversion.convert(engine, two, steps, folder, name="mul.tflite")
    after = engine.predict(made.path, RunSpec(), {"mul_x": given}).outputs[0].array
    assert before is not None
    assert after is not None
    np.testing.assert_array_equal(before, given + given)
    np.testing.assert_array_equal(after, given * given)
    signatures = {each.name: each.function for each in open_model(made.path).signatures}
    assert signatures == {"add": "add", "mul": ""}


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_commands_run_the_signature_that_is_chosen(two):
    given = ("--input", "range", "--json")
    for name, largest in (("add", 3 + 3), ("mul", 3 * 3)):
        done = command_line.run("predict", two, "--signature", name, *given)
        (output,) = json.loads(done.stdout)["outputs"]
        assert output["name"] == f"{name}_y"
        assert output["statistics"]["maximum"] == largest
    short = ("--runs", 2, "--no-layers", "--json")
    done = command_line.run("measure", two, "--signature", "mul", *short)
    assert json.loads(done.stdout)["model"]["name"] == "two.tflite"
    refused = command_line.run("measure", two, "--signature", "div")
    assert "two.tflite has no such signature\nIt has: add, mul." in refused.stderr


@pytest.mark.parametrize(
    "action", [a.id for a in LITERT_ACTIONS.values() if a.library == "ai-edge-quantizer"]
)
@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_library)])
def test_weights_are_stored_in_fewer_bits_and_the_result_runs(
    engine, dense, tmp_path, action, mark
):
    inputs = [{"x": np.random.default_rng(n).random((1, 64), np.float32)} for n in range(3)]
    folder = tmp_path / "made"
    folder.mkdir()
    made = conversion.convert(
        engine, dense, (Step(action),), folder, inputs, name="small.tflite"
    )
    made = conversion.checked(engine, made, inputs)
    assert (made.problem, len(made.levels)) == ("", 2)
    small = open_model(made.path)
    assert {weight.dtype for weight in small.weights} & {"int8", "float16"}
    assert [value.dtype for value in (*small.inputs, *small.outputs)] == ["float32"] * 2
    # The library gives other names to values that it converts at the ends.
    assert [value.name for value in (*small.inputs, *small.outputs)] == ["x", "y"]
    assert made.renamed == ()
    before, after = both_outputs(engine, made, inputs[0])
    np.testing.assert_allclose(before[0].array, after[0].array, rtol=0.03)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    random, size = np.random.default_rng(0), 32
    tensors, operators, buffers = [tensor("x", (1, size))], [], []
    for number in range(5):
        weights = random.normal(size=(size, size)).astype(np.float32) / 6
        weights[3] *= 1000 if number == 1 else 1
        if number == 2:
            weights[:, 3] = 0  # the large value has no effect
        first = len(tensors)
        names = (f"w{number}", f"dense{number}")
        tensors += [tensor(names[0], (size, size), 0, number + 1), tensor(names[1], (1, size))]
        operators.append(operator(0, (first - 1, first, -1), (first + 1,)))
        buffers.append(weights.tobytes())
        if number < 4:
            tensors.append(tensor(f"relu{number}", (1, size)))
            operators.append(operator(1, (first + 1,), (first + 2,)))
    graph = subgraph(tensors, (0,), (len(tensors) - 1,), operators)
    path = tmp_path / "chain.tflite"
    path.write_bytes(build.model([code(FULLY_CONNECTED), code(RELU)], [graph], tuple(buffers)))
    return path


def test_layers_without_weights_stay_in_float_where_no_integers_reach_them(chain):
    model = open_model(chain)
    kept = quantization._with_islands({"dense1"}, model, model.layers)
    assert kept == {"dense1", "relu0", "relu1"}
    kept = quantization._with_islands({"relu0"}, model, model.layers)
    assert kept == {"relu0"}


def test_a_last_layer_without_weights_stays_quantized_unless_the_one_before_it_is_kept(
    tmp_path,
):
    tensors = [tensor("x", (1, 4)), tensor("head", (1, 4)), tensor("w", (4, 4), 0, 1)]
    tensors += [tensor("dense", (1, 4)), tensor("w2", (4, 4), 0, 2), tensor("dense2", (1, 4))]
    tensors += [tensor("relu", (1, 4)), tensor("softmax", (1, 4))]
    operators = [
        operator(1, (0,), (1,)), operator(0, (1, 2, -1), (3,)), operator(0, (3, 4, -1), (5,)),
        operator(1, (5,), (6,)), operator(2, (6,), (7,)),
    ]  # fmt: skip
    path = tmp_path / "ends.tflite"
    weights = np.ones(16, np.float32).tobytes()
    graph = subgraph(tensors, (0,), (7,), operators)
    codes = [code(FULLY_CONNECTED), code(RELU), code(SOFTMAX)]
    path.write_bytes(build.model(codes, [graph], (weights, weights)))
    model = open_model(path)
    assert quantization._with_islands({"dense"}, model, model.layers) == {"head", "dense"}
    kept = quantization._with_islands({"dense2"}, model, model.layers)
    assert kept == {"dense2", "relu", "softmax"}
    kept = quantization._with_islands({"softmax"}, model, model.layers)
    assert kept == {"relu", "softmax"}


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="needs the extra litert")
def test_a_part_ends_at_a_layer_and_computes_nothing_behind_it(engine, chain, tmp_path):
    steps = [extract_step("tflite", names) for names in (["relu0"], ["dense4"], ["relu"], [])]
    steps.append(extract_step("tflite", ["dense4", "relu0"]))
    done, nothing, refused, needs, more = engine.call(ListEffects(chain, (), steps))
    assert (done.layers, done.touches) == (7, "7 layers removed")
    assert more.touches == "outputs become dense4, relu0"
    assert nothing.nothing == "these are already the model's outputs"
    assert refused.refused == "the model has no layer 'relu'"
    assert refused.hint.startswith("Did you mean 'relu")
    assert needs.needs == "a tensor or layer where the part ends"
    folder = tmp_path / "made"
    folder.mkdir()
    given = {"x": np.random.default_rng(1).random((1, 32), np.float32)}
    (inner,) = engine.call(GetTensor(chain, RunSpec(), given, "relu0", None)).outputs
    made = conversion.convert(engine, chain, steps[:1], folder, name="part.tflite")
    assert [layer.name for layer in open_model(made.path).layers] == ["dense0", "relu0"]
    (output,) = engine.predict(made.path, RunSpec(xnnpack=False), given).outputs
    np.testing.assert_array_equal(output.array, inner.array)


@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_library)])
def test_the_layer_that_loses_most_is_named_and_keeping_it_helps(engine, chain, tmp_path, mark):
    inputs = [{"x": np.random.default_rng(n).random((1, 32), np.float32)} for n in range(8)]
    folder = tmp_path / "made"
    folder.mkdir()
    with EngineProcess() as candidates:
        (*_, state) = ranked(engine, candidates, chain, Step("litert-int8"), folder, inputs)
        assert [*folder.iterdir()] == []
        assert {layer.name for layer in state.layers[:3]} == {"dense1", "relu1", "dense2"}
        assert {layer.weights for layer in state.layers} == {0, 32 * 32, 32 * 31}
        levels = [point.sqnr_db for point in state.curve]
        assert (state.curve[-1].kept, state.total) == (4, 9)
        assert None not in levels
        assert levels[-1] > levels[0] + 6
        (*_, weights) = ranked(
            engine, candidates, chain, Step("litert-int8-weights"), folder, inputs
        )
        assert sorted(weights.worst) == [f"dense{number}" for number in range(5)]
        assert {layer.weights for layer in weights.layers} == {32 * 32, 32 * 31}
        with pytest.raises(BadInput, match="Could not change") as error:
            engine.convert(chain, (Step("litert-float16", (("keep", "dens1"),)),), folder)
        assert error.value.why == "the model has no layer 'dens1'"
        made = conversion.convert(
            candidates, chain, (Step("litert-int8"),), folder, inputs, name="made.tflite"
        )
        errors = layer_errors(engine, candidates, made, inputs)
    assert [each.name for each in errors][:5] == [
        "dense0",
        "relu0",
        "dense1",
        "relu1",
        "dense2",
    ]
    assert len(errors) == 9
    assert all(each.sqnr_db is not None for each in errors)


def test_a_ranking_does_without_lost_weights_where_they_cannot_be_counted(chain, tmp_path):
    class Failing:
        def convert(self, *given: object) -> Converted:
            raise EngineFailed("Could not convert", "the library failed")

    engine = cast(EngineProcess, Failing())
    step, share = Step("litert-int8"), lambda *_: None
    ranking = _Ranking(engine, engine, chain, step, tmp_path, (), share, RunSpec())
    observed = Converted((), (Effect(),), layers=(("dense0", "FULLY_CONNECTED"),))
    assert ranking._lost_weights(observed) == {}
    other = replace(ranking, step=Step("litert-int8-weights"))
    counted = structs.replace(observed, lost=((1, 16),))
    assert other._lost_weights(counted) == {"dense0": (1, 16)}


def test_a_model_of_integers_has_nothing_to_quantize(tmp_path, monkeypatch):
    monkeypatch.setattr(quantization, "version", lambda _: "0.10.0")
    int8 = 9
    tensors = [tensor("x", (1, 4), int8), tensor("y", (1, 4), int8)]
    graph = subgraph(tensors, (0,), (1,), [operator(0, (0,), (1,))])
    path = tmp_path / "integers.tflite"
    path.write_bytes(build.model([code(RELU)], [graph]))
    (effect,) = quantization.effects_of(path, (), (Step("litert-int8"),), tmp_path)
    assert effect.nothing == "the model already computes with integers"
