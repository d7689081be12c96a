"""Exceptions that nobody caught, as a message in the window: else only a terminal shows them.

PySide hands an exception of a slot or an event handler to `sys.excepthook` and goes on.
"""

import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Signal

from inspector.errors import InspectorError
from inspector.platform import crash_report
from inspector.ui.background import SafeEmitter, internal_error
from inspector.ui.window.main_window import MainWindow


class InternalErrors(QObject):
    """Saves each exception to a file and shows it in the window, one message for each place."""

    found = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._places: set[tuple[type[BaseException], str]] = set()
        self._emitter = SafeEmitter(self)
        self.found.connect(self._show)

    def install(self) -> None:
        """Take over the hooks of the process, for as long as it lives."""
        sys.excepthook = self._of_slot
        threading.excepthook = self._of_thread

    def report(self, error: BaseException) -> None:
        """Save an exception and show it, unless one of the same place was shown before.

        A handler may fail at each movement of the pointer. Any thread.
        """
        where = crash_report.place(error)
        if (type(error), where) in self._places:
            return
        self._places.add((type(error), where))
        self._emitter.emit(self.found, internal_error(error))

    def _show(self, error: InspectorError) -> None:
        self._window.notice.show_error(error)

    def _of_slot(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        sys.__excepthook__(kind, error, trace)
        if isinstance(error, Exception):
            self.report(error)

    def _of_thread(self, failed: threading.ExceptHookArgs) -> None:
        threading.__excepthook__(failed)
        if isinstance(failed.exc_value, Exception):
            self.report(failed.exc_value)
