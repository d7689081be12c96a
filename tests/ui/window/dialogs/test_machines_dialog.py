"""Other machines in the window: the dialog, the device menu, and a measurement there."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.errors import EngineDied
from inspector.remote import machines
from inspector.remote.machines import Look, Saved, Target
from inspector.report.report import Device
from inspector.ui.documents.document import Document, Work
from inspector.ui.window.dialogs.machines_dialog import MachinesDialog
from inspector.ui.window.main_window import MainWindow
from tests.engine import small_models
from tests.ui.made_documents import open_in_window

HELLO = {"cpu": "Cortex-A76", "system": "Linux aarch64", "cores": 4, "load": 0.5}
NPU = Device("qnn:0", "Hexagon", "npu", "QNNExecutionProvider")


@pytest.fixture(autouse=True)
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Machines answer as they were seen last, but for those that a test names."""
    found: dict[str, str] = {}

    def look(asked: Iterable[Saved], seconds: float = 0, devices: bool = False) -> list[Look]:
        looks = []
        for each in asked:
            why = found.get(each.name)
            looks.append(Look(each, EngineDied("Could not reach it", why) if why else None))
            if not why:
                machines.keep(each, new=devices)
        return looks

    monkeypatch.setattr(machines, "default_file", lambda: tmp_path / "machines.json")
    monkeypatch.setattr(machines, "look", look)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return found


def opened(window: MainWindow, qtbot: QtBot, path: Path) -> Document:
    open_in_window(qtbot, window, path)
    assert window.document is not None
    return window.document


def test_machines_are_listed_with_what_they_do(qtbot, theme, problems):
    machines.keep(Saved("pi5", "pi5", hello=HELLO | {"busy": "process 7 (measure net.onnx)"}))
    machines.keep(Saved("win", "win", hello=HELLO, seen="2026-11-26T14:20:00+00:00"))
    problems["win"] = "no route to host"
    dialog = MachinesDialog(theme)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: "no route" in dialog.rows[1].accessibleName())
    pi5, win = dialog.rows
    assert pi5.accessibleName() == "pi5: Busy: measure net.onnx"
    assert pi5.load.text() == "load 0.5"
    assert win.accessibleName().startswith("win: Unreachable since 2026-11-26")
    win.remove.click()
    assert [each.machine.name for each in dialog.rows] == ["pi5"]


def test_a_machine_is_added_only_if_it_answers(qtbot, theme, problems):
    dialog = MachinesDialog(theme)
    qtbot.addWidget(dialog)
    assert not dialog.add_button.isEnabled()
    dialog.name.setText("pi5")
    dialog.host.setText("-oProxyCommand=sh")
    dialog.add_button.click()
    assert "is not a host" in dialog.failure.why.text()
    dialog.host.setText("pi@pi5")
    problems["pi5"] = "Permission denied"
    dialog.add_button.click()
    qtbot.waitUntil(lambda: dialog.failure.why.text() == "Permission denied")
    assert machines.saved() == ()
    problems.clear()
    with qtbot.waitSignal(dialog.changed):
        dialog.add_button.click()
    assert [each.machine.host for each in dialog.rows] == ["pi@pi5"]
    assert dialog.name.text() == ""


def test_the_device_menu_offers_machines_and_their_devices(window, qtbot, tmp_path, problems):
    machines.keep(Saved("win", "win", hello=HELLO, devices=(NPU,)))
    document = opened(window, qtbot, small_models.linear(tmp_path / "net.onnx"))
    bar = window.top_bar
    menu = bar.device_button.menu()
    menu.aboutToShow.emit()
    texts = {each.text(): each for each in menu.actions()}
    qtbot.waitUntil(lambda: any("load 0.5" in e.text() for e in menu.actions()))
    texts["win, QNN — Hexagon"].trigger()
    assert document.place.text == "win:qnn:0"
    assert bar.device_button.accessibleName() == "QNN on win"
    menu.aboutToShow.emit()
    next(each for each in menu.actions() if each.text().startswith("CPU")).trigger()
    assert document.place is None


@pytest.mark.engine
@pytest.mark.slow
def test_a_model_is_measured_on_another_machine(window, qtbot, tmp_path):
    document = opened(window, qtbot, small_models.linear(tmp_path / "net.onnx"))
    document.set_spec(runs=5, seconds=0.0, steady=0.0, profiled_runs=0)
    document.set_place(Target(Saved("here", "local")))
    with qtbot.waitSignal(document.report_added, timeout=60_000):
        document.measure()
    assert "'here'" in document.report.notes[0]
    document.set_spec(seconds=60.0)
    with qtbot.waitSignal(document.cancelled, timeout=60_000):
        document.measure()
        qtbot.wait(100)
        document.cancel()
    assert document.work is not Work.MEASURING
