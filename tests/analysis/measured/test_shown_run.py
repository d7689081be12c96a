"""A timeline shows the run that fits the layer times, and says why its length differs."""

from dataclasses import replace

from inspector.analysis.measured.shown_run import shown_run
from inspector.report.report import PerformanceReport
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import CPU, example_report

US = 1000
TRACK = Track(Lane.COMPUTE, "CPU", CPU, "cpu")


def report_of(*runs: tuple[int, int]) -> PerformanceReport:
    """A report whose first two layers take 20 and 10 us, and these in its profiled runs."""
    build, at = TraceBuilder(), 0
    for run, times in enumerate(runs):
        for layer, took in enumerate(times):
            build.add(TRACK, f"layer {layer}", at, took * US, Kind.KERNEL, layer, run)
            at += took * US
        at += 5 * US
    report = example_report()
    known = {0: 20 * US, 1: 10 * US}
    layers = tuple(replace(x, time_ns=known.get(x.index)) for x in report.layers)
    latency = (50 * US,) * 30
    return replace(report, layers=layers, trace=build.trace(0), prediction_ns=latency,
                   prediction_cpu_ns=latency)  # fmt: skip


def test_a_run_that_waited_in_one_layer_is_not_shown_although_its_length_is_the_median():
    # The one of median length waited in the second layer.
    run = shown_run(report_of((60, 50), (21, 9), (20, 45)))
    assert (run.begin_ns, run.end_ns) == (115 * US, 145 * US)
    assert str(run.why) == "fast profiled run, 30.0 µs; measured median 50.0 µs"
    disturbed = shown_run(report_of((20, 20), (1, 1)))
    assert str(disturbed.why) == "slow profiled run, 40.0 µs; measured median 50.0 µs"
    assert str(run.title) == "the one of 3 profiled runs closest to the layer times"


def test_of_equal_layers_the_run_with_least_time_outside_of_them_is_shown():
    report = report_of((20, 10), (20, 10))
    busy = TraceBuilder()
    busy.add(TRACK, "sample", 30 * US, 40 * US, Kind.CALL, None, 0)
    at = 100 * US
    for run, begin in enumerate((0, at)):
        for layer, (since, took) in enumerate(((0, 20), (20, 10))):
            start = begin + since * US
            busy.add(TRACK, f"layer {layer}", start, took * US, Kind.KERNEL, layer, run)
    run = shown_run(replace(report, trace=busy.trace(0)))
    assert (run.begin_ns, run.end_ns) == (at, at + 30 * US)


def test_a_run_that_profiling_slowed_says_so():
    run = shown_run(report_of((70, 60), (75, 60)))
    assert str(run.why) == "130 µs with the profiler, 50.0 µs without"
    assert not shown_run(report_of((28, 22), (80, 60))).why, "as long as the latency"
