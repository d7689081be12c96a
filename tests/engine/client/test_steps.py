"""A model run step by step, with its state handed on, in the real engine process."""

import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from inspector.engine import protocol
from inspector.engine.client.engine_process import EngineProcess, Progress
from inspector.engine.client.supervision import SupervisedProcess
from inspector.engine.requests import Reference
from inspector.engine.worker.service import STEP_SECONDS
from inspector.errors import Cancelled, EngineFailed
from inspector.model.tensors.element_types import Tensor
from inspector.preview.runs.steps import Steps
from inspector.report.run_spec import RunSpec
from tests.engine import recurrent_model
from tests.engine.recurrent_model import WIDTH
from tests.engine.watching import wait_for

pytestmark = pytest.mark.engine
CPU = RunSpec()
STEPS = 800


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recurrent_model.write_recurrent(tmp_path_factory.mktemp("steps") / "recurrent.onnx")


@pytest.fixture(scope="module")
def frames() -> Tensor:
    return recurrent_model.random_frames(STEPS)


@pytest.fixture
def heard() -> list[Progress]:
    return []


@pytest.fixture
def engine(heard: list[Progress]) -> Iterator[EngineProcess]:
    with EngineProcess(heard.append) as process:
        yield process


def start(frames: Tensor) -> dict[str, Tensor]:
    return {"x": frames[0], "state": np.zeros((1, WIDTH), np.float32)}


def steps(frames: Tensor) -> Steps:
    return Steps({"x": frames}, {"state": "stateN"})


def test_steps_give_what_a_plain_loop_gives(engine, path, frames):
    expected, state = recurrent_model.plain_loop(recurrent_model.plain_session(path), frames)
    spec = RunSpec(threads=1)
    answer = engine.predict(path, spec, start(frames), warm=True, steps=steps(frames))
    over_time, last = answer.outputs
    assert over_time.array is not None
    assert np.array_equal(over_time.array, expected)
    assert last.array is not None
    assert np.array_equal(last.array, state)
    assert answer.steps == STEPS
    # Half of the steps take the median or longer, on any machine: a latency of all steps
    # would be 800 times as long as one.
    assert answer.prediction_ns > 0.4 * STEPS * (answer.warm_median_ns or 0) > 0


def test_all_steps_are_one_request_and_progress_is_throttled(
    engine, heard, path, frames, monkeypatch
):
    """A step costs no trip between the processes; `benchmarks.steps` times that."""
    engine.load(path, CPU)
    sent: list[object] = []
    send = SupervisedProcess.send

    def counted(process: SupervisedProcess, message: protocol.Message) -> None:
        sent.append(message)
        send(process, message)

    monkeypatch.setattr(SupervisedProcess, "send", counted)
    heard.clear()
    began = monotonic()
    engine.predict(path, CPU, start(frames), steps=steps(frames))
    elapsed_s = monotonic() - began
    assert [type(message) for message in sent] == [protocol.Ask]
    shares = [progress.done for progress in heard if progress.step == "steps"]
    assert shares[-1] == 1
    # The first and the last come at any time. The clock only counts what was due: a slower
    # machine allows more.
    assert len(shares) <= 2 + elapsed_s / STEP_SECONDS


def test_steps_can_be_cancelled(engine, heard, path, frames):
    long = np.broadcast_to(frames[:1], (40_000, 1, WIDTH))
    cancelled = threading.Event()

    def run() -> None:
        with pytest.raises(Cancelled):
            engine.predict(path, CPU, start(frames), steps=steps(long))
        cancelled.set()

    thread = threading.Thread(target=run)
    thread.start()
    wait_for(lambda: any(progress.step == "steps" for progress in heard))
    engine.kill()
    thread.join(60)
    assert cancelled.is_set()
    assert max(progress.done for progress in heard) < 1, "it was stopped before the last step"


def test_a_step_that_fails_is_an_error_of_the_model(engine, path, frames):
    crossed = Steps({"x": frames}, {"state": "y"})
    with pytest.raises(EngineFailed, match="input 'state' has size 1, but the model expects"):
        engine.predict(path, CPU, start(frames), steps=crossed)


def test_other_runs_and_the_reference_take_steps_too(engine, path, frames):
    few = steps(frames[:3])
    runs = engine.predict(path, CPU, start(frames), steps=few)
    exact = engine.call(Reference(path, start(frames), steps=few))
    for one, two in zip(runs.outputs, exact.outputs, strict=True):
        assert one.array is not None
        assert two.array is not None
        assert np.allclose(one.array, two.array, atol=1e-5)
