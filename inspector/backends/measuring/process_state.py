"""Read the memory of this process, now and at its peak, and the load of the machine."""

import os
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import process_time

import psutil

from inspector.backends.measuring.energy import EnergyMeter
from inspector.report.environment import SystemLoad

if sys.platform != "win32":
    import resource

_STATUS = Path("/proc/self/status")
_LEAST_SECONDS = 0.3  # of all cores together; the system counts in steps of 10 ms
_IDLE = ("idle", "iowait")
_COUNTED_TWICE = ("guest", "guest_nice")  # they are in user and nice as well


def resident_bytes() -> int:
    """Return the bytes of this process that are in memory now."""
    return int(_process(os.getpid()).memory_info().rss)


@lru_cache(1)
def _process(number: int) -> psutil.Process:
    """Return this process. Making the object reads and checks more than the memory takes."""
    return psutil.Process(number)


def private_bytes() -> int | None:
    """Return the bytes in memory that no other process shares; None where nobody can tell."""
    try:
        return int(_process(os.getpid()).memory_full_info().uss)
    except (psutil.Error, OSError, AttributeError):
        return None


def peak_bytes() -> int:
    """Return the most that `resident_bytes` has been since the process began."""
    if _STATUS.is_file():
        for line in _STATUS.read_text("ascii", "replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class SystemLoadMonitor:
    """Measures the load of the machine by its CPU clocks, and its energy by their counters,
    except while it is paused."""

    def __init__(self) -> None:
        self._energy = EnergyMeter()
        self._spent: dict[str, float] = {}
        self._own_spent = 0.0
        self.resume()

    def pause(self) -> None:
        """Pause sampling until `resume`."""
        self._energy.pause()
        self._own_spent += process_time() - self._own
        for name, seconds in _seconds().items():
            more = max(0.0, seconds - self._before[name])
            self._spent[name] = self._spent.get(name, 0.0) + more

    def resume(self) -> None:
        """Resume sampling."""
        self._own, self._before = process_time(), _seconds()
        self._energy.resume()

    def load(self) -> SystemLoad:
        """Return what went on meanwhile; nothing where that is too short to tell."""
        self.pause()
        load = shares(self._spent, self._own_spent)
        return replace(load, energy=self._energy.use(), on_battery=_on_battery())


def shares(spent: dict[str, float], own: float) -> SystemLoad:
    """Divide the cores' seconds of each kind, as psutil names them; own: of this process."""
    counted = {name: time for name, time in spent.items() if name not in _COUNTED_TWICE}
    total = sum(counted.values())
    if total < _LEAST_SECONDS:
        return SystemLoad()
    stolen = counted.pop("steal", None)
    busy = sum(time for name, time in counted.items() if name not in _IDLE)
    others = min(1.0, max(0.0, busy - own) / total)
    return SystemLoad(None if stolen is None else round(stolen / total, 4), round(others, 4))


def _on_battery() -> bool:
    """Return whether a battery feeds the machine; not where nobody can tell."""
    try:
        battery = psutil.sensors_battery()
    except (psutil.Error, OSError, AttributeError):  # the last: a system without sensors
        return False
    return battery is not None and battery.power_plugged is False


def _seconds() -> dict[str, float]:
    times: dict[str, float] = psutil.cpu_times()._asdict()
    return times
