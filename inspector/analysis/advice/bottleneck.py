"""What limits a run: where its time goes, and how near that comes to what the device can do.

Every report has an answer, if only why there is none. Suggestions (`rules`) are about what to
change; a model for which there is none still has something that limits it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from inspector import units
from inspector.analysis.advice.advice_helpers import (
    least_share,
    longest_first,
    share_of,
    time_of,
    timed_one_at_a_time,
)
from inspector.analysis.measured.layer_sum import (
    is_at_full_speed,
    layer_sum,
    long_enough,
    submission_text,
    unranked,
)
from inspector.analysis.measured.noise import doubts
from inspector.analysis.measured.roofline_points import (
    CACHE,
    COMPUTE,
    LIMIT_NAMES,
    MEMORY,
    OVERHEAD,
    Point,
    all_overhead,
    peak_is_low,
    points,
    rate,
    too_short_text,
    whole_percent,
)
from inspector.model.display_names import fit_line
from inspector.platform.data_struct import DataStruct
from inspector.report.report import LayerUse, PerformanceReport
from inspector.wording.values import Count, Joined, Name, Sentence, Value

_FEW_LAYERS = 3  # that a sentence counts by themselves, if they take _MOST_TIME
_MOST_TIME = 0.8  # of kernel time
# From this share of the latency, what happens outside of kernels is named (a judgment).
_MIN_OUTSIDE = 0.2
# From this share of a peak on, nothing is gained on the same device (a judgment).
AT_PEAK = 0.9
_KNOWN_TIME = 0.8  # of the layers' time with a known peak: an average of less would mislead
_BETWEEN = "{share} of the latency is {runtime}'s own work between layers"
_MIN_LIMIT = 0.1  # of their time, from which a second limit is named (a judgment)
_AT_LEAST = 1 / 3  # of kernel time, that layers with uncertain times are named for
_MIN_LAYER = 0.1  # of kernel time, from which a layer counts among the few (a judgment)
_LITTLE = 0.5  # of a peak; where less is reached, it is said what takes the rest (a judgment)
_AT_PEAK_TEXT = (
    "They cannot run faster on this device; only less work, a smaller data type or another "
    "device would help."
)
_OVERHEAD_TEXT = (
    "Overhead is the time to start a kernel, to wait for threads, or lost in an inefficient "
    "kernel: try another number of threads or another runtime."
)
_UNUSED_TEXT = (
    "The kernels leave the rest unused: another runtime, number of threads or data type may "
    "use more."
)
_DISTURBED_TEXT = "Other programs or inefficient kernels take the rest."
_REACHED_COMPUTE = " ({reached} of {device}'s compute peak{rate} reached)"
_REACHED = {
    COMPUTE: _REACHED_COMPUTE,
    MEMORY: " ({reached} of {device}'s memory bandwidth{rate} reached)",
    CACHE: _REACHED_COMPUTE,
    OVERHEAD: " ({reached} of {device}'s roofline limit reached)",
}
_LIMITED = "{what}, limited by {limits}{reached}"
_PROBABLY_LIMITED = "{what}, probably limited by {limits}{reached}"
_NO_LAYER = "No layer stands out beyond the noise of this measurement."
_NO_LAYER_LIMITED = (
    "No layer stands out beyond the noise of this measurement; together they are probably "
    "limited by {limits}."
)
_LONGEST_NAME = 60  # characters of a layer's name in a sentence
_IN_LAYERS = "{share} of kernel time is in {layers}"
_UNCERTAIN = "{share} of kernel time is in {layers} (at least {least}: times are uncertain)"
# What layers themselves lost is in no part of it.
_OTHERS = "At least {share} of the latency goes to other programs or throttling"
_OTHERS_OF_ALL = "{share} of the median of all runs goes to other programs or throttling"


class LayerLimit(DataStruct, frozen=True):
    """What limits some of the layers of a bottleneck, as their own details say it.

    bound: "compute", "memory", "cache" or "overhead". layers: how many. share: of the time of
    all layers of the bottleneck, 0 to 1.
    """

    bound: str
    layers: int
    share: float


class Bottleneck(DataStruct, frozen=True):
    """What limits a run.

    operator: type of the layers that take most of the kernel time; "" where no order can be
        given, or where several types do.
    layers: indices of these layers, the slowest first.
    name: of the layer, if it is only one.
    share: their share of kernel time, 0 to 1.
    least_share: a lower bound of it, because the times of layers are uncertain; None where
        they are not.
    device: id of the device that they ran on; "" for several.
    peak_share: share of the device's peak that those limited by `bound` reach, weighted by
        time; None where no roofline was measured.
    bound: what limits most of their time, "compute", "memory", "cache" or "overhead"; ""
        where that is unknown.
    outside_share: share of the latency outside of kernels; None where that is unknown.
    outside: the share of the latency between layers as a sentence; None where it is little.
    unknown: why no layers can be named; "" where some are.
    again: whether another measurement, while the CPU is less busy, may name them.
    limits: what limits them, the limit with most of their time first; empty where unknown.
    peak_is_low: whether the real peak is higher, because the CPU was busy when it was measured.
    at_most: whether `peak_share` is the most that they reach, as the CPU was busy.
    peak_rate: the peak that `peak_share` is of, "4.47 GB/s"; "" where it is not one.
    probable: whether the limits may be others, as times or peaks are uncertain.
    others: the share of the latency that other programs take, as a sentence; None where little.
    disturbed: whether other programs slowed the layers, too.
    """

    operator: str = ""
    layers: tuple[int, ...] = ()
    name: str = ""
    share: float = 0.0
    least_share: float | None = None
    device: str = ""
    peak_share: float | None = None
    bound: str = ""
    outside_share: float | None = None
    outside: Sentence | None = None
    unknown: Value = ""
    again: bool = False
    limits: tuple[LayerLimit, ...] = ()
    peak_is_low: bool = False
    peak_rate: str = ""
    at_most: bool = False
    probable: bool = False
    others: Sentence | None = None
    disturbed: bool = False

    @property
    def sentence(self) -> Sentence:
        """Return what limits the run."""
        parts: list[Value] = [
            Sentence("{what}.", part) for part in (self.others, self.outside) if part
        ]
        parts.append(self.unknown or Sentence("{what}.", self._limited(self._layers())))
        if not self.unknown and self.at_peak and not self.peak_is_low:
            parts.append(_AT_PEAK_TEXT)
        if not self.unknown and self._reaches_little:
            parts.append(_DISTURBED_TEXT if self.disturbed else _UNUSED_TEXT)
        if self.bound == OVERHEAD:
            parts.append(_OVERHEAD_TEXT)
        return Sentence("{parts}", Joined(tuple(parts), " "))

    @property
    def at_peak(self) -> bool:
        """Whether these layers reach about the peak of the device as it was measured."""
        one = len(self.limits) == 1 and self.bound in (COMPUTE, MEMORY)
        return one and self.peak_share is not None and self.peak_share >= AT_PEAK

    @property
    def _reaches_little(self) -> bool:
        """Whether the one limit of these layers is far away."""
        one = len(self.limits) == 1 and self.bound in (COMPUTE, MEMORY)
        return one and self.peak_share is not None and self.peak_share < _LITTLE

    @property
    def shown_layers(self) -> Value:
        """The layers as text: the name of the only one, or how many of which operator."""
        if self.name:
            return Name(fit_line(self.name, _LONGEST_NAME, len))
        kind = f"{units.clip(self.operator, 40)} layer" if self.operator else "layer"
        return Count(len(self.layers), kind)

    def _layers(self) -> Sentence:
        """Return where most time is."""
        values: dict[str, Value] = {
            "share": whole_percent(self.share), "layers": self.shown_layers
        }  # fmt: skip
        if self.least_share is None:
            return Sentence(_IN_LAYERS, **values)
        return Sentence(_UNCERTAIN, **values, least=whole_percent(self.least_share))

    def _limited(self, what: Value) -> Value:
        """Return a statement on layers with what limits them; a share of the peak only where
        all have the same limit."""
        if not self.limits:
            return what
        template = _PROBABLY_LIMITED if self.probable else _LIMITED
        one = len(self.limits) == 1
        reached = self._reached() if one and self.peak_share is not None else ""
        return Sentence(template, what=what, limits=self._limit_names(), reached=reached)

    def _limit_names(self) -> Value:
        """Return the limits, of several with how much each applies to."""
        if len(self.limits) == 1:
            return LIMIT_NAMES[self.bound]
        *first, last = (
            Sentence(
                "{limit} ({layers}, {share} of their time)",
                limit=LIMIT_NAMES[limit.bound],
                layers=Count(limit.layers, "layer"),
                share=whole_percent(limit.share),
            )
            for limit in self.limits
        )
        return Joined((Joined(tuple(first)), last), " and ")

    def _reached(self) -> Value:
        """Return the share of the peak; nothing where all that is known is that it is not more
        than about the whole."""
        share = self.peak_share or 0.0
        if self.at_most and share >= AT_PEAK:
            return ""
        low = self.at_most
        reached = whole_percent(share)
        device: Value = Sentence("the {device}", device=units.device(self.device))
        rate = Sentence(" of at least {rate}" if low else " of {rate}", rate=self.peak_rate)
        return Sentence(
            _REACHED[self.bound],
            reached=Sentence("at most {share}", reached) if low else reached,
            device=device if self.device else "the device",
            rate=rate if self.peak_rate else "",
        )


def bottleneck(report: PerformanceReport) -> Bottleneck:
    """Return what limits a run, as far as the report tells."""
    outside_share, outside, others = _outside(report)
    known = Bottleneck(outside_share=outside_share, outside=outside, others=others)
    if unknown := _unknown(report):
        return replace(known, unknown=unknown, bound=OVERHEAD if all_overhead(report) else "")
    uncertain = unranked(report)
    named = _at_least(report) if uncertain else _most_time(report)
    group = named or [layer for layer in report.layers if layer.time_ns]
    limits, peak_share, peak_rate, probable = _limits(report, group)
    known = replace(
        known,
        bound=limits[0].bound if limits else "",
        limits=limits,
        peak_share=None if uncertain else peak_share,
        peak_rate=peak_rate,
        probable=probable or uncertain,
    )
    if not named:
        text: Value = _NO_LAYER
        if limits:
            text = Sentence(_NO_LAYER_LIMITED, limits=known._limit_names())
        return replace(known, unknown=text, again=True)
    operators = {layer.operator for layer in group}
    devices = {layer.ran_on or "" for layer in group}
    return replace(
        known,
        operator=operators.pop() if len(operators) == 1 else "",
        layers=longest_first(group),
        name=group[0].name if len(group) == 1 else "",
        share=share_of(report, time_of(group)),
        least_share=least_share(report, group) if uncertain else None,
        peak_is_low=any(peak_is_low(report, device) for device in devices),
        at_most=any(one.busy for one in report.roofline.ceilings if one.device in devices),
        device=devices.pop() if len(devices) == 1 else "",
        disturbed=any(doubt.busy for doubt in doubts(report)),
    )


def _unknown(report: PerformanceReport) -> Value:
    """Return why no layers can be named."""
    if not report.kernel_ns:
        return submission_text(report) or "Layer times were not measured."
    if timed_one_at_a_time(report):
        return "Layers were timed one at a time, so their times do not add up to a run."
    long = [layer for layer in _at_least(report) if long_enough(report, layer)]
    return "" if long else too_short_text(report) or ""


def _at_least(report: PerformanceReport) -> list[LayerUse]:
    """Return layers that take _AT_LEAST of the time however uncertain times are; or none.

    Not all that have a time: that would say nothing.
    """
    timed = sum(bool(layer.time_ns) for layer in report.layers)
    few = _few(report)
    most = (group for group in few if share_of(report, time_of(group)) >= _MOST_TIME)
    candidates = (*most, *reversed(few), *_types(report))
    groups = (group for group in candidates if len(group) < max(2, timed))
    return next((group for group in groups if least_share(report, group) >= _AT_LEAST), [])


def _most_time(report: PerformanceReport) -> list[LayerUse]:
    """Return the few layers with most of the time, else all of the operator type with most."""
    few = (group for group in _few(report) if share_of(report, time_of(group)) >= _MOST_TIME)
    return next(few, None) or next(iter(_types(report)), [])


def _slowest_first(report: PerformanceReport) -> list[LayerUse]:
    timed = (layer for layer in report.layers if layer.time_ns)
    return sorted(timed, key=lambda layer: -(layer.time_ns or 0))


def _few(report: PerformanceReport) -> list[list[LayerUse]]:
    """Return the slowest layer, then the two and the three slowest, each with much time."""
    slowest = _slowest_first(report)[:_FEW_LAYERS]
    large = [each for each in slowest if share_of(report, each.time_ns or 0) >= _MIN_LAYER]
    return [large[: number + 1] for number in range(len(large))]


def _types(report: PerformanceReport) -> list[list[LayerUse]]:
    """Return the layers of each operator type, those with most time first."""
    by_operator = defaultdict[str, list[LayerUse]](list)
    for layer in _slowest_first(report):
        by_operator[layer.operator].append(layer)
    return sorted(by_operator.values(), key=time_of, reverse=True)


def _limits(
    report: PerformanceReport, group: Sequence[LayerUse]
) -> tuple[tuple[LayerLimit, ...], float | None, str, bool]:
    """Return what limits layers; the share of the peak that those of the first limit reach;
    that peak, if it is the same for all of them; whether the limits are only probable. The
    share is None where noisy layers take much of the time."""
    indices = {layer.index for layer in group}
    whole = time_of(group)
    own = [point for point in points(report) if point.layer.index in indices]
    enough = _KNOWN_TIME * whole
    if not whole or sum(point.time_ns for point in own) < enough:
        return (), None, "", False
    by_limit = defaultdict[str, list[Point]](list)
    for point in own:
        by_limit[point.limit].append(point)
    times = {name: sum(p.time_ns for p in same) for name, same in by_limit.items()}
    names = sorted(times, key=lambda name: -times[name])
    names = [name for name in names if times[name] >= _MIN_LIMIT * whole] or names[:1]
    limits = tuple(LayerLimit(n, len(by_limit[n]), times[n] / whole) for n in names)
    quiet = sum(point.time_ns for point in own if not point.noisy) >= enough
    sure = sum(p.time_ns for p in own if p.is_certain and not p.noisy) >= enough
    first = by_limit[names[0]]
    peaks = {
        rate(p.ceiling.bytes_per_second, "B/s")
        if p.bound == MEMORY
        else rate(p.ceiling.operations_per_second, p.ceiling.unit)
        for p in first
    }
    share = sum(p.share * p.time_ns for p in first) / times[names[0]]
    one = len(peaks) == 1 and names[0] in (COMPUTE, MEMORY)
    return limits, share if quiet else None, peaks.pop() if one else "", not sure


def _outside(
    report: PerformanceReport,
) -> tuple[float | None, Sentence | None, Sentence | None]:
    """Return the share of the latency outside of kernels; what the runtime takes of it, and
    what other programs do, each if that is much."""
    parts = layer_sum(report)
    if parts is None:
        return None, None, None
    outside_share = max(0.0, 1 - (parts.layers_ns + parts.inserted_ns) / parts.latency_ns)
    runtime = report.environment.runtime_name
    between, others = parts.between_ns / parts.latency_ns, parts.slowed_ns / parts.latency_ns
    own = Sentence(_BETWEEN, share=whole_percent(between), runtime=runtime)
    template = _OTHERS
    if is_at_full_speed(report):  # the latency is that of runs which nothing slowed
        template, others = _OTHERS_OF_ALL, 1 - report.median_ns / median(report.prediction_ns)
    slowed = Sentence(template, share=whole_percent(others))
    some = others >= _MIN_OUTSIDE
    return outside_share, own if between >= _MIN_OUTSIDE else None, slowed if some else None
