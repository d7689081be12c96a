"""Several files at once, messages that stay where they belong, reports with their model."""

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit

from inspector.formats.opening import digest
from inspector.report import report as reports
from inspector.ui.widgets import notice
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.reports import example_report
from tests.ui.made_documents import drop

COREML = Path(__file__).parents[2] / "formats" / "coreml" / "files"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def wine(samples: Path) -> Path:
    return samples / "wine_tabular.onnx"


@pytest.fixture
def report(digits: Path, tmp_path: Path) -> Path:
    """A saved report of the digits' model."""
    made, path = example_report(), tmp_path / "digits.report.json"
    size = digits.stat().st_size
    identity = replace(made.model, sha256=digest(digits), name=digits.name, size_bytes=size)
    reports.save(replace(made, model=identity), path)
    return path


def page(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.write_text("<!DOCTYPE html><title>Sign in</title>")
    return path


def opened(window: MainWindow, *names: str) -> Callable[[], bool]:
    return lambda: (
        tuple(d.name for d in window.workspace.documents) == names
        and all(d.model is not None for d in window.workspace.documents)
    )


def test_every_error_of_several_files_is_told_and_the_last_good_file_is_selected(
    qtbot, window, digits, wine, tmp_path
):
    bad = [page(tmp_path, "login.onnx"), page(tmp_path, "other.onnx"), tmp_path / "gone.json"]
    with qtbot.waitSignal(window.workspace.opening_ended):
        drop(window, bad[0], digits, bad[1], wine, bad[2])
    assert window.notice.isVisible()
    assert window.notice.what.text() == "3 of 5 files could not be opened"
    told = window.notice.list.text().splitlines()
    for name in ("login.onnx", "other.onnx", "gone.json"):
        assert sum(line.startswith(name) for line in told) == 1
    assert window.document.path == wine


def test_files_chosen_in_the_dialog_are_opened_together(
    qtbot, window, digits, tmp_path, monkeypatch
):
    names = [str(digits), str(page(tmp_path, "a.onnx")), str(page(tmp_path, "b.onnx"))]
    monkeypatch.setattr(QFileDialog, "exec", lambda _: QFileDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: names)
    with qtbot.waitSignal(window.workspace.opening_ended):
        qtbot.mouseClick(window.top_bar.open_button, LEFT)
    assert window.notice.what.text() == "2 of 3 files could not be opened"
    assert window.document.path == digits


def test_a_folder_that_is_one_model_is_chosen_in_the_dialog_like_a_file(qtbot, window):
    package = COREML / "blocks.mlpackage"

    def enter_name() -> None:
        dialog = window.findChild(QFileDialog)
        dialog.setDirectory(str(package.parent.parent))  # a usual folder, which is entered
        assert dialog.isVisible()
        field = dialog.findChild(QLineEdit)
        field.setText(str(package))
        qtbot.keyClick(field, Qt.Key.Key_Return)

    QTimer.singleShot(0, window, enter_name)
    with qtbot.waitSignal(window.workspace.opening_ended):
        qtbot.mouseClick(window.top_bar.open_button, LEFT)
    assert window.document.reopen_path == package
    assert not window.top_bar.device_button.isVisible()  # it does not run here
    assert not window.top_bar.measure_arrow.isEnabled()


def test_a_message_about_one_document_stays_with_it(qtbot, window, digits, wine, tmp_path):
    window.workspace.open(*(digits, wine))
    qtbot.waitUntil(opened(window, digits.name, wine.name))
    first, second = window.workspace.documents
    window.show_document(first)
    window.notice.say(notice.Message("Something of the digits", bad=True), first)
    assert window.notice.isVisible()
    window.show_document(second)
    assert not window.notice.isVisible()
    window.show_document(first)
    assert window.notice.what.text() == "Something of the digits"
    window.close_document(first)
    assert not window.notice.isVisible()


def test_a_message_moves_nothing_on_the_page(qtbot, window, digits, tmp_path):
    window.workspace.open(digits)
    qtbot.waitUntil(opened(window, digits.name))
    before = window.view.geometry(), window.view.mapToGlobal(QPoint(0, 0))
    window.workspace.open(page(tmp_path, "login.onnx"))
    qtbot.waitUntil(window.notice.isVisible)
    qtbot.wait(60)
    assert (window.view.geometry(), window.view.mapToGlobal(QPoint(0, 0))) == before
    assert window.notice.geometry().bottom() < window.notice.parentWidget().height()
    window.resize(window.width() - 200, window.height() - 150)
    assert window.notice.parentWidget().rect().contains(window.notice.geometry())


@pytest.mark.skipif(sys.platform == "win32", reason="Explorer is always there")
def test_saved_fades_has_show_in_folder_and_stays_under_the_pointer(
    qtbot, window, monkeypatch, tmp_path
):
    monkeypatch.setattr(notice.sys, "platform", "linux")
    monkeypatch.setattr(notice, "FILE_MANAGER", "false")  # as where there is none
    monkeypatch.setattr(notice, "FADING_MS", 10)
    monkeypatch.setattr(notice, "FADES_AFTER_MS", 40)
    window.notice.show_done("Saved a.json", str(tmp_path / "a.json"))
    assert window.notice.why.text() == str(tmp_path)
    window.notice.enterEvent(None)
    qtbot.wait(120)
    assert window.notice.isVisible()
    window.notice.leaveEvent(QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: not window.notice.isVisible())
    window.notice.show_done("Saved a.json", str(tmp_path / "a.json"))
    qtbot.mouseClick(window.notice.action, LEFT)
    assert not window.notice.isVisible()
    qtbot.waitUntil(window.notice.isVisible)
    assert "The file is in" in window.notice.why.text()
    assert str(tmp_path) in window.notice.why.text()
    assert window.notice.why.height() >= window.notice.why.heightForWidth(
        window.notice.why.width()
    )


@pytest.mark.parametrize("order", list(permutations(("model", "report"))))
def test_model_and_report_find_each_other_in_both_orders(qtbot, window, digits, report, order):
    """As `inspector MODEL REPORT`: the report is never left without its model."""
    paths = {"model": digits, "report": report}
    alone: list[Any] = []
    window.workspace.opened.connect(lambda d: alone.append(d) if d.path is None else None)
    with qtbot.waitSignal(window.workspace.opening_ended):
        window.workspace.open(*[paths[each] for each in order])
    qtbot.waitUntil(opened(window, digits.name))
    (home,) = window.workspace.documents
    qtbot.waitUntil(lambda: len(home.reports) == 1)
    assert alone == []
    assert window.document is home
    assert window.view.current is Tab.PERFORMANCE
    assert "without its model" not in window.top_bar.subtitle.text()


@pytest.mark.parametrize("first", ["model", "report"])
def test_a_later_opening_brings_model_and_report_together(qtbot, window, digits, report, first):
    paths = [digits, report] if first == "model" else [report, digits]
    window.workspace.open(paths[0])
    qtbot.waitUntil(lambda: window.document is not None and not window.workspace.reading)
    if first == "model":
        (document,) = window.workspace.documents
        qtbot.waitUntil(lambda: bool(document.digest))
    window.workspace.open(paths[1])
    qtbot.waitUntil(opened(window, digits.name))
    (home,) = window.workspace.documents
    qtbot.waitUntil(lambda: len(home.reports) == 1)
    assert home.report is not None
    qtbot.waitUntil(lambda: window.document is home)


def test_opening_a_report_again_shows_the_one_that_is_open(qtbot, window, report):
    for _ in range(2):
        with qtbot.waitSignal(window.workspace.opening_ended):
            window.workspace.open(report)
    (home,) = window.workspace.documents
    assert len(home.reports) == 1
    made = reports.load(report)
    reports.save(replace(made, notes=("Another.",)), report)
    with qtbot.waitSignal(window.workspace.opening_ended):
        window.workspace.open(report)
    assert window.document.report.notes == ("Another.",)


def test_what_cannot_be_opened_leaves_the_selection_alone(qtbot, window, samples, tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model")
    for name in ("digits_float32.onnx", "wine_tabular.onnx"):
        window.workspace.open(samples / name)
        document = window.document
        qtbot.waitUntil(lambda document=document: document.model is not None)
    first, last = window.workspace.documents
    window.show_document(first)
    window.choose_tab(Tab.GRAPH)
    first.selection.choose(layer=2)
    opening = window.workspace.open(broken)
    qtbot.waitUntil(lambda: not opening.left)
    assert [each.what for each in opening.failures] == ["Could not open broken.onnx"]
    assert window.document is first, "and not the one that was opened last"
    assert (window.view.current, first.selection.now.layer) == (Tab.GRAPH, 2)
    opening = window.workspace.open(samples / last.name)
    assert opening.shown == {0: (last, None)}
    assert window.document is last
