"""A prediction that makes no progress: the status line says so, and Cancel ends it at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from inspector.engine.client import supervision
from inspector.ui.documents.workspace import Workspace
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.main_window import MainWindow
from tests.engine import small_models
from tests.killers import models

pytestmark = pytest.mark.engine


@pytest.fixture
def window(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setattr(supervision, "STALL_NOTICE_SECONDS", 0.5)
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, Workspace(settings))
    qtbot.addWidget(window)
    window.resize(1200, 800)
    window.show()
    yield window
    window.close()


def opened(qtbot: QtBot, window: MainWindow, path: Path):
    window.workspace.open(path)
    qtbot.waitUntil(
        lambda: (
            window.document is not None
            and window.document.path == path
            and window.document.model is not None
            and window.document.work is None
        ),
        timeout=20_000,
    )
    return window.document


def test_a_prediction_that_never_ends_is_told_and_cancelled_within_a_second(
    qtbot, window, tmp_path
):
    document = opened(qtbot, window, models.write("endless_loop", tmp_path))
    status = window.status
    assert not status.cancel.isVisible()
    document.predict()
    assert not status.cancel.isVisible()
    qtbot.waitUntil(lambda: "running the model" in status.words()[0], timeout=20_000)
    said = status.words()[0]
    assert said.startswith("No progress for ")
    assert said.endswith(" s: running the model. Layer 'loop' (Loop) may never finish.")
    assert said in status.accessibleDescription()
    assert status.cancel.isVisible()
    assert status.rect().contains(status.cancel.geometry())
    qtbot.mouseClick(status.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.work is None, timeout=5_000)
    assert not status.cancel.isVisible()
    assert status.words()[0] == "Ready"
    assert window.document is document
    assert document.model is not None

    path = small_models.linear(tmp_path / "next.onnx")
    other = opened(qtbot, window, path)
    other.set_spec(runs=3, seconds=0.0, steady=0.0, profiled_runs=0)
    other.measure()
    qtbot.waitUntil(lambda: bool(other.reports), timeout=60_000)


def test_a_walk_that_never_ends_says_so_in_its_tab_as_well(qtbot, window, tmp_path):
    from inspector.ui.window.tabs import Tab

    document = opened(qtbot, window, models.write("endless_loop", tmp_path))
    window.choose_tab(Tab.ACTIVATIONS)
    document.stepping.run("none", None, None)
    progress = window.view.tab(Tab.ACTIVATIONS).progress
    qtbot.waitUntil(lambda: "No progress for " in progress.accessibleName(), timeout=20_000)
    qtbot.waitUntil(
        lambda: "Layer 'loop' (Loop) may never finish." in progress.accessibleName(),
        timeout=20_000,
    )
    qtbot.mouseClick(progress.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.work is None, timeout=5_000)
