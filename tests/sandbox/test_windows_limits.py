"""The limits of a child on Windows. What they refuse is tried by test_levels.py."""

import ctypes
import os
import subprocess
import sys

import pytest

from inspector.sandbox import confinement, windows_limits

ON_WINDOWS = sys.platform == "win32"


def test_the_structure_is_that_of_windows_with_64_bits():
    limits = windows_limits.job_limits(1 << 30)
    assert ctypes.sizeof(limits) == 144
    assert ctypes.sizeof(limits.basic) == 64
    assert (limits.basic.active_processes, limits.process_memory) == (1, 1 << 30)
    assert limits.basic.flags == 0x2000 | 0x400 | 0x100 | 0x8


@pytest.mark.parametrize(
    ("in_force", "lowered", "level"),
    [
        (True, True, confinement.NO_CHANGES),
        (True, False, confinement.MEMORY_AND_LIFETIME),
        (False, True, confinement.NO_CONFINEMENT),
        (False, False, confinement.NO_CONFINEMENT),
    ],
)
def test_the_level_is_what_was_read_back(in_force, lowered, level, monkeypatch):
    monkeypatch.setattr(confinement, "SYSTEM", "win32")
    monkeypatch.setattr(windows_limits, "job_in_force", lambda: in_force)
    monkeypatch.setattr(windows_limits, "lower_integrity", lambda folder: lowered)
    limited = confinement.take_no_more_than(1 << 30)
    assert limited == (
        confinement.MEMORY_AND_LIFETIME if in_force else confinement.NO_CONFINEMENT
    )
    assert confinement.confine_this_process([], "folder") == level


def test_a_virtual_environment_s_launcher_is_left_out_on_windows(monkeypatch):
    monkeypatch.setattr(windows_limits, "WINDOWS", True)
    monkeypatch.setattr(sys, "_base_executable", "C:\\Python\\python.exe", raising=False)
    command, environment = windows_limits.direct_python([sys.executable, "-P"], {"A": "b"})
    assert command == ["C:\\Python\\python.exe", "-P"]
    assert environment == {"A": "b", "__PYVENV_LAUNCHER__": sys.executable}
    other = windows_limits.direct_python(["other.exe"], {"A": "b"})
    assert other == (["other.exe"], {"A": "b"})


@pytest.mark.skipif(ON_WINDOWS, reason="there it does something")
def test_other_systems_have_no_job_objects():
    assert windows_limits.limit_child(None, 1 << 30) is None
    assert windows_limits.direct_python([sys.executable], {}) == ([sys.executable], {})


def test_a_child_without_a_job_object_has_no_limits_and_runs(monkeypatch):
    monkeypatch.setattr(windows_limits, "WINDOWS", True)
    monkeypatch.setattr(windows_limits, "JobObject", lambda *given: given)
    assert windows_limits.limit_child("child", 1 << 30) == ("child", 1 << 30)

    def refuse(*_):
        raise OSError(5, "Access is denied")

    monkeypatch.setattr(windows_limits, "JobObject", refuse)
    assert windows_limits.limit_child("child", 1 << 30) is None


@pytest.mark.skipif(not ON_WINDOWS, reason="Windows alone has job objects")
def test_a_child_ends_with_its_job_object():
    command, environment = windows_limits.direct_python(
        [sys.executable, "-c", "import time; time.sleep(600)"], dict(os.environ)
    )
    with subprocess.Popen(command, env=environment) as process:
        job = windows_limits.limit_child(process, 1 << 30)
        assert process.poll() is None
        job.close()
        process.wait(60)


@pytest.mark.skipif(not ON_WINDOWS, reason="Windows alone has job objects")
def test_a_child_ends_with_its_parent():
    """The parent is killed, so that nothing but the system can close its handles."""
    code = (
        "import os, subprocess, sys, time\n"
        "from inspector.sandbox import windows_limits\n"
        "command = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "command, environment = windows_limits.direct_python(command, dict(os.environ))\n"
        "child = subprocess.Popen(command, env=environment)\n"
        "job = windows_limits.limit_child(child, 1 << 30)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    import psutil

    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()
        parent.kill()
    child.wait(60)


@pytest.mark.skipif(not ON_WINDOWS, reason="Windows alone has integrity levels")
def test_without_a_job_nothing_is_claimed():
    code = (
        "from inspector.sandbox import windows_limits\nprint(windows_limits.job_in_force())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False"]
