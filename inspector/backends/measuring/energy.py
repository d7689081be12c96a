"""Energy that the machine counts: of CPU packages and graphics processors, or from a battery.

Linux shows counters in files below /sys, NVIDIA's driver through the package pynvml. Windows
and macOS show none to a program without the rights of an administrator.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import Struct

from inspector.report.environment import EnergyUse
from inspector.wording.values import Name, Sentence

try:
    import pynvml
except ImportError:
    pynvml = None

SYSTEM = Path("/sys")
PACKAGE = "CPU package"
SOCKET = "CPU socket"
BATTERY = "battery"
LEAST_SECONDS = 0.1  # RAPL counts each millisecond: of less the ends are a large part
_MICRO = 1e-6  # joules or watts in what /sys counts
_DIGITS = 32  # more than a number in /sys has
_DECIMAL = re.compile(r"\s*-?\d+(\.\d+)?")
_MILLI = 1e-3  # joules in what NVML counts
_ZONE = re.compile(r"intel-rapl:\d+")  # AMD's, too; with another number it is a part of one
_LOCKED = "only root may read the energy counters of the CPU ({place})"
_NOT_LINUX = Sentence("this system shows no energy counters to programs")
_NOTHING = Sentence("this machine has no energy counter, and does not run from a battery")
_SHORT = Sentence("the timed runs were too short for the energy counters")


class Counter(Struct, frozen=True):
    """What counts energy. read: joules so far, or watts now where `is_power`. wraps: joules
    after which it begins at 0 again; 0: never."""

    name: str
    read: Callable[[], float]
    wraps: float = 0.0
    is_power: bool = False


class Counters(Struct, frozen=True):
    """All counters of the machine, and why there are none."""

    found: tuple[Counter, ...] = ()
    missing: str = ""


class EnergyMeter:
    """Counts energy, except while it is paused; it begins paused."""

    def __init__(self, counters: Counters | None = None) -> None:
        self._counters = open_counters() if counters is None else counters
        self._joules = [0.0] * len(self._counters.found)
        self._seconds, self._began = 0.0, 0.0
        self._before: list[float] = []

    def resume(self) -> None:
        """Count from now on."""
        self._before, self._began = self._read(), perf_counter()

    def pause(self) -> None:
        """Count no longer, until `resume`."""
        now, seconds = self._read(), perf_counter() - self._began
        for place, counter in enumerate(self._counters.found):
            more = now[place] - self._before[place]
            if counter.is_power:
                more = seconds * (now[place] + self._before[place]) / 2
            self._joules[place] += more if more >= 0 else more + counter.wraps
        self._seconds += seconds

    def use(self) -> EnergyUse:
        """Return what was counted."""
        if not self._counters.found:
            return EnergyUse(missing=self._counters.missing)
        if self._seconds < LEAST_SECONDS:
            return EnergyUse(missing=_SHORT)
        names = (counter.name for counter in self._counters.found)
        parts = tuple(pair for pair in zip(names, self._joules, strict=True) if pair[1] > 0)
        return EnergyUse(parts, self._seconds, "" if parts else _NOTHING)

    def _read(self) -> list[float]:
        return [counter.read() for counter in self._counters.found]


_opened: dict[Path, Counters] = {}


def open_counters(system: Path = SYSTEM) -> Counters:
    """Open the counters once; they stay readable in a process that may open no more files.

    system: the folder where Linux shows them.
    """
    if system not in _opened:
        _opened[system] = _found(system)
    return _opened[system]


def _found(system: Path) -> Counters:
    graphics = list(_nvidia())
    if not sys.platform.startswith("linux"):
        return Counters(tuple(graphics), "" if graphics else _NOT_LINUX)
    problems = list[str]()
    packages = list(_packages(system, problems)) or list(_sockets(system))
    # A battery feeds the whole machine: beside a counter of the CPU it says nothing more.
    found = (*(packages or _batteries(system)), *graphics)
    return Counters(found, "" if found else next(iter(problems), _NOTHING))


def _packages(system: Path, problems: list[str]) -> Iterator[Counter]:
    """Yield the packages that RAPL counts. problems: takes why they cannot be read."""
    zones = _folders(system / "class" / "powercap")
    for zone in (each for each in zones if _ZONE.fullmatch(each.name)):
        name = _text(zone / "name")
        if not name.startswith("package"):
            continue
        try:
            read = _reader(zone / "energy_uj")
        except PermissionError:
            problems.append(Sentence(_LOCKED, place=Name(str(zone / "energy_uj"))))
            continue
        except OSError:
            continue
        wraps = _number(_text(zone / "max_energy_range_uj")) * _MICRO
        number = name.rpartition("-")[2]
        title = PACKAGE if number in ("", "0") else f"{PACKAGE} {number}"
        yield Counter(title, read, wraps)


def _sockets(system: Path) -> Iterator[Counter]:
    """Yield the sockets that a driver such as amd_energy counts."""
    for monitor in _folders(system / "class" / "hwmon"):
        for label in sorted(monitor.glob("energy*_label")):
            if "socket" not in _text(label).lower():
                continue
            with suppress(OSError):
                place = label.with_name(label.name.replace("_label", "_input"))
                read = _reader(place)
                number = re.sub(r"\D", "", _text(label))
                title = SOCKET if number in ("", "0") else f"{SOCKET} {number}"
                yield Counter(title, read)


def _batteries(system: Path) -> Iterator[Counter]:
    """Yield the batteries that feed the machine now."""
    for supply in _folders(system / "class" / "power_supply"):
        if _text(supply / "status") != "Discharging":
            continue
        with suppress(OSError):
            if (supply / "power_now").exists():
                watts = _reader(supply / "power_now")
            else:
                watts = _product(
                    _reader(supply / "current_now"), _reader(supply / "voltage_now")
                )
            yield Counter(BATTERY, watts, is_power=True)


def _product(one: Callable[[], float], other: Callable[[], float]) -> Callable[[], float]:
    return lambda: one() * other()


def nvidia_devices() -> Iterator[tuple[Any, Any]]:
    """Yield pynvml and its handle of each graphics processor of NVIDIA; none without both."""
    library: Any = pynvml
    if library is None:
        return
    try:
        library.nvmlInit()
        for number in range(library.nvmlDeviceGetCount()):
            yield library, library.nvmlDeviceGetHandleByIndex(number)
    except Exception:  # noqa: BLE001 - the package's own class; no driver is no fault of ours
        return


def _nvidia() -> Iterator[Counter]:
    """Yield the graphics processors of NVIDIA, where the package is installed."""
    try:
        for library, handle in nvidia_devices():
            library.nvmlDeviceGetTotalEnergyConsumption(handle)  # raises where it has none
            name = library.nvmlDeviceGetName(handle)
            title = name.decode("ascii", "replace") if isinstance(name, bytes) else str(name)
            yield Counter(title, _nvidia_reader(library, handle))
    except Exception:  # noqa: BLE001 - the package's own class; no driver is no fault of ours
        return


def _nvidia_reader(library: Any, handle: Any) -> Callable[[], float]:
    def read() -> float:
        return float(library.nvmlDeviceGetTotalEnergyConsumption(handle)) * _MILLI

    return read


def _reader(path: Path) -> Callable[[], float]:
    """Return what reads joules or watts. Raises OSError."""
    read = number_at(path)
    return lambda: read() * _MICRO


def number_at(path: Path) -> Callable[[], float]:
    """Open a file of /sys for as long as this process lives; return what reads its present
    number, which a unit may follow. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    return lambda: _number(os.pread(file, _DIGITS, 0).decode("ascii", "replace"))


def _number(text: str) -> float:
    found = _DECIMAL.match(text)
    return float(found[0]) if found else 0.0


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def _folders(path: Path) -> Sequence[Path]:
    try:
        return sorted(path.iterdir())
    except OSError:
        return ()
