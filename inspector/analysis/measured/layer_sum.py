"""The sum of layer times compared with the latency, and whether layers can be ranked.

Also sentences on how layer times were taken on devices that work asynchronously.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector import units
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
from inspector.wording.values import (
    Count,
    Duration,
    DurationRange,
    Joined,
    Sentence,
    Share,
    Value,
)

RECONCILED = 0.10  # of the latency; a larger unexplained part is reported (a judgment)
# With fewer ticks of the profiler's clock per average layer, rounding is a third of a time.
_MIN_TICKS = 3
_MIN_PART = 0.001  # smaller parts of the latency are left out of the line
_UNCERTAIN_ORDER = "The order by time is uncertain: {reason}"
_UNRANKED_SHARE = 0.2  # of layer time in layers with wide intervals: no order is given
_PARTS = ("layers {time}", "added by the runtime {time}", "between layers {time}")
_LOST = "other programs or throttling {time}"
_SLOWER = "slower than fast runs {time}"  # at full CPU speed, the cause is not known
_SLOWED = {  # (at the lower quartile, of some of the profiled runs)
    (True, True): "Lower quartile of {some} of {runs}, because the CPU was busy or throttled.",
    (True, False): "Lower quartile of {runs}, because the CPU was busy or throttled.",
    (False, True): "{percent}th percentile of {some} of {runs}, because the CPU was busy or "
    "throttled.",
    (False, False): "{percent}th percentile of {runs}, because the CPU was busy or throttled.",
}


def submission_text(report: PerformanceReport) -> Sentence | None:
    """Return a sentence on devices whose layers have no times; None where all have."""
    names = _used(report, SUBMISSION)
    if names is None:
        return None
    return Sentence(
        "On {devices}, layer times are not available: only submission to the device was timed.",
        names,
    )


def timing_text(report: PerformanceReport) -> Value:
    """Return what the times of layers are where they are no plain ones; else empty."""
    if SYNCHRONIZED in report.layer_timing.values():
        return (
            "Synchronized mode: each layer ran alone, timed from submission until its outputs "
            "were back. The sum is longer than a normal run."
        )
    own, submitted = _used(report, ON_DEVICE), submission_text(report)
    timed = Sentence("On {devices}, layers are timed with the clock of the device.", own or "")
    return Joined(tuple(filter(None, (timed if own else None, submitted))), " ")


def caution_text(report: PerformanceReport) -> Value:
    """Return what must be known before times of layers are read; else empty."""
    own = SYNCHRONIZED in report.layer_timing.values()
    return timing_text(report) if own else submission_text(report) or ""


def is_untimed(report: PerformanceReport, device: str) -> bool:
    """Return whether layers on a device have no times, since it works on its own."""
    return report.layer_timing.get(device) == SUBMISSION


def share_text(report: PerformanceReport, device: str) -> Value:
    """Return the share of the time of all kernels that a device's layers take, or why not."""
    if is_untimed(report, device):
        return "not timed"
    times_ns = (layer.time_ns or 0 for layer in report.layers if layer.ran_on == device)
    return Share(sum(times_ns), report.kernel_ns)


def handed_over(entry: LayerUse | InsertedNode) -> Sentence | None:
    """Return how long handing over took where that is all that is known; else None."""
    if entry.submitted_ns is None or entry.time_ns:
        return None
    waited = isinstance(entry, InsertedNode) and entry.kind == "wait"
    template = "waited {time}" if waited else "submitted in {time}"
    return Sentence(template, time=Duration(entry.submitted_ns))


def _used(report: PerformanceReport, timing: str) -> Joined | None:
    """Return the devices with layers that are timed in a way, None for none."""
    used = {layer.ran_on for layer in report.layers}
    names = tuple(
        units.device(device)
        for device, device_timing in report.layer_timing.items()
        if device_timing == timing and device in used
    )
    return Joined(names, " and ") if names else None


class LayerSum(Struct, frozen=True):
    """The parts of one run in nanoseconds; the parts and `rest_ns` add up to the latency.

    latency_ns: the median of the report. between_ns: ONNX Runtime between and around kernels.
    slowed_ns: how much longer the median run took than fast runs, of which layer times are,
    waits for a CPU core included; 0 where not measured.
    rest_ns: the unexplained part; negative where the parts add up to more than the latency.
    """

    latency_ns: int
    layers_ns: int
    inserted_ns: int
    between_ns: int
    slowed_ns: int = 0

    @property
    def rest_ns(self) -> int:
        """The part of the latency that is not explained."""
        parts_ns = self.layers_ns + self.inserted_ns + self.between_ns
        return self.latency_ns - parts_ns - self.slowed_ns

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
    parts = LayerSum(latency, report.kernel_ns - inserted, inserted, profiling.between_ns)
    return replace(parts, slowed_ns=min(max(0, parts.rest_ns), _slowed_ns(report)))


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


def _slowed_ns(report: PerformanceReport) -> int:
    """Return how much longer the median run took than fast runs.

    Those are the low quantile of the runs that the latency is the median of, or of the runs
    in the profiled sessions without the profiler, which layer times are related to: the faster
    of both. And kernels of one run took longer together than each by itself, where each run was
    held up at other kernels. At least the time in which the calling thread had no CPU core;
    only that where nothing says that the CPU was busy.
    """
    profiling = report.profiling
    waiting_ns = profiling.waiting_ns or 0
    reasons = [doubt for doubt in doubts(report) if doubt.busy]
    busy = profiling.at_full_speed is False or reasons
    if not profiling.unprofiled_ns or not busy:
        return waiting_ns
    low = profiling.low_quantile if profiling.at_full_speed is False else 0.25
    short = float(np.quantile(report.full_speed_predictions.samples_ns, low))
    slower = max(0, round(report.median_ns - min(short, profiling.unprofiled_ns)))
    held_up = max(0, profiling.together_ns - report.kernel_ns)
    return max(waiting_ns, slower + held_up)


def shares_only(report: PerformanceReport) -> bool:
    """Return whether layer times are valid as shares only, not as absolute times."""
    parts_sum = layer_sum(report)
    over = parts_sum is not None and parts_sum.rest_ns < -RECONCILED * parts_sum.latency_ns
    return over or (bool(report.kernel_ns) and report.profiling.shares_only(report.kernel_ns))


def sum_sentence(report: PerformanceReport) -> Sentence | None:
    """Return the line that adds the parts of a run up to the latency; None without data."""
    parts_sum = layer_sum(report)
    if parts_sum is None:
        return None
    least, rest = _MIN_PART * parts_sum.latency_ns, parts_sum.rest_ns
    at_full = is_at_full_speed(report)
    times = (parts_sum.layers_ns, parts_sum.inserted_ns, parts_sum.between_ns,
             parts_sum.slowed_ns, rest)  # fmt: skip
    templates = (*_PARTS, _SLOWER if at_full else _LOST, "unexplained {time}")
    named = tuple(
        Sentence(template, time=Duration(ns))
        for template, ns in zip(templates, times, strict=True)
        if ns > least
    )
    values: dict[str, Value] = {
        "parts": Joined(named, " + "),
        "latency": Duration(parts_sum.latency_ns),
        "kind": "median at full CPU speed" if at_full else "median of all runs",
    }
    if rest >= -least:
        return Sentence("Latency {latency} ({kind}) = {parts}.", **values)
    if parts_sum.reconciled:
        values["off"] = f"{max(1, round(-100 * rest / parts_sum.latency_ns))}%"
        return Sentence("Latency {latency} ({kind}) = {parts}, within {off}.", **values)
    values |= {"rest": Duration(-rest), "share": Share(-rest, parts_sum.latency_ns)}
    return Sentence(
        "{parts} is {rest} ({share}) more than the latency {latency} ({kind}).", **values
    )


def is_at_full_speed(report: PerformanceReport) -> bool:
    """Return whether the median of a report is of runs at full CPU speed, not of all runs."""
    return report.full_speed_predictions.at_full_speed


def cautions(report: PerformanceReport) -> tuple[Value, ...]:
    """Return the limitations of the layer times, one sentence each."""
    return tuple(sentence for _, sentence in _cautions(report))


def cautions_in_short(report: PerformanceReport) -> Sentence | None:
    """Return the limitations of the layer times in one short sentence; None for none."""
    reasons = tuple(short for short, _ in _cautions(report))
    reason = Joined(reasons, "; ")
    return Sentence("Layer times are approximate: {reasons}.", reason) if reasons else None


def _cautions(report: PerformanceReport) -> Iterator[tuple[str, Value]]:
    """Yield each limitation in a few words, and as a sentence."""
    profiling = report.profiling
    if caution := caution_text(report):
        alone = SYNCHRONIZED in report.layer_timing.values()
        short = "layers ran one at a time" if alone else "some devices have no layer times"
        yield short, caution
    if shares_only(report):
        yield (
            "trust shares, not times",
            "Compare layers by their shares, not by their times: profiling slowed them.",
        )
    if profiling.at_full_speed is False and report.spec.threads != 1 and report.spec.only_cpu:
        yield (
            "the CPU was busy or throttled",
            "The CPU was busy or throttled: layer times are those of the fastest runs, yet "
            "layers that use several threads may take up to twice as long as on an idle "
            "machine.",
        )
    if reason := why_unranked(report):
        yield "the order by time is uncertain", Sentence(_UNCERTAIN_ORDER, reason)


def selection_text(report: PerformanceReport) -> Sentence:
    """Return which runs the layer times are taken from."""
    alone = _used(report, SYNCHRONIZED)
    if alone is None:
        return _profiled_text(report)
    values: dict[str, Value] = {"count": Count(SYNCHRONIZED_RUNS), "devices": alone}
    every = {layer.ran_on for layer in report.layers if layer.time_ns}
    if all(report.layer_timing.get(device or "") == SYNCHRONIZED for device in every):
        return Sentence("Median of {count} runs of each layer alone.", **values)
    values["others"] = _profiled_text(report)
    return Sentence(
        "Median of {count} runs of each layer alone on {devices}; elsewhere: {others}", **values
    )


def _profiled_text(report: PerformanceReport) -> Sentence:
    """Return which profiled runs the layer times are taken from."""
    profiling = report.profiling
    used, all_of_them = len(profiling.used), len(profiling.used) == profiling.runs
    values: dict[str, Value] = {
        "runs": Count(report.profiled_runs, "profiled run"), "some": Count(used),
        "percent": f"{100 * profiling.low_quantile:.0f}",
    }  # fmt: skip
    if not profiling.runs:
        return Sentence("Mean of the middle half of {runs}.", **values)
    if profiling.at_full_speed is False:
        return Sentence(
            _SLOWED[profiling.low_quantile == 0.25, used < profiling.runs], **values
        )
    if profiling.means:
        return Sentence("Mean of {runs}.", **values)
    if all_of_them:
        return Sentence("Median of {runs}.", **values)
    return Sentence(
        "Layer times are of {runs} after the others: median of the {some} at full CPU speed.",
        **values,
    )


def interval_label(entry: LayerUse | InsertedNode, clock_ns: int = 0) -> Value:
    """Return the 95% confidence interval of a layer's median; "" where unknown.

    clock_ns: step of the clock of the profiler, see `Profiling.clock_ns`.
    """
    spread = entry.spread
    if spread is None or spread.low_ns is None or spread.high_ns is None:
        return ""
    values: dict[str, Value] = {
        "interval": DurationRange(spread.low_ns, spread.high_ns, clock_ns),
        "step": Duration(clock_ns), "slow": Count(spread.slow_runs),
        "runs": Count(spread.runs, "run"),
    }  # fmt: skip
    too_short = spread.high_ns < clock_ns
    parts = [
        Sentence("Too short to time: the profiler counts in steps of {step}.", **values)
        if too_short
        else Sentence("95% CI: {interval}.", **values)
    ]
    if spread.session_low_ns is not None and spread.session_high_ns is not None:
        values["between"] = DurationRange(spread.session_low_ns, spread.session_high_ns)
        template = "Varies between sessions: {between}."
        parts.append(Sentence(template, **values))
    elif spread.noisy:
        template = "Noisy: {slow} of {runs} took over 3 times the median."
        parts.append(Sentence(template, **values))
    return Joined(tuple(parts), " ")


def most_important(report: PerformanceReport, count: int) -> tuple[LayerUse, ...]:
    """Return the `count` slowest layers, the slowest first.

    Where layers cannot be ranked, these are in model order: the slow ones are still among them.
    """
    slowest = sorted(report.layers, key=lambda layer: -(layer.time_ns or 0))[:count]
    if unranked(report):
        slowest.sort(key=lambda layer: layer.index)
    return tuple(slowest)


def unranked(report: PerformanceReport) -> bool:
    """Return whether layers are in model order since they cannot be ranked by time."""
    return why_unranked(report) is not None


def too_short(report: PerformanceReport) -> bool:
    """Return whether layers are too short on average for the clock of the profiler."""
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    return 0 < whole < _MIN_TICKS * report.profiling.clock_ns * timed


def long_enough(report: PerformanceReport, layer: LayerUse) -> bool:
    """Return whether a layer is long enough for the clock of the profiler."""
    return (layer.time_ns or 0) >= _MIN_TICKS * report.profiling.clock_ns


def why_unranked(report: PerformanceReport) -> Sentence | None:
    """Return why layers cannot be ranked by time; None where they can."""
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    if too_short(report):
        return Sentence(
            "layers take {time} on average, and the profiler measures in whole microseconds.",
            Duration(whole // timed),
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
        return None
    return Sentence(
        "the times of {layers} with {share} of kernel time are uncertain by more than "
        "\u00b1{percent}%. Measure again when the CPU is less busy.",
        Count(len(uncertain), "layer"),
        Share(time, report.kernel_ns),
        f"{100 * UNRANKED_HALF_WIDTH:.0f}",
    )
