"""A real window that does what stdin says: `open PATH`, `theme NAME`, `close`. Not a test.

    python told_window.py SETTINGS_FILE

Prints "shown" once it is there, and each line again once it is done.
"""

import sys
import threading
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from inspector.ui.app.application import make_application, make_window


class Lines(QObject):
    """Lines of stdin, passed on to the window's thread."""

    came = Signal(str)

    def read(self) -> None:
        """Pass on what comes until the pipe ends."""
        for line in sys.stdin:
            self.came.emit(line.strip())


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


application = make_application()
window = make_window(application, Path(sys.argv[1]))
lines = Lines()


def follow(line: str) -> None:
    """Do what a line says, and print it when that is done."""
    word, _, value = line.partition(" ")
    if word == "open":
        window.workspace.open(Path(value))
        wait_until_read(line)
    elif word == "theme":
        window.theme.choose(value)
        say(line)
    else:
        window.close()
        say(line)
        application.quit()


def wait_until_read(line: str) -> None:
    """Print the line once the model is open."""
    if window.document is not None and window.document.model is not None:
        say(line)
    else:
        QTimer.singleShot(10, lambda: wait_until_read(line))


lines.came.connect(follow, Qt.ConnectionType.QueuedConnection)
window.show()
QTimer.singleShot(0, lambda: say("shown"))
threading.Thread(target=lines.read, daemon=True).start()
sys.exit(application.exec())
