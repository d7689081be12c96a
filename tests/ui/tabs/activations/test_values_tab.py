"""The Activations tab, on a real model in a real engine."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.graph.tab import GraphTab
from inspector.ui.tabs.activations.tab import ActivationsTab
from inspector.ui.widgets.theme import Theme

SAMPLES = Path(__file__).parents[4] / "sample_models"
pytestmark = pytest.mark.engine


def shown(
    qtbot: QtBot, theme: Theme, path: Path, engine: Any = EngineProcess
) -> ActivationsTab:
    document = Document(path, RunSpec(), engine)
    with qtbot.waitSignal(document.changed(Topic.DIGEST)):
        document.open()
    tab = ActivationsTab(theme, document)
    qtbot.addWidget(tab)
    tab.resize(916, 822)
    tab.show()
    return tab


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme) -> Iterator[ActivationsTab]:
    made = shown(qtbot, theme, SAMPLES / "digits_float32.onnx")
    yield made
    made.document.close()


def walk(qtbot: QtBot, tab: ActivationsTab) -> None:
    with qtbot.waitSignal(tab.document.stepping.changed, timeout=20_000):
        first = tab.invitation.isVisible()
        begin = tab.invitation.begin if first else tab.fields.begin
        qtbot.mouseClick(begin, Qt.MouseButton.LeftButton)
    assert tab.list is not None
    assert tab.detail is not None


def test_a_walk_lists_the_layers_and_selects_everywhere(qtbot, tab):
    assert tab.invitation.isVisible()
    walk(qtbot, tab)
    assert tab.list.model.rowCount() == 15
    assert tab.list.count.text() == "15"
    assert "error" not in [each.key for each in tab.list.model.columns], "nothing is compared"
    selection = tab.document.selection
    assert selection.now.layer == 0
    qtbot.keyClick(tab.list.table, Qt.Key.Key_Down)
    assert selection.now.layer == 1
    qtbot.keyClick(tab, Qt.Key.Key_BracketRight)
    assert selection.now.layer == 2
    qtbot.keyClick(tab, Qt.Key.Key_BracketLeft)
    qtbot.mouseClick(tab.list.forward, Qt.MouseButton.LeftButton)
    selection.choose(layer=13)
    assert tab.detail.step.name == "head/dense"
    tab.detail.chain.show_key("12")
    tab.detail.chain.setFocus()
    qtbot.keyClick(tab.detail.chain, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: selection.now.layer == 12)
    assert tab.detail.chain.hasFocus()
    selection.back()
    assert tab.detail.step.name == "head/dense"
    qtbot.waitUntil(lambda: tab.detail is not None and tab.detail.picker is not None)
    with qtbot.waitSignal(tab.document.stepping.timed, timeout=20_000):
        qtbot.mouseClick(tab.detail.time, Qt.MouseButton.LeftButton)
    assert len(tab.document.stepping.alone[13].samples_ns) == 50


def test_the_first_difference_is_one_click_away(qtbot, tab):
    tab.fields.choose_model(SAMPLES / "digits_int8_qdq.onnx")
    tab.fields.tolerance.setText("0.0")
    walk(qtbot, tab)
    place, model = tab.list.first, tab.list.model
    assert place is not None
    assert model.spoken(place, model.column("layer")).endswith(": first difference")
    assert "exceeds the tolerance" in model.spoken(place, model.column("error"))
    QApplication.processEvents()
    heights = [
        part.mapTo(tab, QPoint(0, 0)).y() for part in (tab.list.to_first, tab.list.table)
    ]
    assert heights == sorted(heights), "it is above the list"
    tab.document.selection.choose(layer=14)
    qtbot.mouseClick(tab.list.to_first, Qt.MouseButton.LeftButton)
    assert tab.document.selection.now.layer == tab.list.step(place).index
    qtbot.waitUntil(lambda: tab.detail is not None and tab.detail.sides is not None)
    before = tab.detail.picker.map.accessibleDescription()
    tab.detail.sides.choose(0)
    assert tab.detail.picker.map.accessibleDescription() != before


def test_there_is_one_button_that_begins_a_walk(qtbot, tab):
    both = tab.invitation.begin, tab.fields.begin
    assert [button.isVisible() for button in both] == [True, False]
    walk(qtbot, tab)
    assert [button.isVisible() for button in both] == [False, True]


def test_a_wrong_tolerance_is_told_and_greys_the_button(tab):
    tab.fields.tolerance.setText("much")
    assert not tab.fields.begin.isEnabled()
    assert not tab.invitation.begin.isEnabled()
    assert "'much' is not a valid tolerance" in tab.fields.inputs.text()
    tab.fields.tolerance.setText("1e-3")
    assert tab.fields.begin.isEnabled()
    assert tab.fields.wanted == 1e-3


def test_sides_are_what_the_fields_say(tab):
    fields = tab.fields
    assert fields.side is None
    fields.against.show_value("reference")
    assert fields.side == OtherRun(reference=True)
    fields.against.show_value("level:all")
    assert fields.side == OtherRun(level="all")


def test_what_makes_nan_is_pointed_at(qtbot, theme, tmp_path):
    nodes = [
        helper.make_node("Split", ["x"], ["a", "b"], "halves", axis=1),
        helper.make_node("Sub", ["a", "b"], ["c"], "apart"),
        helper.make_node("Log", ["c"], ["d"], "log"),
        helper.make_node("Mul", ["d", "w"], ["y"], "scale"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 6])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.ones(3, np.float32), "w")],
    )
    opsets = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    tab = shown(qtbot, theme, tmp_path / "m.onnx")
    walk(qtbot, tab)
    model = tab.list.model
    assert model.text(2, model.column("layer")).endswith("(first NaN)")
    assert tab.document.selection.now.layer == 2, "what deserves a look first is shown"
    assert model.text(2, model.column("odd")).endswith("NaN")
    tab.list.filter.setText("halves")
    assert model.rowCount() == 1
    tab.list.go_to_first()
    assert model.rowCount() == 4
    tab.document.close()


def test_a_failure_is_told_where_the_user_looks(qtbot, theme):
    class Refusing(EngineProcess):
        def steps(self, *_: Any) -> Any:
            raise EngineFailed(
                "Could not run it layer by layer", "the runtime refused", "Try less."
            )

    tab = shown(qtbot, theme, SAMPLES / "digits_float32.onnx", Refusing)
    with qtbot.waitSignal(tab.document.failed):
        tab.run()
    assert tab.failure.isVisible()
    assert tab.failure.why.text() == "The runtime refused"
    assert not tab.progress.isVisible()
    tab.document.close()


def test_the_graph_shows_where_two_sides_part(qtbot, theme):
    tab = shown(qtbot, theme, SAMPLES / "digits_float32.onnx")
    graph = GraphTab(theme, tab.document)
    qtbot.addWidget(graph)
    assert graph.toolbar.color_by.value == "Operator family"
    tab.fields.choose_model(SAMPLES / "digits_float16.onnx")
    tab.fields.tolerance.setText("0.00001")  # only its weights are rounded to float16
    walk(qtbot, tab)
    qtbot.waitUntil(lambda: "First difference" in graph.legend.accessibleDescription())
    assert graph.toolbar.color_by.value == "Difference"
    tab.document.close()


def test_the_outputs_of_a_layer_are_shown_copied_and_saved_whole(qtbot, tab, tmp_path, asked):
    walk(qtbot, tab)
    tab.document.selection.choose(layer=13)  # head/dense
    detail = tab.detail
    qtbot.mouseClick(detail.values, Qt.MouseButton.LeftButton)
    dialog = detail.dialog
    qtbot.waitUntil(lambda: dialog.copy.isEnabled())
    dialog.copy_values()
    text = QApplication.clipboard().text()
    asked.append(tmp_path / "dense.npy")
    with qtbot.waitSignal(tab.document.stepping.saved):
        qtbot.mouseClick(detail.save, Qt.MouseButton.LeftButton)
    saved = np.load(tmp_path / "dense.npy")
    shown = np.array([[float(cell) for cell in line.split("\t")] for line in text.splitlines()])
    np.testing.assert_allclose(shown.reshape(saved.shape), saved, rtol=1e-3)
    dialog.close()


def test_all_outputs_are_saved_and_are_those_of_plain_onnx_runtime(qtbot, tab, tmp_path, asked):
    walk(qtbot, tab)
    asked.append(tmp_path / "all.npz")
    with qtbot.waitSignal(tab.document.stepping.saved, timeout=30_000):
        qtbot.mouseClick(tab.list.save_all, Qt.MouseButton.LeftButton)
    names = [o.name for step in tab.document.stepping.found.steps for o in step.outputs]
    with np.load(tmp_path / "all.npz") as saved:
        assert len(saved.files) == len(names)
        model = onnx.load(SAMPLES / "digits_float32.onnx")
        del model.graph.output[:]
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        fed = feeds_by_name(tab.document.stepping._walk.filled)
        feeds = {name: np.asarray(value) for name, value in fed.items()}
        for key, array in zip(saved.files, session.run(names, feeds), strict=True):
            np.testing.assert_allclose(saved[key], array, rtol=1e-5, atol=1e-6)
    assert tab.list.save_all.text().strip() == "Save all…"


def test_saving_all_can_be_stopped_and_leaves_no_file(qtbot, tab, tmp_path, asked, monkeypatch):
    walk(qtbot, tab)
    asked.append(tmp_path / "all.npz")
    stepping, reads = tab.document.stepping, []
    read = type(stepping)._array

    def slowly(self, engine, tensor):
        reads.append(tensor)
        time.sleep(0.1)
        return read(self, engine, tensor)

    monkeypatch.setattr(type(stepping), "_array", slowly)
    qtbot.mouseClick(tab.list.save_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(reads) > 2)
    assert tab.list.save_all.text().strip().startswith("Cancel (")
    qtbot.mouseClick(tab.list.save_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: stepping.saving is None)
    assert list(tmp_path.iterdir()) == []
    assert len(reads) < len(stepping.found.steps)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that dialogs name, in their order."""
    paths: list[Path] = []
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda *_: (str(paths.pop(0)), "") if paths else ("", ""),
    )
    return paths
