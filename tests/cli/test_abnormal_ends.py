"""Commands that are ended from outside, or by a bug, leave a sentence and nothing else."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from inspector.cli import command_timer
from inspector.platform import crash_report
from inspector.platform.own_processes import is_loading_library

_FAILING = (
    "import sys; from inspector import __main__; from inspector.cli import main\n"
    "main._run = lambda arguments: 1 // 0\n"
    "sys.argv = ['inspector', 'info', 'net.onnx']\n"
    "sys.exit(__main__.main())"
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without a signal")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_command_that_is_ended_removes_its_temporary_files(tmp_path, name):
    with subprocess.Popen(
        [sys.executable, "-m", "inspector", "info", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stderr is not None
        process.stdin.buffer.write(bytes(4 << 20))
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("*/*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert list(tmp_path.glob("*/*"))
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 143
        assert process.stderr.read() == "Stopped.\n"
        process.stdin.close()
    assert not list(tmp_path.iterdir())


def test_no_signal_ends_a_command_while_it_loads_a_library(monkeypatch):
    seen = []

    def loading(*_: object) -> object:
        frame = sys._getframe()
        seen.append(is_loading_library(frame))
        command_timer._interrupt(0, frame)  # raises anywhere else
        return real(*arguments[-1:])

    arguments: list[Any] = [importlib.util.find_spec("onnx.onnx_cpp2py_export")]
    real = importlib._bootstrap_external._imp.create_dynamic
    fake = SimpleNamespace(create_dynamic=loading)
    with monkeypatch.context() as patched:
        patched.setattr(importlib._bootstrap_external, "_imp", fake)
        importlib.util.module_from_spec(arguments[0])
    assert seen == [True]
    assert not is_loading_library(sys._getframe())


def test_a_bug_is_one_sentence_and_a_file_to_attach(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _FAILING],
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)},
    )
    what, hint = done.stderr.splitlines()
    assert done.returncode == 1
    assert what == "Inspector failed: this is a bug (ZeroDivisionError in <string>, line 2)"
    if sys.platform != "darwin":  # where the folder does not depend on a variable
        (path,) = tmp_path.rglob("error-*.txt")
        assert hint == f"Please report it and attach this file: {path}"
        saved = path.read_text()
        assert "ZeroDivisionError" in saved
        assert "['info', 'net.onnx']" in saved


def test_only_the_latest_reports_of_bugs_stay(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(crash_report, "MOST_FILES", 3)
    if sys.platform != "linux":
        pytest.skip("the folder is set by a variable on Linux only")
    paths = [crash_report.save(ValueError(str(number))) for number in range(5)]
    assert [path for path in paths if path is not None and path.exists()] == paths[2:]
