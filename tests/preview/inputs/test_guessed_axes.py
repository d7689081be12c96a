import json
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.cli import main
from inspector.errors import EngineFailed
from inspector.formats.opening import open_model
from inspector.preview.inputs import feeds, guessed_axes
from inspector.preview.inputs.guessed_axes import first_that_runs
from inspector.report import sweep
from inspector.report.report import load
from tests import models

pytestmark = pytest.mark.engine


def pooling(path: Path, window: int, most: int | None = None) -> Path:
    """A convolution that needs at least `window` steps, or just `most` of them."""
    weights = helper.make_tensor("w", TensorProto.FLOAT, [1, 1, window], [1.0] * window)
    nodes = [helper.make_node("Conv", ["x", "w"], ["h"], "conv")]
    stored = [weights]
    if most is None:
        nodes.append(helper.make_node("Relu", ["h"], ["y"], "cut"))
    else:
        shape = [1, most - window + 1]
        stored.append(helper.make_tensor("s", TensorProto.INT64, [2], shape))
        nodes.append(helper.make_node("Reshape", ["h", "s"], ["y"], "shape"))
    values = [models.value("x", ["batch", 1, "seq"]), models.value("y", None)]
    return models.save(path, nodes, values[:1], values[1:], stored)


def predicted(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main.run(["predict", *map(str, arguments)])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_model_that_fails_at_1_is_predicted_with_a_length_that_works(tmp_path, capsys):
    path = pooling(tmp_path / "m.onnx", 3)
    status, out, err = predicted(capsys, path, "--json")
    assert status == 0, err
    answer = json.loads(out)
    assert answer["inputs"][0]["shape"] == [1, 1, 4]
    (note,) = (note for note in answer["notes"] if "guessed" in note)
    assert note.startswith("batch=1, seq=4 guessed after the default sizes failed")
    assert "--dim seq=N" in note
    pooling(path, 2)
    assert "batch=1, seq=2 guessed" in predicted(capsys, path)[1]


def test_a_length_that_somebody_gave_is_never_replaced(tmp_path, capsys):
    path = pooling(tmp_path / "m.onnx", 9)
    status, _, err = predicted(capsys, path, "--dim", "seq=3", "--dim", "batch=1")
    assert status == 1
    assert "guessed" not in err
    np.save(tmp_path / "x.npy", np.zeros((1, 1, 4), np.float32))
    assert predicted(capsys, path, "--input", tmp_path / "x.npy")[0] == 1


def test_where_no_usual_length_works_the_hint_names_the_axes(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(guessed_axes, "LENGTHS", (4,))  # each starts an engine
    status, _, err = predicted(capsys, pooling(tmp_path / "m.onnx", 3, 77))
    assert status == 1
    assert "set one with --dim batch=N --dim seq=N." in err
    assert predicted(capsys, tmp_path / "m.onnx", "--dim", "seq=77")[0] == 0


def test_a_measurement_finds_the_length_too_and_its_report_tells(tmp_path, capsys):
    path, report = pooling(tmp_path / "m.onnx", 2), tmp_path / "r.json"
    arguments = ["measure", str(path), "--runs", "3", "--no-layers", "-o", str(report)]
    assert main.run(arguments) == 0, capsys.readouterr().err
    assert any(note.startswith("batch=1, seq=2 guessed") for note in load(report).notes)


def test_lengths_of_the_batch_are_tried_last(tmp_path):
    info = open_model(pooling(tmp_path / "m.onnx", 2)).inputs
    tried = []

    def run(tensors):
        tried.append(tensors[0].array.shape)
        raise EngineFailed("x", "does not fit", "Do this.", "prediction")

    def fill(lengths):
        return feeds.fill_all(info, {}, lengths)

    with pytest.raises(EngineFailed, match="does not fit") as caught:
        first_that_runs(fill, run, info, {}, fill({}))
    assert tried[1:6] == [(1, 1, n) for n in guessed_axes.LENGTHS]
    assert tried[6:] == [(n, 1, n) for n in guessed_axes.LENGTHS]
    assert caught.value.hint.startswith("Do this. None of the common sizes")


@pytest.mark.parametrize(("why", "phase"), [("not enough memory", "prediction"), ("x", "load")])
def test_what_no_length_can_help_is_tried_once(tmp_path, why, phase):
    info = open_model(pooling(tmp_path / "m.onnx", 2)).inputs
    tried = []

    def run(tensors):
        tried.append(tensors)
        raise EngineFailed("x", why, "", phase)

    filling = feeds.fill_all(info, {}, {})
    with pytest.raises(EngineFailed):
        first_that_runs(lambda _: filling, run, info, {}, filling)
    assert len(tried) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["parity", "--against", "level=none", "--json"],
        ["layers", "--json"],
        pytest.param(["tune", "--time", "5", "--json"], marks=pytest.mark.slow),
    ],
    ids=lambda arguments: arguments[0],
)
def test_other_commands_find_the_length_too_and_tell(tmp_path, capsys, arguments):
    path = pooling(tmp_path / "m.onnx", 2)
    command, *options = arguments
    status = main.run([command, str(path), *options])
    told = capsys.readouterr()
    assert status == 0, told.err
    assert any("seq=2 guessed" in note for note in json.loads(told.out)["notes"])


@pytest.mark.slow
def test_a_sweep_of_lengths_guesses_only_the_other_axes(tmp_path):
    path, saved = pooling(tmp_path / "m.onnx", 9), tmp_path / "s.json"
    arguments = ["sweep", str(path), "--dim", "seq=3,20", "--runs", "3", "--processes", "1"]
    assert main.run([*arguments, "--confirm", "0", "-o", str(saved)]) == 0
    swept = sweep.load(saved)
    assert swept.notes == ()
    states = [cell.state for cell in swept.cells]
    assert states == [sweep.CellState.FAILED, sweep.CellState.DONE]


def test_two_models_of_a_sweep_are_compared_with_guessed_lengths(tmp_path):
    pooling(tmp_path / "a.onnx", 2)
    pooling(tmp_path / "b.onnx", 2)
    saved = tmp_path / "s.json"
    arguments = ["sweep", str(tmp_path / "a.onnx"), str(tmp_path / "b.onnx"), "--runs", "3"]
    assert main.run([*arguments, "--processes", "1", "--confirm", "0", "-o", str(saved)]) == 0
    swept = sweep.load(saved)
    assert [agreement.equal for agreement in swept.agreements] == [True, True]
    assert any("seq=2 guessed" in note for note in swept.notes)
