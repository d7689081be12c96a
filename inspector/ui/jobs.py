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
        self._silent = False

    def silence(self) -> None:
        """Deliver nothing any more: nobody is left who wants to know."""
        self._silent = True

    def start(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        otherwise: Callable[[InspectorError], None],
    ) -> None:
        """Run `work` in a thread; then `then` with its value, or `otherwise` with its error.

        Any other exception than InspectorError is a bug: it goes to the thread's excepthook,
        and `otherwise` gets a sentence, so that the window does not wait for ever.
        """

        def run() -> None:
            outcome: tuple[Callable[[Any], None], Any] = (otherwise, _mistake())
            try:
                outcome = (then, work())
            except InspectorError as error:
                outcome = (otherwise, error)
            finally:
                self._ended.emit(*outcome)

        Thread(target=run, daemon=True).start()

    def _deliver(self, then: Callable[[Any], None], value: Any) -> None:
        if not self._silent:
            then(value)


def _mistake() -> InspectorError:
    return InspectorError(
        "Inspector itself made a mistake",
        "this is a bug, not something you did",
        "Please report what you did and what the program printed.",
    )
