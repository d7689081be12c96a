"""Where the time of a profiled run went, and layer times as they are without the profiler.

LiteRT's profiler costs as much as short layers take, and counts whole microseconds. So a run is
taken apart:

- The profiler reads how much memory is in use when a run begins. It does so twice, for the
  request and for the run: the time between these two events is what one reading takes.
- XNNPACK reports the times of its kernels after each partition, also while the profiler is
  stopped. A model compiled without a profiler is faster by what that costs.
- Storing an event takes as long before it as after it: the pauses between layers tell what
  of it is inside their times.
- Times of LiteRT's own kernels are right on average. Those of XNNPACK's are cut; what they lost
  is the rest of their partition.

Layers take longer next to a profiler, since it empties the caches. How much longer is known for
all of them together.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from inspector.backends.litert.layer_times import (
    DELEGATED,
    OPERATOR,
    REQUEST,
    Event,
    Kernel,
    is_invoke,
)
from inspector.report.layer_timing import RunPart

PROFILER = "profiler: "  # how the names of parts that are its work begin
_CUT_US = 0.5  # of a time that is cut to whole microseconds, on average
# Where the two most frequent times of a kernel are at most so many, its standard deviation is
# above 0.6 us; the mean of normally distributed times then loses half a microsecond.
_VARIED = 0.7
_OFTEN = 0.1  # of a kernel's times, from which on they are no outliers
_MARGIN_US = 0.06


class RunTimes(Struct, frozen=True):
    """Where the time of a profiled run went, in microseconds: means over runs.

    Taken from the starts and ends of events, which are cut to whole microseconds each by
    itself: sums and means of their differences are right, however short they are.

    invoke_us: the whole run, which the others add up to. operators_us: LiteRT's own kernels.
    between_us: between two of them. pauses: how many such places there are. around_us: before
    the first and after the last. partitions_us: where XNNPACK runs partitions and then reports
    their kernels. memory_us: how long the profiler asks for the memory in use when a run
    begins; the part of `around_us`, or of `partitions_us`, where the run begins with one.
    begins_inside: whether it does.
    """

    invoke_us: float
    operators_us: float
    between_us: float
    pauses: float
    around_us: float
    partitions_us: float
    kernels_us: float
    memory_us: float
    begins_inside: bool


def run_times(runs: Sequence[Sequence[Event]]) -> RunTimes:
    """Return where the time of profiled runs went, given all events of each."""
    sums: dict[str, float] = defaultdict(float)
    begins_inside = False
    for run in runs:
        whole = next((event for event in run if is_invoke(event)), None)
        if whole is None:
            continue
        asked = next((event.start_us for event in run if event.type == REQUEST), whole.start_us)
        sums["memory"] += whole.start_us - asked
        sums["invoke"] += whole.duration_us
        now, first, kernels = whole.start_us, True, False
        for event in run:
            if event.type == DELEGATED:
                kernels = True
                sums["kernels"] += event.duration_us
            elif event.type == OPERATOR and event.subgraph == 0:
                pause_us = event.start_us - now
                if kernels:
                    sums["partitions"] += pause_us
                    begins_inside = begins_inside or first
                else:
                    sums["around" if first else "between"] += pause_us
                    sums["pauses"] += not first
                sums["operators"] += event.duration_us
                now, first, kernels = event.start_us + event.duration_us, False, False
        begins_inside = begins_inside or (first and kernels)
        rest_us = whole.start_us + whole.duration_us - now
        sums["partitions" if kernels else "around"] += rest_us
    mean = defaultdict(float, {name: total / len(runs) for name, total in sums.items()})
    return RunTimes(
        invoke_us=mean["invoke"],
        operators_us=mean["operators"],
        between_us=mean["between"],
        pauses=mean["pauses"],
        around_us=mean["around"],
        partitions_us=mean["partitions"],
        kernels_us=mean["kernels"],
        memory_us=mean["memory"],
        begins_inside=begins_inside,
    )


class Correction(Struct, frozen=True):
    """What brings the times that the profiler reports to those of a run without it.

    operator_us: of the profiler itself, within the time of each of LiteRT's own kernels.
    cut_us: what is missing in the time of each kernel of XNNPACK, by its partition and its
    place there, since it is cut to whole microseconds. excess: how many times longer all took
    together, even so. slowdown: how many times slower the CPU was than in the measured runs.
    """

    operator_us: float = 0.0
    cut_us: Mapping[tuple[int, int], float] = field(default_factory=dict)
    excess: float = 1.0
    slowdown: float = 1.0

    @property
    def scale(self) -> float:
        """Return what all times are divided by."""
        return self.excess * self.slowdown

    def time_us(self, kernel: Kernel) -> float:
        """Return the corrected time of a kernel; below 0 where the profiler took more."""
        event = kernel.event
        if event.type == DELEGATED:
            cut_us = self.cut_us.get((kernel.partition, event.node), 0.0)
            return (event.duration_us + cut_us) / self.scale
        return (event.duration_us - self.operator_us) / self.scale


def correction(
    runs: Sequence[Sequence[Kernel]],
    spent: RunTimes,
    reporting_us: float | None,
    unprofiled_us: float,
    measured_us: float,
) -> Correction:
    """Return the correction that fits a run without the profiler, and then a measured run.

    reporting_us: how long XNNPACK reports its kernels in a run. What its partitions take beyond
    that and the reported times was cut from these. None: not known. Then the kernels get what
    is missing of a run without the profiler, at most half a microsecond each, which is what
    cutting costs on average; what is left is between layers.

    Each of LiteRT's own kernels gives up the time of a pause between two of them, which is the
    profiler's work, too: it is half outside and half inside. At most that of the shortest, and
    no more than all take beyond a run without the profiler. What is then left is a factor.
    """
    own: dict[int, float] = defaultdict(float)
    others: dict[tuple[int, int], float] = defaultdict(float)
    for each in runs:
        for kernel in each:
            share_us = kernel.event.duration_us / len(runs)
            if kernel.event.type == DELEGATED:
                others[kernel.partition, kernel.event.node] += share_us
            else:
                own[kernel.event.node] += share_us
    sum_us = sum(others.values()) + sum(own.values())
    if reporting_us is None:
        missing_us = min(_CUT_US * len(others), max(0.0, unprofiled_us - sum_us))
    else:
        asked_us = spent.memory_us if spent.begins_inside else 0.0
        in_kernels_us = spent.partitions_us - asked_us - reporting_us
        missing_us = min(float(len(others)), max(0.0, in_kernels_us - sum(others.values())))
    sum_us += missing_us
    inside_us = 0.0
    if own and spent.pauses:
        most_us = max(0.0, sum_us - unprofiled_us) / len(own)
        inside_us = max(0.0, min(spent.between_us / spent.pauses, most_us, *own.values()))
    sum_us -= inside_us * len(own)
    excess = max(1.0, sum_us / max(unprofiled_us, 1.0))
    slowdown = max(1.0, sum_us / excess / max(measured_us, 1.0))
    return Correction(inside_us, _divided(missing_us, others), excess, slowdown)


def _divided(
    missing_us: float, reported_us: Mapping[tuple[int, int], float]
) -> dict[tuple[int, int], float]:
    """Divide what was cut from the times of kernels among them.

    A time of several microseconds loses half of one on average; the rest was lost by kernels
    that take less than one, and nothing tells more about these.
    """
    long = [key for key, us in reported_us.items() if us >= 1.0]
    short = [key for key, us in reported_us.items() if us < 1.0]
    of_long_us = min(_CUT_US * len(long), missing_us)
    if not short:
        of_long_us = missing_us
    divided = dict.fromkeys(long, of_long_us / max(1, len(long)))
    return divided | dict.fromkeys(short, (missing_us - of_long_us) / max(1, len(short)))


def cut_ranges(
    runs: Sequence[Sequence[Kernel]], corrected: Correction
) -> dict[tuple[int, int], tuple[float, float]]:
    """Return how much less and more than what was added each kernel of XNNPACK may have lost.

    That is between nothing and a microsecond where nearly all runs report the same time. Where
    times vary much, they lost half a microsecond on average. In between, where they are n or
    n + 1, they are just below n + 1 if they hardly vary, so that those reported as n lost all
    of it; if they vary more, they lost less, down to the half.
    """
    reported: dict[tuple[int, int], list[int]] = defaultdict(list)
    for each in runs:
        for kernel in each:
            if kernel.event.type == DELEGATED:
                key = kernel.partition, kernel.event.node
                reported[key].append(kernel.event.duration_us)
    ranges = {}
    for key, times in reported.items():
        added_us = corrected.cut_us.get(key, 0.0)
        (first, many), (second, fewer) = (*Counter(times).most_common(2), (-1, 0))[:2]
        low, high = 0.0, 1.0
        if many + fewer <= _VARIED * len(times):
            low, high = _CUT_US - _MARGIN_US, _CUT_US + _MARGIN_US
        elif abs(first - second) == 1 and fewer >= _OFTEN * len(times):
            lower = (many if first < second else fewer) / (many + fewer)
            low, high = min(_CUT_US, lower) - _MARGIN_US, max(_CUT_US, lower) + _MARGIN_US
        ranges[key] = max(0.0, added_us - low), max(0.0, high - added_us)
    return ranges


def run_parts(
    spent: RunTimes,
    kernels: Sequence[Kernel],
    corrected: Correction,
    reporting_us: float | None,
) -> tuple[tuple[RunPart, ...], float | None]:
    """Return the parts of the mean profiled run, and at most how long is between layers.

    kernels: of one run. The second is None where the cost of XNNPACK's reports is not known.
    """
    own = sum(kernel.event.type == OPERATOR for kernel in kernels)
    before_us = 0.0 if spent.begins_inside else min(spent.memory_us, spent.around_us)
    between_us = spent.between_us + spent.around_us - before_us
    kernels_us = min(spent.kernels_us, spent.partitions_us)
    rest_us = spent.partitions_us - kernels_us
    # Both are timed by themselves, so they may be a bit more than there is room for.
    asked_us, told_us = spent.memory_us * spent.begins_inside, reporting_us or 0.0
    if (wanted_us := asked_us + told_us) > rest_us:
        asked_us, told_us = rest_us * asked_us / wanted_us, rest_us * told_us / wanted_us
    cut_us = min(sum(corrected.cut_us.values()), rest_us - asked_us - told_us)
    rest_us -= asked_us + told_us + cut_us
    layers_us = spent.operators_us + kernels_us
    inside_us = min(own * corrected.operator_us, layers_us)
    parts = [
        ("layers, as reported by the runtime", layers_us - inside_us, True),
        ("missing from the times of XNNPACK kernels (rounded down)", cut_us, False),
        ("between layers", between_us, True),
        (PROFILER + "reading the memory in use", before_us + asked_us, True),
        (PROFILER + "storing the times (included in the layer times)", inside_us, False),
        (PROFILER + "reporting XNNPACK kernel times", told_us, True),
    ]
    name = "unexplained" if reporting_us is not None else "XNNPACK, outside its kernels"
    parts.append((name, rest_us, False))
    known = reporting_us is not None or spent.partitions_us == 0
    named = (RunPart(name, round(1000 * us), measured) for name, us, measured in parts)
    return tuple(part for part in named if part.time_ns > 0), between_us if known else None
