"""The line that reconciles layer times with the latency, and what limits layer times."""

from dataclasses import replace

import pytest

from inspector import units
from inspector.analysis.measured.layer_sum import (
    cautions,
    interval_label,
    layer_sum,
    selection_text,
    shares_only,
    sum_sentence,
    unranked,
    why_unranked,
)
from inspector.report.layer_timing import Profiling, TimeSpread
from inspector.report.report import SYNCHRONIZED, InsertedNode, LayerUse, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Status
from tests.reports import CPU, DEVICES, example_report

US = 1000


def use(index: int, time_ns: int, spread: TimeSpread | None = None) -> LayerUse:
    name = f"Conv {index}"
    return LayerUse(index, name, "Conv", Status.EXECUTED, CPU, time_ns, spread=spread)


def measured(
    *times_ns: int,
    latency_ns: int = 1000 * US,
    spread: TimeSpread | None = None,
    **profiling: int,
) -> PerformanceReport:
    """A report of the CPU with these layers, an inserted node of 100 us, and a latency."""
    layers = tuple(use(index, ns, spread) for index, ns in enumerate(times_ns))
    inserted = (InsertedNode("cast", "Cast", "cast", CPU, 100 * US),)
    known = Profiling(20, tuple(range(20)), True, 1200 * US, **profiling)
    return example_report(
        layers=layers,
        inserted=inserted,
        spec=RunSpec(),
        devices=DEVICES[1:],
        prediction_ns=(latency_ns,) * 30,
        prediction_cpu_ns=(latency_ns,) * 30,
        kernel_ns=sum(times_ns) + 100 * US,
        profiling=known,
        layer_timing={},
    )


def test_layers_inserted_nodes_gaps_waits_and_the_rest_add_up_to_the_latency():
    report = measured(500 * US, 100 * US, between_ns=60 * US, waiting_ns=200 * US)
    found = layer_sum(report)
    assert (found.layers_ns, found.inserted_ns) == (600 * US, 100 * US)
    assert (found.between_ns, found.slowed_ns) == (60 * US, 200 * US)
    assert found.rest_ns == 40 * US
    assert found.reconciled
    assert str(sum_sentence(report)) == (
        "Latency 1.00 ms (median of all runs) = layers 600 µs + added by the runtime 100 µs + "
        "between layers 60.0 µs + other programs or throttling 200 µs + unexplained 40.0 µs."
    )


def test_a_wait_that_was_not_measured_explains_nothing():
    """What is left over is no wait for a core, however much predictions differ."""
    report = measured(500 * US, between_ns=60 * US, interrupted_ns=900 * US)
    found = layer_sum(report)
    assert (found.slowed_ns, found.rest_ns) == (0, 340 * US)
    assert not found.reconciled
    assert str(sum_sentence(report)).endswith("+ unexplained 340 µs.")


def test_a_median_run_on_a_busy_cpu_took_longer_than_faster_ones_by_what_was_measured():
    times = (800 * US,) * 12 + (1000 * US,) * 18
    known = {"between_ns": 60 * US, "waiting_ns": 30 * US}
    quiet = replace(
        measured(500 * US, 100 * US, **known, unprofiled_ns=850 * US),
        prediction_ns=times,
        prediction_cpu_ns=times,
    )
    found = layer_sum(quiet)
    assert (found.slowed_ns, found.rest_ns) == (30 * US, 210 * US), "nothing says it was busy"
    report = replace(quiet, profiling=replace(quiet.profiling, at_full_speed=False))
    found = layer_sum(report)
    # The wait for a core is part of what the run took longer than fast ones.
    assert (found.slowed_ns, found.rest_ns) == (200 * US, 40 * US)
    even = measured(500 * US, **known, unprofiled_ns=1000 * US)
    found = layer_sum(replace(even, profiling=report.profiling))
    assert (found.slowed_ns, found.reconciled) == (150 * US, False)


def test_parts_of_a_run_on_a_busy_cpu_never_add_up_to_more_than_the_latency():
    """A thread's wait for a core is also in its layers: counted twice, parts exceed the run."""
    report = measured(700 * US, between_ns=60 * US, waiting_ns=600 * US, unprofiled_ns=500 * US)
    found = layer_sum(replace(report, profiling=replace(report.profiling, at_full_speed=False)))
    assert found.rest_ns == 0
    assert found.layers_ns + found.inserted_ns + found.between_ns + found.slowed_ns == 1000 * US


def test_layers_that_take_longer_than_the_latency_are_told_as_shares_only():
    report = measured(1500 * US, 100 * US)
    assert shares_only(report)
    assert "more than the latency" in str(sum_sentence(report))
    (caution,) = cautions(report)
    assert str(caution).startswith("Compare layers by their shares")


def test_a_profiler_that_costs_more_than_the_kernels_leaves_shares_only():
    fine = measured(800 * US, kernel_profiler_ns=899 * US)
    assert not shares_only(fine)
    assert not cautions(fine)
    assert shares_only(measured(800 * US, kernel_profiler_ns=901 * US))


def test_reports_that_do_not_say_what_was_profiled_have_no_sum():
    report = replace(measured(800 * US), profiling=Profiling())
    assert layer_sum(report) is None
    assert sum_sentence(report) is None


@pytest.mark.parametrize(("high_us", "ranked"), [(590, True), (900, False)])
def test_layers_with_wide_intervals_are_not_ranked(high_us, ranked):
    spread = TimeSpread(300 * US, 1000 * US, 350 * US, high_us * US, 20, 0)
    report = measured(500 * US, spread=spread)
    assert bool(unranked(report)) is not ranked
    assert any("the times of 1 layer" in str(text) for text in cautions(report)) is not ranked


def test_layers_within_a_few_ticks_of_the_profilers_clock_are_not_ranked():
    assert "whole microseconds" in str(why_unranked(measured(2900, 2900)))
    assert not unranked(measured(3100, 3100))


def test_which_predictions_layer_times_are_from_is_told():
    report = measured(500 * US)
    busy = replace(report, profiling=replace(report.profiling, at_full_speed=False))
    assert str(selection_text(report)) == "Median of 20 profiled runs."
    assert str(selection_text(busy)).startswith("Lower quartile of 20 profiled runs")
    assert (report.profiling.time_title, busy.profiling.time_title) == (
        "Median",
        "25th percentile",
    )
    # Operator types add up the same times, so their column is named after them.
    assert (report.profiling.sum_title, busy.profiling.sum_title) == (
        "Sum of medians",
        "Sum of 25th percentiles",
    )


def test_layers_timed_alone_are_told_as_such_and_not_as_profiled_runs():
    report = measured(500 * US)
    device = next(layer.ran_on for layer in report.layers if layer.time_ns) or ""
    alone = replace(report, layer_timing={device: SYNCHRONIZED})
    assert str(selection_text(alone)) == "Median of 5 runs of each layer alone."
    first, *rest = report.layers
    both = replace(alone, layers=(first, replace(first, index=99, ran_on="other"), *rest))
    assert str(selection_text(both)) == (
        "Median of 5 runs of each layer alone on "
        f"{units.device(device)}; elsewhere: Median of 20 profiled runs."
    )


def test_an_interval_says_why_a_layer_is_noisy():
    scattered = TimeSpread(400 * US, 9000 * US, 450 * US, 550 * US, 20, 2)
    words = str(interval_label(use(0, 500 * US, scattered)))
    assert words == (
        "95% CI: 450 µs to 550 µs. Noisy: 2 of 20 runs took over 3 times the median."
    )
    apart = TimeSpread(40 * US, 200 * US, 45 * US, 55 * US, 80, 0, 48 * US, 190 * US)
    assert apart.noisy
    told = str(interval_label(use(0, 48 * US, apart)))
    assert "Varies between sessions: 48.0 µs to 190 µs." in told
    quiet = TimeSpread(400 * US, 600 * US, 450 * US, 550 * US, 21, 1)
    assert str(interval_label(use(0, 500 * US, quiet))) == "95% CI: 450 µs to 550 µs."
    short = TimeSpread(80, 6_000, 100, 100, runs=50)
    assert str(interval_label(use(0, 100, short), US)) == (
        "Too short to time: the profiler counts in steps of 1.00 µs."
    )


def test_layers_of_a_busy_machine_are_said_to_differ_from_those_of_an_idle_one():
    report = measured(500 * US)
    busy = replace(report, profiling=replace(report.profiling, at_full_speed=False))
    assert not cautions(report)
    (caution,) = cautions(busy)
    assert str(caution).startswith(
        "The CPU was busy or throttled: layer times are those of the fastest runs"
    )
    assert not cautions(replace(busy, spec=RunSpec(threads=1)))
