"""The layers of a report added up by operator type: count, time, share and device support."""

from collections import defaultdict

from msgspec import Struct

from inspector import units
from inspector.analysis.devices.support_summary import SUPPORTED_MARKS
from inspector.report.report import LayerUse, PerformanceReport


class OperatorType(Struct, frozen=True):
    """All layers of one operator type.

    timed_layers: those with their own time; that of the others is counted in another layer, or
    they did not run. time_ns: sum of the times of these layers; None where none is timed.
    share: of kernel time, 0 to 1. supported_layers: by device id, how many layers the device
    ran or supports; devices that no layer of the type was checked on are missing. clock_ns:
    step of the clock that counted the times.
    """

    operator: str
    layers: int
    timed_layers: int
    time_ns: int | None
    share: float
    supported_layers: dict[str, int]
    clock_ns: int = 0

    @property
    def time_text(self) -> str:
        """Return the time as text, or that there is none."""
        return (
            "not timed separately"
            if self.time_ns is None
            else units.duration(self.time_ns, self.clock_ns)
        )

    def support_text(self, device: str) -> str:
        """Return how many layers a device supports, such as "all" or "3 of 5"."""
        count = self.supported_layers.get(device)
        if count is None:
            return "not checked"
        if count in (0, self.layers):
            return "all" if count else "none"
        return f"{count:,} of {self.layers:,}"


def operator_types(report: PerformanceReport) -> tuple[OperatorType, ...]:
    """Return the operator types of a report, those with most time first."""
    groups = defaultdict[str, list[LayerUse]](list)
    for layer in report.layers:
        groups[layer.operator].append(layer)
    types = [_added_up(name, layers, report) for name, layers in groups.items()]
    return tuple(sorted(types, key=lambda one: (-(one.time_ns or 0), -one.layers)))


def _added_up(operator: str, layers: list[LayerUse], report: PerformanceReport) -> OperatorType:
    times = [layer.time_ns for layer in layers if layer.time_ns is not None]
    supported = {
        device.id: sum(
            (support := layer.devices.get(device.id)) is not None
            and support.mark in SUPPORTED_MARKS
            for layer in layers
        )
        for device in report.requested_devices
        if any(device.id in layer.devices for layer in layers)
    }
    total = sum(times)
    return OperatorType(
        operator,
        len(layers),
        len(times),
        total if times else None,
        min(1.0, total / report.kernel_ns) if report.kernel_ns else 0.0,
        supported,
        report.profiling.clock_ns,
    )
