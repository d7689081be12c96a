from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from inspector.analysis.advice.trace_rules import program_findings, time_parts
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.tab import TraceTab
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme

MS = 1_000_000


def recorded(sessions: int) -> TraceDocument:
    build, calls = TraceBuilder(), Track(Lane.ACTIVITY, "m.onnx", family="activity")
    for number in range(sessions):
        begin = 1000 * MS + number * 40 * MS
        build.add(calls, "create session, 2 of 2 threads", begin, 20 * MS)
        build.add(calls, "run(a float32 1)", begin + 21 * MS, MS, run=number)
        build.add(calls, "release session", begin + 30 * MS, 0)
    build.add(calls, "run(a float32 1)", 9000 * MS, MS, run=sessions)
    trace = build.trace(zero_ns=0)
    opened = OpenedTrace(trace, (), (), "Trace exported by Inspector")
    path, parts = Path("recording.trace.json"), time_parts(trace)
    return TraceDocument(path, opened, program_findings(trace), parts=parts)


def links(tab: TraceTab) -> list[QPushButton]:
    return [each for each in tab.program.findChildren(QPushButton) if "event" in each.text()]


def shown(qtbot: QtBot, theme: Theme, document: TraceDocument) -> TraceTab:
    tab = TraceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    return tab


def test_a_finding_frames_its_events_and_steps_through_them(qtbot, theme):
    tab = shown(qtbot, theme, recorded(4))
    (finding,) = tab.document.findings
    (link,) = links(tab)
    assert link.text() == "Show 4 events"
    chosen = []
    for _ in range(5):
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
        chosen.append(tab.document.selection.now.span)
    assert chosen == [*finding.spans, finding.spans[0]]
    assert tab.told.accessibleName().startswith("Event 1 of 4")
    window = tab.timeline.window_of_time
    assert window.begin_ns <= 1000 * MS
    assert 1140 * MS <= window.end_ns < 2000 * MS


def test_a_finding_on_time_between_events_marks_that_time(qtbot, theme):
    document = recorded(4)
    gaps = (2000 * MS, 3000 * MS), (1100 * MS, 1200 * MS)
    document.findings = (replace(document.findings[0], gaps=gaps),)
    tab = shown(qtbot, theme, document)
    (link,) = (each for each in tab.program.findChildren(QPushButton) if "gap" in each.text())
    assert link.text() == "Show 2 gaps"
    marked = []
    for _ in range(3):
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
        marked.append(tab.timeline.lanes.marked)
        window = tab.timeline.window_of_time
        assert window.begin_ns < marked[-1][0] < marked[-1][1] < window.end_ns
    assert marked == [*gaps, gaps[0]]
    assert document.selection.now.span is None
    assert tab.told.accessibleName().startswith("Gap 1 of 2")


def test_a_finding_is_reached_by_the_keyboard(qtbot, theme):
    tab = shown(qtbot, theme, recorded(4))
    (link,) = links(tab)
    link.setFocus()
    QTest.keyClick(link, Qt.Key.Key_Space)
    assert tab.document.selection.now.span == tab.document.findings[0].spans[0]


def test_a_long_list_shows_its_first_and_all_when_asked(qtbot, theme):
    document = recorded(4)
    document.findings *= 5
    tab = shown(qtbot, theme, document)
    assert sum(link.isVisible() for link in links(tab)) == 3
    (more,) = tab.program.findChildren(ShowMoreButton)
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert sum(link.isVisible() for link in links(tab)) == 5


def test_the_first_line_is_the_verdict_and_the_timeline_shows_the_whole_recording(qtbot, theme):
    tab = shown(qtbot, theme, recorded(4))
    texts = [each.text() for each in tab.program.findChildren(QLabel)]
    assert texts[0] == "Inefficient: A session for each run costs up to 60.0 ms of 8.00 s."
    window = tab.timeline.window_of_time
    assert (window.begin_ns, window.end_ns) == (1000 * MS, 9001 * MS)


def test_a_trace_of_another_program_has_no_verdict(qtbot, theme):
    build, main = TraceBuilder(), Track(Lane.ACTIVITY, "main", family="activity")
    build.add(main, "task", 0, MS)
    opened = OpenedTrace(build.trace(zero_ns=0), (), (), "Chrome trace")
    tab = shown(qtbot, theme, TraceDocument(Path("other.json"), opened))
    assert not tab.program.isVisible()
