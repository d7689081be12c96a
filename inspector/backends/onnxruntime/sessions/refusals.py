"""The exceptions by which ONNX Runtime refuses, and the failure that each becomes."""

from typing import TYPE_CHECKING

from onnxruntime.capi import onnxruntime_pybind11_state as native

from inspector.errors import EngineFailed
from inspector.platform.late_modules import LateModule

if TYPE_CHECKING:
    from inspector.backends.onnxruntime.sessions import explanations
else:
    # Hundreds of patterns, for the rare case of a refusal.
    explanations = LateModule("inspector.backends.onnxruntime.sessions.explanations")

__all__ = ["REFUSALS", "explanations", "runtime_failure"]
# Its own kinds, and what pybind11 makes of C++'s: runtime_error and all that is unknown,
# invalid_argument and length_error, out_of_range, overflow_error, bad_alloc. Its Python half
# raises ValueError and RuntimeError, and OSError for a file.
REFUSALS: tuple[type[Exception], ...] = (
    *(
        kind
        for kind in vars(native).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ),
    RuntimeError,
    ValueError,
    IndexError,
    OverflowError,
    MemoryError,
    OSError,
)


def runtime_failure(error: Exception, what: str, phase: str) -> EngineFailed:
    """Return why the runtime, or Python around it, refused: `what` did not happen in
    `phase`."""
    text = f"not enough memory {error}" if isinstance(error, MemoryError) else str(error)
    explanation = explanations.explain(text, phase, type(error).__name__)
    blamed = explanations.failed_node(text)
    layer = "" if blamed is None else blamed.name
    return EngineFailed(what, explanation.why, explanation.hint, phase, layer)
