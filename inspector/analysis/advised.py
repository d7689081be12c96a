"""One finding of advice, and the words that several rules use."""

from collections.abc import Iterable

from inspector import units
from inspector.advised import Advice as Advice
from inspector.report import LayerUse, PerformanceReport

MOST_EVIDENCE = 1000
AGAIN = "`inspector measure MODEL --baseline REPORT`"


def longest_first(layers: Iterable[LayerUse]) -> tuple[int, ...]:
    """Indices of layers, at most MOST_EVIDENCE."""
    found = sorted(layers, key=lambda layer: -(layer.time_ns or 0))
    return tuple(layer.index for layer in found[:MOST_EVIDENCE])


def time_of(layers: Iterable[LayerUse]) -> int:
    """Their own time in a prediction, in nanoseconds."""
    return sum(layer.time_ns or 0 for layer in layers)


def sure(layers: Iterable[LayerUse]) -> list[LayerUse]:
    """Return the layers that are not noisy: no finding is drawn from the others."""
    return [layer for layer in layers if not layer.noisy]


def share_of(report: PerformanceReport, time_ns: int) -> float:
    """Share of the kernels' time, 0 to 1."""
    return min(1.0, time_ns / report.kernel_ns) if report.kernel_ns else 0.0


def of_kernels(report: PerformanceReport, time_ns: int) -> str:
    """A time and its share in words: '41.0 µs, 2.4 % of the kernels' time'."""
    share = units.share(time_ns, report.kernel_ns)
    return f"{units.duration(time_ns)}, {share} of the kernels' time"
