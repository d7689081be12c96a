"""A model with several signatures: which one runs, and how another one does."""

from PySide6.QtWidgets import QFileDialog

from inspector.backends import environments
from inspector.formats.opening import open_model
from inspector.ui.tabs.preview.inputs.input_list import InputList
from inspector.ui.tabs.preview.inputs.signature_card import SignatureCard
from inspector.ui.window.dialogs import showing
from inspector.ui.window.dialogs.engine_dialog import EngineDialog
from inspector.ui.window.tabs import Tab
from tests.formats.tflite import build


def test_another_signature_is_chosen_where_models_run_and_a_copy_with_it_opens(
    qtbot, window, tmp_path, monkeypatch
):
    path, copy = tmp_path / "two.tflite", tmp_path / "two-mul.tflite"
    path.write_bytes(build.two_signatures())
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    window.document.set_spec(devices=("openvino:cpu",))
    for tab in (Tab.PREVIEW, Tab.PERFORMANCE):
        (card,) = window.opened_tab(tab).findChildren(SignatureCard)
        names = [card.field.itemText(place) for place in range(card.field.count())]
        assert names == ["add", "mul"]
    made = []

    def save(source, step, what, target):  # by LiteRT, which may not be installed
        made.append((source, step.text))
        target.write_bytes(build.adding())

    monkeypatch.setattr(showing, "save_converted", save)
    monkeypatch.setattr(environments, "can_install", lambda: True)
    monkeypatch.setattr(environments, "python_of", lambda _: None)
    card.field.setCurrentIndex(1)
    assert window.findChild(EngineDialog) is not None, "asked before a place is"
    window.findChild(EngineDialog).close()
    monkeypatch.setattr(environments, "python_of", lambda _: "python")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    card.field.setCurrentIndex(1)
    assert card.field.value == "add", "the file itself stays as it is"
    qtbot.waitUntil(lambda: window.document.path == copy)
    qtbot.waitUntil(lambda: window.view.current is Tab.PERFORMANCE)
    assert made == [(path, "litert-signature:name=mul")]


def test_a_single_signature_is_no_choice(qtbot, theme, tmp_path):
    path = tmp_path / "one.tflite"
    path.write_bytes(build.adding())
    plain = InputList(theme, open_model(path), ())
    qtbot.addWidget(plain)
    assert not plain.findChildren(SignatureCard)
