"""Numbers in our own files are in range, or the file is refused in one sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from inspector.errors import UnreadableFile
from inspector.report import report, sweep, tuning
from inspector.report.layer_timing import Profiling
from inspector.report.report import PerformanceReport, TurnOrder
from inspector.report.roofline import Ceiling, LayerWork, Roofline
from inspector.report.saved_json import MOST
from inspector.report.sweep import MODEL, Axis, Sweep
from inspector.report.tuning import InterleavedStart, Tuning
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report
from tests.sweeps import model, planned

Change = Callable[[PerformanceReport], PerformanceReport]


def layer(**changes: Any) -> Change:
    return lambda one: replace(one, layers=(replace(one.layers[0], **changes), *one.layers[1:]))


def node(**changes: Any) -> Change:
    return lambda one: replace(one, inserted=(replace(one.inserted[0], **changes),))


def other(**changes: Any) -> Change:
    return lambda one: replace(one, **changes)


@pytest.mark.parametrize(
    "change",
    [
        layer(index=2**62), layer(index=1), layer(into=99), layer(parent=-1),
        layer(reads=(99,)),
        layer(time_ns=MOST + 1), node(after=99), node(before=-5), node(time_ns=-1),
        other(turns=TurnOrder("a", (0, 1), (3,))), other(turns=TurnOrder("a", (0,), (2**40,))),
        other(start_lengths=(10**9, 3)), other(pace=CpuSpeed((5, 5), (0, 2**61))),
        other(pace=CpuSpeed((5,), (0, 1))),
        other(profiling=Profiling(3, (0, 3))),
        other(roofline=Roofline((), (LayerWork(99, 1, 1),))),
        other(roofline=Roofline((Ceiling("cpu", "float32", 0, 1e9, 0.0),))),
        other(start_layers_ns=((-3,),)), other(notes=(5,)), other(memory=None),
    ],
)  # fmt: skip
def test_a_report_with_an_impossible_number_is_refused(change):
    damaged = change(example_report())
    with pytest.raises(UnreadableFile, match="it is not a complete report") as no:
        report.from_json(report.to_json(damaged), "x.json")
    assert no.value.hint == "Save the report again."
    assert len(str(no.value)) < 400


@pytest.mark.parametrize(("column", "value"), [("layer", 99), ("run", 2**30)])
def test_spans_of_layers_and_predictions_that_are_not_there_are_refused(column, value):
    body = msgspec.json.decode(report.to_json(example_report()))
    body["trace"][column][0] = value
    with pytest.raises(
        UnreadableFile, match=f"a span refers to {column} {value}, but there are"
    ):
        report.from_json(msgspec.json.encode(body), "x.json")


def test_what_is_in_range_is_as_it_was():
    whole = example_report()
    again = report.from_json(report.to_json(whole), "x.json")
    assert report.to_json(again) == report.to_json(whole)


@pytest.mark.parametrize(
    "change",
    [
        {"axes": tuple(Axis(f"dim:{n}", (1, 2)) for n in range(100))},  # 2^100 cells
        {"axes": (Axis("threads", ("many", 1, 2)), Axis("optimization", ("none", "all")))},
        {"axes": (Axis("nothing", (0, 1, 2)), Axis("optimization", ("none", "all")))},
        {"axes": (Axis(MODEL, ("a", "b", "c")), Axis("optimization", ("none", "all")))},
        {"rounds": MOST}, {"rounds": -1}, {"models": ()},
        {"models": (replace(model(), size_bytes=-1),)},
    ],
)  # fmt: skip
def test_a_sweep_with_impossible_axes_or_counts_is_refused(change):
    damaged: Sweep = replace(planned(), **change)
    with pytest.raises(UnreadableFile, match="it is not a complete sweep"):
        sweep.from_json(sweep.to_json(damaged), "x.json")


@pytest.mark.parametrize("ratio", [0.0, -1.0, 1e30])
def test_a_tuning_with_an_impossible_ratio_is_refused(ratio):
    body = msgspec.json.decode(tuning.to_json(Tuning(model(), planned().spec)))
    estimate = {"ratio": ratio, "error": 0.1, "filter": "all", "first_ns": 5.0}
    body["starts"] = msgspec.to_builtins((InterleavedStart(()),))
    body["starts"][0]["estimates"] = [estimate]
    with pytest.raises(UnreadableFile, match=r"its starts\.estimates\.ratio is"):
        tuning.from_json(msgspec.json.encode(body), "x.json")
