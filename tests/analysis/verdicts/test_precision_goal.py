from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.speed import compare_medians, precision_text
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.statistics.significance import Verdict, compare_samples
from tests.reports import example_report

pytestmark = pytest.mark.simulation


def started(
    starts: int, between: float, seed: int = 1, slower: float = 1.0
) -> PerformanceReport:
    random = np.random.default_rng(seed)
    logs = between * random.normal(size=(starts, 1)) + 0.01 * random.normal(size=(starts, 30))
    samples = tuple((10**7 * slower * np.exp(logs)).astype(int).ravel().tolist())
    return example_report(
        prediction_ns=samples,
        prediction_cpu_ns=samples,
        start_lengths=(30,) * starts if starts > 1 else (),
    )


def test_the_width_is_that_of_the_comparison_whatever_it_finds():
    one = started(8, 0.02)
    for slower in (1.0, 1.3):
        other = started(8, 0.02, 2, slower)
        found = compare_samples(
            one.prediction_ns,
            other.prediction_ns,
            lengths=(one.start_lengths, other.start_lengths),
        )
        assert (found.verdict is Verdict.SLOWER) is (slower > 1)
        assert (
            compare_medians(one, other).half_width == (found.high - found.low) / 2 / found.ratio
        )


@pytest.mark.parametrize("starts", [6, 10, 20])
def test_more_starts_are_narrower(starts):
    few, many = (
        compare_medians(started(n, 0.02), started(n, 0.02, 2)).half_width
        for n in (starts // 2 + 1, starts)
    )
    assert many < few


def test_words_tell_starts_and_width():
    agreeing = precision_text(started(9, 0.005), started(9, 0.005, 2), PrecisionGoal())
    assert agreeing.startswith(
        "Interleaved measurement, 9 processes per model: the ratio is known to ±1."
    )
    wide = precision_text(started(20, 0.2), started(20, 0.2, 2), PrecisionGoal())
    assert "20 processes per model: the ratio is known to ±" in wide
    assert wide.endswith(
        "%, which is wider than the target of ±2.4%. Measure longer with --processes 40."
    )


def test_words_tell_that_there_is_no_interval():
    full, slow = (
        replace(
            started(1, 0.0),
            prediction_ns=(10**6,) * 200,
            prediction_cpu_ns=(10**6,) * 200,
            spec=RunSpec(threads=1),
            pace=CpuSpeed((probe,) * 21, tuple(range(0, 201, 10)), 4000),
        )
        for probe in (4000, 7000)
    )
    assert "too few runs at full CPU speed" in precision_text(full, slow, PrecisionGoal())
