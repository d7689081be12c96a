"""The line at the bottom: a job without progress can be canceled there."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import Progress
from inspector.ui.documents.document import Topic, Work
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.status import StatusLine
from tests.ui.made_documents import KeepingEngine, document


@pytest.fixture
def status(qtbot: QtBot, theme: Theme) -> StatusLine:
    made = StatusLine(theme)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    return made


def test_a_job_without_progress_can_be_canceled(qtbot, status):
    engine = KeepingEngine()
    on = document(Path("made.onnx"), engine)
    status.show_document(on)
    assert status.words() == ("Ready", "")
    on.work = Work.PREDICTING
    on.tell(Topic.WORK)
    assert not status.cancel.isVisible()
    on.progressed.emit(Progress("running", 0.5, stalled_seconds=12, layers=("loop",)))
    assert status.words()[0].startswith("No progress for 12 s")
    assert status.cancel.isVisible()
    qtbot.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    assert engine.killed
    status.show_reading("next.onnx")
    assert status.words() == ("Opening next.onnx", "")
    assert not status.cancel.isVisible(), "what is read now is another file"
    status.show_reading("")
    status.show_document(None)
    assert status.words() == ("Ready", "")
