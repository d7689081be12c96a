"""Work off the window's thread: a function runs elsewhere, its outcome arrives as a signal."""

from collections.abc import Callable
from functools import partial
from threading import Lock, Thread
from typing import Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from inspector.courtesy import first
from inspector.errors import InspectorError
from inspector.ui.documents.aside import stand_aside
from inspector.ui.documents.hands import Hands

_hands = Hands()  # of the whole window: threads know nothing of whom they work for


class Jobs(QObject):
    """Starts jobs; what they return or raise comes back on the window's thread.

    running: how many are under way. rested: one ended, and none is under way any more.
    """

    rested = Signal()
    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ended.connect(self._deliver)
        self._silent = False
        self.running = 0
        self._line = line = _Line()
        self.destroyed.connect(line.cut)

    def silence(self) -> None:
        """Deliver nothing any more: nobody is left who wants to know."""
        self._silent = True

    def start(
        self,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        otherwise: Callable[[InspectorError], None],
        aside: bool = False,
    ) -> None:
        """Run `work` in a thread; then `then` with its value, or `otherwise` with its error.

        aside: in one that lets all others go first, and ends then.

        Any other exception than InspectorError is a bug: it goes to the thread's excepthook,
        and `otherwise` gets a sentence, so that the window does not wait for ever.
        """

        def run() -> None:
            if aside:
                stand_aside()
            outcome: tuple[Callable[[Any], None], Any] = (otherwise, _mistake())
            try:
                outcome = (then, work())
            except InspectorError as error:
                outcome = (otherwise, error)
            finally:
                self._line.tell(self._ended, *outcome)

        self.running += 1
        if aside:
            Thread(target=run, name="aside", daemon=True).start()
        else:
            _hands.give(run)

    def _deliver(self, then: Callable[[Any], None], value: Any) -> None:
        self.running -= 1
        if not self._silent:
            with first():
                then(value)
        if not self.running:
            self.rested.emit()


class _Line:
    """From a thread to the window, until what listens there is gone."""

    def __init__(self) -> None:
        self._lock, self._cut = Lock(), False

    def cut(self) -> None:
        """Let nothing through any more; waits for what is just going through."""
        with self._lock:
            self._cut = True

    def tell(self, signal: SignalInstance, *values: object) -> None:
        """Emit, if somebody listens."""
        with self._lock:
            if not self._cut:
                signal.emit(*values)


def leave(gone: QObject) -> None:
    """Delete an object and all below it, as soon as no job of theirs is under way.

    Until then a thread may still tell them something. Deleting cuts the connections to
    functions, too, which hold what they were made in, unseen by Python's collector.
    """
    jobs = gone.findChildren(Jobs)
    for each in jobs:
        each.silence()
    busy = next((each for each in jobs if each.running), None)
    if busy is None:
        gone.deleteLater()
    else:
        busy.rested.connect(partial(leave, gone))


def _mistake() -> InspectorError:
    return InspectorError(
        "Inspector itself made a mistake",
        "this is a bug, not something you did",
        "Please report what you did and what the program printed.",
    )
