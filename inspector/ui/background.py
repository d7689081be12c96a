"""Background work of the window, by behavior.

- `TaskRunner`: run a function on a thread pool; its result or error arrives on the UI thread.
- `LatestTask`: latest wins; only the result of the last task that was started arrives.
- `Debounce`: call a function once, when no further call came for a while.
- `Throttle`: call a function at once, and then at most once per interval.
- `ChunkedWork`: long work of the UI thread itself, in steps between which events are handled.
- `WhileShown`: call a function once, when the view that it changes can be seen.
"""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.platform import crash_report
from inspector.platform.cooperative_yielding import first
from inspector.ui.translate import tr

Task = Callable[[], object]

# Niceness of a low-priority thread: Linux gives it about a tenth of a normal thread's share of
# a busy core, and all of an idle one.
_LOW_PRIORITY_NICENESS = 10
# Items (events of a trace) up to which `LatestTask` works at once on the UI thread: adding up
# that many takes less than a frame.
SYNCHRONOUS_ITEMS = 200_000
_THROTTLE_MS = 100  # a number that changes more often than this cannot be read
_END = object()


class DaemonThreadPool:
    """A thread pool without a queue: a task starts at once, on an idle thread or a new one.

    Neither QThreadPool nor concurrent.futures serves here: both join their threads at exit, so
    that Quit would wait for a file that takes a minute to read, and both let tasks wait when
    all threads are busy. Threads are reused because the start of a thread waits for the
    interpreter lock, which other threads may hold.

    An exception in a task goes to `threading.excepthook` and ends its thread.
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()

    def submit(self, task: Task) -> None:
        """Start a task and return when it has begun; from any thread."""
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker(self._idle.append)
        worker.run(task)


class _Worker:
    """A thread of the pool. on_idle: called on the thread after each task."""

    def __init__(self, on_idle: "Callable[[_Worker], object]") -> None:
        self._tasks: SimpleQueue[Task] = SimpleQueue()
        self._begun: SimpleQueue[None] = SimpleQueue()
        self._on_idle = on_idle
        Thread(target=self._loop, name="pool", daemon=True).start()

    def run(self, task: Task) -> None:
        """Start a task; returns when it has begun, as `Thread.start` does."""
        self._tasks.put(task)
        self._begun.get()

    def _loop(self) -> None:
        while True:
            task = self._tasks.get()
            self._begun.put(None)
            task()
            del task  # an idle thread keeps no references
            self._on_idle(self)


_pool = DaemonThreadPool()


def lower_thread_priority() -> None:
    """Lower the priority of the calling thread for good (Linux; elsewhere nothing happens).

    Only for work that rarely holds the interpreter lock: a low-priority thread that holds it
    makes every other thread wait.
    """
    if sys.platform == "linux":  # elsewhere niceness belongs to the whole process
        thread = threading.get_native_id()
        current = os.getpriority(os.PRIO_PROCESS, thread)  # a lower niceness needs root
        os.setpriority(os.PRIO_PROCESS, thread, max(current, _LOW_PRIORITY_NICENESS))


class TaskRunner(QObject):
    """Runs functions on the thread pool and delivers their results on the UI thread.

    running: the number of tasks under way. idle: emitted when the last of them has ended.
    """

    idle = Signal()
    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ended.connect(self._deliver)
        self._discarding = False
        self.running = 0
        self._emitter = SafeEmitter(self)

    def discard_results(self) -> None:
        """Deliver no result or error from now on."""
        self._discarding = True

    def start(
        self,
        task: Callable[[], Any],
        on_result: Callable[[Any], None],
        on_error: Callable[[InspectorError], None],
        low_priority: bool = False,
    ) -> None:
        """Run `task` on a thread, then `on_result` or `on_error` on the UI thread.

        low_priority: use a new thread of low priority, which ends with the task.

        Any exception but InspectorError is a bug: it goes to `threading.excepthook`, and
        `on_error` gets a message with the file to attach, so that the window does not wait.
        """

        def run() -> None:
            if low_priority:
                lower_thread_priority()
            outcome: tuple[Callable[[Any], None], Any]
            try:
                outcome = (on_result, task())
            except InspectorError as error:
                outcome = (on_error, error)
            except BaseException as error:
                outcome = (on_error, internal_error(error))
                raise
            finally:
                self._emitter.emit(self._ended, *outcome)

        self.running += 1
        if low_priority:
            Thread(target=run, name="low priority", daemon=True).start()
        else:
            _pool.submit(run)

    def _deliver(self, callback: Callable[[Any], None], value: Any) -> None:
        self.running -= 1
        if not self._discarding:
            with first():
                callback(value)
        if not self.running:
            self.idle.emit()


class SafeEmitter:
    """Emits signals from a thread, until the object that owns the signals is destroyed."""

    def __init__(self, owner: QObject) -> None:
        # One that emits on the thread of the window may come to emit again meanwhile.
        self._lock, self._closed = RLock(), False
        # Not `self.close` itself: PySide gives up a bound method when its object goes, maybe on
        # the thread of a task. That thread would wait for the interpreter with a lock of Qt,
        # and the thread of the window for this lock with the interpreter.
        owner.destroyed.connect(lambda: self.close())

    def of(self, signal: SignalInstance) -> Callable[..., None]:
        """Return what emits a signal, for who tells of progress from a thread."""
        return partial(self.emit, signal)

    def close(self) -> None:
        """Emit nothing from now on; waits for an emission under way."""
        with self._lock:
            self._closed = True

    def emit(self, signal: SignalInstance, *values: object) -> None:
        """Emit, unless the receiver is gone."""
        with self._lock:
            if self._closed:
                return
            try:
                signal.emit(*values)
            except RuntimeError as error:
                # Qt deletes a child before it tells so: then nobody is left who waits.
                if "deleted" not in str(error):
                    raise
                self._closed = True


def delete_when_idle(target: QObject) -> None:
    """Delete an object and its children as soon as none of their tasks is running.

    Until then a thread may still emit to them. Deleting also cuts the connections to closures,
    which keep alive what they refer to, unseen by Python's garbage collector.
    """
    runners = target.findChildren(TaskRunner)
    for runner in runners:
        runner.discard_results()
    busy = next((runner for runner in runners if runner.running), None)
    if busy is None:
        target.deleteLater()
    else:
        busy.idle.connect(partial(delete_when_idle, target))


def internal_error(error: BaseException) -> InspectorError:
    """Save a bug's exception, once for each place, and return what to tell the user."""
    path = crash_report.save_once(error, sys.argv[1:])
    hint = tr("Please report it, with what you did.")
    if path is not None:
        hint = tr("Please report it and attach this file: {path}").format(path=path)
    why = tr("this is a bug, not something you did ({error} in {place})")
    place = crash_report.place(error) or tr("unknown place")
    what = tr("Internal error in Inspector")
    return InspectorError(what, why.format(error=type(error).__name__, place=place), hint)


class LatestTask(QObject):
    """Runs tasks of one kind; only the result of the one started last is delivered.

    size: the number of items the tasks work on; up to SYNCHRONOUS_ITEMS they run at once.
    busy: text on the task under way; "" when there is none. changed: that text changed.
    """

    changed = Signal()

    def __init__(self, size: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threaded, self._tasks = size > SYNCHRONOUS_ITEMS, TaskRunner(self)
        self._latest, self.busy = 0, ""

    def run(self, text: str, task: Callable[[], Any], on_result: Callable[[Any], None]) -> None:
        """Run `task` and pass its value to `on_result` on the UI thread. text: while busy."""
        self._latest += 1
        if not self._threaded:
            on_result(task())
            return
        number = self._latest

        def deliver(value: Any) -> None:
            if number == self._latest:
                self._set_busy("")
                on_result(value)

        def fail(error: InspectorError) -> None:
            self._set_busy(error.what if number == self._latest else self.busy)

        self._set_busy(text)
        self._tasks.start(task, deliver, fail)

    def cancel(self) -> None:
        """Deliver no result of the task under way."""
        self._latest += 1
        self._set_busy("")

    def _set_busy(self, text: str) -> None:
        self.busy = text
        self.changed.emit()


class Debounce(QObject):
    """Calls a function once, when `milliseconds` have passed without another `call`."""

    def __init__(
        self, function: Callable[[], object], parent: QObject, milliseconds: int
    ) -> None:
        super().__init__(parent)
        self._function = function
        self.timer = QTimer(self, singleShot=True, interval=milliseconds)
        self.timer.timeout.connect(self._run)

    @property
    def pending(self) -> bool:
        """Return whether a call is waiting."""
        return self.timer.isActive()

    def call(self) -> None:
        """Call the function after the interval, which starts anew."""
        self.timer.start()

    def flush(self) -> None:
        """Make the pending call now, if there is one."""
        if self.pending:
            self.cancel()
            self._run()

    def cancel(self) -> None:
        """Drop the pending call."""
        self.timer.stop()

    def _run(self) -> None:
        self._function()


class Throttle(QObject):
    """Calls a function at once, and then at most once in `milliseconds`.

    Calls within the interval are joined into one at its end, so that the last state is shown.
    """

    def __init__(
        self, function: Callable[[], None], parent: QObject, milliseconds: int = _THROTTLE_MS
    ) -> None:
        super().__init__(parent)
        self._function, self._called = function, False
        self._interval = QTimer(self, singleShot=True, interval=milliseconds)
        self._interval.timeout.connect(self._run)

    def call(self) -> None:
        """Call the function now, or at the end of the interval."""
        self._called = True
        if not self._interval.isActive():
            self._run()

    def _run(self) -> None:
        if self._called:
            self._called = False
            self._function()
            self._interval.start()


class ChunkedWork(QObject):
    """Takes one step of a generator per turn of the event loop.

    Every timer that has become due comes before the next step.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # In a list that is emptied with the parent: what a generator has built so far may be
        # connected to the parent, and such a circle is one that Python cannot see.
        self._work: list[Iterator[object]] = []
        self.destroyed.connect(self._work.clear)
        # A repeating timer would be due before all others.
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._next)

    @property
    def pending(self) -> bool:
        """Return whether steps are left."""
        return self._timer.isActive()

    def start(self, steps: Iterator[object]) -> None:
        """Take these steps; those left of an earlier generator are dropped."""
        self._work[:] = [steps]
        self._timer.start(0)

    def finish(self) -> None:
        """Take all remaining steps now."""
        for steps in self._work:
            deque(steps, maxlen=0)
        self._timer.stop()

    def _next(self) -> None:
        parent = self.parent()
        with first():
            step = next(self._work[0], _END)
        if step is not _END:
            self._timer.start(0)
        else:
            # The generator may have held the last reference to the parent, which must not be
            # destroyed while its own timer is calling.
            QTimer.singleShot(0, lambda: parent)


class WhileShown(QObject):
    """Calls a function now, or once when a view can be seen again.

    Only what stands in something hidden, such as a tab that is not in front, waits. A view that
    is hidden itself does not, since the function may show it.
    """

    def __init__(self, view: QWidget, function: Callable[[], None]) -> None:
        super().__init__(view)
        self._view, self._function, self._late = view, function, False

    def call(self) -> None:
        """Call the function now, or when the view is shown."""
        if self._view.isVisible() or self._view.isHidden():
            self._function()
        elif not self._late:
            self._late = True
            self._view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Catch up when the view is shown."""
        if event.type() is QEvent.Type.Show:
            self._late = False
            self._view.removeEventFilter(self)
            self._function()
        return False
