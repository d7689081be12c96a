"""Outputs of one network in two formats, and of the models of a sweep."""

import numpy as np

from inspector.app.output_agreement import FormatAgreement, format_agreement
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.report.output_verdict import DESTROYED, SHAPE, TYPICAL


def answer(name: str, array: object) -> Prediction:
    value = OutputValue(name, "tensor", "float32", np.asarray(array, np.float32))
    return Prediction((value,), ("cpu",), 1, 1)


def compared(first: Prediction, other: Prediction) -> FormatAgreement:
    return format_agreement(ModelComparison(), first, other, first, TYPICAL)


def test_the_sentence_is_that_of_the_verdict_and_says_what_was_assumed():
    values = np.linspace(0, 1, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    same = answer("Identity", np.moveaxis(values, 1, -1) + np.float32(1e-6))
    found = compared(answer("y", values), same)
    assert found.sentence.startswith(
        "No verdict from only 1 typical input (outputs agree within rounding)."
    )
    assert "have other names and were compared by position." in found.sentence
    assert "Channels of output 'Identity' were moved to fit." in found.sentence
    apart = compared(answer("y", values), answer("y", 1 - values))
    assert "of y is off by" in apart.sentence or "of y are off by" in apart.sentence
    other = compared(answer("y", values), answer("y", values[0]))
    assert (other.verdict.level, other.verdict.findings[0].kind) == (DESTROYED, SHAPE)
    assert "y has another shape or type" in other.sentence
