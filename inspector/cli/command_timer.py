"""Ends a command when its --time-limit is over, whatever it does: reads, computes or waits.

Jobs of the engine process end by limits of their own (`platform.work_limits`) a moment before,
and say what was under way.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from inspector.errors import InspectorError
from inspector.platform.own_processes import is_loading_library

# After the limit: the client of an engine looks at it five times a second, and then needs a
# moment to say which job and layer it was. At most a tenth of limits from 5 s on.
GRACE_SECONDS = 0.5  # at least
GRACE_SHARE = 0.05  # of the limit
# Between attempts: Python drops an exception in a destructor and the like.
_AGAIN_SECONDS = 0.2
HINT = "To allow more time, use --time-limit."
_HAS_ALARM = hasattr(signal, "setitimer")  # Windows has none


class _TimeOver(KeyboardInterrupt):
    """Ends what runs.

    After a KeyboardInterrupt proper that leaves an `exec` of text, with which dataclasses are
    made, `python -m` ends by SIGINT even if it is caught.
    """


class _State:
    """The one timer of this process. over: it has ended what ran.

    Where there is no alarm, stopped ends the thread that sends SIGINT in its place, due says
    that the thread sent one, and ctrl_c is what handles SIGINT otherwise.
    """

    def __init__(self) -> None:
        self.until = 0.0
        self.over = False
        self.stopped: threading.Event | None = None
        self.due = False
        self.ctrl_c: Any = None
        self.unraisable: Callable[[sys.UnraisableHookArgs], object] | None = None


_now = _State()


def deadline() -> float:
    """Return when the command must end, on the monotonic clock; 0: no limit."""
    return _now.until


@contextmanager
def ended_after(seconds: float, what: str = "The command was stopped") -> Iterator[None]:
    """Raise InspectorError in a block that takes longer; 0: no limit. what: its first part.

    A block inside another one has the timer to itself, and leaves none for the rest of the
    outer one. Works in the main thread only; elsewhere there is no limit.
    """
    stop()
    if seconds and threading.current_thread() is threading.main_thread():
        _start(seconds)
    try:
        yield
    except BaseException as error:  # Python makes other exceptions of it while a class is made
        if not _now.over or isinstance(error, InspectorError):
            raise
        why = f"it took longer than the {seconds:g} s allowed"
        raise InspectorError(what, why, HINT) from None
    finally:
        stop()


def stop() -> None:
    """Stop the timer; the jobs of the command have limits of their own."""
    if _HAS_ALARM and _now.until:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if _now.stopped is not None:
        _now.stopped.set()
    if _now.ctrl_c is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _now.ctrl_c)
        _now.ctrl_c = None
    if _now.unraisable is not None:
        sys.unraisablehook = _now.unraisable
    _now.until, _now.stopped, _now.unraisable, _now.over = 0.0, None, None, False


def _start(seconds: float) -> None:
    _now.until = monotonic() + seconds
    delay = seconds + max(GRACE_SECONDS, GRACE_SHARE * seconds)
    _now.unraisable, sys.unraisablehook = sys.unraisablehook, _say_others
    if _HAS_ALARM:
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, delay, _AGAIN_SECONDS)
    else:
        if _now.ctrl_c is None:
            _now.ctrl_c = signal.signal(signal.SIGINT, _interrupt_or_ctrl_c)
        _now.stopped, _now.due = threading.Event(), False
        threading.Thread(target=_send, args=(_now.stopped, delay), daemon=True).start()


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """End what runs as Ctrl+C does, again and again until it does: what cleans up may go on."""
    if is_loading_library(frame):
        return  # the signal comes again
    error: BaseException | None = sys.exc_info()[1]
    while _now.over and error is not None:
        if isinstance(error, _TimeOver):
            return
        error = error.__cause__ or error.__context__
    _now.over = True
    raise _TimeOver


def _say_others(dropped: "sys.UnraisableHookArgs") -> None:
    """Say what Python drops, unless it is the end of the time, which comes again."""
    if not issubclass(dropped.exc_type, _TimeOver) and _now.unraisable is not None:
        _now.unraisable(dropped)


def _send(stopped: threading.Event, delay: float) -> None:
    """Send SIGINT, again and again. On Windows no other signal ends a sleep."""
    while not stopped.wait(delay):
        _now.due, delay = True, _AGAIN_SECONDS
        signal.raise_signal(signal.SIGINT)


def _interrupt_or_ctrl_c(number: int, frame: FrameType | None) -> None:
    if not _now.due:
        if callable(_now.ctrl_c):
            _now.ctrl_c(number, frame)
        return
    _now.due = False
    if _now.until:  # not stopped in the meantime
        _interrupt(number, frame)
