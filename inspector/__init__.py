"""Inspector: what an ONNX model is, what it answers, how fast it runs and on what."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"  # pyproject.toml reads it

if TYPE_CHECKING:
    from inspector.api import Answer as Answer
    from inspector.api import Cancellation as Cancellation
    from inspector.api import Cancelled as Cancelled
    from inspector.api import Compiled as Compiled
    from inspector.api import Converted as Converted
    from inspector.api import Evaluation as Evaluation
    from inspector.api import GeneratedText as GeneratedText
    from inspector.api import Improved as Improved
    from inspector.api import InspectorError as InspectorError
    from inspector.api import LatencyEstimates as LatencyEstimates
    from inspector.api import LoadedModel as LoadedModel
    from inspector.api import Measurement as Measurement
    from inspector.api import MemoryTable as MemoryTable
    from inspector.api import ModelComparison as ModelComparison
    from inspector.api import OpenedModel as OpenedModel
    from inspector.api import OutputsDestroyed as OutputsDestroyed
    from inspector.api import ReportComparison as ReportComparison
    from inspector.api import Support as Support
    from inspector.api import SweepResult as SweepResult
    from inspector.api import TextQuality as TextQuality
    from inspector.api import Tuned as Tuned
    from inspector.api import compare as compare
    from inspector.api import compile_model as compile_model
    from inspector.api import compile_targets as compile_targets
    from inspector.api import convert as convert
    from inspector.api import diff as diff
    from inspector.api import estimate as estimate
    from inspector.api import evaluate as evaluate
    from inspector.api import generate as generate
    from inspector.api import improve as improve
    from inspector.api import load as load
    from inspector.api import load_report as load_report
    from inspector.api import measure as measure
    from inspector.api import measure_against as measure_against
    from inspector.api import measure_async as measure_async
    from inspector.api import memory as memory
    from inspector.api import open_model as open_model
    from inspector.api import predict as predict
    from inspector.api import record_program as record_program
    from inspector.api import run_async as run_async
    from inspector.api import score_text as score_text
    from inspector.api import support as support
    from inspector.api import sweep as sweep
    from inspector.api import tune as tune
    from inspector.recorder.recording_context import recording as recording

_API = (
    "Answer", "Cancellation", "Cancelled", "Compiled", "Converted", "Evaluation",
    "GeneratedText", "Improved", "InspectorError", "LatencyEstimates", "LoadedModel",
    "Measurement", "MemoryTable", "ModelComparison", "OpenedModel", "OutputsDestroyed",
    "ReportComparison", "Support", "SweepResult", "TextQuality", "Tuned",
    "compare", "compile_model", "compile_targets", "convert", "diff", "estimate", "evaluate",
    "generate", "improve", "load", "load_report", "measure", "measure_against",
    "measure_async", "memory", "open_model", "predict", "record_program", "run_async",
    "score_text", "support", "sweep", "tune",
)  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a name of the API when it is first used, so that importing the package is cheap."""
    if name in _API:
        return getattr(_module("api"), name)
    if name == "recording":
        return _recorder().recording
    raise AttributeError(f"module 'inspector' has no attribute {name!r}")


def load_ipython_extension(shell: object) -> None:
    """Add the magics `%%inspect` and `%inspect`; IPython calls it for `%load_ext inspector`."""
    _recorder().register_magic(shell, __getattr__("record_program"))


def _recorder() -> Any:
    return _module("recorder.recording_context")


def _module(name: str) -> Any:
    # `import inspector` alone takes 5 ms, and what records loads nothing of the API.
    return import_module(f"inspector.{name}")


def __dir__() -> list[str]:
    return sorted((*globals(), *_API, "recording"))
