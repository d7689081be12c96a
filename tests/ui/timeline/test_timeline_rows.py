"""Rows of the timeline are folded, pinned, put together in other ways, and searched."""

import numpy as np
import pytest
from msgspec import structs
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from inspector.formats.traces.span_collector import OpenedTrace
from inspector.pages.charts.palette import LIGHT
from inspector.trace.trace import FlowKind, Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import build_level_of_detail
from inspector.ui import units
from inspector.ui.selection import Selection
from inspector.ui.timeline.model.geometry import GUTTER, Grouping
from inspector.ui.timeline.model.median_overlay import spread_ends
from inspector.ui.timeline.model.predictions import iterations, warm_ups
from inspector.ui.timeline.model.row_grouping import by_event
from inspector.ui.timeline.model.span_facts import NOTHING, facts
from inspector.ui.timeline.model.span_search import find, nearest_edge
from inspector.ui.timeline.widget import lanes as lanes_module
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.timeline.widget.gutter import Names
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
US = 1_000
LAYERS = (TracedLayer(0, "block/conv", "Conv"), TracedLayer(1, "block/relu", "Relu"))


def traced(models: tuple[str, ...] = ("a.onnx", "b.onnx"), runs: int = 6) -> OpenedTrace:
    """Each model predicts in turn: 100 us a time, the very first 300 us."""
    build = TraceBuilder()
    for run in range(runs):
        for place, model in enumerate(models):
            start = (run * len(models) + place) * 500 * US
            long = 300 * US if run == 0 else 100 * US
            calls = Track(Lane.ACTIVITY, model, "", "activity", model=model, thread="main")
            cpu = Track(
                Lane.COMPUTE, f"{model} · CPU", "cpu", "cpu", model=model, thread="main"
            )
            build.add(calls, "run(x)", start, long, run=run)
            first = build.add(cpu, "block/conv", start + 10 * US, 40 * US, Kind.KERNEL, 0, run)
            last = build.add(cpu, "block/relu", start + 60 * US, 30 * US, Kind.KERNEL, 1, run)
            build.flow(first, last, FlowKind.LAUNCH)
            build.count("Memory", start, 1e6 * (run + 1), "bytes")
    build.moment("half way", 2_000 * US)
    return OpenedTrace(build.trace(zero_ns=0), LAYERS, (), "Recording")


@pytest.fixture
def timeline(qtbot: QtBot, theme: Theme) -> Timeline:
    made = Timeline(theme, traced(), Selection(), tall=True)
    qtbot.addWidget(made)
    made.resize(1100, 600)
    made.show()
    made.window_of_time.fit()
    return made


def titles(timeline: Timeline) -> list[str]:
    return [band.title for band in timeline.lanes.bands]


def name_at(timeline: Timeline, title: str, x: int) -> QPoint:
    band = next(band for band in timeline.lanes.bands if band.title == title)
    return QPoint(x, band.top + band.height // 2)


def test_rows_are_put_together_by_model_by_thread_and_by_kind_of_event(timeline):
    assert titles(timeline) == ["a.onnx", "b.onnx", "a.onnx · CPU", "b.onnx · CPU", "Memory"]
    for action in timeline.rows.menu().actions():
        if action.text() == "By model":
            action.trigger()
    wanted = ["a.onnx", "Activity", "CPU", "b.onnx", "Activity", "CPU", "Memory"]
    assert titles(timeline) == wanted
    assert timeline.rows.text() == "Group by model"
    timeline.group(Grouping.THREAD)
    assert titles(timeline)[0] == "main"
    timeline.group(Grouping.EVENT)
    assert titles(timeline) == ["run(x)", "Conv", "Relu", "Memory"]


def test_calls_that_count_their_predictions_are_one_kind_of_event():
    build = TraceBuilder()
    calls = Track(Lane.ACTIVITY, "Activity", "", "activity")
    cpu = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
    for run in range(3):
        start = run * 100 * US
        build.add(calls, f"predict {run + 1}", start, 90 * US, run=run)
        build.add(cpu, "layer 3", start, 20 * US, Kind.KERNEL, run=run)
    build.add(calls, "load 1", 400 * US, 10 * US)
    found = by_event(OpenedTrace(build.trace(), (), (), "Recording"))
    names = [track.name for track in found.detail.trace.tracks]
    assert names == ["predict", "layer 3", "load 1"]


def test_a_folded_row_tells_its_name_rather_than_a_number(timeline):
    band, scale = timeline.lanes.bands[2], timeline.lanes.scale
    painted = Names()
    for title, told in (("CPU", True), ("a name as wide as all the room", False)):
        picture = QImage(400, 40, QImage.Format.Format_RGB32)
        bare = QImage(picture)
        for image, busy in ((picture, band.work), (bare, None)):
            image.fill(0xFFFFFFFF)
            painter = QPainter(image)
            work = structs.replace(band, top=0, height=22, folded=True, title=title, work=busy)
            painted.draw(painter, (work,), scale, LIGHT)
            painter.end()
        assert (picture != bare) is told


def test_all_shown_counts_what_has_no_length_at_the_end(qtbot, theme):
    build = TraceBuilder()
    calls = Track(Lane.ACTIVITY, "Activity", "", "activity")
    build.add(calls, "run", 0, 90 * US)
    build.add(calls, "release", 90 * US, 0, Kind.EVENT)
    made = Timeline(theme, OpenedTrace(build.trace(), (), (), "Recording"), Selection())
    qtbot.addWidget(made)
    made.resize(1100, 400)
    made.show()
    made.window_of_time.fit()
    assert made.note_label.text() == "90.0 µs · 2 events"
    made.resize(560, 400)
    qtbot.waitUntil(lambda: made.note_label.text() == "90.0 µs · 2 events")


def test_a_span_of_one_of_several_models_names_device_and_model(timeline):
    trace = timeline.state.traced.trace
    span = trace.span(int(np.argmax(trace.layer == 0)))
    told = dict(facts(span, timeline.state.traced))
    assert (told["Device"], told["Model"]) == ("CPU", "a.onnx")


def test_a_kernel_stands_beside_the_median_of_its_layer():
    report = example_report()
    spans = map(report.trace.span, range(len(report.trace)))
    timed = {layer.index: layer.time_ns for layer in report.layers if layer.time_ns}
    kernels = [span for span in spans if span.kind is Kind.KERNEL and span.layer in timed]
    assert kernels
    for span in kernels:
        told = dict(facts(span, report))["Median of the layer"]
        assert told == units.duration(timed[span.layer])


def test_a_span_is_the_same_in_whatever_rows_it_lies(timeline, qtbot):
    lanes, trace = timeline.lanes, timeline.state.traced.trace
    for grouping in Grouping:
        timeline.group(grouping)
        for span in (0, 9, len(trace) - 1):
            qtbot.mouseClick(lanes, LEFT, pos=lanes.box_of(span).center().toPoint())
            assert timeline.state.selection.now.span == span, grouping
        assert not timeline.grab().isNull()


def test_stepping_among_kinds_of_events_stays_with_the_kind(timeline):
    timeline.group(Grouping.EVENT)
    trace, lanes = timeline.state.traced.trace, timeline.lanes
    lanes.pick(int(np.flatnonzero(trace.layer == 0)[0]))
    lanes.step(1)
    span = timeline.state.selection.now.span
    assert span is not None
    assert trace.layer[span] == 0
    assert trace.start_ns[span] == 510 * US, "the other model's is next in time"


def test_a_group_folds_to_one_line_and_back(timeline, qtbot):
    timeline.group(Grouping.MODEL)
    high = timeline.lanes.height()
    qtbot.mouseClick(timeline.lanes, LEFT, pos=name_at(timeline, "a.onnx", 60))
    assert titles(timeline) == ["a.onnx", "b.onnx", "Activity", "CPU", "Memory"]
    assert timeline.lanes.height() < high
    assert [family for family, _ in timeline.lanes.bands[0].lines] == ["activity", "cpu"]
    qtbot.mouseClick(timeline.lanes, LEFT, pos=name_at(timeline, "a.onnx", 60))
    assert timeline.lanes.height() == high


def test_a_row_folds_at_its_arrow_and_by_keys(timeline, qtbot):
    lanes = timeline.lanes
    qtbot.mouseClick(lanes, LEFT, pos=name_at(timeline, "a.onnx", 8))
    assert [band.folded for band in lanes.bands] == [True, False, False, False, False]
    lanes.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Space):
        QTest.keyClick(lanes, key)
    assert not any(band.folded for band in lanes.bands)
    timeline.fold_all(True)
    assert all(band.folded for band in lanes.bands)
    assert not timeline.grab().isNull()


def test_a_pinned_row_stays_on_top_and_can_be_let_go(timeline, qtbot):
    qtbot.mouseClick(timeline.lanes, LEFT, pos=name_at(timeline, "b.onnx", GUTTER - 16))
    assert [band.title for band in timeline.pinned.bands] == ["b.onnx"]
    assert timeline.pinned.isVisible()
    assert "b.onnx" not in titles(timeline)
    assert timeline.pinned.scale == timeline.lanes.scale
    QTest.keyClick(timeline.pinned, Qt.Key.Key_Down)
    QTest.keyClick(timeline.pinned, Qt.Key.Key_P)
    assert not timeline.pinned.isVisible()
    assert titles(timeline)[1] == "b.onnx"


def test_words_are_found_in_names_operators_and_layers(timeline):
    searched = timeline.state.traced
    for words, count in (("conv", 12), ("RELU block", 12), ("run", 12), ("nothing", 0)):
        found = find(searched, words)
        assert len(found) == count, words
    assert find(searched, "  ") is None


@pytest.mark.parametrize("odd", [2**62, -9])
def test_a_layer_with_an_odd_number_is_found_and_has_its_row(odd):
    build = TraceBuilder()
    cpu = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
    build.add(cpu, "kernel", 0, US, Kind.KERNEL, 1, 0)
    layers = (TracedLayer(odd, "far", "Conv"), TracedLayer(1, "block/relu", "Relu"))
    opened = OpenedTrace(build.trace(), layers, (), "Recording")
    for words, count in (("relu", 1), ("far", 0)):
        found = find(opened, words)
        assert len(found) == count, words
    assert [track.name for track in by_event(opened).detail.trace.tracks] == ["Relu"]


def test_a_search_goes_through_its_matches_and_round(timeline, qtbot):
    bar, trace = timeline.search, timeline.state.traced.trace
    qtbot.keyClick(timeline.lanes, "/")
    assert bar.field.hasFocus()
    qtbot.keyClicks(bar.field, "conv")
    qtbot.waitUntil(lambda: bar.count.text() == "12 matches")
    seen = []
    for key, modifier in (
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, SHIFT),
        (Qt.Key.Key_Return, SHIFT),
    ):
        QTest.keyClick(bar.field, key, modifier)
        seen.append(bar.count.text())
    assert seen == ["1 of 12", "2 of 12", "1 of 12", "12 of 12"]
    qtbot.mouseClick(bar.after, LEFT)
    span = timeline.state.selection.now.span
    assert span is not None
    assert trace.start_ns[span] == 10 * US
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert timeline.state.search_result is None
    assert timeline.lanes.hasFocus()


def test_what_was_not_found_is_pale(timeline):
    timeline.search.field.setText("run")
    timeline.search.search()
    image, lanes = timeline.lanes.grab().toImage(), timeline.lanes
    trace = timeline.state.traced.trace
    call, kernel = int(np.flatnonzero(trace.layer < 0)[0]), int(np.argmax(trace.layer == 0))
    edges = [lanes.box_of(span).center().toPoint() for span in (call, kernel)]
    edges[0].setX(round(lanes.box_of(call).left()) + 3)  # words stand in its middle
    lit, pale = (image.pixelColor(edge) for edge in edges)
    assert lit.lightness() < 140
    assert pale.lightness() > 200


def test_marking_snaps_to_edges_and_tells_numbers(timeline, qtbot):
    lanes, scale = timeline.lanes, timeline.lanes.scale
    begin, end = round(scale.x(0)) + 3, round(scale.x(300 * US)) - 4
    y = name_at(timeline, "a.onnx", 0).y()
    qtbot.mousePress(lanes, LEFT, SHIFT, QPoint(begin, y))
    qtbot.mouseMove(lanes, QPoint(end, y))
    qtbot.mouseRelease(lanes, LEFT, SHIFT, QPoint(end, y))
    assert lanes.marked == (0, 300 * US)
    qtbot.waitUntil(timeline.note.isVisible)
    found = timeline.note.statistics
    assert (found.count, found.sum_ns) == (3, 370 * US)
    assert found.p50_ns == 40 * US
    assert [(one.name, one.busy_ns) for one in found.tracks] == [
        ("a.onnx", 300 * US),
        ("a.onnx · CPU", 70 * US),
    ]
    assert [one.name for one in found.layers] == ["block/conv", "block/relu"]
    assert "a.onnx 100.0%" in timeline.note.accessibleDescription()
    QTest.keyClick(lanes, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not timeline.note.isVisible())


def test_m_measures_from_one_span_to_another(timeline):
    lanes, trace = timeline.lanes, timeline.state.traced.trace
    first, later = np.flatnonzero(trace.name == trace.names.index("run(x)"))[:2].tolist()
    lanes.pick(first)
    QTest.keyClick(lanes, Qt.Key.Key_M)
    assert timeline.state.anchor == trace.start_ns[first]
    begin = int(trace.start_ns[first])
    assert lanes.marked == (begin, begin + trace.duration_ns[first])
    lanes.pick(later)
    QTest.keyClick(lanes, Qt.Key.Key_M)
    ends = int(trace.start_ns[later] + trace.duration_ns[later])
    assert lanes.marked == (trace.start_ns[first], ends)
    assert timeline.state.anchor is None


def test_f_fits_the_mark_else_the_event_and_then_everything(timeline):
    lanes, window, trace = timeline.lanes, timeline.state.window, timeline.state.traced.trace
    span = int(np.flatnonzero(trace.name == trace.names.index("run(x)"))[1])
    begin, length = int(trace.start_ns[span]), int(trace.duration_ns[span])
    window.fit()
    lanes.pick(span)
    QTest.keyClick(lanes, Qt.Key.Key_F)
    assert window.begin_ns <= begin
    assert length <= window.length_ns < 2 * length
    QTest.keyClick(lanes, Qt.Key.Key_F)
    assert window.length_ns == window.whole_ns
    lanes.mark(begin, begin + length / 10)
    QTest.keyClick(lanes, Qt.Key.Key_F)
    assert window.length_ns < length / 5


def test_the_nearest_edge_is_that_of_brute_force():
    looked_at = build_level_of_detail(traced().trace)
    edges = np.concatenate(
        [looked_at.trace.start_ns, looked_at.trace.start_ns + looked_at.trace.duration_ns]
    )
    for instant in np.random.default_rng(1).uniform(0, 6e6, 200).tolist():
        found = nearest_edge(looked_at.rows, instant, 1e9)
        assert abs(found - instant) == pytest.approx(np.abs(edges - instant).min())


def test_the_first_predictions_are_told_from_the_rest(timeline):
    assert [(one.model, len(one), one.warm) for one in timeline.iterations] == [
        ("a.onnx", 6, 1),
        ("b.onnx", 6, 1),
    ]
    assert timeline.iterations[0].warm_up_ns == (0, 300 * US)
    assert "a.onnx: first run (warm-up)" in timeline.ruler.accessibleDescription()
    assert "half way" in timeline.ruler.accessibleDescription()
    assert iterations(TraceBuilder().trace()) == ()


@pytest.mark.parametrize(
    ("durations", "count"),
    [
        ([9, 5, 2, 2, 2, 2], 2),
        ([2, 2, 2, 9, 2, 2], 0),
        ([5, 4, 4, 4], 1),  # a quarter more than usual
        ([4.9, 4, 4, 4], 0),
        ([9, 4, 4], 0),  # too few to tell what is usual
        ([0, 0, 0, 0], 0),
        ([9, 3, 3, 3, 2, 2, 2, 3, 3], 4),  # usual is what the second half takes
        ([9, 9, 2, 2], 2),
        ([9, 9, 9, 2], 0),  # more than half are no warm-up
        ([9] * 200 + [2] * 900, 200),
        ([9] * 201 + [2] * 900, 0),
        ([9] * 2 + [2] * 398 + [90] * 900, 2),  # what comes much later does not count
    ],
)
def test_warm_ups_are_clearly_slower_than_what_follows_soon(durations, count):
    assert warm_ups(np.array(durations) * 10) == count


def test_a_counter_has_a_row_and_tells_its_value(timeline, qtbot):
    lanes = timeline.lanes
    at = name_at(timeline, "Memory", round(lanes.scale.x(1_200 * US)))
    qtbot.mouseMove(lanes, at)
    assert lanes.hover.title == "Memory"
    assert dict(lanes.hover.facts)["Value"] == "1.91 MiB"


def test_a_gap_says_how_long_nothing_happened(timeline, qtbot):
    lanes = timeline.lanes
    at = name_at(timeline, "a.onnx", round(lanes.scale.x(700 * US)))
    qtbot.mouseMove(lanes, at)
    assert lanes.hover.title == "Idle for 700 µs"


def test_an_arrow_is_drawn_to_what_a_span_launched(timeline):
    trace, lanes = timeline.state.traced.trace, timeline.lanes
    timeline.window_of_time.show(0, 120 * US)
    span = int(np.argmax(trace.layer == 0))
    lanes.pick(span)
    with_arrow = lanes.grab().toImage()
    box = lanes.box_of(span)
    between = range(round(box.right()) + 4, round(box.right()) + 60)
    rows = range(round(box.top()) - 8, round(box.bottom()))
    dark = sum(with_arrow.pixelColor(x, y).lightness() < 90 for x in between for y in rows)
    assert dark > 20


def test_kinds_of_events_keep_every_span():
    found = by_event(traced())
    trace = found.detail.trace
    assert sorted(found.order.tolist()) == list(range(len(trace)))
    assert (found.places[found.order] == np.arange(len(trace))).all()
    assert trace.duration_ns.sum() == traced().trace.duration_ns.sum()


def test_all_predictions_become_one_with_their_spread_and_back(timeline, qtbot):
    state, window = timeline.state, timeline.window_of_time
    window.show(0, 1_000 * US)
    timeline.resize(1200, 600)
    qtbot.waitUntil(lambda: timeline.lanes.width() > 1150)
    qtbot.mouseClick(timeline.runs, LEFT, pos=QPoint(timeline.runs.width() - 20, 12))
    assert len(state.overlaid.trace) == 6
    assert window.last_ns == 600 * US
    assert timeline.note_label.text() == "600 µs · Median of 5 runs, excluding 1 warm-up run"
    qtbot.waitUntil(lambda: timeline.lanes.visibleRegion().boundingRect().height() == 112)
    at = timeline.lanes.box_of(int(np.argmax(state.traced.trace.layer == 1))).center()
    span = timeline.lanes.span_at(at)
    assert span is not None
    title, pairs = lanes_module.span_hover(state, span, 0)
    facts = dict(pairs)
    assert title == "block/relu"
    assert facts["Median"] == "30.0 µs"
    assert facts["Runs"] == "5 of 5"
    qtbot.mouseClick(timeline.lanes, LEFT, pos=at.toPoint())
    assert state.selection.now.layer == 1
    timeline.runs.choose(0)
    assert (window.begin_ns, window.end_ns) == (0, 1_000 * US)
    assert len(state.detail.trace) == 36


def test_the_menu_of_a_span_copies_its_name(timeline, qtbot):
    timeline.window_of_time.show(0, 1_000 * US)
    lanes = timeline.lanes
    at = lanes.box_of(int(np.argmax(timeline.state.traced.trace.layer == 1))).center().toPoint()
    lanes.contextMenuEvent(
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, lanes.mapToGlobal(at))
    )
    menu = lanes.findChild(QMenu)
    actions = {each.text(): each for each in menu.actions()}
    actions["Copy name"].trigger()
    assert QGuiApplication.clipboard().text() == "block/relu"
    menu.close()


def test_the_spread_of_a_step_ends_where_the_next_one_begins(timeline):
    timeline.runs.choose(1)
    median = timeline.state.overlaid
    row = next(r for r in median.detail.rows if len(r.strip.start_ns) > 1)
    following = int(row.strip.start_ns[1])
    assert not spread_ends(median, row, row.first)[2]
    times = structs.replace(median.overlay, high_ns=median.overlay.high_ns + 10 * following)
    low, high, cut = spread_ends(structs.replace(median, overlay=times), row, row.first)
    assert (high, cut) == (following, True)
    assert low < high
    last = row.first + len(row.strip.start_ns) - 1
    assert not spread_ends(structs.replace(median, overlay=times), row, last)[2]


def test_nothing_is_told_of_gaps_between_medians_for_they_were_not_measured(timeline, qtbot):
    lanes, window = timeline.lanes, timeline.window_of_time
    for chosen in (0, 1):
        timeline.runs.choose(chosen)
        window.show(*((540 * US, 570 * US) if not chosen else (40 * US, 70 * US)))
        band = next(band for band in lanes.bands if band.title == "a.onnx · CPU")
        begin = window.begin_ns + 15 * US
        at = QPoint(round(lanes.scale.x(begin)), round(band.bars[-1].top + 10))
        qtbot.mouseMove(lanes, at - QPoint(2, 0))
        qtbot.mouseMove(lanes, at)
        assert lanes.hover.isVisible() is not bool(chosen)


def test_a_reader_of_the_screen_hears_where_it_is_before_anything_is_selected(timeline):
    lanes = timeline.lanes
    assert lanes.accessibleDescription() == NOTHING
    assert timeline.runs.accessibleDescription() == "All runs"
    QTest.keyClick(lanes, Qt.Key.Key_Down)
    QTest.keyClick(lanes, Qt.Key.Key_D)
    assert lanes.accessibleDescription().startswith("a.onnx, ")
    QTest.keyClicks(lanes, "]")
    assert "Duration" in lanes.accessibleDescription()
    assert timeline.pinned.accessibleName() != lanes.accessibleName()


def test_a_part_of_the_lanes_is_drawn_as_in_the_whole(qtbot, theme):
    build = TraceBuilder()
    deep = Track(Lane.ACTIVITY, "model", family="activity")
    for run in range(40):
        for depth in range(6):
            build.add(deep, f"call {depth}", (run * 100 + depth) * US, (90 - 9 * depth) * US)
    opened = OpenedTrace(build.trace(zero_ns=0), (), (), "Recording")
    shown = Timeline(theme, opened, Selection(), tall=True)
    qtbot.addWidget(shown)
    shown.resize(1100, 600)
    shown.show()
    shown.window_of_time.fit()
    whole = shown.lanes.grab().toImage()
    bars = [bar for band in shown.lanes.bands for bar in band.bars]
    assert len(bars) == 6
    for bar in bars[1:]:  # a part that ends above a row, and below the ones before
        part = QRect(0, 0, whole.width(), bar.top - 1)
        assert shown.lanes.grab(part).toImage() == whole.copy(part), bar.top
