"""The system ends the engine of a command at work: one sentence, and no stack trace."""

import os
import subprocess
import sys
from contextlib import suppress

import psutil
import pytest

from tests.conftest import ROOT
from tests.engine import small_models
from tests.engine.watching import engines, wait_for

pytestmark = [
    pytest.mark.engine,
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]
AT_WORK_S = 2.0  # of a processor: by then it has loaded the runtime, and turns in its loop
COMMANDS = {
    "predict": ["--input", "x=ones"],
    "measure": ["--runs", "5"],
    "layers": [],
    "parity": ["--against", "level=none"],
    "convert": ["metadata:made=here", "-o", "made.onnx"],
    "sweep": ["--threads", "1", "--runs", "2"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_whose_engine_is_killed_says_so(command, tmp_path):
    model = small_models.endless(tmp_path / "endless.onnx")
    asked = [sys.executable, "-m", "inspector", command, str(model), *COMMANDS[command]]
    homes = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME")}
    with subprocess.Popen(
        asked,
        cwd=tmp_path,
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        wait_for(lambda: any(map(at_work, engines(run.pid))), 60)
        for engine in engines(run.pid):
            engine.kill()
        out, err = run.communicate(timeout=300)
    assert run.returncode == 1
    assert "Traceback" not in out + err
    assert "(SIGKILL)" in out + err
    assert not any(path.suffix in (".part", ".data") for path in tmp_path.iterdir())
    assert not (tmp_path / "made.onnx").exists()


def at_work(engine: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        spent = engine.cpu_times()
        return bool(spent.user + spent.system > AT_WORK_S)
    return False
