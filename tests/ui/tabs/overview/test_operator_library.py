"""A model that needs custom operators: the window offers to choose their library."""

from pathlib import Path

import pytest
from onnx import TensorProto, helper, save
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.errors import BadInput, EngineFailed
from inspector.ui.documents.document import Document, Work
from inspector.ui.documents.file_dialogs import lacks_operators
from inspector.ui.tabs.overview.next_steps import Proof
from inspector.ui.tabs.overview.structure_card import NotesCard
from inspector.ui.tabs.performance.setting_fields import PathsField, SettingFields
from inspector.ui.tabs.performance.tab import PerformanceTab
from inspector.ui.tabs.preview.tab import PreviewTab
from tests.ui import made_documents

LEFT = Qt.MouseButton.LeftButton
LACKS = EngineFailed("Could not load m.onnx", "it has no operator Twice", "Give it.", "load")


@pytest.fixture
def document(qtbot: QtBot, tmp_path: Path) -> Document:
    node = helper.make_node("Twice", ["x"], ["y"], domain="com.acme")
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2]) for n in "xy"]
    graph = helper.make_graph([node], "g", ends[:1], ends[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.acme", 1)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    return made_documents.opened(qtbot, tmp_path / "m.onnx")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    chosen = str(tmp_path / "ops.so")
    answer = lambda *_, **__: ([chosen], "")  # noqa: E731
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", answer)
    return chosen


def test_overview_offers_it_below_the_finding(qtbot, theme, document, library):
    card = NotesCard(theme, ("Needs a custom operator library to run.",), document)
    qtbot.addWidget(card)
    card.show()
    line = card.operators
    assert not line.drop.isVisible()
    qtbot.mouseClick(line.choose, LEFT)
    assert document.spec.custom_ops == (library,)
    assert document.improving.custom_ops == (library,), "Improve runs the model with it"
    assert line.names.text() == "Library: ops.so"
    qtbot.mouseClick(line.drop, LEFT)
    assert document.spec.custom_ops == ()


def test_the_first_card_says_that_nothing_runs_without_it(qtbot, theme, document, library):
    card = Proof(theme, document, image=False)
    qtbot.addWidget(card)
    card.show()
    assert (card.library.isVisible(), card.open.isVisible()) == (True, False)
    card.library.click()
    assert document.spec.custom_ops == (library,)
    qtbot.waitUntil(card.open.isVisible)
    assert not card.library.isVisible()


def test_a_failed_measurement_offers_it_and_measures_again(qtbot, theme, document, library):
    tab = PerformanceTab(theme, document)
    qtbot.addWidget(tab)
    document.error, document.failed_work = LACKS, Work.MEASURING
    tab._show_failure(BadInput("Could not measure", "the input is missing"))
    assert tab.failure.way.isHidden()
    tab._show_failure(LACKS)
    assert tab.failure.way.text().strip() == "Choose library…"
    tab.failure.way.click()
    assert document.spec.custom_ops == (library,)
    assert document.work is Work.MEASURING
    qtbot.waitUntil(lambda: document.work is None)


def test_preview_and_the_settings_offer_it(qtbot, theme, document, library):
    preview = PreviewTab(theme, document)
    qtbot.addWidget(preview)
    preview._show_error(LACKS)
    preview.outputs.problem.way_out.click()
    assert document.spec.custom_ops == (library,)
    document.set_spec(custom_ops=())
    field = SettingFields(document, document.runtime.settings, theme)["custom_ops"]
    assert isinstance(field, PathsField)
    field.actions()[0].trigger()
    assert (field.text(), document.spec.custom_ops) == (library, (library,))


def test_other_models_have_no_such_line(theme, samples, qtbot):
    document = made_documents.opened(qtbot, samples / "digits_float32.onnx")
    card = NotesCard(theme, ("A note.",), document)
    qtbot.addWidget(card)
    assert card.operators is None
    assert not lacks_operators(document)
