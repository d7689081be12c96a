"""The engine dies in the middle of a job: the window says so in the place of the job, and
the next job works. Real windows, real processes, which are killed."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess, Limits, Progress
from inspector.report.compatibility import PROGRAMS, Outcome
from inspector.report.sweep import Axis
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.estimating import CostEstimation
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab, TabEntry

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform == "win32", reason="the faults are signals of POSIX"),
]
PICTURE = Path(__file__).parents[3] / "sample_models" / "inputs" / "digit_3.png"
PROGRAM = Path(__file__).parents[2] / "engine" / "faulty_engine.py"
WHY = "(SIGKILL)"


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """As long as it is there, the next job's engine is killed."""
    return tmp_path / "mark"


@pytest.fixture
def document(
    qtbot: QtBot, theme: Theme, tmp_path: Path, mark: Path, samples: Path
) -> Iterator[Document]:
    command = [sys.executable, "-S", "-E", str(PROGRAM), "prediction", "killed", str(mark)]

    def start(heard: Callable[[Progress], None]) -> EngineProcess:
        return EngineProcess(heard, Limits(), command, tmp_path / "lock")

    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, Workspace(settings, start))
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.workspace.failed):  # it knows no devices
        window.show()
    window.workspace.open(samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.document is not None and window.document.digest != "")
    assert window.document is not None
    document = window.document
    # The Overview asks for shapes as soon as it is seen: that engine is not to be the one.
    qtbot.waitUntil(lambda: document.estimating.estimate is not None, timeout=20_000)
    document.setProperty("window", window)
    document.setProperty("start", start)
    yield document
    window.close()


def shown(document: Document, tab: TabEntry) -> QWidget:
    window = document.property("window")
    window.choose_tab(tab)
    return window.view


def said(view: QWidget) -> str:
    return "\n".join(each.text() for each in view.findChildren(QLabel) if each.isVisible())


def predict(document: Document) -> None:
    window = document.property("window")
    window.view.tab(Tab.PREVIEW).use_picture(PICTURE)


def measure(document: Document) -> None:
    document.measure()


def walk(document: Document) -> None:
    document.stepping.run("none", None, None)


JOBS = {Tab.PREVIEW: predict, Tab.PERFORMANCE: measure, Tab.ACTIVATIONS: walk}


def test_a_job_whose_engine_dies_says_so_and_the_next_one_works(qtbot, document, mark):
    for tab, begin in JOBS.items():
        view = shown(document, tab)
        qtbot.waitUntil(lambda: document.work is None)
        assert WHY not in said(view), tab
        mark.touch()
        with qtbot.waitSignal(document.failed):
            begin(document)
        assert document.work is None, tab
        assert WHY in said(view), tab
        with qtbot.waitSignal(document.changed(Topic.PREDICTION)):
            document.predict()
        assert document.error is None, tab


def test_a_cell_of_a_sweep_whose_engine_dies_is_one_cell(qtbot, document, mark):
    mark.touch()
    sweeping = document.sweeping
    sweeping.start((Axis("threads", (1, 2)),), 1, 2, at_once=False)
    qtbot.waitUntil(lambda: document.work is None)
    assert document.error is None
    assert WHY in sweeping.sweep.cells[0].why
    assert WHY not in sweeping.sweep.cells[1].why
    with qtbot.waitSignal(document.changed(Topic.PREDICTION)):
        document.predict()


def test_a_program_that_dies_of_a_model_is_told_beside_the_others(qtbot, document, mark):
    mark.touch()
    verdicts = document.verdicts
    verdicts.ask()
    qtbot.waitUntil(lambda: not verdicts.asking)
    assert verdicts.error is None
    assert [each.outcome for each in verdicts.found] == [Outcome.DIED] * len(PROGRAMS)
    assert WHY in verdicts.found[0].why


def test_shapes_that_an_engine_dies_of_leave_a_note(qtbot, document, mark):
    assert document.path is not None
    assert document.model is not None
    start = document.property("start")
    another = CostEstimation(
        document.path, document.model, lambda: start(lambda _: None), document
    )
    mark.touch()
    with qtbot.waitSignal(another.changed):
        another.begin()
    assert WHY in another.estimate.shapes.note
