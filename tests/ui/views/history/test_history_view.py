"""The history in the window: found, filtered, compared, opened, tagged, removed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from inspector.analysis.measured.history import History
from inspector.report.library import Library
from inspector.report.report import save
from inspector.ui.views.comparison.view import ComparisonView
from inspector.ui.views.history.view import HistoryView
from inspector.ui.window.main_window import MainWindow
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton
OTHER = "another.onnx"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve reports on a model, slower from the seventh on, one on another, one broken."""
    made = tmp_path / "library"
    monkeypatch.setenv("INSPECTOR_LIBRARY", str(made))
    random, library = np.random.default_rng(3), Library(made)
    for number in range(12):
        p50 = round((1e6 if number < 6 else 1.1e6) * float(np.exp(random.normal(0, 0.003))))
        created = f"2026-11-{number + 1:02}T10:00:00+00:00"
        library.add(example_report(created=created, prediction_ns=(p50,) * 20))
    model = replace(example_report().model, name=OTHER)
    added = tmp_path / "artifacts"
    added.mkdir()
    save(example_report(model=model), added / "other.json")
    (added / "broken.json").write_text('{"schema": "report/1", "model": 7}')
    History(made).add([added])
    return made


@pytest.fixture
def view(qtbot: QtBot, window: MainWindow, folder: Path) -> HistoryView:
    window.run_command("history")
    made = window.findChild(HistoryView)
    qtbot.waitUntil(lambda: bool(made.reports))
    return made


def texts(view: HistoryView, field: str) -> list[str]:
    column = view.rows.column(field)
    return [view.rows.text(row, column) for row in range(view.rows.rowCount())]


def answer(dialog_answer: str) -> None:
    """Press a button of the message box that opens next."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        next(each for each in box.buttons() if dialog_answer in each.text()).click()

    QTimer.singleShot(0, press)


def test_it_lists_filters_and_shows_where_a_model_became_slower(qtbot, view):
    assert view.count.text() == "14 reports"
    dates = [text for text in texts(view, "created") if text]
    assert dates == sorted(dates, reverse=True)
    assert "Cannot be read" in texts(view, "device")
    view.models.setCurrentIndex(view.models.findData(OTHER))
    assert texts(view, "model") == [OTHER]
    view.models.setCurrentIndex(0)
    view.filter.setText("2026-11-03")
    assert view.count.text() == "1 of 14 reports"
    view.filter.clear()
    view.models.setCurrentIndex(view.models.findData(example_report().model.name))
    qtbot.waitUntil(lambda: view.trend_result.text() == "1 change")
    (change,) = view.changes
    assert (change.at, change.slower) == (6, True)
    assert "more time than before" in view.chart.item_name(change.at)
    view.quantity.setCurrentIndex(2)
    qtbot.waitUntil(lambda: view.trend_result.text() == "No change found")
    view.chart.setFocus()
    qtbot.keyClick(view.chart, Qt.Key.Key_Home)
    current = view.current()
    assert current.created.startswith("2026-11-01")
    assert not view.grab().isNull()


def test_reports_are_compared_and_opened(qtbot, view, window):
    reports = [each for each in view.reports if not each.problem]
    view.select(reports[0].path, reports[1].path)
    assert not view.open_button.isEnabled()
    qtbot.mouseClick(view.compare_button, LEFT)
    qtbot.waitUntil(lambda: window.findChild(ComparisonView) is not None)
    comparison = window.findChild(ComparisonView)
    qtbot.waitUntil(lambda: comparison.comparison is not None)
    view.select(next(each.path for each in reports if each.model == OTHER))
    qtbot.mouseClick(view.open_button, LEFT)
    qtbot.waitUntil(lambda: window.document is not None)
    assert window.document.report.model.name == OTHER
    window.run_command("history")  # now of the model whose report is shown
    newer = window.findChildren(HistoryView)[-1]
    qtbot.waitUntil(lambda: bool(newer.reports))
    assert texts(newer, "model") == [OTHER]


def test_reports_are_tagged_and_removed_after_a_question(qtbot, view, folder):
    own = [each.path for each in view.reports if view.history.is_own(each.path)]
    view.select(own[0])

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        tags, note = dialog.findChildren(QLineEdit)
        tags.setText("baseline, #v2")
        note.setText("before")
        dialog.accept()

    QTimer.singleShot(0, fill)
    qtbot.mouseClick(view.edit_button, LEFT)
    qtbot.waitUntil(lambda: "#baseline  #v2  before" in texts(view, "tags"))
    view.filter.setText("#baseline")
    assert view.count.text() == "1 of 14 reports"
    view.filter.clear()
    view.select(own[0])
    answer("Cancel")
    qtbot.mouseClick(view.remove_button, LEFT)
    assert own[0].is_file()
    answer("Remove")
    qtbot.mouseClick(view.remove_button, LEFT)
    qtbot.waitUntil(lambda: view.rows.total == 13)
    assert not own[0].exists()
    assert len(Library(folder).entries()) == 11


def test_it_may_be_closed_while_it_reads(qtbot, window, folder):
    for _ in range(3):
        window.run_command("history")
        view = window.findChildren(HistoryView)[-1]
        view.close()
    qtbot.waitUntil(lambda: not window.findChildren(HistoryView))
    qtbot.wait(100)
