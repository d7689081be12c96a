from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.backends import base
from inspector.engine.client.engine_process import ComparisonRun, EngineProcess
from inspector.engine.requests import MeasureCeiling, RunLayer
from inspector.errors import BadInput
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec

CROWDED = RunSpec(threads=4096)
NO_MODEL = ModelIdentity("model", "0" * 64, 1, 1, 1, "17")
Job = Callable[[EngineProcess, Path], object]
JOBS: dict[str, Job] = {
    "load": lambda engine, model: engine.load(model, CROWDED),
    "predict": lambda engine, model: engine.predict(model, CROWDED, {}),
    "measure": lambda engine, model: engine.measure(model, NO_MODEL, CROWDED, {}),
    "steps": lambda engine, model: engine.steps(model, CROWDED, {}),
    "the other side": lambda engine, model: engine.steps(
        model, RunSpec(), {}, ComparisonRun(spec=CROWDED)
    ),
    "alone": lambda engine, model: engine.call(RunLayer(model, CROWDED, {}, 0)),
    "ceiling": lambda engine, model: engine.call(
        MeasureCeiling("cpu", CROWDED.threads, "float32")
    ),
}


@pytest.mark.parametrize("job", JOBS)
def test_no_process_is_started_for_thousands_of_threads(job, tmp_path, samples):
    nothing = [str(tmp_path / "no program")]  # so that this test never runs such a model
    with (
        EngineProcess(command=nothing, lock=tmp_path / "lock") as engine,
        pytest.raises(BadInput) as caught,
    ):
        JOBS[job](engine, samples / "digits_float32.onnx")
    error = caught.value
    assert error.what == "Could not start 4,096 threads"
    assert "would make it unresponsive" in error.why
    assert "0 for the default" in error.hint


@pytest.mark.parametrize(
    "wanted",
    [RunSpec(inter_threads=4096), RunSpec(concurrency=(1, 4096)), CROWDED],
    ids=["between operators", "predictions at once", "inside an operator"],
)
def test_each_kind_of_thread_has_the_bound(wanted):
    with pytest.raises(BadInput, match="4,096"):
        base.check_thread_count(RunSpec(), wanted)


def test_what_any_machine_can_take_is_let_through():
    base.check_thread_count(RunSpec(threads=64, inter_threads=64, concurrency=(1, 64)))


@pytest.mark.parametrize(("cores", "most"), [(1, 64), (8, 64), (64, 512)])
def test_the_bound_grows_with_the_machine(cores, most):
    assert base.max_threads(cores) == most
