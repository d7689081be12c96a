import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.formats import opening
from inspector.report.run_spec import RunSpec
from inspector.ui.tabs.preview.fill_inputs import fill, subject_of
from inspector.ui.tabs.preview.inputs.tensor_editor import TEXT, NumberEditor
from inspector.ui.widgets.theme import Theme


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> NumberEditor:
    made = NumberEditor(theme, (), takes_text=True)
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_typed_text_is_what_the_input_gets(qtbot, editor):
    assert not editor.text.isVisible()
    editor.source_switch.choose(TEXT)
    assert editor.text.isVisible()
    with qtbot.waitSignals([editor.changed, editor.changed]):
        qtbot.keyClicks(editor.text, "Hi")
    assert editor.choice.value == "text:Hi"


def test_an_empty_field_is_no_text_and_no_hidden_sample(editor):
    """Before, it ran the sample sentence, which nobody had entered."""
    editor.source_switch.choose(TEXT)
    assert editor.choice.value == "text:"


def test_the_field_begins_with_the_sample_sentence(qtbot, theme):
    made = NumberEditor(theme, (), takes_text=True, sample_text="A cat sat.")
    qtbot.addWidget(made)
    assert made.choice.value == ""  # by default
    made.source_switch.choose(TEXT)
    assert (made.text.text(), made.choice.value) == ("A cat sat.", "text:A cat sat.")
    made.text.clear()
    assert made.choice.value == "text:"


def test_numbers_are_typed_as_on_the_command_line(qtbot, theme, samples):
    made = NumberEditor(theme, ())
    qtbot.addWidget(made)
    made.source_switch.choose(TEXT)
    assert made.choice.value == "", "nothing typed yet: the usual values"
    numbers = [5.5 + place for place in range(13)]
    qtbot.keyClicks(made.text, ", ".join(map(str, numbers)))
    with qtbot.waitSignal(made.changed):
        qtbot.keyClick(made.text, Qt.Key.Key_Return)
    model = opening.open_model(samples / "wine_tabular.onnx")
    choices = {model.inputs[0].name: made.choice}
    (filled,) = fill(subject_of(None, model, choices, RunSpec())).filled
    assert filled.array.tolist() == [numbers]
    again = NumberEditor(theme, ())
    qtbot.addWidget(again)
    again.show_value(made.choice.value)
    assert again.choice == made.choice


def test_a_file_without_a_header_is_read_as_the_input_or_as_one_says(qtbot, theme, tmp_path):
    made = NumberEditor(theme, ())
    qtbot.addWidget(made)
    path = tmp_path / "x.raw"
    np.arange(64, dtype="u1").tofile(path)
    made.use_file(path)
    assert made.choice.value == str(path)
    assert not made.layout_of_raw.isHidden()
    qtbot.keyClicks(made.layout_of_raw, "uint8:1x1x8x8")
    with qtbot.waitSignal(made.changed):
        qtbot.keyClick(made.layout_of_raw, Qt.Key.Key_Return)
    assert made.choice.value == f"{path}:uint8:1x1x8x8"
    again = NumberEditor(theme, ())
    qtbot.addWidget(again)
    again.show_value(made.choice.value)
    assert again.choice == made.choice
    again.use_file(tmp_path / "x.npy")
    assert again.layout_of_raw.isHidden()


def test_the_text_of_a_chosen_file_is_shown(editor, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("Wo ist der\nBahnhof?", "utf-8")
    editor.use_file(path)
    assert editor.content.isVisible()
    assert "Wo ist der Bahnhof?" in editor.content.text()
    editor.source_switch.choose(TEXT)
    assert not editor.content.isVisible()
    path.with_suffix(".bin").write_bytes(b"\x93\0\1")
    editor.use_file(path.with_suffix(".bin"))
    assert not editor.content.isVisible()
