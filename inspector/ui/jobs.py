"""Work off the window's thread: a function runs elsewhere, its outcome arrives as a signal."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, Signal

from inspector.errors import InspectorError


class Jobs(QObject):
    """Starts jobs; what they return or raise comes back on the window's thread."""

    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ended.connect(self._deliver)

    def start(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        otherwise: Callable[[InspectorError], None],
    ) -> None:
        """Run `work` in a thread; then `then` with its value, or `otherwise` with its error.

        Any other exception than InspectorError is a bug and goes to the thread's excepthook.
        """

        def run() -> None:
            try:
                value = work()
            except InspectorError as error:
                self._ended.emit(otherwise, error)
            else:
                self._ended.emit(then, value)

        Thread(target=run, daemon=True).start()

    def _deliver(self, then: Callable[[Any], None], value: Any) -> None:
        then(value)
