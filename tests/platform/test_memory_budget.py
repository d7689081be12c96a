"""What engines may take together, and what is said of one that took more."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest
from onnx import TensorProto, helper

from inspector.engine.client import supervision
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineDied, EngineFailed
from inspector.platform import memory_budget
from inspector.platform.memory_budget import MemoryWatch, Watched
from inspector.platform.work_limits import Limits
from inspector.report.run_spec import RunSpec
from tests import models as onnx_models
from tests.engine import small_models
from tests.killers import models

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("cold")]


def test_the_budget_is_three_quarters_of_what_is_free(monkeypatch):
    monkeypatch.setattr(memory_budget, "available_bytes", lambda: 8 << 30)
    assert MemoryWatch().budget() == 6 << 30


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_a_limit_of_this_process_binds_the_budget(tmp_path):
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_DATA, (700 << 20, 700 << 20))\n"
        "from inspector.platform.memory_budget import MemoryWatch\n"
        "print(MemoryWatch().budget())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert int(run.stdout) == 700 << 20


def test_engines_that_live_together_share_one_budget(monkeypatch):
    free = iter([8 << 30, 1 << 30])
    monkeypatch.setattr(memory_budget, "available_bytes", lambda: next(free))
    watch = MemoryWatch()
    one = Watched(os.getpid(), 0, lambda *_: None)
    watch.add(one)
    assert watch.budget() == watch.budget() == 6 << 30
    watch.remove(one)
    assert watch.budget() == (1 << 30) * 3 // 4


@pytest.mark.skipif(os.name == "nt", reason="control groups are of Linux")
def test_a_control_group_s_limit_counts(tmp_path, monkeypatch):
    group = tmp_path / "limited"
    group.mkdir()
    (group / "memory.max").write_text("1000000\n")
    (group / "memory.current").write_text("400000\n")
    (group / "memory.stat").write_text("anon 1\ninactive_file 50000\n")
    (tmp_path / "memory.max").write_text("max\n")
    read = Path.read_text

    def read_text(path, *arguments):
        if str(path) == "/proc/self/cgroup":
            return "0::/limited\n"
        return read(Path(str(path).replace("/sys/fs/cgroup", str(tmp_path))), *arguments)

    monkeypatch.setattr(Path, "read_text", read_text)
    assert memory_budget.available_bytes() == 650_000


def test_the_largest_engine_ends_where_they_take_more_together(monkeypatch):
    monkeypatch.setattr(memory_budget, "available_bytes", lambda: 400)
    used = {1: 100, 2: 250}  # another watch may ask for engines of other tests
    monkeypatch.setattr(memory_budget, "memory_of", lambda process: used.get(process, 0))
    watch, ended = MemoryWatch(), threading.Event()
    assert watch.budget() == 300
    small = Watched(1, 0, lambda *_: pytest.fail("the smaller one"))
    told = []
    large = Watched(2, 0, lambda *both: (told.append(both), ended.set()))
    watch.add(small)
    watch.add(large)
    assert ended.wait(60)
    watch.remove(small)
    watch.remove(large)
    assert told[0] == (250, 300)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux stops a process so")
def test_an_engine_over_its_limit_says_how_much_it_took(tmp_path, monkeypatch):
    """The watch alone, as on systems where the kernel holds no process to a limit."""
    monkeypatch.setattr("inspector.engine.client.single_child.WATCH.budget", lambda: 8 << 30)
    process = EngineProcess(limits=Limits(silence_seconds=60))
    model = growing(tmp_path / "growing.onnx")
    with process as engine:
        engine.load(small_models.convolution(tmp_path / "small.onnx"), RunSpec())
        child = engine._child
        one = child._watched
        memory_budget.WATCH.remove(one)
        memory_budget.WATCH.add(Watched(one.process, 400 << 20, one.end))
        with pytest.raises(EngineDied) as caught:
            engine.predict(model, RunSpec(), {"n": np.array([1 << 28], np.int64)})
    assert "of memory" in caught.value.why
    assert "the engine process used" in caught.value.why


def growing(path):
    node = helper.make_node("ConstantOfShape", ["n"], ["y"])
    again = helper.make_node("Exp", ["y"], ["z"])
    values = [onnx_models.value("n", [1], TensorProto.INT64)]
    out = [onnx_models.value("z", ["k"])]
    return onnx_models.save(path, [node, again], values, out, opset=20)


def test_an_output_that_cannot_fit_is_refused_before_it_runs(tmp_path):
    shape = [1 << 20, 1 << 20]
    given = [onnx_models.value("x", [1])]
    out = [onnx_models.value("y", shape)]
    lengths = helper.make_tensor("shape", TensorProto.INT64, [2], shape)
    node = helper.make_node("Expand", ["x", "shape"], ["y"])
    path = onnx_models.save(tmp_path / "large.onnx", [node], given, out, [lengths], opset=20)
    with EngineProcess() as engine, pytest.raises(EngineFailed) as caught:
        engine.predict(path, RunSpec(), {"x": np.ones(1, np.float32)})
    assert "its output 'y' alone takes 4" in caught.value.why
    assert caught.value.hint


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals")
def test_a_stopped_engine_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(supervision, "STOPPED_SECONDS", 0.3)
    model = small_models.convolution(tmp_path / "model.onnx")
    with EngineProcess() as engine:
        engine.load(model, RunSpec())
        child = psutil.Process(engine._child._process.pid)
        child.suspend()
        with pytest.raises(EngineDied, match="paused it") as caught:
            engine.predict(model, RunSpec(), {"x": np.ones((1, 3, 8, 8), np.float32)})
        assert caught.value.hint
        engine.load(model, RunSpec())  # the next job works


@pytest.mark.skipif(sys.platform != "linux", reason="a limit that only Linux keeps")
def test_too_little_address_space_is_one_sentence():
    command = [sys.executable, "-m", "inspector", "info", "none.onnx"]
    limited = ["sh", "-c", f"ulimit -v 150000; exec {' '.join(command)}"]
    run = subprocess.run(limited, capture_output=True, text=True, timeout=300)
    assert run.returncode == 1
    assert run.stderr.startswith("Inspector cannot start: this shell allows 146 MiB")
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.slow  # test_engine_process.py has one in the runtime
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_a_lack_of_memory_in_python_is_told_in_the_words_of_the_job(tmp_path):
    path = models.write("loop_with_a_growing_sequence", tmp_path)
    with (
        EngineProcess(limits=Limits(memory_bytes=600 << 20)) as engine,
        pytest.raises(EngineFailed) as caught,
    ):
        engine.predict(path, RunSpec(), {})
    assert caught.value.what == f"Could not run {path.name}"
    assert "not enough memory" in caught.value.why
