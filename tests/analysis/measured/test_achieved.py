from pathlib import Path

import pytest

from inspector.analysis.cost.estimate import Estimate, estimate
from inspector.analysis.measured.roofline_points import measured_lengths, operations_per_second
from inspector.backends.onnxruntime.graphs.shape_inference import infer
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.report.report import LayerUse, PerformanceReport
from inspector.wording.support_marks import Status
from tests.reports import example_report


@pytest.fixture
def model(samples: Path) -> Model:
    return open_model(samples / "digits_float32.onnx")


@pytest.fixture
def found(model: Model, samples: Path) -> Estimate:
    path = samples / "digits_float32.onnx"
    return estimate(model, lambda _: infer(path, ()), {})


def report(model: Model, output: str) -> PerformanceReport:
    """The first convolution took a millisecond, with the two layers after it."""
    first = next(layer.index for layer in model.layers if layer.operator == "Conv")
    uses = tuple(
        LayerUse(
            index=layer.index, name=layer.name, operator=layer.operator, status=Status.EXECUTED,
            ran_on="cpu", time_ns=1_000_000 if layer.index == first else None,
            into=first if first < layer.index <= first + 2 else None,
            output=output if layer.index == first else "",
        )
        for layer in model.layers
    )  # fmt: skip
    return example_report(layers=uses)


def test_speed_counts_what_was_fused_and_the_batch_of_the_measurement(model, found):
    measured = report(model, "float32 8×16×8×8")
    assert measured_lengths(model, found, measured)["batch"] == 8
    first = next(layer.index for layer in model.layers if layer.operator == "Conv")
    elements = 8 * 16 * 8 * 8
    done = elements * 9 * 2 + elements * 2 + elements
    assert operations_per_second(model, found, measured, first) == pytest.approx(done * 1000)


def test_there_is_no_speed_without_a_time_or_without_the_shapes(model, found):
    first = next(layer.index for layer in model.layers if layer.operator == "Conv")
    measured = report(model, "float32 8×16×8×8")
    assert operations_per_second(model, found, measured, first + 1) is None
    assert operations_per_second(model, found, report(model, ""), first) is None
