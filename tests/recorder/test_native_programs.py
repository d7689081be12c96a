"""Programs that are not Python, recorded by the library in C."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pytest

import inspector
from inspector.analysis.advice.trace_rules import program_findings
from inspector.errors import BadInput
from inspector.formats.traces.detection import open_trace
from inspector.recorder import launch, live_progress, native_inputs, native_programs
from inspector.recorder.assemble import body, collect
from inspector.recorder.live_summary import Follower, LiveSummary, live_text
from inspector.recorder.profiled_runs import ProfiledRuns, profiled_runs
from tests import command_line
from tests.recorder.recorded import DIGITS, PROGRAMS, expect_runs_within

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
    assert trace.duration_ns[is_run].sum() <= told["total_ns"], "its clock contains ours"
    assert {layer.operator for layer in opened.layers} >= {"Softmax"}
    kernels = trace.run[(trace.layer >= 0) & (trace.run >= 0)]
    assert set(kernels.tolist()) == set(range(10))
    saved = np.load(next((tmp_path / "a.inputs").glob("*-0.npz")))["picture"]
    np.testing.assert_array_equal(saved.ravel(), np.arange(64) % 17)
    assert saved.shape == (1, 1, 8, 8)


def test_a_program_is_recorded_from_python_and_by_a_line_of_a_notebook(tmp_path, program):
    command = (program, LIBRARY, DIGITS, "40", "plain")
    done = inspector.record_program(command, tmp_path / "a", nodes="10", inputs=1)
    assert runs_of(done.trace).sum() == 40
    assert {layer.operator for layer in done.recording.layers} >= {"Softmax"}
    assert done.path == tmp_path / "a.trace.json"
    assert [*(tmp_path / "a.inputs").glob("*.npz")]
    magics = {}
    shell = SimpleNamespace(
        register_magic_function=lambda f, kind, name: magics.update({name: f})
    )
    inspector.load_ipython_extension(shell)
    assert runs_of(magics["inspect"](" ".join(map(str, command))).trace).sum() == 40
    for wrong in ({"command": ()}, {"command": command, "inputs": 1}, {"nodes": "x"}):
        with pytest.raises(BadInput):
            inspector.record_program(**{"command": command} | wrong)


@pytest.mark.parametrize(
    ("what", "options", "runs"),
    [
        ("plain", ("--nodes", "11-20"), range(10, 20)),
        ("fork", ("--nodes", f"{DIGITS.name}:100"), range(40)),
        ("leave", ("--nodes", "#1:100", "--audit"), range(40)),
        ("plain", ("--nodes", "other.onnx:5"), ()),
    ],
)
def test_layers_of_chosen_runs_lie_in_them(tmp_path, program, what, options, runs):
    record(tmp_path / "a.json", program, what, *options)
    trace = open_trace(tmp_path / "a.json").trace
    is_kernel, is_run = trace.layer >= 0, runs_of(trace)
    assert set(trace.run[is_kernel].tolist()) == set(runs)
    begins = dict(zip(trace.run[is_run].tolist(), trace.start_ns[is_run], strict=True))
    ends = dict(
        zip(
            trace.run[is_run].tolist(),
            trace.start_ns[is_run] + trace.duration_ns[is_run],
            strict=True,
        )
    )
    for run, start in zip(
        trace.run[is_kernel].tolist(), trace.start_ns[is_kernel], strict=True
    ):
        assert begins[run] - 1000 <= start <= ends[run], "a profile has whole microseconds"


@pytest.mark.parametrize(("what", "runs"), [("kill", 21), ("fork", 80)])
def test_no_run_is_lost(tmp_path, program, what, runs):
    record(tmp_path / "a.json", program, what)
    assert runs_of(open_trace(tmp_path / "a.json").trace).sum() == runs


@pytest.mark.parametrize("options", [(), ("--audit",)])
def test_both_ways_in_see_all_time_in_runs(tmp_path, program, options):
    done = record(tmp_path / "a.json", program, "plain", *options)
    trace, told = open_trace(tmp_path / "a.json").trace, json.loads(done.stdout)
    assert len(told["times"]) == 40
    assert expect_runs_within(trace, told["times"]) > 0.7


def test_inputs_and_layers_are_saved_on_request_while_a_program_runs(tmp_path, program):
    variables = (
        launch.environment(tmp_path, 10_000, ProfiledRuns()) | native_programs.variables()
    )
    running = subprocess.Popen([program, LIBRARY, DIGITS, "1000000", "plain"], env=variables)
    try:
        follower, seen, asked = Follower(tmp_path), LiveSummary(), 0
        end = time.monotonic() + 30
        while time.monotonic() < end and not (
            list(tmp_path.glob("*.npz")) and len(list(tmp_path.glob("layers-*"))) >= 5
        ):
            seen = follower.look()
            if seen.runs > 100 and not asked:
                asked = 1
                live_progress.request_capture(tmp_path, asked)
                live_progress.request_layers(tmp_path, asked, "5")
            time.sleep(0.05)
            native_inputs.pack(tmp_path)
        time.sleep(0.05)  # until the last of these runs has been told of
    finally:
        running.kill()
        running.wait()
    saved = [np.load(path)["picture"] for path in tmp_path.glob("*.npz")]
    assert [each.shape for each in saved] == [(1, 1, 8, 8)]
    assert seen.sessions == 1
    assert seen.models == (DIGITS.name,)
    assert 0 < seen.latency_ns[0] <= seen.latency_ns[2] < 1e9 / seen.per_second * 20
    assert seen.memory_bytes > 1 << 20
    assert seen.profiles_runs
    trace = collect(tmp_path).trace
    profiled = np.unique(trace.run[trace.layer >= 0])
    assert len(profiled) == 5
    assert (np.diff(profiled) == 1).all()
    assert profiled[0] > 100


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


NUMBER, TEXT = re.compile(rb"-?\d+"), re.compile(rb'"[^"]*"')
HOSTILE = (
    b"-1", b"9223372036854775808", b"1e999", b"NaN", b"null", b"[]", b"{}", b"true", b"[1,2,3]",
    b'"../../x"', b'"\\u0000"', b'"\\ud800"', b'"[a-"', b"2305843009213693951",
)  # fmt: skip


def damaged(data, random):
    """Return the content of a file as a hostile program may have left it."""
    for _ in range(random.choice((1, 1, 2, 5, 30))):
        at = random.randrange(len(data)) if data else 0
        found = [each.span() for each in (NUMBER, TEXT)[at % 2].finditer(data)]
        begin, end = random.choice(found or [(at, at + 8)])
        new = random.choice(HOSTILE) if found else random.randbytes(8)
        part = data[at : at + random.randrange(300)]
        data = random.choice(
            (
                data[:begin] + new + data[end:],
                data[:at] + random.choice((b"\xff" * 8, b"\0" * 7 + b"\x80")) + data[at + 8 :],
                data[:at] + part + data[at:],
                data[:at] + data[at + len(part) :],
                data[:at] if random.random() < 0.2 else data,
            )
        )
    return data


@pytest.fixture(scope="module")
def hostile_folder(tmp_path_factory, program):
    """Return what native programs write, with profiles of sessions and of runs."""
    folder = tmp_path_factory.mktemp("parts")
    for runs, what in (("11-14", "plain"), ("3", "habits")):
        variables = launch.environment(folder, 10_000, profiled_runs(runs), 2)
        command = (program, LIBRARY, DIGITS, "20" if what == "plain" else "2", what)
        variables |= native_programs.variables()
        subprocess.run(command, env=variables, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(12, 400), marks=pytest.mark.slow)]
)
def test_files_of_native_programs_are_not_believed(tmp_path, hostile_folder, seeds):
    whole = {path.name: path.read_bytes() for path in hostile_folder.iterdir()}
    kinds = sorted({Path(name).suffix for name in whole})
    assert kinds == [".facts", ".json", ".spans", ".values"]
    for seed in seeds:
        random, folder = Random(seed), tmp_path / "one"
        folder.mkdir()
        kind = random.choice(kinds)
        some = random.choice([name for name in whole if name.endswith(kind)])
        for name, data in whole.items():
            (folder / name).write_bytes(damaged(data, random) if name == some else data)
        follower = Follower(folder)
        live_text(follower.look())
        native_inputs.pack(folder)
        recording = collect(folder)
        program_findings(recording.trace, recording.layers)
        assert body(recording, Path("a.npz"))
        assert list(tmp_path.iterdir()) == [folder], "nothing is written outside"
        shutil.rmtree(folder)


def test_what_the_runtime_refuses_is_refused_while_it_is_recorded(tmp_path, program):
    command = (program, LIBRARY, DIGITS, "1", "refusals")
    plain = subprocess.run(command, check=True, capture_output=True).stdout
    assert record(tmp_path / "a.json", program, "refusals").stdout.encode() == plain
    assert json.loads(plain) == {"refusals": 4}
    names = open_trace(tmp_path / "a.json").trace.names
    assert {name for name in names if name.startswith("create session failed: ")}


def test_nothing_is_written_outside_the_folder_of_the_recording(tmp_path, program):
    places = [tmp_path / name for name in ("recording", "home", "work", "temporary")]
    for place in places:
        place.mkdir()
    variables = launch.environment(places[0], 10_000, profiled_runs("3"), 1)
    variables |= native_programs.variables()
    variables |= {"HOME": str(places[1]), "TMPDIR": str(places[3])}
    command = (program, LIBRARY, DIGITS, "4", "habits")
    subprocess.run(command, env=variables, cwd=places[2], check=True, capture_output=True)
    assert [bool(list(place.iterdir())) for place in places] == [True, False, False, False]
