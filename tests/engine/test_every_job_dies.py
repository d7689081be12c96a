"""Whatever the engine is busy with when it dies: one sentence, and the next job works."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import GetTensor, MeasureCeiling, OpenWith, Reference, RunLayer
from inspector.errors import EngineDied
from inspector.report.compatibility import Outcome
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from tests.engine.test_faults import MODEL, PATIENT, engine_that, predict
from tests.engine.watching import wait_for

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform == "win32", reason="the faults are signals of POSIX"),
]
IDENTITY = ModelIdentity("model.onnx", "0" * 64, 1, 1, 1)
Job = Callable[[EngineProcess], Any]
JOBS: dict[str, tuple[Job, str]] = {
    "load": (lambda engine: engine.load(MODEL, RunSpec()), "Could not load"),
    "predict": (predict, "Could not run"),
    "reference": (
        lambda engine: engine.call(Reference(MODEL, {})),
        "Could not run the reference evaluator",
    ),
    "measure": (
        lambda engine: engine.measure(MODEL, IDENTITY, RunSpec(), {}),
        "Could not measure",
    ),
    "shapes": (lambda engine: engine.shapes(MODEL), "Could not infer"),
    "ceiling": (
        lambda engine: engine.call(MeasureCeiling("cpu", 1, "float32")),
        "Could not measure the peak",
    ),
    "steps": (lambda engine: engine.steps(MODEL, RunSpec(), {}), "Could not run"),
    "value": (
        lambda engine: engine.call(GetTensor(MODEL, RunSpec(), {}, "x", None)),
        "Could not get the tensor 'x'",
    ),
    "alone": (
        lambda engine: engine.call(RunLayer(MODEL, RunSpec(), {}, 0)),
        "Could not run layer 0",
    ),
    "devices": (lambda engine: engine.devices(), "Could not list"),
}


@pytest.mark.parametrize("job", JOBS)
def test_the_engine_killed_in_a_job_is_one_sentence(tmp_path, job):
    do, what = JOBS[job]
    with engine_that(tmp_path, "prediction", "killed") as engine:
        with pytest.raises(EngineDied) as caught:
            do(engine)
        error = caught.value
        assert error.what.startswith(what)
        assert "(SIGKILL)" in error.why
        assert error.hint
        assert predict(engine).devices == ("cpu",)


def test_the_engine_killed_while_a_program_opens_a_model_is_the_answer(tmp_path):
    with engine_that(tmp_path, "prediction", "killed") as engine:
        found = engine.call(OpenWith(MODEL, "onnx"))
        assert (found.outcome, "(SIGKILL)" in found.why) == (Outcome.DIED, True)
        assert predict(engine).devices == ("cpu",)


def test_it_may_be_killed_from_outside_at_any_moment(tmp_path):
    """As the system does when memory runs out: nobody in the program knows."""

    def kill() -> None:
        wait_for((tmp_path / "mark.pid").exists)
        wait_for((tmp_path / "mark.when").exists)
        os.kill(int((tmp_path / "mark.pid").read_text()), signal.SIGKILL)

    with engine_that(tmp_path, "prediction", "deaf", PATIENT) as engine:
        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(EngineDied, match=r"ran out|was not exhausted"):
            predict(engine)
        killer.join()
        assert predict(engine).devices == ("cpu",)
