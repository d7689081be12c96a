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
        self._spent: dict[str, float] = {}
        self._own_spent = 0.0
        self.resume()

    def pause(self) -> None:
        """Look away, until `resume`."""
        self._own_spent += process_time() - self._own
        for name, seconds in _seconds().items():
            more = max(0.0, seconds - self._before[name])
            self._spent[name] = self._spent.get(name, 0.0) + more

    def resume(self) -> None:
        """Look again."""
        self._own, self._before = process_time(), _seconds()

    def seen(self) -> Surroundings:
        """Tell what went on meanwhile; nothing where that is too short to tell."""
        self.pause()
        return shares(self._spent, self._own_spent)


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
