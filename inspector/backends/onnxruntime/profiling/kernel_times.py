"""Kernels of the profiled predictions, node by node, and how long a layer takes: its median."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.backends import type_names
from inspector.backends.onnxruntime.attribution.attribution import Attribution
from inspector.backends.onnxruntime.profiling.profile import Kernel, Shaped
from inspector.backends.onnxruntime.profiling.profiler_cost import ProfilerCost, grouped_median
from inspector.report.layer_timing import (
    CLOCK_NS,
    LOW_QUANTILE,
    NOISY_FACTOR,
    SESSION_RATIO_LIMIT,
    SIGNIFICANT_SHARE,
    TimeSpread,
)
from inspector.statistics.cpu_speed import CoreUse, CpuSpeed, select_full_speed
from inspector.statistics.intervals import Quantile
from inspector.units import shape

Numbers = NDArray[np.int64]
# Corrected times below this are told as this: a tenth of the profiler's clock is what the
# interpolated median of some ten predictions can tell apart.
LEAST_NS = CLOCK_NS // 10
_FEWEST_TO_CHOOSE = 8  # of fewer predictions all count
_FEWEST_FOR_INTERVAL = 6  # the extremes of 5 hold the median with only 94%
_Z = 1.96
_LEAST_TICKS = 3  # of the profiler's clock: sessions that are nearer do not differ


class KernelUsage(Struct, frozen=True, eq=False):
    """The calls and times of one node of the optimized graph in the profiled predictions.

    node: its place in `Attribution.executed`; None for kernels that no node explains.
    self_ns: time of all its executions in each prediction, without what runs inside, int64
    (runs,). calls: executions in each. inner: kernels directly inside of it in each.
    provider: the execution provider. output_bytes: given out by one execution.
    """

    node: int | None
    name: str
    operator: str
    provider: str
    self_ns: Numbers
    calls: Numbers
    inner: Numbers
    output_bytes: int
    inputs: tuple[Shaped, ...]
    outputs: tuple[Shaped, ...]

    @property
    def total_ns(self) -> int:
        """Return the time in all profiled predictions together."""
        return int(self.self_ns.sum())

    @property
    def count(self) -> int:
        """Executions in all profiled predictions."""
        return int(self.calls.sum())


class SelectedRuns(Struct, frozen=True):
    """The profiled predictions that times are taken from; fields as in `Profiling`.

    sessions: how many of the predictions each session made, in order; empty for one session.
    """

    runs: int
    used: tuple[int, ...]
    at_full_speed: bool | None
    sessions: tuple[int, ...] = ()


class Estimate(Struct, frozen=True):
    """Time of a layer or an inserted node in a prediction, and its spread."""

    time_ns: int
    spread: TimeSpread


def select_runs(
    runs: int,
    wall_ns: Sequence[int],
    cpu_ns: Sequence[int],
    pace: CpuSpeed,
    cores: CoreUse,
    after_pause: Sequence[int] = (),
) -> SelectedRuns:
    """Choose the predictions at full CPU speed, as the clean pass does.

    Where too few were, or other programs used the cores, too, all count, and a layer's time is
    their LOW quantile: a kernel has its cores in few of them, and in others than the next one.
    runs: how many predictions. after_pause: those that begin with cold caches; at full CPU
    speed they do not count, unless there are too few others.
    """
    cold = frozenset(after_pause)
    every = tuple(range(runs))
    if runs < _FEWEST_TO_CHOOSE:
        # Of a shared CPU too many of few runs waited at the same kernel for a median: with 6
        # prompts beside busy programs medians of 369 kernels added up to 2.9 times as long as
        # on a quiet CPU, low quantiles to 1.6 times.
        return SelectedRuns(
            runs, every, False if cores is CoreUse.SHARED and runs > 1 else None
        )
    warm = tuple(place for place in every if place not in cold)
    every = warm if len(warm) >= _FEWEST_TO_CHOOSE else every
    if len(wall_ns) == len(cpu_ns) == runs:
        full_speed = select_full_speed(pace, tuple(wall_ns), tuple(cpu_ns), cores=cores)
        if full_speed.full is None:
            return SelectedRuns(runs, every, None)
        # Two threads that take turns on one core use as much CPU time as one that has a core.
        if full_speed.enough and cores is not CoreUse.SHARED:
            places = tuple(full_speed.places.tolist())
            warm = tuple(place for place in places if place not in cold)
            return SelectedRuns(runs, warm if len(warm) >= _FEWEST_TO_CHOOSE else places, True)
    return SelectedRuns(runs, tuple(range(runs)), False)


def kernel_usages(
    kernels: Sequence[Kernel], nodes: Sequence[int | None], first_run: int, runs: int
) -> tuple[KernelUsage, ...]:
    """Add up the kernels of the `runs` predictions from `first_run` on, node by node."""
    groups: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for place, (kernel, node) in enumerate(zip(kernels, nodes, strict=True)):
        if kernel.run >= first_run:
            groups[node, "" if node is not None else kernel.name].append(place)
    inside = Counter(kernel.parent for kernel in kernels)
    return tuple(
        _usage(kernels, places, node, inside, first_run, runs)
        for (node, _), places in groups.items()
    )


def _usage(
    kernels: Sequence[Kernel],
    places: Sequence[int],
    node: int | None,
    inside: Counter[int | None],
    first_run: int,
    runs: int,
) -> KernelUsage:
    self_ns, calls, inner = (np.zeros(runs, np.int64) for _ in range(3))
    for place in places:
        run = kernels[place].run - first_run
        self_ns[run] += kernels[place].self_ns
        calls[run] += 1
        inner[run] += inside[place]
    one = kernels[places[0]]
    return KernelUsage(
        node, one.name, one.operator, one.provider, self_ns, calls, inner, one.output_bytes,
        one.inputs, one.outputs,
    )  # fmt: skip


def calibrated(
    cost: ProfilerCost,
    usages: Sequence[KernelUsage],
    chosen: SelectedRuns,
    unprofiled_ns: tuple[float, float] = (0.0, 0.0),
    clean_ns: float = 0.0,
) -> ProfilerCost:
    """Return what the profiler costs in this model, and how much slower the CPU was then.

    The cost differs from node to node with the shapes that are written down. It is at most the
    time of the shortest kernel, since none takes less than nothing, and at least so much that
    all kernels together do not take more than a prediction without the profiler.
    unprofiled_ns: of such a prediction in the same session, and of the runtime's part of it.
    clean_ns: of one in the clean pass. All 0 where they are not known.
    """
    used = list(chosen.used)
    plain = [each for each in usages if (each.calls == 1).all() and not each.inner.any()]
    shortest = min((_ticks(each.self_ns[used], chosen) for each in plain), default=None)
    inside = cost.inside_ns
    if shortest is not None:
        inside = min(inside, shortest + CLOCK_NS / 2)
    busy = sum(_middle_ns(each, chosen, cost.between_ns) for each in usages)
    events = sum(float(np.median(each.calls[used])) for each in usages)
    whole_ns, inner_ns = unprofiled_ns
    if inner_ns and events:
        inside = max(inside, (busy - inner_ns) / events)
    done = ProfilerCost(inside, cost.between_ns)
    if not inner_ns:
        return done
    kernels = sum(estimate([each], chosen, done).time_ns for each in usages)
    excess, slowdown = max(1.0, kernels / inner_ns), 1.0
    if clean_ns:
        # Predictions may be longer since they waited for a core, which medians of kernels did
        # not: times are brought to the clean pass, never below it.
        above = kernels / excess / (clean_ns * inner_ns / whole_ns)
        slowdown = max(1.0, min(whole_ns / clean_ns, above))
    return replace(done, slowdown=slowdown, excess=excess)


def _middle_ns(usage: KernelUsage, chosen: SelectedRuns, between_ns: float) -> float:
    """Return a node's time with the profiler's cost inside of its executions."""
    used = list(chosen.used)
    calls = usage.calls[used]
    times = usage.self_ns[used] + calls * (CLOCK_NS / 2) - between_ns * usage.inner[used]
    return max(0.0, float(Quantile(_quantile(chosen))(times)))


def precise(usages: Sequence[KernelUsage], chosen: SelectedRuns, width: float) -> bool:
    """Return whether the time of each node that matters is known to that width.

    width: half of the 95% interval as a share of the time. A node matters from MATTERS of the
    time of all on. One tick of the profiler's clock is as much as a wait for more would bring.
    """
    estimates = [estimate([each], chosen, ProfilerCost()) for each in usages]
    total = sum(each.time_ns for each in estimates)
    for each in estimates:
        half = each.spread.half_width(each.time_ns)
        if each.time_ns > SIGNIFICANT_SHARE * total and (
            half is None or half * each.time_ns > max(width * each.time_ns, CLOCK_NS)
        ):
            return False
    return True


def _quantile(chosen: SelectedRuns) -> float:
    """Return the quantile of the chosen predictions that a layer's time is."""
    return LOW_QUANTILE if chosen.at_full_speed is False else 0.5


def _ticks(raw: Numbers, chosen: SelectedRuns) -> float:
    """Return that quantile of times in whole microseconds; a median within its microsecond."""
    return (
        grouped_median(raw)
        if _quantile(chosen) == 0.5
        else float(Quantile(LOW_QUANTILE)(raw.astype(np.float64)))
    )


def estimate(some: Sequence[KernelUsage], chosen: SelectedRuns, cost: ProfilerCost) -> Estimate:
    """Return the time of some nodes together in a prediction, and its spread.

    It is the median of the chosen predictions, or their LOW quantile where the CPU was shared
    or slow. The profiler truncates to whole microseconds, so half of one is added for each
    execution, and a median is interpolated within its microsecond. Its own cost is taken out,
    and what the CPU was slower than in the clean pass.
    """
    used = list(chosen.used)
    raw: Numbers = np.sum([each.self_ns[used] for each in some], axis=0)
    calls = np.sum([each.calls[used] for each in some], axis=0)
    inner = np.sum([each.inner[used] for each in some], axis=0)
    truncated = calls * (CLOCK_NS / 2)
    times = raw + truncated - cost.inside_ns * calls - cost.between_ns * inner
    scale = cost.slowdown * cost.excess
    times = times / scale
    q = _quantile(chosen)
    within = (_ticks(raw, chosen) - float(Quantile(q)(raw.astype(np.float64)))) / scale
    middle = max(LEAST_NS, round(float(Quantile(q)(times)) + within))
    low, high = _interval(times, within, q)
    if q != 0.5 and low is not None and high is not None:
        # Not interpolated within its microsecond: the clock hides so much on both sides.
        low, high = low - CLOCK_NS / 2 / scale, high + CLOCK_NS / 2 / scale
    slow = int((raw + truncated > NOISY_FACTOR * np.median(raw + truncated)).sum())
    return Estimate(
        middle,
        TimeSpread(
            min(middle, max(LEAST_NS, round(float(times.min())))),
            max(middle, round(float(times.max()))),
            None if low is None else min(middle, max(LEAST_NS, round(low))),
            None if high is None else max(middle, round(high)),
            len(used),
            slow,
            *_apart(times, chosen, q),
        ),
    )


def _apart(
    times: NDArray[np.float64], chosen: SelectedRuns, q: float
) -> tuple[int, int] | tuple[None, None]:
    """Return a layer's least and greatest time in a session where these differ beyond doubt.

    times: of the chosen predictions. Beyond doubt: the 95% intervals do not overlap, and the
    times differ by SESSION_RATIO_LIMIT and by _LEAST_TICKS.
    """
    # Without the profiler's cost, which is an average, times of short layers are below zero.
    times = np.maximum(times, LEAST_NS)
    ends = np.searchsorted(chosen.used, np.cumsum(chosen.sessions)).tolist()
    disjoint = []
    for begin, end in pairwise([0, *ends]):
        low, high = _interval(times[begin:end], 0.0, q)
        if low is not None and high is not None:
            disjoint.append((float(Quantile(q)(times[begin:end])), low, high))
    if len(disjoint) < 2:
        return None, None
    least, most = min(disjoint), max(disjoint)
    apart = max(SESSION_RATIO_LIMIT * least[0], least[0] + _LEAST_TICKS * CLOCK_NS)
    if most[0] < apart or most[1] <= least[2]:
        return None, None
    return round(least[0]), round(most[0])


def _interval(
    times: NDArray[np.float64], within: float, q: float
) -> tuple[float | None, float | None]:
    """Return the 95% interval of a quantile by the ranks of the values around it."""
    n = len(times)
    if n < _FEWEST_FOR_INTERVAL:
        return None, None
    ranked, reach = np.sort(times), _Z * sqrt(n * q * (1 - q))
    low, high = max(0, int(n * q - reach)), min(n - 1, int(n * q + reach))
    return float(ranked[low]) + within, float(ranked[high]) + within


def reached(attribution: Attribution, usages: Sequence[KernelUsage]) -> frozenset[int]:
    """Return the layers that were carried out at least once in the profiled predictions."""
    places = {usage.node for usage in usages if usage.node is not None}
    return frozenset(layer for place in places for layer in attribution.executed[place].layers)


def described(shaped: Shaped) -> str:
    """Write type and shape as reports show them: "float32 1×64×56×56"."""
    name, axes = shaped
    _, dtype = type_names.kind_and_dtype(f"tensor({name})")
    return f"{dtype} {shape(axes)}"
