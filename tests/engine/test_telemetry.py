"""Nothing leaves this machine: the runtime's telemetry stays off in every engine process."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import inspector.engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.supervision import engine_command
from inspector.report.run_spec import RunSpec
from tests.engine import small_models

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("cold")]
SCRIPT = """
import pathlib, sys
import numpy
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.report import RunSpec
with EngineProcess() as engine:
    engine.devices()  # the runtime and every plugin, unconfined
    feeds = {"x": numpy.ones((1, 3, 8, 8), "f4")}
    engine.predict(pathlib.Path(sys.argv[1]), RunSpec(), feeds)
"""


@pytest.fixture
def model(tmp_path):
    return small_models.convolution(tmp_path / "model.onnx")


def test_a_prediction_leaves_no_trace_in_the_home_folder(tmp_path, model):
    home = tmp_path / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ORT_"))}
    environment = kept | {"HOME": str(home), "USERPROFILE": str(home)}
    command = [sys.executable, "-c", SCRIPT, str(model)]
    subprocess.run(command, env=environment, check=True)
    assert [path.name for path in home.rglob("*") if "Microsoft" in str(path)] == []


def test_the_engine_has_no_thread_that_could_send_anything(model, monkeypatch):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY")
    with EngineProcess() as engine:
        engine.load(model, RunSpec(threads=1))
        there = psutil.Process().children()
        living = [each for each in there if each.status() != psutil.STATUS_ZOMBIE]
        engines = [each for each in living if "inspector.engine" in each.cmdline()]
        child = max(engines, key=psutil.Process.create_time)  # others may still be ending
        assert child.environ()["ORT_DISABLE_TELEMETRY"] == "1"
        assert child.num_threads() == 3  # those that work, read requests and beat


def test_the_variable_is_set_before_anything_can_load_the_runtime():
    assert engine_command()[-2:] == ["-m", "inspector.engine"]
    program = Path(inspector.engine.__file__).with_name("__main__.py")
    lines = program.read_text("utf-8").splitlines()
    is_set = next(n for n, line in enumerate(lines) if "ORT_DISABLE_TELEMETRY" in line)
    loads = [n for n, line in enumerate(lines) if re.match(r"\s*(from|import) inspector", line)]
    assert loads
    assert is_set < min(loads)
