"""Statistics of latency samples: quantiles, rates, change points and warm-up."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.verdicts.matched_cpu_speed import full_speed_text
from inspector.platform.data_struct import DataStruct
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import (
    MIN_P90_SAMPLES,
    MIN_P95_SAMPLES,
    MIN_P99_SAMPLES,
    Times,
)
from inspector.statistics.process_starts import split_starts, statistic_interval
from inspector.wording.values import Count, Sentence, counted

FRAME_RATES = (24, 30, 60, 120)
TOO_FEW = "too few runs"
LEAST_CHANGE = 0.03
_CHANCE = 0.001
_EDGE = 5
# Two speeds: each has at least this share of the runs, and they are this far apart.
_LEAST_AT_A_SPEED = 0.1
_SPEEDS_APART = 1.2
# The quartiles that face each other are further apart than this many times both speeds' own
# interquartile ranges; for a normal distribution it is 0.4, for one with a long tail below 1.
_SPEEDS_SEPARATE = 2.0
# quartile distances over the upper quartile
OUTLIER = 3.0
_LEAST_SPREAD = 0.02
_RAN = 0.8
_ALIKE = 0.5


class Statistics(DataStruct, frozen=True):
    """Numbers about samples, in nanoseconds; all follow from the samples.

    sd_ns: standard deviation of these samples, not an estimate for others. median_low_ns,
    median_high_ns: 95% interval of the median, None with too few samples.
    """

    n: int
    min_ns: float
    mean_ns: float
    p50_ns: float
    p90_ns: float
    p95_ns: float
    p99_ns: float
    max_ns: float
    sd_ns: float
    median_low_ns: float | None
    median_high_ns: float | None

    @property
    def per_second(self) -> float:
        """Predictions in a second, one after the other."""
        return 1e9 / self.mean_ns if self.mean_ns else 0.0

    @property
    def has_p95(self) -> bool:
        """Return whether there are enough samples for a 95th percentile."""
        return self.n >= MIN_P95_SAMPLES

    @property
    def percentile_texts(self) -> tuple[tuple[str, str], ...]:
        """Name and text of p90, p95 and p99, 'too few runs' where there are not enough."""
        each = (
            ("p90", self.p90_ns, MIN_P90_SAMPLES),
            ("p95", self.p95_ns, MIN_P95_SAMPLES),
            ("p99", self.p99_ns, MIN_P99_SAMPLES),
        )
        return tuple(
            (name, units.duration(ns) if self.n >= least else TOO_FEW)
            for name, ns, least in each
        )


class TwoSpeeds(Struct, frozen=True):
    """Samples that gather around two times: medians of both, and the share of the lower one."""

    low_ns: float
    high_ns: float
    share: float


class Change(Struct, frozen=True):
    """The samples from `at` on have another median than those before, by more than chance."""

    at: int
    before_ns: float
    after_ns: float

    @property
    def share(self) -> float:
        """Relative change of the time from there on; negative: faster."""
        return self.after_ns / self.before_ns - 1


def statistics(samples_ns: Sequence[int], lengths: Sequence[int] = ()) -> Statistics | None:
    """Return all statistics of samples in nanoseconds; None without samples.

    lengths: samples of each start of the process. With enough of them the interval of the
    median is that over starts; else it tells nothing of what differs between them.
    """
    if not samples_ns:
        return None
    values = np.asarray(samples_ns, np.float64)
    p50, p90, p95, p99 = (float(q) for q in np.quantile(values, (0.5, 0.9, 0.95, 0.99)))
    ends = statistic_interval(samples_ns, lengths, start_spread=0)
    low, high = (None, None)
    if ends is not None:  # an interval over few starts may be wider than all that was measured
        low = max(float(values.min()), min(ends[0], p50))
        high = min(float(values.max()), max(ends[1], p50))
    least, mean, most = float(values.min()), float(values.mean()), float(values.max())
    sd = float(values.std())
    return Statistics(len(values), least, mean, p50, p90, p95, p99, most, sd, low, high)


def fits(samples_ns: Sequence[int], frames_a_second: float) -> float:
    """Share of the samples that are done within one frame, 0 to 1; 0 of none."""
    if not samples_ns:
        return 0.0
    return float(np.mean(np.asarray(samples_ns) <= 1e9 / frames_a_second))


def change(samples_ns: Times) -> Change | None:
    """The place where samples become faster or slower for good, if there is one.

    Pettitt's test of the ranks at a chance of 1 in 1000 (Applied Statistics 28, 1979, p. 126);
    medians less than 3% apart, or a part of fewer than 5 samples, are no change.
    """
    values = np.asarray(samples_ns, np.float64)
    n = len(values)
    if n < 2 * _EDGE:
        return None
    ranks = _ranks(values)
    sums = np.abs(2 * np.cumsum(ranks) - np.arange(1, n + 1) * (n + 1))
    at = int(sums[_EDGE - 1 : n - _EDGE].argmax()) + _EDGE
    if 2 * np.exp(-6 * float(sums[at - 1]) ** 2 / (n**3 + n**2)) > _CHANCE:
        return None
    candidate = Change(at, float(np.median(values[:at])), float(np.median(values[at:])))
    return candidate if candidate.before_ns and abs(candidate.share) >= LEAST_CHANGE else None


def two_speeds(samples_ns: Times) -> TwoSpeeds | None:
    """Return the two times that samples gather around, if there are two.

    The split is that of Otsu (IEEE Trans. SMC 9, 1979, p. 62) of the logarithms.
    """
    values = np.sort(np.maximum(np.asarray(samples_ns, np.float64), 1))
    count = len(values)
    fewest = max(_EDGE, int(np.ceil(_LEAST_AT_A_SPEED * count)))
    if count < 2 * fewest:
        return None
    logs = np.log(values)
    sums, places = np.cumsum(logs), np.arange(fewest, count - fewest + 1)
    below = sums[places - 1] / places
    above = (sums[-1] - sums[places - 1]) / (count - places)
    at = int(places[np.argmax(places * (count - places) * (above - below) ** 2)])
    quartiles = [np.quantile(part, (0.25, 0.5, 0.75)) for part in (logs[:at], logs[at:])]
    (q1, low, q3), (q4, high, q6) = quartiles
    spread, gap = (q3 - q1) + (q6 - q4), q4 - q3
    if high - low < np.log(_SPEEDS_APART) or gap <= _SPEEDS_SEPARATE * spread:
        return None
    return TwoSpeeds(float(np.exp(low)), float(np.exp(high)), at / count)


def _ranks(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Ranks from 1 on; equal values share their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    shared: np.ndarray[tuple[int], np.dtype[np.float64]] = (ends - (counts - 1) / 2)[inverse]
    return shared


def table(samples_ns: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """Name and text of every number; empty of no samples."""
    numbers = statistics(samples_ns)
    if numbers is None:
        return ()
    write = units.duration
    low, high = numbers.median_low_ns, numbers.median_high_ns
    middle = (
        ()
        if low is None or high is None
        else (Sentence("{low} to {high}", write(low), write(high)),)
    )
    return (
        ("Runs", f"{numbers.n:,}"),
        ("Min", write(numbers.min_ns)),
        ("Mean", write(numbers.mean_ns)),
        ("Median", write(numbers.p50_ns)),
        *(("95% CI of the median", text) for text in middle),
        *numbers.percentile_texts,
        ("Max", write(numbers.max_ns)),
        ("Std dev", write(numbers.sd_ns)),
        (
            "Runs per second (1 / mean)",
            units.rate(numbers.per_second) if numbers.mean_ns else "n/a",
        ),
    )


def sentences(report: PerformanceReport) -> tuple[str, ...]:
    """Return sentences that explain the runs: frame rates, changes, warm-up."""
    return tuple(_sentences(report))


def _sentences(report: PerformanceReport) -> Iterator[str]:
    samples = report.full_speed_predictions.samples_ns
    if not samples:
        return
    every = report.prediction_ns
    rates = [rate for rate in FRAME_RATES if fits(every, rate) >= 0.5]
    rate = max(rates, default=FRAME_RATES[0])
    limit = units.duration(1e9 / rate)
    yield Sentence(
        "{percent} of runs took less than {limit} ({rate} fps).",
        percent(fits(every, rate)),
        limit,
        rate,
    )
    yield from _of_pace(report)
    starts = split_starts(samples, report.full_speed_predictions.lengths)
    shift = course_change(report)
    if shift is not None:
        direction = "slower" if shift.share > 0 else "faster"
        before, after = units.duration(shift.before_ns), units.duration(shift.after_ns)
        first = "In the first process, from" if len(starts) > 1 else "From"
        yield (
            Sentence(
                "{first} run {value} on, runs were "
                "{apart} {direction}: {before} before, {after} after.",
                first,
                shift.at + 1,
                units.apart(1 + shift.share),
                direction,
                before,
                after,
            )
        )
    if len(starts) > 1:
        medians = [float(np.median(one)) for one in starts]
        least, most = units.duration(min(medians)), units.duration(max(medians))
        yield Sentence(
            "Medians of the {len} processes: {least} to {most}.", len(starts), least, most
        )
    middle = report.median_ns
    if middle and report.first_prediction_ns > 1.5 * middle:
        times = units.significant(report.first_prediction_ns / middle, 2)
        yield Sentence("The first run took {times} times the median.", times)


def course_change(report: PerformanceReport) -> Change | None:
    """Return the change point of the first start: faster or slower for good at equal speed."""
    chosen = report.full_speed_predictions
    shift = change(split_starts(chosen.samples_ns, chosen.lengths)[0])
    return shift and replace(shift, at=int(chosen.places[shift.at]))


def _of_pace(report: PerformanceReport) -> Iterator[str]:
    """Yield a sentence on how many runs were at full CPU speed, unless all were."""
    chosen, share = report.full_speed_predictions, report.pace.share
    if chosen.at_full is None or share is None or len(report.prediction_ns) == chosen.at_full:
        return
    if chosen.enough:
        left = chosen.starts - (len(chosen.lengths) or 1)
        out = (
            f"; {units.plural(left, 'process')} with too few such runs excluded" if left else ""
        )
        yield Sentence(
            "{full_speed_text} were at full CPU speed{out}.", full_speed_text(report), out
        )
    elif chosen.at_full:
        few = full_speed_text(report)
        yield Sentence("Only {few} were at full CPU speed, so statistics cover all runs.", few)
    else:
        runs = counted(len(report.prediction_ns), "run")
        yield Sentence(
            "None of {runs} were at full CPU speed, so statistics cover all runs.", runs
        )


def percent(share: float) -> str:
    """A share that is 0 or 100% only where it is whole: "99.9%"."""
    if share in (0.0, 1.0):
        return f"{100 * share:.0f}%"
    return f"{min(99.9, max(0.1, 100 * share)):.3g}%"


class Course(Struct, frozen=True):
    """All predictions of a report in their order, in nanoseconds.

    warmup_ns: the first one and those to warm up. cpu_ns: processor time of each of
    `samples_ns`. outliers: places of those far above the others; waited: of these, the ones
    that spent their time without a processor. slow: places where the processor was not at its
    full pace. middle_ns: their median as shown. change: at the same pace.
    """

    warmup_ns: tuple[int, ...]
    samples_ns: tuple[int, ...]
    cpu_ns: tuple[int, ...]
    outliers: tuple[int, ...]
    waited: tuple[int, ...]
    change: Change | None
    slow: tuple[int, ...] = ()
    middle_ns: float = 0.0


def course(report: PerformanceReport) -> Course:
    """Look at the predictions of a report as they went."""
    wall = np.asarray(report.prediction_ns, np.float64)
    cpu = np.asarray(report.prediction_cpu_ns, np.float64)
    outliers = np.flatnonzero(wall > _limit(wall)) if len(wall) else np.zeros(0, np.intp)
    waited: tuple[int, ...] = ()
    if len(cpu) == len(wall) and len(wall):
        usual = np.median(cpu) / np.median(wall) if np.median(wall) else 0.0
        waited = tuple(int(i) for i in outliers if cpu[i] < _RAN * usual * wall[i])
    full = report.full_speed_predictions.full
    first = (report.first_prediction_ns,) if report.first_prediction_ns else ()
    return Course(
        (*first, *report.warmup_ns),
        report.prediction_ns,
        report.prediction_cpu_ns,
        tuple(int(i) for i in outliers),
        waited,
        course_change(report),
        () if full is None else tuple(np.flatnonzero(~full).tolist()),
        float(np.median(report.full_speed_predictions.samples_ns)) if len(wall) else 0.0,
    )


def change_sentences(runs: Course) -> tuple[str, ...]:
    """Return one sentence for each irregularity in the course of the runs."""
    return tuple(_course_sentences(runs))


def _course_sentences(runs: Course) -> Iterator[str]:
    if runs.outliers:
        many = counted(len(runs.outliers), "outlier")
        worst = units.duration(max(runs.samples_ns[i] for i in runs.outliers))
        share = percent(len(runs.outliers) / len(runs.samples_ns))
        waited = len(runs.waited)
        if waited:
            of_them = Sentence("{waited} of them waited for a CPU core.", Count(waited))
            yield Sentence(
                "{many} ({share} of runs), up to {worst}; {of_them}",
                many,
                share,
                worst,
                of_them,
            )
        else:
            yield Sentence("{many} ({share} of runs), up to {worst}.", many, share, worst)
    if runs.change is not None and runs.change.share > 0:
        yield _cause(runs, runs.change)


def _cause(runs: Course, shift: Change) -> str:
    """Return the likely cause of a change as text: a busy CPU, or the program itself."""
    cpu, at = runs.cpu_ns, shift.at
    if len(cpu) != len(runs.samples_ns):
        return "The cause of the slowdown is unknown because CPU time was not measured."
    before, after = float(np.median(cpu[:at])), float(np.median(cpu[at:]))
    if before and after / before - 1 >= _ALIKE * shift.share:
        return (
            "CPU time rose as well, so the CPU ran slower: heat, a power limit, or another "
            "program on the same core."
        )
    return "CPU time did not rise, so other programs used the CPU cores."


def _limit(wall: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    lower, upper = np.quantile(wall, (0.25, 0.75))
    return float(upper + OUTLIER * max(upper - lower, _LEAST_SPREAD * upper))


def frames(report: PerformanceReport) -> tuple[tuple[int, str], ...]:
    """Frame rates, and the share of predictions that are done within one frame of each."""
    return tuple((rate, percent(fits(report.prediction_ns, rate))) for rate in FRAME_RATES)
