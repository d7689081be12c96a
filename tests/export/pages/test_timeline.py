import pytest
from inspector.export.pages.html import (
    BAR_PX,
    CELLS,
    MOST_ROWS,
    Stretch,
    Strip,
    stretch,
)

from inspector.report.report import PerformanceReport
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import example_report

CPU = Track(Lane.COMPUTE, "CPU", "cpu")


def drawn(report: PerformanceReport) -> Stretch:
    found = stretch(report)
    assert found is not None
    return found


def strip(name: str, report: PerformanceReport | None = None) -> Strip:
    return next(s for s in drawn(report or example_report()).strips if s.name == name)


def kernels(*spans: tuple[int, int]) -> PerformanceReport:
    build = TraceBuilder()
    for start, duration in spans:
        build.add(CPU, "block/conv", start, duration, Kind.KERNEL, 0, run=0)
    return example_report(trace=build.trace())


def test_the_prediction_of_middle_length_is_shown_whole() -> None:
    build = TraceBuilder()
    for run, (start, duration) in enumerate([(0, 900), (1000, 500), (2000, 700)]):
        build.add(CPU, f"run {run}", start, duration, Kind.KERNEL, run=run)
    found = drawn(example_report(trace=build.trace()))
    assert (found.run, found.runs, found.length_ns) == (3, 3, 700)
    (box,) = found.strips[0].boxes
    assert box.width == pytest.approx(98, abs=0.5)
    assert box.left == pytest.approx(1, abs=0.3)


def test_every_box_and_mark_lies_inside() -> None:
    found = drawn(example_report())
    for lane in found.strips:
        for box in lane.boxes:
            assert 0 < box.left < box.left + box.width < 100
            assert 0 <= box.top <= box.top + box.height <= lane.height
    places = [tick.at for tick in found.ticks]
    assert places == sorted(places)
    assert len(places) > 4


def test_a_mark_stands_where_its_time_is() -> None:
    found = drawn(kernels((0, 1_000_000), (1_000_000, 1_000_000)))
    middle = next(tick for tick in found.ticks if tick.text == "1 ms")
    assert middle.at == pytest.approx(found.strips[0].boxes[1].left, abs=0.01)


def test_copies_are_hatched_and_checks_are_plain() -> None:
    looks = {box.title.partition(":")[0]: box.look for box in strip("Data").boxes}
    assert looks["bind data"] == looks["to_nhwc"] == "copy"
    assert looks["check inputs"] == ""


def test_a_partition_is_a_bar_above_its_kernels() -> None:
    bars = [box for box in strip("GPU").boxes if box.look == "partition"]
    others = [box for box in strip("GPU").boxes if box.look != "partition"]
    assert {box.height for box in bars} == {BAR_PX}
    assert min(box.top for box in others) > BAR_PX
    assert not any(box.label for box in bars)


def test_what_runs_inside_lies_below_in_a_lighter_colour() -> None:
    outer, *inner = strip("Activity").boxes
    assert outer.look == ""
    assert {box.look for box in inner} == {"inner"}
    assert all(box.top > outer.top for box in inner)


def test_labels_are_short_and_only_where_they_fit() -> None:
    boxes = kernels((0, 900), (900, 4), (904, 46), (950, 50))
    wide, narrow, small, _ = strip("CPU", boxes).boxes
    assert (wide.label, narrow.label) == ("conv", "")
    assert 0 < wide.wide < small.wide


def test_of_a_crowd_of_narrow_spans_the_longest_stands_with_their_number() -> None:
    crowd = [(10_000_000 + 20 * i, 10 + (i == 7)) for i in range(100)]
    boxes = strip("CPU", kernels((0, 10_000_000), *crowd)).boxes
    assert len(boxes) == 2
    assert boxes[1].title == "block/conv: kernel, 11.0 ns and 99 more"
    assert boxes[1].solid < 1


def test_a_hundred_thousand_spans_become_a_page_full() -> None:
    spans = [(i * 50, 40) for i in range(100_000)]
    assert len(strip("CPU", kernels(*spans)).boxes) <= CELLS + 30


def test_very_deep_nesting_is_cut() -> None:
    deep = strip("CPU", kernels(*((i, 1000 - 2 * i) for i in range(50))))
    assert len({box.top for box in deep.boxes}) == MOST_ROWS


def test_an_unused_unit_keeps_its_lane() -> None:
    build = TraceBuilder()
    build.track(Track(Lane.COMPUTE, "NPU", "npu:0", "npu"))
    build.add(CPU, "conv", 0, 5, Kind.KERNEL, run=0)
    npu = strip("NPU", example_report(trace=build.trace()))
    assert (npu.boxes, npu.total_ns) == ((), 0)
    assert npu.height > 0


def test_a_trace_without_predictions_has_no_stretch() -> None:
    assert stretch(example_report(trace=TraceBuilder().trace())) is None
