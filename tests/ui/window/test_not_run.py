"""A model that Inspector does not run: what can be shown is shown, the rest says why not."""

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.ui.window.document_view import NotRun
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab

PACKAGE = Path(__file__).parents[2] / "formats/coreml/files/palettized.mlpackage"


def test_tabs_that_need_a_run_say_what_runs_the_model(qtbot: QtBot, window: MainWindow) -> None:
    window.workspace.open(PACKAGE / "Manifest.json")  # which a dialog for files can choose
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    view = window.view
    assert view is not None
    assert window.document is not None
    assert window.document.name == "palettized.mlpackage"
    for tab in TABS:
        window.choose_tab(tab)
        assert isinstance(view.tab(tab), NotRun) == tab.runs_model
    words = [line.text() for line in view.tab(Tab.PREVIEW).findChildren(QLabel)]
    assert words[0] == "Inspector does not run Core ML models"
    assert "export the original model as ONNX" in words[1]
    for command in (window.measure, window.open_settings, window.open_sweep):
        command()  # shows the sentence instead
        assert view.current is Tab.PERFORMANCE
    assert window.document.work is None
    window.show_code()
    message = window.notice.message()
    assert message is not None
    assert "Inspector does not run Core ML models" in str(message)
    assert not window.top_bar.measure_button.isEnabled()
    assert "Apple systems" in window.top_bar.measure_button.toolTip()


def test_a_file_of_weights_alone_says_that_it_has_no_graph(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    path = tmp_path / "m.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    window.choose_tab(Tab.GRAPH)
    view = window.view
    assert view is not None
    [first, *_] = view.tab(Tab.GRAPH).findChildren(QLabel)
    assert first.text() == "This file has no graph"
