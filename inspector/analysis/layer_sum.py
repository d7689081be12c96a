"""What the times of layers add up to beside the latency, and whether they can be ranked."""

from collections.abc import Iterator
from dataclasses import dataclass

from inspector import units
from inspector.analysis.latency import ALL_PREDICTIONS, AT_FULL_SPEED
from inspector.analysis.submission import caution_words
from inspector.layer_timing import CLOCK_NS, MATTERS, UNRANKED
from inspector.report import InsertedNode, LayerUse, PerformanceReport

RECONCILED = 0.10  # of the latency: so much may stay unexplained
_LOW = 0.05  # quantile of the clean predictions that stands for those nothing interrupted
# Below three ticks of the profiler's clock for the average layer, one tick is a third of it.
_LEAST_TICKS = 3
_TELLS = 0.005  # parts below this share of the latency are left out of the line
_UNRANKED_SHARE = 0.2  # of the time in layers that are not known: the order of all is open


@dataclass(frozen=True, slots=True)
class LayerSum:
    """What a prediction consists of, in nanoseconds; the parts and `rest_ns` add up to it.

    latency_ns: the median that the report tells. between_ns: the runtime between and around
    kernels. waiting_ns: what other work on the machine adds to that median, at most what
    predictions were seen to differ by. rest_ns: not explained; below 0 where the parts add up
    to more than the latency.
    """

    latency_ns: int
    layers_ns: int
    inserted_ns: int
    between_ns: int
    waiting_ns: int

    @property
    def parts_ns(self) -> int:
        """Layers, inserted nodes and what lies between them: what a prediction computes."""
        return self.layers_ns + self.inserted_ns + self.between_ns

    @property
    def rest_ns(self) -> int:
        """What of the latency is not explained."""
        return self.latency_ns - self.parts_ns - self.waiting_ns

    @property
    def reconciled(self) -> bool:
        """Whether so little is not explained that the times of layers stand for the latency."""
        return abs(self.rest_ns) <= RECONCILED * self.latency_ns


def layer_sum(report: PerformanceReport) -> LayerSum | None:
    """Return what layers add up to beside the latency; None where the report does not tell.

    Reports of earlier versions do not, nor those without profiled predictions. Of kernels that
    run on while the next is submitted, times are no parts of a prediction.
    """
    told, latency = report.profiling, report.median_ns
    used = {layer.ran_on for layer in report.layers}
    waits = any(device.asynchronous and device.id in used for device in report.devices)
    if not told.prediction_ns or not latency or not report.kernel_ns or waits:
        return None
    inserted = sum(node.time_ns for node in report.inserted)
    layers = report.kernel_ns - inserted
    rest = latency - report.kernel_ns - told.between_ns
    seen = max(told.interrupted_ns, latency - report.quantile_ns(_LOW))
    waiting = max(0, min(rest, seen))
    if waiting < _TELLS * latency:
        waiting = 0
    return LayerSum(latency, layers, inserted, told.between_ns, waiting)


def shares_only(report: PerformanceReport) -> bool:
    """Return whether layer times are good for shares only, not as times."""
    found = layer_sum(report)
    over = found is not None and found.rest_ns < -RECONCILED * found.latency_ns
    return over or (bool(report.kernel_ns) and report.profiling.shares_only(report.kernel_ns))


def sum_sentence(report: PerformanceReport) -> str:
    """Return the line that reconciles layer times and latency; "" where nobody can."""
    found = layer_sum(report)
    if found is None:
        return ""
    parts = (
        ("layers", found.layers_ns),
        ("inserted", found.inserted_ns),
        ("between kernels", found.between_ns),
        ("waiting for a CPU core", found.waiting_ns),
    )
    least = _TELLS * found.latency_ns
    named = [f"{name} {units.duration(ns)}" for name, ns in parts if ns > least]
    full = report.paced.enough and report.paced.at_full is not None
    of_what = AT_FULL_SPEED if full else f"of {ALL_PREDICTIONS}"
    latency = f"latency {units.duration(found.latency_ns)} (median {of_what})"
    if found.reconciled:
        off = 100 * abs(found.rest_ns) / found.latency_ns
        return f"{' + '.join(named)} = {latency}, within {max(1, round(off))} %"
    missing, share = abs(found.rest_ns), units.share(abs(found.rest_ns), found.latency_ns)
    more = "less" if found.rest_ns > 0 else "more"
    return (
        f"{' + '.join(named)} is {units.duration(missing)} ({share}) {more} than the "
        f"{latency}: not reconciled"
    )


def cautions(report: PerformanceReport) -> tuple[str, ...]:
    """Return what limits the times of layers, one sentence each."""
    return tuple(_cautions(report))


def _cautions(report: PerformanceReport) -> Iterator[str]:
    told = report.profiling
    if words := caution_words(report):
        yield f"{words}."
    if shares_only(report):
        cost = units.duration(told.profiler_ns)
        yield (
            f"Read the times of layers as shares only: the profiler costs {cost} a prediction, "
            f"its clock counts whole microseconds, and the kernels take "
            f"{units.duration(report.kernel_ns)}."
        )
    reason = unranked(report)
    if reason:
        yield reason


def selection_words(report: PerformanceReport) -> str:
    """Return which predictions layer times are taken from; of earlier reports how they were."""
    told = report.profiling
    runs = units.plural(report.profiled_runs, "profiled prediction")
    if not told.runs:
        return f"Own time per prediction, mean of the middle half of {runs}"
    if told.at_full_speed is False and len(told.used) == told.runs:
        return f"10th percentile of {runs}, since the CPU was busy or not at full speed"
    if len(told.used) == told.runs:
        return f"Median over {runs}"
    why = "at full CPU speed" if told.at_full_speed else "with the least time"
    return f"Median over {len(told.used)} of {runs}, those {why}"


def interval_words(entry: LayerUse | InsertedNode) -> str:
    """The 95 % interval of the median, and what noisy means; "" where it is not known."""
    one = entry.spread
    if one is None or one.low_ns is None or one.high_ns is None:
        return ""
    words = f"95 % interval: {units.durations(one.low_ns, one.high_ns)}"
    if one.noisy:
        slow = f"{one.slow_runs} of {units.plural(one.runs, 'prediction')}"
        words += f". Noisy: {slow} took over 3 times the median, so no finding is drawn from it"
    return words


def unranked(report: PerformanceReport) -> str:
    """Return why layers are not put in order of their times; "" where they can be."""
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    if report.profiling.runs and 0 < whole < _LEAST_TICKS * CLOCK_NS * timed:
        return (
            f"Not ranked: layers take {units.duration(whole // timed)} each on average, and "
            "the profiler counts whole microseconds."
        )
    unsure = [
        layer
        for layer in report.layers
        if layer.time_ns
        and layer.spread is not None
        and layer.time_ns > MATTERS * whole
        and (layer.spread.half_width(layer.time_ns) or 0.0) > UNRANKED
    ]
    time = sum(layer.time_ns or 0 for layer in unsure)
    if not whole or time <= _UNRANKED_SHARE * whole:
        return ""
    return (
        f"Not ranked: {units.plural(len(unsure), 'layer')} with {units.share(time, whole)} of "
        f"layer time {'is' if len(unsure) == 1 else 'are'} known to no better than "
        f"\u00b1{100 * UNRANKED:.0f} %. Measure again when the CPU is less busy."
    )
