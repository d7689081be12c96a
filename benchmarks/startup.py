"""How long until the first window is painted, beside a bare PySide6 window in the same run.

    python benchmarks/startup.py [ROUNDS]

Each start is a process of its own; ours and the bare one take turns. Bound: ratio <= 2.
"""

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

BARE = """
import sys, time
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
application = QApplication(sys.argv)
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.time_ns(), flush=True)
        import os; os._exit(0)
window = Window()
window.setCentralWidget(QLabel("bare"))
window.resize(1440, 900)
window.show()
application.exec()
"""
OURS = """
import sys, time
from pathlib import Path
from inspector.ui.app import application as app
from PySide6.QtCore import QEvent, QObject
application = app.make_application()
window = app.make_window(application, Path(sys.argv[1]))
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and watched is window.welcome:
            print(time.time_ns(), flush=True)
            import os; os._exit(0)
        return False
watch = Watch()
window.welcome.installEventFilter(watch)
window.show()
application.exec()
"""


def main() -> None:
    """Print minimum and median of both, and the ratio of the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    times: dict[str, list[float]] = {"bare": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for name, code in (("bare", BARE), ("ours", OURS)):
                times[name].append(_start(code, f"{folder}/window.ini"))
    for name, values in times.items():
        print(f"{name}  min {min(values):5.0f} ms  median {median(values):5.0f} ms")
    print(f"ratio of medians {median(times['ours']) / median(times['bare']):.2f}")
    print(f"ratio of minima  {min(times['ours']) / min(times['bare']):.2f}")


def _start(code: str, settings: str) -> float:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    began = time.time_ns()
    command = [sys.executable, "-c", code, settings]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return (int(done.stdout.split()[0]) - began) / 1e6


if __name__ == "__main__":
    main()
