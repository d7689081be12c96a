"""The pane at the right keeps names in sight, whatever else there is to say."""

from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.model.model import TensorInfo
from inspector.ui.widgets.parts import Elided
from inspector.ui.widgets.theme import Theme
from inspector.ui.window.inspector_pane import InspectorPane
from tests.analysis.build import model, value
from tests.ui.made_documents import KeepingEngine, document


def test_a_long_shape_leaves_name_and_type_of_a_value_in_sight(
    qtbot: QtBot, theme: Theme
) -> None:
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
