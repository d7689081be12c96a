"""Every report says what limits the run, with numbers where they are known."""

from dataclasses import replace

import pytest

from inspector.analysis.advice.bottleneck import Bottleneck, bottleneck
from inspector.analysis.measured.roofline_points import limit_text
from inspector.report.layer_timing import TimeSpread
from inspector.report.report import SYNCHRONIZED, PerformanceReport
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.wording.values import Sentence
from tests.page_text import report_text
from tests.reports import CPU, GPU, example_report


def with_times(report: PerformanceReport, times: dict[int, int]) -> PerformanceReport:
    layers = tuple(
        replace(x, time_ns=times.get(x.index), ran_on=GPU, computed_in="float32")
        for x in report.layers
    )
    return replace(report, layers=layers, inserted=(), kernel_ns=sum(times.values()))


def test_the_operator_type_with_most_time_is_named():
    limit = bottleneck(example_report())
    assert str(limit.sentence) == "70% of kernel time is in 6 Conv layers."
    assert (limit.operator, limit.layers[0], limit.peak_share) == ("Conv", 13, None)


def test_a_few_layers_with_nearly_all_of_the_time_are_counted_by_themselves():
    report = with_times(example_report(), {0: 450_000, 2: 450_000, 4: 100_000})
    assert str(bottleneck(report).sentence) == "90% of kernel time is in 2 Conv layers."
    mixed = with_times(example_report(), {0: 500_000, 18: 400_000, 4: 100_000})
    assert str(bottleneck(mixed).sentence) == "90% of kernel time is in 2 layers."


def test_with_a_roofline_it_says_how_near_the_peak_they_are():
    report = with_times(example_report(), {0: 1_000_000, 18: 100_000})
    report = replace(
        report,
        roofline=Roofline(
            (Ceiling(GPU, "float32", 1, 100e9, 10e9),),
            (LayerWork(0, 61_000_000, 1_000), LayerWork(1, 0, 0)),
        ),
    )
    limit = bottleneck(report)
    assert str(limit.sentence) == (
        "91% of kernel time is in stem/conv, limited by compute (61% of the WebGPU's "
        "compute peak of 100 GFLOP/s reached)."
    )
    busy = replace(report.roofline.ceilings[0], busy=True)
    roofline = replace(report.roofline, ceilings=(busy,))
    beside_load = bottleneck(replace(report, roofline=roofline))
    assert str(beside_load.sentence) == (
        "91% of kernel time is in stem/conv, limited by compute (at most 61% of the WebGPU's "
        "compute peak of at least 100 GFLOP/s reached)."
    )
    assert beside_load.peak_is_low
    far = replace(report.roofline.ceilings[0], operations_per_second=200e9)
    assert str(
        bottleneck(replace(report, roofline=replace(roofline, ceilings=(far,)))).sentence
    ).endswith(
        "reached). The kernels leave the rest unused: another runtime, number of threads or "
        "data type may use more."
    )
    at_ridge = (LayerWork(0, 61_000_000, 4_000_000), LayerWork(1, 0, 0))
    near = bottleneck(replace(report, roofline=Roofline((busy,), at_ridge)))
    assert near.probable, "15 FLOP/byte, and the ridge lies between 5 and 20"
    assert "probably limited by compute" in str(near.sentence)
    assert (limit.bound, round(limit.peak_share or 0, 2)) == ("compute", 0.61)


def test_layers_with_different_limits_have_each_the_one_that_their_details_name():
    report = with_times(example_report(), {0: 450_000, 2: 300_000, 4: 250_000})
    work = {0: LayerWork(0, 22_500_000, 1_000), 2: LayerWork(2, 1_000, 2_000_000)}
    work[4] = LayerWork(4, 1_000, 1_500_000)
    silent = (LayerWork(x.index, 0, 0) for x in report.layers if x.index not in work)
    roofline = Roofline((Ceiling(GPU, "float32", 1, 100e9, 10e9),), (*work.values(), *silent))
    limit = bottleneck(replace(report, roofline=roofline))
    assert str(limit.sentence) == (
        "100% of kernel time is in 3 Conv layers, limited by memory (2 layers, 55% of their "
        "time) and compute (1 layer, 45% of their time)."
    )
    report = replace(report, roofline=roofline)
    for place, name in ((0, "compute"), (2, "memory"), (4, "memory")):
        assert limit_text(report, report.layers[place]).startswith(f"Limited by {name}")
    waiting = with_times(report, {0: 45_000_000})
    said, explained, _ = str(bottleneck(waiting).sentence).partition(" Overhead is ")
    assert said.endswith("limited by overhead (0% of the WebGPU's roofline limit reached).")
    assert explained
    assert limit_text(waiting, waiting.layers[0]).startswith("Limited by overhead")


def test_what_cannot_be_told_is_told_to_be_unknown():
    report = example_report()
    shown = str(bottleneck(replace(report, layer_timing={GPU: SYNCHRONIZED})).unknown)
    assert "one at a time" in shown
    bare = replace(report, layers=(), kernel_ns=0)
    assert str(bottleneck(bare).sentence) == "Layer times were not measured."
    unsure = tuple(
        replace(x, spread=TimeSpread(1, 9 * x.time_ns, 1, 9 * x.time_ns, 20))
        if x.time_ns
        else x
        for x in report.layers
    )
    limit = bottleneck(replace(report, layers=unsure))
    assert limit.unknown
    assert not limit.layers
    assert limit.again


def test_a_small_part_outside_of_kernels_without_a_name_is_left_out():
    inside = "80% of kernel time is in 1 Conv layer."
    assert str(Bottleneck("Conv", (1,), share=0.8, outside_share=0.02).sentence) == inside
    part = Sentence("30% of the latency is waiting")
    waiting = Bottleneck("Conv", (1,), share=0.8, outside_share=0.3, outside=part)
    assert str(waiting.sentence) == f"30% of the latency is waiting. {inside}"
    unknown = Bottleneck(outside_share=0.3, outside=part, unknown="Nothing is timed.")
    assert str(unknown.sentence) == "30% of the latency is waiting. Nothing is timed."


def with_profiled_runs(report: PerformanceReport, **profiling: float) -> PerformanceReport:
    layers = tuple(replace(x, ran_on=CPU) for x in report.layers)
    known = replace(
        report.profiling,
        runs=20,
        prediction_ns=report.median_ns,
        at_full_speed=False,
        **profiling,
    )
    return replace(report, layers=layers, profiling=known)


def test_the_runtimes_own_work_between_layers_is_named():
    report = example_report()
    part_ns = round(0.4 * report.median_ns)
    limit = bottleneck(with_profiled_runs(report, between_ns=part_ns))
    assert str(limit.sentence).startswith("40% of the latency is ONNX Runtime's own work")


def test_other_programs_are_named_apart_from_the_limit_of_the_model():
    report = example_report()
    within = "70% of kernel time is in 6 Conv layers."
    little = with_profiled_runs(report, waiting_ns=round(0.1 * report.median_ns))
    assert str(bottleneck(little).sentence) == within
    report = replace(report, prediction_ns=tuple(2 * ns for ns in report.prediction_ns))
    limit = bottleneck(with_profiled_runs(report, waiting_ns=round(0.4 * report.median_ns)))
    assert limit.outside is None
    assert str(limit.sentence) == (
        f"At least 40% of the latency goes to other programs or throttling. {within}"
    )


def test_other_programs_are_named_beside_a_latency_of_runs_that_nothing_slowed():
    runs = [report_ns := example_report().median_ns] * 120 + [4 * report_ns] * 280
    pace = CpuSpeed((4000,) * 12 + (16_000,) * 29, tuple(range(0, 410, 10)), 4000)
    slowed = example_report(prediction_ns=tuple(runs), pace=pace)
    assert slowed.median_ns == report_ns
    told = str(bottleneck(with_profiled_runs(slowed)).sentence)
    assert told.startswith("75% of the median of all runs goes to other programs")


def test_layers_with_uncertain_times_are_named_with_what_they_take_at_least():
    report = with_times(example_report(), {0: 800_000, 2: 100_000, 4: 100_000})
    wide = TimeSpread(1, 2_000_000, 500_000, 1_200_000, 20)
    layers = tuple(replace(x, spread=wide) if x.index == 0 else x for x in report.layers)
    limit = bottleneck(replace(report, layers=layers))
    # 500 of 500 + 100 + 100
    assert limit.least_share == pytest.approx(5 / 7)
    assert limit.share == pytest.approx(0.8)
    assert "80%" in str(limit.sentence)
    assert "71%" in str(limit.sentence)
    assert not limit.again


def test_layers_too_short_to_time_are_limited_by_overhead_where_all_could_be_far_faster():
    report = with_times(example_report(), {0: 900, 2: 900})
    report = replace(report, profiling=replace(report.profiling, runs=20))
    assert "is not known" in str(bottleneck(report).sentence)
    silent = tuple(LayerWork(x.index, 0, 0) for x in report.layers if x.index)
    peak = (Ceiling(GPU, "float32", 1, 100e9, 10e9),)
    for operations, known in ((6_000, True), (60_000, False)):
        work = (LayerWork(0, operations, 10), *silent)
        some = tuple(replace(x, moved_bytes=10) for x in work)
        limit = bottleneck(replace(report, roofline=Roofline(peak, some)))
        told = "instead of 1.80 \u00b5s, so overhead limits them"
        assert (told in str(limit.sentence)) == known
        assert (limit.bound == "overhead") == known


def test_layers_too_short_to_time_are_no_reason_to_measure_again():
    report = example_report()
    report = with_times(replace(report, profiling=replace(report.profiling, runs=20)), {0: 900})
    limit = bottleneck(report)
    assert limit.unknown
    assert not limit.again


def test_the_layer_table_and_the_command_line_name_the_same_limit():
    report = with_times(example_report(), {0: 45_000_000})
    roof = Roofline(
        (Ceiling(GPU, "float32", 1, 100e9, 10e9),),
        tuple(LayerWork(x.index, 1_000, 1_000) for x in report.layers),
    )
    report = replace(report, roofline=roof)
    assert bottleneck(report).bound == "overhead"
    assert any("% " in x and " overhead " in x for x in report_text(report).splitlines())
