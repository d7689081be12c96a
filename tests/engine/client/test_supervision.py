"""What an engine's process starts with, what it may send, and when it is over."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import inspector
from inspector.engine.client import supervision
from inspector.engine.client.engine_process import EngineProcess, Limits, Progress
from inspector.engine.client.single_child import Suspects
from inspector.engine.requests import InferShapes, ListDevices, Load, Reference, RunLayer
from inspector.errors import EngineLate
from inspector.formats.opening import digest
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from inspector.sandbox import confinement
from tests.engine import small_models
from tests.killers import models

PACKAGE = Path(inspector.__file__).resolve().parent


def test_an_engine_imports_this_package_before_what_the_user_put_on_the_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/of/the/user")
    made = confinement.child_environment(MORE="1")
    assert made["PYTHONPATH"].split(os.pathsep) == [str(PACKAGE.parent), "/of/the/user"]
    assert (made["OPENBLAS_NUM_THREADS"], made["MORE"]) == ("1", "1")
    monkeypatch.delenv("PYTHONPATH")
    assert confinement.child_environment()["PYTHONPATH"] == str(PACKAGE.parent)


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


def test_loops_are_named_three_at_most(tmp_path):
    path = models.write("nested_loops", tmp_path)
    names = Suspects(Load(path, RunSpec())).layers
    assert names == ("'loop' (Loop)", "'loop 3' (Loop)", "'loop 2' (Loop)")


def test_a_layer_that_runs_alone_is_named(tmp_path):
    path = small_models.convolution(tmp_path / "model.onnx")
    assert Suspects(RunLayer(path, RunSpec(), {}, 1)).layers == ("'relu' (Relu)",)


@pytest.mark.parametrize("name", ["model.onnx", "absent.onnx", "broken.onnx"])
def test_where_nothing_is_known_nothing_is_named(tmp_path, name):
    small_models.linear(tmp_path / "model.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"\x00broken")
    assert Suspects(Load(tmp_path / name, RunSpec())).layers == ()
    assert Suspects(ListDevices()).layers == ()


def test_inference_of_shapes_runs_no_loop(tmp_path):
    path = models.write("endless_loop", tmp_path)
    assert Suspects(InferShapes(path)).layers == ()


@pytest.mark.engine
def test_a_job_that_comes_along_may_take_longer_than_a_stall(tmp_path):
    path = small_models.linear(tmp_path / "model.onnx")
    identity = ModelIdentity(path.name, digest(path), 1, 1, 1)
    feeds = {"x": np.ones((2, 4), np.float32)}
    for stall in (1.2, 6.0, 30.0):  # a slow machine may take as long for the engine to start
        spec = RunSpec(seconds=1.5 * stall, profiled_runs=0, steady=0.0)
        began = time.monotonic()
        with suppress(EngineLate), EngineProcess(limits=Limits(stall_seconds=stall)) as engine:
            report = engine.measure(path, identity, spec, feeds)
            break
    assert report.complete
    assert time.monotonic() - began > stall


@pytest.mark.engine
def test_a_job_without_progress_is_told_again_and_again_and_then_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "STALL_NOTICE_SECONDS", 0.2)
    monkeypatch.setattr(supervision, "STALL_REPEAT_SECONDS", 0.25)
    path = models.write("endless_loop", tmp_path)
    told: list[Progress] = []
    for stall in (1.5, 15.0, 150.0):  # a slow machine may take as long until the model runs
        told.clear()
        with (
            EngineProcess(told.append, Limits(stall_seconds=stall)) as engine,
            pytest.raises(EngineLate) as caught,
        ):
            engine.predict(path, RunSpec(), {})
        if caught.value.phase == "prediction":
            break
    stalls = [each for each in told if each.stalled_seconds and each.step == "prediction"]
    seconds = [each.stalled_seconds for each in stalls]
    assert len(seconds) >= 3
    assert all(after - before >= 0.25 for before, after in pairwise(seconds))
    assert {each.layers for each in stalls} == {("'loop' (Loop)",)}
    assert caught.value.why.endswith(
        f"it made no progress for {stall:g} s while running the model"
    )
    assert caught.value.hint.startswith("Layer 'loop' (Loop) may never finish.")


@pytest.mark.engine
def test_the_reference_evaluator_says_at_which_layer_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "STALL_NOTICE_SECONDS", 0.3)
    path = models.write("endless_loop", tmp_path)
    told: list[Progress] = []
    with EngineProcess(told.append) as engine, pytest.raises(EngineLate) as caught:
        engine.call(Reference(path, {}, seconds=1.0))
    texts = {(each.layer, each.layers) for each in told if each.stalled_seconds}
    assert ("'loop' (Loop)", ()) in texts
    step = "while running the reference evaluator, in layer 'loop' (Loop)"
    assert caught.value.why.endswith(step)
