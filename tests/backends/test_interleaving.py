"""Two real engine processes that predict in turns."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.analysis.verdicts.interleaved import start_ratios
from inspector.backends.interleaving import Pair, Seated, TurnHolder, run_interleaved
from inspector.engine.client.engine_process import EngineProcess, Progress
from inspector.engine.client.process_repetitions import measure_interleaved
from inspector.errors import BadInput, Cancelled, EngineDied
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from tests.engine.watching import wait_for

pytestmark = pytest.mark.engine
MODEL = Path(__file__).parents[2] / "sample_models" / "digits_float32.onnx"
FEEDS = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
SPEC = RunSpec(threads=1, runs=30, seconds=0.3, profiled_runs=2)


def measuring(
    feeds: dict[str, np.ndarray] = FEEDS,
    at_work: Callable[[EngineProcess], None] = lambda engine: None,
) -> Seated:
    def measure(spec: RunSpec, _: str, seat: TurnHolder) -> PerformanceReport:
        def tell(progress: Progress) -> None:
            if progress.step == "prediction":
                at_work(engine)

        with EngineProcess(tell, seat=seat) as engine:
            identity = ModelIdentity(MODEL.name, "", 0, 0, 0)
            return engine.measure(MODEL, identity, spec, feeds)

    return measure


def test_both_predict_in_turns_and_their_reports_say_so():
    twice = replace(SPEC, starts=2)
    one, other = measure_interleaved(
        run_interleaved((measuring(), measuring())), (twice, twice)
    )
    assert one.turns.id == other.turns.id != ""
    assert not set(one.turns.numbers) & set(other.turns.numbers)
    for report in (one, other):
        assert list(report.turns.numbers) == sorted(report.turns.numbers)
        assert sum(report.turns.lengths) == len(report.prediction_ns) >= 30
        assert len(report.start_lengths) == 2
    beside = sum(number + 1 in other.turns.numbers for number in one.turns.numbers)
    assert beside >= 0.5 * len(one.turns.numbers)
    bare = (replace(report, pace=CpuSpeed(), prediction_cpu_ns=()) for report in (one, other))
    # A start whose predictions hardly met, as on a busy machine, gives no ratio.
    assert 1 <= len(start_ratios(*bare)) <= 2
    assert all(layer.time_ns is not None for layer in one.layers if layer.into is None)


def measured_both(one: Seated, other: Seated) -> Pair:
    return run_interleaved((one, other))((SPEC, SPEC), "", 0)


def test_what_fails_on_one_side_ends_the_other():
    wrong = {"picture": np.zeros((1, 1, 9, 9), np.float32)}
    for sides in ((FEEDS, wrong), (wrong, FEEDS)):
        with pytest.raises(BadInput):
            measured_both(*map(measuring, sides))


@pytest.mark.parametrize("which", [0, 1])
def test_an_engine_that_dies_between_turns_is_told_and_the_other_ends(which):
    engines: tuple[list[EngineProcess], list[EngineProcess]] = ([], [])
    sides = measuring(at_work=engines[0].append), measuring(at_work=engines[1].append)
    failed: list[BaseException] = []

    def both() -> None:
        long = RunSpec(threads=1, runs=10, seconds=60, profiled_runs=0)
        try:
            run_interleaved(sides)((long, long), "", 0)
        except (Cancelled, EngineDied) as error:
            failed.append(error)

    beside = threading.Thread(target=both, daemon=True)
    beside.start()
    wait_for(lambda: all(engines))
    engines[which][0].kill()
    beside.join(60)
    assert not beside.is_alive()
    assert len(failed) == 1
