"""Layer outputs of two models beside their graphs: from the first error to its inputs."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.diff_document import ComparedModel, DiffDocument
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.diff.view import DiffView

pytestmark = pytest.mark.engine
DIGITS = Path(__file__).parents[4] / "sample_models" / "digits_float32.onnx"
POISONED = 4  # layer, a Conv


def renamed(path: Path) -> Path:
    """The model with names that say nothing."""
    model = onnx.load(DIGITS)
    names = {each.name: each.name for each in (*model.graph.input, *model.graph.output)}
    for node in model.graph.node:
        node.name = ""
        for each in (node.input, node.output):
            each[:] = [names.setdefault(name, f"t{len(names)}") for name in each]
    for weight in model.graph.initializer:
        weight.name = names[weight.name]
    del model.graph.value_info[:]
    onnx.save(model, path)
    return path


def poisoned(path: Path) -> Path:
    model = onnx.load(DIGITS)
    name = model.graph.node[POISONED].input[1]
    weight = next(each for each in model.graph.initializer if each.name == name)
    values = numpy_helper.to_array(weight) * np.float32(1.1)
    weight.CopyFrom(numpy_helper.from_array(values, name))
    onnx.save(model, path)
    return path


def test_keys_lead_from_the_first_error_to_its_inputs_to_the_graph_and_back(
    qtbot, theme, tmp_path
):
    paths = poisoned(tmp_path / "a.onnx"), renamed(tmp_path / "b.onnx")
    documents = [Document(path, RunSpec(), EngineProcess) for path in paths]
    for document in documents:
        with qtbot.waitSignal(document.changed(Topic.DIGEST)):
            document.open()
    diff = DiffDocument(*map(ComparedModel, paths))
    view = DiffView(theme, diff, documents=lambda: documents)
    qtbot.addWidget(view)
    view.resize(1200, 800)
    view.show()
    try:
        with qtbot.waitSignal(view.compared):
            diff.compare()
        content, panel = view.content, view.content.outputs
        content.panels.choose(1)
        with qtbot.waitSignal(panel.compared, timeout=30_000):
            qtbot.mouseClick(panel.begin, Qt.MouseButton.LeftButton)
        assert "layer 4, 'block1/conv' (Conv)" in panel.verdict.text()
        shown = " ".join(each.text() for each in panel.page.findChildren(QLabel))
        assert "0.001 for float32" in shown
        assert "random in 0..255" in shown
        sides = content.graphs.sides
        assert [side.selection.now.layer for side in sides] == [POISONED, POISONED]
        qtbot.mouseClick(panel.first, Qt.MouseButton.LeftButton)
        qtbot.keyClick(panel.chain.table, Qt.Key.Key_Up)
        qtbot.keyClick(panel.chain.table, Qt.Key.Key_Return)
        assert [side.selection.now.layer for side in sides] == [3, 3]
        assert panel.chain.isAncestorOf(view.focusWidget())
        qtbot.keyClick(panel.chain.table, Qt.Key.Key_Return)
        assert view.focusWidget() is sides[0].view
        view.selection.back()
        assert panel.step.index == POISONED
    finally:
        for each in (diff, *documents):
            each.close()
