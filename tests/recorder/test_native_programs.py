"""Programs that are not Python, recorded by the library in C."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from inspector.analysis.advice.trace_rules import program_findings
from inspector.errors import BadInput
from inspector.formats.traces.detection import open_trace
from inspector.recorder import native_inputs, native_programs
from tests import command_line
from tests.recorder.recorded import DIGITS, PROGRAMS

SOURCES = Path(native_programs.__file__).parent / "native"
LIBRARY = next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.1.*"), None)
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(
        sys.platform != "linux" or LIBRARY is None or shutil.which("cc") is None,
        reason="programs in C are built and recorded on Linux",
    ),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = tmp_path_factory.mktemp("native") / "native"
    source = PROGRAMS / "native.c"
    subprocess.run(["cc", "-O2", f"-I{SOURCES}", "-o", made, source, "-ldl"], check=True)
    return made


def record(target, program, what, *options, runs=40):
    command = (program, LIBRARY, DIGITS, str(runs), what)
    return command_line.run("record", "-o", target, *options, "--", *command)


def runs_of(trace):
    return np.array([name.startswith("run(") for name in trace.names])[trace.name]


def test_each_run_of_a_c_program_has_its_time_inputs_and_layers(tmp_path, program):
    target = tmp_path / "a.json"
    done = record(target, program, "plain", "--nodes", "10", "--inputs", "2")
    told = json.loads(done.stdout)
    opened = open_trace(target)
    trace, is_run = opened.trace, runs_of(opened.trace)
    assert is_run.sum() == told["runs"] == 40
    assert {trace.names[n] for n in trace.name[is_run]} == {"run(picture float32 1×1×8×8)"}
    within = trace.duration_ns[is_run].sum()
    # The program's own clock contains the recorder.
    assert 0.5 * told["total_ns"] < within <= told["total_ns"]
    assert {layer.operator for layer in opened.layers} >= {"Softmax"}
    kernels = trace.run[(trace.layer >= 0) & (trace.run >= 0)]
    assert set(kernels.tolist()) == set(range(10))
    saved = np.load(next((tmp_path / "a.inputs").glob("*-0.npz")))["picture"]
    np.testing.assert_array_equal(saved.ravel(), np.arange(64) % 17)
    assert saved.shape == (1, 1, 8, 8)


def test_bad_habits_of_a_c_program_are_found(tmp_path, program):
    record(tmp_path / "a.json", program, "habits", runs=4)
    trace = open_trace(tmp_path / "a.json").trace
    assert {each.rule for each in program_findings(trace)} >= {
        "load-per-prediction", "model-twice", "provider-missing", "more-threads-than-cores",
        "optimization-disabled", "binding-per-run", "allocator-per-run",
    }  # fmt: skip


@pytest.mark.parametrize(("what", "runs"), [("kill", 21), ("fork", 80)])
def test_no_run_is_lost(tmp_path, program, what, runs):
    record(tmp_path / "a.json", program, what)
    assert runs_of(open_trace(tmp_path / "a.json").trace).sum() == runs


def test_the_audit_interface_sees_the_same(tmp_path, program):
    record(tmp_path / "a.json", program, "plain", "--audit")
    assert runs_of(open_trace(tmp_path / "a.json").trace).sum() == 40


def test_why_nothing_was_recorded_is_said(tmp_path):
    source, static = tmp_path / "empty.c", tmp_path / "static"
    source.write_text('const char *said = "onnxruntime"; int main(void) { return 0; }')
    made = subprocess.run(["cc", "-static", "-o", static, source], capture_output=True)
    linked = tmp_path / "linked"
    subprocess.run(["cc", "-o", linked, source], check=True)
    assert "linked in" in str(native_programs.unseen([str(linked)]))
    if not made.returncode:
        assert "statically" in str(native_programs.unseen([str(static)]))
    done = command_line.run("record", "-o", tmp_path / "a.json", "--", linked)
    assert done.returncode == 1
    assert "seems to have ONNX Runtime linked in" in done.stderr


def test_a_full_or_missing_folder_does_not_disturb_the_program(tmp_path, program):
    variables = os.environ | native_programs.variables()
    command = [program, LIBRARY, DIGITS, "5", "plain"]
    for folder in (tmp_path / "nowhere", Path("/dev/full")):
        surroundings = variables | {"INSPECTOR_RECORD": str(folder)}
        done = subprocess.run(command, env=surroundings, capture_output=True, text=True)
        assert json.loads(done.stdout)["runs"] == 5
        assert not done.stderr
        assert not folder.is_dir()


def test_without_a_compiler_there_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(native_programs.shutil, "which", lambda name: None)
    with pytest.raises(native_programs.NoRecorder) as told:
        native_programs.library()
    assert told.value.hint
    assert not isinstance(told.value, BadInput)


@pytest.mark.parametrize("seed", range(20))
def test_files_of_inputs_are_not_believed(tmp_path, seed):
    random = np.random.default_rng(seed)
    line = {"name": "x", "descr": "<f4", "bytes": 16, "shape": [2, 2]}
    whole = json.dumps(line).encode() + b"\n" + np.ones(4, np.float32).tobytes()
    damaged = bytearray(whole[: random.integers(1, len(whole) + 1)])
    for at in random.integers(0, len(damaged), seed):
        damaged[at] = random.integers(256)
    path = tmp_path / "inputs-1-0-0.values"
    path.write_bytes(damaged)
    native_inputs.pack(tmp_path)
    saved = path.with_suffix(".npz")
    assert saved.exists() or bytes(damaged) != whole
