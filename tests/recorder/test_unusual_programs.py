"""Each habit is found in a real program that has it, and in none that has not."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save

from inspector.analysis.advice.trace_rules import program_findings
from inspector.formats.traces.detection import open_trace
from tests import models
from tests.recorder.recorded import PROGRAMS

pytestmark = pytest.mark.engine
HEALTHY = (
    "healthy", "bound", "one-thread-each", "profiling-ended", "as-many-threads-as-cores",
    "small-states", "cast-first", "run-beside-event-loop",
)  # fmt: skip
BAD = (
    "load-per-prediction", "session-per-call", "input-not-contiguous", "input-converted",
    "wrong-type", "byte-order", "float16-fed-float32", "casts-in-model",
    "initializers-as-inputs", "outputs-copied", "model-twice", "threads-oversubscribed",
    "profiling-left-on", "optimization-disabled", "provider-missing",
    "more-threads-than-cores", "states-through-numpy", "states-through-numpy-2",
    "input-from-float64", "run-in-event-loop",
)  # fmt: skip


def write(path: Path, size: int = 4, half: bool = False, free: bool = False) -> None:
    """A product with a weight, which `free` puts among the inputs as well."""
    kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    weight = np.ones((size, size), np.float16 if half else np.float32)
    shape = [size, size]
    told = [models.value(name, shape, kind) for name in ("x", "y", "w")]
    save(
        models.model(
            [helper.make_node("MatMul", ["x", "w"], ["y"])],
            [told[0], *([told[2]] if free else [])],
            [told[1]],
            [numpy_helper.from_array(weight, "w")],
        ),
        path,
    )


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("habits")
    write(folder / "plain.onnx")
    write(folder / "wide.onnx", 512)
    write(folder / "other.onnx", 512)
    write(folder / "half.onnx", half=True)
    write(folder / "free.onnx", free=True)
    command: list[str | Path] = [sys.executable, PROGRAMS / "habits.py", folder]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder


@pytest.mark.parametrize("case", BAD)
def test_a_program_with_a_habit_is_told_of_it_and_of_no_other(recordings, case):
    opened = open_trace(recordings / f"{case}.json")
    trace, found = opened.trace, program_findings(opened.trace, opened.layers)
    assert [one.rule for one in found] == [case.removesuffix("-2")]
    assert found[0].spans
    assert max(found[0].spans) < len(trace)


@pytest.mark.parametrize("case", HEALTHY)
def test_a_program_without_is_told_of_none(recordings, case):
    if case == "one-thread-each" and os.cpu_count() == 1:
        pytest.skip("two threads are too many for one core")
    assert program_findings(open_trace(recordings / f"{case}.json").trace) == ()
