"""What else the machine does while this process works: time stolen, time of other programs."""

from time import process_time

import psutil

from inspector.report import Surroundings

_LEAST_SECONDS = 0.3  # of all cores together; the system counts in steps of 10 ms
_IDLE = ("idle", "iowait")
_COUNTED_TWICE = ("guest", "guest_nice")  # they are in user and nice as well


class Watch:
    """Looks at the machine's clocks now, and again when asked."""

    def __init__(self) -> None:
        self._own, self._before = process_time(), _seconds()

    def seen(self) -> Surroundings:
        """Tell what went on since this was made; nothing where that is too short to tell."""
        own, after = process_time() - self._own, _seconds()
        spent = {name: max(0.0, after[name] - self._before[name]) for name in after}
        return shares(spent, own)


def shares(spent: dict[str, float], own: float) -> Surroundings:
    """Divide the cores' seconds of each kind, as psutil names them; own: of this process."""
    counted = {name: time for name, time in spent.items() if name not in _COUNTED_TWICE}
    whole = sum(counted.values())
    if whole < _LEAST_SECONDS:
        return Surroundings()
    stolen = counted.pop("steal", None)
    busy = sum(time for name, time in counted.items() if name not in _IDLE)
    others = min(1.0, max(0.0, busy - own) / whole)
    return Surroundings(
        None if stolen is None else round(stolen / whole, 4),
        round(others, 4),
    )


def _seconds() -> dict[str, float]:
    told: dict[str, float] = psutil.cpu_times()._asdict()
    return told
