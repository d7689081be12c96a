"""A model that Inspector does not run: what can be shown is shown, the rest says why not."""

from pathlib import Path

from onnx import helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from inspector.conversion.action import Step
from inspector.ui import commands
from inspector.ui.documents.document import FIX_AXES, Document
from inspector.ui.tabs.overview.next_steps import NotRunCard
from inspector.ui.widgets.comparison_links import LAYERS, OUTPUTS
from inspector.ui.window.document_view import NotRun
from inspector.ui.window.tabs import TABS, Tab
from tests.formats.tflite import build
from tests.killers import foreign
from tests.ui.made_documents import open_in_window

PACKAGE = Path(__file__).parents[2] / "formats/coreml/files/palettized.mlpackage"


def test_tabs_that_need_a_run_say_what_runs_the_model(qtbot, window):
    window.workspace.open(PACKAGE / "Manifest.json")  # which a dialog for files can choose
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    view = window.view
    assert window.document.name == "palettized.mlpackage"
    for tab in TABS:
        window.choose_tab(tab)
        assert isinstance(view.tab(tab), NotRun) == tab.runs_model
    words = [line.text() for line in view.tab(Tab.PREVIEW).findChildren(QLabel)]
    assert words[0] == "Inspector does not run Core ML models"
    assert "Overview" in words[1]
    [card] = view.tab(Tab.OVERVIEW).findChildren(NotRunCard)
    told = " ".join(line.text() for line in card.findChildren(QLabel))
    assert "Graph, Weights and Compare models" in told
    assert "export the original model as ONNX" in told
    for command in ("settings", "sweep"):
        window.run_command(command)  # shows the sentence instead
        assert view.current is Tab.PERFORMANCE
    window.run_command("measure")
    assert "Inspector does not run Core ML models" in str(window.notice.message())
    assert window.document.work is None
    window.run_command("code")
    message = window.notice.message()
    assert message is not None
    assert "Inspector does not run Core ML models" in str(message)
    assert not window.top_bar.measure_button.isEnabled()
    assert "Apple systems" in window.top_bar.measure_button.toolTip()


def test_what_a_format_cannot_do_is_not_offered_or_says_why(
    qtbot, window, monkeypatch, tmp_path
):
    path = tmp_path / "m.tflite"
    path.write_bytes(build.convolving())
    monkeypatch.setattr(
        Document, "not_run", property(lambda _: ("No runtime for this format", "Install it."))
    )
    open_in_window(qtbot, window, path)
    document, view = window.document, window.view
    assert not document.offers(FIX_AXES)
    for kind in (OUTPUTS, LAYERS):
        commands.run(view, f"compare/{kind}")  # as a link in a tab asks for it
        assert "No runtime for this format" in str(window.notice.message())
    commands.run(view, "improve/offer", Step(FIX_AXES, ()))
    assert isinstance(view.tab(view.current), NotRun)


def test_a_step_is_offered_for_the_formats_that_have_it(
    qtbot, window, samples, monkeypatch, tmp_path
):
    (tmp_path / "m.tflite").write_bytes(build.convolving())
    expected = {samples / "digits_float32.onnx": True, tmp_path / "m.tflite": False}
    monkeypatch.setattr(Document, "not_run", None)
    for path, offered in expected.items():
        window.workspace.open(path)
        qtbot.waitUntil(
            lambda path=path: (
                window.document is not None
                and window.document.path == path
                and window.document.model is not None
            )
        )
        assert window.document.offers(FIX_AXES) is offered


def test_a_file_of_weights_alone_says_that_it_has_no_graph(qtbot, window, tmp_path):
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    path = tmp_path / "m.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    open_in_window(qtbot, window, path)
    window.choose_tab(Tab.GRAPH)
    view = window.view
    [first, *_] = view.tab(Tab.GRAPH).findChildren(QLabel)
    assert first.text() == "This file has no graph"


def test_weights_that_are_not_read_are_not_called_missing(qtbot, window, tmp_path):
    path = foreign.written(tmp_path / "m.pt", foreign.torch_script("def forward(self): pass"))
    open_in_window(qtbot, window, path)
    words = {line.text() for line in window.view.tab(Tab.OVERVIEW).findChildren(QLabel)}
    assert "Inspector does not read the weights of this format." in words
    assert not {"The file contains no weights.", "no weights"} & words


def test_a_model_that_no_runtime_can_load_is_neither_measured_nor_tried(
    qtbot, window, tmp_path
):
    path = tmp_path / "m.onnx"
    value = helper.make_tensor_value_info
    nodes = [helper.make_node("Relu", ["x"], ["z"])]
    ends = [value("x", 1, [1])], [value("y", 1, [1])]
    path.write_bytes(
        helper.make_model(helper.make_graph(nodes, "g", *ends)).SerializeToString()
    )
    open_in_window(qtbot, window, path)
    view, measure = window.view, window.top_bar.measure_button
    assert not measure.isEnabled()
    assert "&#x27;y&#x27;: no node produces this output" in measure.toolTip()
    assert isinstance(view.tab(Tab.PREVIEW), NotRun)
    [card] = view.tab(Tab.OVERVIEW).findChildren(NotRunCard)
    assert any("no node produces" in line.text() for line in card.findChildren(QLabel))


def test_a_model_that_one_runtime_refuses_can_be_repaired(qtbot, window, tmp_path):
    path = tmp_path / "m.onnx"
    value = helper.make_tensor_value_info
    ends = [value("x", 1, [1])], [value("y", 1, [1])]
    nodes = [helper.make_node("Relu", [i], [o], name="twin") for i, o in ("xz", "zy")]
    path.write_bytes(
        helper.make_model(helper.make_graph(nodes, "g", *ends)).SerializeToString()
    )
    open_in_window(qtbot, window, path)
    assert not window.top_bar.measure_button.isEnabled()
    told = window.top_bar.measure_button.toolTip()
    assert "&#x27;twin&#x27;: several layers" in told
    assert "inspector convert" not in told
    view = window.view
    assert isinstance(view.tab(Tab.PREVIEW), NotRun)
    assert not isinstance(view.tab(Tab.IMPROVE), NotRun)
    assert window.document.runtime.id == "onnxruntime"
    window.document.set_spec(devices=("openvino:cpu",))
    assert window.document.not_run is None or window.document.runtime.missing


def test_a_repaired_copy_of_a_file_for_microcontrollers_opens_and_can_be_measured(
    qtbot, window, tmp_path, monkeypatch
):
    path, copy = tmp_path / "m.tflite", tmp_path / "m-repaired.tflite"
    path.write_bytes(build.convolving(bias_axis=3))
    before = path.read_bytes()
    open_in_window(qtbot, window, path)
    [card] = window.view.tab(Tab.OVERVIEW).findChildren(NotRunCard)
    told = " ".join(line.text() for line in card.findChildren(QLabel))
    assert "inspector convert" not in told
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    *_, repair = card.findChildren(QPushButton)
    qtbot.mouseClick(repair, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.path == copy)
    qtbot.waitUntil(lambda: window.document.model is not None)
    assert not window.document.model.refused
    assert path.read_bytes() == before
