"""The strip says which predictions were not profiled, where lanes end without a word."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.report.report import PerformanceReport
from inspector.trace.trace import Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.selection import Selection
from inspector.ui.timeline.model.predictions import iterations, unprofiled
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.timeline.widget.overview_strip import HEIGHT
from inspector.ui.widgets.theme import Theme
from tests.reports import example_report

ACTIVITY = Track(Lane.ACTIVITY, "Activity", family="activity")
CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
MS = 1_000_000
LAST = "Profiling stopped after run 4; later runs were timed without the profiler"


def of_measurement(bare: int = 6, sessions: int = 1) -> Trace:
    """Four profiled predictions a session, each followed by some without the profiler."""
    build, now, run = TraceBuilder(), 0, 0
    for _ in range(sessions):
        for _ in range(4):
            build.add(ACTIVITY, f"predict {run + 1}", now, 9 * MS, run=run)
            build.add(CPU, "Conv 1", now + MS, 7 * MS, Kind.KERNEL, 1, run)
            now, run = now + 10 * MS, run + 1
        for place in range(bare):
            build.add(ACTIVITY, f"run without profiler {place + 1}", now, 9 * MS)
            now += 10 * MS
    return build.trace()


def of_recording() -> Trace:
    """A program of which the recorder profiled the first four predictions."""
    build = TraceBuilder()
    for run in range(20):
        build.add(ACTIVITY, "run", run * 10 * MS, 9 * MS, run=run)
        if run < 4:
            build.add(CPU, "Conv 1", run * 10 * MS + MS, 7 * MS, Kind.KERNEL, 1, run)
    return build.trace()


def made(trace: Trace, theme: Theme, qtbot: QtBot, width: int = 1100) -> Timeline:
    report: PerformanceReport = replace(example_report(), trace=trace)
    timeline = Timeline(theme, report, Selection())
    qtbot.addWidget(timeline)
    timeline.resize(width, timeline.sizeHint().height())
    timeline.show()
    return timeline


@pytest.mark.parametrize("trace", [of_measurement(16), of_recording()])
def test_the_end_of_profiling_is_written_on_the_strip(trace, theme, qtbot):
    strip = made(trace, theme, qtbot).strip
    (one,) = unprofiled(trace, iterations(trace))
    assert one.text == LAST
    assert (one.begin_ns, one.after, one.count) == (39 * MS, 4, 16)
    assert strip.label_text(one) == LAST
    assert strip.accessibleDescription() == LAST
    middle = strip.label_box(one).center().toPoint()
    QTest.mouseMove(strip, middle)
    assert strip.toolTip() == LAST
    QTest.mouseMove(strip, QPoint(int(strip.label_box(one).left()) - 20, middle.y()))
    assert strip.toolTip() == ""


def test_the_words_are_drawn_where_profiling_stopped(theme, qtbot):
    """The same trace without the last predictions' name has lines there and no words."""
    with_words = made(of_measurement(16), theme, qtbot).strip
    (one,) = unprofiled(of_measurement(16), iterations(of_measurement(16)))
    box = with_words.label_box(one)
    plain = made(of_measurement(16), theme, qtbot).strip
    plain._unprofiled = ()
    shown, bare = (strip.grab().toImage() for strip in (with_words, plain))
    differ = [
        QPoint(x, y)
        for x in range(0, shown.width(), 2)
        for y in range(0, HEIGHT, 2)
        if shown.pixel(x, y) != bare.pixel(x, y)
    ]
    assert len(differ) > 100
    ratio = with_words.devicePixelRatioF()
    room = QRectF(box).adjusted(-2, -2, 2, 2)
    assert all(room.contains(QRectF(p.x() / ratio, p.y() / ratio, 0.1, 0.1)) for p in differ)


def test_a_narrow_stretch_has_a_few_words_or_none(theme, qtbot):
    trace = of_measurement(2)
    (one,) = unprofiled(trace, iterations(trace))
    assert made(trace, theme, qtbot, 900).strip.label_text(one) == "Not profiled"
    tiny = of_measurement(1, sessions=9)
    strip = made(tiny, theme, qtbot, 500).strip
    first, *_, last = unprofiled(tiny, iterations(tiny))
    assert strip.label_text(first) == ""
    assert first.text.endswith("run 4; the next one was timed without the profiler")
    assert last.text.startswith("Profiling stopped after run 36; later runs")


def test_a_trace_that_was_profiled_whole_says_nothing(theme, qtbot):
    trace = example_report().trace
    assert unprofiled(trace, iterations(trace)) == ()
    assert made(trace, theme, qtbot).strip.accessibleDescription() == ""
