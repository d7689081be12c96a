"""Checks of how a program uses a session, besides how long its calls take.

What was asked for and what was got: providers and threads. What happens around a run: whether
it blocks an event loop, what was cast from float64 for it, and which outputs come back as
inputs through NumPy. All but the first look at few runs of a session, so that they cost little.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MOST_RUNS = 20  # of a session whose outputs are compared with the inputs of the next run
# Bytes of one output below which nobody gains by keeping it inside the runtime (a judgment).
LEAST_STATE_BYTES = 1 << 14
_SAMPLES = 32  # elements of an array that are compared
# Runs after which the calls of the program are watched until the next one: not the first,
# which often follows other work, and several, so that one odd interval is no pattern.
WATCHED_RUNS = (2, 3, 4)
_MOST_EVENTS = 20_000  # of the interpreter in such an interval; then it is no longer watched


def cores() -> int:
    """Return how many CPU cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def missing_providers(
    requested: Sequence[Any] | None, obtained: Sequence[str], available: Sequence[str]
) -> str:
    """Return which requested execution providers a session lacks, and why; "" if none.

    requested: names, or pairs of a name and its options. available: those of this build.
    """
    names = [each[0] if isinstance(each, tuple) else each for each in requested or ()]
    missing = [str(name) for name in names if name not in obtained]
    if not missing:
        return ""
    absent = [name for name in missing if name not in available]
    why = (
        "not in this build of ONNX Runtime" if len(absent) == len(missing) else "failed to load"
    )
    return (
        f"check providers: {', '.join(missing)} requested but not used: {why}; "
        f"used: {', '.join(obtained)}"
    )


def takes_batches(session: Any) -> bool:
    """Return whether all inputs of a session begin with the same free axis."""
    shapes = [each.shape for each in session.get_inputs()]
    first = {shape[0] if shape else 0 for shape in shapes}
    return len(first) == 1 and not isinstance(first.pop(), int)


def in_event_loop() -> bool:
    """Return whether this thread runs an asyncio event loop right now."""
    module = sys.modules.get("_asyncio")
    return module is not None and module._get_running_loop() is not None


class ReturnedStates:
    """Notices outputs of a session that come back as inputs of its next run, as NumPy arrays.

    A copy counts as well: arrays are compared by type, shape and some of their elements.
    """

    def __init__(self) -> None:
        self._left = MOST_RUNS
        self._outputs: list[tuple[Any, ...]] = []

    @property
    def done(self) -> bool:
        """Return whether enough runs were looked at."""
        return self._left <= 0

    def returned_bytes(self, feed: Any) -> int:
        """Return the bytes of a feed that were outputs of the run before."""
        self._left -= 1
        if not self._outputs or not isinstance(feed, Mapping):
            return 0
        given = [print_ for print_ in map(_fingerprint, feed.values()) if print_ is not None]
        return sum(print_[-1] for print_ in given if print_ in self._outputs)

    def take(self, outputs: Any) -> None:
        """Remember the outputs of a run, until the next one."""
        listed = outputs if isinstance(outputs, (list, tuple)) else ()
        self._outputs = [each for each in map(_fingerprint, listed) if each is not None]


def _fingerprint(value: Any) -> tuple[Any, ...] | None:
    """Return type, shape, some elements and bytes of an array of numbers; None for a small
    one."""
    plain = type(value) is sys.modules["numpy"].ndarray and value.dtype.kind in "fiu"
    if not plain or value.nbytes < LEAST_STATE_BYTES:
        return None
    elements = value.flat[:: max(1, value.size // _SAMPLES)]
    if not elements.any():  # zeros are what states begin with, not what came back
        return None
    return value.dtype, value.shape, elements.tobytes(), value.nbytes


class CastWatch:
    """Sees which float64 arrays a program casts between two runs of a session.

    It follows the calls of the thread with `sys.setprofile`, unless somebody else does.
    """

    def __init__(self) -> None:
        self._casts: set[int] = set()
        self._events = 0

    def start(self) -> None:
        """Begin to watch this thread, after a run."""
        if sys.getprofile() is None:
            self._casts.clear()
            self._events = 0
            sys.setprofile(self._see)

    def stop(self) -> None:
        """Watch no more, before the next run."""
        if sys.getprofile() == self._see:
            sys.setprofile(None)

    def cast_inputs(self, feed: Any) -> Iterator[str]:
        """Yield the inputs of a feed that are as large as a float64 array that was cast."""
        if not self._casts or not isinstance(feed, Mapping):
            return
        for name, value in feed.items():
            kind = str(getattr(value, "dtype", ""))
            if kind in ("float32", "float16") and getattr(value, "size", 0) in self._casts:
                yield str(name)

    def _see(self, _frame: Any, event: str, called: Any) -> None:
        self._events += 1
        if self._events > _MOST_EVENTS:
            sys.setprofile(None)
        elif event == "c_call" and getattr(called, "__name__", "") == "astype":
            array: Any = getattr(called, "__self__", None)
            if str(getattr(array, "dtype", "")) == "float64" and array.size > 1:
                self._casts.add(array.size)
