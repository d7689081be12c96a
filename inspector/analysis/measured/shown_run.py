"""The profiled run of a report that a timeline shows: the one that fits its layer times."""

import numpy as np
from msgspec import Struct

from inspector.report.report import PerformanceReport
from inspector.trace.grouping import factorize, group_bounds
from inspector.trace.trace import KINDS, Kind
from inspector.trace.trace_rows import median_prediction, prediction_intervals
from inspector.wording.values import Count, Duration, Sentence, Value

_KERNEL = KINDS.index(Kind.KERNEL)
_DISTURBED = 2.0  # times the shortest profiled run, from which on another was disturbed
# Times the latency, beyond which the length of a profiled run is explained.
_APART = 1.2


class ShownRun(Struct, frozen=True):
    """A stretch of a trace in nanoseconds, and what it is.

    title: a few words. why: why it is not as long as the latency; "" where it is.
    """

    begin_ns: int
    end_ns: int
    title: Value = "the trace"
    why: Value = ""


def shown_run(report: PerformanceReport) -> ShownRun:
    """Return the profiled run whose layers are nearest to the layer times of the report.

    Of a busy machine, most runs wait for a CPU core in some layer, which layer times leave out:
    the run of median length would show other shares than the table of layers. Without layer
    times it is the run of median length; without runs, the whole trace.
    """
    trace = report.trace
    nearest = _nearest(report)
    stretch = nearest or median_prediction(trace)
    intervals = prediction_intervals(trace)
    runs = len(intervals)
    if not runs:
        return ShownRun(*stretch)
    length_ns, latency_ns = stretch[1] - stretch[0], report.median_ns
    of = Count(runs, "profiled run")
    title = Sentence("the one of {runs} closest to the layer times", of)
    if nearest is None:
        title = Sentence("the one of {runs} of median length", of)
    values: dict[str, Value] = {"run": Duration(length_ns), "latency": Duration(latency_ns)}
    why: Value = ""
    if latency_ns and length_ns > _APART * latency_ns:
        why = Sentence("{run} with the profiler, {latency} without", **values)
    elif length_ns * _APART < latency_ns:
        shortest_ns = min(end - begin for begin, end in intervals)
        disturbed = length_ns > _DISTURBED * shortest_ns
        why = Sentence(
            "slow profiled run, {run}; measured median {latency}"
            if disturbed
            else "fast profiled run, {run}; measured median {latency}",
            **values,
        )
    return ShownRun(*stretch, title, why)


def _nearest(report: PerformanceReport) -> tuple[int, int] | None:
    """Return begin and end of the run that is nearest to the layer times; None without any.

    Its distance is the sum of the differences over all layers, and its time outside of them.
    """
    trace = report.trace
    times_ns = {layer.index: layer.time_ns for layer in report.layers if layer.time_ns}
    spans = np.flatnonzero((trace.kind == _KERNEL) & (trace.run >= 0) & (trace.layer >= 0))
    spans = spans[np.isin(trace.layer[spans], list(times_ns))]
    if not len(spans):
        return None
    runs, _, row = factorize(trace.run[spans])
    layers, _, column = factorize(trace.layer[spans])
    took = np.zeros((len(runs), len(layers)), np.int64)
    np.add.at(took, (row, column), trace.duration_ns[spans])
    wanted = np.array([times_ns[int(layer)] for layer in layers], np.int64)
    members = np.flatnonzero(np.isin(trace.run, runs))
    start = trace.start_ns[members]
    _, _, place = factorize(trace.run[members])
    begin, end = group_bounds(start, start + trace.duration_ns[members], place, len(runs))
    outside = end - begin - took.sum(axis=1)
    nearest = int((np.abs(took - wanted).sum(axis=1) + np.abs(outside)).argmin())
    return int(begin[nearest]), int(end[nearest])
