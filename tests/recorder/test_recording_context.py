import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.formats.traces.detection import open_trace
from tests.recorder.recorded import DIGITS

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
    done.wait(60)
    try:
        session.run(None, {{"picture": x.astype(numpy.float64)}})
    except Exception:
        print("refused")
session.run(None, {{"picture": x}})
"""


@pytest.mark.parametrize(
    "before", ["", pytest.param("import onnxruntime", marks=pytest.mark.slow)]
)
def test_a_block_is_recorded_call_by_call(tmp_path, before):
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
        "asynchronous run",
        "bind_cpu_input",
        "bind_output",
        "check picture: float64 given, float32 expected",
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


BLOCKS = """
import sys
import inspector, numpy, onnxruntime
from onnxruntime.capi import onnxruntime_inference_collection as runtime
folder, model = sys.argv[1:]
x = {"picture": numpy.ones((1, 1, 8, 8), numpy.float32)}
own = dict(vars(runtime.Session)), dict(vars(runtime.InferenceSession))
make = lambda: onnxruntime.InferenceSession(model)
record = lambda name: inspector.recording(f"{folder}/{name}")
early = make()
early.run(None, x)
"""
AGAIN = """
for name in ("first", "again"):
    with record(name):
        early.run(None, x)
        if name == "first":
            late = make()
        late.run(None, x)
"""
INSIDE = """
with record("first"):
    early.run(None, x)
    with record("again"):
        early.run(None, x)
        late = make()
        late.run(None, x)
    late.run(None, x)
"""
CROSSED = """
first, again = record("first"), record("again")
first.__enter__()
early.run(None, x)
again.__enter__()
early.run(None, x)
first.__exit__(None, None, None)
early.run(None, x)
again.__exit__(None, None, None)
"""
LEFT = """
early.run(None, x)
assert own == (dict(vars(runtime.Session)), dict(vars(runtime.InferenceSession)))
assert not [name for name in vars(early) if "inspector" in name]
"""
RUN = "run(picture float32 1×1×8×8)"
CREATE = "create session", "note session (Inspector)"


@pytest.mark.parametrize(
    ("blocks", "first", "again"),
    [
        (AGAIN, [RUN, *CREATE, RUN], [RUN, RUN]),
        pytest.param(
            INSIDE, [RUN, RUN, *CREATE, RUN, RUN], [RUN, *CREATE, RUN], marks=pytest.mark.slow
        ),
        pytest.param(CROSSED, [RUN, RUN], [RUN, RUN], marks=pytest.mark.slow),
    ],
)
def test_each_of_several_blocks_tells_its_own_calls(tmp_path, blocks, first, again):
    command: list[str | Path] = [sys.executable, "-c", BLOCKS + blocks + LEFT, tmp_path, DIGITS]
    subprocess.run(command, check=True)
    for name, wanted in (("first", first), ("again", again)):
        trace = open_trace(tmp_path / f"{name}.trace.json").trace
        spans = [trace.span(index) for index in np.argsort(trace.start_ns, kind="stable")]
        assert [span.name.partition(",")[0] for span in spans] == wanted
        assert {track.model for track in trace.tracks} == {"digits_float32.onnx"}


@pytest.mark.parametrize(
    "call",
    [
        "InferenceSession()",
        pytest.param("InferenceSession.run_async(None)", marks=pytest.mark.slow),
    ],
)
def test_a_block_says_what_is_missing_as_the_runtime_does(tmp_path, call):
    code = f"import sys, inspector, onnxruntime\n{{}}    onnxruntime.{call}\n"
    errors = [
        subprocess.run(
            [sys.executable, "-c", code.format(head), tmp_path], capture_output=True
        ).stderr.splitlines()[-1]
        for head in ("if True:\n", "with inspector.recording(sys.argv[1] + '/a'):\n")
    ]
    assert b"missing" in errors[0]
    assert errors[0] == errors[1]


THREADS = """
import os, signal, sys, threading, time
import inspector
signal.pthread_sigmask(signal.SIG_BLOCK, [])
with inspector.recording(sys.argv[1] + "/a"):
    assert threading.enumerate() == [threading.main_thread()]
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    time.sleep(0.2)
    for _ in range(20):
        os.kill(os.getpid(), signal.SIGUSR1)
        assert signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1
print("went on")
"""


@pytest.mark.skipif(os.name != "posix", reason="no such signals there")
def test_a_block_has_no_thread_that_the_program_could_see_or_wait_for(tmp_path):
    command: list[str | Path] = [sys.executable, "-c", THREADS, tmp_path]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # which would hear the signals
    done = subprocess.run(command, capture_output=True, text=True, env=alone)
    assert (done.stdout, done.returncode) == ("went on\n", 0), done.stderr


def test_a_block_may_go_to_another_folder(tmp_path):
    code = "import os, inspector\nwith inspector.recording('a'):\n    os.chdir('/')\n"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "a.trace.json").is_file()


def test_a_block_does_not_begin_where_its_recording_cannot_be_saved(tmp_path):
    code = "import inspector\nwith inspector.recording('none/a'):\n    print('begun')\n"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert not done.stdout
    assert "Could not save a.trace.json" in done.stderr
