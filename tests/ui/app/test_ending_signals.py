"""A window that is ended from outside removes its temporary files; its status says so."""

import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from inspector.platform.own_processes import TERMINATED

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows ends processes without a signal"
)
SAMPLE = Path(__file__).parents[3] / "sample_models" / "digits_float32.onnx"
# In a process of its own: the end of an event loop ends the background work of its program.
LOOP = """
import signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from inspector.ui.app.application import end_at_signals
app = QApplication([])
end_at_signals(app)
tick = QTimer(app, interval=20)  # as the timer of the collector does
tick.timeout.connect(lambda: None)
tick.start()
QTimer.singleShot(10, lambda: signal.raise_signal(signal.SIGTERM))
QTimer.singleShot(30_000, lambda: app.exit(1))
sys.exit(app.exec())
"""


def test_a_signal_ends_the_event_loop_with_its_status():
    assert subprocess.run([sys.executable, "-c", LOOP], check=False).returncode == TERMINATED


@pytest.mark.slow
def test_a_window_with_an_unpacked_model_leaves_nothing(tmp_path):
    archive, temporary = tmp_path / "a.zip", tmp_path / "temporary"
    temporary.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        file.write(SAMPLE, SAMPLE.name)
    environment = os.environ | {
        "TMPDIR": str(temporary),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "inspector", str(archive)], env=environment
    ) as window:
        deadline = time.monotonic() + 120
        while not list(temporary.glob("*/*.onnx")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(temporary.glob("*/*.onnx"))
        time.sleep(1)
        window.send_signal(signal.SIGTERM)
        assert window.wait(60) == TERMINATED
    assert not list(temporary.glob("inspector-*"))
