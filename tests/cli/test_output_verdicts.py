"""Every command that compares outputs says the one sentence of their verdict."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from inspector.cli import main
from inspector.preview.runs import expected_outputs
from tests import judged_models
from tests.command_line import errors_of, json_of, output_of

pytestmark = pytest.mark.engine
DEAD = "rows 4 to 6 of output0 are always 0"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judged")
    judged_models.detector(folder / "detector.onnx")
    judged_models.detector(folder / "dead.onnx", dead_scores=True)
    judged_models.noisy(folder / "noisy.onnx")
    judged_models.inputs(folder / "inputs")
    return folder


def test_predict_names_the_rows_that_died(made):
    words = "predict", made / "detector.onnx", "--folder", made / "inputs", "--against"
    told = output_of(*words, made / "dead.onnx")
    assert f"on 6 test inputs: {DEAD}. Do not ship this." in told
    verdict = json_of(*words, made / "dead.onnx")["verdict"]
    assert (verdict["level"], verdict["good"]) == ("destroyed", False)
    assert verdict["findings"][0]["kind"] == "dead"
    verdict = json_of(*words, "level=none")["verdict"]
    assert verdict["level"] == "same"
    assert verdict["sentence"] == "Outputs are the same on 6 test inputs."


def test_predict_judges_nothing_that_does_not_repeat(made):
    words = "predict", made / "noisy.onnx", "--folder", made / "inputs"
    text = output_of(*words, "--against", "level=none")
    assert "No verdict: the original does not repeat its outputs: two runs on one input" in text


def test_parity_says_how_much_one_input_proves(made):
    words = "parity", made / "detector.onnx", "--against"
    told = output_of(*words, "level=none")
    assert "No verdict from only 1 random input (outputs agree within rounding)." in told
    own = "--input", made / "inputs/0.npy"
    assert DEAD in output_of(*words, made / "dead.onnx", *own)
    told = output_of("parity", made / "noisy.onnx", "--against", "level=none")
    assert "does not repeat" in told


def data_set(model: Path, target: Path, inputs: Path, factor: float = 1.0) -> Path:
    """Write an input and the outputs that a model gives, times a factor."""
    x = np.load(inputs)
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    (output,) = session.run(None, {"x": x})
    np.savez(target, x=x, output0=(output * factor).astype(np.float32))
    return target


def test_verify_allows_rounding_also_next_to_zero(made, tmp_path):
    data = data_set(made / "detector.onnx", tmp_path / "a.npz", made / "inputs/0.npy")
    arrays = dict(np.load(data))
    arrays["output0"] += np.float32(1e-4)  # of 640; a score of 0.01 is 1% off
    np.savez(data, **arrays)
    assert "Passes:" in output_of("verify", made / "detector.onnx", data)
    arrays["output0"] += np.float32(2e-2)
    np.savez(data, **arrays)
    assert main.run(["verify", str(made / "detector.onnx"), str(data)]) == 1


def test_verify_fails_dead_rows_though_other_rows_are_large(made, tmp_path):
    data = data_set(made / "detector.onnx", tmp_path / "a.npz", made / "inputs/0.npy")
    words = ["verify", str(made / "dead.onnx"), str(data), "--atol", "5"]
    assert DEAD in errors_of(*words)


def quantized(made: Path, folder: Path, steps: str) -> Path:
    """Convert the detector, with its own inputs as typical ones."""
    target = folder / "changed.onnx"
    words = "convert", made / "detector.onnx", steps, "--calibration", made / "inputs"
    assert main.run([*map(str, words), "--accept", "-o", str(target)]) == 0
    return target


def test_verify_passes_a_quantized_model_that_is_right_as_a_whole(
    made, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(expected_outputs, "MOST_QUANTIZED", 0.0)  # of single elements
    model = quantized(made, tmp_path, "int8-dynamic")
    inputs = sorted((made / "inputs").glob("*.npy"))
    sets = [
        data_set(made / "detector.onnx", tmp_path / f"{n}.npz", path)
        for n, path in enumerate(inputs)
    ]
    capsys.readouterr()
    text = output_of("verify", model, *sets)
    assert text.count("pass  ") == len(sets)
    assert "differ as quantization makes them" in text
    assert "Outputs are nearly the same on 6 test inputs" in text
    # Two data sets prove less, and it is said.
    few = output_of("verify", model, *sets[:2])
    assert "No verdict from only 2 test inputs" in few
    # Who says what an element may differ by is obeyed.
    exact = ["verify", str(model), *map(str, sets), "--rtol", "1e-4", "--atol", "1e-6"]
    assert "FAIL" in output_of(*exact, status=1)


def test_verify_fails_a_quantized_model_that_detects_nothing(made, tmp_path):
    model = quantized(made, tmp_path, "int8-qoperator")
    inputs = sorted((made / "inputs").glob("*.npy"))
    sets = [
        data_set(made / "detector.onnx", tmp_path / f"{n}.npz", path)
        for n, path in enumerate(inputs)
    ]
    assert DEAD in errors_of("verify", model, *map(str, sets))


def test_verify_does_not_fail_a_model_that_does_not_repeat_itself(made, tmp_path, capsys):
    data = data_set(made / "noisy.onnx", tmp_path / "a.npz", made / "inputs/0.npy")
    assert main.run(["verify", str(made / "noisy.onnx"), str(data)]) == 1
    told = capsys.readouterr()
    assert "No verdict: the model does not repeat its outputs." in told.out
    assert "FAIL" not in told.out
    assert "the model does not repeat its outputs: two runs" in told.err


def test_layers_names_dead_rows_that_the_tolerance_hides(made):
    words = "layers", made / "dead.onnx", "--against", made / "detector.onnx"
    text = output_of(*words)
    assert f"'join', {DEAD}." in text
    layers = json_of(*words)["layers"]
    assert [layer["name"] for layer in layers if layer["outputs"][0]["broken"]] == ["join"]
    # unless the user has said what may differ
    assert DEAD not in output_of(*words, "--tolerance", "0.1")


def test_measure_does_not_call_random_outputs_wrong(made, tmp_path):
    report = json_of("measure", made / "noisy.onnx", "--check", "--runs", "3", "--warmup", "0")
    assert report["outputs"] == []
    (note,) = [each for each in report["notes"] if "verified" in each]
    assert "the model does not repeat its outputs: two runs on one input differ by" in note
