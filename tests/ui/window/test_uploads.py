"""A model is uploaded to a service only after the user agreed to it."""

from PySide6.QtWidgets import QMessageBox

from inspector.remote import uploads
from inspector.remote.machines import Saved, Target
from tests.engine import small_models

SERVICE = "Qualcomm AI Hub"


def test_the_window_asks_once_for_each_model(qtbot, window, tmp_path, monkeypatch):
    questions, answer = list[str](), "Cancel"

    def choose(box: QMessageBox) -> int:
        questions.append(box.informativeText())
        next(each for each in box.buttons() if each.text() == answer).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", choose)
    monkeypatch.setattr(uploads, "consent_file", lambda: tmp_path / "uploads.json")
    window.workspace.open(small_models.linear(tmp_path / "net.onnx"))
    document = window.document
    qtbot.waitUntil(lambda: document.model is not None and bool(document.digest))
    begun: list[object] = []
    monkeypatch.setattr(document, "_begin", lambda *work: begun.append(work))
    document.set_place(Target(Saved("s24", "aihub:Samsung Galaxy S24")))
    with qtbot.waitSignal(document.cancelled):
        document.measure()
    assert "net.onnx" in questions[0]
    assert (begun, uploads.is_allowed(document.digest, SERVICE)) == ([], False)
    answer = "Upload"
    document.measure()
    document.measure()
    assert (len(questions), len(begun)) == (2, 2)
    assert uploads.is_allowed(document.digest, SERVICE)
