from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, opened
from tests.ui.tabs.preview import tabs


@pytest.fixture
def tab(qtbot: QtBot, theme: Theme, tmp_path: Path, engine: KeepingEngine) -> PreviewTab:
    """A model of 201 columns, the last of texts."""
    kinds = [TensorProto.FLOAT] * 200 + [TensorProto.STRING]
    given = [helper.make_tensor_value_info(f"c{i}", k, ["n", 1]) for i, k in enumerate(kinds)]
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])
    node = helper.make_node("Sum", ["c0", "c1"], ["y"])
    path = tmp_path / "table.onnx"
    onnx.save(helper.make_model(helper.make_graph([node], "g", given, [out])), path)
    return tabs.answered(qtbot, theme, opened(qtbot, path, engine))


def test_every_input_has_a_field_and_typing_predicts(qtbot, tab, engine):
    table = tab.inputs.table
    assert table.fields.rowCount() == 201
    assert not tab.inputs.editors
    with qtbot.waitSignal(tab.predicting.answered):
        assert table.fields.setData(table.fields.index(1, 2), "2.5")
    assert engine.asked[-1][1]["c1"].tolist() == [[2.5]]
    table.fields.setData(table.fields.index(1, 2), "two")
    assert "'two' is not a number for c1" in table.problem.text()
    table.search.setText("c20")
    table.search.textEdited.emit("c20")
    assert table.fields.rowCount() == 2


def test_rows_of_a_file_are_picked_and_cells_pasted(qtbot, tab, engine, tmp_path):
    table = tab.inputs.table
    rows = tmp_path / "rows.csv"
    rows.write_text("c0,c200\n1,one\n2,two\n")
    with qtbot.waitSignal(tab.predicting.answered):
        table.use_file(rows)
    with qtbot.waitSignal(tab.predicting.answered):
        table.row.setValue(2)
    assert engine.asked[-1][1]["c0"].tolist() == [[2]]
    assert engine.asked[-1][1]["c200"].tolist() == [["two"]]
    QGuiApplication.clipboard().setText("c0\tc1\n7\t8")
    with qtbot.waitSignal(tab.predicting.answered):
        qtbot.mouseClick(table.paste, Qt.MouseButton.LeftButton)
    assert engine.asked[-1][1]["c1"].tolist() == [[8]]


def test_cells_of_a_tensor_are_typed_and_pasted(qtbot, theme, samples, engine):
    tab = tabs.answered(qtbot, theme, opened(qtbot, samples / "wine_tabular.onnx", engine))
    editor = tab.inputs.editors["measurements"]
    qtbot.mouseClick(editor.edit, Qt.MouseButton.LeftButton)
    cells = editor.cells.table.plane
    with qtbot.waitSignal(tab.predicting.answered):
        assert cells.setData(cells.index(0, 3), "12.5")
    assert engine.asked[-1][1]["measurements"][0, 3] == 12.5
    assert not cells.setData(cells.index(0, 3), "wine")
    assert editor.cells.problem.isVisible()
    QGuiApplication.clipboard().setText("1\t2\t3")
    with qtbot.waitSignal(tab.predicting.answered):
        editor.cells.take_clipboard()
    assert np.array_equal(engine.asked[-1][1]["measurements"][0, :4], [1, 2, 3, 12.5])
    with qtbot.waitSignal(tab.predicting.answered):
        qtbot.mouseClick(editor.cells.back, Qt.MouseButton.LeftButton)
    assert engine.asked[-1][1]["measurements"][0, 3] != 12.5
