"""A model that Inspector does not run: what can be shown is shown, the rest says why not."""

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.ui.window.document_view import NotRun
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab

PACKAGE = Path(__file__).parents[2] / "formats/coreml/files/palettized.mlpackage"


def test_tabs_that_need_a_run_say_what_runs_the_model(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.open(PACKAGE)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    view = window.view
    assert view is not None
    for tab in TABS:
        window.choose_tab(tab)
        assert isinstance(view.tab(tab), NotRun) == tab.runs_model
    words = [line.text() for line in view.tab(Tab.PREVIEW).findChildren(QLabel)]
    assert words[0] == "Inspector does not run Core ML models"
    assert "export the original model as ONNX" in words[1]
    assert not window.top_bar.measure_button.isEnabled()
    assert "Apple systems" in window.top_bar.measure_button.toolTip()
