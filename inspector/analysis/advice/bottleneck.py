"""What limits a run: where its time goes, and how near that comes to what the device can do.

Every report has an answer, if only why there is none. Suggestions (`rules`) are about what to
change; a model for which there is none still has something that limits it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from inspector import units
from inspector.analysis.advice.advice_helpers import (
    longest_first,
    share_of,
    time_of,
    timed_one_at_a_time,
)
from inspector.analysis.measured.layer_sum import (
    layer_sum,
    submission_text,
    too_short,
    unranked,
    why_unranked,
)
from inspector.analysis.measured.roofline_points import CACHE, COMPUTE, MEMORY, points
from inspector.report.report import LayerUse, PerformanceReport

_FEW_LAYERS = 3  # that a sentence counts by themselves, if they take _MOST_TIME
_MOST_TIME = 0.8  # of kernel time
# From this share of the latency, what happens outside of kernels is named (a judgment).
_MIN_OUTSIDE = 0.2
_KNOWN_TIME = 0.8  # of the layers' time with a known peak: an average of less would mislead
_LIMITS = {
    COMPUTE: "of its compute peak",
    MEMORY: "of its memory bandwidth",
    CACHE: "of its compute peak, with data from caches",
}


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What limits a run.

    operator: type of the layers that take most of the kernel time; "" where no order can be
        given, or where several types do.
    layers: indices of these layers, the slowest first.
    share: their share of kernel time, 0 to 1.
    device: id of the device that they ran on; "" for several.
    peak_share: share of the device's peak that they reach, weighted by time; None where no
        roofline was measured.
    bound: what they reach first, "compute", "memory" or "cache"; "" where that is unknown.
    outside_share: share of the latency outside of kernels; None where that is unknown.
    outside: what that is, as text; "" where it is little.
    unknown: why no layers can be named; "" where some are.
    again: whether another measurement, while the CPU is less busy, may name them.
    """

    operator: str = ""
    layers: tuple[int, ...] = ()
    share: float = 0.0
    device: str = ""
    peak_share: float | None = None
    bound: str = ""
    outside_share: float | None = None
    outside: str = ""
    unknown: str = ""
    again: bool = False

    @property
    def sentence(self) -> str:
        """Return what limits the run as a sentence."""
        outside = ""
        if self.outside and self.outside_share is not None:
            outside = f"{100 * self.outside_share:.0f}% of the latency is {self.outside}"
        if self.unknown:
            return f"{outside}. {self.unknown}" if outside else self.unknown
        kind = f"{units.clip(self.operator, 40)} layer" if self.operator else "layer"
        text = f"{100 * self.share:.0f}% of kernel time is in "
        text += units.plural(len(self.layers), kind)
        if self.peak_share is not None:
            name = f"the {units.device(self.device)}" if self.device else "the device"
            reach = "reaches" if len(self.layers) == 1 else "reach"
            limit = _LIMITS[self.bound].replace("of its", f"of {name}'s")
            text += f", which {reach} {100 * self.peak_share:.0f}% {limit}"
        return f"{outside}; {text}." if outside else f"{text}."


def bottleneck(report: PerformanceReport) -> Bottleneck:
    """Return what limits a run, as far as the report tells."""
    outside_share, outside = _outside(report)
    if unknown := _unknown(report):
        return Bottleneck(
            outside_share=outside_share,
            outside=outside,
            unknown=unknown,
            again=bool(unranked(report)) and not too_short(report),
        )
    group = _most_time(report)
    operators = {layer.operator for layer in group}
    devices = {layer.ran_on for layer in group}
    peak_share, bound = _reached(report, group)
    return Bottleneck(
        operators.pop() if len(operators) == 1 else "",
        longest_first(group),
        share_of(report, time_of(group)),
        (devices.pop() or "") if len(devices) == 1 else "",
        peak_share,
        bound,
        outside_share,
        outside,
    )


def _unknown(report: PerformanceReport) -> str:
    """Return why no layers can be named."""
    if not report.kernel_ns:
        reason = submission_text(report)
        return f"{reason}." if reason else "Layer times were not measured."
    if timed_one_at_a_time(report):
        return "Layers were timed one at a time, so their times do not add up to a run."
    if too_short(report):
        timed = [layer for layer in report.layers if layer.time_ns]
        return (
            f"The layers take {units.duration(time_of(timed) // len(timed))} on average, too "
            "short for the profiler to rank them: it measures in whole microseconds."
        )
    reason = why_unranked(report)
    return f"Which layers limit it is uncertain: {reason}" if reason else ""


def _most_time(report: PerformanceReport) -> list[LayerUse]:
    """Return the few layers with most of the time, else all of the operator type with most."""
    timed = sorted(
        (layer for layer in report.layers if layer.time_ns), key=lambda x: -(x.time_ns or 0)
    )
    for count in range(1, _FEW_LAYERS + 1):
        if share_of(report, time_of(timed[:count])) >= _MOST_TIME:
            return timed[:count]
    by_operator = defaultdict[str, list[LayerUse]](list)
    for layer in timed:
        by_operator[layer.operator].append(layer)
    return max(by_operator.values(), key=time_of, default=[])


def _reached(report: PerformanceReport, group: Sequence[LayerUse]) -> tuple[float | None, str]:
    """Return the share of the peak that layers reach, and the limit with most of their time."""
    indices = {layer.index for layer in group}
    own = [point for point in points(report) if point.layer.index in indices]
    own_ns = sum(point.time_ns for point in own)
    if not own_ns or own_ns < _KNOWN_TIME * time_of(group):
        return None, ""
    by_bound = defaultdict[str, int](int)
    for point in own:
        by_bound[point.bound] += point.time_ns
    bound = max(by_bound, key=lambda name: by_bound[name])
    same = [point for point in own if point.bound == bound]
    reached = sum(point.share * point.time_ns for point in same) / by_bound[bound]
    return reached, bound


def _outside(report: PerformanceReport) -> tuple[float | None, str]:
    """Return the share of the latency outside of kernels, and its largest part as text."""
    parts = layer_sum(report)
    if parts is None:
        return None, ""
    runtime = report.environment.runtime_name
    outside = {
        f"{runtime}'s own work between layers": parts.between_ns,
        "waiting for a CPU core that other programs use": parts.waiting_ns,
        "lost to other programs or throttling": parts.slowed_ns,
    }
    share = sum(outside.values()) / parts.latency_ns
    name = max(outside, key=lambda text: outside[text])
    largest = outside[name] / parts.latency_ns
    return (largest, name) if largest >= _MIN_OUTSIDE else (min(1.0, share), "")
