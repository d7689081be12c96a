"""A model opened by one program or another, in the engine process: each may die of it."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns
from types import MappingProxyType

import onnx
import onnxruntime
from onnx import checker, shape_inference

from inspector.backends.onnxruntime.sessions import providers, refusals, session
from inspector.errors import InspectorError
from inspector.formats import opening
from inspector.report.compatibility import (
    CHECKER,
    INFERENCE,
    LOADER,
    READER,
    RUNTIME,
    CompatibilityResult,
    Outcome,
)

# How onnx begins, before it says what is wrong.
_KIND = re.compile(
    r"\[(?:Type|Shape)InferenceError\] (?:Inference error\(s\): )?"
    r"|Cannot infer type and shape for node name .*?\. (?=No opset)",
    re.DOTALL,
)
_READ = 3000
_VERSIONS = {
    LOADER: onnx.__version__,
    CHECKER: onnx.__version__,
    INFERENCE: onnx.__version__,
    RUNTIME: onnxruntime.__version__,
}


def check_compatibility(
    program: str, model: Path, libraries: Sequence[str] = ()
) -> CompatibilityResult:
    """Open a model with one of `compatibility.PROGRAMS` as its users would, and drop it again.

    libraries: with custom operators, for the runtime.
    """
    began, why, hint = perf_counter_ns(), "", ""
    try:
        if program == RUNTIME:
            options = onnxruntime.SessionOptions()
            session.register_custom_operators(options, libraries)
            options.log_severity_level = session.ERRORS_ONLY
            options.graph_optimization_level = session.OPTIMIZATION["none"]
            onnxruntime.InferenceSession(str(model), options, providers=[providers.CPU])
        else:
            _OPENERS[program](model)
    except InspectorError as error:
        why, hint = error.why, error.hint
    except Exception as error:  # each raises what it likes, and that is the answer
        if program == READER:  # our own says no in one way alone; all else is a bug
            raise
        why, hint = _explained(error)
    took_ns = perf_counter_ns() - began
    outcome = Outcome.REFUSES if why else Outcome.OPENS
    return CompatibilityResult(program, outcome, why, took_ns, _VERSIONS.get(program, ""), hint)


def _explained(error: Exception) -> tuple[str, str]:
    """Return what a program says in one sentence, and what helps."""
    if isinstance(error, shape_inference.InferenceError):
        error = RuntimeError(_KIND.sub("", str(error)[:_READ]))
    failure = refusals.runtime_failure(error, "", "load")
    return failure.why.rstrip(" :") or type(error).__name__, failure.hint


def _infer(model: Path) -> None:
    proto = onnx.load(model, load_external_data=False)
    shape_inference.infer_shapes(proto, check_type=True, strict_mode=True)


_OPENERS: MappingProxyType[str, Callable[[Path], object]] = MappingProxyType(
    {
        READER: opening.open_model,
        LOADER: onnx.load,
        CHECKER: lambda model: checker.check_model(str(model)),
        INFERENCE: _infer,
    }
)
