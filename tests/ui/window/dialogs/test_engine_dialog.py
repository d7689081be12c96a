"""An engine that is missing is installed with two clicks, and its tabs come alive."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from inspector.backends import environments, registry
from inspector.errors import Cancelled, EngineFailed
from inspector.ui.documents.document import Topic
from inspector.ui.tabs.overview.next_steps import NotRunCard
from inspector.ui.window.dialogs.engine_dialog import EngineDialog
from inspector.ui.window.document_view import DocumentView, NotRun
from inspector.ui.window.tabs import Tab
from tests.formats.tflite import build
from tests.ui.made_documents import opened

Stopped = Callable[[], bool]
Loaded = Callable[[int], None]


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    without = replace(registry.BACKENDS["litert"], module="no_such_module")
    monkeypatch.setitem(registry.BACKENDS, "litert", without)


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.usefixtures("missing")
def test_tabs_of_a_model_come_alive_when_its_engine_is_installed(
    qtbot, window, tmp_path, monkeypatch
):
    path = tmp_path / "adding.tflite"
    path.write_bytes(build.adding())
    window.workspace.open(path)
    document, view = window.document, window.view
    qtbot.waitUntil(lambda: document.model is not None)
    view.show_tab(Tab.OVERVIEW)
    qtbot.waitUntil(lambda: bool(view.tab(Tab.OVERVIEW).findChildren(NotRunCard)))
    view.show_tab(Tab.PERFORMANCE)
    told = view.tab(Tab.PERFORMANCE)
    assert isinstance(told, NotRun)
    button, *_ = told.findChildren(QPushButton)
    assert button.text().strip() == "Install LiteRT…"
    click(qtbot, button)
    click(qtbot, button)
    (dialog,) = window.findChildren(EngineDialog)
    assert not dialog.isModal()
    assert "ai-edge-litert" in dialog.question.text()
    assert str(environments.folder("litert")) in dialog.question.text()

    failures = [EngineFailed("Could not install LiteRT", "no connection")]

    def install(
        engine: object, tell: Callable[[str], None], stopped: Stopped, loaded: Loaded
    ) -> str:
        tell("downloading ai_edge_litert, 21.8 MB")
        loaded(30_000_000)
        if failures:
            raise failures.pop()
        there = replace(registry.BACKENDS["litert"], module="json")
        monkeypatch.setitem(registry.BACKENDS, "litert", there)
        return "2.3.0"

    monkeypatch.setattr(environments, "install", install)
    click(qtbot, dialog.go)
    qtbot.waitUntil(dialog.failure.isVisible)
    assert dialog.failure.why.text() == "No connection"
    assert dialog.progress.text.text() == "Downloading: 30 MB of about 75 MB"
    assert dialog.progress.bar.share == 0.4
    document.set_spec(devices=("openvino:cpu",))  # chosen in the meantime
    with qtbot.waitSignal(document.changed(Topic.ENGINE)):
        click(qtbot, dialog.go)
    qtbot.waitUntil(lambda: not view.tab(Tab.OVERVIEW).findChildren(NotRunCard))
    assert window.top_bar.measure_arrow.isEnabled()
    view.set_devices(())  # as the workspace does when it has asked for devices
    assert not isinstance(view.tab(Tab.PERFORMANCE), NotRun)
    assert not isinstance(view.tab(Tab.OVERVIEW), NotRun)
    assert document.spec.devices == ("cpu",)
    assert window.notice.what.text() == "LiteRT is installed"


@pytest.mark.usefixtures("missing")
def test_no_runtime_is_offered_for_a_file_that_all_refuse(qtbot, window, tmp_path):
    path = tmp_path / "convolving.tflite"
    path.write_bytes(build.convolving(bias_axis=3))
    window.workspace.open(path)
    document, view = window.document, window.view
    qtbot.waitUntil(lambda: document.model is not None)
    for tab in (Tab.OVERVIEW, Tab.PREVIEW, Tab.PERFORMANCE):
        view.show_tab(tab)
        page = view.tab(tab)
        kind = NotRunCard if tab is Tab.OVERVIEW else NotRun
        assert isinstance(page, kind) or page.findChildren(kind)
        offers = [each.text() for each in page.findChildren(QPushButton)]
        assert not [text for text in offers if "Install" in text or "OpenVINO" in text], tab
    assert document.missing_engine is None
    assert "litert-repair" in document.not_run[1]
    assert not window.top_bar.measure_arrow.isEnabled()
    assert view.tab(Tab.OVERVIEW).findChildren(NotRunCard)


def test_closing_the_dialog_stops_the_installation(qtbot, theme, monkeypatch):
    states: list[str] = []

    def install(
        engine: object, tell: Callable[[str], None], stopped: Stopped, loaded: Loaded
    ) -> str:
        states.append("runs")
        while not stopped():
            pass
        states.append("stopped")
        raise Cancelled("Stopped")

    monkeypatch.setattr(environments, "install", install)
    dialog = EngineDialog(theme, registry.engine("openvino"))
    qtbot.addWidget(dialog)
    dialog.show()
    click(qtbot, dialog.go)
    qtbot.waitUntil(lambda: states == ["runs"])
    assert dialog.progress.isVisible()
    click(qtbot, dialog.stop)
    qtbot.waitUntil(lambda: states == ["runs", "stopped"])


@pytest.mark.usefixtures("missing")
def test_tabs_come_alive_with_a_device_of_another_runtime(qtbot, theme, tmp_path, monkeypatch):
    there = replace(registry.BACKENDS["openvino"], module="json")
    monkeypatch.setitem(registry.BACKENDS, "openvino", there)
    path = tmp_path / "adding.tflite"
    path.write_bytes(build.adding())
    document = opened(qtbot, path)
    view = DocumentView(theme, document)
    qtbot.addWidget(view)
    view.show_tab(Tab.PERFORMANCE)
    assert isinstance(view.tab(Tab.PERFORMANCE), NotRun)
    assert document.not_run[1].endswith(", or choose OpenVINO CPU as the device")
    *_, use = view.tab(Tab.PERFORMANCE).findChildren(QPushButton)
    assert use.text().strip() == "Use OpenVINO CPU"
    view.show_tab(Tab.OVERVIEW)
    qtbot.waitUntil(lambda: bool(view.tab(Tab.OVERVIEW).findChildren(NotRunCard)))
    *_, use = view.tab(Tab.OVERVIEW).findChildren(NotRunCard)[0].findChildren(QPushButton)
    assert use.text().strip() == "Use OpenVINO CPU", "where it is advised"
    click(qtbot, use)
    qtbot.waitUntil(lambda: not view.tab(Tab.OVERVIEW).findChildren(NotRunCard))
    view.show_tab(Tab.PERFORMANCE)
    assert not isinstance(view.tab(Tab.PERFORMANCE), NotRun)
    document.set_spec(devices=("cpu",))
    assert isinstance(view.tab(Tab.PERFORMANCE), NotRun)
    document.close()
