"""A trace file in the window: opened, listed, exported from, closed."""

import gzip
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from inspector.render.registry import export
from inspector.report import report
from inspector.ui.documents import file_dialogs
from inspector.ui.widgets.export_forms import trace_forms
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.sidebar import ENTRY
from tests.reports import example_report

EVENTS = [
    {"ph": "X", "pid": 1, "tid": 1, "name": "outer", "ts": 0, "dur": 10},
    {"ph": "X", "pid": 1, "tid": 1, "name": "inner", "ts": 2, "dur": 5},
]


def opened(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.workspace.trace_opened):
        window.workspace.open(path)


def entries(window: MainWindow) -> list[str]:
    model = window.sidebar.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_a_trace_opens_in_front_and_stands_in_the_list(qtbot, window, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(EVENTS))
    window.resize(1440, 900)  # whatever the screen: a narrow window has no pane
    opened(qtbot, window, path)
    assert window.trace is not None
    assert window.top_bar.title.accessibleName() == "run.json"
    assert window.top_bar.subtitle.accessibleName().startswith("Chrome trace · 2 events")
    assert entries(window) == ["Traces", "run.json"]
    assert window.workspace.recent == (path,)
    assert window.inspector.isVisible()
    assert window.top_bar.export_button.isEnabled()


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("json", b"{"),
        ("visible", b"{"),
        ("csv", b"name"),
        ("png", b"\x89PNG"),
        ("svg", b"<?xml"),
    ],
)
def test_each_entry_of_the_export_menu_writes_the_trace_to_the_chosen_file(
    qtbot, window, tmp_path, monkeypatch, form, start
):
    path, target = tmp_path / "run.json", tmp_path / "exported"
    path.write_text(json.dumps(EVENTS))
    opened(qtbot, window, path)
    proposed: list[str] = []

    def name(parent: QWidget, title: str, proposal: str, *more: str) -> tuple[str, str]:
        proposed.append(Path(proposal).name)
        return str(target), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(name))
    entries = window.top_bar.export_button.menu().actions()
    assert len(entries) == len(trace_forms())
    entries[[each.id for each in trace_forms()].index(form)].trigger()
    qtbot.waitUntil(target.exists, timeout=20_000)
    qtbot.waitUntil(lambda: target.name in window.notice.what.text())
    assert target.read_bytes().startswith(start)
    assert proposed == [f"run{next(each.suffix for each in trace_forms() if each.id == form)}"]


def test_an_export_that_is_not_wanted_writes_nothing(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(EVENTS))
    opened(qtbot, window, path)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *_: ("", "")))
    window.top_bar.export_button.menu().actions()[0].trigger()
    assert [each.name for each in tmp_path.glob("*.json")] == ["run.json"]
    assert not window.notice.isVisible()


def test_the_status_says_what_is_being_opened_and_twice_is_once(qtbot, window, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(EVENTS))
    with qtbot.waitSignal(window.workspace.trace_opened):
        window.workspace.open(path)
        window.workspace.open(path)
        assert window.workspace.reading == (path,)
        assert window.status.words()[0] == "Opening run.json"
    assert window.status.words()[0] == "Ready"
    assert window.workspace.reading == ()
    assert len(window.workspace.traces) == 1


def test_a_compressed_trace_opens_whatever_its_name(qtbot, window, tmp_path):
    path = tmp_path / "profile.gz"
    path.write_bytes(gzip.compress(json.dumps({"traceEvents": EVENTS}).encode()))
    opened(qtbot, window, path)
    assert len(window.trace.document.opened.trace) == 2


def test_json_is_told_apart_by_what_is_in_it(qtbot, window, tmp_path):
    saved, exported = tmp_path / "a.json", tmp_path / "b.json"
    report.save(example_report(), saved)
    exported.write_bytes(export(example_report(), "trace"))
    opened(qtbot, window, exported)
    with qtbot.waitSignal(window.workspace.opened):
        window.workspace.open(saved)
    assert window.document is not None
    assert window.trace is None
    assert entries(window) == ["Reports", "mobile_small", "Traces", "b.json"]


def test_what_is_neither_says_so(qtbot, window, tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"a": 1}')
    with qtbot.waitSignal(window.workspace.failed):
        window.workspace.open(path)
    assert window.notice.isVisible()
    assert "other.json" in window.notice.what.text()


def test_choosing_in_the_list_brings_each_to_the_front(qtbot, window, tmp_path):
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(EVENTS))
        opened(qtbot, window, tmp_path / name)
    listed = window.sidebar.list
    first = next(
        listed.model().index(row, 0)
        for row in range(listed.model().rowCount())
        if listed.model().index(row, 0).data() == "one.json"
    )
    assert first.data(ENTRY)[1] is None
    listed.setCurrentIndex(first)
    assert window.windowTitle() == "one.json — Inspector"


def test_opening_an_open_trace_brings_it_to_the_front(qtbot, window, tmp_path):
    for name in ("one.json", "two.json", "one.json"):
        (tmp_path / name).write_text(json.dumps(EVENTS))
        opened(qtbot, window, tmp_path / name)
    assert len(window.workspace.traces) == 2
    assert window.top_bar.title.accessibleName() == "one.json"


def test_a_command_compares_the_trace_in_front_with_a_file(
    qtbot, window, tmp_path, monkeypatch
):
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(EVENTS))
    opened(qtbot, window, tmp_path / "one.json")
    monkeypatch.setattr(file_dialogs, "choose_files", lambda *_: (tmp_path / "two.json",))
    window.run_command("compare/traces")
    qtbot.waitUntil(window.trace.comparison.isVisible)
    assert "two.json" in window.trace.compared.accessibleName()


def test_closing_the_last_trace_leads_back_to_the_welcome(qtbot, window, tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(EVENTS))
    opened(qtbot, window, path)
    window.close_document()
    assert window.workspace.traces == ()
    assert window.welcome.isVisible()
    assert window.top_bar.title.accessibleName() == "Inspector"
    assert not window.sidebar.isVisible()
