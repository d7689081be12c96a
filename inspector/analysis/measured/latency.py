"""The latency of a report, in two kinds that are never mixed.

At full CPU speed: predictions while the processor was at its full speed and had a core, to
compare models, settings and versions with. All predictions: what users of this machine met.
Text, JSON, window, exports and comparisons all read these numbers from `latency`.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from inspector import units
from inspector.analysis.measured.sample_statistics import (
    FRAME_RATES,
    Statistics,
    fits,
    statistics,
)
from inspector.platform.data_struct import DataStruct
from inspector.platform.weak_cache import weak_cache
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.wording.values import Count, DurationRange, Sentence, Value

AT_FULL_SPEED = "at full CPU speed"
ALL_PREDICTIONS = "all runs"
OF_UNDISTURBED = "of uninterrupted runs"  # of two reports that such runs are compared of
TAILS_OF = f"of {ALL_PREDICTIONS}"  # p95, p99 and max, unless stated otherwise
# in JSON and CSV
AT_FULL_SPEED_FIELD = "at_full_cpu_speed"
ALL_FIELD = "all_predictions"
# the rate is that of one after another
COUNT = "Runs"
RANGE = "Range"
INTERVAL = "95% CI of the median"
RATE = "Runs per second (1 / mean)"
HEADS = ("At full CPU speed", "All runs")  # of a table with a column of each kind


class Latency(DataStruct, frozen=True):
    """Both kinds of latency of one report.

    at_full_cpu_speed: None where it is not known which predictions ran at full CPU speed (other
    devices, very few predictions), or too few did to stand for the model.
    predictions_at_full_cpu_speed: how many did; None where that is not known.
    """

    at_full_cpu_speed: Statistics | None
    all_predictions: Statistics
    predictions_at_full_cpu_speed: int | None

    @property
    def headline(self) -> Statistics:
        """The kind that the one median of a report is taken from."""
        return self.at_full_cpu_speed or self.all_predictions

    @property
    def headline_label(self) -> str:
        """The label of the headline median: 'median at full CPU speed'."""
        kind = AT_FULL_SPEED if self.at_full_cpu_speed else TAILS_OF
        return Sentence("median {kind}", kind)

    @property
    def tail(self) -> tuple[str, str]:
        """Text and label of the 95th percentile: ('2.1 ms', 'p95 of all runs').

        With too few runs ('n/a', 'p95 needs 20 runs').
        """
        every = self.all_predictions
        if not every.has_p95:
            return "n/a", Sentence("p95 needs {min_p95_samples} runs", MIN_P95_SAMPLES)
        return units.duration(every.p95_ns), f"p95 {TAILS_OF}"


@weak_cache
def latency(report: PerformanceReport) -> Latency | None:
    """Return both kinds of latency of a report; None where no run was timed."""
    everything = statistics(report.prediction_ns, report.start_lengths)
    if everything is None:
        return None
    chosen = report.full_speed_predictions
    if report.token_ns is not None:  # of all tokens, as in its tokens per second
        everything = replace(everything, p50_ns=report.token_ns)
        return Latency(None, everything, chosen.at_full)
    full = None
    if chosen.at_full_speed:
        same = len(chosen.samples_ns) == len(report.prediction_ns)
        full = everything if same else statistics(chosen.samples_ns, chosen.lengths)
    return Latency(full, everything, chosen.at_full)


def median_label(report: PerformanceReport) -> Sentence | None:
    """Return what the one median of a report is of; None where nothing was timed.

    The median is `report.median_ns`: of a language model the time per token at its context.
    """
    row = report.generation.decode if report.generation is not None else None
    if row is not None and row.median_step_ns is not None:
        return Sentence("per token at context {context}", Count(row.context))
    both = latency(report)
    return None if both is None else Sentence("{label}", both.headline_label)


def interval_text(numbers: Statistics) -> str:
    """Write the 95% interval of a median: '3.62 ms to 3.66 ms'; '' with too few samples."""
    low, high = numbers.median_low_ns, numbers.median_high_ns
    if low is None or high is None:
        return ""
    return Sentence("{interval}", DurationRange(low, high))


def spread_text(numbers: Statistics) -> Sentence | None:
    """Write how sure a median is: '95% CI 3.62 ms to 3.66 ms'.

    With too few samples for an interval, what was measured: 'range 3.5 ms to 3.9 ms of 4 runs';
    None of a single one.
    """
    low, high = numbers.median_low_ns, numbers.median_high_ns
    if low is not None and high is not None:
        return Sentence("95% CI {interval}", DurationRange(low, high))
    if numbers.n < 2:
        return None
    values: dict[str, Value] = {
        "range": DurationRange(numbers.min_ns, numbers.max_ns), "runs": Count(numbers.n, "run")
    }  # fmt: skip
    return Sentence("range {range} of {runs}", **values)


def interval_scope(report: PerformanceReport) -> str:
    """Return what an interval covers: "within one process", "over 5 processes"."""
    count = len(report.start_lengths)
    return (
        Sentence("over {count} processes", Count(count)) if count > 1 else "within one process"
    )


def texts(numbers: Statistics) -> Iterator[tuple[str, str]]:
    """Yield name and text of every number of one kind."""
    yield COUNT, f"{numbers.n:,}"
    yield "Median", units.duration(numbers.p50_ns)
    if interval_text(numbers):
        yield INTERVAL, interval_text(numbers)
    elif numbers.n > 1:
        yield RANGE, Sentence("{interval}", DurationRange(numbers.min_ns, numbers.max_ns))
    yield from numbers.percentile_texts
    yield "Min", units.duration(numbers.min_ns)
    yield "Max", units.duration(numbers.max_ns)
    yield "Mean", units.duration(numbers.mean_ns)
    yield "Std dev", units.duration(numbers.sd_ns)
    yield RATE, f"{units.rate(numbers.per_second)} /s" if numbers.mean_ns else "n/a"


def as_json(report: PerformanceReport) -> dict[str, Any] | None:
    """Return both kinds as fields for scripts; None where no run was timed."""
    both = latency(report)
    if both is None:
        return None
    full = both.at_full_cpu_speed
    return {
        "headline": AT_FULL_SPEED_FIELD if full else ALL_FIELD,
        "predictions_at_full_cpu_speed": both.predictions_at_full_cpu_speed,
        AT_FULL_SPEED_FIELD: full and _fields(full, report.full_speed_predictions.samples_ns),
        ALL_FIELD: _fields(both.all_predictions, report.prediction_ns),
    }


def _fields(numbers: Statistics, samples_ns: tuple[int, ...]) -> dict[str, Any]:
    frames = {str(rate): fits(samples_ns, rate) for rate in FRAME_RATES}
    more = {"per_second": numbers.per_second, "fits_frames_per_second": frames}
    return asdict(numbers) | more
