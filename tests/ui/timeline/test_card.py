"""The timeline under real clicks, wheels and keys."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from inspector import units
from inspector.report.report import PerformanceReport
from inspector.trace.trace import Kind, Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import prediction_intervals
from inspector.ui.selection import Selected, Selection
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.timeline.widget.lanes import Lanes
from inspector.ui.widgets.theme import Theme
from tests.reports import CPU, UNITS, example_report

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def report() -> PerformanceReport:
    return example_report()


@pytest.fixture
def timeline(
    qtbot: QtBot, theme: Theme, report: PerformanceReport, selection: Selection
) -> Timeline:
    made = Timeline(theme, report, selection)
    qtbot.addWidget(made)
    made.resize(900, made.sizeHint().height())
    made.show()
    made.lanes.setFocus()
    return made


def span_named(report: PerformanceReport, name: str, run: int) -> int:
    trace = report.trace
    named = (trace.name == trace.names.index(name)) & (trace.run == run)
    return int(named.argmax())


def middle_of(lanes: Lanes, span: int) -> QPoint:
    return lanes.box_of(span).center().toPoint()


def turn_wheel(
    lanes: Lanes,
    at: QPoint,
    across: int = 0,
    down: int = 0,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier,
) -> bool:
    """Turn the wheel; return whether the lanes took it from the page."""
    buttons = Qt.MouseButton.NoButton
    event = QWheelEvent(
        QPointF(at), QPointF(lanes.mapToGlobal(at)), QPoint(), QPoint(across, down), buttons,
        keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    lanes.wheelEvent(event)
    return event.isAccepted()


def shown_run(timeline: Timeline, report: PerformanceReport) -> int:
    window = timeline.window_of_time
    return next(
        run
        for run, (begin, end) in enumerate(prediction_intervals(report.trace).tolist())
        if window.begin_ns <= begin and end <= window.end_ns
    )


def test_one_prediction_is_shown_at_first_and_all_on_demand(timeline, report, qtbot):
    window = timeline.window_of_time
    begin, end = prediction_intervals(report.trace)[shown_run(timeline, report)]
    assert end - begin < window.length_ns < 1.2 * (end - begin)
    assert " of 10.5 ms" in timeline.accessibleDescription()
    qtbot.mouseClick(timeline.all, LEFT)
    assert (window.begin_ns, window.end_ns) == (0, report.trace.end_ns)
    words = f"10.5 ms · {len(report.trace)} events"
    assert timeline.accessibleDescription() == words


def test_the_title_says_why_runs_are_longer_than_the_latency(theme, report, qtbot):
    times = (100_000,) * len(report.prediction_ns)
    fast = replace(report, prediction_ns=times)
    made = Timeline(theme, fast, Selection())
    qtbot.addWidget(made)
    text = made.accessibleDescription()
    assert text.endswith("with the profiler, 100 µs without")


def test_a_click_selects_the_span_with_its_layer(timeline, report, selection, qtbot):
    span = span_named(report, "head/conv", shown_run(timeline, report))
    qtbot.mouseClick(timeline.lanes, LEFT, pos=middle_of(timeline.lanes, span))
    assert selection.now == Selected(layer=13, span=span)
    assert "head/conv" in timeline.lanes.accessibleDescription()
    qtbot.mouseClick(timeline.lanes, LEFT, pos=QPoint(20, 20))
    assert selection.now == Selected()


def test_a_span_of_one_pixel_can_be_hit(timeline, report, selection, qtbot):
    timeline.window_of_time.fit()
    span = span_named(report, "head/softmax", 1)
    assert timeline.lanes.box_of(span).width() < 2
    qtbot.mouseClick(timeline.lanes, LEFT, pos=middle_of(timeline.lanes, span))
    assert selection.now.layer in (19, 20)


def test_the_wheel_is_left_to_the_page_without_control(timeline):
    length = timeline.window_of_time.length_ns
    plain = Qt.KeyboardModifier.NoModifier
    assert not turn_wheel(timeline.lanes, QPoint(500, 30), down=240, keys=plain)
    assert timeline.window_of_time.length_ns == length


def test_the_wheel_with_control_zooms_to_the_pointer(timeline):
    lanes, window = timeline.lanes, timeline.window_of_time
    at = QPoint(500, 30)
    instant, length = lanes.scale.instant(500), window.length_ns
    turn_wheel(lanes, at, down=240)
    assert window.length_ns < 0.75 * length
    assert lanes.scale.instant(500) == pytest.approx(instant)
    turn_wheel(lanes, at, across=-60)
    assert lanes.scale.x(instant) == pytest.approx(500 - 60)


def test_a_drag_pans_and_selects_nothing(timeline, report, selection, qtbot):
    lanes = timeline.lanes
    instant = lanes.scale.instant(400)
    qtbot.mousePress(lanes, LEFT, pos=QPoint(400, 30))
    qtbot.mouseMove(lanes, QPoint(380, 31))
    qtbot.mouseMove(lanes, QPoint(300, 31))
    qtbot.mouseRelease(lanes, LEFT, pos=QPoint(300, 31))
    assert lanes.scale.x(instant) == pytest.approx(300)
    assert selection.now == Selected()


def test_keys_zoom_pan_fit_and_step(timeline, report, selection, qtbot):
    lanes, window = timeline.lanes, timeline.window_of_time
    length = window.length_ns
    qtbot.keyClick(lanes, Qt.Key.Key_W)
    assert window.length_ns == pytest.approx(0.8 * length)
    begin = window.begin_ns
    qtbot.keyClick(lanes, Qt.Key.Key_D)
    assert window.begin_ns > begin
    qtbot.keyClick(lanes, Qt.Key.Key_A)
    assert window.begin_ns == pytest.approx(begin)
    qtbot.keyClick(lanes, Qt.Key.Key_S)
    assert window.length_ns == pytest.approx(length)
    lanes.pick(span_named(report, "head/conv", 1))
    qtbot.keyClick(lanes, "]")
    assert selection.now.layer == 15
    qtbot.keyClick(lanes, "[")
    assert selection.now.layer == 13
    qtbot.keyClick(lanes, Qt.Key.Key_Escape)
    assert selection.now == Selected()
    qtbot.keyClick(lanes, Qt.Key.Key_F)
    assert window.length_ns == window.whole_ns


def test_keys_of_other_programs_zoom_and_go_to_both_ends(timeline, qtbot):
    lanes, window = timeline.lanes, timeline.window_of_time
    window.show(4e6, 5e6)
    pad, plain = Qt.KeyboardModifier.KeypadModifier, Qt.KeyboardModifier.NoModifier
    for closer, farther, held in (
        (Qt.Key.Key_Plus, Qt.Key.Key_Minus, pad),
        (Qt.Key.Key_Plus, Qt.Key.Key_Underscore, SHIFT),
        (Qt.Key.Key_Equal, Qt.Key.Key_Minus, plain),
    ):
        qtbot.keyClick(lanes, closer, held)
        assert window.length_ns == pytest.approx(0.8e6)
        qtbot.keyClick(lanes, farther, held)
        assert (window.begin_ns, window.end_ns) == pytest.approx((4e6, 5e6))
    qtbot.keyClick(lanes, Qt.Key.Key_Home)
    assert (window.begin_ns, window.end_ns) == pytest.approx((0, 1e6))
    qtbot.keyClick(lanes, Qt.Key.Key_End)
    assert (window.length_ns, window.end_ns) == pytest.approx((1e6, window.last_ns))


def test_stepping_without_a_selection_begins_in_view(timeline, report, selection, qtbot):
    qtbot.keyClick(timeline.lanes, "]")
    span = selection.now.span
    assert span is not None
    assert timeline.lanes.box_of(span).width() > 10


def test_a_double_click_lets_the_span_fill_the_window(timeline, report, qtbot):
    lanes, window = timeline.lanes, timeline.window_of_time
    span = report.trace.span(span_named(report, "head/conv", shown_run(timeline, report)))
    qtbot.mouseDClick(lanes, LEFT, pos=middle_of(lanes, span.index))
    assert window.begin_ns < span.start_ns < span.start_ns + span.duration_ns < window.end_ns
    assert window.length_ns < 1.2 * span.duration_ns


def test_shift_and_drag_marks_and_tells_what_lies_there(timeline, report, selection, qtbot):
    lanes = timeline.lanes
    begin, end = prediction_intervals(report.trace)[shown_run(timeline, report)]
    left, right = (round(lanes.scale.x(instant)) for instant in (begin - 9e3, end + 9e3))
    qtbot.mousePress(lanes, LEFT, SHIFT, QPoint(left, 20))
    qtbot.mouseMove(lanes, QPoint(right, 40))
    qtbot.mouseRelease(lanes, LEFT, SHIFT, QPoint(right, 40))
    words = timeline.accessibleDescription()
    assert f"{units.duration(end - begin)} selected · Data 6 moves" in words, "it snaps"
    assert "CPU 3 kernels" in words
    assert "GPU 12 kernels" in words
    assert selection.now == Selected()
    qtbot.keyClick(lanes, Qt.Key.Key_Escape)
    assert " of " in timeline.accessibleDescription()


def test_a_layer_chosen_elsewhere_comes_into_view(timeline, report, selection):
    lanes, window = timeline.lanes, timeline.window_of_time
    window.show(0, 2e6)
    selection.choose(layer=9)
    assert lanes.selected_span is not None
    assert report.trace.layer[lanes.selected_span] == 9
    box = lanes.box_of(lanes.selected_span)
    assert lanes.scale.left < box.left() < box.right() < lanes.width()
    assert box.width() > 5


def test_a_fused_layer_shows_the_span_of_its_group(timeline, report, selection):
    selection.choose(layer=14)
    assert timeline.lanes.selected_span is not None
    assert report.trace.layer[timeline.lanes.selected_span] == 13
    selection.choose(layer=16)
    assert timeline.lanes.selected_span is None


def test_the_pointer_tells_what_it_is_on(timeline, report, qtbot):
    lanes = timeline.lanes
    span = span_named(report, "gate_to_host", shown_run(timeline, report))
    qtbot.mouseMove(lanes, middle_of(lanes, span))
    assert lanes.hover.isVisible()
    assert lanes.hover.title == "gate_to_host"
    facts = dict(lanes.hover.facts)
    assert facts["Kind"] == "Copy"
    assert facts["Copied"] == "128 B"
    assert facts["Run"] == str(shown_run(timeline, report) + 1)
    qtbot.mouseMove(lanes, QPoint(60, 5))
    assert not lanes.hover.isVisible()


def test_what_the_pointer_was_told_goes_when_the_page_scrolls(report, theme, qtbot):
    page, area = QWidget(), QScrollArea()
    timeline = Timeline(theme, report, Selection())
    column = QVBoxLayout(page)
    column.addWidget(timeline)
    column.addSpacing(600)
    area.setWidget(page)
    area.setWidgetResizable(True)
    qtbot.addWidget(area)
    area.resize(900, 300)
    area.show()
    lanes = timeline.lanes
    at = middle_of(lanes, span_named(report, "gate_to_host", shown_run(timeline, report)))
    for _ in range(2):
        qtbot.mouseMove(lanes, at + QPoint(1, 0))
        qtbot.mouseMove(lanes, at)
        assert lanes.hover.isVisible()
        area.verticalScrollBar().setValue(area.verticalScrollBar().value() + 15)
        assert not lanes.hover.isVisible()


def test_the_window_on_the_whole_run_can_be_dragged_by_its_middle_and_its_ends(timeline, qtbot):
    strip, window = timeline.strip, timeline.window_of_time
    window.show(4e6, 8e6)
    frame = strip.frame()
    middle, end = frame.center().toPoint(), QPoint(round(frame.right()), 15)
    qtbot.mousePress(strip, LEFT, pos=middle)
    qtbot.mouseMove(strip, middle + QPoint(-60, 0))
    qtbot.mouseRelease(strip, LEFT, pos=middle + QPoint(-60, 0))
    assert window.begin_ns == pytest.approx(4e6 - 60 * strip.scale.step_ns)
    assert window.length_ns == pytest.approx(4e6)
    qtbot.mousePress(strip, LEFT, pos=end - QPoint(60, 0))
    qtbot.mouseMove(strip, end - QPoint(100, 0))
    qtbot.mouseRelease(strip, LEFT, pos=end - QPoint(100, 0))
    assert window.length_ns == pytest.approx(4e6 - 40 * strip.scale.step_ns, rel=0.02)
    qtbot.mouseClick(strip, LEFT, pos=QPoint(strip.width() - 40, 15))
    assert strip.scale.x(window.end_ns) > strip.width() - 60


def test_an_unused_unit_is_there_and_an_empty_trace_is_no_failure(qtbot, theme, report):
    build = TraceBuilder()
    build.track(UNITS[CPU])
    for trace in (build.trace(), TraceBuilder().trace()):
        made = Timeline(theme, replace(report, trace=trace), Selection())
        qtbot.addWidget(made)
        made.resize(600, made.sizeHint().height())
        assert not made.grab().isNull()
        for key in ("w", "f", "]", "d"):
            qtbot.keyClick(made.lanes, key)


def test_spans_of_a_hostile_report_may_overlap_nest_deep_and_have_markup_for_names(
    qtbot, theme, report
):
    build = TraceBuilder()
    for i in range(60):
        track = Track(Lane.COMPUTE, f"<b>{i % 50}\n</b>", str(i % 50), "cpu")
        build.add(track, "<img src=x>" * 50, i, 200 - 2 * i, Kind.COPY, layer=9_999, run=i)
    for i in range(40):
        build.add(UNITS[CPU], "deep", 10 + i, 1000 - 2 * i, Kind.KERNEL)
    made = Timeline(theme, replace(report, trace=build.trace()), Selection())
    qtbot.addWidget(made)
    made.resize(600, made.sizeHint().height())
    assert not made.grab().isNull()
    assert made.height() < 500
    made.lanes.pick(59)
    made.lanes.step(1)
    assert not made.grab().isNull()


@pytest.mark.parametrize("width", [576, 872])
def test_words_of_the_head_are_whole_while_something_is_searched(qtbot, theme, width):
    made = Timeline(theme, example_report(), Selection(), tall=True)
    qtbot.addWidget(made)
    made.resize(width, 400)
    made.show()
    made.search.field.setText("stem/conv")
    made.search.search()
    qtbot.wait_until(lambda: bool(made.search.count.text()))
    QApplication.processEvents()
    field = made.search.field
    assert field.width() - 58 > field.fontMetrics().horizontalAdvance("stem/conv")
    told = made.note_label
    if told.isVisible():
        assert told.fitting() == told.accessibleName() or told.fitting().endswith(" ms")
    assert made.out.mapTo(made, made.out.rect().bottomRight()).x() < width
    field.clear()
    made.search.search()
    QApplication.processEvents()
    assert told.isVisible()


def test_the_search_field_has_its_room_after_the_card_became_wider(qtbot, theme, report):
    home = QWidget()
    qtbot.addWidget(home)
    made = Timeline(theme, report, Selection())
    QVBoxLayout(home).addWidget(made)
    home.resize(880, 400)
    home.show()
    qtbot.waitExposed(home)
    home.resize(1040, 400)
    search, runs = made.search, made.runs
    qtbot.waitUntil(lambda: search.field.width() > 200, timeout=1000)
    QApplication.processEvents()
    assert search.width() >= search.field.width()
    assert not runs.isVisible() or runs.x() > search.geometry().right()


def test_a_timeline_without_events_names_no_length(qtbot, theme):
    empty = replace(example_report(), trace=TraceBuilder().trace())
    made = Timeline(theme, empty, Selection())
    qtbot.addWidget(made)
    made.show()
    assert made.accessibleDescription() == "No events were recorded"
