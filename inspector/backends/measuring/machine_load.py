"""How busy the machine was over time: CPU cores, graphics and neural processors, and power.

All programs together: drivers tell of no single one. Linux shows GPUs and NPUs in files below
/sys, NVIDIA's driver through the package pynvml; CPU cores are known on every system.
"""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import perf_counter_ns
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import psutil

from inspector.backends.measuring.energy import SYSTEM, number_at, nvidia_devices, open_counters
from inspector.trace.kinds import ALL_PROGRAMS

EVERY_SECONDS = 0.1  # CPU time is counted in steps of 10 ms: a share is known to 10 %
_LEAST_NS = 30_000_000  # of the last stretch; a shorter one says nothing
_MOST_READINGS = 5_000  # kept of a long stretch: then every second one goes
_MOST_CORES = 16  # with a row each; of more, the sum and the busiest one
_CORE = "CPU core {}"
_ALL_CORES = "all CPU cores"
_BUSIEST = "busiest CPU core"
_IDLE = {"idle", "iowait"}
_COUNTED_TWICE = {"guest", "guest_nice"}  # parts of user and nice
# Files below /sys: of AMD's driver; Qualcomm's; Arm's and Rockchip's, as "23@800000000Hz";
# of Intel's NPU, microseconds of work so far (each for 100 %).
_FILES = (
    ("class/drm/card*/device/gpu_busy_percent", "GPU load", "percent", 0.0),
    ("class/drm/card*/device/mem_info_vram_used", "GPU memory in use", "bytes", 0.0),
    ("class/kgsl/kgsl-*/gpu_busy_percentage", "GPU load", "percent", 0.0),
    ("class/devfreq/*/load", "{device} load", "percent", 0.0),
    ("class/accel/accel*/device/npu_busy_time_us", "NPU load", "percent", 1e4),
)


class Gauge(NamedTuple):
    """What tells how busy a part of the machine is.

    read: the value now, or a count that grows. per_second: of a count, what a second at full
    load adds to it; 0 for a value of now.
    """

    name: str
    unit: str
    read: Callable[[], float]
    per_second: float = 0.0
    wraps: float = 0.0


class Counting(Protocol):
    """What takes the values of a counter: a `TraceBuilder`."""

    def count(  # noqa: D102
        self, name: str, time_ns: int, value: float, unit: str = "", process: str = ""
    ) -> None: ...


# When, values of the gauges, and how long each core had worked.
_Reading = tuple[int, list[float], list[float]]
_opened: dict[Path, tuple[Gauge, ...]] = {}


def open_gauges(system: Path = SYSTEM) -> tuple[Gauge, ...]:
    """Open the gauges once; they stay readable in a process that may open no more files.

    system: the folder where Linux shows them.
    """
    if system not in _opened:
        _opened[system] = tuple(_gauges(system))
    return _opened[system]


class MachineLoad:
    """Reads the gauges in a thread of its own while a block runs."""

    def __init__(self, gauges: tuple[Gauge, ...] | None = None) -> None:
        self._gauges = open_gauges() if gauges is None else gauges
        self._readings: list[_Reading] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="machine load", daemon=True)

    def __enter__(self) -> Self:
        self._read()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        self._ended.set()
        self._thread.join()
        if perf_counter_ns() - self._readings[-1][0] >= _LEAST_NS:
            self._read()

    def count_into(self, target: Counting, offset_ns: int = 0, since_ns: int = 0) -> None:
        """Put the values into a trace; each holds until the next.

        offset_ns: from perf_counter to the clock of the trace. since_ns: where that begins.
        """
        for before, now in pairwise(self._readings):
            at, end = before[0] + offset_ns, now[0] + offset_ns
            if end > since_ns:
                for name, value, unit in self._values(before, now):
                    target.count(name, max(at, since_ns), round(value, 1), unit, ALL_PROGRAMS)

    def mean_into(self, target: Counting) -> None:
        """Put the means into a trace whose spans are means, from its beginning on."""
        means: dict[tuple[str, str], list[float]] = {}
        for before, now in pairwise(self._readings):
            for name, value, unit in self._values(before, now):
                means.setdefault((name, unit), []).append(value)
        for (name, unit), values in means.items():
            target.count(name, 0, round(sum(values) / len(values), 1), unit, ALL_PROGRAMS)

    def _values(self, before: _Reading, now: _Reading) -> Iterator[tuple[str, float, str]]:
        """Yield name, value and unit of each gauge and core between two readings."""
        seconds = (now[0] - before[0]) / 1e9
        for place, gauge in enumerate(self._gauges):
            value = now[1][place]
            if gauge.per_second:
                more = value - before[1][place]
                more = more if more >= 0 else more + gauge.wraps
                value = more / seconds / gauge.per_second
            yield gauge.name, value, gauge.unit
        shares = [
            100.0 * min(1.0, max(0.0, later - earlier) / seconds)
            for later, earlier in zip(now[2], before[2], strict=False)
        ]
        for name, share in _named(shares):
            yield name, share, "percent"

    def _watch(self) -> None:
        every = EVERY_SECONDS
        while not self._ended.wait(every):
            self._read()
            if len(self._readings) > _MOST_READINGS:  # a program that runs for hours
                del self._readings[1::2]
                every *= 2

    def _read(self) -> None:
        values = [gauge.read() for gauge in self._gauges]
        self._readings.append((perf_counter_ns(), values, _busy_seconds()))


def _named(shares: list[float]) -> Iterator[tuple[str, float]]:
    if len(shares) > _MOST_CORES:
        yield _ALL_CORES, sum(shares)
        yield _BUSIEST, max(shares)
        return
    for core, share in enumerate(shares):
        yield _CORE.format(core), share


def _busy_seconds() -> list[float]:
    """Return how long each core has worked so far."""
    return [
        sum(
            spent
            for kind, spent in core._asdict().items()
            if kind not in _IDLE and kind not in _COUNTED_TWICE
        )
        for core in psutil.cpu_times(percpu=True)
    ]


def _gauges(system: Path) -> Iterator[Gauge]:
    """Yield what the machine has; the second of a name, such as of two GPUs, has a number."""
    seen = Counter[str]()
    for gauge in (*_power(system), *_devices(system), *_nvidia()):
        number = seen[gauge.name]
        seen[gauge.name] += 1
        yield gauge._replace(name=f"{gauge.name} {number}") if number else gauge


def _power(system: Path) -> Iterator[Gauge]:
    for each in open_counters(system).found:
        scale = 0.0 if each.is_power else 1.0
        yield Gauge(f"{each.name} power", "watts", each.read, scale, each.wraps)


def _devices(system: Path) -> Iterator[Gauge]:
    for pattern, name, unit, per_second in _FILES:
        for place in sorted(system.glob(pattern)):
            with suppress(OSError):
                read = number_at(place)
                yield Gauge(name.format(device=_device(place)), unit, read, per_second)


def _nvidia() -> Iterator[Gauge]:
    for library, handle in nvidia_devices():
        with suppress(Exception):  # the package's own class; a card may lack either
            yield Gauge("GPU load", "percent", _nvidia_load(library, handle))
            yield Gauge("GPU memory in use", "bytes", _nvidia_memory(library, handle))


def _device(place: Path) -> str:
    """Return what a device that scales its clock is, by the end of its folder's name."""
    found = re.search(r"(gpu|npu|dsp)", place.parent.name)
    return found[1].upper() if found else place.parent.name


def _nvidia_load(library: Any, handle: Any) -> Callable[[], float]:
    library.nvmlDeviceGetUtilizationRates(handle)  # raises where it tells none
    return lambda: float(library.nvmlDeviceGetUtilizationRates(handle).gpu)


def _nvidia_memory(library: Any, handle: Any) -> Callable[[], float]:
    return lambda: float(library.nvmlDeviceGetMemoryInfo(handle).used)
