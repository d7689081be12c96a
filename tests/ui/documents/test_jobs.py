"""Jobs off the window's thread, and who hears of them."""

import threading

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.errors import BadInput, InspectorError
from inspector.files import sample
from inspector.ui.documents.jobs import Jobs
from tests.ui.made_documents import KeepingEngine, document


class Told:
    """What came back, and the thread that worked for it."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self.errors: list[InspectorError] = []
        self.thread = threading.Thread()
        self.gate = threading.Event()

    def work(self) -> str:
        self.thread = threading.current_thread()
        assert self.gate.wait(5)
        return "done"

    def refuse(self) -> str:
        self.work()
        raise BadInput("Could not work")


@pytest.mark.parametrize("fails", [False, True])
def test_the_outcome_comes_back_on_the_windows_thread(qtbot: QtBot, fails: bool) -> None:
    told, jobs = Told(), Jobs()
    told.gate.set()
    jobs.start(told.refuse if fails else told.work, told.values.append, told.errors.append)
    qtbot.waitUntil(lambda: bool(told.values or told.errors))
    assert bool(told.errors) is fails
    assert told.thread is not threading.current_thread()


@pytest.mark.parametrize("fails", [False, True])
def test_who_has_been_silenced_tells_neither_value_nor_error(qtbot: QtBot, fails: bool) -> None:
    told, jobs = Told(), Jobs()
    jobs.start(told.refuse if fails else told.work, told.values.append, told.errors.append)
    qtbot.waitUntil(lambda: told.thread.is_alive())
    jobs.silence()
    told.gate.set()
    told.thread.join(5)
    QApplication.processEvents()
    assert not told.values
    assert not told.errors


def test_a_document_that_is_closed_before_its_digest_is_known_says_nothing(
    qtbot: QtBot,
) -> None:
    told, path, before = Told(), sample("digits_float32.onnx"), set(threading.enumerate())
    assert path is not None
    closing = document(path, KeepingEngine())
    closing.digest_changed.connect(lambda: told.values.append("digest"))
    closing.failed.connect(told.errors.append)
    closing.model_changed.connect(closing.close)
    closing.open()
    qtbot.waitUntil(lambda: closing.model is not None)
    for reading in set(threading.enumerate()) - before:
        if reading.name == "aside":
            reading.join(5)
    QApplication.processEvents()
    assert not told.values
    assert not told.errors
    assert not closing.digest
