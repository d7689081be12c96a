"""Two measurements of one model that contradict each other; few runs at full CPU speed."""

from dataclasses import replace

from inspector.analysis.measured.noise import doubts
from inspector.analysis.verdicts.contradictions import (
    contradicting,
    range_ns,
    reliability_doubts,
)
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report, half_slow


def steady(median_ns: int, day: str = "2026-01-02T03:04:05") -> PerformanceReport:
    times = tuple(median_ns + 100 * (place % 5 - 2) for place in range(100))
    return example_report(
        prediction_ns=times, prediction_cpu_ns=times, created=day, spec=RunSpec(threads=1)
    )


def test_two_medians_that_differ_by_40_percent_contradict_each_other():
    slow, fast = steady(76_400), steady(53_200, "2026-01-02T03:14:05")
    assert contradicting(fast, (slow, fast)) == (slow,)
    low, high = range_ns(fast, (slow,))
    assert low <= 53_200 < 76_400 <= high
    first = reliability_doubts(fast, (slow, fast))[0]
    assert str(first.short).startswith("2 measurements: 53.")
    assert "76.4 µs on 2026-01-02 03:04" in str(first.sentence)


def test_small_differences_other_settings_and_other_models_do_not_contradict():
    report = steady(50_000)
    near = steady(54_000)
    threads = replace(steady(76_000), spec=RunSpec(threads=4))
    longer = replace(steady(76_000), spec=RunSpec(threads=1, seconds=9, roofline=True))
    model = replace(steady(76_000), model=replace(report.model, sha256="f" * 64))
    assert contradicting(report, (near, threads, model)) == ()
    assert contradicting(report, (longer,)) == (longer,)


def test_few_runs_at_full_cpu_speed_are_a_reason_for_doubt():
    # One probe of nine is fast; the others are slower by less than a fifth.
    probes = ([4000] + [4600] * 8) * 40
    wall = tuple(250 * ns for ns in probes[:-1] for _ in range(10))
    pace = CpuSpeed(tuple(probes), tuple(range(0, len(wall) + 1, 10)), 4000)
    report = replace(half_slow(), pace=pace, prediction_ns=wall, prediction_cpu_ns=wall)
    (doubt,) = doubts(report)
    assert str(doubt.short).endswith("of 3,590 runs at full CPU speed")
