import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from inspector.formats.traces.detection import open_trace
from inspector.recorder import launch, live_progress, recorded_processes
from inspector.recorder.assemble import collect
from inspector.recorder.live_summary import Follower
from inspector.recorder.profiled_runs import ProfiledRuns
from tests.recorder.recorded import DIGITS, PROGRAMS, record

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(os.name != "posix", reason="no signals and no fork there"),
]
PREDICT = (
    "import os, sys, time, numpy, onnxruntime\n"
    "session = onnxruntime.InferenceSession(sys.argv[1])\n"
    "session.run(None, {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)})\n"
)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_who_ends_a_program_ends_its_workers_as_well(tmp_path, start):
    def wait() -> None:
        last = time.monotonic() + 60
        while time.monotonic() < last and Follower(tmp_path).look().calls < 6:
            time.sleep(0.05)
        live_progress.request_progress(tmp_path, live_progress.END)

    thread = threading.Thread(target=wait)
    thread.start()
    asking = thread
    command = [sys.executable, str(PROGRAMS / "workers.py"), "stay", start, str(DIGITS)]
    assert launch.run(command, tmp_path, 1000, ProfiledRuns()) == -9
    asking.join()
    told = [part.process for part in recorded_processes.read(tmp_path)]
    assert len(told) >= 2
    assert not [process for process in told if recorded_processes.is_running(process, tmp_path)]
    assert not recorded_processes.running(tmp_path)


def test_a_process_that_outlives_the_program_is_told_as_such(tmp_path):
    program = tmp_path / "app.py"
    (watched := tmp_path / "watched").touch()
    again = (
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    os.closerange(0, 64)\n"
        "    while os.path.exists(sys.argv[2]):\n"
        "        time.sleep(0.1)\n"
    )
    program.write_text(PREDICT + again, "utf-8")
    done = record(tmp_path / "a.json", program, DIGITS, watched)
    watched.unlink()
    assert "1 of the 2 processes is still running; events after" in done.stderr
    assert "killed" not in done.stderr


@pytest.mark.slow  # that of another group is tried below
def test_a_program_is_not_told_as_killed_where_another_process_was(tmp_path):
    (tmp_path / "app.py").write_text(PREDICT + "os.kill(os.getpid(), 11)\n", "utf-8")
    shell = tmp_path / "run.sh"
    shell.write_text(f'#!/bin/sh\n"{sys.executable}" app.py "{DIGITS}" || true\n', "utf-8")
    shell.chmod(0o755)
    ours = [sys.executable, "-m", "inspector", "record", "-o", "a.json", "--", str(shell)]
    done = subprocess.run(ours, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert "A process of the program was killed or crashed" in done.stderr
    assert done.returncode == 0


def test_how_a_program_ended_is_said_in_words(tmp_path):
    program = tmp_path / "app.py"
    program.write_text(PREDICT + "os.kill(os.getpid(), 11)\n", "utf-8")
    done = record(tmp_path / "a.json", program, DIGITS)
    assert "; the program was killed by SIGSEGV (Segmentation fault)" in done.stderr
    done = record(tmp_path / "a.json", tmp_path / "none.py")
    assert "none.py: there is no such script" in done.stderr


def test_what_damaged_files_say_of_processes_ends_nobody(tmp_path):
    own = f'{{"begin": [1, 2, 3], "pid": {os.getpid()}}}\n'
    (tmp_path / "part-1-0.facts").write_text(own)
    (tmp_path / "part-2-0.facts").write_text('{"begin": [1, 2, 3], "pid": -1}\n')
    if Path("/proc/self/environ").exists():
        assert not recorded_processes.running(tmp_path)
        recorded_processes.end_process_tree([os.getpid(), -1, 0], tmp_path)
    assert collect(tmp_path).processes == 2


@pytest.mark.slow
def test_a_program_that_goes_on_as_another_one_is_not_told_as_killed(tmp_path):
    again = (
        "if len(sys.argv) < 3:\n"
        "    try:\n"
        "        os.execvp('nowhere', ['nowhere'])\n"
        "    except OSError:\n"
        "        os.execv(sys.executable, [sys.executable, *sys.argv, 'again'])\n"
    )
    (tmp_path / "app.py").write_text(PREDICT + again, "utf-8")
    done = record(tmp_path / "a.json", tmp_path / "app.py", DIGITS)
    assert "Recorded 4 calls" in done.stderr
    assert "killed" not in done.stderr
    assert "at once" not in done.stderr


def test_what_a_program_does_while_it_tidies_up_is_recorded(tmp_path):
    feed = "{'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)}"
    early = f"import atexit\natexit.register(lambda: session.run(None, {feed}))\n"
    (tmp_path / "app.py").write_text(early + PREDICT, "utf-8")
    done = record(tmp_path / "a.json", tmp_path / "app.py", DIGITS)
    assert "Recorded 3 calls" in done.stderr


def test_whom_a_program_ends_with_its_group_is_not_told_as_killed(tmp_path):
    (tmp_path / "child.py").write_text(PREDICT + "print(flush=True)\ntime.sleep(60)\n", "utf-8")
    (tmp_path / "app.py").write_text(
        f"{PREDICT}import subprocess\n"
        f"line = f'{{sys.executable}} {tmp_path / 'child.py'} {{sys.argv[1]}}; true'\n"
        "with subprocess.Popen(\n"
        "    line, shell=True, start_new_session=True, stdout=subprocess.PIPE\n"
        ") as child:\n"
        "    child.stdout.readline()\n"
        "    os.killpg(child.pid, 15)\n",
        "utf-8",
    )
    done = record(tmp_path / "a.json", tmp_path / "app.py", DIGITS)
    assert "Recorded 4 calls" in done.stderr
    assert "killed" not in done.stderr


def test_answers_and_released_sessions_are_not_counted_as_calls(tmp_path):
    late = (
        "import threading, weakref\n"
        "done = threading.Event()\n"
        "feed = {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)}\n"
        "session.run_async(None, feed, lambda *answer: done.set(), None)\n"
        "done.wait(60)\n"
        "released = threading.Event()\n"
        "weakref.finalize(session, released.set)\n"
        "del session\n"  # the runtime's thread may hold it a little longer
        "released.wait(60)\n"
    )
    (tmp_path / "app.py").write_text(PREDICT + late, "utf-8")
    done = record(tmp_path / "a.json", tmp_path / "app.py", DIGITS)
    assert "Recorded 3 calls" in done.stderr
    names = open_trace(tmp_path / "a.json").trace.names
    assert {"asynchronous run", "release session"} <= set(names)
