"""What ONNX Runtime itself writes."""

import numpy as np
import onnx
import pytest

from inspector.errors import BadInput
from inspector.formats import opening
from tests.command_line import errors_of, output_of
from tests.conversion.conversions import converted, effect, outputs

PICTURE = {"picture": np.random.default_rng(0).random((2, 1, 8, 8), np.float32)}


@pytest.mark.parametrize("level", ["basic", "all"])
def test_an_optimized_model_has_fewer_layers_and_takes_more_steps(digits, tmp_path, level):
    new, made = converted(digits, tmp_path, f"optimize:{level}", "metadata:author=me")
    assert len(onnx.load(new).graph.node) < len(onnx.load(digits).graph.node)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["model.onnx"]
    assert bool(made.effects[0].caution) is (level == "all")
    np.testing.assert_allclose(
        outputs(new, PICTURE)["probabilities"],
        outputs(digits, PICTURE)["probabilities"],
        atol=1e-6,
    )


def test_the_ort_format_is_the_last_step_and_has_its_own_ending(digits, tmp_path):
    new, _ = converted(digits, tmp_path / "new", "ort-format")
    assert new.name == "model.ort"
    assert opening.is_ort(new)
    np.testing.assert_allclose(
        outputs(new, PICTURE)["probabilities"],
        outputs(digits, PICTURE)["probabilities"],
        atol=1e-6,
    )
    with pytest.raises(BadInput, match="no longer an ONNX model"):
        converted(digits, tmp_path / "more", "ort-format", "metadata:a=b")
    said = errors_of("convert", digits, "ort-format", "-o", tmp_path / "a.onnx")
    assert "Use the name a.ort." in said
    shown = output_of("convert", digits, "ort-format", "-o", tmp_path / "a.ort")
    assert "at 4 of 4 optimization levels" in shown
    assert opening.is_ort(tmp_path / "a.ort")


def test_a_model_in_the_ort_format_becomes_onnx_and_can_be_changed_then(digits, tmp_path):
    small, _ = converted(digits, tmp_path / "small", "ort-format")
    new = tmp_path / "back.onnx"
    told = output_of("convert", small, "-o", new, "--json")
    assert '"step":"onnx-format"' in told
    assert "the original ones are lost" in told
    proto = onnx.load(new)
    onnx.checker.check_model(proto, full_check=True)
    assert len(proto.graph.node) < len(onnx.load(digits).graph.node)  # it was optimized
    np.testing.assert_allclose(
        outputs(new, PICTURE)["probabilities"],
        outputs(small, PICTURE)["probabilities"],
        atol=1e-6,
    )
    half = tmp_path / "half.onnx"
    output_of("convert", small, "float16", "-o", half)
    assert half.stat().st_size < 0.6 * new.stat().st_size
    assert effect(new, tmp_path, "onnx-format").nothing == "the model is an ONNX file"


def test_operators_of_another_library_are_said_before(shared, tmp_path):
    tokenizer = shared / "real" / "bert_tokenizer_customop.onnx"
    for step in ("optimize", "ort-format"):
        refused = effect(tokenizer, tmp_path, step).refused
        assert refused == "operators of 'ai.onnx.contrib' come from another library"
