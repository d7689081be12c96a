from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.report.run_spec import Dimension, RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.preview.inputs.image_editor import ImageEditor
from inspector.ui.tabs.preview.inputs.tensor_editor import FILE, RANDOM, ZEROS
from inspector.ui.tabs.preview.outputs.class_bars import ClassBars
from inspector.ui.tabs.preview.tab import PreviewTab
from inspector.ui.widgets.theme import Theme
from tests.ui.made_documents import KeepingEngine, answered, classes, opened
from tests.ui.tabs.preview import tabs
from tests.ui.window.test_main_window import Windows


@pytest.fixture
def digits(qtbot: QtBot, theme: Theme, samples: Path, engine: KeepingEngine) -> PreviewTab:
    engine.answer = classes([0.0] * 3 + [0.9, 0.1] + [0.0] * 5)
    return tabs.shown(qtbot, theme, opened(qtbot, samples / "digits_float32.onnx", engine))


@pytest.fixture
def wine(qtbot: QtBot, theme: Theme, samples: Path, engine: KeepingEngine) -> PreviewTab:
    document = opened(qtbot, samples / "wine_tabular.onnx", engine)
    tab = tabs.shown(qtbot, theme, document)
    qtbot.waitSignal(tab.predicting.answered).wait()
    return tab


def picture(tab: PreviewTab) -> ImageEditor:
    editor = tab.inputs.editors["picture"].picture
    assert editor is not None
    return editor


def drop(tab: PreviewTab, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    found = tab.inputs.editors["picture"].drop_of(data)
    assert found is not None
    found.act()


def told(tab: PreviewTab) -> str:
    """All that the answers' side says."""
    labels = (label for label in tab.outputs.findChildren(QLabel) if label.isVisible())
    return "\n".join(label.text() for label in labels)


def bars(tab: PreviewTab) -> str:
    found = tab.findChild(ClassBars)
    return found.accessibleDescription()


def test_a_model_of_numbers_answers_at_once(wine, engine):
    assert engine.asked[0][1]["measurements"].shape == (1, 13)
    assert "2.31\nms\nthis run on CPU" in told(wine).replace("\xa0", " ")


def test_an_answer_that_comes_after_the_view_went_is_taken_by_the_model_alone(
    qtbot, theme, samples, engine
):
    document = opened(qtbot, samples / "wine_tabular.onnx", engine)
    tab = PreviewTab(theme, document)
    engine.gate.clear()
    tab.show()
    qtbot.waitUntil(lambda: bool(engine.asked))
    shiboken6.delete(tab)
    engine.gate.set()
    qtbot.waitUntil(lambda: document.prediction is not None)  # and no slot failed


def test_a_model_of_pictures_waits_for_one(digits, engine):
    assert not digits.outputs.card.predict.isEnabled()
    assert "Drop, paste or open an image" in told(digits)
    assert engine.asked == []


def test_a_dropped_picture_is_shown_prepared_and_predicted(qtbot, digits, engine, samples):
    with qtbot.waitSignal(digits.predicting.answered):
        drop(digits, samples / "inputs" / "digit_3.png")
    array = engine.asked[-1][1]["picture"]
    assert (array.shape, array.dtype.name) == ((1, 1, 8, 8), "float32")
    assert not picture(digits).drop.empty
    assert not picture(digits).model_input.empty
    assert bars(digits).startswith("3: 90.00%; 4: 10.00%")


def test_the_first_answer_moves_no_axis_and_flashes_no_window(
    qtbot, digits, engine, samples, qapp
):
    axes = digits.inputs.dimensions
    qtbot.wait(50)
    before, seen = axes.mapTo(digits, QPoint()), Windows()
    qapp.installEventFilter(seen)
    engine.answer = answered("picture", np.zeros((1, 3, 16, 16), np.float32))
    with qtbot.waitSignal(digits.predicting.answered):
        drop(digits, samples / "inputs" / "digit_3.png")
    qtbot.wait(50)
    qapp.removeEventFilter(seen)
    assert len(digits.outputs.views[0].forms) > 1
    assert axes.mapTo(digits, QPoint()) == before
    assert seen.shown == []


def test_a_pasted_picture_is_predicted(qtbot, digits, engine):
    image = QImage(16, 16, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    QGuiApplication.clipboard().setImage(image)
    with qtbot.waitSignal(digits.predicting.answered):
        qtbot.mouseClick(picture(digits).paste, Qt.MouseButton.LeftButton)
    assert (engine.asked[-1][1]["picture"] == 255).all()


def test_pasting_without_a_picture_says_what_is_missing(qtbot, digits):
    QGuiApplication.clipboard().setText("no picture")
    qtbot.keyClick(digits, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "Could not paste an image\nThere is no image on the clipboard" in told(digits)


def test_samples_come_one_after_the_other(qtbot, digits, engine):
    for _ in range(2):
        with qtbot.waitSignal(digits.predicting.answered):
            qtbot.mouseClick(picture(digits).sample, Qt.MouseButton.LeftButton)
    first, second = (feeds["picture"] for _, feeds in engine.asked)
    assert not np.array_equal(first, second)


def test_a_changed_preparation_changes_what_the_model_gets(qtbot, digits, engine, samples):
    with qtbot.waitSignal(digits.predicting.answered):
        digits.use_picture(samples / "inputs" / "digit_3.png")
    field = picture(digits).preparation.mean
    with qtbot.waitSignal(digits.predicting.answered):
        field.setText("100")
        qtbot.keyClick(field, Qt.Key.Key_Return)
    before, after = (feeds["picture"] for _, feeds in engine.asked)
    np.testing.assert_allclose(after, before - 100)


def test_of_many_wishes_the_last_one_is_answered(qtbot, wine, engine):
    numbers = wine.inputs.editors["measurements"].numbers
    engine.gate.clear()
    with qtbot.waitSignal(wine.predicting.filled):
        wine.predict()
    for way in (RANDOM, ZEROS):
        numbers.source_switch.choose(way)
        wine.predict()
    with qtbot.waitSignals([wine.predicting.answered] * 2):
        engine.gate.set()
    assert len(engine.asked) == 3  # the one at the start, the held one, the last
    assert not engine.asked[-1][1]["measurements"].any()


def test_a_failure_is_told_and_the_last_answer_stays(qtbot, wine, engine):
    engine.answer = EngineFailed("Could not run the model", "the runtime refused", "Try zeros.")
    with qtbot.waitSignal(wine.predicting.failed):
        wine.predict()
    assert "Could not run the model\nThe runtime refused\nTry zeros." in told(wine)
    assert wine.outputs.views[0].isVisible()
    assert wine.outputs.outdated_text == "Previous result"
    engine.answer = classes([0.3, 0.7])
    with qtbot.waitSignal(wine.predicting.answered):
        qtbot.mouseClick(wine.outputs.card.predict, Qt.MouseButton.LeftButton)
    assert wine.outputs.problem.isHidden()
    assert wine.outputs.outdated_text == ""


def test_preprocessing_that_does_not_fit_is_neither_saved_nor_shown_as_code(
    qtbot, digits, samples
):
    with qtbot.waitSignal(digits.predicting.answered):
        digits.use_picture(samples / "inputs" / "digit_3.png")
    editor, fields = digits.inputs.editors["picture"], picture(digits).preparation
    assert (editor.keep.isEnabled(), editor.code.isEnabled()) == (True, True)
    with qtbot.waitSignal(digits.predicting.failed):
        fields.order.show_value("rgb")
        fields.order.activated.emit(0)
    assert (editor.keep.isEnabled(), editor.code.isEnabled()) == (False, False)
    assert "returns 1×3×8×8" in editor.code.toolTip()
    with qtbot.waitSignal(digits.predicting.answered):
        fields.order.show_value("gray")
        fields.order.activated.emit(0)
    assert (editor.keep.isEnabled(), editor.code.isEnabled()) == (True, True)


def test_after_a_cancelled_prediction_the_next_one_works(qtbot, theme, samples, engine):
    document = opened(qtbot, samples / "wine_tabular.onnx", engine)
    engine.gate.clear()
    tab = tabs.shown(qtbot, theme, document)
    qtbot.waitUntil(lambda: len(engine.asked) == 1)
    document.cancel()
    qtbot.waitUntil(lambda: not tab.predicting.busy)
    with qtbot.waitSignal(tab.predicting.answered):
        tab.predict()


def test_a_prediction_waits_for_a_measurement(qtbot, theme, samples, engine):
    document = opened(qtbot, samples / "wine_tabular.onnx", engine)
    tab = tabs.shown(qtbot, theme, document)
    qtbot.waitUntil(lambda: tab.outputs is not None and bool(tab.outputs.views))
    qtbot.waitUntil(lambda: document.work is None)
    engine.gate.clear()
    document.measure()
    tab.predict()
    assert "Waiting for the measurement to finish." in told(tab)
    assert tab.outputs.outdated_text, "the answer below is that to the inputs before"
    with qtbot.waitSignal(tab.predicting.answered):
        engine.gate.set()
    assert not tab.outputs.outdated_text


def test_a_damaged_picture_is_told_and_can_be_replaced(qtbot, digits, samples, tmp_path):
    damaged = tmp_path / "damaged.png"
    damaged.write_bytes((samples / "inputs" / "digit_3.png").read_bytes()[:40])
    with qtbot.waitSignal(digits.predicting.failed):
        digits.use_picture(damaged)
    assert "Could not open damaged.png" in told(digits)
    with qtbot.waitSignal(digits.predicting.answered):
        digits.use_picture(samples / "inputs" / "digit_3.png")
    assert "Could not open" not in told(digits)


def test_a_file_fills_an_input(qtbot, wine, engine, samples):
    with qtbot.waitSignal(wine.predicting.answered):
        wine.use_file("measurements", samples / "inputs" / "wine.csv")
    assert engine.asked[-1][1]["measurements"].shape == (6, 13)
    assert wine.inputs.editors["measurements"].numbers.source_switch.current == FILE


def test_a_file_for_an_unknown_input_is_told(wine, samples):
    wine.use_file("grapes", samples / "inputs" / "wine.csv")
    assert "The model has no input 'grapes'" in told(wine)


def test_a_free_dimension_gives_the_input_its_length(qtbot, wine, engine):
    with qtbot.waitSignal(wine.predicting.answered):
        wine.inputs.dimensions.fields["rows"].setValue(4)
    spec, feeds = engine.asked[-1]
    assert spec.dimensions == (Dimension("rows", 4),)
    assert feeds["measurements"].shape == (4, 13)


def test_another_seed_makes_other_values(qtbot, wine, engine):
    numbers = wine.inputs.editors["measurements"].numbers
    with qtbot.waitSignal(wine.predicting.answered):
        numbers.source_switch.choose(RANDOM)
    with qtbot.waitSignal(wine.predicting.answered):
        numbers.seed.setValue(7)
    first, second = (feeds["measurements"] for _, feeds in engine.asked[-2:])
    assert not np.array_equal(first, second)


def test_labels_of_a_file_name_the_classes(qtbot, wine, tmp_path):
    file = tmp_path / "names.txt"
    file.write_text("red\nwhite\n")
    with qtbot.waitSignal(wine.predicting.answered):
        wine.use_labels(file)
    assert bars(wine).startswith("white: 90.00%; red: 10.00%")
    assert "2 class names from names.txt" in told(wine)


def test_the_raw_output_is_saved_as_it_is(qtbot, wine, engine, tmp_path):
    values = np.arange(12, dtype=np.float16).reshape(1, 3, 4)
    engine.answer = answered("state", values)
    with qtbot.waitSignal(wine.predicting.answered):
        wine.predict()
    path = tmp_path / "state.npy"
    wine.save("state", path)
    qtbot.waitUntil(path.is_file)
    assert np.array_equal(np.load(path), values)


def test_an_answer_of_another_form_gets_another_view(qtbot, wine, engine):
    engine.answer = answered("picture", np.zeros((1, 3, 16, 16), np.float32))
    with qtbot.waitSignal(wine.predicting.answered):
        wine.predict()
    assert [view.forms for view in wine.outputs.views] == [("picture", "tensor")]


def test_a_narrow_page_folds_the_preparation_away(qtbot, digits):
    steps = picture(digits)
    assert steps.preparation.isVisible()
    digits.resize(576, 622)
    assert not steps.preparation.isVisible()
    qtbot.mouseClick(steps.unfold, Qt.MouseButton.LeftButton)
    assert steps.preparation.isVisible()


def test_a_narrow_page_has_its_parts_below_each_other(wine):
    assert wine.side is not None
    axes = wine.inputs.dimensions
    assert axes is not None
    inputs, side, lengths = (part.geometry() for part in (wine.inputs, wine.side, axes))
    assert inputs.right() < side.left()
    assert inputs.top() == side.top()
    assert inputs.bottom() < lengths.top()
    wine.resize(576, 622)
    QApplication.processEvents()
    inputs, side, lengths = (part.geometry() for part in (wine.inputs, wine.side, axes))
    assert inputs.bottom() < side.top()
    assert side.bottom() < lengths.top()
    assert inputs.left() == side.left() == lengths.left()


def test_nothing_is_predicted_behind_the_users_back(qtbot, theme, samples, engine):
    document = opened(qtbot, samples / "wine_tabular.onnx", engine)
    tab = PreviewTab(theme, document)
    qtbot.addWidget(tab)
    document.set_spec(threads=2)
    assert not tab.predicting.busy
    with qtbot.waitSignal(tab.predicting.answered):
        tab.show()
    assert len(engine.asked) == 1


@pytest.mark.engine
@pytest.mark.quick
def test_a_real_engine_reads_a_three(qtbot, theme, samples):
    document = Document(samples / "digits_float32.onnx", RunSpec(), EngineProcess)
    with qtbot.waitSignals([document.changed(Topic.MODEL), document.changed(Topic.DIGEST)]):
        document.open()
    tab = tabs.shown(qtbot, theme, document)
    with qtbot.waitSignal(tab.predicting.answered, timeout=30_000):
        tab.use_picture(samples / "inputs" / "digit_3.png")
    document.close()
    assert bars(tab).startswith("3: > 99.99%")


def test_a_picture_with_the_wrong_background_is_told_beside_the_answer_and_inverted(
    qtbot, digits, engine
):
    editor = picture(digits)
    assert "white ink on black" in editor.expects.text()
    digits.resize(900, 420)
    page = np.full((40, 60, 1), 240, np.uint8)
    page[15:25, 20:40] = 10
    with qtbot.waitSignal(digits.predicting.answered):
        editor.use_picture(page)
    caution = digits.outputs.caution
    assert "has a light background; this model expects white ink on black" in told(digits)
    assert engine.asked[-1][1]["picture"].mean() > 128
    scrolled = digits.verticalScrollBar().value()
    caution.invert.setFocus()
    with qtbot.waitSignal(digits.predicting.answered):
        qtbot.mouseClick(caution.invert, Qt.MouseButton.LeftButton)
    assert not caution.isVisible()
    assert engine.asked[-1][1]["picture"].mean() < 128
    assert digits.window().focusWidget() is digits.outputs.card.predict
    assert digits.verticalScrollBar().value() == scrolled


def test_a_screenshot_keeps_its_caution_when_it_is_inverted(qtbot, digits):
    with qtbot.waitSignal(digits.predicting.answered):
        picture(digits).use_picture(np.full((900, 1440, 1), 240, np.uint8))
    caution = digits.outputs.caution
    with qtbot.waitSignal(digits.predicting.answered):
        qtbot.mouseClick(caution.invert, Qt.MouseButton.LeftButton)
    assert caution.text.text().startswith("This image was stretched from 1440 × 900 to 8 × 8")
    assert (caution.isVisible(), caution.invert.isVisible()) == (True, False)
