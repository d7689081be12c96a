import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.preprocessing.recipe import PRESETS
from inspector.ui.tabs.preview.inputs.image_editor import PreprocessingEditor
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.theme import Theme

SUGGESTED = ImagePreprocessing(
    224, 224, scale="1", mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), why="a reason"
)


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> PreprocessingEditor:
    made = PreprocessingEditor(theme, SUGGESTED)
    qtbot.addWidget(made)
    made.show()
    return made


def said(editor: PreprocessingEditor) -> str:
    labels = (label for label in editor.findChildren(QLabel) if label.isVisible())
    return "\n".join(label.text() for label in labels)


def test_it_starts_with_what_is_suggested_and_says_why(editor):
    assert editor.preset.value == "Suggested for this model"
    assert editor.mean.text() == "0.485, 0.456, 0.406"
    assert "a reason" in said(editor)


def test_a_preset_fills_the_fields_and_a_field_leaves_the_preset(qtbot, editor):
    place = 1 + [preset.name for preset in PRESETS].index("BGR 0..255")
    with qtbot.waitSignal(editor.changed):
        editor.preset.setCurrentIndex(place)
        editor.preset.activated.emit(place)
    assert (editor.order.value, editor.scale.value, editor.mean.text()) == ("bgr", "255", "")
    assert editor.preparation.width == 224
    with qtbot.waitSignal(editor.changed):
        editor.width_field.setValue(100)
    assert editor.preset.value == "BGR 0..255"
    with qtbot.waitSignal(editor.changed):
        editor.mean.setText("1 2 3")
        qtbot.keyClick(editor.mean, Qt.Key.Key_Return)
    assert editor.preset.value == "Custom"
    assert editor.preparation.mean == (1, 2, 3)


def test_numbers_that_do_not_fit_are_told_and_change_nothing(qtbot, editor):
    for text, words in (
        ("1, 2", "Mean has 2 values"),
        ("much", "Mean and std must be numbers"),
    ):
        with qtbot.assertNotEmitted(editor.changed):
            editor.mean.setText(text)
            qtbot.keyClick(editor.mean, Qt.Key.Key_Return)
        assert words in said(editor)
    assert editor.preparation == SUGGESTED


def test_grey_drops_the_numbers_of_three_colors(qtbot, editor):
    place = editor.order.findData("gray")
    with qtbot.waitSignal(editor.changed):
        editor.order.setCurrentIndex(place)
        editor.order.activated.emit(place)
    assert (editor.preparation.order, editor.preparation.mean) == ("gray", ())
    assert editor.mean.text() == ""


def test_the_fill_matters_only_where_a_rest_is_left(qtbot, editor):
    assert not editor.fill.isEnabled()
    place = editor.resizing.findData("fit")
    with qtbot.waitSignal(editor.changed):
        editor.resizing.setCurrentIndex(place)
        editor.resizing.activated.emit(place)
    assert editor.fill.isEnabled()


def test_a_number_over_32_bits_shows_the_largest(qtbot):
    field = NumberField("Width", 16_384)
    qtbot.addWidget(field)
    field.setValue(2**63)
    assert field.value() == 16_384
