"""Measurements of one model with the same settings whose medians cannot both be right.

The interval of a median covers one process. Two processes of a model also differ, by up to
9.7% as assumed in `process_starts`. Where two measurements are further apart than both
explain, the machine was not the same during them, and neither interval holds.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from inspector.analysis.measured.latency import latency
from inspector.analysis.measured.noise import Doubt, doubts
from inspector.analysis.verdicts.matched_cpu_speed import machine_identity
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.report.settings import Role, SettingKind
from inspector.statistics.intervals import Z_95
from inspector.statistics.process_starts import SINGLE_START_SPREAD
from inspector.wording.values import Count, Duration, DurationRange, Joined, Sentence, Value

# Two processes of one model differ by less than this factor in 95% of cases.
_MAX_RATIO = math.exp(Z_95 * SINGLE_START_SPREAD * 2**0.5)
_CONTRADICTION = (
    "{count} with the same settings contradict each other: this one gave {own}, others "
    "{others}. The machine was not equally fast, so the latency is somewhere from {span}. "
    "Measure in several processes while it is idle."
)


def contradicting(
    report: PerformanceReport, others: Iterable[PerformanceReport]
) -> tuple[PerformanceReport, ...]:
    """Return those of `others` that contradict the median of a report.

    They measured the same model with the same settings and runtime on the same machine, their
    median is of the same kind (of runs at full CPU speed, or of all runs), and is further away
    than both intervals and the difference between two processes explain.
    """
    return tuple(other for other in others if other is not report and _differ(report, other))


def _differ(report: PerformanceReport, other: PerformanceReport) -> bool:
    if _setup(report) != _setup(other):
        return False
    both = latency(report), latency(other)
    if both[0] is None or both[1] is None:
        return False
    one, two = both[0].headline, both[1].headline
    if both[0].headline_label != both[1].headline_label or not one.p50_ns or not two.p50_ns:
        return False
    lows = one.median_low_ns, two.median_low_ns
    highs = one.median_high_ns, two.median_high_ns
    if lows[0] is None or lows[1] is None or highs[0] is None or highs[1] is None:
        return False
    apart = highs[0] < lows[1] or highs[1] < lows[0]
    return apart and max(one.p50_ns / two.p50_ns, two.p50_ns / one.p50_ns) > _MAX_RATIO


def _setup(report: PerformanceReport) -> tuple[object, ...]:
    """Return what two measurements of a latency must have in common."""
    return (
        report.model.sha256,
        report.environment.runtime_text,
        *machine_identity(report),
        run_settings(report.spec),
        tuple(layer.output for layer in report.layers),  # so that shapes are the same, too
    )


def run_settings(spec: RunSpec) -> RunSpec:
    """Return the settings that change what a run does.

    Those that say how long, how often and what else to measure, and the values of the inputs,
    are as in `RunSpec()`.
    """
    usual = RunSpec()
    others = (
        name
        for name, setting in SETTINGS.items()
        if setting.role in (Role.LENGTH, Role.QUESTION) or setting.kind is SettingKind.SOURCES
    )
    return replace(spec, **{name: getattr(usual, name) for name in others})


def range_ns(
    report: PerformanceReport, contradicting: Iterable[PerformanceReport]
) -> tuple[int, int]:
    """Return the range from the lowest to the highest interval of a report and of those that
    contradict it."""
    ends = []
    for each in (report, *contradicting):
        both = latency(each)
        if both is not None:
            ends += [both.headline.median_low_ns, both.headline.median_high_ns]
    known = [round(ns) for ns in ends if ns is not None]
    return min(known), max(known)


def reliability_doubts(
    report: PerformanceReport, others: Iterable[PerformanceReport]
) -> tuple[Doubt, ...]:
    """Return the reasons not to rely on the median of a report, the most serious one first.

    others: further measurements, of which some may contradict it.
    """
    against = contradicting(report, others)
    if not against:
        return doubts(report)
    count = len(against) + 1
    medians = tuple(
        Sentence(
            "{time} on {date}", Duration(other.median_ns), other.created[:16].replace("T", " ")
        )
        for other in against[-3:]
    )
    values: dict[str, Value] = {
        "count": Count(count, "measurement"),
        "span": DurationRange(*range_ns(report, against)),
        "own": Duration(report.median_ns),
        "others": Joined(medians),
    }
    doubt = Doubt(Sentence("{count}: {span}", **values), Sentence(_CONTRADICTION, **values))
    return (doubt, *doubts(report))
