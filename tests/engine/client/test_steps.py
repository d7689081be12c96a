"""A model run step by step, with its state handed on, in the real engine process."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.engine.client.engine_process import EngineProcess, Progress
from inspector.errors import Cancelled, EngineFailed
from inspector.model.tensors.element_types import Tensor
from inspector.preview.runs.steps import Steps
from inspector.report.run_spec import RunSpec

pytestmark = pytest.mark.engine
CPU = RunSpec()
WIDTH, STEPS, LAYERS = 256, 800, 24
# A step in the engine may take this much longer than in a plain loop, at its best of some
# rounds; one trip between two processes for each step takes 20 times as long.
MOST_RATIO = 2.0


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recurrent model: stateN = tanh(W (x + state)) a few times, y = its mean.

    The weights are small enough for the layers not to multiply differences by rounding.
    """
    weights = np.random.default_rng(0).normal(0, 0.06, (WIDTH, WIDTH)).astype(np.float32)
    real = TensorProto.FLOAT
    nodes = [helper.make_node("Add", ["x", "state"], ["h0"])]
    for layer in range(LAYERS):
        last = "stateN" if layer == LAYERS - 1 else f"h{layer + 1}"
        nodes += [helper.make_node("MatMul", [f"h{layer}", "w"], [f"m{layer}"]),
                  helper.make_node("Tanh", [f"m{layer}"], [last])]  # fmt: skip
    nodes.append(helper.make_node("ReduceMean", ["stateN"], ["y"], axes=[1]))
    row = [1, WIDTH]
    graph = helper.make_graph(
        nodes,
        "recurrent",
        [helper.make_tensor_value_info(name, real, row) for name in ("x", "state")],
        [helper.make_tensor_value_info("y", real, [1, 1]),
         helper.make_tensor_value_info("stateN", real, row)],
        [numpy_helper.from_array(weights, "w")],
    )  # fmt: skip
    opset = [helper.make_opsetid("", 17)]
    made = tmp_path_factory.mktemp("steps") / "recurrent.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), made)
    return made


@pytest.fixture(scope="module")
def frames() -> Tensor:
    return np.random.default_rng(1).normal(size=(STEPS, 1, WIDTH)).astype(np.float32)


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


def plain(session: onnxruntime.InferenceSession, frames: Tensor) -> tuple[Tensor, Tensor]:
    state = np.zeros((1, WIDTH), np.float32)
    rows = []
    for frame in frames:
        row, state = session.run(None, {"x": frame, "state": state})
        rows.append(row)
    return np.concatenate(rows), state


def test_steps_give_what_a_plain_loop_gives_and_take_about_as_long(
    engine: EngineProcess, heard: list[Progress], path: Path, frames: Tensor
) -> None:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
    spec = RunSpec(threads=1)
    engine.load(path, spec)
    ours_ns, theirs_ns = [], []
    for _ in range(4):
        began = perf_counter_ns()
        expected, state = plain(session, frames)
        between = perf_counter_ns()
        answer = engine.predict(path, spec, start(frames), warm=True, steps=steps(frames))
        theirs_ns.append(between - began)
        ours_ns.append(perf_counter_ns() - between)
    over_time, last = answer.outputs
    assert over_time.array is not None
    assert np.array_equal(over_time.array, expected)
    assert last.array is not None
    assert np.array_equal(last.array, state)
    assert answer.steps == STEPS
    assert (answer.warm_median_ns or 0) < 2 * min(theirs_ns) / STEPS, "latency is of one step"
    assert answer.prediction_ns > 0.5 * STEPS * (answer.warm_median_ns or 0)
    assert min(ours_ns) < MOST_RATIO * min(theirs_ns)
    shares = [progress.done for progress in heard if progress.step == "steps"]
    assert shares[-1] == 1


def test_steps_can_be_cancelled_at_once(
    engine: EngineProcess, heard: list[Progress], path: Path, frames: Tensor
) -> None:
    long = np.broadcast_to(frames[:1], (40_000, 1, WIDTH))
    ended: list[float] = []

    def run() -> None:
        with pytest.raises(Cancelled):
            engine.predict(path, CPU, start(frames), steps=steps(long))
        ended.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    while not any(progress.step == "steps" for progress in heard):
        time.sleep(0.01)
    began = time.monotonic()
    engine.kill()
    thread.join()
    assert ended[0] - began < 0.3
    assert max(progress.done for progress in heard) < 1


def test_a_step_that_fails_is_an_error_of_the_model(
    engine: EngineProcess, path: Path, frames: Tensor
) -> None:
    crossed = Steps({"x": frames}, {"state": "y"})
    with pytest.raises(EngineFailed, match="input 'state' has size 1, but the model expects"):
        engine.predict(path, CPU, start(frames), steps=crossed)


def test_other_runs_and_the_reference_take_steps_too(
    engine: EngineProcess, path: Path, frames: Tensor
) -> None:
    few = steps(frames[:3])
    runs = engine.predict(path, CPU, start(frames), steps=few)
    exact = engine.reference(path, start(frames), steps=few)
    for one, two in zip(runs.outputs, exact.outputs, strict=True):
        assert one.array is not None
        assert two.array is not None
        assert np.allclose(one.array, two.array, atol=1e-5)
