"""The problems of all open models: counted in the status bar, listed, and shown by a click."""

import onnx
from onnx import TensorProto, helper
from PySide6.QtCore import Qt

from inspector.errors import EngineFailed
from inspector.ui.window.dialogs.problems_dialog import ProblemsDialog
from inspector.ui.window.tabs import Tab
from tests.ui.made_documents import open_in_window


def save(path, odd: bool):
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Relu", ["x"], ["y"])]
    if odd:  # its result is read by nobody, and its input is made by nobody
        nodes.append(helper.make_node("Relu", ["nowhere"], ["z"], name="lost"))
    graph = helper.make_graph(
        nodes, "g", [value("x", TensorProto.FLOAT, [1])], [value("y", TensorProto.FLOAT, [1])]
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


def test_problems_of_all_models_are_counted_and_a_click_shows_one(qtbot, window, tmp_path):
    odd, right = (save(tmp_path / f"{name}.onnx", name == "odd") for name in ("odd", "right"))
    window.workspace.open(odd, right)
    qtbot.waitUntil(lambda: all(d.model for d in window.workspace.documents), timeout=30_000)
    button = window.status.problems
    assert window.document.path == right
    assert not button.isVisible(), "the model in front has none"
    window.bring_to_front(window.workspace.documents[0])
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(ProblemsDialog)
    rows = dialog.table.rows
    texts = [[rows.text(n, column) for column in rows.columns] for n in range(rows.rowCount())]
    assert {name for name, _ in texts} == {"odd.onnx"}
    assert any("nowhere" in text for _, text in texts)
    assert dialog.text.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    assert button.text().strip().startswith(str(len(texts)))
    place = dialog.table.visualRect(rows.index(0, 1)).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.document.path == odd
    assert window.view.current is Tab.OVERVIEW
    right.unlink()
    window.workspace.check_disk()
    qtbot.waitUntil(lambda: rows.rowCount() > len(texts))
    assert "no longer exists" in rows.text(rows.rowCount() - 1, rows.columns[1])
    window.close_document(window.workspace.documents[0])
    qtbot.waitUntil(lambda: rows.rowCount() == 1)


def test_one_fault_counts_once_and_says_what_to_do_before_and_after_a_refusal(
    qtbot, window, tmp_path
):
    weight = helper.make_tensor("w", TensorProto.FLOAT, [4], bytes(16), raw=True)
    weight.ClearField("raw_data")
    weight.data_location = TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="nowhere.bin")
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "g",
        [value("x", TensorProto.FLOAT, [4])],
        [value("y", TensorProto.FLOAT, [4])],
        [weight],
    )
    path = tmp_path / "no_weights.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    open_in_window(qtbot, window, path)
    button = window.status.problems
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(ProblemsDialog)

    def told() -> list[str]:
        rows = dialog.table.rows
        return [rows.text(n, rows.columns[1]) for n in range(rows.rowCount())]

    before = told()
    assert len(before) == 1
    assert before[0].startswith("w: its values are in 'nowhere.bin'")
    assert "download the model again" in dialog.text.text()
    window.document.error = EngineFailed(
        "Could not load it", "w is missing", "Find it.", "load"
    )
    window.document.failed.emit(window.document.error)
    qtbot.wait(250)
    assert told() == before
    window.document.error = EngineFailed("Could not run it", "it is full", "Free some.", "run")
    window.document.failed.emit(window.document.error)
    qtbot.waitUntil(lambda: len(told()) == 2)
    assert told()[0] == "Could not run it: it is full. Free some."
