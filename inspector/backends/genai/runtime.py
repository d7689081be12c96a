"""The onnxruntime_genai package: its device, and its errors in words."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from typing import Any

from inspector.backends.machine import processor_name
from inspector.errors import BadInput, EngineFailed
from inspector.report.report_values import Device
from inspector.units import clip
from inspector.wording.values import Sentence

# The engine process has switched the telemetry of ONNX Runtime off, which this one shares.
genai: Any = import_module("onnxruntime_genai")

PACKAGE = "onnxruntime-genai"
VERSION = metadata.version(PACKAGE)
SOURCE = f"{PACKAGE} {VERSION}"
RUNTIME = f"ONNX Runtime GenAI {VERSION}"
CPU = "genai:cpu"
REFUSALS: tuple[type[Exception], ...] = (RuntimeError, ValueError, TypeError, MemoryError)
_MAX_CHARS = 300  # of a message of the runtime
_ORIGIN = re.compile(r"\S*/\S+\.(?:cpp|cc|h):\d+\s*")  # places in its source code


def device() -> Device:
    """Describe the one device: the processor."""
    name = f"{processor_name()} (ONNX Runtime GenAI)"
    return Device(CPU, name, "cpu", "ONNX Runtime GenAI", source=SOURCE)


def check_device(devices: tuple[str, ...]) -> None:
    """Check the devices of a spec. Raises BadInput: another one than the processor."""
    wrong = [each for each in devices if each != CPU]
    if wrong:
        what = Sentence("The device '{device}' is not available", device=clip(wrong[0], 40))
        why = "Inspector runs ONNX Runtime GenAI on the processor only"
        raise BadInput(what, why, f"Use {CPU}.", "devices")


@contextmanager
def refusals_as_errors(what: str, phase: str) -> Iterator[None]:
    """Raise EngineFailed for what the runtime refuses in the block."""
    try:
        yield
    except REFUSALS as error:
        said = _ORIGIN.sub("", " ".join(str(error).split())) or type(error).__name__
        why = Sentence("ONNX Runtime GenAI reports: {message}", message=clip(said, _MAX_CHARS))
        raise EngineFailed(what, why, "", phase) from error
