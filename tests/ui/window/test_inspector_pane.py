"""The pane at the right keeps names in sight, whatever else there is to say."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QToolButton

from inspector.formats.opening import open_model
from inspector.model.model import Model, TensorInfo
from inspector.ui import units
from inspector.ui.selection import Scope
from inspector.ui.widgets.page_view import TextLine
from inspector.ui.widgets.parts import Elided
from inspector.ui.window.inspector_pane import InspectorPane, Link, layer_texts
from tests.analysis.build import layers, model, value, weight
from tests.cli.commands.test_info import declaring
from tests.formats.build import save
from tests.pages.language.test_speed import speed
from tests.reports import example_report
from tests.ui.made_documents import KeepingEngine, document, opened


def test_a_long_shape_leaves_name_and_type_of_a_value_in_sight(qtbot, theme):
    axes = ("Sigmoid179_dim_0", 1, "Sigmoid179_dim_2", "Sigmoid179_dim_3")
    on = document(Path("made.onnx"), KeepingEngine())
    mask = TensorInfo("mask", "tensor", "float32", axes)
    on.model = model((), inputs=(value("picture"),), outputs=(mask,))
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.resize(296, 600)
    pane.show_document(on)
    pane.show()
    name = next(one for one in pane.findChildren(Elided) if one.text() == "mask")
    assert name.width() > 60
    assert pane.minimumSizeHint().width() <= 296
    assert "float32" in [one.text() for one in pane.findChildren(QLabel)]


def link(pane: InspectorPane, text: str) -> Link:
    return next(one for one in pane.findChildren(Link) if one.text() == text)


def test_a_tensor_is_followed_to_producer_consumers_and_weight(qtbot, theme, ran):
    on = document(Path("made.onnx"), KeepingEngine())
    rows = (("Conv", "x w", "a"), ("Relu", "a", "b"), ("Add", "a b", "y"))
    on.model = model(layers(*rows), weights=(weight("w", "float32", 9, 36),))
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.show_document(on)
    pane.show()
    on.selection.choose(0)
    qtbot.mouseClick(link(pane, "a"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: on.selection.now.tensor == "a")
    assert {one.text() for one in pane.findChildren(Link)} == {"Conv 0", "Relu 1", "Add 2"}
    (outputs,) = (b for b in pane.findChildren(QPushButton) if b.text() == "Show layer outputs")
    qtbot.mouseClick(outputs, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: on.selection.now.layer == 0)
    assert ran == [("tab/activations",)]
    ran.clear()
    on.selection.choose(tensor="a")
    qtbot.keyClick(link(pane, "Relu 1"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: on.selection.now.layer == 1)
    on.selection.choose(scope=Scope("block", (0, 1)))
    assert "2 layers" in [one.text() for one in pane.findChildren(QLabel)]
    names = [one.text() for one in pane.findChildren(Link)]
    assert names == ["x", "a", "b", "Conv 0", "Relu 1"], "no weight, and a only as output"
    on.selection.choose(tensor="w")
    assert "36 B" in [one.text() for one in pane.findChildren(QLabel)]
    buttons = {one.text(): one for one in pane.findChildren(QPushButton)}
    qtbot.mouseClick(buttons["Show in Weights"], Qt.MouseButton.LeftButton)
    assert ran == [("tab/weights",)]


def test_operator_documentation_and_source_stand_beside_the_attributes(qtbot, theme):
    on = document(Path("made.onnx"), KeepingEngine())
    scopes = ("pkg.torch.onnx.name_scopes", "['', 'encoder.fc1', 'linear']")
    (first,) = layers(("Relu", "x", "y"))
    on.model = model((first._replace(metadata=(scopes,)),))
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.show_document(on)
    pane.show()
    on.selection.choose(0)
    assert "encoder.fc1" in [one.text() for one in pane.findChildren(Elided)]
    turn = next(
        one for one in pane.findChildren(QToolButton) if "documentation" in one.accessibleName()
    )
    qtbot.mouseClick(turn, Qt.MouseButton.LeftButton)

    def texts() -> str:
        return "\n".join(one.text() for one in pane.findChildren(QLabel))

    wanted = "Operator version from opset 14; this model uses opset 17."
    qtbot.waitUntil(lambda: wanted in texts(), timeout=20_000)
    assert "bfloat16" in texts()


def test_a_link_that_is_cut_keeps_the_part_that_tells_it_from_others(qtbot, theme):
    link = Link(theme, "features/fire2/squeeze1x1_2")
    qtbot.addWidget(link)
    metrics = link.fontMetrics()
    link.resize(metrics.horizontalAdvance("fire2/squeeze1x1_2"), 20)
    assert link.fitting().endswith("squeeze1x1_2")
    assert metrics.horizontalAdvance(link.fitting()) <= link.width()
    link.resize(400, 20)
    assert link.fitting() == link.text()


def test_a_layer_of_a_language_model_has_its_time_in_both_phases(qtbot, theme):
    bare = example_report()
    on = document(Path("made.onnx"), KeepingEngine())
    on.report = replace(bare, generation=speed(bare))
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.show_document(on)
    pane.show()
    slowest = max(bare.layers, key=lambda use: use.time_ns or 0)
    on.selection.choose(slowest.index)
    texts = [one.text() for one in pane.findChildren(QLabel)]
    assert {"Prefill", "Decode"} <= set(texts)
    assert [text for text in texts if text.endswith("of kernel time")] == []
    share = units.share(slowest.time_ns, bare.kernel_ns)
    assert f"{share} of a step" in texts


def test_badges_wrap_where_they_have_no_room_side_by_side(qtbot, theme):
    on = document(Path("made.onnx"), KeepingEngine())
    (first,) = layers(("SkipSimplifiedLayerNormalization", "x", "y"))
    on.model = model((first._replace(domain="com.microsoft.extensions"),))
    pane = InspectorPane(theme)
    qtbot.addWidget(pane)
    pane.resize(296, 600)
    pane.show_document(on)
    pane.show()
    on.selection.choose(0)
    page = pane.findChild(QScrollArea).widget()
    assert page.minimumSizeHint().width() <= 296


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
