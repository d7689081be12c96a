"""The real engine process, on real models."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import nullcontext

import numpy as np
import psutil
import pytest

from inspector.engine.client.engine_process import EngineProcess, Limits, Progress
from inspector.engine.requests import Load
from inspector.errors import (
    BadInput,
    Cancelled,
    EngineDied,
    EngineFailed,
    InspectorError,
    UnreadableFile,
)
from inspector.formats.opening import digest
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import Dimension, RunSpec
from tests import models
from tests.engine import small_models
from tests.engine.watching import has_ended, wait_for

pytestmark = pytest.mark.engine
CPU = RunSpec()
X = np.array([[1, 2, 3, 4], [0, -1, 0, 1]], np.float32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def linear(folder):
    return small_models.linear(folder / "linear.onnx")


def test_load_tells_what_the_model_takes_and_where_it_will_run(engine, linear):
    loaded = engine.load(linear, CPU)
    assert loaded.devices == ("cpu",)
    assert loaded.load_ns > 0
    (x,), (y,) = loaded.inputs, loaded.outputs
    assert (x.name, x.kind, x.dtype, x.shape) == ("x", "tensor", "float32", ("n", 4))
    assert (y.name, y.shape) == ("y", ("n", 3))


def test_a_prediction_is_right_and_timed(engine, linear):
    prediction = engine.predict(linear, CPU, {"x": X})
    (y,) = prediction.outputs
    expected = np.maximum(X @ small_models.WEIGHTS, 0)
    np.testing.assert_allclose(y.array, expected, rtol=1e-6)
    assert prediction.prediction_ns > 0


def test_the_session_stays_warm_until_the_spec_or_the_file_changes(engine, folder):
    model = small_models.linear(folder / "changing.onnx")
    assert engine.predict(model, CPU, {"x": X}).load_ns > 0
    assert engine.predict(model, RunSpec(runs=99), {"x": X}).load_ns == 0
    assert engine.predict(model, RunSpec(threads=1), {"x": X}).load_ns > 0
    small_models.linear(model, small_models.WEIGHTS * 2)
    os.utime(model, ns=(0, 1))  # whatever the clock of the file system resolves
    again = engine.predict(model, RunSpec(threads=1), {"x": X})
    assert again.load_ns > 0
    np.testing.assert_allclose(
        again.outputs[0].array, np.maximum(X @ small_models.WEIGHTS * 2, 0), rtol=1e-6
    )


def test_a_wrong_feed_is_told_and_costs_no_session(engine, linear):
    engine.load(linear, CPU)
    with pytest.raises(BadInput, match="Did you mean 'x'"):
        engine.predict(linear, CPU, {"xx": X})
    assert engine.predict(linear, CPU, {"x": X}).load_ns == 0


def test_a_fixed_dimension_is_part_of_the_session(engine, linear):
    spec = RunSpec(dimensions=(Dimension("n", 2),))
    assert engine.load(linear, spec).inputs[0].shape == (2, 4)
    with pytest.raises(BadInput, match="3×4, but the model expects 2×4"):
        engine.predict(linear, spec, {"x": np.zeros((3, 4), np.float32)})


@pytest.mark.parametrize("level", ["none", "basic", "extended", "all"])
def test_every_optimisation_level_is_known(engine, linear, level):
    assert engine.load(linear, RunSpec(optimization=level)).devices == ("cpu",)


def test_an_unknown_optimisation_level_is_a_wrong_setting(engine, linear):
    with pytest.raises(BadInput, match="no optimization level 'fast'"):
        engine.load(linear, RunSpec(optimization="fast"))


def test_a_refusal_is_one_sentence_and_the_next_job_works(engine, folder, linear):
    node = small_models.helper.make_node("Frobnicate", ["x"], ["y"], domain="com.example")
    io = [models.value("x", [1])], [models.value("y", [1])]
    model = models.save(folder / "custom.onnx", [node], *io)
    with pytest.raises(EngineFailed) as caught:
        engine.load(model, CPU)
    assert caught.value.what == "Could not load custom.onnx on CPU"
    assert caught.value.why == (
        "ONNX Runtime does not have the operator Frobnicate (domain 'com.example')"
    )
    assert caught.value.phase == "load"
    assert engine.load(linear, CPU).devices == ("cpu",)


def test_a_file_that_is_not_there_is_told(engine, folder):
    with pytest.raises(UnreadableFile, match=r"gone.onnx: there is no such file"):
        engine.load(folder / "gone.onnx", CPU)


def test_steps_come_in_order(linear):
    seen = list[Progress]()
    with EngineProcess(seen.append) as process:
        process.predict(linear, CPU, {"x": X})
    assert [each.step for each in seen] == ["start", "devices", "load", "prediction", "answer"]


@pytest.mark.usefixtures("cold")
def test_a_measurement_comes_back_whole_from_a_fresh_process(linear):
    seen = list[Progress]()
    identity = ModelIdentity(linear.name, "0" * 64, linear.stat().st_size, 12, 2)
    spec = RunSpec(runs=7, profiled_runs=2)
    with EngineProcess(seen.append) as process:
        process.load(linear, CPU)
        report = process.measure(linear, identity, spec, {"x": X})
        again = process.load(linear, CPU)
    assert report.model == identity
    assert len(report.prediction_ns) == 7
    assert [layer.name for layer in report.layers] == ["multiply", "cut"]
    assert max((at.samples_ns for at in seen), key=len) == report.prediction_ns
    assert again.load_ns > 0  # a measurement is alone, before and after


@pytest.mark.parametrize(
    ("more", "told"),
    [(b"\x1a\x00", "the model file changed during the measurement"), (b"", "")],
)
def test_a_model_that_becomes_another_between_two_starts_is_told(linear, folder, more, told):
    def meanwhile(at: Progress) -> None:
        if at.part.startswith("process 2"):
            model.write_bytes(linear.read_bytes() + more)  # a domain of no name
            os.utime(model, (1, 1))

    model = folder / "changing.onnx"
    model.write_bytes(linear.read_bytes())
    identity = ModelIdentity(model.name, digest(model), model.stat().st_size, 12, 2)
    refusal = pytest.raises(UnreadableFile, match=told) if told else nullcontext()
    with EngineProcess(meanwhile) as process, refusal:  # one that was only touched is the same
        process.measure(model, identity, RunSpec(runs=2, starts=3), {"x": X})


def test_a_model_that_is_deleted_while_it_is_measured_is_no_fault_of_ours(linear, folder):
    def meanwhile(at: Progress) -> None:
        if at.step == "warm-up":
            model.unlink(missing_ok=True)

    model = folder / "deleted.onnx"
    model.write_bytes(linear.read_bytes())
    identity = ModelIdentity(model.name, digest(model), model.stat().st_size, 12, 2)
    with EngineProcess(meanwhile) as process, pytest.raises(EngineFailed) as told:
        process.measure(model, identity, RunSpec(runs=30_000, threads=1), {"x": X})
    assert told.value.why == (
        "the model can no longer be read: the file was moved or deleted during the job"
    )


@pytest.mark.usefixtures("cold")
def test_a_process_outlives_the_thread_that_started_it(linear):
    with EngineProcess() as process:
        first = threading.Thread(target=process.load, args=(linear, CPU))
        first.start()
        first.join()
        assert process.predict(linear, CPU, {"x": X}).load_ns == 0


def test_cancel_ends_an_endless_model_at_once(folder, linear):
    model = small_models.endless(folder / "endless.onnx")
    running = threading.Event()
    with EngineProcess(
        lambda at: running.set() if at.step == "prediction" else None
    ) as process:
        stopper = threading.Thread(target=stop, args=(process, running))
        stopper.start()
        with pytest.raises(Cancelled):
            process.predict(model, CPU, {"x": np.ones(4, np.float32)})
        stopper.join()
        assert process.load(linear, CPU).devices == ("cpu",)


def stop(process, running):
    running.wait(60)
    process.kill()


def test_a_long_model_is_no_hang(folder):
    """It may work for longer than it may be silent. A busy machine gets more of both: a process
    without a heart is silent too long in each of these."""
    model, told = small_models.endless(folder / "long.onnx"), []
    for silence in (0.5, 4.0, 20.0):
        limits = Limits(silence_seconds=silence, job_seconds=3 * silence)
        with EngineProcess(limits=limits) as process, pytest.raises(EngineDied) as caught:
            process.predict(model, CPU, {"x": np.ones(4, np.float32)})
        told.append(caught.value.why)
        if "longer than" in told[-1]:
            return
        assert "did not respond for" in told[-1]
    pytest.fail(f"it was taken for dead: {told}")


@pytest.mark.usefixtures("cold")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_a_process_that_the_system_ends_is_told_so(folder):
    model = small_models.endless(folder / "ended.onnx")

    def end(at):
        if at.step == "prediction":
            there = psutil.Process().children()
            engines = [each for each in there if "inspector.engine" in each.cmdline()]
            # Engines of earlier tests may still be ending.
            max(engines, key=psutil.Process.create_time).send_signal(signal.SIGKILL)

    with (
        EngineProcess(end) as process,
        pytest.raises(EngineDied, match=r"ran out|was not exhausted") as caught,
    ):
        process.predict(model, CPU, {"x": np.ones(4, np.float32)})
    assert caught.value.phase == "prediction"


@pytest.mark.usefixtures("cold")
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_a_model_that_wants_too_much_memory_is_stopped(folder):
    model = small_models.greedy(folder / "greedy.onnx")
    with EngineProcess(limits=Limits(memory_bytes=1 << 30)) as process:
        with pytest.raises(EngineFailed, match="not enough memory"):
            process.predict(model, CPU, {"size": np.array([1 << 29])})
        small = process.predict(model, CPU, {"size": np.array([3])})
        assert small.outputs[0].array.tolist() == [0, 0, 0]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems end it with the pipe")
def test_the_engine_ends_with_its_parent(folder, tmp_path):
    model = small_models.endless(folder / "orphan.onnx")
    script = (
        "import sys, numpy, psutil, pathlib\n"
        "from inspector.engine.client.engine_process import EngineProcess\n"
        "from inspector.report.report import RunSpec\n"
        "def tell(at):\n"
        "    if at.step == 'prediction':\n"
        "        print(psutil.Process().children()[0].pid, flush=True)\n"
        "engine = EngineProcess(tell)\n"
        "feeds = {'x': numpy.ones(4, 'f4')}\n"
        "engine.predict(pathlib.Path(sys.argv[1]), RunSpec(), feeds)\n"
    )
    command = [sys.executable, "-c", script, str(model)]
    elsewhere = os.environ | {"TMPDIR": str(tmp_path)}  # nobody is left to remove its folder
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=elsewhere) as parent:
        child = int(parent.stdout.readline())
        assert not has_ended(child)
        parent.kill()
        wait_for(lambda: has_ended(child))


def test_models_of_two_folders_take_turns(engine, linear, tmp_path):
    other = small_models.linear(tmp_path / "other.onnx")
    for model in (linear, other, linear):
        assert engine.predict(model, CPU, {"x": X}).outputs[0].shape == (2, 3)


def test_a_device_that_is_not_there_is_told(engine, linear):
    with pytest.raises(BadInput) as caught:
        engine.load(linear, RunSpec(devices=("cpuu",)))
    assert caught.value.what == "The device 'cpuu' is not available"
    assert "Did you mean 'cpu'?" in caught.value.hint


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_every_hostile_model_is_answered(shared, step):
    limits = Limits(silence_seconds=10, job_seconds=8, memory_bytes=4 << 30)
    models = sorted((shared / "bad" / "made" / "ext").glob("*.onnx"))
    models += sorted((shared / "bad" / "made" / "graph").glob("*shape*.onnx"))
    assert models
    with EngineProcess(limits=limits) as process:
        reasons = [reason(process, model) for model in models[::step]]
    assert any(reasons)
    assert [each for each in reasons if "onnxruntime_src" in each or "/" in each] == []


def reason(process, model):
    try:
        process.load(model, CPU)
    except InspectorError as error:
        return error.why or "no reason at all: /"
    return ""


def test_an_engine_for_shapes_loads_the_runtime_when_it_has_to_predict(linear):
    with EngineProcess(shapes_first=True) as engine:
        assert {value.name for value in engine.shapes(linear).values} >= {"y"}
        with pytest.raises(EngineFailed, match="process that only infers shapes"):
            engine._ask(Load(linear, CPU))
        assert engine.predict(linear, CPU, {"x": X}).outputs[0].array.shape == (2, 3)
        assert engine.shapes(linear).values  # in the same process
