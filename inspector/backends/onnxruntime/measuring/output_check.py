"""What the outputs of a measured model are worth: beside the CPU's, without optimization."""

from collections.abc import Callable
from dataclasses import replace

from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.tensors.agreement import QUANTIZED, CheckedOutput, tolerance
from inspector.tensors.difference import difference
from inspector.tensors.prediction import OutputValue, Prediction

Predict = Callable[[RunSpec], Prediction]


def check_outputs(
    report: PerformanceReport, model: Model, predict: Predict
) -> PerformanceReport:
    """Predict as measured and as the file says, and add how far the outputs are apart.

    A failure costs the check, not the report: a note says why. Raises Cancelled.
    """
    spec = report.spec
    plain = RunSpec(optimization="none", dimensions=spec.dimensions, cast=spec.cast)
    try:
        mine, reference = predict(spec), predict(plain)
    except Cancelled:
        raise
    except InspectorError as error:
        note = f"The outputs could not be checked: {error.why or error.what}."
        return replace(report, notes=(*report.notes, note))
    least = coarsest(model)
    pairs = zip(reference.outputs, mine.outputs, strict=True)
    return replace(report, outputs=tuple(_checked(r, o, least) for r, o in pairs))


def coarsest(model: Model) -> float:
    """What errors the types allow that a model stores and goes through."""
    rounds = any(
        "Quant" in layer.operator or "QLinear" in layer.operator for layer in model.layers
    )
    kinds = {weight.dtype for weight in model.weights}
    kinds |= {info.dtype for info in (*model.inputs, *model.outputs)}
    return max((QUANTIZED * rounds, *map(tolerance, kinds)))


def _checked(reference: OutputValue, mine: OutputValue, least: float) -> CheckedOutput:
    if reference.array is None or mine.array is None:
        return CheckedOutput(mine.name, None, least)
    found = difference(reference.array, mine.array)
    found = replace(found, reference_dtype=reference.dtype, other_dtype=mine.dtype)
    return CheckedOutput(mine.name, found, least)
