from pathlib import Path

import numpy as np
import onnx
import pytest

from tests.command_line import errors_of, json_of, output_of

SAMPLES = Path(__file__).parents[3] / "sample_models"
MODEL = str(SAMPLES / "digits_float32.onnx")
DIGIT = ["--input", str(SAMPLES / "inputs" / "digit_3.png")]
pytestmark = pytest.mark.engine


def test_the_layer_that_overflows_in_exact_float16_is_pointed_at(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 4] x) => (float[1, 4] y) <float k = {300}> {
        a = Mul (x, k) b = Mul (a, k) y = Div (b, k) }"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "large.onnx")
    np.save(tmp_path / "x.npy", np.array([[1.1, 2, 3, 4]], np.float32))
    command = ["layers", str(tmp_path / "large.onnx"), "--input", str(tmp_path / "x.npy")]
    found = json_of(*command, "--against", "float16")
    assert found["divergence"] == 1  # 90,000; the rounding of layer 0 is no error
    assert found["against"].startswith("emulated float16 on CPU")


def test_the_first_difference_is_pointed_at():
    other = str(SAMPLES / "digits_int8_qdq.onnx")
    said = output_of("layers", MODEL, *DIGIT, "--against", other, "--tolerance", "1e-3")
    (pointed,) = (line for line in said.splitlines() if "first above the" in line)
    assert f"is in layer {pointed.split()[0]}, " in said


def test_without_inputs_a_sample_gets_its_example_and_the_tolerance_is_that_of_the_verdict():
    other = str(SAMPLES / "digits_int8_qdq.onnx")
    found = json_of("layers", MODEL, "--against", other)
    assert found["inputs"] == [{"name": "picture", "value": "digit_0.png"}]
    compared = [out for each in found["layers"] for out in each["outputs"] if out["difference"]]
    errors = [out["difference"]["max_abs"] / out["difference"]["peak"] for out in compared]
    assert [out["over"] for out in compared] == [error > found["least"] for error in errors]
    assert max(errors) > 1e-3  # which float32 alone would allow


def test_an_image_without_a_file_is_random_in_the_range_that_the_model_declares(tmp_path):
    copy = tmp_path / "no_sample.onnx"
    copy.write_bytes(Path(MODEL).read_bytes())
    found = json_of("layers", copy)
    assert found["inputs"] == [{"name": "picture", "value": "random:0"}]
    assert found["layers"][0]["outputs"][0]["statistics"]["maximum"] > 0.9  # after scaling
    assert "random in 0..255" in output_of("layers", copy)


def test_json_has_layers_and_differences():
    found = json_of("layers", MODEL, *DIGIT, "--against", "reference")
    assert found["schema"] == "layers/1"
    assert found["divergence"] is None
    assert len(found["layers"]) == 15
    assert found["layers"][13]["outputs"][0]["difference"]["count"] == 10
    assert found["layers"][13]["outputs"][0]["statistics"]["elements"] == 10


def test_all_layers_are_saved_without_naming_one(samples, tmp_path):
    said = output_of("layers", samples / "digits_float32.onnx", "--save", tmp_path / "all")
    saved = sorted((tmp_path / "all").iterdir())
    assert said.endswith(f"saved {len(saved)} files in {tmp_path / 'all'}\n")
    assert {each.suffix for each in saved} == {".npy"}
    assert np.load(tmp_path / "all" / "probabilities.npy").sum() == pytest.approx(1.0)


def test_one_layer_is_timed_and_saved(tmp_path):
    arguments = ["layers", MODEL, *DIGIT, "--layer", "head/dense", "--alone", "--runs", "9"]
    said = output_of(*arguments, "--against", "level=all", "--save", tmp_path)
    assert "Layer 13: head/dense (Gemm)" in said
    assert "median of 9 runs" in said
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"head_dense_output.npy", "head_dense_output_against.npy"}
    assert np.load(tmp_path / "head_dense_output.npy").shape == (1, 10)
    alone = json_of(*arguments)["alone"]
    assert len(alone["samples_ns"]) == alone["statistics"]["n"] == 9


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--alone"], "Add --layer NAME"),
        (["--layer", "head/dens"], "Did you mean 'head/dense'?"),
    ],
)
def test_wrong_wishes_are_one_message(more, said):
    assert said in errors_of("layers", MODEL, *more)


@pytest.mark.parametrize("command", ["layers", "measure"])
def test_names_that_are_no_text_are_told_in_a_sentence(samples, tmp_path, command):
    body = (samples / "digits_float32.onnx").read_bytes()
    damaged = tmp_path / "damaged.onnx"
    damaged.write_bytes(body.replace(b"probabilities", b"\xff\xfeobabilities"))
    told = errors_of(command, damaged)
    assert told.endswith(": its names are not UTF-8 text\nExport it again with valid names.\n")
