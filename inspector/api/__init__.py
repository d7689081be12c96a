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

from typing import TYPE_CHECKING

from inspector.platform import plugins

if TYPE_CHECKING:
    from inspector.api.answers import Answer as Answer
    from inspector.api.cancelling import run_async as run_async
    from inspector.api.changed import Compiled as Compiled
    from inspector.api.changed import Converted as Converted
    from inspector.api.changed import Improved as Improved
    from inspector.api.changing import compile_model as compile_model
    from inspector.api.changing import compile_targets as compile_targets
    from inspector.api.changing import convert as convert
    from inspector.api.changing import improve as improve
    from inspector.api.comparing import ModelComparison as ModelComparison
    from inspector.api.comparing import Support as Support
    from inspector.api.comparing import compare as compare
    from inspector.api.comparing import diff as diff
    from inspector.api.comparing import load_report as load_report
    from inspector.api.comparing import support as support
    from inspector.api.estimating import LatencyEstimates as LatencyEstimates
    from inspector.api.estimating import MemoryTable as MemoryTable
    from inspector.api.estimating import estimate as estimate
    from inspector.api.estimating import memory as memory
    from inspector.api.generated import GeneratedText as GeneratedText
    from inspector.api.generating import LoadedModel as LoadedModel
    from inspector.api.generating import generate as generate
    from inspector.api.generating import load as load
    from inspector.api.measured import Measurement as Measurement
    from inspector.api.measured import ReportComparison as ReportComparison
    from inspector.api.measured import SweepResult as SweepResult
    from inspector.api.measured import Tuned as Tuned
    from inspector.api.measuring import measure as measure
    from inspector.api.measuring import measure_against as measure_against
    from inspector.api.measuring import measure_async as measure_async
    from inspector.api.measuring import sweep as sweep
    from inspector.api.measuring import tune as tune
    from inspector.api.models import OpenedModel as OpenedModel
    from inspector.api.models import open_model as open_model
    from inspector.api.recording import record_program as record_program
    from inspector.api.running import predict as predict
    from inspector.api.scoring import Evaluation as Evaluation
    from inspector.api.scoring import TextQuality as TextQuality
    from inspector.api.scoring import evaluate as evaluate
    from inspector.api.scoring import score_text as score_text
    from inspector.errors import Cancelled as Cancelled
    from inspector.errors import InspectorError as InspectorError
    from inspector.errors import OutputsDestroyed as OutputsDestroyed
    from inspector.platform.cancellation import Cancellation as Cancellation

_PLACES = {
    "api.changing": ("compile_model", "compile_targets", "convert", "improve"),
    "api.comparing": (
        "ModelComparison", "Support", "compare", "diff", "load_report", "support",
    ),
    "api.measuring": ("measure", "measure_against", "measure_async", "sweep", "tune"),
    "api.estimating": ("LatencyEstimates", "MemoryTable", "estimate", "memory"),
    "api.models": ("OpenedModel", "open_model"),
    "api.answers": ("Answer",),
    "api.cancelling": ("run_async",),
    "api.changed": ("Compiled", "Converted", "Improved"),
    "api.generated": ("GeneratedText",),
    "api.generating": ("LoadedModel", "generate", "load"),
    "api.measured": ("Measurement", "ReportComparison", "SweepResult", "Tuned"),
    "api.recording": ("record_program",),
    "api.running": ("predict",),
    "api.scoring": ("Evaluation", "TextQuality", "evaluate", "score_text"),
    "errors": ("Cancelled", "InspectorError", "OutputsDestroyed"),
    "platform.cancellation": ("Cancellation",),
}  # fmt: skip

__all__ = [
    "Answer", "Cancellation", "Cancelled", "Compiled", "Converted", "Evaluation",
    "GeneratedText", "Improved", "InspectorError", "LatencyEstimates", "LoadedModel",
    "Measurement", "MemoryTable", "ModelComparison", "OpenedModel", "OutputsDestroyed",
    "ReportComparison", "Support", "SweepResult", "TextQuality", "Tuned",
    "compare", "compile_model", "compile_targets", "convert", "diff", "estimate", "evaluate",
    "generate", "improve", "load", "load_report", "measure", "measure_against",
    "measure_async", "memory", "open_model", "predict", "record_program", "run_async",
    "score_text", "support", "sweep", "tune",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a name when it is first used, with what its theme needs."""
    for module, names in _PLACES.items():
        if name in names:
            return plugins.load(f"inspector.{module}:{name}")
    raise AttributeError(f"module 'inspector.api' has no attribute {name!r}")
