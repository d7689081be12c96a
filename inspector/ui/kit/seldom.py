"""What is told of something that moves: at once, then not more often than anyone reads it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Seldom(QObject):
    """Calls `tell` when it is asked to, and no more than once in `milliseconds` after that.

    What is asked for meanwhile is done once, when these are over: the last word is told.
    """

    def __init__(
        self, tell: Callable[[], None], parent: QObject, milliseconds: int = 100
    ) -> None:
        super().__init__(parent)
        self._tell, self._asked = tell, False
        self._pause = QTimer(self, singleShot=True, interval=milliseconds)
        self._pause.timeout.connect(self._again)

    def ask(self) -> None:
        """Tell now, or as soon as the pause is over."""
        self._asked = True
        if not self._pause.isActive():
            self._again()

    def _again(self) -> None:
        if self._asked:
            self._asked = False
            self._tell()
            self._pause.start()
