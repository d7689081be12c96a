import numpy as np
import pytest

from inspector.trace.trace import (
    COLUMNS,
    Counter,
    FlowKind,
    Flows,
    Lane,
    Trace,
    Track,
    from_columns,
)
from inspector.trace.trace_builder import TraceBuilder

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
DATA = Track(Lane.DATA, "Data", family="data")


def arrows(trace: Trace) -> set[tuple[str, str]]:
    ends = zip(trace.flows.begin.tolist(), trace.flows.end.tolist(), strict=True)
    return {(trace.span(begin).name, trace.span(end).name) for begin, end in ends}


def joined() -> Trace:
    """Spans put down in another order than that of tracks and time."""
    build = TraceBuilder()
    build.track(DATA)
    late = build.add(CPU, "late", 90, 5)
    early = build.add(CPU, "early", 10, 5)
    copy = build.add(DATA, "copy", 50, 5)
    build.flow(copy, late, FlowKind.FORCED)
    build.flow(early, copy, FlowKind.EVENT)
    for at, value in ((60, 6.0), (10, 1.0), (30, 3.0)):
        build.count("Memory", at, value, "bytes")
    build.moment("half", 50)
    return build.trace(zero_ns=0)


def test_arrows_stay_between_their_spans_when_these_are_sorted():
    trace = joined()
    assert arrows(trace) == {("copy", "late"), ("early", "copy")}
    copy = next(n for n in range(3) if trace.span(n).name == "copy")
    assert len(trace.flows.of(copy)) == 2


def test_of_a_part_only_what_is_whole_in_it_is_left():
    part = joined().within(40, 95)
    assert arrows(part) == {("copy", "late")}
    assert [one.name for one in part.moments] == ["half"]
    (memory,) = part.counters
    assert memory.times_ns.tolist() == [30, 60], "what holds at the begin is needed"
    assert joined().within(60, 95).moments == ()


def test_a_counter_holds_its_value_until_the_next():
    (memory,) = joined().counters
    assert [memory.at(at) for at in (5, 10, 29, 30, 1000)] == [None, 1, 1, 3, 6]


@pytest.mark.parametrize(
    "flows",
    [
        Flows(np.array([0]), np.array([3]), np.array([0])),
        Flows(np.array([-1]), np.array([1]), np.array([0])),
        Flows(np.array([0]), np.array([1]), np.array([9])),
        Flows(np.array([0, 1]), np.array([1]), np.array([0])),
    ],
)
def test_arrows_that_lead_nowhere_are_refused(flows):
    trace = joined()
    columns = {key: getattr(trace, key) for key in COLUMNS}
    with pytest.raises(ValueError, match="flow"):
        from_columns(trace.tracks, trace.names, columns, (), flows)


def test_a_counter_with_too_few_values_is_refused():
    trace = joined()
    columns = {key: getattr(trace, key) for key in COLUMNS}
    odd = Counter("a", "", np.array([1, 2]), np.array([1.0]))
    with pytest.raises(ValueError, match="counter"):
        from_columns(trace.tracks, trace.names, columns, (odd,))
