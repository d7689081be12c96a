import subprocess
import sys
from pathlib import Path

import pytest

from inspector.readers.traces import open_trace
from tests.instrument.recorded import DIGITS

pytestmark = pytest.mark.engine

# onnxruntime stays out of the process that runs the tests.
CODE = """
import sys, threading
import inspector, numpy
{before}
x = numpy.ones((1, 1, 8, 8), numpy.float32)
with inspector.recording(sys.argv[1]):
    import onnxruntime
    session = onnxruntime.InferenceSession(sys.argv[2])
    session.run(None, {{"picture": x}})
    session.run(output_names=None, input_feed={{"picture": x[:, :, ::-1]}})
    binding = session.io_binding()
    binding.bind_cpu_input("picture", x)
    binding.bind_output("probabilities")
    session.run_with_iobinding(binding)
    binding.copy_outputs_to_cpu()
    done = threading.Event()
    session.run_async(None, {{"picture": x}}, lambda *answer: done.set(), None)
    done.wait(10)
    try:
        session.run(None, {{"picture": x.astype(numpy.float64)}})
    except Exception:
        print("refused")
session.run(None, {{"picture": x}})
"""


@pytest.mark.parametrize("before", ["", "import onnxruntime"])
def test_a_block_is_recorded_call_by_call(tmp_path: Path, before: str) -> None:
    command: list[str | Path] = [
        sys.executable,
        "-c",
        CODE.format(before=before),
        tmp_path / "a",
        DIGITS,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"
    trace = open_trace(tmp_path / "a.trace.json").trace
    spans = [trace.span(index) for index in range(len(trace))]
    told = sorted(span.name for span in spans if "session" not in span.name)
    assert told == [
        "asynchronous prediction",
        "bind_cpu_input",
        "bind_output",
        "check picture: float64 given, float32 wanted",
        "copy outputs",
        "copy picture: not contiguous",
        "copy_outputs_to_cpu",
        "run failed: InvalidArgument",
        "run(picture float32 1×1×8×8)",
        "run(picture float32 1×1×8×8)",
        "run_async(picture float32 1×1×8×8)",
        "run_with_iobinding",
    ]
    copied = next(span for span in spans if span.name == "copy picture: not contiguous")
    assert copied.size_bytes == 256
