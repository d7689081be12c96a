"""Outputs of one network in two formats."""

from pathlib import Path

import numpy as np

from inspector.experiments.output_agreement import format_agreement
from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import OutputValue, Prediction

DIGITS = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"

MODEL = open_model(DIGITS)


def answer(name: str, array: object) -> Prediction:
    value = OutputValue(name, "tensor", "float32", np.asarray(array, np.float32))
    return Prediction((value,), ("cpu",), 1, 1)


def test_the_sentence_says_how_far_apart_they_are_and_what_was_assumed() -> None:
    values = np.linspace(0, 1, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    same = answer("Identity", np.moveaxis(values, 1, -1) + np.float32(1e-6))
    found = format_agreement(MODEL, MODEL, answer("y", values), same)
    assert found.sentence.startswith("Their outputs agree: PSNR 1")
    assert "have other names and were compared by position." in found.sentence
    assert "Channels of output 'Identity' were moved to fit." in found.sentence
    apart = format_agreement(MODEL, MODEL, answer("y", values), answer("y", 1 - values))
    assert apart.sentence.startswith("Their outputs differ beyond the tolerance: PSNR ")
    other = format_agreement(MODEL, MODEL, answer("y", values), answer("y", values[0]))
    assert other.sentence == "Their outputs differ. The shapes differ: 1×2×3×4 and 2×3×4."
