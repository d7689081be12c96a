"""The sum of layer times compared with the latency, and whether layers can be ranked.

Also sentences on how layer times were taken on devices that work asynchronously.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from inspector import units
from inspector.analysis.measured.latency import ALL_PREDICTIONS, AT_FULL_SPEED
from inspector.analysis.measured.noise import doubts
from inspector.report.layer_timing import SIGNIFICANT_SHARE, UNRANKED_HALF_WIDTH
from inspector.report.report import (
    ON_DEVICE,
    SUBMISSION,
    SYNCHRONIZED,
    SYNCHRONIZED_RUNS,
    InsertedNode,
    LayerUse,
    PerformanceReport,
)


def submission_text(report: PerformanceReport) -> str:
    """Return a sentence on devices whose layers have no times; empty where all have."""
    names = _used(report, SUBMISSION)
    if not names:
        return ""
    return (
        f"On {' and '.join(names)}, layer times are not available: only submission to the "
        "device was timed"
    )


def timing_text(report: PerformanceReport) -> str:
    """Return what the times of layers are where they are no plain ones; else empty."""
    if SYNCHRONIZED in report.layer_timing.values():
        return (
            "Synchronized mode: each layer ran alone, timed from submission until its outputs "
            "were back. The sum is longer than a normal run"
        )
    own = _used(report, ON_DEVICE)
    parts = [f"On {' and '.join(own)}, layers are timed with the clock of the device"] * bool(
        own
    )
    return ". ".join(filter(None, (*parts, submission_text(report))))


def caution_text(report: PerformanceReport) -> str:
    """Return what must be known before times of layers are read; else empty."""
    own = SYNCHRONIZED in report.layer_timing.values()
    return timing_text(report) if own else submission_text(report)


def is_untimed(report: PerformanceReport, device: str) -> bool:
    """Return whether layers on a device have no times, since it works on its own."""
    return report.layer_timing.get(device) == SUBMISSION


def share_text(report: PerformanceReport, device: str) -> str:
    """Return the share of the time of all kernels that a device's layers take, or why not."""
    if is_untimed(report, device):
        return "not timed"
    times_ns = (layer.time_ns or 0 for layer in report.layers if layer.ran_on == device)
    return units.share(sum(times_ns), report.kernel_ns)


def handed_over(entry: LayerUse | InsertedNode) -> str:
    """Return how long handing over took where that is all that is known; else empty."""
    if entry.submitted_ns is None or entry.time_ns:
        return ""
    took = units.duration(entry.submitted_ns)
    waited = isinstance(entry, InsertedNode) and entry.kind == "wait"
    return f"waited {took}" if waited else f"submitted in {took}"


def _used(report: PerformanceReport, timing: str) -> list[str]:
    used = {layer.ran_on for layer in report.layers}
    return [
        units.device(device)
        for device, device_timing in report.layer_timing.items()
        if device_timing == timing and device in used
    ]


RECONCILED = 0.10  # of the latency; a larger unexplained part is reported (a judgment)
# With fewer ticks of the profiler's clock per average layer, rounding is a third of a time.
_MIN_TICKS = 3
_MIN_PART = 0.005  # smaller parts of the latency are left out of the line
_UNRANKED_SHARE = 0.2  # of layer time in layers with wide intervals: no order is given


@dataclass(frozen=True, slots=True)
class LayerSum:
    """The parts of one run in nanoseconds; the parts and `rest_ns` add up to the latency.

    latency_ns: the median of the report. between_ns: ONNX Runtime between and around kernels.
    waiting_ns: time in which the calling thread had no CPU core; 0 where not measured.
    slowed_ns: at most how much longer the median run took than fast runs, of which layer times
    are; 0 where not measured.
    rest_ns: the unexplained part; negative where the parts add up to more than the latency.
    """

    latency_ns: int
    layers_ns: int
    inserted_ns: int
    between_ns: int
    waiting_ns: int
    slowed_ns: int = 0

    @property
    def parts_ns(self) -> int:
        """Time of layers, inserted nodes and what ONNX Runtime does between them."""
        return self.layers_ns + self.inserted_ns + self.between_ns

    @property
    def rest_ns(self) -> int:
        """The part of the latency that is not explained."""
        return self.latency_ns - self.parts_ns - self.waiting_ns - self.slowed_ns

    @property
    def reconciled(self) -> bool:
        """Whether layer times explain the latency up to the share RECONCILED."""
        return abs(self.rest_ns) <= RECONCILED * self.latency_ns


def layer_sum(report: PerformanceReport) -> LayerSum | None:
    """Return the parts of the latency; None where the report has no data for it.

    Reports of earlier versions and reports without profiled runs have none. Neither have
    asynchronous devices, whose kernels overlap.
    """
    profiling, latency = report.profiling, report.median_ns
    used = {layer.ran_on for layer in report.layers}
    waits = any(device.asynchronous and device.id in used for device in report.devices)
    if not profiling.prediction_ns or not latency or not report.kernel_ns or waits:
        return None
    inserted = sum(node.time_ns for node in report.inserted)
    layers = report.kernel_ns - inserted
    waiting = profiling.waiting_ns or 0
    parts = LayerSum(latency, layers, inserted, profiling.between_ns, waiting)
    return replace(parts, slowed_ns=min(max(0, parts.rest_ns), _slowed_ns(report, waiting)))


def conversion_times(report: PerformanceReport) -> dict[int, int]:
    """Return the time of conversions of layout and type that the runtime added, by layer.

    A conversion belongs to the layer whose output it converts; that of an input of the model
    to the layer that reads it. Those beside no layer are left out.
    """
    times: dict[int, int] = {}
    for node in report.inserted:
        layer = node.before if node.after is None else node.after
        if node.kind in ("layout", "cast") and layer is not None:
            times[layer] = times.get(layer, 0) + node.time_ns
    return times


def _slowed_ns(report: PerformanceReport, waiting_ns: int) -> int:
    """Return how much longer the median run took than fast runs.

    Those are the low quantile of the runs that the latency is the median of, or of the runs
    in the profiled sessions without the profiler, which layer times are related to: the faster
    of both. And kernels of one run took longer together than each by itself, where each run was
    held up at other kernels. 0 where nothing says that the CPU was busy. waiting_ns: the part
    of it in which the calling thread had no CPU core.
    """
    unprofiled_ns = report.profiling.unprofiled_ns
    reasons = [doubt for doubt in doubts(report) if doubt.busy]
    busy = report.profiling.at_full_speed is False or reasons
    if not unprofiled_ns or not busy:
        return 0
    low = report.profiling.low_quantile if report.profiling.at_full_speed is False else 0.25
    short = float(np.quantile(report.full_speed_predictions.samples_ns, low))
    slower = max(0, round(report.median_ns - min(short, unprofiled_ns)) - waiting_ns)
    held_up = max(0, report.profiling.together_ns - report.kernel_ns)
    return slower + held_up


def shares_only(report: PerformanceReport) -> bool:
    """Return whether layer times are valid as shares only, not as absolute times."""
    parts_sum = layer_sum(report)
    over = parts_sum is not None and parts_sum.rest_ns < -RECONCILED * parts_sum.latency_ns
    return over or (bool(report.kernel_ns) and report.profiling.shares_only(report.kernel_ns))


def sum_sentence(report: PerformanceReport) -> str:
    """Return the line that compares layer times with the latency; "" without data.

    Where layer times are those of the fastest runs, their sum is given as such, and the median
    beside it.
    """
    parts_sum = layer_sum(report)
    if parts_sum is None:
        return ""
    parts = (
        ("layers", parts_sum.layers_ns),
        ("added by the runtime", parts_sum.inserted_ns),
        ("between layers", parts_sum.between_ns),
        ("waiting for a CPU core", parts_sum.waiting_ns),
    )
    least = _MIN_PART * parts_sum.latency_ns
    named = " + ".join(f"{name} {units.duration(ns)}" for name, ns in parts if ns > least)
    median = f"median {AT_FULL_SPEED if is_at_full_speed(report) else f'of {ALL_PREDICTIONS}'}"
    if parts_sum.slowed_ns > least:
        return _fast_runs_sentence(report, parts_sum, named, median, least)
    latency = f"latency {units.duration(parts_sum.latency_ns)} ({median})"
    rest = abs(parts_sum.rest_ns)
    if parts_sum.reconciled and parts_sum.rest_ns > least:
        return f"{named} + unexplained {units.duration(rest)} = {latency}"
    if parts_sum.reconciled:
        off = 100 * rest / parts_sum.latency_ns
        return f"{named} = {latency}, within {max(1, round(off))}%"
    more = "less" if parts_sum.rest_ns > 0 else "more"
    share = units.share(rest, parts_sum.latency_ns)
    return f"{named} is {units.duration(rest)} ({share}) {more} than the {latency}"


def is_at_full_speed(report: PerformanceReport) -> bool:
    """Return whether the median of a report is of runs at full CPU speed, not of all runs."""
    return report.full_speed_predictions.at_full_speed


def _fast_runs_sentence(
    report: PerformanceReport, parts_sum: LayerSum, named: str, median: str, least: float
) -> str:
    """Return the line for layer times of fast runs, which are no parts of a median run."""
    fast = units.duration(parts_sum.latency_ns - parts_sum.slowed_ns - parts_sum.rest_ns)
    why = "" if is_at_full_speed(report) else ", because the CPU was busy"
    rest = parts_sum.rest_ns
    unexplained = f", plus {units.duration(rest)} unexplained" if rest > least else ""
    return (
        f"fast runs: {named} = {fast}; latency {units.duration(parts_sum.latency_ns)} "
        f"({median}): {units.duration(parts_sum.slowed_ns)} more{why}{unexplained}"
    )


def cautions(report: PerformanceReport, by_time: bool = False) -> tuple[str, ...]:
    """Return the limitations of the layer times, one sentence each.

    by_time: whether layers are listed by time even where that order is uncertain.
    """
    return tuple(sentence for _, sentence in _cautions(report, by_time))


def cautions_in_short(report: PerformanceReport) -> str:
    """Return the limitations of the layer times in one short sentence; "" for none."""
    reasons = [short for short, _ in _cautions(report, by_time=True)]
    return f"Layer times are approximate: {', '.join(reasons)}." if reasons else ""


def _cautions(report: PerformanceReport, by_time: bool) -> Iterator[tuple[str, str]]:
    """Yield each limitation in a few words, and as a sentence."""
    profiling = report.profiling
    if caution := caution_text(report):
        alone = SYNCHRONIZED in report.layer_timing.values()
        short = "layers ran one at a time" if alone else "some devices have no layer times"
        yield short, f"{caution}."
    if shares_only(report):
        cost = units.duration(profiling.profiler_ns)
        yield (
            "shares only",
            f"Use the layer times as shares only, not as absolute times: profiling adds {cost} "
            f"per run and measures in whole microseconds, while all layers together take "
            f"{units.duration(report.kernel_ns)}.",
        )
    if profiling.at_full_speed is False and report.spec.threads != 1 and report.spec.only_cpu:
        yield (
            "the CPU was busy or throttled",
            "The CPU was busy or throttled: layers that use several threads may take up to "
            "twice as long as on an idle machine, so shares differ as well.",
        )
    if reason := why_unranked(report):
        head = "The order by time is uncertain" if by_time else _IN_MODEL_ORDER
        yield "the order is uncertain", f"{head}: {reason}"


def selection_text(report: PerformanceReport) -> str:
    """Return which runs the layer times are taken from, as text."""
    alone = _used(report, SYNCHRONIZED)
    if alone:
        text = f"Median of {SYNCHRONIZED_RUNS} runs of each layer alone"
        every = {layer.ran_on for layer in report.layers if layer.time_ns}
        if all(report.layer_timing.get(device or "") == SYNCHRONIZED for device in every):
            return text
        profiled = _profiled_text(report)
        others = f"{profiled[0].lower()}{profiled[1:]}"
        return f"{text} on {' and '.join(alone)}; elsewhere {others}"
    return _profiled_text(report)


def _profiled_text(report: PerformanceReport) -> str:
    """Return which profiled runs the layer times are taken from, as text."""
    profiling = report.profiling
    runs = units.plural(report.profiled_runs, "profiled run")
    if not profiling.runs:
        return f"Mean of the middle half of {runs}"
    if profiling.at_full_speed is False:
        some = f"{len(profiling.used)} of " if len(profiling.used) < profiling.runs else ""
        low = (
            "Lower quartile"
            if profiling.low_quantile == 0.25
            else f"{round(100 * profiling.low_quantile)}th percentile"
        )
        return f"{low} of {some}{runs}, because the CPU was busy or throttled"
    if profiling.means:
        return f"Mean of {runs}"
    if len(profiling.used) == profiling.runs:
        return f"Median of {runs}"
    return f"Median of the {len(profiling.used)} of {runs} at full CPU speed"


def interval_label(entry: LayerUse | InsertedNode, clock_ns: int = 0) -> str:
    """Return the 95% confidence interval of a layer's median as text; "" where unknown.

    clock_ns: step of the clock of the profiler, see `Profiling.clock_ns`.
    """
    spread = entry.spread
    if spread is None or spread.low_ns is None or spread.high_ns is None:
        return ""
    if spread.high_ns < clock_ns:
        step = units.whole_duration(clock_ns)
        text = f"Too short to time: the profiler counts in steps of {step}"
    elif spread.low_ns < clock_ns:
        text = f"95% CI: up to {units.duration(spread.high_ns)}"
    else:
        text = f"95% CI: {units.durations(spread.low_ns, spread.high_ns)}"
    if spread.session_low_ns is not None and spread.session_high_ns is not None:
        between = units.durations(spread.session_low_ns, spread.session_high_ns)
        text += f". Varies between sessions ({between}), so no suggestion uses it"
    elif spread.noisy:
        slow = f"{spread.slow_runs} of {units.plural(spread.runs, 'run')}"
        text += f". Noisy: {slow} took over 3 times the median, so no suggestion uses it"
    return text


def most_important(report: PerformanceReport, count: int) -> tuple[LayerUse, ...]:
    """Return the `count` slowest layers, the slowest first.

    Where layers cannot be ranked, these are the first timed ones in model order.
    """
    if unranked(report):
        return tuple(layer for layer in report.layers if layer.time_ns)[:count]
    return tuple(sorted(report.layers, key=lambda layer: -(layer.time_ns or 0))[:count])


_IN_MODEL_ORDER = "Layers are listed in model order, not by time"


def unranked(report: PerformanceReport) -> str:
    """Return that layers are in model order, and why; "" where they can be ranked by time."""
    reason = why_unranked(report)
    return f"{_IN_MODEL_ORDER}: {reason}" if reason else ""


def too_short(report: PerformanceReport) -> bool:
    """Return whether layers are too short on average for the clock of the profiler."""
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    return 0 < whole < _MIN_TICKS * report.profiling.clock_ns * timed


def why_unranked(report: PerformanceReport) -> str:
    """Return why layers cannot be ranked by time; "" where they can."""
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    if too_short(report):
        return (
            f"they take {units.duration(whole // timed)} on average, and the profiler measures "
            "in whole microseconds."
        )
    uncertain = [
        layer
        for layer in report.layers
        if layer.time_ns
        and layer.spread is not None
        and layer.time_ns > SIGNIFICANT_SHARE * whole
        and (layer.spread.half_width(layer.time_ns) or 0.0) > UNRANKED_HALF_WIDTH
    ]
    time = sum(layer.time_ns or 0 for layer in uncertain)
    if not whole or time <= _UNRANKED_SHARE * whole:
        return ""
    return (
        f"the times of {units.plural(len(uncertain), 'layer')} with "
        f"{units.share(time, whole)} of layer time are uncertain by more than "
        f"\u00b1{100 * UNRANKED_HALF_WIDTH:.0f}%. Measure again when the CPU is less busy."
    )
