"""Opens the real window on a model, starts a job, and closes the window in the middle of it.

    python closed_at_work.py JOB MODEL FOLDER

Prints the processes that were there then. Not a test.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from inspector.report.sweep import Axis
from inspector.ui.app.application import make_application, run
from inspector.ui.documents.document import Document
from inspector.ui.documents.recorded_program import RecordingRequest
from inspector.ui.window.main_window import MainWindow

job, model, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
LONG = 1_000_000
begun: list[str] = []


def record(window: MainWindow, document: Document) -> None:
    asleep = f'"{sys.executable}" -c "import time; time.sleep(600)"'
    window.workspace.record(RecordingRequest(asleep, folder))
    begun.append("recording")


def sweep(window: MainWindow, document: Document) -> None:
    document.sweeping.start((Axis("threads", (1, 2)),), 2, LONG, at_once=False)


def measure(window: MainWindow, document: Document) -> None:
    document.set_spec(runs=LONG, seconds=0.0)
    window.run_command("measure")


def predict(window: MainWindow, document: Document) -> None:
    document.set_feeds({"x": np.ones(4, np.float32)}, ())
    document.predict()


def values(window: MainWindow, document: Document) -> None:
    document.set_feeds({"x": np.ones(4, np.float32)}, ())
    document.stepping.run("all", None, None)


JOBS: dict[str, Callable[[MainWindow, Document], None]] = {
    each.__name__: each for each in (record, sweep, measure, predict, values)
}


def answer() -> None:
    """Stop the job, where the window asks about it."""
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox):
        next(each for each in box.buttons() if each.text() == "Stop and quit").click()


def look() -> None:
    """Do the next step as soon as it can be done."""
    window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    document = window.document
    if document is None or document.model is None or not document.digest:
        return
    if not begun:
        begun.append("asked")
        document.progressed.connect(lambda _: begun.append("at work"))
        JOBS[job](window, document)
    there = psutil.Process().children(recursive=True)
    if len(begun) > 1 and len(there) > (job == "record"):
        sys.stdout.write(" ".join(str(process.pid) for process in there))
        clock.stop()
        QTimer.singleShot(0, answer)
        window.close()


make_application()
clock = QTimer()
clock.timeout.connect(look)
clock.start(20)
sys.exit(run([model]))
