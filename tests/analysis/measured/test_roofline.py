from dataclasses import replace

import pytest

from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.measured.roofline_points import (
    ceilings,
    limit_text,
    points,
    rate,
    sentences,
)
from inspector.report.layer_timing import TimeSpread
from inspector.report.report import SYNCHRONIZED, PerformanceReport
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from tests.reports import CPU, GPU, example_report

CEILINGS = (
    Ceiling(CPU, "float32", 1, 100e9, 10e9, "2026-01-02T03:04:05+00:00"),
    Ceiling(GPU, "float32", 1, 1000e9, 100e9, "2026-01-02T03:04:05+00:00"),
)


def with_work(*work: LayerWork) -> PerformanceReport:
    return example_report(roofline=Roofline(CEILINGS, work))


def timed(report: PerformanceReport, ns: int) -> PerformanceReport:
    """Layer 0 with so much time, layer 1 fused into it."""
    first, second, *rest = report.layers
    first = replace(first, time_ns=ns, ran_on=CPU, into=None, reads=(), computed_in="float32")
    second = replace(second, time_ns=None, ran_on=None, into=0, reads=(0,))
    return replace(report, layers=(first, second, *rest))


def test_a_fused_group_has_one_point_and_its_inner_tensor_is_not_moved():
    report = timed(with_work(LayerWork(0, 9000, 300, 100), LayerWork(1, 1000, 200, 100)), 1000)
    report = replace(
        report,
        layers=(*report.layers[:2], *(replace(r, reads=(1,)) for r in report.layers[2:])),
    )
    (point,) = points(report)
    assert point.operations == 10_000
    assert point.moved_bytes == 300
    assert point.operations_per_second == 10e9
    assert point.bytes_per_second == pytest.approx(0.3e9)


@pytest.mark.parametrize(
    ("operations", "moved", "bound", "share"),
    [
        (100_000, 1_000, "compute", 1.0),
        (1_000, 10_000, "memory", 1.0),
        (0, 5_000, "memory", 0.5),
    ],
)
def test_a_layer_is_held_against_the_ceiling_it_meets_first(operations, moved, bound, share):
    work = (LayerWork(0, operations, moved), LayerWork(1, 0, 0))
    (point,) = points(timed(with_work(*work), 1000))
    assert point.bound == bound
    assert point.share == pytest.approx(share)


@pytest.mark.parametrize(("ns", "told"), [(1000, False), (500, True)])
def test_a_layer_faster_than_the_measured_peak_is_the_peak(ns, told):
    work = (LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0))
    report = timed(with_work(*work), ns)
    said = sentences(report)
    assert any("taken as the peak" in sentence for sentence in said) == told
    assert any("layers reach 100% of their" in sentence for sentence in said)
    assert ceilings(report)[0].operations_per_second == pytest.approx(1e14 / ns)
    assert ceilings(report)[1] == CEILINGS[1]


@pytest.mark.parametrize(("size", "raised"), [(1 << 27, True), (1 << 20, False)])
def test_traffic_that_no_cache_holds_raises_the_bandwidth(size, raised):
    ns = round(size / 40)  # at 40 GB/s, where 10 GB/s were measured
    report = timed(with_work(LayerWork(0, size // 100, size), LayerWork(1, 0, 0)), ns)
    widest = ceilings(report)[0].bytes_per_second
    assert widest == pytest.approx(size * 1e9 / ns if raised else 10e9)
    (point,) = points(report)
    assert point.bound == ("memory" if raised else "cache")
    said = [sentence for sentence in sentences(report) if "taken as the peak" in sentence]
    assert bool(said) == raised
    assert all("memory bandwidth measured on its own (10.0 GB/s)" in each for each in said)


def test_a_ceiling_that_was_measured_beside_load_is_a_lower_bound():
    """Shares are the most that layers reach; near its ridge they may lie on either side."""
    size = 1 << 27
    for gigabytes, intensity, bound, certain in (
        (9.3, 0.01, "memory", True),  # 10 were measured
        (40, 0.01, "memory", True),
        (5, 5.5, "memory", False),  # the ridge is at 10
        (2, 15, "compute", False),
        (2, 30, "compute", True),
    ):
        work = (LayerWork(0, round(intensity * size), size), LayerWork(1, 0, 0))
        busy = Roofline((replace(CEILINGS[0], busy=True), CEILINGS[1]), work)
        report = replace(timed(with_work(*work), round(size / gigabytes)), roofline=busy)
        (point,) = points(report)
        assert (point.bound, point.is_certain) == (bound, certain)
        assert "at most" in limit_text(report, report.layers[0])
        said = sentences(report)
        assert "at least" in said[0]
        assert "at most" in said[-1]


def test_a_few_steps_of_the_clock_make_no_peak():
    report = timed(with_work(LayerWork(0, 8_000_000, 80_000), LayerWork(1, 0, 0)), 40_000)
    coarse = replace(report, profiling=replace(report.profiling, runs=20))
    assert ceilings(coarse) == CEILINGS
    assert points(coarse)[0].share == 1.0
    assert points(timed(coarse, 500)) == (), "no rate can be made of less than a step"


def test_what_limits_layers_too_short_to_time_is_said_nowhere():
    """Neither by the bottleneck nor by the roofline, which must not contradict each other."""
    report = timed(with_work(LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0)), 1500)
    layers = (report.layers[0], *(replace(x, time_ns=None) for x in report.layers[1:]))
    assert len(points(replace(report, layers=layers))) == 1, "a profiler with a fine clock"
    coarse = replace(report.profiling, runs=20)
    short = replace(report, layers=layers, profiling=coarse)
    assert points(short) == ()
    assert limit_text(short, short.layers[0]) == ""
    assert bottleneck(short).unknown == sentences(short)[-1]


@pytest.mark.parametrize(
    ("operations", "bound", "share"),
    [(20_000, "cache", 0.2), (60_000, "compute", 0.6), (0, "cache", 0.0)],
)
def test_bytes_faster_than_memory_come_from_caches(operations, bound, share):
    report = timed(with_work(LayerWork(0, operations, 20_000), LayerWork(1, 0, 0)), 1000)
    (point,) = points(report)
    assert (point.bound, point.share) == (bound, pytest.approx(share))
    if bound == "cache":
        assert limit_text(report, report.layers[0]).startswith("Limited by caches: ")


def test_layers_whose_work_is_not_known_have_no_point():
    assert points(timed(with_work(LayerWork(0, 100, 100)), 1000)) == ()
    assert points(example_report()) == ()
    assert sentences(example_report()) == ()


def test_the_ceilings_are_told_with_when_and_where():
    report = timed(with_work(LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0)), 1000)
    said = sentences(report)
    assert said[0] == (
        "CPU peak, float32: 100 GFLOP/s and 10.0 GB/s with 1 thread, measured 2026-01-02. "
        "Layers below 10 FLOP/byte are limited by memory bandwidth unless caches feed them, "
        "others by compute."
    )
    assert "compute 0%, not known 100%" in said[2]
    busy = replace(report, roofline=Roofline((replace(CEILINGS[0], busy=True),), ()))
    assert "busy at the last try (2026-01-02" in sentences(busy)[0]
    kept = replace(CEILINGS[0], busy=True, kept=True)
    again = replace(report, roofline=Roofline((kept,), ()))
    assert "gave no higher rates" in sentences(again)[0]


def test_rates_have_prefixes():
    assert rate(1.25e12, "FLOP/s") == "1.25 TFLOP/s"
    assert rate(9.6e9, "B/s") == "9.60 GB/s"
    assert rate(12, "B/s") == "12.0 B/s"


WORK = (LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0))


@pytest.mark.parametrize(
    ("computed_in", "executed_as", "held"),
    [
        ("float32", "Conv", "float32"),
        ("uint8", "MaxPool", "int8"),
        ("float32", "QLinearSoftmax", "int8"),
        ("float32", "MatMulIntegerToFloat", "int8"),
        ("float32", "MatMulNBits", ""),
        ("float16", "Conv", ""),
        ("", "Conv", ""),
    ],
)
def test_a_layer_is_held_against_the_ceiling_of_its_own_type(computed_in, executed_as, held):
    report = timed(with_work(*WORK), 1000)
    layer = replace(report.layers[0], computed_in=computed_in, executed_as=executed_as)
    whole = replace(CEILINGS[0], dtype="int8", operations_per_second=400e9)
    report = replace(
        report,
        layers=(layer, *report.layers[1:]),
        roofline=Roofline((CEILINGS[0], whole), WORK),
    )
    assert [point.ceiling.dtype for point in points(report)] == ([held] if held else [])


def test_a_layer_that_only_moves_numbers_needs_no_ceiling_of_its_type():
    report = timed(with_work(LayerWork(0, 0, 1_000), LayerWork(1, 0, 0)), 1000)
    layer = replace(report.layers[0], computed_in="int64")
    (point,) = points(replace(report, layers=(layer, *report.layers[1:])))
    assert point.bound == "memory"


def with_spread(report: PerformanceReport, spread: TimeSpread) -> PerformanceReport:
    first, *rest = report.layers
    return replace(report, layers=(replace(first, spread=spread), *rest))


def test_noisy_layers_are_marked_and_left_out_of_the_summary():
    report = timed(with_work(LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0)), 1000)
    assert any("of their roofline limit" in sentence for sentence in sentences(report))
    noisy = with_spread(report, TimeSpread(1000, 9000, 900, 1100, 20, 5))
    assert [point.noisy for point in points(noisy)] == [True]
    assert sentences(noisy)[-1] != sentences(report)[-1]
    assert not any("of their roofline limit" in sentence for sentence in sentences(noisy))


def test_nothing_is_summed_up_of_layers_that_are_not_ranked():
    report = timed(with_work(LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0)), 900_000_000)
    unsure = with_spread(report, TimeSpread(1, 9 * 10**8, 1, 9 * 10**8, 20, 0))
    assert any("of their roofline limit" in sentence for sentence in sentences(report))
    assert "too uncertain" in sentences(unsure)[-1]


def test_a_time_with_a_round_trip_to_the_device_has_no_point():
    report = timed(with_work(LayerWork(0, 100_000, 1_000), LayerWork(1, 0, 0)), 1000)
    assert points(report)
    assert not points(replace(report, layer_timing={CPU: SYNCHRONIZED}))


@pytest.mark.parametrize(
    ("operations", "moved", "words"),
    [
        (
            50_000,
            1_000,
            "Limited by compute: 50.0 FLOP/byte with its fused layers, reaches 50% of",
        ),
        (
            1_000,
            9_000,
            "Limited by memory: 0.111 FLOP/byte with its fused layers, reaches 90% of",
        ),
        (1_000, 500, "Limited by overhead: reaches 5% of the memory bandwidth"),
        (
            200_000,
            1_000,
            "Limited by compute: 200 FLOP/byte with its fused layers, reaches 100% of",
        ),
    ],
)
def test_a_layer_says_what_limits_it(operations, moved, words):
    work = (LayerWork(0, operations, moved), LayerWork(1, 0, 0))
    report = timed(with_work(*work), 1000)
    assert limit_text(report, report.layers[0]).startswith(words)
    assert limit_text(report, report.layers[1]) == ""


def test_what_other_programs_took_is_no_overhead_of_a_layer():
    report = timed(with_work(LayerWork(0, 1_000, 500), LayerWork(1, 0, 0)), 1000)
    for others, limit in ((0.3, "overhead"), (0.9, "memory")):
        beside = replace(report, surroundings=replace(report.surroundings, others=others))
        assert limit_text(beside, report.layers[0]).startswith(f"Limited by {limit}")
