"""Every answer is checked against a table of single nanoseconds."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from inspector.trace.intervals import ColumnView, edges, pixel_columns
from inspector.trace.trace import COLUMNS, KINDS, Kind, Lane, Trace, Track, from_columns
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import (
    LevelOfDetail,
    Row,
    build_level_of_detail,
    extent,
    median_prediction,
    prediction_intervals,
)
from tests.reports import example_trace

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
DATA = Track(Lane.DATA, "Data", family="data")
LENGTH = 120
traces = some.lists(
    some.tuples(
        some.sampled_from([CPU, DATA]),
        some.integers(0, 60),
        some.integers(0, 40),
        some.sampled_from([Kind.KERNEL, Kind.COPY, Kind.PARTITION]),
    ),
    min_size=1,
    max_size=60,
).map(lambda rows: built(*rows))
windows = some.tuples(some.integers(0, 100), some.integers(1, 60), some.integers(1, 9))


def built(*rows: tuple[Track, int, int, Kind]) -> Trace:
    build = TraceBuilder()
    for track, start, duration, kind in rows:
        build.add(track, f"{start}+{duration}", start, duration, kind)
    return build.trace(zero_ns=0)


def busy(trace: Trace, row: Row, kind: Kind | None = None) -> NDArray[np.float64]:
    """1 for each nanosecond in which the row is busy."""
    table = np.zeros(LENGTH)
    for span in map(trace.span, range(row.first, row.last)):
        if kind is None or span.kind is kind:
            table[span.start_ns : span.start_ns + span.duration_ns] = 1
    return table


def per_column(table: NDArray[np.float64], begin: int, step: int, columns: int) -> list[float]:
    whole = np.concatenate((table, np.zeros(LENGTH * 10)))
    return [whole[begin + i * step :][:step].mean() for i in range(columns)]


def each_row(trace: Trace, check: Callable[[LevelOfDetail, Row], None]) -> None:
    looked_at = build_level_of_detail(trace)
    assert sum(row.last - row.first for row in looked_at.rows) == len(trace)
    for row in looked_at.rows:
        check(looked_at, row)


@given(traces, windows)
def test_coverage_is_the_busy_share_of_each_column(trace, window):
    begin, columns, step = window

    def check(_: LevelOfDetail, row: Row) -> None:
        shares = row.strip.coverage(edges(begin, begin + columns * step, columns))
        assert shares == pytest.approx(per_column(busy(trace, row), begin, step, columns))

    each_row(trace, check)


@given(traces, windows)
def test_the_dominant_kind_takes_most_of_its_column(trace, window):
    begin, columns, step = window

    def check(_: LevelOfDetail, row: Row) -> None:
        kinds = row.dominant(edges(begin, begin + columns * step, columns))
        tables = [per_column(busy(trace, row, k), begin, step, columns) for k in KINDS]
        shares = np.array(tables)
        for column, kind in enumerate(kinds):
            most = shares[:, column].max()
            assert shares[kind, column] == most if kind >= 0 else most == 0

    each_row(trace, check)


@given(traces, windows)
def test_spans_are_wide_exactly_when_they_last_long_enough(trace, window):
    begin, length, least = window

    def check(_: LevelOfDetail, row: Row) -> None:
        spans = [trace.span(i) for i in range(row.first, row.last)]
        expected = [
            s.index
            for s in spans
            if s.duration_ns >= least
            and s.start_ns < begin + length
            and s.start_ns + s.duration_ns > begin
        ]
        assert row.wide(begin, begin + length, least).tolist() == expected

    each_row(trace, check)


@given(traces, windows)
def test_the_longest_span_stands_for_a_window(trace, window):
    begin, length, _ = window
    end = begin + length

    def check(_: LevelOfDetail, row: Row) -> None:
        inside = {
            s.index: min(s.start_ns + s.duration_ns, end) - max(s.start_ns, begin)
            for s in map(trace.span, range(row.first, row.last))
            if s.start_ns < end and (s.start_ns + s.duration_ns > begin or s.start_ns >= begin)
        }
        found = row.longest(begin, end)
        if found is None:
            assert not inside
        else:
            assert inside[found] == max(inside.values())

    each_row(trace, check)


@given(traces, windows)
def test_spans_are_counted_that_reach_into_a_window(trace, window):
    begin, length, _ = window

    def check(_: LevelOfDetail, row: Row) -> None:
        reach = [
            s
            for s in map(trace.span, range(row.first, row.last))
            if s.start_ns < begin + length
            and (s.start_ns + s.duration_ns > begin or s.start_ns > begin)
        ]
        assert row.strip.count(begin, begin + length) == len(reach)

    each_row(trace, check)


@given(traces, windows)
def test_the_work_of_a_track_is_busy_where_any_span_but_a_partition_is(trace, window):
    begin, length, _ = window
    looked_at = build_level_of_detail(trace)
    for track, work in enumerate(looked_at.work):
        table = np.zeros(LENGTH)
        for row in looked_at.rows:
            for kind in (Kind.KERNEL, Kind.COPY) if row.track == track else ():
                table = np.maximum(table, busy(trace, row, kind))
        assert work.busy_ns(begin, begin + length) == table[begin : begin + length].sum()


def test_spans_without_length_mark_their_column():
    trace = built((CPU, 15, 0, Kind.EVENT), (CPU, 40, 0, Kind.EVENT), (CPU, 50, 5, Kind.CALL))
    row = build_level_of_detail(trace).rows[0]
    assert row.marked(edges(0, 60, 6)).tolist() == [False, True, False, False, True, False]
    assert row.strip.coverage(edges(0, 60, 6))[1] == 0


def test_partitions_frame_work_and_are_none_themselves():
    trace = built(
        (CPU, 0, 100, Kind.PARTITION), (CPU, 10, 20, Kind.KERNEL),
        (CPU, 12, 5, Kind.KERNEL), (CPU, 50, 10, Kind.KERNEL), (CPU, 105, 5, Kind.KERNEL),
    )  # fmt: skip
    looked_at = build_level_of_detail(trace)
    assert [(row.depth, row.partitions) for row in looked_at.rows] == [
        (0, False), (1, False), (2, False),
    ]  # fmt: skip
    assert looked_at.work[0].busy_ns(0, 200) == 35
    assert looked_at.work[0].busy_ns(0, 20) == 10


def test_an_unused_track_has_no_row_and_no_work():
    build = TraceBuilder()
    build.track(DATA)
    build.add(CPU, "conv", 0, 10, Kind.KERNEL)
    looked_at = build_level_of_detail(build.trace())
    assert [row.track for row in looked_at.rows] == [1]
    assert [work.busy_ns(0, 10) for work in looked_at.work] == [0, 10]


def test_an_empty_trace_has_an_extent_to_look_at():
    empty = TraceBuilder().trace()
    assert build_level_of_detail(empty).rows == ()
    assert extent(empty) == median_prediction(empty) == (0, 1)


def test_the_prediction_of_middle_length_represents_them():
    build = TraceBuilder()
    build.add(CPU, "load", 0, 1000)
    for run, (start, length) in enumerate(((1000, 50), (2000, 90), (3000, 60))):
        build.add(CPU, "a", start, 10, run=run)
        build.add(CPU, "b", start + 20, length - 20, run=run)
    trace = build.trace()
    assert prediction_intervals(trace).tolist() == [[1000, 1050], [2000, 2090], [3000, 3060]]
    assert median_prediction(trace) == (3000, 3060)


def test_a_layer_of_the_run_in_view_is_found_not_that_of_the_next_run_at_its_edge():
    build = TraceBuilder()
    for run, (start, length) in enumerate(((1000, 50), (1060, 400))):
        build.add(CPU, "a", start, length, run=run, layer=13)
    trace = build.trace()
    found = build_level_of_detail(trace).span_of(13, -10, 70)
    assert found is not None
    assert trace.span(found).run == 0


def test_a_layer_is_found_within_the_window_if_it_is_there():
    trace = example_trace()
    looked_at = build_level_of_detail(trace)
    begin, end = map(int, prediction_intervals(trace)[1])
    found = looked_at.span_of(13, begin, end)
    assert found is not None
    span = trace.span(found)
    assert (span.layer, span.run, span.name) == (13, 1, "head/conv")
    assert looked_at.row_of(found).depth == span.depth
    anywhere = looked_at.span_of(13, -10, -5)
    assert anywhere is not None
    assert trace.layer[anywhere] == 13
    assert looked_at.span_of(16, begin, end) is None


def test_many_spans_of_several_kinds_are_covered_as_if_each_was_added():
    random = np.random.default_rng(5)
    length = random.integers(1, 9, 500)
    start = np.cumsum(length + random.integers(0, 3, 500)) - length
    kinds = [Kind.COPY, Kind.CAST, Kind.CHECK]
    which = random.integers(0, 3, 500)
    build = TraceBuilder()
    for begin, duration, kind in zip(start.tolist(), length.tolist(), which, strict=True):
        build.add(DATA, "move", begin, duration, kinds[kind])
    (row,) = build_level_of_detail(build.trace(zero_ns=0)).rows
    columns = edges(-7, 2900, 97)
    for kind, strip in row.kinds:
        mine = which == kinds.index(KINDS[kind])
        ends = np.minimum(columns[1:, None], (start + length)[mine])
        inside = np.maximum(0, ends - np.maximum(columns[:-1, None], start[mine]))
        shares = inside.sum(axis=1) / np.diff(columns)
        assert strip.coverage(columns) == pytest.approx(shares, abs=1e-9)
        reaches = (start < 700) & ((start + length > 300) | (start > 300))
        assert strip.count(300, 700) == (reaches & mine).sum()


def test_the_index_of_a_trace_takes_little_memory_beside_its_columns():
    random = np.random.default_rng(5)
    count = 100_000
    same = {key: np.zeros(count, np.int64) for key in COLUMNS}
    start = np.cumsum(random.integers(1, 9, count))
    kind = np.array([KINDS.index(Kind.COPY), KINDS.index(Kind.CAST)])[np.arange(count) % 2]
    trace = from_columns((DATA,), ("move",), same | {"start_ns": start, "kind": kind})
    steps: list[float] = []
    looked_at = build_level_of_detail(trace, steps.append)
    columns = sum(getattr(trace, key).nbytes for key in COLUMNS)
    (row,) = looked_at.rows
    index = sum(strip.before_ns.nbytes for strip in (row.strip, *(s for _, s in row.kinds)))
    assert (columns + index) / count <= 40
    assert looked_at.work[0] is row.strip, "nothing is held twice"
    assert steps == sorted(steps)
    assert steps[-1] == 1


@given(traces, windows)
def test_one_search_sees_what_single_questions_do(trace, window):
    begin, columns, step = window
    shown = pixel_columns(float(begin), float(begin + columns * step), columns)

    def check(_: LevelOfDetail, row: Row) -> None:
        seen = ColumnView(row.strip, shown)
        table = busy(trace, row)
        assert seen.coverage() == pytest.approx(per_column(table, begin, step, columns))
        wide = seen.wide(2)
        kept = row.wide(begin, begin + columns * step, 2 * step)
        assert (wide + row.first).tolist() == kept.tolist()
        for span in map(trace.span, kept.tolist()):
            table[span.start_ns : span.start_ns + span.duration_ns] = 0
        assert seen.coverage(wide) == pytest.approx(per_column(table, begin, step, columns))
        for kind, strip in row.kinds:
            told = busy(trace, row, KINDS[kind])
            wanted = per_column(told, begin, step, columns)
            assert seen.coverage(of=strip) == pytest.approx(wanted)

    each_row(trace, check)


def test_all_rows_are_counted_as_each_is(trace_of_many_rows):
    looked_at = build_level_of_detail(trace_of_many_rows)
    for begin, end in ((0, 1e9), (10.5, 11.25), (-5, 0.5), (300, 300.5), (499.0, 520.75)):
        each = sum(row.strip.count(begin, end) for row in looked_at.rows)
        assert looked_at.count(begin, end) == each


@pytest.fixture
def trace_of_many_rows() -> Trace:
    random, build = np.random.default_rng(8), TraceBuilder()
    for number in range(5):
        at = int(random.integers(9))
        while at < 500:
            length = int(random.integers(0, 40))
            build.add(Track(Lane.COMPUTE, f"{number}", "cpu", "cpu"), "a", at, length)
            at += length + int(random.integers(0, 9))
    return build.trace(zero_ns=0)
