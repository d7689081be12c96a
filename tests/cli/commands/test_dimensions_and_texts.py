"""--dim and text inputs mean the same in every command."""

import pytest

import inspector
from tests import command_line
from tests.preview import writer

pytestmark = pytest.mark.engine
TEXT = "input_ids=text:the cat sat on"


@pytest.mark.parametrize(
    "command",
    [
        "info", "support", "support --target apple", "measure", "layers", "predict", "tune",
        "parity --against reference", "sweep --threads 1,2", "code", "prepare",
    ],
)  # fmt: skip
def test_a_mistyped_axis_is_an_error_with_the_nearest_name(samples, command):
    name, *options = command.split()
    done = command_line.run(name, samples / "digits_float32.onnx", *options, "--dim", "batc=1")
    assert done.returncode
    assert "Could not set dynamic axis 'batc'" in done.stderr
    assert "Did you mean 'batch'?" in done.stderr


def test_several_models_take_the_axes_that_they_have(samples):
    paths = samples / "digits_float32.onnx", samples / "wine_tabular.onnx"
    done = command_line.run("info", *paths, "--dim", "batch=2")
    assert "wine_tabular.onnx" in done.stdout


@pytest.mark.parametrize("command", ["measure --runs 3 --no-layers", "layers"])
def test_a_text_becomes_tokens_by_the_tokenizer_beside_the_model(tmp_path, command):
    name, *options = command.split()
    done = command_line.run(name, writer.made(tmp_path), *options, "--input", TEXT)
    assert done.returncode == 0, done.stderr
    if name == "measure":  # the latency is that of this length
        assert "input 1×4" in done.stdout


def test_the_api_takes_texts(tmp_path):
    path = writer.made(tmp_path)
    answer = inspector.predict(path, {"input_ids": "text:the cat sat on"})
    assert answer["logits"].shape == (1, 4, 8)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(inspector.InspectorError, match=r"no tokenizer\.json next to the model"):
        inspector.predict(path, {"input_ids": "text:the cat"})
