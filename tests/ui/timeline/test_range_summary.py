from dataclasses import replace

from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import build_level_of_detail
from inspector.ui.timeline.widget.range_summary import statistics
from tests.reports import example_report


def test_the_sum_of_a_stretch_is_of_the_parts_that_lie_in_it():
    build = TraceBuilder()
    cpu = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
    build.add(cpu, "one", 0, 100, Kind.KERNEL)
    build.add(cpu, "two", 200, 100, Kind.KERNEL)
    trace = build.trace()
    found = statistics(
        replace(example_report(), trace=trace), build_level_of_detail(trace), 50, 220
    )
    assert (found.count, found.sum_ns, found.mean_ns) == (2, 50 + 20, 100)
    assert found.tracks[0].busy_ns == found.sum_ns


def test_a_span_that_reaches_into_the_stretch_counts_and_one_that_ends_before_does_not():
    build = TraceBuilder()
    cpu = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
    build.add(cpu, "before", 0, 40, Kind.KERNEL)
    build.add(cpu, "into", 45, 55, Kind.KERNEL)
    build.add(cpu, "after", 120, 10, Kind.KERNEL)
    trace = build.trace()
    report = replace(example_report(), trace=trace)
    counts = {
        (begin, end): statistics(report, build_level_of_detail(trace), begin, end).count
        for begin, end in ((20, 30), (42, 44), (42, 46), (60, 110), (100, 119), (60, 121))
    }
    assert list(counts.values()) == [1, 0, 1, 1, 0, 2]
