"""What was found is known row by row before a frame shows it."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import Lane, Trace, Track, from_columns
from inspector.trace.trace_rows import build_level_of_detail
from inspector.ui.background import TaskRunner
from inspector.ui.selection import Selection
from inspector.ui.timeline.model.geometry import Grouping
from inspector.ui.timeline.model.row_grouping import by_event
from inspector.ui.timeline.model.span_search import find, search_result_rows
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.widgets.theme import Theme

MANY, RUNS = 240_000, 4  # spans: of so many all that takes long is done beside the window


def many(spans: int = MANY) -> Trace:
    """Two tracks of calls in one another: one long one holds nine short ones."""
    place = np.arange(spans // 2)
    first = place - place % 10
    start = np.where(place == first, first * 100, place * 100 + 10)
    duration = np.where(place == first, 1_000, 50)
    one = {
        "start_ns": start, "duration_ns": duration, "depth": (place != first).astype(np.int64),
        "name": place % 7, "layer": np.full(len(place), -1), "run": place * RUNS // len(place),
        "kind": np.zeros(len(place), np.int64), "size_bytes": np.zeros(len(place), np.int64),
    }  # fmt: skip
    columns = {key: np.concatenate([value, value]) for key, value in one.items()}
    columns["track"] = np.repeat([0, 1], len(place))
    tracks = tuple(Track(Lane.ACTIVITY, name, family="activity", model=name) for name in "ab")
    return from_columns(tracks, [f"step {n}" for n in range(7)], columns)


@pytest.fixture
def timeline(qtbot: QtBot, theme: Theme) -> Iterator[Timeline]:
    made = Timeline(theme, OpenedTrace(many(), (), (), "made up"), Selection(), tall=True)
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    yield made
    qtbot.waitUntil(lambda: rests(made))


def rests(timeline: Timeline) -> bool:
    return not any(jobs.running for jobs in timeline.findChildren(TaskRunner))


def search(timeline: Timeline, words: str) -> None:
    timeline.search.field.setText(words)
    timeline.search.search()


@pytest.mark.parametrize("way", [Grouping.LANE, Grouping.EVENT])
def test_each_row_holds_what_was_found_in_it(way):
    traced = OpenedTrace(many(120_000), (), (), "made up")
    found = find(traced, "step 3")
    rows = by_event(traced) if way is Grouping.EVENT else build_level_of_detail(traced.trace)
    told = search_result_rows(found, rows)
    shown, edges = told.detail.rows, np.linspace(0, traced.trace.end_ns, 201)
    assert any(row.strip.bins is not None for row in shown)
    for row, strip in zip(shown, told.hits(shown).strips, strict=True):
        mine = np.flatnonzero(told.mask[row.first : row.last])
        assert strip.start_ns.tolist() == row.strip.start_ns[mine].tolist()
        assert set(told.detail.trace.name[row.first + mine].tolist()) <= {3}
        ends = np.minimum.outer(edges, strip.start_ns + strip.duration_ns)
        busy = np.maximum(ends - strip.start_ns, 0).sum(axis=1)
        np.testing.assert_allclose(strip.coverage(edges), np.diff(busy) / np.diff(edges))
        if strip.bins is not None:
            assert strip.bins.coverage(edges).sum() == pytest.approx(
                strip.coverage(edges).sum(), rel=0.01
            )
    assert told.mask.sum() == len(found)


def uneven(spans: int = 8_000) -> Trace:
    """Two tracks of short events; in the second, some last a hundred times as long."""
    place = np.arange(spans)
    lasts = np.where(place % 400 == 7, 40_000, 400)
    start = np.concatenate([place * 1_000, np.append(0, np.cumsum(lasts + 100)[:-1])])
    columns = {
        "start_ns": start, "duration_ns": np.concatenate([np.full(spans, 500), lasts]),
        "name": np.concatenate([place % 3, np.where(lasts > 400, 0, place % 3)]),
        "track": np.repeat([0, 1], spans), "layer": np.full(2 * spans, -1),
    }  # fmt: skip
    zeros = np.zeros(2 * spans, np.int64)
    columns |= dict.fromkeys(("depth", "run", "kind", "size_bytes"), zeros)
    tracks = tuple(Track(Lane.ACTIVITY, name, family="activity", model=name) for name in "ab")
    return from_columns(tracks, [f"step {n}" for n in range(3)], columns)


def test_each_row_of_many_events_is_covered_where_its_matches_are():
    traced = OpenedTrace(uneven(), (), (), "made up")
    match = find(traced, "step 0")
    assert match is not None
    rows = build_level_of_detail(traced.trace)
    strips = search_result_rows(match, rows).hits(rows.rows).strips
    for row, strip in zip(rows.rows, strips, strict=True):
        mine = row.first + np.flatnonzero(match.mask[row.first : row.last])
        start, lasts = rows.trace.start_ns[mine], rows.trace.duration_ns[mine]
        edges = np.linspace(start[0], start[-1] + lasts[-1], 101)
        ends = np.minimum.outer(edges, start + lasts)
        busy = np.diff(np.maximum(ends - start, 0).sum(axis=1)) / np.diff(edges)
        assert np.ptp(busy) > 0.1 or row is rows.rows[0], "some columns are fuller than others"
        np.testing.assert_allclose(strip.bins.coverage(edges), busy, atol=0.03)
        assert strip.bins.longest_ns == lasts.min(), "the long ones are kept beside the bins"


@pytest.mark.parametrize("first", ["search", "group", "overlay"])
def test_what_is_shown_is_known_when_rows_change_while_it_is_searched(timeline, qtbot, first):
    state, known = timeline.state, list[bool]()
    state.changed.connect(lambda: known.append(state.knows(state.rows)))
    if first == "search":
        search(timeline, "step 3")
    if first == "overlay":
        timeline.overlay(True)
    else:
        timeline.group(Grouping.EVENT)
    if first != "search":
        search(timeline, "step 3")
    qtbot.waitUntil(lambda: state.rows is not state.whole and state.search_result is not None)
    before = state.search_result
    search(timeline, "step 5")
    qtbot.waitUntil(lambda: state.search_result is not before)
    timeline.overlay(False)
    timeline.group(Grouping.LANE)
    assert state.rows is state.whole
    assert known
    assert all(known)
    assert not timeline.grab().isNull()


def test_rows_that_come_while_it_is_searched_are_searched_as_well(timeline, qtbot):
    state, known = timeline.state, list[bool]()
    rows, wanted = by_event(state.traced), replace(state.arrangement, grouping=Grouping.EVENT)
    search(timeline, "step 3")
    state.arrange(wanted, rows)
    state.changed.connect(
        lambda: known.append(state.search_result is not None and state.knows(rows))
    )
    qtbot.waitUntil(lambda: state.search_result is not None)
    assert known == [True]


def test_the_rows_that_were_asked_for_last_stay(timeline, qtbot):
    timeline.group(Grouping.EVENT)
    timeline.group(Grouping.LANE)
    timeline.overlay(True)
    timeline.overlay(False)
    assert not timeline.row_task.busy
    qtbot.waitUntil(lambda: rests(timeline))
    assert timeline.state.rows is timeline.state.whole


def test_a_duration_and_a_mistake_are_typed_like_on_the_command_line(timeline, qtbot):
    search(timeline, "dur>500ns /step [0-3]/")
    qtbot.waitUntil(lambda: timeline.state.search_result is not None)
    trace, found = timeline.state.traced.trace, timeline.state.search_result
    assert set(trace.duration_ns[found.spans].tolist()) == {1_000}
    assert {trace.names[name] for name in trace.name[found.spans].tolist()} == {
        f"step {number}" for number in range(4)
    }
    search(timeline, "dur>soon")
    qtbot.waitUntil(lambda: timeline.search.problem is not None)
    assert timeline.state.search_result is None
    assert "is not a time" in timeline.search.field.toolTip()
    assert "is not a time" in timeline.search.field.accessibleDescription()
