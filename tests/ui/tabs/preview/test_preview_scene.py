from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from inspector.preview.outputs.dense_maps import HEAT
from inspector.ui.tabs.preview.outputs.scene_card import SceneCard
from inspector.ui.tabs.preview.read_outputs import NO_DECODER
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, answered, opened
from tests.ui.tabs.preview import tabs

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def detector(qtbot: QtBot, theme: Theme, tmp_path: Path) -> PreviewTab:
    shape = [1, 3, 96, 96]
    given = helper.make_tensor_value_info("images", TensorProto.FLOAT, shape)
    found = helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 84, 189])
    node = helper.make_node("Identity", ["images"], ["output0"])
    graph = helper.make_graph([node], "g", [given], [found])
    onnx.save(helper.make_model(graph), tmp_path / "detector.onnx")
    engine = KeepingEngine()
    columns = np.zeros((1, 84, 189), np.float32)
    columns[0, :4, :2] = np.array([[48, 36, 48, 12], [30, 60, 24, 12]]).T  # letterboxed
    columns[0, 4, 0], columns[0, 5, 1] = 0.9, 0.4
    engine.answer = answered("output0", columns)
    tab = tabs.shown(qtbot, theme, opened(qtbot, tmp_path / "detector.onnx", engine))
    Image.new("RGB", (128, 64), (200, 30, 30)).save(tmp_path / "red.png")
    with qtbot.waitSignal(tab.predicting.answered):
        tab.use_picture(tmp_path / "red.png")
    return tab


def card(tab: PreviewTab) -> SceneCard:
    return tab.outputs.scene


def test_boxes_are_found_and_drawn(detector):
    assert card(detector).isVisible()
    assert card(detector).decoder.value == "YOLO v8 to v12"
    assert card(detector).caption.text() == "2 detected: person 0.90, bicycle 0.40"
    view = card(detector).view
    image = view.grab().toImage()
    middle = image.pixelColor(image.width() // 2, image.height() // 4)
    assert (middle.red(), middle.green()) == (200, 30)
    edge = image.pixelColor(image.width() // 4, image.height() // 4)
    assert edge.red() < 150


def pixel(card: SceneCard, x: float) -> tuple[int, int, int]:
    """The color half way down the picture of a card."""
    image = card.view.grab().toImage()
    color = image.pixelColor(round(x * image.width()), image.height() // 2)
    return color.red(), color.green(), color.blue()


def test_a_heat_map_lies_over_the_picture_as_strong_as_the_slider_says(qtbot, theme, tmp_path):
    given, heat = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, 96, 96])
        for name, channels in (("image", 3), ("depth", 1))
    )
    node = helper.make_node("ReduceMean", ["image"], ["depth"], axes=[1])
    onnx.save(
        helper.make_model(helper.make_graph([node], "g", [given], [heat])),
        tmp_path / "depth.onnx",
    )
    engine = KeepingEngine()
    values = np.full((1, 1, 96, 96), 0.25, np.float32)
    values[..., 48:] = 4
    engine.answer = answered("depth", values)
    tab = tabs.shown(qtbot, theme, opened(qtbot, tmp_path / "depth.onnx", engine))
    Image.new("RGB", (64, 64), (0, 200, 0)).save(tmp_path / "green.png")
    with qtbot.waitSignal(tab.predicting.answered):
        tab.use_picture(tmp_path / "green.png")
    shown = card(tab)
    assert shown.decoder.value == HEAT
    assert shown.opacity.isVisible()
    cold, hot, green = (0, 0, 4), (252, 253, 191), (0, 200, 0)
    shown.opacity.setValue(100)
    assert (pixel(shown, 0.4), pixel(shown, 0.6)) == (cold, hot)
    shown.opacity.setValue(0)
    assert (pixel(shown, 0.4), pixel(shown, 0.6)) == (green, green)
    shown.opacity.setValue(40)
    assert pixel(shown, 0.4) == pytest.approx((0, 120, 2), abs=2)
    assert "0.25" in shown.caption.text()


def test_a_higher_score_leaves_fewer_boxes(qtbot, detector):
    with qtbot.waitSignal(detector.predicting.answered):
        card(detector).score.setValue(60)
    assert card(detector).caption.text() == "1 detected: person 0.90"
    assert card(detector).score.value() == 60
    with qtbot.waitSignal(detector.predicting.answered):
        card(detector).score.setValue(95)
    said = card(detector).caption.text()
    assert said == "Nothing above this score; the best box has 0.90"


def test_a_dragged_threshold_is_one_step_that_is_undone_and_redone(qtbot, detector):
    score = card(detector).score
    before = score.value()
    assert detector.undo_reason() == "", "the image is a step, too"
    style = score.style()
    option = QStyleOptionSlider()
    score.initStyleOption(option)
    control, handle = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    start = style.subControlRect(control, option, handle, score).center()
    qtbot.mousePress(score, LEFT, pos=start)
    for step in range(1, 8):
        qtbot.mouseMove(score, start + QPoint(8 * step, 0))
    qtbot.mouseRelease(score, LEFT, pos=start + QPoint(56, 0))
    dragged = score.value()
    assert dragged > before
    detector.undo()
    qtbot.waitUntil(lambda: score.value() == before)
    qtbot.waitUntil(lambda: "2 detected" in card(detector).caption.text())
    detector.redo()
    qtbot.waitUntil(lambda: score.value() == dragged)
    assert detector.redo_reason() == "Nothing was undone in Preview"


def test_image_and_preprocessing_come_back_in_their_order(qtbot, detector, tmp_path):
    other = tmp_path / "blue.png"
    Image.new("RGB", (64, 64), (0, 0, 250)).save(other)
    editor = detector.inputs.editors["images"].picture
    preparation = editor.preparation.preparation
    detector.undo_reason()  # ends the step
    with qtbot.waitSignal(detector.predicting.answered):
        detector.use_picture(other)
    assert detector.history.can_undo
    with qtbot.waitSignal(detector.predicting.answered):
        editor.preparation.show_preparation(replace(preparation, mean=(1.0, 1.0, 1.0)))
    detector.undo()
    assert (editor.preparation.preparation, editor.image.path) == (preparation, other)
    detector.undo()
    assert editor.image.path == tmp_path / "red.png"
    detector.undo()
    assert editor.image.path is None
    assert detector.undo_reason() == "Nothing was changed in Preview"
    detector.redo()
    detector.redo()
    detector.redo()
    assert editor.preparation.preparation.mean == (1.0, 1.0, 1.0)
    assert editor.image.path == other
    detector.undo()
    with qtbot.waitSignal(detector.predicting.answered):
        detector.use_picture(tmp_path / "red.png")
    detector.undo_reason()  # ends the step
    assert detector.redo_reason()


def test_labels_name_the_boxes(qtbot, detector, tmp_path):
    (tmp_path / "names.txt").write_text("cat\ndog\n")
    with qtbot.waitSignal(detector.predicting.answered):
        detector.use_labels(tmp_path / "names.txt")
    assert card(detector).caption.text() == "2 detected: cat 0.90, dog 0.40"


def test_the_raw_outputs_are_one_click_away(qtbot, detector):
    with qtbot.waitSignal(detector.predicting.answered):
        field = card(detector).decoder
        field.setCurrentIndex(field.findData(NO_DECODER))
        field.activated.emit(field.currentIndex())
    assert not card(detector).view.isVisible()
    assert not card(detector).score.isVisible()
    assert card(detector).isVisible()
