"""Terms of the window: their meanings in tooltips, and in a dialog of their own."""

import pytest
from PySide6.QtCore import Qt

from inspector.ui import glossary
from inspector.ui.widgets.parts import label
from inspector.ui.window.dialogs.help_dialogs import GlossaryDialog
from inspector.ui.window.dialogs.showing import show_glossary


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Opset", "operator definitions"),
        ("Devices", "Where a layer can run"),
        ("zero point", "quantized integer"),
        ("p95", "Percentiles"),
        ("MAC", "One multiplication"),
        ("MACs", "One multiplication"),
    ],
)
def test_a_term_is_known_by_each_of_its_names(text, part):
    assert part in glossary.meaning(text)


def test_what_is_no_term_has_no_meaning():
    assert glossary.meaning("conv1/weights") == ""
    assert glossary.meaning("") == ""


def test_a_label_that_is_a_term_explains_itself(qtbot):
    for text, expected in (("Latency", True), ("net.onnx", False)):
        made = label(text)
        qtbot.addWidget(made)
        assert bool(made.toolTip()) is expected


def test_a_missing_page_leaves_labels_without_tooltips(tmp_path, monkeypatch):
    monkeypatch.setattr(glossary, "_page", lambda: tmp_path / "none.md")
    assert list(glossary.terms()) == []


def test_the_dialog_finds_terms_by_name_and_meaning(qtbot, window):
    show_glossary(window.theme, window)
    (dialog,) = window.findChildren(GlossaryDialog)
    every = dialog.shown
    assert every == len(list(glossary.terms())) > 100
    qtbot.keyClicks(dialog.field, "letterbox")
    assert 0 < dialog.shown < every
    assert not dialog.none.isVisible()
    dialog.field.setText("zyxwvut")
    assert dialog.none.isVisible()
    qtbot.keyClick(dialog.field, Qt.Key.Key_Escape)
