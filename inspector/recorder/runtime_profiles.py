"""The runtime's own profiles of recorded sessions, brought onto perf_counter's clock.

Format: a JSON array of events with `cat` "Node", `ts` and `dur` in microseconds from the
profile's beginning. Which clock that beginning is on differs between systems.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.trace.trace import TracedLayer

COPIES = ("MemcpyFromHost", "MemcpyToHost")
_SLACK_NS = 1_000_000_000
_LARGEST = 600 << 20
_FAMILIES = {"CPU": "cpu", "QNN": "npu", "CoreML": "npu", "VitisAI": "npu"}


@dataclass(frozen=True, slots=True)
class Kernel:
    """One executed node; start on perf_counter's clock, in nanoseconds.

    thread: the system's number of the thread that it ran on.
    """

    name: str
    operator: str
    device: str
    unit: str
    family: str
    start_ns: int
    duration_ns: int
    thread: int


class Layers:
    """Numbers for the nodes of all models, given as they come."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str, str], int] = {}

    def number(self, model: str, name: str, operator: str) -> int:
        """The number of a node of a model."""
        return self._numbers.setdefault((model, name, operator), len(self._numbers))

    def all(self) -> tuple[TracedLayer, ...]:
        """What the numbers stand for."""
        return tuple(
            TracedLayer(number, name, operator)
            for (_, name, operator), number in self._numbers.items()
        )


def read(folder: Path, fact: dict[str, Any]) -> tuple[Kernel, ...]:
    """The nodes of one session; nothing when the program died before it was written."""
    zero = _zero(fact["zero"], fact["begun"])
    for path in sorted(folder.glob(f"{Path(fact['profile']).name}_*.json")):
        if 0 < path.stat().st_size < _LARGEST:
            try:
                events = json.loads(path.read_text("utf-8", errors="replace"))
            except (ValueError, RecursionError):  # cut off by the end of the program
                return ()
            if not isinstance(events, list):
                return ()
            return tuple(_kernel(one, zero) for one in events if _is_kernel(one))
    return ()


def _zero(start_ns: int, begun: list[int]) -> int:
    """When on perf_counter's clock a profile began; `begun` is just before, on three clocks."""
    perf, *clocks = begun
    for clock in clocks:
        if clock - _SLACK_NS <= start_ns <= clock + 600 * _SLACK_NS:
            return start_ns - clock + perf
    return perf


def _is_kernel(event: Any) -> bool:
    return (
        isinstance(event, dict)
        and event.get("cat") == "Node"
        and str(event.get("name")).endswith("_kernel_time")
        and all(isinstance(event.get(key), int | float) for key in ("ts", "dur"))
        and isinstance(event.get("args", {}), dict)
    )


def _kernel(event: dict[str, Any], zero: int) -> Kernel:
    told = event.get("args", {})
    provider = str(told.get("provider", "")).removesuffix("ExecutionProvider") or "CPU"
    return Kernel(
        str(event["name"]).removesuffix("_kernel_time"),
        str(told.get("op_name", "")),
        provider,
        provider.lower(),
        _FAMILIES.get(provider, "gpu"),
        zero + int(event["ts"]) * 1000,
        int(event["dur"]) * 1000,
        int(event.get("tid", 0)),
    )
