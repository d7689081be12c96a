"""What a recorded program starts out of sight is told, and nothing else is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.formats.traces.detection import open_trace
from inspector.recorder import live_progress, unrecorded_python
from tests.recorder.recorded import DIGITS, record

ROOT = Path(__file__).parent.parent.parent
BARE = "without the environment variables of the recording"
START = "import os, subprocess, sys\nexe = sys.executable\nrun = subprocess.run\n"


def sentence(ways: str) -> str:
    return f"Python was started {ways}, so its calls are not recorded."


@pytest.mark.engine
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("run([exe, '-I', '-c', 'pass'])", "with -I"),
        ("run([exe, '-BWignore', '-X', 'dev', '-E', '-c', 'pass'])", "with -E"),
        ("run([exe, '-c', 'pass', '-I'])", ""),
        ("run([exe, '-B', '-m', 'site', '-I'])", ""),
        ("run(['echo', exe, '-I'])", ""),
        ("run([exe, '-c', 'pass'], env={})", BARE),
        ("run([exe, '-c', 'pass'], env=os.environb)", ""),
        ("run([exe, '-c', 'pass'], env=os.environ | {'PYTHONPATH': 'mine'})", BARE),
        ("os.environ['PYTHONPATH'] += os.pathsep + 'mine'; run([exe, '-c', 'pass'])", ""),
        ("del os.environ['PYTHONPATH']; run([exe, '-c', 'pass'])", BARE),
        ("os.system(f'cd /; A=1 {exe} -S -c pass')", "with -S"),
        ("run(f'echo -I && {exe} -c pass', shell=True)", ""),
        ("os.execv(exe, [exe, '-I', '-c', 'pass'])", "with -I"),
        ("os.posix_spawn(exe, [exe, '-I', '-c', 'pass'], {})", f"with -I or {BARE}"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="shells and their words are others there")
def test_a_python_that_is_not_recorded_is_told(tmp_path, code, told):
    done = record(tmp_path / "a.json", "-c", START + code)
    assert ("Python was started" in done.stderr) == bool(told)
    assert not told or f"Nothing was recorded: {sentence(told)}".rstrip(".") in done.stderr


@pytest.mark.engine
def test_it_is_told_in_the_trace_of_what_was_recorded(tmp_path):
    code = "import onnxruntime\nonnxruntime.InferenceSession(sys.argv[1])\n"
    target = tmp_path / "a.json"
    done = record(target, "-c", f"{START}{code}run([exe, '-I', '-c', 'pass'])", DIGITS)
    assert done.returncode == 0
    assert sentence("with -I") in done.stderr
    assert open_trace(target).notes[0] == sentence("with -I")


@pytest.mark.engine
def test_a_program_that_is_itself_started_so_is_told_why_nothing_came(tmp_path):
    done = record(tmp_path / "a.json", "-I", "-c", "print('mine')")
    assert done.stdout == "mine\n"
    assert f"Nothing was recorded: {sentence('with -I')}".rstrip(".") in done.stderr


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (r'"C:\Program Files\Python 3\python.exe" -I x.py', {"-I"}),
        (r"C:\venv\Scripts\pythonw.exe -ES -m x", {"-E", "-S"}),
        (r"C:\tools\pythonic.exe -I", set()),
    ],
)
def test_the_line_of_a_process_of_windows_is_understood(line, found):
    assert unrecorded_python.reasons(line, {}, {}) == found


ENDING = """
import ctypes, os, signal, subprocess, sys, types
from inspector.recorder import import_hook
class Kernel:
    def __init__(self, name):
        assert name == "kernel32"
        self.GetProcessId = self.find
    class find:
        def __new__(cls, handle):
            return handle + 1000
ctypes.WinDLL, import_hook.ctypes = Kernel, ctypes
told = {77: 259, 78: 3}
sys.modules["_winapi"] = types.SimpleNamespace(GetExitCodeProcess=told.get)
import_hook.install()
sys.audit("_winapi.TerminateProcess", 77, 1)
sys.audit("_winapi.TerminateProcess", 78, 1)
with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
    os.name = "nt"
    os.kill(child.pid, signal.SIGUSR1)
    print(child.pid)
os.name = "posix"
"""


@pytest.mark.skipif(os.name != "posix", reason="what the system would do there is put in place")
def test_whom_a_program_ends_on_windows_is_noted(tmp_path):
    surroundings = os.environ | {"INSPECTOR_RECORD": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", ENDING], env=surroundings, capture_output=True, text=True
    )
    assert not done.stderr
    assert live_progress.recorded_end(tmp_path, 1077, 0)
    assert live_progress.recorded_end(tmp_path, int(done.stdout), 0)
    assert not live_progress.recorded_end(tmp_path, 77, 0)
    assert not live_progress.recorded_end(tmp_path, 1078, 0), "it had ended by itself"
