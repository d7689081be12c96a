import pytest
from pytestqt.qtbot import QtBot

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


def test_inputs_of_numbers_are_not_offered_a_text(qtbot, theme, tmp_path):
    made = NumberEditor(theme, ())
    qtbot.addWidget(made)
    made.source_switch.choose(TEXT)
    assert made.source_switch.current != TEXT


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
