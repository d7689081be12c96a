"""Whether the latency of a report can be quoted, and what to do where it cannot."""

from collections.abc import Iterable

from msgspec import Struct

from inspector.analysis.measured.latency import interval_scope, latency
from inspector.analysis.verdicts.contradictions import reliability_doubts
from inspector.report.report import PerformanceReport
from inspector.statistics.intervals import MIN_P95_SAMPLES, median
from inspector.wording.values import Count, Duration, DurationRange, Sentence, Value

_QUIET = "Measure again while the CPU is idle."
_COOL = "Close other programs, let the CPU cool down, then measure again."
_PLUG = "Plug in the power supply, then measure again."
_LONGER = "Measure more runs, in several processes."
# Half of the interval of a median as a share of it; what 5% off is, no reader would quote.
MAX_HALF_WIDTH = 0.05


class Quoting(Struct, frozen=True):
    """Whether a latency can be quoted, in one sentence.

    quiet: whether another measurement on a quiet machine may give one that can.
    """

    good: bool
    sentence: Sentence
    quiet: bool = False


def quoting(report: PerformanceReport, others: Iterable[PerformanceReport] = ()) -> Quoting:
    """Return whether the headline latency of a report can be quoted.

    others: further measurements, of which some may contradict it.
    """
    measured = latency(report)
    if measured is None:
        return Quoting(False, Sentence("Nothing to quote: no run was timed."))
    numbers = measured.headline
    values: dict[str, Value] = {
        "latency": Duration(numbers.p50_ns), "runs": Count(numbers.n, "run")
    }  # fmt: skip
    middle_ns, ends = float(numbers.p50_ns), (numbers.median_low_ns, numbers.median_high_ns)
    row = report.generation.decode if report.generation is not None else None
    if row is not None and row.median_step_ns is not None:
        middle_ns, ends = row.median_step_ns, row.interval(median) or (None, None)
        time, where = Duration(middle_ns), Count(row.context)
        values["latency"] = Sentence("{time} per token at context {context}", time, where)
        values["runs"] = Count(len(row.steps), "token")
    if reasons := reliability_doubts(report, others):
        first = reasons[0]
        slow = _PLUG if report.surroundings.on_battery else _COOL
        busy = slow if first.slow else _QUIET
        values |= {"reason": first.short, "remedy": busy if first.busy else _LONGER}
        template = "Do not quote {latency}: {reason}. {remedy}"
        return Quoting(False, Sentence(template, **values), first.busy)
    low, high = ends
    values["remedy"] = _LONGER
    if numbers.n < MIN_P95_SAMPLES or low is None or high is None:
        template = "Do not quote {latency}: only {runs} timed. {remedy}"
        return Quoting(False, Sentence(template, **values))
    values |= {"interval": DurationRange(low, high), "scope": interval_scope(report)}
    if (high - low) / 2 > MAX_HALF_WIDTH * middle_ns:
        template = "Quote the range, {interval}, not {latency}: runs differ too much. {remedy}"
        return Quoting(False, Sentence(template, **values))
    template = "Good to quote: {latency}, median of {runs} (95% CI {interval} {scope})."
    return Quoting(True, Sentence(template, **values))
