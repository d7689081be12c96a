"""Outputs of one network in two formats, and of the models of a sweep."""

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.app.output_agreement import FormatAgreement, format_agreement, output_agreement
from inspector.app.subjects import of_values
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.model.tensors.element_types import Fed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.report.output_verdict import DESTROYED, SHAPE, TYPICAL
from inspector.report.run_spec import RunSpec
from tests.models import save, value


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


def test_a_twin_of_another_format_gets_the_same_picture_in_its_layout_and_precision(tmp_path):
    picture = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    relu = [helper.make_node("Relu", ["x"], ["y"])]

    def model(name: str, shape: list[int], kind: int = TensorProto.FLOAT) -> Path:
        ends = [value("x", shape, kind)], [value("y", shape, kind)]
        return save(tmp_path / f"{name}.onnx", relu, *ends)

    path, given = model("first", [1, 2, 3, 4]), list[dict[str, Fed]]()
    subject = of_values(path, open_model(path), RunSpec(), {"x": picture}, {})

    def compared(other: Path) -> FormatAgreement:
        def second(feeds: dict[str, Fed]) -> Prediction:
            given.append(feeds)
            return answer("y", np.moveaxis(picture, 1, -1))

        here = answer("y", picture)
        return output_agreement(subject, open_model(other), lambda _: here, second, "Try it.")

    found = compared(model("last", [1, 3, 4, 2], TensorProto.FLOAT16))
    np.testing.assert_array_equal(given[0]["x"], np.moveaxis(picture, 1, -1))
    assert given[0]["x"].dtype == np.float16
    assert "Channels of output 'y' were moved to fit." in found.sentence
    with pytest.raises(BadInput, match=r"different shapes or types\nTry it\."):
        compared(model("whole", [1, 2, 3, 4], TensorProto.INT64))
