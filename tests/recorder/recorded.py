"""Runs the small programs of this folder under `inspector record`."""

import subprocess
import sys
from pathlib import Path

from inspector.formats.traces.detection import open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from tests import command_line

PROGRAMS = Path(__file__).parent / "programs"
MODELS = Path(__file__).parent.parent.parent / "sample_models"
DIGITS, QUANTIZED = MODELS / "digits_float32.onnx", MODELS / "digits_int8_qdq.onnx"


def record(
    target: Path, *command: str | Path, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Record a command of the interpreter that runs the tests."""
    program = (sys.executable, *command)
    return command_line.run("record", "-o", target, *options, "--", *program)


def traced(target: Path, *command: str | Path, options: tuple[str, ...] = ()) -> OpenedTrace:
    """Record, and open what was saved."""
    record(target, *command, options=options)
    return open_trace(target)
