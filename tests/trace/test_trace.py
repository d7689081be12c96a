from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.trace.trace import (
    COLUMNS,
    Column,
    Counter,
    InstantEvent,
    Kind,
    Lane,
    Trace,
    Track,
    from_columns,
)
from inspector.trace.trace_builder import TraceBuilder

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
GPU = Track(Lane.COMPUTE, "GPU", "webgpu:0", "gpu")
DATA = Track(Lane.DATA, "Data", family="data")
spans = some.lists(
    some.tuples(
        some.sampled_from([CPU, GPU]), some.integers(0, 60), some.integers(0, 40)
    ),
    max_size=25,
)  # fmt: skip


def built(rows: list[tuple[Track, int, int]]) -> Trace:
    build = TraceBuilder()
    for track, start, duration in rows:
        build.add(track, f"{start}+{duration}", start, duration, Kind.KERNEL)
    return build.trace(zero_ns=0)


def columns_of(trace: Trace) -> dict[str, Column]:
    return {key: getattr(trace, key) for key in COLUMNS}


@given(spans)
def test_spans_of_one_track_and_depth_never_overlap(rows):
    trace = built(rows)
    found = [trace.span(i) for i in range(len(trace))]
    assert len(found) == len(rows)
    for one, next_one in pairwise(found):
        if (one.track, one.depth) == (next_one.track, next_one.depth):
            assert one.start_ns + one.duration_ns <= next_one.start_ns


@given(spans)
def test_a_span_lies_deeper_than_every_span_that_holds_it(rows):
    trace = built(rows)
    found = [trace.span(i) for i in range(len(trace))]
    for outer in found:
        for inner in found:
            held = outer.start_ns <= inner.start_ns and (
                inner.start_ns + inner.duration_ns < outer.start_ns + outer.duration_ns
            )
            if outer.track == inner.track and held and inner.duration_ns:
                assert inner.depth > outer.depth


@given(spans)
def test_self_times_of_a_nested_track_add_up_to_the_outermost_spans(rows):
    trace = built(rows)
    own = trace.self_ns()
    assert (own <= trace.duration_ns).all()
    nested = all(
        start + duration <= other_start
        or other_start + other <= start
        or (start <= other_start and other_start + other <= start + duration)
        or (other_start <= start and start + duration <= other_start + other)
        for track, start, duration in rows
        for other_track, other_start, other in rows
        if track == other_track
    )
    if nested:
        assert own.sum() == trace.duration_ns[trace.depth == 0].sum()


def test_self_time_leaves_out_what_runs_inside():
    trace = built([(CPU, 0, 100), (CPU, 10, 30), (CPU, 50, 20), (CPU, 55, 5), (GPU, 0, 100)])
    by_name = dict(zip((trace.names[n] for n in trace.name), trace.self_ns(), strict=True))
    assert by_name["10+30"] == 30
    assert by_name["50+20"] == 15
    assert trace.self_ns()[0] == 50
    assert trace.self_ns()[-1] == 100


def test_what_only_overlaps_is_not_inside():
    trace = built([(CPU, 0, 10), (CPU, 5, 10), (CPU, 12, 10), (CPU, 13, 1)])
    assert trace.self_ns().tolist() == [10, 10, 9, 1]
    assert trace.depth.tolist() == [0, 0, 1, 2]


def test_spans_that_only_touch_lie_side_by_side():
    assert built([(CPU, 0, 10), (CPU, 10, 5), (CPU, 15, 5)]).depth.tolist() == [0, 0, 0]


def test_a_deeper_span_before_every_other_takes_time_from_none():
    trace = built([(CPU, 0, 5), (CPU, 50, 5)])
    odd: dict[str, Column] = columns_of(trace) | {"depth": np.array([1, 0])}
    assert from_columns(trace.tracks, trace.names, odd).self_ns().tolist() == [5, 5]


def test_times_count_from_the_first_start():
    build = TraceBuilder()
    build.add(CPU, "late", 1_500, 10)
    build.add(CPU, "early", 1_000, 10)
    trace = build.trace()
    assert trace.start_ns.tolist() == [0, 500]
    assert trace.end_ns == 510


def test_tracks_keep_the_order_they_were_announced_in_even_unused():
    build = TraceBuilder()
    build.track(DATA)
    build.track(GPU)
    build.add(CPU, "conv", 0, 5)
    build.add(GPU, "relu", 0, 5)
    assert build.trace().tracks == (DATA, GPU, CPU)


def test_an_empty_trace_is_a_trace():
    trace = TraceBuilder().trace()
    assert len(trace) == 0
    assert trace.end_ns == 0
    assert len(trace.self_ns()) == 0


def test_a_trace_of_instants_alone_begins_at_zero():
    build = TraceBuilder()
    build.moment("loaded", 5)
    assert build.earliest_ns == 0
    assert [(moment.time_ns, moment.name) for moment in build.trace().moments] == [
        (5, "loaded")
    ]


def test_a_span_tells_all_about_itself():
    build = TraceBuilder()
    build.add(DATA, "to host", 5, 7, Kind.COPY, layer=3, run=1, size_bytes=64)
    build.add(DATA, "check", 20, 1, Kind.CHECK)
    copy, check = (build.trace().span(i) for i in range(2))
    assert (copy.name, copy.kind, copy.track) == ("to host", Kind.COPY, DATA)
    assert (copy.start_ns, copy.duration_ns, copy.size_bytes) == (0, 7, 64)
    assert (copy.layer, copy.run, check.layer, check.run) == (3, 1, None, None)


def test_a_negative_length_counts_as_none():
    assert built([(CPU, 5, -3)]).duration_ns.tolist() == [0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("track", 2), ("track", -1), ("name", 9), ("kind", 99), ("depth", -1), ("depth", 5000),
        ("layer", 1 << 31), ("run", -2), ("duration_ns", -1), ("start_ns", 1 << 62),
    ],
)  # fmt: skip
def test_columns_that_point_outside_are_refused(key, value):
    trace = built([(CPU, 0, 5), (GPU, 2, 5)])
    damaged = columns_of(trace) | {key: np.array([0, value])}
    with pytest.raises(ValueError, match=key):
        from_columns(trace.tracks, trace.names, damaged)


def test_columns_of_different_length_are_refused():
    trace = built([(CPU, 0, 5), (GPU, 2, 5)])
    with pytest.raises(ValueError, match="differ in length"):
        from_columns(trace.tracks, trace.names, columns_of(trace) | {"run": [1]})


def test_a_column_of_what_is_no_number_is_refused():
    trace = built([(CPU, 0, 5), (GPU, 2, 5)])
    damaged = dict(columns_of(trace)) | {"start_ns": np.array([0.0, np.nan])}
    with pytest.raises(ValueError, match="not numbers"):
        from_columns(trace.tracks, trace.names, damaged)


def test_columns_in_any_order_become_sorted():
    trace = built([(CPU, 0, 5), (CPU, 9, 5), (GPU, 2, 5)])
    backwards: dict[str, Column] = {
        key: np.asarray(column)[::-1].astype(np.int64)
        for key, column in columns_of(trace).items()
    }
    again = from_columns(trace.tracks, trace.names, backwards)
    assert again.start_ns.tolist() == trace.start_ns.tolist()
    assert again.start_ns.dtype == np.int64
    assert (again.layer.dtype, again.kind.dtype) == (np.int16, np.int8)


@pytest.mark.parametrize("most", [0, 16_383, 16_384, 32_767, 1 << 30, (1 << 31) - 1, 1 << 60])
def test_a_column_is_as_wide_as_what_is_in_it(most):
    trace = built([(CPU, 0, 5), (CPU, 9, 5)])
    large = {"size_bytes": [0, most], "layer": [-1, min(most, (1 << 31) - 1)]}
    again = from_columns(trace.tracks, trace.names, columns_of(trace) | large)
    assert again.size_bytes.tolist() == large["size_bytes"]
    assert again.layer.tolist() == large["layer"]
    for column in (again.size_bytes, again.layer):
        highest = int(column.max())
        assert (column + column).max() == 2 * highest  # no sum of two leaves the type
        assert column.itemsize == (2 if highest < 1 << 14 else 4 if highest < 1 << 30 else 8)


def test_moments_and_counters_out_of_all_time_are_refused():
    trace = built([(CPU, 0, 5), (GPU, 2, 5)])
    given = trace.tracks, trace.names, columns_of(trace)
    with pytest.raises(ValueError, match="a time in"):
        from_columns(*given, moments=[InstantEvent(1 << 70, "warm")])
    late = Counter("Heap", "bytes", np.array([1 << 62]), np.array([1.0]))
    with pytest.raises(ValueError, match="a time of a counter"):
        from_columns(*given, counters=[late])
