"""Work of the window's thread in pieces, so that it stays alive meanwhile."""

from collections import deque
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

from inspector.courtesy import first

_END = object()


class Turns(QObject):
    """Takes one step of a generator in each turn of the event loop.

    Every timer that has become due meanwhile comes before the next step.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self, singleShot=True)  # one that runs on would be due before all
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> bool:
        """Whether steps are left."""
        return self._timer.isActive()

    def start(self, steps: Iterator[object]) -> None:
        """Go through these; what is left of others is given up."""
        self._steps = steps
        self._timer.start(0)

    def finish(self) -> None:
        """Take all steps that are left at once."""
        deque(self._steps, maxlen=0)
        self._timer.stop()

    def _next(self) -> None:
        home = self.parent()
        with first():
            taken = next(self._steps, _END)
        if taken is not _END:
            self._timer.start(0)
        else:
            # The steps may have been all that held it, and it must not go while its own timer
            # is calling.
            QTimer.singleShot(0, lambda: home)
