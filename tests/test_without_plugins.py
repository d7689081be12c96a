"""The program without `inspector/plugins`: all else works, and what is missing is said."""

import json
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
SEVERAL = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from inspector.__main__ import main

told = []
for words in json.loads(sys.argv[1]):
    sys.argv[1:], said = words, io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        status = main()
    told.append((said.getvalue(), status))
print(json.dumps(told))
"""
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


def told(folder: Path, *commands: tuple[object, ...]) -> list[tuple[str, int]]:
    """What commands print and their status, in one process that finds Inspector in a folder."""
    words = json.dumps([[*map(str, command)] for command in commands])
    return [(text, status) for text, status in json.loads(python(folder, "-c", SEVERAL, words))]


def python(folder: Path, *words: object) -> str:
    environment = dict(os.environ, PYTHONPATH=str(folder), QT_QPA_PLATFORM="offscreen")
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_work_without_plugins(bare):
    listed, info, answer, actions, devices = told(
        bare, ["--help"], ["info", DIGITS], ["predict", DIGITS], ["convert", "--list"],
        ["devices", "--help"],
    )  # fmt: skip
    assert "\n    predict " in listed[0]
    assert not any(f"\n    {name} " in listed[0] for name in ("lab", "mcp", "code"))
    assert "Image classifier" in info[0]
    assert "Most likely class" in answer[0]
    assert "\nfloat16 " in actions[0]
    assert "ort-format" not in actions[0]
    assert "HOST is an SSH address" in devices[0]
    assert {status for _, status in (listed, info, answer, actions, devices)} == {0}


def test_what_a_plugin_would_do_is_said_to_be_missing(bare):
    names = ("lab", "mcp", "code")
    refused = (
        ("devices", "--add", "phone", "android:R5CT"),
        ("measure", DIGITS, "--on", "lab"),
        ("convert", DIGITS, "ort-format", "-o", "a.ort"),
    )
    built_in = ("plugins", "--built-in")
    *answers, listed = told(bare, *((name,) for name in names), *refused, built_in)
    for name, (text, status) in zip(names, answers, strict=False):
        assert f"a command of Inspector's plugin {name}, which is not installed here" in text
        assert status == 2
    missing = ", ".join(dict.fromkeys(module.split(".")[2] for module in plugins.BUILT_IN))
    for text, status in answers[len(names) :]:
        assert f"Not installed here are Inspector's plugins {missing}." in text
        assert status == 1
    assert listed[0].count("not installed") == len(plugins.BUILT_IN)


def test_the_window_opens_a_model_without_plugins(bare):
    name, enabled, reason, *_ = python(bare, "-c", WINDOW).split("\n")
    assert (name, enabled) == ("digits_float32.onnx", "False")
    assert "The plugin for code is not installed" in reason
