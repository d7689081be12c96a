"""The list at the left: names that tell apart, and what can be done with an entry."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from inspector.report.run_spec import RunSpec
from inspector.ui.window.main_window import MainWindow
from tests.reports import example_report
from tests.ui.made_documents import open_in_window


def entries(window: MainWindow) -> list[str]:
    rows = window.sidebar.list.model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def open_with_reports(qtbot: QtBot, window: MainWindow, samples: Path, *threads: int) -> None:
    open_in_window(qtbot, window, samples / "digits_float32.onnx")
    assert window.document is not None
    for count in threads:
        spec = RunSpec(devices=("cpu",), threads=count)
        made = f"2026-11-24T12:0{count}:00+00:00"
        window.document.add_report(example_report(spec=spec, created=made))


def test_reports_stand_under_their_model_named_by_what_differs(qtbot, window, samples):
    open_with_reports(qtbot, window, samples, 1, 2)
    assert entries(window) == [
        "Open models",
        "digits_float32",
        "CPU, 2 threads",
        "CPU, 1 thread",
    ]


def test_one_report_is_named_by_its_device_alone(qtbot, window, samples):
    open_with_reports(qtbot, window, samples, 2)
    assert entries(window)[2:] == ["CPU"]


def test_a_noisy_latency_says_so_in_the_list(qtbot, window, samples):
    open_with_reports(qtbot, window, samples, 2)
    rows = window.sidebar.list.model()
    assert "Noisy" not in rows.data(rows.index(2, 0), Qt.ItemDataRole.ToolTipRole)
    report = example_report()
    busy = replace(report, surroundings=replace(report.surroundings, others=0.61))
    window.document.add_report(busy)
    told = rows.data(rows.index(2, 0), Qt.ItemDataRole.ToolTipRole)
    assert "Noisy: Other programs used 61%" in told


def test_a_report_can_be_renamed_copied_and_left_alone(qtbot, window, samples):
    open_with_reports(qtbot, window, samples, 1, 2)
    document = window.document
    first = document.reports[0]
    window.sidebar.rename(first, "baseline")
    assert entries(window)[2:] == ["CPU, 2 threads", "baseline"]
    menu = window.sidebar.menu((document, first), "baseline")
    actions = {action.text(): action for action in menu.actions()}
    assert {"Rename…", "Copy name", "Show in folder", "Close"} <= set(actions)
    actions["Copy name"].trigger()
    assert QGuiApplication.clipboard().text() == "baseline"
    actions["Close other reports"].trigger()
    assert list(document.reports) == [first]
    window.sidebar.rename(first, "")
    assert entries(window)[2:] == ["CPU"]
