"""Processes that keep cores busy: they compute, and they end with their parent."""

import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext

import psutil
import pytest

import inspector
from inspector.engine.client import engine_process
from inspector.platform.busy_cores import keep_busy
from tests.engine.watching import engines, has_ended, wait_for

pytestmark = pytest.mark.engine

_PARENT = """
import psutil, time
from inspector.platform.busy_cores import keep_busy
with keep_busy(1):
    print(psutil.Process().children()[0].pid, flush=True)
    time.sleep(60)
"""


def test_a_core_is_busy_as_long_as_the_block_runs():
    with keep_busy(1):
        (load,) = engines(word=keep_busy.__module__)  # jobs of earlier tests may start others
        used = sum(load.cpu_times()[:2])
        wait_for(lambda: sum(load.cpu_times()[:2]) >= used + 0.1)
    assert not psutil.pid_exists(load.pid)


def test_the_load_ends_when_its_parent_is_killed():
    command = [sys.executable, "-P", "-c", _PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.kill()
    wait_for(lambda: has_ended(pid))


def test_a_measurement_has_the_load_beside_it(samples, monkeypatch):
    asked = list[int]()

    def noted(cores: int) -> AbstractContextManager[None]:
        asked.append(cores)
        return nullcontext()

    monkeypatch.setattr(engine_process, "keep_busy", noted)
    model, settings = samples / "digits_float32.onnx", {"busy_cores": 2}
    done = inspector.measure(model, runs=3, layers=False, settings=settings)
    assert (asked, done.report.spec.busy_cores) == ([2], 2)
