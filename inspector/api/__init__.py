"""The Python API: what the command line does, as functions whose results are values.

    import inspector

    model = inspector.open_model("net.onnx")
    answer = inspector.predict(model, "photo.png")
    report = inspector.measure(model, seconds=3)
    report.p50_ns, report.layers()

All names here are also those of the package itself. Functions take a path or an opened model.
Everything that runs a model does so in a confined child process, as in the window. Errors that
a caller can cause are `InspectorError`s. Results show themselves in notebooks.
"""

from inspector.api.functions import (
    compare,
    convert,
    diff,
    improve,
    load_report,
    measure,
    measure_against,
    measure_async,
    open_model,
    predict,
    support,
    sweep,
    tune,
)
from inspector.api.results import (
    Answer,
    Converted,
    Improved,
    Measurement,
    ModelComparison,
    OpenedModel,
    ReportComparison,
    Support,
    SweepResult,
    Tuned,
)
from inspector.errors import InspectorError, OutputsDestroyed

__all__ = [
    "Answer",
    "Converted",
    "Improved",
    "InspectorError",
    "Measurement",
    "ModelComparison",
    "OpenedModel",
    "OutputsDestroyed",
    "ReportComparison",
    "Support",
    "SweepResult",
    "Tuned",
    "compare",
    "convert",
    "diff",
    "improve",
    "load_report",
    "measure",
    "measure_against",
    "measure_async",
    "open_model",
    "predict",
    "support",
    "sweep",
    "tune",
]
