"""The warm latency of a session: which calls count, and how long an answer is held up."""

import numpy as np
import pytest

from inspector.backends import call_times
from inspector.backends.call_times import (
    BUDGET_NS,
    LONGEST_FIRST_NS,
    MAX_WARM_CALLS,
    REFRESH_NS,
    CallTimes,
)
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from tests.engine import small_models


class Clock:
    """Stands still but for what calls take."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns

    def take(self, duration_ns: int) -> None:
        self.now_ns += duration_ns


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(call_times, "perf_counter_ns", clock)
    return clock


def test_the_warm_latency_is_of_calls_3_to_12(clock):
    calls = CallTimes(7)
    calls.add(21_000_000, "1×8")
    assert calls.warm_ns == ()
    durations = iter(range(1000, 2000))
    calls.go_on(lambda: clock.take(next(durations)), "1×8", ())
    assert calls.warm_ns == tuple(range(1001, 1001 + MAX_WARM_CALLS))
    assert calls.first_ns == 21_000_000
    calls.add(5_000, "1×8")
    calls.go_on(lambda: clock.take(next(durations)), "1×8", ())
    assert calls.warm_ns == (5_000, *range(1011, 1020)), "a later answer has its own latency"
    calls.add(REFRESH_NS, "1×8")
    calls.go_on(lambda: clock.take(next(durations)), "1×8", ())
    assert next(durations) == 1020, "answers of slower models are not held up"


def test_a_slow_model_is_called_once_more_at_most_and_a_very_slow_one_not_at_all(clock):
    slow = CallTimes(0)
    slow.add(BUDGET_NS, ())
    slow.go_on(lambda: clock.take(BUDGET_NS), (), ())
    assert len(slow.warm_ns) == 1
    very = CallTimes(0)
    very.add(LONGEST_FIRST_NS + 1, ())
    very.go_on(lambda: clock.take(1), (), ())
    assert very.warm_ns == ()


def test_other_shapes_begin_anew_and_a_failing_further_call_leaves_the_answer():
    calls = CallTimes(0)
    for took in (9, 8, 7, 6):
        calls.add(took, (1,))
    assert calls.warm_ns == (7, 6)
    calls.add(50, (2,))
    assert (calls.first_ns, calls.warm_ns) == (50, ())

    def refuse() -> None:
        raise RuntimeError("out of memory")

    calls.go_on(refuse, (2,), (RuntimeError,))
    assert calls.warm_ns == ()


@pytest.mark.engine
def test_the_engine_tells_first_call_load_and_warm_calls(tmp_path):
    model = small_models.linear(tmp_path / "linear.onnx")
    feeds = {"x": np.ones((2, 4), np.float32)}
    with EngineProcess() as engine:
        plain = engine.predict(model, RunSpec(), feeds)
        assert (plain.first_call_ns, plain.warm_ns) == (0, ())
    with EngineProcess() as engine:
        first = engine.predict(model, RunSpec(), feeds, warm=True)
        again = engine.predict(model, RunSpec(), feeds, warm=True)
    assert first.first_call_ns == first.prediction_ns
    assert first.warm_median_ns is not None
    runs = len(first.warm_ns)  # one on a busy machine
    expected = "quick estimate, " + (
        f"median of {runs} warm runs" if runs > 1 else "one run after the first"
    )
    assert first.warm_label == expected
    assert again.first_call_ns == first.first_call_ns
    assert again.session_load_ns == first.load_ns > again.load_ns == 0
    assert call_times.COLD_CALLS == 2
