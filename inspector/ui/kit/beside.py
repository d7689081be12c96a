"""Work that takes long for much data: at once for little, else off the window's thread."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector.errors import InspectorError
from inspector.ui.documents.jobs import Jobs

LITTLE = 200_000


class Beside(QObject):
    """Runs one job of a kind after the other; what was asked for last is what arrives.

    busy: words for what is under way; '' when nothing is. changed: they are others.
    """

    changed = Signal()

    def __init__(self, size: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._much, self._jobs = size > LITTLE, Jobs(self)
        self._number, self.busy = 0, ""

    def run(self, words: str, job: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Do `job` and give its value to `then`, on the window's thread."""
        self._number += 1
        if not self._much:
            then(job())
            return
        mine = self._number

        def deliver(value: Any) -> None:
            if mine == self._number:
                self._say("")
                then(value)

        def give_up(error: InspectorError) -> None:
            self._say(error.what if mine == self._number else self.busy)

        self._say(words)
        self._jobs.start(job, deliver, give_up)

    def forget(self) -> None:
        """Let nothing arrive of what is under way."""
        self._number += 1
        self._say("")

    def _say(self, words: str) -> None:
        self.busy = words
        self.changed.emit()
