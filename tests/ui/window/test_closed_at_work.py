"""The window is closed in the middle of a job: real windows, real processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.engine import small_models
from tests.engine.watching import has_ended, wait_for

pytestmark = [pytest.mark.engine, pytest.mark.slow]
PROGRAM = Path(__file__).parents[1] / "programs" / "closed_at_work.py"
NO_HINTS = "This plugin does not support propagateSizeHints()\n"  # offscreen, of any question


@pytest.mark.skipif(os.name != "posix", reason="asks the system for the processes of a session")
@pytest.mark.parametrize("job", ["measure", "predict", "sweep", "values", "record"])
def test_no_process_and_no_warning_is_left_when_the_window_is_closed_at_work(
    job, tmp_path, samples
):
    if job in ("predict", "values"):
        model = small_models.endless(tmp_path / "endless.onnx")
    else:
        model = samples / "digits_float32.onnx"
    homes = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME")}
    homes["INSPECTOR_LIBRARY"] = str(tmp_path / "library")
    ran = subprocess.run(
        [sys.executable, str(PROGRAM), job, str(model), str(tmp_path)],
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ran.returncode, ran.stderr.replace(NO_HINTS, "")) == (0, "")
    pids = [int(pid) for pid in ran.stdout.split()]
    assert pids
    wait_for(lambda: all(map(has_ended, pids)))
