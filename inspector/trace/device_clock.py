"""One time base for a device and the program that uses it.

Work on a device cannot begin before the call that launched it, and has ended when a run that
waits for it returns. Each pair bounds by how much the device's clock is off, as requests and
answers bound clocks of machines on a network.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inspector.units import duration
from inspector.wording.values import Sentence

_BOUNDED = (
    "The device's clock was moved by {moved}, known to within {error}: nothing runs there "
    "before the call that launched it, or after the run has returned."
)
_UNBOUNDED = (
    "The device's clock was moved by {moved}, the least with which nothing runs there before "
    "the call that launched it."
)
_ROUNDING_NS = 2_000  # of profiles in whole microseconds: their times bound no better

Times = NDArray[np.int64]


class ClockShift(NamedTuple):
    """By how much a device's times are shifted, and how far that may be off.

    shift_ns: 0 where the clocks agree already. within_ns: the true shift is larger by at most
    this; None where nothing bounds it.
    """

    shift_ns: int
    within_ns: int | None

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the sentence on times that were shifted; none where they were not."""
        if not self.shift_ns:
            return ()
        moved = duration(abs(self.shift_ns))
        if self.within_ns is None:
            return (Sentence(_UNBOUNDED, moved),)
        return (Sentence(_BOUNDED, moved, duration(self.within_ns)),)


def align(start: Times, end: Times, launched: Times, returned: Times) -> ClockShift:
    """Return the shift of a device's clock.

    start, end: of what ran there; launched: when the call that launched each began; returned:
    when its run returned, negative where that is unknown; all int64 (N,).
    """
    if not len(start):
        return ClockShift(0, None)
    least = int((launched - start).max())
    known = returned >= 0
    most = int((returned - end)[known].min()) if known.any() else None
    if least <= _ROUNDING_NS and (most is None or most >= -_ROUNDING_NS):
        return ClockShift(0, None if most is None else max(0, most))
    # Among so many launches one finds the device idle, and its work begins at once.
    return ClockShift(least, None if most is None or most < least else most - least)


def pair_by_order(executions: NDArray[np.int64], works: int) -> Times | None:
    """Return the execution that launched each of so many works of a layer, in order of time.

    None where the works do not divide evenly: then only times can tell.
    """
    each, rest = divmod(works, max(1, len(executions)))
    return None if rest or not each else np.repeat(executions, each)
