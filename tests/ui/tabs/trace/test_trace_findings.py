from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector.analysis.advice.trace_rules import program_findings
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import Lane, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.tab import TraceTab
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
    return TraceDocument(Path("recording.trace.json"), opened, program_findings(trace))


def shown(qtbot: QtBot, theme: Theme, document: TraceDocument) -> TraceTab:
    tab = TraceTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    return tab


def test_a_finding_frames_its_events_and_steps_through_them(qtbot, theme):
    tab = shown(qtbot, theme, recorded(4))
    (finding,) = tab.document.findings
    link = tab.findings.rows[0].link
    assert link.text() == "4 events"
    assert "loaded before each run" in link.accessibleName()
    chosen = []
    for _ in range(5):
        QTest.mouseClick(link, Qt.MouseButton.LeftButton)
        chosen.append(tab.document.selection.now.span)
    assert chosen == [*finding.spans, finding.spans[0]]
    window = tab.timeline.window_of_time
    assert window.begin_ns <= 1000 * MS
    assert 1140 * MS <= window.end_ns < 2000 * MS


def test_a_finding_is_reached_by_the_keyboard(qtbot, theme):
    tab = shown(qtbot, theme, recorded(4))
    tab.findings.rows[0].link.setFocus()
    QTest.keyClick(tab.findings.rows[0].link, Qt.Key.Key_Space)
    assert tab.document.selection.now.span == tab.document.findings[0].spans[0]


def test_a_long_list_shows_its_first_and_all_when_asked(qtbot, theme):
    document = recorded(4)
    document.findings *= 5
    tab = shown(qtbot, theme, document)
    seen = []
    for _ in range(3):
        seen.append(sum(row.isVisible() for row in tab.findings.rows))
        QTest.mouseClick(tab.findings.all, Qt.MouseButton.LeftButton)
    assert seen == [3, 5, 3]
    assert tab.findings.all.text() == "Show fewer"


def test_nothing_found_takes_no_room(qtbot, theme):
    tab = shown(qtbot, theme, recorded(1))  # kept: the window goes with it
    assert not tab.findings.isVisible()
