from dataclasses import replace

from inspector.detail import detail
from inspector.trace import Kind, Lane, TraceBuilder, Track
from inspector.ui.timeline.range import statistics
from tests.reports import example_report


def test_the_sum_of_a_stretch_is_of_the_parts_that_lie_in_it() -> None:
    build = TraceBuilder()
    cpu = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
    build.add(cpu, "one", 0, 100, Kind.KERNEL)
    build.add(cpu, "two", 200, 100, Kind.KERNEL)
    trace = build.trace()
    found = statistics(replace(example_report(), trace=trace), detail(trace), 50, 220)
    assert (found.count, found.sum_ns, found.mean_ns) == (2, 50 + 20, 100)
    assert found.tracks[0].busy_ns == found.sum_ns
