"""An exception that nobody catches is a message in the window, whoever raises it."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inspector.errors import InspectorError
from inspector.platform import crash_report
from inspector.ui.app.application import InternalErrors
from inspector.ui.background import TaskRunner
from inspector.ui.window.main_window import MainWindow


@pytest.fixture
def errors(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> InternalErrors:
    saved = tmp_path / "error.txt"
    monkeypatch.setattr(crash_report, "save", lambda error, arguments: saved)
    monkeypatch.setattr(crash_report, "_SAVED", {})
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    monkeypatch.setattr(threading, "__excepthook__", lambda _: None)
    for module, name in ((sys, "excepthook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))  # put back after the test
    made = InternalErrors(window)
    made.install()
    return made


def _fail() -> None:
    raise KeyError("integer")


class _Painted(QWidget):
    def paintEvent(self, event: QPaintEvent) -> None:
        raise ZeroDivisionError


def _by_slot() -> QWidget:
    made = QPushButton("go")
    made.clicked.connect(_fail)
    made.click()
    return made


def _by_timer() -> None:
    QTimer.singleShot(0, _fail)


def _by_event() -> QWidget:
    made = _Painted()
    made.show()
    return made


def _by_thread() -> None:
    threading.Thread(target=_fail).start()


@pytest.mark.parametrize("fault", [_by_slot, _by_timer, _by_event, _by_thread])
def test_an_exception_of_a_slot_an_event_or_a_thread_is_told_in_the_window(
    window, errors, qtbot, fault
):
    kept = fault()
    qtbot.waitUntil(window.notice.isVisible)
    shown = " ".join(each.text() for each in window.notice.findChildren(QLabel))
    kind = "ZeroDivisionError" if fault is _by_event else "KeyError"
    assert "Internal error in Inspector" in shown
    assert f"{kind} in test_internal_errors.py, line " in shown
    assert "error.txt" in shown
    del kept


def test_a_task_that_fails_names_the_file_to_attach(errors, qtbot):
    told: list[InspectorError] = []
    runner = TaskRunner(errors)
    runner.start(_fail, told.append, told.append)
    qtbot.waitUntil(lambda: bool(told))
    assert "KeyError in test_internal_errors.py, line " in told[0].why
    assert "error.txt" in told[0].hint


def test_an_error_of_one_place_is_told_once(window, errors):
    told: list[object] = []
    errors.found.connect(told.append)
    for _ in range(3):
        try:
            _fail()
        except KeyError as error:
            errors.report(error)
    assert len(told) == 1
