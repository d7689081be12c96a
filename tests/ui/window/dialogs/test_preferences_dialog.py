"""Preferences: kept at once, applied at the next start or to the next model."""

import os

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector import units
from inspector.report.report import Device
from inspector.ui import preferences
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.window.dialogs.preferences_dialog import PreferencesDialog
from inspector.ui.window.main_window import MainWindow

WEBGPU = Device("webgpu:0", "Some GPU", "gpu", "WebGpuExecutionProvider")
BROKEN = Device("cuda", "CUDA", "gpu", "CUDAExecutionProvider", problem="no driver")


def opened(qtbot: QtBot, window: MainWindow) -> PreferencesDialog:
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None)
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChildren(PreferencesDialog)[-1]
    assert dialog.isVisible()
    return dialog


def choose(field: ChoiceField, value: str) -> None:
    """Choose as the keyboard does, entry by entry."""
    field.setFocus()
    field.setCurrentIndex(0)
    while field.value != value:
        before = field.currentIndex()
        QTest.keyClick(field, Qt.Key.Key_Down)
        assert field.currentIndex() > before, f"{value} is not in the list"


def test_the_theme_changes_at_once_and_the_rest_is_kept_for_the_next_start(qtbot, window):
    dialog = opened(qtbot, window)
    choose(dialog.look, "dark")
    assert window.theme.choice == "dark"
    assert window.workspace.settings.value("theme") == "dark"  # at once, not when it closes
    assert not dialog.later.isVisible()
    choose(dialog.zoom, "150")
    choose(dialog.sizes, "decimal")
    assert dialog.later.isVisible()
    settings = window.workspace.settings
    assert preferences.zoom(settings) == 150
    assert preferences.text(settings, preferences.SIZES) == "decimal"
    window.theme.choose("light")


def test_a_start_applies_zoom_and_units_and_nothing_of_a_damaged_setting(tmp_path, monkeypatch):
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    monkeypatch.setattr(os, "environ", {})
    settings.setValue(preferences.ZOOM, "9000")
    preferences.apply_at_start(settings)
    assert os.environ == {}
    assert units.size(1536) == "1.50 KiB"
    settings.setValue(preferences.ZOOM, "150")
    settings.setValue(preferences.SIZES, "decimal")
    try:
        preferences.apply_at_start(settings)
        assert os.environ["QT_SCALE_FACTOR"] == "1.5"
        assert [units.size(n) for n in (999, 1536, 2_000_000)] == [
            "999 B",
            "1.54 kB",
            "2.00 MB",
        ]
    finally:
        units.use_decimal_sizes(False)


def test_the_next_model_runs_on_the_default_device_if_that_works(qtbot, window, samples):
    workspace = window.workspace
    workspace.devices = (*workspace.devices, WEBGPU, BROKEN)
    dialog = opened(qtbot, window)
    assert dialog.device.findData("cuda") == -1
    choose(dialog.device, "webgpu:0")
    dialog.close()

    def device_of(name: str) -> tuple[str, ...]:
        workspace.open(samples / name)
        document = window.document
        qtbot.waitUntil(lambda: document.model is not None)
        return tuple(document.spec.devices)

    assert device_of("digits_float32.onnx") == ("webgpu:0",)
    workspace.devices = workspace.devices[:1]  # the device is gone
    assert device_of("digits_float16.onnx") == ("cpu",)


def test_privacy_forgets_files_and_removes_downloads_and_nothing_else(
    qtbot, window, tmp_path, monkeypatch
):
    folder = tmp_path / "downloads"
    monkeypatch.setenv("INSPECTOR_DOWNLOADS", str(folder))
    (folder / ("a" * 64)).mkdir(parents=True)
    (folder / ("a" * 64) / "net.onnx").write_bytes(b"0" * 2048)
    (folder / f"{'b' * 32}.json").write_text("{}")
    (folder / "mine.onnx").write_bytes(b"0")
    window.workspace.settings.setValue("recent", [str(folder / "mine.onnx")])
    dialog = opened(qtbot, window)
    qtbot.waitUntil(lambda: dialog.downloads.text() == "2.00 KiB")
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.downloads.text() == "none")
    assert [path.name for path in folder.iterdir()] == ["mine.onnx"]
    assert dialog.recent.text() == "1 file"
    qtbot.mouseClick(dialog.forget, Qt.MouseButton.LeftButton)
    assert window.workspace.recent == ()
    assert not dialog.forget.isEnabled()
