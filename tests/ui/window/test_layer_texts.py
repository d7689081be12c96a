from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.ui.widgets.page_view import TextLine
from inspector.ui.window.inspector_pane import InspectorPane, layer_texts
from tests.cli.commands.test_info import declaring
from tests.formats.build import save
from tests.ui.made_documents import opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    proto = declaring()
    node = proto.graph.node[0]
    node.doc_string = "<b>doubles</b> its input"
    node.metadata_props.add(key="scope", value="net/block")
    node.device_configurations.add(configuration_id="two", pipeline_stage=1)
    return save(proto, tmp_path / "m.onnx")


def test_everything_that_a_file_says_of_a_layer_is_told(path):
    model: Model = open_model(path)
    found = dict(layer_texts(model, model.layers[0]))
    words = dict(found["Notes from the model file"])
    assert words["Description"] == "<b>doubles</b> its input"
    assert words["Overload"] == "fast"
    assert words["Function"].splitlines() == [
        "a → b, 1 layer",
        "opsets ai.onnx 17, us 1",
        "Add(a, a) → b",
    ]
    assert found["Requested devices"] == (("two", "pipeline stage 1"),)
    assert found["Metadata"] == (("scope", "net/block"),)


def test_a_layer_of_which_nothing_is_said_adds_nothing(samples):
    model = open_model(samples / "digits_float32.onnx")
    assert layer_texts(model, model.layers[0]._replace(doc="", metadata=())) == ()


def test_the_pane_shows_them_for_the_chosen_layer(qtbot, theme, path):
    document = opened(qtbot, path)
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.show_document(document)
    assert not pane.findChildren(TextLine)
    document.selection.choose(layer=0)
    shown = [line.findChildren(QLabel) for line in pane.findChildren(TextLine)]
    assert ["scope", "net/block"] in [[word.text() for word in line] for line in shown]
