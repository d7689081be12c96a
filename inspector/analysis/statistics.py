"""What the samples of a measurement say: quantiles, rates, and where they change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector import units
from inspector.equal_pace import share_words
from inspector.report import PerformanceReport
from inspector.resampling import LEAST_SAMPLES, Times, interval
from inspector.starts import likely, split

FRAME_RATES = (24, 30, 60, 120)
LEAST_CHANGE, _CHANCE, _EDGE = 0.03, 0.001, 5


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers about samples, in nanoseconds; all follow from the samples.

    sd_ns: standard deviation of these samples, not an estimate for others. median_low_ns,
    median_high_ns: 95 % interval of the median, None with too few samples.
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


@dataclass(frozen=True, slots=True)
class Change:
    """The samples from `at` on have another median than those before, by more than chance."""

    at: int
    before_ns: float
    after_ns: float

    @property
    def share(self) -> float:
        """How much longer they take from there on; negative: shorter."""
        return self.after_ns / self.before_ns - 1


def statistics(samples_ns: Sequence[int], lengths: Sequence[int] = ()) -> Statistics | None:
    """Work out all numbers of some samples; None of none.

    lengths: samples of each start of the process. With enough of them the interval of the
    median is that over starts; else it tells nothing of what differs between them.
    """
    if not samples_ns:
        return None
    values = np.asarray(samples_ns, np.float64)
    p50, p90, p95, p99 = (float(q) for q in np.quantile(values, (0.5, 0.9, 0.95, 0.99)))
    enough = len(values) >= LEAST_SAMPLES
    low, high = None, None
    if enough:
        low, high = interval(likely(samples_ns, lengths, start_spread=0))
        low, high = min(low, p50), max(high, p50)
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
    medians less than 3 % apart, or a part of fewer than 5 samples, are no change.
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
    found = Change(at, float(np.median(values[:at])), float(np.median(values[at:])))
    return found if found.before_ns and abs(found.share) >= LEAST_CHANGE else None


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
    found = statistics(samples_ns)
    if found is None:
        return ()
    write = units.duration
    low, high = found.median_low_ns, found.median_high_ns
    middle = () if low is None or high is None else (f"{write(low)} to {write(high)}",)
    return (
        ("Predictions", f"{found.n:,}"),
        ("Min", write(found.min_ns)),
        ("Mean", write(found.mean_ns)),
        ("Median", write(found.p50_ns)),
        *(("Median, 95 % interval", text) for text in middle),
        ("p90", write(found.p90_ns)),
        ("p95", write(found.p95_ns)),
        ("p99", write(found.p99_ns)),
        ("Max", write(found.max_ns)),
        ("Std dev", write(found.sd_ns)),
        ("Per second", units.rate(found.per_second) if found.mean_ns else "n/a"),
    )


def sentences(report: PerformanceReport) -> tuple[str, ...]:
    """What the predictions mean beside their numbers: frames, a change, warming up."""
    return tuple(_sentences(report))


def _sentences(report: PerformanceReport) -> Iterator[str]:
    samples = report.paced.samples_ns
    if not samples:
        return
    every = report.prediction_ns
    rates = [rate for rate in FRAME_RATES if fits(every, rate) >= 0.5]
    rate = max(rates, default=FRAME_RATES[0])
    yield f"{percent(fits(every, rate))} of all predictions fit {rate} frames per second."
    yield from _of_pace(report)
    starts = split(samples, report.paced.lengths)
    found = course_change(report)
    if found is not None:
        word = "slower" if found.share > 0 else "faster"
        before, after = units.duration(found.before_ns), units.duration(found.after_ns)
        first = "In the first start, from" if len(starts) > 1 else "From"
        yield (
            f"{first} prediction {found.at + 1} on {100 * abs(found.share):.0f} % {word}: "
            f"{before}, then {after}."
        )
    if len(starts) > 1:
        medians = [float(np.median(one)) for one in starts]
        least, most = units.duration(min(medians)), units.duration(max(medians))
        yield f"Medians of the {len(starts)} starts: {least} to {most}."
    middle = report.median_ns
    if middle and report.first_prediction_ns > 1.5 * middle:
        times = units.significant(report.first_prediction_ns / middle, 2)
        yield f"The first prediction took {times} times the median."


def course_change(report: PerformanceReport) -> Change | None:
    """Where the first start became faster or slower for good, at the same pace."""
    chosen = report.paced
    found = change(split(chosen.samples_ns, chosen.lengths)[0])
    return found and replace(found, at=int(chosen.places[found.at]))


def _of_pace(report: PerformanceReport) -> Iterator[str]:
    """How many predictions ran at full CPU speed, where not all did."""
    chosen, share = report.paced, report.pace.share
    if chosen.at_full is None or share is None or len(report.prediction_ns) == chosen.at_full:
        return
    message = f"{share_words(report)} ran at full CPU speed"
    if chosen.enough:
        left = chosen.starts - (len(chosen.lengths) or 1)
        out = f"; {units.plural(left, 'start')} with too few of them left out" if left else ""
        yield f"{message}{out}."
    else:
        message = f"only {message}" if chosen.at_full else message
        yield f"{message[0].upper()}{message[1:]}: all numbers are of all predictions."


def percent(share: float) -> str:
    """A share that is 0 or 100 % only where it is whole: "99.9 %"."""
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    return f"{min(99.9, max(0.1, 100 * share)):.3g} %"
