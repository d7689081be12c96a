"""Models on machines: chosen and measured by clicks, on agents that are processes here."""

import os
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.analysis.measured.machine_matrix import METRICS, Activity, CellStatus
from inspector.remote import machines
from inspector.remote.connection import Machine
from inspector.remote.machines import Look, Saved
from inspector.report.sweep import LOST, REFUSED, CellState
from inspector.ui.documents.document import Document
from inspector.ui.views.machines import measuring as measuring_module
from inspector.ui.views.machines.view import MachinesView
from inspector.ui.window.main_window import MainWindow
from tests.engine import small_models
from tests.sweeps import round_of

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> MachinesView:
    """The window, opened from the command palette: two models, this machine and a pi5."""

    def look(asked: list[Saved], seconds: float = 0, devices: bool = False) -> list[Look]:
        return [Look(each) for each in asked]

    monkeypatch.setattr(machines, "default_file", lambda: tmp_path / "machines.json")
    monkeypatch.setattr(machines, "look", look)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    machines.keep(Saved("pi5", "local"))
    first = small_models.linear(tmp_path / "first.onnx")
    second = small_models.linear(tmp_path / "second.onnx", 2 * small_models.WEIGHTS)
    for path in (first, second):
        window.workspace.open(path)
    documents = window.workspace.documents
    qtbot.waitUntil(lambda: all(each.model is not None and each.digest for each in documents))
    window.run_command("palette")
    from inspector.ui.window.command_palette import CommandPalette

    palette = window.findChildren(CommandPalette)[-1]
    qtbot.keyClicks(palette.field, "several machines")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    made = window.findChild(MachinesView)
    assert made is not None
    return made


def titles(view: MachinesView) -> list[str]:
    """What each cell says, row by row."""
    matrix = view.matrix
    return [
        str(matrix.data(matrix.index(row, column)))
        for row in range(matrix.rowCount())
        for column in range(matrix.columnCount())
    ]


def test_boxes_choose_models_and_machines(view, qtbot):
    assert [row.place.text for row in view.rows] == ["here", "pi5"]
    assert [box.text() for box in view.models] == ["first.onnx", "second.onnx"]
    assert titles(view) == ["Not measured"] * 4
    view.rows[1].box.click()
    view.models[0].click()
    assert titles(view) == ["Not measured"]
    view.rows[0].box.click()
    assert not view.measure.isEnabled()
    assert "at least one" in view.hint.text()


def test_each_state_of_a_cell_has_its_words_and_the_fastest_is_marked(view, qtbot):
    measuring = view.measuring
    sweep = view.planned()
    assert sweep is not None
    for _ in range(2):
        sweep = sweep.measured((0, 0), round_of(2e6)).measured((0, 1), round_of(1e6))
    why = "Could not reach pi5: no route to host."
    measuring.sweep = sweep.failed((1, 1), why, LOST)
    measuring.running = True
    measuring.activities = {(1, 0): Activity("offline", part="here: unreachable for 7 s")}
    measuring.changed.emit()
    shown = titles(view)
    assert shown[0] == "1.99 ms, 1.96 to 2.02 ms"
    assert "fastest" in shown[1]
    assert "fastest" not in shown[0]
    assert shown[2:] == ["Unreachable, for 7 s", "Lost, no route to host"]
    assert view.rows[0].state.text() == "Unreachable for 7 s"
    queue = "here: queued behind process 12 (measure net.onnx for ada@desk)"
    measuring.activities = {(1, 0): Activity("waiting", part=queue)}
    measuring.changed.emit()
    assert titles(view)[2] == "Queued, behind measure net.onnx for ada@desk"
    measuring.activities = {(1, 0): Activity("offline", part="here: unreachable for 7 s")}
    measuring.changed.emit()
    assert "1 lost: " in view.rows[1].state.text()
    assert "2 of 4 measured · 1 unreachable · 1 lost" in view.count.text()
    assert CellStatus.LOST in view.legend.shown
    measuring.running = False
    measuring.sweep = measuring.sweep.failed((1, 0), "The agent refused the job: no", REFUSED)
    measuring.changed.emit()
    assert titles(view)[2] == "Refused, no"
    assert view.measure.text() == "Measure 2 cells"


def test_the_current_cell_shows_its_numbers_and_opens_a_measurement(view, qtbot, monkeypatch):
    sweep = view.planned()
    assert sweep is not None
    for _ in range(2):
        sweep = sweep.measured((0, 1), round_of(1e6))
    view.measuring.sweep = sweep
    view.measuring.changed.emit()
    rectangle = view.table.visualRect(view.matrix.index(0, 1))
    qtbot.mouseClick(view.table.viewport(), LEFT, pos=rectangle.center())
    assert view.detail.title.text() == "first.onnx on pi5"
    assert [title for title, _, _ in view.detail.texts][:2] == ["p50", "p95"]
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert view.detail.title.text() == "second.onnx on pi5"
    asked: list[str] = []
    monkeypatch.setattr(Document, "measure", lambda self: asked.append(self.place.text))
    qtbot.mouseClick(view.detail.report, LEFT)
    assert asked == ["pi5"]


def test_a_cell_says_how_many_layers_the_device_supports(view):
    sweep = view.planned()
    assert sweep is not None
    profiled = replace(round_of(1e6), supported_layers=58, known_layers=66)
    for at, first in (((0, 0), profiled), ((0, 1), round_of(2e6))):
        sweep = sweep.measured(at, first).measured(at, round_of(1e6))
    view.measuring.sweep = sweep
    view.measuring.changed.emit()
    assert "58 of 66 layers" in titles(view)[0]
    assert view.matrix.status(view.matrix.cell(0, 0)) is CellStatus.PARTIAL
    assert "layers" not in titles(view)[1]  # nothing is known there
    view.metrics.choose([each.id for each in METRICS].index("layers"))
    assert titles(view)[:2] == ["58 of 66", "Unknown"]
    view.table.setCurrentIndex(view.matrix.index(0, 0))
    assert ("Layers supported", "58 of 66", "8 not supported") in view.detail.texts


@pytest.mark.engine
@pytest.mark.slow
def test_a_machine_that_goes_away_loses_its_cells_and_the_others_are_measured(
    view, qtbot, tmp_path, monkeypatch
):
    """The agent of pi5 is killed while it measures, and cannot be started again."""
    program = tmp_path / "python"
    start = f'echo $$ > {tmp_path}/pid; exec {sys.executable} "$@"'
    program.write_text(f"#!/bin/sh\ntest -e {tmp_path}/on || exit 1\n{start}\n")
    program.chmod(0o700)
    (tmp_path / "on").touch()
    machines.keep(Saved("pi5", "local", str(program)))
    monkeypatch.setattr(machines, "Machine", partial(Machine, give_up_seconds=1.0))
    monkeypatch.setattr(measuring_module, "RUNS", 20)
    qtbot.mouseClick(view.measure, LEFT)

    def at_work() -> bool:
        said = [a.step for at, a in view.measuring.activities.items() if at[1] == 1]
        return any(step not in ("", "start", "hash") for step in said)

    qtbot.waitUntil(at_work, timeout=60_000)
    (tmp_path / "on").unlink()
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    qtbot.waitUntil(lambda: not view.measuring.running, timeout=90_000)
    sweep = view.measuring.sweep
    states = {cell.at: (cell.state, cell.failure) for cell in sweep.cells}
    assert states[(0, 0)] == states[(1, 0)] == (CellState.DONE, "")
    assert LOST in (states[(0, 1)][1], states[(1, 1)][1])
    assert any(title.startswith("Lost") for title in titles(view))
    (tmp_path / "on").touch()
    qtbot.mouseClick(view.measure, LEFT)  # measures what is missing, now that it is back
    qtbot.waitUntil(lambda: not view.measuring.running, timeout=90_000)
    sweep = view.measuring.sweep
    assert all(cell.state is CellState.DONE for cell in sweep.cells)
