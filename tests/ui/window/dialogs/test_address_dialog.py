"""Models at an address, opened in the window from a server on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inspector.ui.window.dialogs.address_dialog import AddressDialog
from tests.model_server import Behavior, serving

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def behavior() -> Behavior:
    return Behavior()


@pytest.fixture
def address(
    behavior: Behavior, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    monkeypatch.setenv("INSPECTOR_DOWNLOADS", str(tmp_path / "downloads"))
    with serving(behavior) as place:
        yield place


def methods(behavior: Behavior) -> list[str]:
    return [method for method, _ in behavior.requests]


def test_a_pasted_address_is_asked_about_and_opened(qtbot, window, address, behavior):
    QApplication.clipboard().setText(address)
    window.run_command("open/pasted")
    dialog = window.findChild(AddressDialog)
    qtbot.waitUntil(lambda: dialog.found is not None)
    assert dialog.question.text() == "Download net.onnx (78.6 KiB) from 127.0.0.1?"
    assert methods(behavior) == ["HEAD"], "nothing is downloaded unasked"
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: window.document is not None and window.document.model is not None)
    assert window.document.name == "net.onnx"
    window.run_command("open/address", address)  # from the cache, without a question
    qtbot.waitUntil(lambda: methods(behavior) == ["HEAD", "GET", "HEAD"])


def test_a_canceled_download_ends_and_is_continued(qtbot, theme, address, behavior):
    behavior.trickle = 0.01
    dialog = AddressDialog(theme, address)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.found is not None)
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: " of 78.6 KiB" in dialog.progress.text.text())
    qtbot.mouseClick(dialog.stop, LEFT)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: not dialog._jobs.running)
    behavior.trickle = 0
    again = AddressDialog(theme, address)
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: again.found is not None)
    with qtbot.waitSignal(again.downloaded) as ended:
        again.download()
    assert ended.args[0].read_bytes() == behavior.body
    assert behavior.requests[-1][1].startswith("bytes=")


def test_what_is_no_address_and_what_the_server_lacks_is_told(qtbot, theme, address, behavior):
    dialog = AddressDialog(theme)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.go.isEnabled()
    dialog.address.setText("models/net.onnx")
    qtbot.mouseClick(dialog.go, LEFT)
    assert dialog.failure.what.text() == "This is not the URL of a model"
    behavior.status = 404
    dialog.address.setText(address)
    assert not dialog.failure.isVisible()
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(dialog.failure.isVisible)
    assert "The server has no such file" in dialog.failure.why.text()
