"""Roofline analysis: achieved operations and memory traffic of layers and their ceilings."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from inspector import units
from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.facts.symbolic_sizes import evaluated
from inspector.analysis.measured.layer_sum import long_enough, too_short, unranked
from inspector.model.model import Layer, Model, TensorInfo
from inspector.platform.data_struct import DataStruct
from inspector.report.report import SYNCHRONIZED, LayerUse, PerformanceReport
from inspector.report.roofline import INT8, Ceiling, LayerWork
from inspector.wording.values import Count, Duration, Joined, Sentence, Value

MEMORY = "memory"
COMPUTE = "compute"
CACHE = "cache"
OVERHEAD = "overhead"
LIMIT_NAMES = {COMPUTE: "compute", MEMORY: "memory", CACHE: "caches", OVERHEAD: "overhead"}
# Below this share of both ceilings neither explains the time. A kernel of usual quality reaches
# 30 to 80% of one; the rest of a tenth is a factor that no ceiling of a busy machine is off by.
_OVERHEAD_SHARE = 0.1
_MOST_USED = 0.99  # of the CPU by other programs: what they leave is measured in percent
_OVER = 1.1  # of the ceilings: more than two measurements of the same differ by
_NEAR = 0.5  # of the compute peak: arithmetic takes most of the time (a judgment)
# Shorter times are a few steps of the profiler's clock, so a rate made of them may be too high.
_MIN_STEPS = 50
# Traffic of a layer that no cache holds: what it reaches, memory reaches. The caches of one
# processor are smaller, but for server parts with stacked ones (a judgment).
_UNCACHED_BYTES = 64 << 20
_RAISED = (
    "At least one layer was faster than the {peak} measured on its own ({rate}), so the "
    "fastest layer is taken as the peak."
)
_BUSY = (
    "{device} peak, {dtype}: at least {reached} and {memory}, since the CPU was busy at the "
    "last try ({when}{kept}). Layers reach at most the shares shown; those of {low} to {high} "
    "FLOP/byte may be limited by either. Measure the peak again while no other program uses "
    "the CPU."
)
_SPREAD = "Layer time by what limits it: {limits}."
_SPREAD_PROBABLY = "Layer time by what probably limits it: {limits}."
_AVERAGE = (
    "On average, layers reach {value}% of their roofline limit, weighted by time{without}."
)
_AVERAGE_AT_MOST = (
    "On average, layers reach at most {value}% of their roofline limit, weighted by "
    "time{without}."
)
_TOO_SHORT = (
    "The layers are too short to time each: they take {time} on average, so what limits most "
    "of them is not known."
)
_ALL_OVERHEAD = (
    "The layers are too short to time each: they take {time} on average. At the peak of the "
    "device, all would take at most {ideal} instead of {whole}, so overhead limits them."
)
_KNOWN_WORK = 0.9  # of layer time in layers whose work is known, for a statement on all
_LEAST_QUIET = 0.5  # of the time of layers with a point, for an average over quiet ones
_LEAST_UNKNOWN = 0.01  # of the layer time, to be told
# What a busy CPU may take of a peak: the ridge may be this many times higher or lower
# (measured: up to 1.5 beside eight busy programs on two cores).
_BUSY_FACTOR = 2.0
# Kernels of the runtime that multiply integers whatever the type of what they give out.
_INTEGER = frozenset(
    {
        "MatMulInteger", "ConvInteger", "MatMulIntegerToFloat", "DynamicQuantizeMatMul",
        "DynamicQuantizeLSTM", "QGemm", "QAttention", "QOrderedMatMul", "NhwcQLinearConv",
    }
)  # fmt: skip
_BLOCKWISE = frozenset({"MatMulNBits", "MatMulBnb4"})  # a setting decides what they multiply in


class Point(DataStruct, frozen=True):
    """Operations and traffic of a layer, with those fused into it, in its measured time.

    moved_bytes: read and written, without what stays inside a fused group. slowed: how many
    times as long as alone it may have taken beside other programs.
    """

    layer: LayerUse
    operations: int
    moved_bytes: int
    ceiling: Ceiling
    slowed: float = 1.0

    @property
    def time_ns(self) -> int:
        """Return the self time per run."""
        return self.layer.time_ns or 1

    @property
    def noisy(self) -> bool:
        """Whether its time scatters too much to conclude anything from it."""
        return self.layer.noisy

    @property
    def operations_per_second(self) -> float:
        """Achieved arithmetic; a multiply-add is two."""
        return self.operations * 1e9 / self.time_ns

    @property
    def bytes_per_second(self) -> float:
        """Achieved traffic, from wherever the bytes came: memory or a cache."""
        return self.moved_bytes * 1e9 / self.time_ns

    @property
    def intensity(self) -> float:
        """Operations a byte."""
        return self.operations / self.moved_bytes if self.moved_bytes else 0.0

    @property
    def bound(self) -> str:
        """The ceiling that the layer would reach first: "memory", "compute" or "cache".

        "cache": it has few operations per byte, yet gets its bytes faster than memory can
        deliver them, so they come from caches, whose rate is not measured. What is near the
        compute peak all the same is limited by that.
        """
        computing = self.operations_per_second >= _NEAR * self.ceiling.operations_per_second
        if self.intensity >= self.ceiling.ridge or (self.ceiling.busy and computing):
            return COMPUTE
        over = _BUSY_FACTOR if self.ceiling.busy else _OVER
        if self.bytes_per_second <= over * self.ceiling.bytes_per_second:
            return MEMORY
        return COMPUTE if computing else CACHE

    @property
    def is_certain(self) -> bool:
        """Whether its bound is the same under any peak that the device may really have."""
        if not self.ceiling.busy:
            return True
        low, high = uncertain_ridges(self.ceiling)
        return not low < self.intensity < high

    @property
    def limit(self) -> str:
        """What takes the time: the bound, or "overhead" where it is far from that, and would
        be without other programs."""
        far = self.bound != CACHE and self.slowed * self.share < _OVERHEAD_SHARE
        return OVERHEAD if far else self.bound

    @property
    def share(self) -> float:
        """Achieved, of the ceiling it would meet first, 0 to 1; of compute where caches feed
        it."""
        if self.bound == MEMORY:
            return min(1.0, self.bytes_per_second / self.ceiling.bytes_per_second)
        return min(1.0, self.operations_per_second / self.ceiling.operations_per_second)


def uncertain_ridges(ceiling: Ceiling) -> tuple[float, float]:
    """Return between which operations a byte the ridge of a peak lies that was measured while
    the CPU was busy."""
    return ceiling.ridge / _BUSY_FACTOR, ceiling.ridge * _BUSY_FACTOR


def arithmetic(layer: LayerUse) -> str:
    """The type that a layer's kernel does its arithmetic in; "" where that is not known."""
    operator = layer.executed_as or layer.operator
    if operator in _BLOCKWISE:
        return ""
    if operator in _INTEGER or operator.startswith("QLinear"):
        return INT8
    return INT8 if layer.computed_in in ("int8", "uint8") else layer.computed_in


def points(report: PerformanceReport) -> tuple[Point, ...]:
    """A point for each layer with a time of its own, work and ceiling that are known.

    Under a ceiling that was measured while the CPU was busy, shares are the most that layers
    reach of the real one.

    A layer that does arithmetic is held against the ceiling of its own type, one that only
    moves numbers against the memory of its device.
    """
    return tuple(point for point, _ in _raised(report))


def ceilings(report: PerformanceReport) -> tuple[Ceiling, ...]:
    """Return the ceilings of a report, each at least as high as its fastest layer.

    A peak that was measured while the CPU was busy is lower than what layers reach. Memory
    bandwidth is that of layers whose traffic fits into no cache.
    """
    raised = {_key(point.ceiling): point.ceiling for point, _ in _raised(report)}
    return tuple(raised.get(_key(one), one) for one in report.roofline.ceilings)


def peak_is_low(report: PerformanceReport, device: str) -> bool:
    """Return whether a device's peak is higher than it was measured: the CPU was busy then."""
    return any(
        one.busy or _is_raised(one, raised)
        for one, raised in zip(report.roofline.ceilings, ceilings(report), strict=True)
        if one.device == device
    )


def _is_raised(measured: Ceiling, raised: Ceiling) -> bool:
    return (
        raised.operations_per_second > _OVER * measured.operations_per_second
        or raised.bytes_per_second > _OVER * measured.bytes_per_second
    )


def _key(ceiling: Ceiling) -> tuple[str, str]:
    return ceiling.device, ceiling.dtype


def _raised(report: PerformanceReport) -> list[tuple[Point, Ceiling]]:
    """Return each point under its raised ceiling, and that ceiling as it was measured.

    Noise only adds to a layer's time, so that noisy layers count as well.
    """
    measured = list(_measured_points(report))
    least_ns = _MIN_STEPS * report.profiling.clock_ns
    fastest: dict[tuple[str, str], float] = {}
    widest: dict[str, float] = {}  # memory is that of the device, whatever the type
    for point in measured:
        if point.time_ns >= least_ns:
            key, device = _key(point.ceiling), point.ceiling.device
            fastest[key] = max(fastest.get(key, 0.0), point.operations_per_second)
            if point.moved_bytes >= _UNCACHED_BYTES:
                widest[device] = max(widest.get(device, 0.0), point.bytes_per_second)
    results = []
    for point in measured:
        one = point.ceiling
        operations = max(one.operations_per_second, fastest.get(_key(one), 0.0))
        moved = max(one.bytes_per_second, widest.get(one.device, 0.0))
        raised = replace(one, operations_per_second=operations, bytes_per_second=moved)
        results.append((replace(point, ceiling=raised), one))
    return results


def too_short_text(report: PerformanceReport) -> Sentence | None:
    """Return what is known of what limits layers that are too short to time each; None where
    they are long enough."""
    if not too_short(report):
        return None
    times = [layer.time_ns for layer in report.layers if layer.time_ns]
    values = {"time": Duration(sum(times) // len(times)), "whole": Duration(sum(times))}
    if not all_overhead(report):
        return Sentence(_TOO_SHORT, time=values["time"])
    return Sentence(_ALL_OVERHEAD, ideal=Duration(round(_ideal_ns(report) or 0)), **values)


def all_overhead(report: PerformanceReport) -> bool:
    """Return whether overhead limits layers that are too short to time each.

    What all of them take together is known all the same, and what they would take at the peak.
    """
    ideal_ns = _ideal_ns(report) if too_short(report) else None
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    return ideal_ns is not None and _slowed(report) * ideal_ns < _OVERHEAD_SHARE * whole


def _slowed(report: PerformanceReport) -> float:
    """Return how many times as long as alone a layer may take beside the other programs that a
    report tells of: they left a share of the CPU."""
    return 1 / (1 - min(_MOST_USED, report.surroundings.others or 0.0))


def _ideal_ns(report: PerformanceReport) -> float | None:
    """Return what all layers would take at the peaks as measured, in nanoseconds.

    The most: real peaks may be higher, and caches faster than memory. None where the work of
    layers with much of the time is not known.
    """
    every = list(_measured_points(report, every=True))
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    if sum(point.time_ns for point in every) < _KNOWN_WORK * whole:
        return None
    return 1e9 * sum(
        max(
            point.operations / point.ceiling.operations_per_second,
            point.moved_bytes / point.ceiling.bytes_per_second,
        )
        for point in every
    )


def _measured_points(report: PerformanceReport, every: bool = False) -> Iterator[Point]:
    """Yield the points under the ceilings as measured.

    every: also those of layers that are too short for a rate of their own.
    """
    ceilings = {(one.device, one.dtype): one for one in report.roofline.ceilings}
    memory = {one.device: one for one in reversed(report.roofline.ceilings)}
    work = {one.index: one for one in report.roofline.layers}
    short, slowed = too_short(report), _slowed(report)
    groups: dict[int, list[LayerUse]] = defaultdict(list)
    takers: dict[int, set[int]] = defaultdict(set)
    for layer in report.layers:
        groups[layer.index if layer.into is None else layer.into].append(layer)
        for source in layer.reads:
            takers[source].add(layer.index)
    for layer in report.layers:
        group = groups.get(layer.index, [])
        one_by_one = report.layer_timing.get(layer.ran_on or "") == SYNCHRONIZED
        if not layer.time_ns or one_by_one or not all(one.index in work for one in group):
            continue
        # No rate can be made of shorter times.
        if not every and layer.time_ns < report.profiling.clock_ns:
            continue
        if not every and short and not long_enough(report, layer):
            continue
        operations = sum(work[one.index].operations for one in group)
        moved, device = _moved(group, work, takers), layer.ran_on or ""
        roof = ceilings.get((device, arithmetic(layer))) if operations else memory.get(device)
        if moved and roof is not None:
            yield Point(layer, operations, moved, roof, slowed)


def limit_text(report: PerformanceReport, layer: LayerUse) -> str:
    """Return what limits a layer, and how near it comes to that; "" where it is not known."""
    point = next((each for each in points(report) if each.layer is layer), None)
    if point is None or point.noisy or layer.time_ns is None:
        return ""
    if layer.time_ns < report.profiling.clock_ns or unranked(report):
        return ""
    fused = any(each.into == layer.index for each in report.layers)
    unit = point.ceiling.unit.removesuffix("/s")
    intensity = (
        f"{units.significant(point.intensity)} {unit}/byte" + " with its fused layers" * fused
    )
    ceiling = "memory bandwidth" if point.bound == MEMORY else "compute peak"
    reached = Sentence(
        "reaches at most {value}% of the {ceiling}" if point.ceiling.busy
        else "reaches {value}% of the {ceiling}",
        f"{100 * point.share:.0f}", ceiling,
    )  # fmt: skip
    if point.bound == CACHE:
        achieved = f", {reached}" if point.operations else ""
        return Sentence(
            "Limited by caches: {intensity}; reads and writes faster than main memory could"
            "{achieved}",
            intensity,
            achieved,
        )
    if point.limit == OVERHEAD:
        return Sentence(
            "Limited by overhead: {reached}, so its time goes to starting the kernel, waiting "
            "for threads or an inefficient kernel",
            reached,
        )
    return f"Limited by {point.bound}: {intensity}, {reached}"


def _moved(
    group: Sequence[LayerUse], work: dict[int, LayerWork], takers: dict[int, set[int]]
) -> int:
    """Return bytes moved by a fused group; tensors passed within it count for nothing."""
    inside = {layer.index for layer in group}
    whole = sum(work[index].moved_bytes for index in inside)
    consumed = [index for index in inside if takers[index] and takers[index] <= inside]
    return max(0, whole - 2 * sum(work[index].output_bytes for index in consumed))


def sentences(report: PerformanceReport) -> tuple[str, ...]:
    """Return sentences on the ceilings and on how kernel time is spread over them."""
    return tuple(_sentences(report))


def _sentences(report: PerformanceReport) -> Iterator[str]:
    for before, one in zip(report.roofline.ceilings, ceilings(report), strict=True):
        values: dict[str, Value] = {
            "device": units.device(one.device),
            "dtype": one.dtype,
            "reached": rate(one.operations_per_second, one.unit),
            "memory": rate(one.bytes_per_second, "B/s"),
            "threads": Count(one.threads, "thread") if one.threads else "default threads",
            "ridge": f"{one.ridge:.2g}",
            "when": Sentence(", measured {date}", one.measured[:10]) if one.measured else "",
        }
        if one.busy:
            lowest, highest = uncertain_ridges(one)
            values |= {"low": f"{lowest:,.1f}", "high": f"{highest:,.0f}"}
            values["when"] = one.measured[:19].replace("T", " ") or "at an unknown time"
            values["kept"] = ", which gave no higher rates" if one.kept else ""
            yield Sentence(_BUSY, **values)
            continue
        yield Sentence(
            "{device} peak, {dtype}: {reached} and {memory} with {threads}{when}. Layers below "
            "{ridge} FLOP/byte are limited by memory bandwidth unless caches feed them, others "
            "by compute.",
            **values,
        )
        if one.operations_per_second > _OVER * before.operations_per_second:
            low = rate(before.operations_per_second, one.unit)
            yield Sentence(_RAISED, peak="peak", rate=low)
        if one.bytes_per_second > _OVER * before.bytes_per_second:
            low = rate(before.bytes_per_second, "B/s")
            yield Sentence(_RAISED, peak="memory bandwidth", rate=low)
    yield from _spread(report)


def _spread(report: PerformanceReport) -> Iterator[Sentence]:
    """Yield how the time of layers is spread over limits, and how near they come to those."""
    known = points(report)
    short = too_short_text(report) if report.roofline.ceilings else None
    if short is not None:
        yield short
    if short is not None or not known:
        return
    whole = sum(layer.time_ns or 0 for layer in report.layers)
    times: Counter[str] = Counter()
    for point in known:
        times[point.limit] += point.time_ns
    shares: list[Value] = [
        Sentence("{limit} {share}", LIMIT_NAMES[limit], whole_percent(time / whole))
        for limit, time in times.most_common()
    ]
    unknown = whole - times.total()
    if unknown >= _LEAST_UNKNOWN * whole:
        shares.append(Sentence("not known {share}", whole_percent(unknown / whole)))
    quiet = [point for point in known if not point.noisy]
    time = sum(point.time_ns for point in quiet)
    uncertain = time < _LEAST_QUIET * times.total() or unranked(report)
    probably = uncertain or not all(point.is_certain for point in known)
    limits = Joined(tuple(shares))
    yield Sentence(_SPREAD_PROBABLY if probably else _SPREAD, limits=limits)
    if uncertain:
        yield Sentence("No average is shown, because the layer times are too uncertain.")
        return
    noisy: Value = Count(len(known) - len(quiet), "noisy layer")
    yield Sentence(
        _AVERAGE_AT_MOST if any(point.ceiling.busy for point in quiet) else _AVERAGE,
        value=f"{100 * sum(point.share * point.time_ns for point in quiet) / time:.0f}",
        without=Sentence(" (without {layers})", noisy) if len(quiet) < len(known) else "",
    )


def whole_percent(share: float) -> str:
    """Return a share without decimals: "59%"."""
    return f"{100 * share:.0f}%"


def rate(value: float, unit: str) -> str:
    """A rate with three digits: '12.3 GFLOP/s'."""
    for scale, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{units.significant(value / scale)} {prefix}{unit}"
    return f"{units.significant(value)} {unit}"


def operations_per_second(
    model: Model, estimated: Estimate, report: PerformanceReport, index: int
) -> float | None:
    """Operations a second of a layer with those that were fused into it.

    None where it has no time of its own, or one that is too short for the profiler, or where
    shapes are not those of the measurement.
    """
    group = [use for use in report.layers if use.index == index or use.into == index]
    leader = next((use for use in group if use.index == index), None)
    if leader is None or not leader.time_ns or leader.time_ns < report.profiling.clock_ns:
        return None
    if len(model.layers) != len(estimated.cost.layers):
        return None
    lengths = measured_lengths(model, estimated, report)
    done = 0
    for use in group:
        if not 0 <= use.index < len(model.layers):
            return None
        if not estimated.formula and not _as_measured(
            model.layers[use.index], use.output, estimated
        ):
            return None
        amount = estimated.cost.layers[use.index].operations
        plain = None if amount is None else evaluated(amount, lengths)
        if not isinstance(plain, int):
            return None
        done += plain
    return done * 1e9 / leader.time_ns if done else None


def measured_lengths(
    model: Model, estimated: Estimate, report: PerformanceReport
) -> Mapping[str, int]:
    """Return sizes of dynamic axes in a measurement, from its settings and its outputs."""
    lengths = {dimension.name: dimension.size for dimension in report.spec.dimensions}
    types = estimated.types
    for use in report.layers:
        if not use.output or not 0 <= use.index < len(model.layers):
            continue
        value = _first(model.layers[use.index], types)
        axes = _axes(use.output)
        if value is None or value.shape is None or len(axes) != len(value.shape):
            continue
        for name, length in zip(value.shape, axes, strict=True):
            if isinstance(name, str) and length is not None:
                lengths.setdefault(name, length)
    return lengths


def _as_measured(layer: Layer, output: str, estimated: Estimate) -> bool:
    value = _first(layer, estimated.types)
    return not output or (value is not None and value.shape == _axes(output))


def _first(layer: Layer, types: Mapping[str, TensorInfo]) -> TensorInfo | None:
    return types.get(layer.outputs[0]) if layer.outputs else None


def _axes(output: str) -> tuple[int | None, ...]:
    """Read 'float32 1×64×56×56' as it stands in a report."""
    shape = output.partition(" ")[2]
    if not shape or shape == "scalar":
        return ()
    return tuple(int(axis) if axis.isdecimal() else None for axis in shape.split("×"))
