"""Whether a file is valid, in the headline of the Overview."""

from pathlib import Path
from typing import Any

import pytest
import shiboken6
from onnx import helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.backends.onnxruntime.sessions.compatibility_check import check_compatibility
from inspector.engine.requests import OpenWith
from inspector.errors import Cancelled, EngineDied, EngineFailed
from inspector.report.compatibility import CHECKER, PROGRAMS, READER, RUNTIME
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.overview.load_record import LoadRecord
from inspector.ui.tabs.overview.next_steps import NextStepsCard, RefusedCard, SupportCard
from inspector.ui.tabs.overview.tab import OverviewTab
from inspector.ui.tabs.overview.validity import ValidityRow
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.commands.conditions import can_run
from tests.formats.build import model, save
from tests.ui.made_documents import KeepingEngine, opened

LEFT = Qt.MouseButton.LeftButton


class OpeningEngine(KeepingEngine):
    """Opens in this process; `slow` is the program that waits for the gate."""

    slow = ""
    libraries: tuple[str, ...] = ()
    problem: Exception | None = None

    def call(self, request: Any) -> Any:
        assert isinstance(request, OpenWith)
        self.libraries = request.libraries
        if self.problem is not None:
            raise self.problem
        if request.program == self.slow:
            self.wait()
        return check_compatibility(request.program, request.model)

    def wait(self) -> None:
        assert self.gate.wait(60)
        if self.killed:
            raise Cancelled("Stopped")


@pytest.fixture
def engine() -> OpeningEngine:
    return OpeningEngine()


@pytest.fixture
def odd(qtbot: QtBot, tmp_path: Path, engine: OpeningEngine) -> Document:
    """A model that the checker alone refuses."""
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [])
    proto.graph.name = ""
    return opened(qtbot, save(proto, tmp_path / "m.onnx"), engine)


@pytest.fixture
def valid(qtbot: QtBot, samples: Path, engine: OpeningEngine) -> Document:
    return opened(qtbot, samples / "digits_float32.onnx", engine)


def row_of(qtbot: QtBot, theme: Theme, document: Document) -> ValidityRow:
    """Return the row of a shown Overview."""
    tab = OverviewTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(1200, 900)
    tab.show()
    qtbot.waitUntil(lambda: tab.findChild(ValidityRow) is not None)
    made = tab.findChild(ValidityRow)
    assert made is not None
    qtbot.waitUntil(made.statement.isVisible)
    return made


def checked(qtbot: QtBot, row: ValidityRow, document: Document) -> str:
    qtbot.mouseClick(row.ask, LEFT)
    qtbot.waitUntil(lambda: not document.verdicts.asking)
    return row.statement.text()


def test_nobody_is_asked_before_the_button_is_pressed(qtbot, theme, odd):
    row = row_of(qtbot, theme, odd)
    assert row.statement.text() == "Validity"
    assert not odd.verdicts.asking


def test_a_click_tells_who_refuses_and_why(qtbot, theme, odd, engine):
    odd.set_spec(custom_ops=("/lib/ops.so",))
    row = row_of(qtbot, theme, odd)
    assert checked(qtbot, row, odd) == "Loads, but is not valid"
    assert row.reason.text().startswith(f"{CHECKER}: Field 'name' of 'graph' is required")
    assert all(program in row.reason.toolTip() for program in PROGRAMS)
    assert len(odd.verdicts.found) == len(PROGRAMS)
    assert engine.libraries == ("/lib/ops.so",)


def test_a_check_that_is_stopped_leaves_the_question(qtbot, theme, odd, engine):
    row = row_of(qtbot, theme, odd)
    engine.slow = CHECKER
    engine.gate.clear()
    qtbot.mouseClick(row.ask, LEFT)
    qtbot.waitUntil(lambda: len(odd.verdicts.found) == 2)
    assert row.reason.text() == f"Checking {CHECKER}…"
    assert checked(qtbot, row, odd) == "Validity"


def test_an_engine_that_does_not_start_is_told_of(qtbot, theme, odd, engine):
    engine.problem = EngineDied("Could not start the engine process", "there is no room")
    row = row_of(qtbot, theme, odd)
    checked(qtbot, row, odd)
    assert row.reason.text() == "Could not start the engine process: there is no room"


def test_a_closed_document_is_quiet(odd, engine):
    engine.slow = READER
    engine.gate.clear()
    odd.verdicts.ask()
    odd.close()
    assert engine.killed
    assert odd.verdicts.found == ()


def test_a_model_that_all_load_is_valid(qtbot, theme, valid):
    row = row_of(qtbot, theme, valid)
    assert not row.findings.isVisible()
    assert checked(qtbot, row, valid) == "Valid"
    assert RUNTIME in row.reason.text()


def test_runs_of_a_folder_say_that_the_file_loads(qtbot, theme, valid, engine):
    row = row_of(qtbot, theme, valid)
    with qtbot.waitSignal(valid.changed(Topic.WORK)):
        valid.predict_apart(lambda once: once({}), lambda _: None)
    qtbot.waitUntil(lambda: row.statement.text() == "Loads and runs")


def test_a_rule_that_the_file_breaks_is_told_at_once_and_outlives_a_check(
    qtbot, theme, tmp_path, engine
):
    node = helper.make_node("LeakyRelu", ["x"], ["y"], name="leaky")
    node.attribute.add(name="alpha", type=1, ref_attr_name="beta")
    document = opened(qtbot, save(model([node], []), tmp_path / "m.onnx"), engine)
    row = row_of(qtbot, theme, document)
    assert row.statement.text() == "Not valid"
    assert row.reason.text().startswith("leaky: the attribute 'alpha'")
    assert checked(qtbot, row, document) == "Loads, but is not valid"
    with qtbot.waitSignal(row.findings_requested):
        qtbot.mouseClick(row.findings, LEFT)


def test_weights_that_are_not_there_are_told_once(qtbot, theme, tmp_path, engine):
    weight = helper.make_tensor("w", 1, [4], [0.0] * 4)
    weight.ClearField("float_data")
    weight.data_location = weight.EXTERNAL
    weight.external_data.add(key="location", value="gone.bin")
    node = helper.make_node("Add", ["x", "w"], ["y"])
    document = opened(qtbot, save(model([node], [weight]), tmp_path / "m.onnx"), engine)
    row = row_of(qtbot, theme, document)
    assert row.statement.text() == "Weights cannot be read"
    assert "'gone.bin'" in row.reason.text()
    labels = (each.text() for each in row.statement.parentWidget().findChildren(QLabel))
    assert [*labels].count("Problem") == 1


def test_a_run_and_a_refusal_are_facts_about_validity(qtbot, theme, valid, engine):
    row = row_of(qtbot, theme, valid)
    engine.answer = EngineFailed("Could not load it", "the file is odd", "", "load")
    with qtbot.waitSignal(row.loads.changed):
        valid.predict()
    assert row.statement.text() == "Does not load in ONNX Runtime"
    assert row.reason.text() == "The file is odd"
    engine.answer = EngineFailed("Could not run it", "an index is too large", "", "prediction")
    with qtbot.waitSignal(valid.failed):
        valid.predict()
    assert row.statement.text() == "Does not load in ONNX Runtime"
    engine.answer = KeepingEngine().answer
    with qtbot.waitSignal(row.loads.changed):
        valid.predict()
    assert row.statement.text() == "Loads and runs"
    engine.answer = EngineFailed("Could not load it", "another device", "", "load")
    with qtbot.waitSignal(valid.failed):
        valid.predict()
    assert row.statement.text() == "Loads and runs"


def test_a_file_whose_run_failed_is_not_called_valid(qtbot, theme, valid, engine):
    row = row_of(qtbot, theme, valid)
    engine.answer = EngineFailed("Could not run it", "an index is too large", "", "prediction")
    with qtbot.waitSignal(valid.failed):
        valid.predict()
    assert row.statement.text() == "Loads, but a run failed"
    assert checked(qtbot, row, valid) == "Loads, but a run failed"
    assert row.reason.text() == "An index is too large"


def test_a_file_that_does_not_load_is_offered_what_helps_and_nothing_else(
    qtbot, theme, tmp_path, engine
):
    """ONNX Runtime refuses a bias of another type, which no rule of the file tells."""
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["y"])]
    ends = [value("x", 1, [1, 1, 4, 4]), value("w", 1, [1, 1, 3, 3]), value("b", 6, [1])]
    graph = helper.make_graph(nodes, "g", ends, [value("y", 1, [1, 1, 2, 2])])
    opset = helper.make_opsetid("", 17)
    made = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    document = opened(qtbot, save(made, tmp_path / "m.onnx"), engine)
    row = row_of(qtbot, theme, document)
    tab = row.parent().window()
    steps, advice = tab.findChild(NextStepsCard), tab.findChild(RefusedCard)
    assert steps.isVisible()
    assert not advice.isVisible()
    assert checked(qtbot, row, document) == "Does not load"
    assert not steps.isVisible()
    assert not tab.findChild(SupportCard).isVisible()
    assert "Cast" in advice.advice.text()
    assert "Cast" in row.reason.text()
    assert tab.numbers.runtime.numbers[0][0] == "–"
    assert can_run(document).startswith("It does not load: "), "so Measure says why not"
    document.set_spec(custom_ops=("ops.so",))
    assert can_run(document) == "", "with other settings it may"


def test_a_copy_that_ran_before_it_was_opened_loads_and_runs(qtbot, theme, valid):
    valid.ran_as_edits = True
    row = row_of(qtbot, theme, valid)
    assert row.statement.text() == "Loads and runs"


def test_a_check_after_the_overview_was_made_anew_reaches_only_the_new_one(qtbot, theme, valid):
    first = OverviewTab(theme, valid)
    first.show()
    qtbot.waitUntil(lambda: first.findChild(SupportCard) is not None)
    shiboken6.delete(first)
    row = row_of(qtbot, theme, valid)
    LoadRecord.of(valid).changed.emit()  # raises where a card of the first one still listens
    assert row.parent().window().findChild(NextStepsCard).isVisible()
