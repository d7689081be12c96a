import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inspector.analysis.advice.trace_rules import program_findings
from inspector.formats.traces.detection import open_trace
from inspector.trace.kinds import ALL_PROGRAMS
from inspector.trace.trace import KINDS, Kind, Lane
from tests.recorder.recorded import DIGITS, PROGRAMS, QUANTIZED, record, traced

pytestmark = pytest.mark.engine


def test_a_healthy_program_shows_each_call_and_each_kernel(tmp_path):
    program = PROGRAMS / "healthy.py"
    opened = traced(tmp_path / "a.json", program, DIGITS, options=("--nodes", "20"))
    trace = opened.trace
    runs = [name.startswith("run(picture float32 1×1×8×8)") for name in trace.names]
    is_run = np.array(runs)[trace.name]
    assert is_run.sum() == 50
    assert {track.name for track in trace.tracks} == {"digits_float32", "digits_float32 · CPU"}
    kernels = trace.kind == KINDS.index(Kind.KERNEL)
    begin = trace.start_ns[is_run][:20]
    end = begin + trace.duration_ns[is_run][:20]
    slack = 1_000_000
    inside = (trace.start_ns[kernels][:, None] >= begin - slack) & (
        trace.start_ns[kernels][:, None] < end + slack
    )
    assert opened.source == "Inspector recording"
    assert kernels.sum() >= 20
    # A process that waits between two readings of the clock leaves a kernel outside its call.
    known = trace.run[kernels][trace.run[kernels] >= 0]
    assert set(known.tolist()) == set(range(20)), "they know their predictions"
    assert len(known) > 0.9 * kernels.sum()
    assert inside.any(axis=1).all(), "kernels lie in the calls that ran them: one clock"
    assert {layer.operator for layer in opened.layers} >= {"Softmax"}
    assert [each.rule for each in program_findings(trace)] == ["single-inputs"]


def test_a_program_that_loads_its_model_each_time_is_told_so(tmp_path):
    target = tmp_path / "a.json"
    done = record(target, PROGRAMS / "loads_each_time.py", DIGITS)
    assert done.returncode == 0
    assert "! digits_float32.onnx is loaded before each run: 8 sessions took" in done.stderr
    assert (
        "! Input picture is not contiguous and is copied before each of 4 runs" in done.stderr
    )
    assert (
        "! Input picture is a list, which is converted to an array for each of 4 runs"
        in done.stderr
    )
    opened = open_trace(target)
    trace, flows = opened.trace, opened.trace.flows
    assert len(flows) == 8, "each of four copies and four conversions belongs to a call"
    for begin, end in zip(flows.begin.tolist(), flows.end.tolist(), strict=True):
        cause, forced = trace.span(begin), trace.span(end)
        assert forced.name.startswith("run(")
        assert cause.run == forced.run
    (note,) = opened.notes
    assert note.startswith("The peak memory"), "no mean of what recording took: 8 calls"


def test_a_killed_program_keeps_what_was_recorded(tmp_path):
    target = tmp_path / "a.json"
    done = record(target, PROGRAMS / "killed.py", DIGITS, QUANTIZED)
    assert done.returncode == 128 + 9
    assert "killed or crashed" in done.stderr
    opened = open_trace(target)
    assert opened.notes[0].startswith("The program was killed or crashed")
    trace = opened.trace
    assert [track.name for track in trace.tracks if track.lane is Lane.ACTIVITY] == [
        "digits_float32",
        "digits_int8_qdq",
    ]
    for track in range(2):
        assert (trace.track == track).sum() > 100
        assert trace.tracks[track].model == f"{trace.tracks[track].name}.onnx"
        assert trace.tracks[track].thread
    assert [one.name for one in trace.moments] == ["killed"]
    memory = next(one for one in trace.counters if one.name == "Memory")
    assert memory.times_ns[0] < trace.start_ns[trace.run >= 0].min(), "from the first model on"
    assert memory.unit == "bytes"
    assert memory.values.min() > 10 << 20
    own = {one.name for one in trace.counters if one.process != ALL_PROGRAMS}
    assert own == {"Memory", "CPU load"}
    cores = [one for one in trace.counters if one.name.startswith("CPU core")]
    assert cores, "the load of the machine, by all programs"
    assert all(one.process == ALL_PROGRAMS and one.times_ns.min() >= 0 for one in cores)


def test_a_program_that_leaves_at_once_keeps_what_was_recorded(tmp_path):
    code = (
        "import os, sys\nimport numpy as np\nimport onnxruntime\n"
        "session = onnxruntime.InferenceSession(sys.argv[1])\n"
        "for _ in range(40):\n"
        "    session.run(None, {'picture': np.zeros((1, 1, 8, 8), np.float32)})\n"
        "END"
    )
    for end in ("os._exit(3)", "os.kill(os.getpid(), 9)"):
        program = tmp_path / "short.py"
        program.write_text(code.replace("END", end), "utf-8")
        done = record(tmp_path / "a.json", program, DIGITS)
        assert done.returncode in (3, 128 + 9)
        assert "before it used" not in done.stderr
        assert ("killed or crashed" in done.stderr) == (end != "os._exit(3)")
        if end == "os._exit(3)":  # what it cost is told now and then, and at the end
            assert re.search(
                r"Recording added [0-9.]+ µs to each call on average\.", done.stderr
            )
        trace = open_trace(tmp_path / "a.json").trace
        calls = [name.startswith(("run(", "create")) for name in trace.names]
        assert np.array(calls)[trace.name].sum() == 41
        assert [track.name for track in trace.tracks] == ["digits_float32"]


def test_a_module_runs_with_its_own_output_and_exit_status(tmp_path):
    (tmp_path / "mine").mkdir()
    code = "import onnxruntime, sys\nonnxruntime.OrtValue\nprint('out')\nsys.exit(7)\n"
    (tmp_path / "mine" / "__main__.py").write_text(code, "utf-8")
    (tmp_path / "inspector.py").write_text("mine = True\n", "utf-8")
    done = record(tmp_path / "a.json", tmp_path / "mine")
    assert done.returncode == 1, "nothing was used, so there is nothing to save"
    assert "Nothing was recorded" in done.stderr
    assert done.stdout == "out\n"


def test_the_program_keeps_its_own_modules_and_sitecustomize(tmp_path):
    (tmp_path / "inspector.py").write_text("mine = True\n", "utf-8")
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.mine = True\n", "utf-8")
    code = (
        "import sys, onnxruntime, inspector\n"
        f"session = onnxruntime.InferenceSession({str(DIGITS)!r})\n"
        "print(inspector.mine, getattr(sys, 'mine', 'no'))\n"
        "sys.exit(7)\n"
    )
    (tmp_path / "app.py").write_text(code, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{Path(__file__).parents[2]}:{tmp_path}")
        done = record(tmp_path / "a.json", tmp_path / "app.py")
    assert done.stdout == "True True\n"
    assert done.returncode == 7
    assert (tmp_path / "a.json").exists()


def test_only_the_newest_spans_stay_when_told_so(tmp_path):
    program = tmp_path / "app.py"
    program.write_text(
        "import sys, numpy, onnxruntime\n"
        "for _ in range(20000):\n"
        "    onnxruntime.OrtValue.ortvalue_from_shape_and_type([1], numpy.float32)\n",
        "utf-8",
    )
    done = record(tmp_path / "a.json", program, options=("--last", "1"))
    kept = int(done.stderr.partition("Recorded ")[2].partition(" ")[0].replace(",", ""))
    assert kept < 20000
    assert f"The oldest {20000 - kept:,} events were dropped" in done.stderr


@pytest.mark.skipif(
    sys.platform == "win32", reason="Ctrl-C goes to a group there in another way"
)
def test_ctrl_c_ends_the_program_and_keeps_the_recording(tmp_path):
    program, target = tmp_path / "app.py", tmp_path / "a.json"
    program.write_text(
        "import sys, threading, onnxruntime\n"
        f"session = onnxruntime.InferenceSession({str(DIGITS)!r})\n"
        "print('ready', flush=True)\n"
        "threading.Event().wait(60)\n",
        "utf-8",
    )
    words: list[str | Path] = [sys.executable, "-m", "inspector", "record", "-o", target, "--"]
    with subprocess.Popen(
        [*words, sys.executable, program],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as running:
        assert running.stdout.readline() == b"ready\n"
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(60) == 128 + signal.SIGINT
    assert any("create session" in name for name in open_trace(target).trace.names)


@pytest.mark.skipif(os.name != "posix", reason="a program ends others by signals there")
@pytest.mark.parametrize(
    ("how", "start"),
    [
        ("pool", "fork"),
        pytest.param("executor", "spawn", marks=pytest.mark.slow),
        ("fault", "fork"),
        ("popen", "spawn"),  # it starts its worker itself
        *(
            pytest.param(how, start, marks=pytest.mark.slow)
            for how, start in [
                ("pool", "spawn"),
                ("pool", "forkserver"),
                ("executor", "fork"),
                ("executor", "forkserver"),
                ("daemon", "forkserver"),
                ("daemon", "fork"),
                ("daemon", "spawn"),
                ("fault", "spawn"),
                ("fault", "forkserver"),
            ]
        ),
    ],
)
def test_only_workers_that_fail_are_told_as_killed(tmp_path, how, start):
    done = record(tmp_path / "a.json", PROGRAMS / "workers.py", how, start, DIGITS)
    assert done.returncode == 0, done.stderr
    trace = open_trace(tmp_path / "a.json").trace
    expected = 12 if how in ("pool", "executor") else 3
    assert int((trace.run >= 0).sum()) == expected, "each prediction of each worker"
    killed = [one.name for one in trace.moments]
    if how == "fault":
        assert "1 of the 2 processes was killed or crashed" in done.stderr
        assert killed == ["process 2 killed"]
    else:
        assert "killed" not in done.stderr
        assert not killed


@pytest.mark.parametrize("which", ["output", "recording"])
def test_a_program_may_delete_the_folders_that_we_write_into(tmp_path, which):
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "app.py").write_text(
        "import os, shutil, sys, numpy, onnxruntime\n"
        "session = onnxruntime.InferenceSession(sys.argv[1])\n"
        "names = {'output': sys.argv[2], 'recording': os.environ['INSPECTOR_RECORD']}\n"
        "while os.path.exists(names[sys.argv[3]]):\n"  # the recorder writes meanwhile
        "    shutil.rmtree(names[sys.argv[3]], ignore_errors=True)\n"
        "session.run(None, {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)})\n"
        "print('went on')\n",
        "utf-8",
    )
    done = record(folder / "a.json", tmp_path / "app.py", DIGITS, folder, which)
    assert done.stdout == "went on\n"
    if which == "output":
        assert done.returncode == 0
        assert len(open_trace(folder / "a.json").trace) == 3
    else:
        assert done.returncode == 0
        assert "The program deleted or changed files of this recording" in done.stderr
        assert "killed" not in done.stderr
        assert len(open_trace(folder / "a.json").trace) >= 1  # loading the model


@pytest.mark.skipif(os.name != "posix", reason="mapped files cannot be cut off on Windows")
def test_a_program_whose_spans_are_gone_for_good_is_told_how_much_it_made(tmp_path):
    words = (PROGRAMS / "damages.py", DIGITS, "spans cut off", tmp_path)
    done = record(tmp_path / "a.json", *words)  # ends by SIGBUS: its next span has no page
    assert done.returncode == 1
    why = "the program deleted or changed the recording, after 40 calls to ONNX Runtime"
    assert f"Nothing was recorded: {why}\n" in done.stderr


DAMAGES = ("cut off", "links")
MORE_DAMAGES = (
    "folder and back",
    "moved",
    "folder",
    "facts",
    "spans",
    "overwritten",
    "pipes",
    "folders",
)


@pytest.mark.skipif(os.name != "posix", reason="open files cannot be deleted on Windows")
@pytest.mark.parametrize(
    "damage",
    [*DAMAGES, *(pytest.param(damage, marks=pytest.mark.slow) for damage in MORE_DAMAGES)],
)
def test_a_program_that_damages_its_recording_keeps_what_it_made(tmp_path, damage):
    victim = tmp_path / "victim.txt"
    victim.write_text("of the user", "utf-8")
    target = tmp_path / "a.json"
    done = record(target, PROGRAMS / "damages.py", DIGITS, damage, victim)
    assert done.returncode == 0, done.stderr
    found = re.search(r"Recorded (\d+) calls to ONNX Runtime", done.stderr)
    assert int(found[1]) >= 41, done.stderr  # those before the damage: loading, 40 predictions
    assert "The program deleted or changed files of this recording" in done.stderr
    assert "killed" not in done.stderr
    assert len(open_trace(target).trace) >= 41
    assert victim.read_text("utf-8") == "of the user"  # nothing is written through a link


@pytest.mark.skipif(sys.platform != "linux", reason="others do not tell it so soon")
@pytest.mark.parametrize("start", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
def test_a_worker_that_failed_is_told_where_its_pool_then_ends_all(tmp_path, start):
    done = record(tmp_path / "a.json", PROGRAMS / "workers.py", "broken", start, DIGITS)
    assert done.returncode == 0, done.stderr
    assert "1 of the 3 processes was killed or crashed" in done.stderr
    assert len(open_trace(tmp_path / "a.json").trace.moments) == 1


def test_what_recording_takes_and_the_release_of_sessions_are_spans_of_their_own(tmp_path):
    program = tmp_path / "short_lived.py"
    program.write_text(
        "import sys, time\nimport numpy, onnxruntime\n"
        "for _ in range(6):\n"
        "    session = onnxruntime.InferenceSession(sys.argv[1])\n"
        "    session.run(None, {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)})\n"
        "    held = session.get_inputs()[0]\n"  # which keeps what the runtime has
        "    del session\n"
        "    time.sleep(0.05)\n"
        "    begin = time.perf_counter_ns()\n"
        "    del held\n"
        "    print(time.perf_counter_ns() - begin)\n",
        "utf-8",
    )
    target = tmp_path / "a.json"
    done = record(target, program, DIGITS, options=("--nodes", "9"))
    trace = open_trace(target).trace
    released = trace.duration_ns[trace.name == trace.names.index("release session")]
    took = [int(line) for line in done.stdout.splitlines()]
    assert len(released) == len(took) == 6
    assert 0.4 * np.median(took) < np.median(released) < np.median(took)
    noted = trace.name == trace.names.index("note session (Inspector)")
    saved = trace.name == trace.names.index("save profile (Inspector)")
    assert (noted.sum(), saved.sum()) == (6, 4), "later sessions of a file have the same layers"
    assert len(np.unique(trace.run[trace.kind == KINDS.index(Kind.KERNEL)])) == 4
    assert "Only the first 4 sessions of digits_float32.onnx were profiled" in done.stderr
    assert "Recorded 12 calls" in done.stderr
