"""Whether a model fits: the arena of a microcontroller, flash, and what to do."""

from pathlib import Path

import pytest

from inspector.analysis.cost.arena_plan import arena_plan
from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.cost.memory_fit import memory_fit
from inspector.analysis.facts.shapes import declared
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.report.run_spec import Dimension

REAL = Path(__file__).parents[4] / "shared" / "models" / "other" / "tflite"


def known(path):
    """Read a model and estimate its memory."""
    model = open_model(path)

    def shapes(given):
        if path.suffix == ".tflite":
            return declared(model)
        return infer(path, [Dimension(*each) for each in given.items()])

    found: Estimate = estimate(model, shapes, {})
    return model, found


# Head and whole of the arena, as TensorFlow Lite Micro's recording allocator prints them.
@pytest.mark.parametrize(
    ("name", "head", "whole"),
    [
        ("person_detect.tflite", 55_296, 85_264),
        ("dtln_model_1.tflite", 9_216, 16_512),
        ("basic_pitch_nmp.tflite", 5_388_416, 5_426_048),
        ("litert/k_einsum.tflite", 819_200, 820_400),
        ("litert/single_add_default_a16w8_recipe_quantized.tflite", 6_144, 7_168),
    ],
)
def test_the_arena_is_planned_as_its_interpreter_plans_it(name, head, whole):
    if not REAL.exists():
        pytest.skip("the real models are not here")
    model, found = known(REAL / name)
    plan = arena_plan(model, found.memory)
    assert plan.values_bytes == head
    assert plan.bytes == pytest.approx(whole, rel=0.15)


def test_a_model_fits_where_both_memories_hold_it_and_int8_is_a_remedy(digits):
    model, found = known(digits)
    weights = found.cost.weights_bytes
    roomy = memory_fit(model, found, 256 << 10, 1 << 20)
    assert roomy.fits
    assert roomy.need.flash == weights + (16 << 10)
    assert not roomy.remedies
    tight = memory_fit(model, found, 256 << 10, weights)
    assert tight.fits is False
    (remedy,) = tight.remedies
    assert "it fits" in str(remedy)
    assert memory_fit(model, found, 0, 0).fits is None


def test_without_flash_weights_are_in_ram_and_a_limit_in_the_range_is_not_sure(digits):
    model, found = known(digits)
    low, high = (
        found.cost.weights_bytes + each for each in (found.peak_bytes, found.most_peak_bytes)
    )
    assert memory_fit(model, found, high, 0).fits is True
    assert memory_fit(model, found, (low + high) // 2, 0).fits is None
    assert memory_fit(model, found, low - 1, 0).fits is False
