"""What is loaded until the first picture of the window, and that the rest comes after it."""

import os
import subprocess
import sys

FIRST_PAINT = """
import linecache, os, sys
from pathlib import Path
from inspector.ui.app import application as app
from PySide6.QtCore import QEvent, QObject
application = app.make_application()
folder = Path(sys.argv[1])
window = app.make_window(application, folder / "window.ini", lambda: folder / "library")
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            print(*sys.modules, flush=True)
            print((folder / "library").exists(), len(linecache.cache), flush=True)
            os._exit(0)
        return False
watch = Watch()
window.welcome.installEventFilter(watch)
window.show()
application.exec()
"""
LATER = {
    "html",
    "inspector.render.registry",
    "inspector.formats.model_formats",
    "inspector.report.library",
    "inspector.report.run_spec",
    "inspector.ui.documents.autosave",
    "inspector.ui.documents.file_dialogs",
    "inspector.ui.documents.session_files",
    "inspector.ui.tabs",
    "inspector.ui.widgets.notice",
    "inspector.ui.window.commands",
    "inspector.ui.window.session",
    "numpy",
    "onnx",
    "onnxruntime",
    "platformdirs",
}


def test_the_first_picture_needs_no_session_no_library_and_no_notice(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )
    modules, rest = run.stdout.splitlines()
    library_exists, sources_read = rest.split()
    assert sorted(set(modules.split()) & LATER) == []
    assert library_exists == "False"
    assert int(sources_read) < 20, "PySide6 reads the source of each module again"


def test_the_dialogs_load_no_runtime_and_no_library_of_a_format():
    code = "import sys, inspector.ui.window.dialogs.showing\nprint(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"onnx", "onnxruntime"} & set(run.stdout.split())
