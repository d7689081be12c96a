"""A window with its own settings, and a canned engine where no process is wanted."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.analysis.facts.shapes import Shapes
from inspector.conversion.action import Effect
from inspector.engine.client.engine import Engine
from inspector.engine.requests import (
    EditModel,
    InferShapes,
    ListDevices,
    ListEffects,
    Predict,
    PreviewEdits,
)
from inspector.errors import Cancelled
from inspector.platform.gc_policy import disable_automatic_collection
from inspector.report.report import Device
from inspector.ui import commands, translate
from inspector.ui.documents import workspace
from inspector.ui.documents.services import DocumentServices
from inspector.ui.documents.workspace import Workspace
from inspector.ui.selection import Selection
from inspector.ui.tabs.overview import next_steps
from inspector.ui.widgets.theme import Theme, load_fonts
from inspector.ui.window.main_window import MainWindow
from tests.conftest import PatientQtBot

next_steps.CHECK_AFTER_MS = 10**8  # a page that is looked at for a while starts no engine here


class CannedEngine(Engine):
    """Answers each call with what the test put in, in place of the engine process."""

    elsewhere = False

    def __init__(self, on_progress: Callable[[Any], None], answers: dict[str, Any]) -> None:
        self.on_progress, self.answers, self.killed = on_progress, answers, False
        self.partial = None

    def call(self, request: Any) -> Any:
        match request:
            case ListDevices():
                return (Device("cpu", "Example CPU", "cpu", "CPUExecutionProvider"),)
            case InferShapes():
                return self.answers.get("shapes", Shapes())
            case ListEffects():
                return tuple(Effect(nothing="nobody looked") for _ in request.others)
            case PreviewEdits() | EditModel():
                raise Cancelled("The test has no edits")
            case Predict() if "predict" not in self.answers:
                # Preview runs a sample on its example by itself, in tests of other things, too.
                raise Cancelled("The test has no prediction")
        answer = self.answers[request.kind]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        self.killed = True

    def __enter__(self) -> "CannedEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.fixture(autouse=True)
def _collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it free nothing of Qt's in the thread of a job, as in the window, from now on: what
    is left of a test could be freed in a thread of any later one.

    After something large was closed, what thousands of tests left is not looked through, too.
    """
    monkeypatch.setattr(workspace, "collect_and_trim", gc.collect)
    disable_automatic_collection()


@pytest.fixture(autouse=True)
def _no_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure no peak of this machine after a measurement: that takes seconds."""
    as_it_is = staticmethod(lambda engine, measured, report: report)
    monkeypatch.setattr(DocumentServices, "with_known_peak", as_it_is)


@pytest.fixture(scope="session")
def fonts(qapp: QApplication) -> None:
    load_fonts()


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """Texts, dates and numbers are German."""
    before = qapp.findChildren(QTranslator)
    translate.load(qapp, "de")
    yield
    for translator in qapp.findChildren(QTranslator):
        if translator not in before:
            translate.remove(qapp, translator)


@pytest.fixture
def theme(qapp: QApplication, fonts: None) -> Theme:
    made = Theme("light")
    made.dress(qapp)
    return made


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What views ask for that are in no window: the id and the arguments of each command."""
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(commands, "run", lambda view, *command: asked.append(command))
    return asked


@pytest.fixture
def selection() -> Selection:
    """Nothing is selected yet."""
    return Selection()


@pytest.fixture
def answers() -> dict[str, Any]:
    """What the canned engine answers, by job; a test fills it."""
    return {}


def make_window(theme: Theme, folder: Path, answers: dict[str, Any]) -> MainWindow:
    """A window with settings of its own in a folder."""
    settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    engine: Any = lambda heard: CannedEngine(heard, answers)  # noqa: E731
    return MainWindow(theme, Workspace(settings, engine))


def _stop(window: MainWindow) -> None:
    """End what a test left running: a window at work asks before it closes."""
    window.workspace.end()
    window.messages.may_stop = lambda *_: True


@pytest.fixture
def window(
    qtbot: QtBot, theme: Theme, tmp_path: Path, answers: dict[str, Any]
) -> Iterator[MainWindow]:
    made = make_window(theme, tmp_path, answers)
    qtbot.addWidget(made, before_close_func=_stop)
    with qtbot.waitSignal(made.workspace.devices_changed):
        made.show()
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_window(
    qapp: QApplication,
    fonts: None,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[MainWindow]:
    """One window for all tests of a file that leave it as they found it."""
    disable_automatic_collection()
    theme = Theme("light")
    theme.dress(qapp)
    made = make_window(theme, tmp_path_factory.mktemp("window"), {})
    with PatientQtBot(request).waitSignal(made.workspace.devices_changed):
        made.show()
    yield made
    made.close()
    made.deleteLater()
