"""What the system says of another process: the same as psutil, which is not loaded for it."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from inspector.platform import process_states

WAITS = "import sys\nsum(range(3_000_000))\nprint(flush=True)\nsys.stdin.read()"


@pytest.fixture(params=[True, False], ids=["files", "psutil"])
def both(request, monkeypatch):
    if request.param and not os.path.exists("/proc/self/stat"):
        pytest.skip("the files are of Linux")
    monkeypatch.setattr(process_states, "_HAS_FILES", request.param)


@pytest.mark.usefixtures("both")
def test_of_a_process_that_waits_is_paused_and_ends():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", WAITS], **pipes) as child:
        child.stdout.readline()
        known = psutil.Process(child.pid)
        times = known.cpu_times()
        seconds, _ = process_states.work_of(child.pid)
        assert seconds == pytest.approx(times.user + times.system, abs=0.05)
        taken = known.memory_info().rss
        assert taken / 4 < process_states.memory_of(child.pid) <= taken * 1.01
        if os.name != "nt":
            child.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, child.pid, os.WSTOPPED)
            assert process_states.work_of(child.pid)[1] == process_states.STOPPED
            child.send_signal(signal.SIGCONT)
        child.stdin.close()
        child.wait()
    assert process_states.work_of(child.pid) is None
    assert process_states.memory_of(child.pid) == 0


@pytest.mark.usefixtures("both")
def test_free_memory_is_a_part_of_all():
    free = process_states.free_bytes()
    assert free == pytest.approx(psutil.virtual_memory().available, rel=0.3)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere psutil is asked")
def test_watching_an_engine_loads_no_psutil():
    code = (
        "import os, sys\n"
        "from inspector.engine.client import supervision\n"
        "from inspector.platform.work_limits import Allowance\n"
        "allowance = Allowance(1.0)\n"
        "allowance.update(os.getpid()), allowance.update(os.getpid())\n"
        "supervision.WATCH.budget()\n"
        "print('psutil' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stdout.split() == [b"False"]
