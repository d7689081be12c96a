"""Files that change under an open window: replaced, written to, deleted, touched."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from inspector.errors import UnreadableFile
from inspector.formats.opening import digest
from inspector.ui.documents.document import DiskState, Document
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab
from tests.reports import example_report

LEFT = Qt.MouseButton.LeftButton
Change = Callable[[Path, Path], object]


@pytest.fixture
def other(samples: Path) -> Path:
    return samples / "wine_tabular.onnx"


@pytest.fixture
def path(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(samples / "digits_float32.onnx", tmp_path / "net.onnx"))


@pytest.fixture
def document(
    qtbot: QtBot, window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> Document:
    window.workspace._watch._debounce.timer.setInterval(30)
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None and bool(window.document.digest))
    assert window.document is not None
    return window.document


def write_into(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes())


def replace_atomically(path: Path, other: Path) -> None:
    part = path.with_suffix(".part")
    shutil.copy(other, part)
    os.replace(part, path)


def delete_and_make(path: Path, other: Path) -> None:
    path.unlink()
    shutil.copy(other, path)


@pytest.mark.parametrize("change", [write_into, replace_atomically, delete_and_make])
def test_a_file_that_changes_is_noticed_and_f5_reloads_it(
    qtbot, window, document, path, other, change
):
    old = document.model
    change(path, other)
    qtbot.waitUntil(lambda: document.disk is DiskState.CHANGED)
    assert window.notice.isVisible()
    assert window.notice.what.text() == "net.onnx changed on disk"
    assert "F5" in window.status.words()[0]
    window.choose_tab(Tab.WEIGHTS)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.document is not document)
    (fresh,) = window.workspace.documents
    assert window.document is fresh
    assert fresh.model.name != old.name or len(fresh.model.layers) != len(old.layers)
    assert window.view.current is Tab.WEIGHTS
    assert not window.notice.isVisible()


def test_a_deleted_file_is_told_and_comes_back(qtbot, window, document, path):
    away = path.with_name("renamed.onnx")
    path.rename(away)
    qtbot.waitUntil(lambda: document.disk is DiskState.MISSING)
    assert "no longer exists" in window.notice.what.text()
    away.rename(path)
    qtbot.waitUntil(lambda: document.disk is DiskState.SAME)
    assert not window.notice.isVisible()


def test_a_file_that_is_only_touched_is_no_other_one(qtbot, window, document, path):
    checked: list[int] = []
    window.workspace._watch.touched.connect(lambda: checked.append(1))
    path.touch()
    qtbot.waitUntil(lambda: bool(checked))
    qtbot.waitUntil(lambda: not document.looks_changed())
    assert document.disk is DiskState.SAME
    assert not window.notice.isVisible()


def test_opening_the_path_again_never_shows_the_old_content(
    qtbot, window, document, path, other
):
    window.workspace._watch._debounce.timer.setInterval(
        60_000
    )  # as on a disk that tells of nothing
    write_into(path, other)
    window.workspace.open(path)
    qtbot.waitUntil(lambda: window.document is not None and window.document is not document)
    assert window.document.model is not None
    qtbot.waitUntil(lambda: window.document.digest == digest(other))
    assert len(window.workspace.documents) == 1


def test_reports_of_the_old_content_say_so_after_a_reload(qtbot, window, document, path, other):
    made = example_report()
    identity = replace(made.model, sha256=document.digest, name="net.onnx")
    document.add_report(replace(made, model=identity))
    tab: Any = window.view.tab(Tab.PERFORMANCE)
    assert tab.earlier is None
    write_into(path, other)
    qtbot.waitUntil(lambda: document.disk is DiskState.CHANGED)
    qtbot.mouseClick(window.notice.action, LEFT)
    qtbot.waitUntil(lambda: window.document is not document)
    fresh = window.document
    qtbot.waitUntil(lambda: bool(fresh.digest))
    (report,) = fresh.reports
    assert fresh.is_earlier(report)
    tab = window.view.tab(Tab.PERFORMANCE)
    assert "earlier version of net.onnx" in tab.earlier.accessibleName()


def test_a_changed_file_is_not_run_in_place_of_what_is_shown(
    qtbot, window, document, path, other
):
    window.workspace._watch._debounce.timer.setInterval(60_000)
    write_into(path, other)
    with qtbot.waitSignal(document.failed):
        qtbot.mouseClick(window.top_bar.measure_button, LEFT)
    assert isinstance(document.error, UnreadableFile)
    assert "F5" in document.error.hint
    assert document.reports == ()


def test_a_file_that_cannot_be_read_any_more_leaves_what_was_read(
    qtbot, window, document, path
):
    path.write_text("<!DOCTYPE html><title>Sign in</title>")
    with qtbot.waitSignal(window.workspace.reload_failed):
        window.run_command("reload")
    assert window.document is document
    assert document.model is not None
    assert "could not be reloaded" in window.notice.what.text()


def test_coming_back_to_the_window_looks_at_the_files(qtbot, window, document, path, other):
    """Disks of other machines tell of no changes."""
    window.workspace._watch._debounce.timer.setInterval(60_000)
    write_into(path, other)
    window.workspace.check_disk()
    qtbot.waitUntil(lambda: document.disk is DiskState.CHANGED)
