"""Runs the small programs of this folder under `inspector record`."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from inspector.formats.traces.detection import open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import Trace
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


def expect_runs_within(trace: Trace, times: list[list[int]]) -> float:
    """Check that runs lie in what a program measured by a clock of its own, begin and end of
    each. Return how much of that they are, in the median."""
    is_run = np.array([name.startswith("run") for name in trace.names])[trace.name]
    order = np.argsort(trace.start_ns[is_run], kind="stable")
    starts, durations = trace.start_ns[is_run][order], trace.duration_ns[is_run][order]
    begins, ends = np.array(sorted(times)).T
    assert len(starts) == len(begins)
    # There is a difference of both clocks by which all of them do.
    assert (begins - starts).max() <= (ends - starts - durations).min()
    return float(np.median(durations / (ends - begins)))
