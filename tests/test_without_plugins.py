"""The program without `inspector/plugins`: all else works, and what is missing is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.platform import plugins

pytestmark = pytest.mark.skipif(os.name == "nt", reason="makes links")
ROOT = Path(__file__).parents[1]
DIGITS = ROOT / "sample_models" / "digits_float32.onnx"
WINDOW = f"""
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from inspector.ui.app.application import make_window

app = QApplication([])
window = make_window(app, Path("window.ini"))
window.show()
window.workspace.open(Path({str(DIGITS)!r}))
document = window.document

def look():
    if document.model is None:
        return
    for action in window.top_bar.menu_button.menu().actions():
        if action.menu():
            action.menu().aboutToShow.emit()
            for entry in action.menu().actions():
                if entry.text() == "Generate code…":
                    print(document.model.name, entry.isEnabled(), entry.toolTip(), sep="\\n")
    window.close()
    app.quit()

timer = QTimer()
timer.timeout.connect(look)
timer.start(50)
app.exec()
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Inspector's package without its plugins."""
    folder = tmp_path_factory.mktemp("bare")
    without = shutil.ignore_patterns("plugins")
    shutil.copytree(ROOT / "inspector", folder / "inspector", ignore=without)
    for name in ("resources", "docs", "mkdocs.yml", "sample_models"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def inspector(folder: Path, *words: object, status: int = 0) -> str:
    """What a command prints, in a process that finds Inspector in a folder."""
    return python(folder, "-m", "inspector", *words, status=status)


def python(folder: Path, *words: object, status: int = 0) -> str:
    environment = dict(os.environ, PYTHONPATH=str(folder), QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_commands_work_without_plugins(bare):
    listed = inspector(bare, "--help")
    assert "\n    predict " in listed
    assert not any(f"\n    {name} " in listed for name in ("lab", "mcp", "code"))
    assert "Image classifier" in inspector(bare, "info", DIGITS)
    assert "Most likely class" in inspector(bare, "predict", DIGITS)
    actions = inspector(bare, "convert", "--list")
    assert "\nfloat16 " in actions
    assert "ort-format" not in actions
    assert "HOST is an SSH address" in inspector(bare, "devices", "--help")


def test_what_a_plugin_would_do_is_said_to_be_missing(bare):
    for name in ("lab", "mcp", "code"):
        told = inspector(bare, name, status=2)
        assert f"a command of Inspector's plugin {name}, which is not installed here" in told
    names = ", ".join(dict.fromkeys(module.split(".")[2] for module in plugins.BUILT_IN))
    for words in (
        ("devices", "--add", "phone", "android:R5CT"),
        ("measure", DIGITS, "--on", "lab"),
        ("convert", DIGITS, "ort-format", "-o", "a.ort"),
    ):
        assert f"Not installed here are Inspector's plugins {names}." in inspector(
            bare, *words, status=1
        )
    assert inspector(bare, "plugins", "--built-in").count("not installed") == len(
        plugins.BUILT_IN
    )


def test_the_window_opens_a_model_without_plugins(bare):
    name, enabled, reason, *_ = python(bare, "-c", WINDOW).split("\n")
    assert (name, enabled) == ("digits_float32.onnx", "False")
    assert "The plugin for code is not installed" in reason
