"""Opens the real window on a model, takes in two measured reports, and waits to be killed.

    python measured_and_killed.py MODEL

Prints a line as soon as each report is shown. Not a test.
"""

import sys
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from inspector.app.measure import Setup
from inspector.formats.opening import digest
from inspector.ui.app.application import make_application, run
from inspector.ui.documents.services import DocumentServices
from inspector.ui.window.main_window import MainWindow
from tests.reports import example_report

model = sys.argv[1]
begun: list[int] = []


def measured(_: Any, setup: Setup, **__: Any) -> tuple[Setup, Any]:
    """Answer at once: what is tested comes after the measurement."""
    made = example_report(seed=len(begun))
    return setup, replace(made, model=replace(made.model, sha256=digest(setup.subject.path)))


DocumentServices.measure = staticmethod(measured)
# The peak of this machine takes six seconds.
DocumentServices.with_known_peak = staticmethod(lambda engine, measured, report: report)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def look() -> None:
    """Do the next step as soon as it can be done."""
    windows = QApplication.topLevelWidgets()
    window = next(w for w in windows if isinstance(w, MainWindow))
    document = window.document
    if document is None or document.model is None or document.work is not None:
        return
    if not begun:
        document.report_added.connect(lambda _: say(f"report {len(document.reports)}"))
    if len(begun) < 2 and len(document.reports) == len(begun):
        begun.append(1)
        window.run_command("measure")


make_application()
clock = QTimer()
clock.timeout.connect(look)
clock.start(10)
sys.exit(run([model]))
