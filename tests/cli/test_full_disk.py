"""Commands whose result cannot be written: refused before a long job if that can be known."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.formats.traces.detection import open_trace
from tests.command_line import errors_of
from tests.conftest import ROOT
from tests.disks import closed_home

LONG = ["--runs", "1000000"]


@pytest.mark.parametrize("folder", ["none", "file"])
def test_what_cannot_be_saved_is_refused_before_it_is_measured(tmp_path, samples, folder):
    (tmp_path / "file").touch()
    model, target = str(samples / "digits_float32.onnx"), str(tmp_path / folder / "r.json")
    for asked in (
        ["measure", model, *LONG, "-o", target],
        ["record", "-o", target, "--", sys.executable, "-c", "import time; time.sleep(60)"],
    ):
        assert errors_of(*asked).startswith("Could not save r.json: ")


def limited(kibibytes: int, *command: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a command none of whose files may grow larger, nor those of its children."""
    shell = f'ulimit -f {kibibytes}; exec "$@"'
    return subprocess.run(
        ["bash", "-c", shell, "bash", sys.executable, "-m", "inspector", *command],
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.engine
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_recording_that_runs_out_of_room_says_so(tmp_path, samples):
    program = tmp_path / "app.py"
    program.write_text(
        "import numpy, onnxruntime\n"
        f"session = onnxruntime.InferenceSession({str(samples / 'digits_float32.onnx')!r},"
        " providers=['CPUExecutionProvider'])\n"
        "for _ in range(2000):\n"
        "    session.run(None, {'picture': numpy.zeros((1, 1, 8, 8), numpy.float32)})\n"
    )
    earlier = tmp_path / "a.json"
    earlier.write_text("earlier")
    words = ("record", "-o", str(earlier), "--", sys.executable, str(program))
    done = limited(16, *words, home=tmp_path)
    assert "inspector: recording stopped: [Errno 27] File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert "There was no space left in the temporary folder" in done.stderr
    if done.returncode:  # nothing came before that, or too much for a file
        assert earlier.read_text() == "earlier"
    else:
        assert len(open_trace(earlier).trace)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.json", "app.py"]


@pytest.mark.engine
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_an_engine_without_room_for_temporary_files_says_so(tmp_path, samples):
    model = str(samples / "digits_float32.onnx")
    done = limited(4, "measure", model, "--runs", "5", home=tmp_path)
    assert done.returncode == 1
    assert "there was not enough space for temporary files" in done.stderr
    assert "TMPDIR" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow  # tests/ui/test_full_disk.py has the same in a window
@pytest.mark.engine
def test_a_home_that_takes_nothing_keeps_nobody_from_measuring(tmp_path, samples):
    model = str(samples / "digits_float32.onnx")
    done = subprocess.run(
        [sys.executable, "-m", "inspector", "measure", model, "--runs", "3"],
        env=os.environ | closed_home(tmp_path) | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
