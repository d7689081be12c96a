import pytest

from tests.command_line import errors_of, json_of, output_of

pytestmark = pytest.mark.engine
QUICK = ("--goal", "size", "--processes", "0")


def test_a_language_model_is_made_smaller_and_judged_by_its_perplexity(samples, tmp_path):
    target = tmp_path / "small.onnx"
    steps = ("--try", "weights-8bit", "--try", "weights-4bit", "--try", "weights-2bit")
    command = ("improve", samples / "alice", "--text", *QUICK, *steps, "-o", target)
    found = json_of(*command)
    good, worse, broken = found["candidates"]
    assert found["main"] == "perplexity"
    assert found["best"] == 0
    assert good["accuracy"][0]["value"] < 1.03 * found["original"]["accuracy"][0]["value"]
    assert [each["quality"]["level"] for each in (good, worse, broken)] == [
        "good", "degraded", "broken",
    ]  # fmt: skip
    assert target.stat().st_size < 0.5 * found["original"]["size_bytes"]


@pytest.mark.slow
def test_layers_that_four_bits_harm_most_get_eight(samples):
    shown = output_of("improve", samples / "alice", "--text", *QUICK)
    assert "4-bit weights, blocks of 16" in shown
    assert "16 layers" in shown or "within limit" in shown


def test_models_are_compared_on_a_text_or_on_inputs(samples, tmp_path):
    assert "--text" in errors_of("improve", samples / "alice", *QUICK)
    digits = samples / "digits_float32.onnx"
    assert "--text" in errors_of("improve", digits, "--text", *QUICK)
    both = ("--text", "--test", tmp_path)
    assert "together" in errors_of("improve", samples / "alice", *both, *QUICK)
