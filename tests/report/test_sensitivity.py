"""What a sensitivity says in words."""

import pytest

from inspector.report.sensitivity import KeptPoint, LayerSensitivity, Sensitivity

LAYERS = tuple(LayerSensitivity(f"conv{n}", "Conv", 20.0 + n) for n in range(40))


def state(*curve: tuple[int, float | None]) -> Sensitivity:
    points = tuple(KeptPoint(kept, level) for kept, level in curve)
    return Sensitivity("net.onnx", "int8", LAYERS, points, total=40, inputs=8)


@pytest.mark.parametrize(
    ("curve", "kept", "says"),
    [
        (
            [(0, 35.0), (1, 36.0)],
            0,
            "No layer needs to stay in float: with all layers quantized, output SQNR is 35.0 "
            "dB.",
        ),
        (
            [(0, 12.0), (1, 18.0), (2, 31.5), (4, 40.0)],
            2,
            "Keep conv0, conv1 in float: output SQNR rises from 12.0 dB to 31.5 dB.",
        ),
        (
            [(0, 8.0), (1, 9.0), (2, 9.0), (4, 14.5)],
            4,
            "Keep conv0, conv1, conv2 and 1 more in float: output SQNR rises from 8.0 dB to "
            "14.5 dB. Check the accuracy on your data.",
        ),
        (
            [(0, 10.0), (1, 10.2), (2, 10.5), (4, 12.3), (8, 13.1), (16, 15.3)],
            -1,
            "int8 does not suit this model: with all layers quantized, output SQNR is 10.0 "
            "dB, and keeping the 16 worst layers in float gains only 5.3 dB.",
        ),
        (
            [(0, None)],
            0,
            "No change: with int8, the outputs are identical to the original ones.",
        ),
    ],
)
def test_verdict_names_layers_or_says_that_int8_is_not_for_the_model(curve, kept, says):
    found = state(*curve)
    assert found.best_kept == kept
    assert found.verdict == says


def test_many_kept_layers_are_no_advice():
    found = state((0, 10.0), (4, 11.0), (16, 35.0))
    assert found.best_kept == -1
    assert "keeping the 16 worst layers in float gains only" not in found.verdict
