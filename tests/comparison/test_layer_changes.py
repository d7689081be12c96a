from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from inspector.comparison.comparison import Comparison, compare
from inspector.comparison.layer_changes import Change
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.wording.support_marks import Status
from tests.reports import CPU, GPU, example_report

RUNS = 10


def use(index: int, name: str, operator: str = "Conv", **more: Any) -> LayerUse:
    return replace(LayerUse(index, name, operator, Status.EXECUTED, CPU, None), **more)


def measured(model: str, *layers: LayerUse, **times_us: float) -> PerformanceReport:
    """A report in which named layers took so long, give or take 1%, and nothing else did."""
    random, builder = np.random.default_rng(len(model)), TraceBuilder()
    known = {layer.name: layer for layer in layers}
    at = 0
    for run in range(RUNS):
        for name, us in times_us.items():
            took = int(1000 * us * random.normal(1, 0.01))
            builder.add(
                Track(Lane.COMPUTE, "CPU", CPU, "cpu"), name, at, took, kind=Kind.KERNEL,
                run=run, layer=known[name].index,
            )  # fmt: skip
            at += took
    timed = (
        replace(layer, time_ns=int(1000 * times_us[layer.name]))
        if layer.name in times_us
        else layer
        for layer in layers
    )
    whole = 1000 * sum(times_us.values()) * random.normal(1, 0.01, 200)
    report = example_report()
    return replace(
        report,
        prediction_ns=tuple(whole.astype(int).tolist()),
        prediction_cpu_ns=tuple(whole.astype(int).tolist()),
        model=replace(report.model, sha256=model),
        layers=tuple(timed),
        trace=builder.trace(),
    )


def block(found: Comparison, name: str) -> Any:
    (layer,) = (layer for layer in found.layers if layer.name == name)
    return found.blocks[layer.block]


def fused(index: int, name: str, into: int, operator: str = "Relu") -> LayerUse:
    return use(index, name, operator, status=Status.FUSED, ran_on=None, into=into)


def test_layers_that_share_a_time_anywhere_are_one_block():
    together = measured("a", use(0, "conv"), fused(1, "relu", 0), conv=90)
    apart = measured("a", use(0, "conv"), use(1, "relu", "Relu"), conv=80, relu=60)
    found = compare([together, apart])
    assert block(found, "relu") is block(found, "conv")
    assert block(found, "conv").time_ns == (90_000, 140_000)
    assert block(found, "conv").changes == (Change.SAME, Change.SLOWER)
    assert found.lists[1].slower == (0,)


def test_the_time_of_conversions_counts_for_the_layer_they_serve():
    plain = measured("a", use(0, "conv"), conv=50)
    casts = measured(
        "b", use(0, "in", "Cast"), use(1, "conv", reads=(0,)), conv=20, **{"in": 40}
    )
    found = compare([plain, casts])
    assert block(found, "conv").time_ns == (50_000, 60_000)
    assert [found.layers[place].name for place in found.lists[1].new] == ["in"]
    cell = found.layers[found.lists[1].new[0]].cells[1]
    assert found.layers[cell.serves or 0].name == "conv"


def test_a_layer_that_is_gone_is_counted_to_the_one_that_makes_its_output_now():
    plain = measured(
        "a",
        use(0, "conv", value="c"),
        use(1, "bn", "BatchNormalization", reads=(0,), value="b"),
        use(2, "relu", "Relu", reads=(1,), value="r"),
        conv=50, bn=10, relu=20,
    )  # fmt: skip
    folded = measured("b", use(0, "conv", value="r"), conv=55)
    found = compare([plain, folded])
    assert len(found.blocks) == 1
    assert found.blocks[0].time_ns == (80_000, 55_000)
    assert [found.layers[place].name for place in found.lists[1].gone] == ["bn", "relu"]


def test_small_differences_are_none():
    one = measured("a", use(0, "conv"), use(1, "b"), conv=100, b=100)
    two = measured("a", use(0, "conv"), use(1, "b"), conv=103, b=150)
    found = compare([one, two])
    assert [made.changes[1] for made in found.blocks] == [Change.SAME, Change.SLOWER]
    assert compare([two, one]).lists[1].faster == (1,)


def test_few_profiled_predictions_decide_nothing():
    found = compare([example_report(), example_report()])
    assert {made.changes[1] for made in found.blocks} <= {Change.UNDECIDED, Change.NONE}


@pytest.mark.parametrize(("one", "other", "moved"), [(CPU, GPU, 1), (CPU, CPU, 0)])
def test_a_layer_that_runs_elsewhere_has_moved(one, other, moved):
    first = measured("a", use(0, "conv", ran_on=one), fused(1, "relu", 0), conv=90)
    second = measured("a", use(0, "conv", ran_on=other), fused(1, "relu", 0), conv=90)
    assert len(compare([first, second]).lists[1].moved) == moved


def test_layers_are_counted_by_the_types_they_computed_in():
    one = measured("a", use(0, "x", computed_in="float32"), fused(1, "y", 0), x=5)
    two = measured(
        "b", use(0, "x", computed_in="uint8"), use(1, "y", "Relu", computed_in="int8"), x=5, y=5
    )
    found = compare([one, two]).transitions[1]
    assert found.first == ("float32",)
    assert dict(zip(found.other, found.counts[0], strict=True)) == {"uint8": 1, "int8": 1}


def test_layers_are_not_told_apart_where_the_pace_was_not_the_same():
    def at_pace(report: PerformanceReport, probe_ns: int) -> PerformanceReport:
        pace = CpuSpeed((probe_ns,) * 31, tuple(range(0, 310, 10)))
        wall = (1_000_000,) * 300
        return replace(
            report, spec=RunSpec(threads=1), pace=pace, prediction_ns=wall,
            prediction_cpu_ns=wall,
        )  # fmt: skip

    first = at_pace(measured("a", use(0, "conv"), use(1, "add", "Add"), conv=50, add=9), 4000)
    other = measured("a", use(0, "conv"), use(1, "add", "Add"), conv=80, add=9)
    assert compare([first, at_pace(other, 4100)]).lists[1].slower == (0,)
    never = compare([first, at_pace(other, 6400)])
    assert never.lists[1].slower == ()
    assert block(never, "conv").changes[1] is Change.PACE
    assert block(never, "add").changes[1] in (Change.SAME, Change.NOISY)


def test_the_times_of_all_starts_are_told_and_judged():
    layers = use(0, "conv"), use(1, "b"), use(2, "c")
    one = measured("a", *layers, conv=100, b=100, c=100)
    starts = tuple((100_000 + n, 100_000 - n, 100_000) for n in range(0, 5000, 1000))
    first = replace(one, start_layers_ns=starts)
    other = replace(one, start_layers_ns=tuple((c, 5 * b // 4, x) for c, b, x in starts))
    found = compare([first, other])
    assert block(found, "b").time_ns == (97_990, 122_487)
    assert found.lists[1].slower == (1,)
    damaged = replace(other, start_layers_ns=((1, 2), (3, 4)))
    assert compare([first, damaged]).lists[1].slower == ()
