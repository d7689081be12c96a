"""What an engine's process starts with, what it may send, and when it is over."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import inspector
from inspector.engine.client import supervision

PACKAGE = Path(inspector.__file__).resolve().parent


def test_an_engine_imports_this_package_before_what_the_user_put_on_the_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/of/the/user")
    made = supervision._environment({"MORE": "1"})
    assert made["PYTHONPATH"].split(os.pathsep) == [str(PACKAGE.parent), "/of/the/user"]
    assert (made["ORT_DISABLE_TELEMETRY"], made["MORE"]) == ("1", "1")
    monkeypatch.delenv("PYTHONPATH")
    assert supervision._environment({})["PYTHONPATH"] == str(PACKAGE.parent)


def test_a_process_that_floods_its_parent_runs_out_of_messages(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(supervision, "monotonic", lambda: now[0])
    budget = supervision._MessageBudget()
    assert all(budget.pays_for(0) for _ in range(supervision.BURST_MESSAGES))
    assert not budget.pays_for(0)
    now[0] += 3 / supervision.MESSAGES_PER_SECOND
    assert [budget.pays_for(0) for _ in range(3)] == [True, True, False]


def test_a_process_that_sends_too_much_at_once_runs_out_of_bytes(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(supervision, "monotonic", lambda: now[0])
    budget = supervision._MessageBudget()
    assert budget.pays_for(supervision.BURST_BYTES)
    assert not budget.pays_for(supervision.BYTES_PER_SECOND)
    now[0] += 2.0
    assert budget.pays_for(supervision.BYTES_PER_SECOND)
    assert not budget.pays_for(1)
    now[0] += 1e6  # the budget does not grow for ever
    assert not budget.pays_for(supervision.BURST_BYTES + 1)


@pytest.mark.skipif(sys.platform == "win32", reason="starts programs of other systems")
def test_a_process_has_ended_only_once_it_is_over():
    with subprocess.Popen(["sleep", "60"]) as process:
        assert not supervision._has_ended(process)
        assert not supervision._is_dying(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert supervision._has_ended(process)
