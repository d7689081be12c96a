import numpy as np
import pytest

from inspector.analysis.measured.sample_statistics import (
    change,
    fits,
    sentences,
    statistics,
    table,
)
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report


def samples(count: int, median_ns: float, seed: int, spread: float = 0.05) -> tuple[int, ...]:
    noise = np.random.default_rng(seed).lognormal(0, spread, count)
    return tuple(int(value) for value in median_ns * noise)


def test_numbers_are_those_of_the_samples():
    found = statistics(range(1, 102))
    assert (found.n, found.min_ns, found.max_ns, found.mean_ns) == (101, 1, 101, 51)
    assert (found.p50_ns, found.p90_ns, found.p95_ns, found.p99_ns) == (51, 91, 96, 100)
    assert found.sd_ns == pytest.approx(29.15, abs=0.01)
    assert found.per_second == pytest.approx(1e9 / 51)


def test_nothing_says_nothing_and_few_have_no_interval():
    assert statistics(()) is None
    assert table(()) == ()
    few = statistics((5, 6, 7))
    assert few.median_low_ns is None


def test_the_interval_holds_the_true_median_in_nineteen_of_twenty():
    held = 0
    for seed in range(150):
        found = statistics(samples(60, 1e6, seed))
        assert found.median_high_ns is not None
        held += found.median_low_ns <= 1e6 <= found.median_high_ns
    assert held / 150 >= 0.91


def test_a_frame_is_fitted_by_the_share_that_is_done_in_time():
    times = (10_000_000,) * 93 + (20_000_000,) * 7
    assert fits(times, 60) == 0.93
    assert fits((), 60) == 0
    report = example_report(prediction_ns=times, first_prediction_ns=0)
    assert sentences(report) == ("93% of runs took less than 16.7 ms (60 fps).",)


def test_a_throttled_run_changes_where_it_was_throttled():
    found = change(samples(60, 1e6, 1) + samples(40, 1.2e6, 2))
    assert abs(found.at - 60) <= 3
    assert found.share == pytest.approx(0.2, abs=0.05)


def test_steady_samples_do_not_change():
    assert sum(change(samples(100, 1e6, seed)) is not None for seed in range(200)) <= 1
    assert change((1000,) * 100) is None
    assert change(samples(9, 1e6, 1)) is None


def test_a_change_and_a_slow_start_are_told():
    slowed = samples(50, 1e6, 1) + samples(50, 1.3e6, 2)
    _, changed, first = sentences(
        example_report(prediction_ns=slowed, first_prediction_ns=12_000_000)
    )
    assert changed.startswith("From run 5")
    assert "% slower" in changed
    assert first.startswith("The first run took ")


def test_only_a_first_run_that_is_clearly_slower_is_told():
    def about_first(first_ns: int) -> list[str]:
        steady = samples(100, 1e6, 1)
        told = sentences(example_report(prediction_ns=steady, first_prediction_ns=first_ns))
        return [str(each) for each in told if "first run" in str(each)]

    assert about_first(2_000_000) == ["The first run took 2.0 times the median."]
    assert about_first(1_300_000) == []


def test_numbers_say_which_predictions_they_are_of():
    def told(*times: int) -> str:
        wall = tuple(ns * 250 for ns in times[:-1] for _ in range(10))
        pace = CpuSpeed(times, tuple(range(0, 10 * len(times), 10)), 4000)
        spec = RunSpec(threads=1)
        report = example_report(
            spec=spec, pace=pace, prediction_ns=wall, prediction_cpu_ns=wall
        )
        return " ".join(sentences(report))

    full, slow = [4000] * 20, [6400] * 20
    assert "pace" not in told(*full)
    mixed = told(*full, *slow)
    assert "190 of 390 runs were at full CPU speed." in mixed
    assert "slower" not in mixed, "the change is that of the processor, not of the model"
    said = told(*slow)
    assert "None of 190 runs were at full CPU speed, so statistics cover all runs" in said
    assert "Only 30 of 230 runs were" in told(*slow, *full[:4])
