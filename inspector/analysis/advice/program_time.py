"""What the time of a recorded program went to, and the times in which something lasts."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.trace.trace import Trace


class TimeParts(Struct, frozen=True):
    """The time of a recording in parts that add up, in nanoseconds.

    What happens at the same time counts once: as a run first, then as the creation of a
    session, then as its release, then as another call. `recorder` is what the recorder itself
    took. The rest is outside of ONNX Runtime: before the first run, between runs, and after the
    last.
    """

    runs: int
    creating: int
    releasing: int
    other_calls: int
    recorder: int
    before: int
    between: int
    after: int

    @property
    def whole(self) -> int:
        """Return the time from the first call to the end of the last."""
        return sum(getattr(self, part) for part in self.__struct_fields__)


def union(trace: Trace, mask: NDArray[np.bool_] | NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the times when any of some spans lasts: int64 (K, 2), begin and end, sorted.

    mask: of all spans, or indices.
    """
    begin = trace.start_ns[mask]
    order = np.argsort(begin, kind="stable")
    begin = begin[order]
    reached = np.maximum.accumulate(begin + trace.duration_ns[mask][order])
    first = np.flatnonzero(np.append(True, begin[1:] > reached[:-1]))
    last = np.append(first[1:] - 1, len(begin) - 1)
    return np.column_stack((begin[first], reached[last]))


def length(times: NDArray[np.int64], begin: int = 0, end: int | None = None) -> int:
    """Return how long such times are together, inside a time range."""
    return int(np.diff(np.clip(times, begin, end)).sum())
