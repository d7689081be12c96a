"""Layers ranked by what quantizing them costs, with real engine processes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.app.changing.calibration import Feeds
from inspector.app.changing.sensitivity import ranked, spread, sqnr_db
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.model.tensors.prediction import Prediction
from inspector.report.run_spec import RunSpec
from inspector.report.sensitivity import Sensitivity
from tests import judged_models
from tests.command_line import output_of
from tests.conversion.conversions import saved

pytestmark = pytest.mark.engine
INT8 = parse_step("int8", ACTIONS)


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[EngineProcess, EngineProcess]]:
    with EngineProcess() as first, EngineProcess() as second:
        yield first, second


def poison(source: Path, layer_name: str, folder: Path) -> Path:
    """Save a model in which one channel of one layer is 1,000 times as large."""
    model = onnx.load(source)
    (layer,) = (node for node in model.graph.node if node.name == layer_name)
    for tensor in model.graph.initializer:
        if tensor.name == layer.input[1]:
            values = onnx.numpy_helper.to_array(tensor).copy()
            values[3] *= 1000
            tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    onnx.save(model, folder / "poisoned.onnx")
    return folder / "poisoned.onnx"


def levels_of(state: Sensitivity) -> list[float]:
    return [np.inf if layer.sqnr_db is None else layer.sqnr_db for layer in state.layers]


def pictures(model: Path, count: int = 4) -> list[Feeds]:
    (given,) = onnx.load(model).graph.input
    shape = [axis.dim_value or 1 for axis in given.type.tensor_type.shape.dim]
    rng = np.random.default_rng(0)
    return [{given.name: 255 * rng.random(shape, np.float32)} for _ in range(count)]


@pytest.mark.parametrize(
    ("count", "chosen"),
    [
        (0, []),
        (8, [0, 1, 2, 3, 4, 5, 6, 7]),
        (15, [0, 1, 2, 3, 4, 5, 6, 7]),
        (20, [0, 2, 4, 6, 8, 10, 12, 14]),
        (80, [0, 10, 20, 30, 40, 50, 60, 70]),
    ],
)
def test_at_most_eight_inputs_from_all_over_are_tested(count, chosen):
    inputs: list[Feeds] = [{"x": np.array(number)} for number in range(count)]
    assert [int(np.asarray(feeds["x"])) for feeds in spread(inputs)] == chosen


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("digits_float32", "stem/conv"),
        ("digits_float32", "block2/conv"),
        pytest.param("digits_float32", "block1/conv", marks=pytest.mark.slow),
        pytest.param("clothes_float32", "stem/conv", marks=pytest.mark.slow),
        pytest.param("clothes_float32", "block1/conv", marks=pytest.mark.slow),
        pytest.param("clothes_float32", "block2/conv", marks=pytest.mark.slow),
    ],
)
def test_poisoned_layer_is_named_first_not_its_neighbor(
    engines, samples, tmp_path, name, layer
):
    model = poison(samples / f"{name}.onnx", layer, tmp_path)
    folder = tmp_path / "between"
    folder.mkdir()
    states = ranked(*engines, model, INT8, folder, pictures(model))
    last = next(state for state in states if state.layers and state.layers[0].apart)
    assert last.worst[0] == layer
    first, *others = last.layers
    assert first.loses_most or first.sqnr_db == min(levels_of(last))
    assert first.lost_channels > 3
    assert not any(each.loses_most for each in others)
    assert levels_of(last)[1:] == sorted(levels_of(last)[1:])


@pytest.mark.parametrize(
    ("place", "text"), [(np.s_[:, 3], "8 of 10 channels lost"), (np.s_[3], "of weights become")]
)
def test_product_with_one_large_channel_is_named_first(engines, tmp_path, place, text):
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal((12, 12)).astype(np.float32) for name in "abc"}
    weights["b"][place] *= 1000
    model = saved(
        tmp_path,
        """<ir_version: 8, opset_import: ["" : 17]>
        perceptron (float[2, 12] x) => (float[2, 12] y) {
            first = MatMul (x, a)
            second = Relu (first)
            third = Gemm (second, b)
            fourth = Relu (third)
            y = MatMul (fourth, c)
        }""",
        **weights,
    )
    feeds = [{"x": rng.standard_normal((2, 12)).astype(np.float32)} for _ in range(4)]
    (tmp_path / "between").mkdir()
    states = ranked(*engines, model, INT8, tmp_path / "between", feeds)
    last = next(state for state in states if len(state.layers) == 3)
    assert last.worst[0] == "third"
    assert text in last.layers[0].lost_text
    assert not any(each.loses_most for each in last.layers[1:])


def test_states_grow_until_the_curve_is_complete(engines, samples, tmp_path):
    poisoned = poison(samples / "clothes_float32.onnx", "block1/conv", tmp_path)
    folder = tmp_path / "between"
    folder.mkdir()
    states = list(ranked(*engines, poisoned, INT8, folder, pictures(poisoned)))
    assert [len(state.layers) for state in states] == [1, 2, 3, *[4] * 8]
    assert all(layer.apart for layer in states[-1].layers)
    last = states[-1]
    assert last.worst[0] == "block1/conv"
    levels = [layer.sqnr_db or np.inf for layer in last.layers]
    assert last.layers[0].loses_most  # which comes before any error of the outputs
    assert levels[1:] == sorted(levels[1:])
    assert [point.kept for point in last.curve] == [0, 1, 2]
    assert last.notes == ("Outputs were compared before the final Softmax.",)
    assert last.inputs == 4
    alone = [level for level in levels if level < np.inf]
    assert (last.curve[0].sqnr_db or np.inf) < min(alone) + 3  # all together are no better
    left = {path.name for path in folder.iterdir()}
    assert left == {"before-end-model.onnx"}


def test_model_without_layers_to_quantize_and_missing_inputs_are_refused(
    engines, samples, tmp_path
):
    quantized = samples / "digits_int8_qdq.onnx"
    with pytest.raises(BadInput, match="is already quantized"):
        next(ranked(*engines, quantized, INT8, tmp_path, pictures(quantized)))
    digits = samples / "digits_float32.onnx"
    with pytest.raises(BadInput, match="no sample inputs"):
        next(ranked(*engines, digits, INT8, tmp_path, ()))
    step = parse_step("float16", ACTIONS)
    with pytest.raises(BadInput, match="does not support quantizing layer by layer"):
        next(ranked(*engines, digits, step, tmp_path, pictures(digits)))


def test_command_prints_the_ranking_as_text_or_json_and_writes_no_model(samples, tmp_path):
    folder = tmp_path / "typical"
    folder.mkdir()
    for number in (0, 3, 5):
        picture = samples / "inputs" / f"digit_{number}.png"
        (folder / picture.name).write_bytes(picture.read_bytes())
    model = str(samples / "digits_float32.onnx")
    arguments = ["convert", model, "int8", "--sensitivity", "--calibration", str(folder)]
    state = parsed(output_of(*arguments, "--json"))
    assert state.total == len(state.layers) == 4
    assert state.curve[-1].kept == 2
    text = output_of(*arguments)
    assert "sensitivity of its layers to int8" in text
    assert state.worst[0] in text
    assert state.verdict in text
    assert [path.name for path in tmp_path.iterdir()] == ["typical"]


def parsed(text: str) -> Sensitivity:
    import msgspec

    return msgspec.json.decode(text, type=Sensitivity)


def test_the_head_of_scores_is_not_hidden_by_boxes_in_pixels(engines, tmp_path):
    model = judged_models.detector(tmp_path / "detector.onnx")
    before = predictions(engines[0], model, tmp_path)
    dead = judged_models.detector(tmp_path / "dead.onnx", dead_scores=True)
    after = predictions(engines[1], dead, tmp_path)
    ratio = sqnr_db(before, after)
    assert ratio < 3  # nothing is left of the scores
    assert sqnr_db(before, before) is None


def predictions(engine: EngineProcess, model: Path, folder: Path) -> list[Prediction]:
    random = np.random.default_rng(1)
    shape = 1, 8, judged_models.POSITIONS
    feeds = [{"x": random.normal(size=shape).astype(np.float32)} for _ in range(6)]
    return [engine.predict(model, RunSpec(), each) for each in feeds]
