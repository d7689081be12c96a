import threading

import numpy as np
import pytest

from inspector.backends.measuring.concurrent_predictions import run_concurrently
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.report.run_spec import RunSpec
from tests.backends.onnxruntime.placement.test_support_questions import identity


def test_so_many_predict_at_once_until_all_are_done():
    meeting = threading.Barrier(3, timeout=60)
    found = run_concurrently([meeting.wait] * 3, 12, 0)  # each waits for the two others
    assert found.concurrency == 3
    assert len(found.prediction_ns) == 12
    assert found.per_second == 12e9 / found.elapsed_ns
    assert found.elapsed_ns <= sum(found.prediction_ns)


def test_a_prediction_that_fails_fails_the_whole():
    def bad() -> list[int]:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run_concurrently([list, bad], 4, 0)


@pytest.mark.engine
def test_a_measurement_tells_latency_against_load(samples):
    spec = RunSpec(
        runs=6, warmup=1, profiled_runs=0, concurrency=(1, 3), spinning=False, arena=False,
        memory_pattern=False, execution_mode="parallel", inter_threads=2, binding="outputs",
    )  # fmt: skip
    path = samples / "digits_float32.onnx"
    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    with EngineProcess() as engine:
        report = engine.measure(path, identity(path), spec, feeds)
        assert [point.concurrency for point in report.throughput] == [1, 3]
        assert all(len(point.prediction_ns) >= 6 for point in report.throughput)
        assert len(report.prediction_ns) == 6
        assert report.layers == ()
        assert len(report.trace) == 0
        with pytest.raises(BadInput, match="concurrent runs"):
            engine.measure(path, identity(path), RunSpec(concurrency=(0,)), feeds)
        with pytest.raises(BadInput, match="execution mode"):
            engine.measure(path, identity(path), RunSpec(execution_mode="wild"), feeds)
