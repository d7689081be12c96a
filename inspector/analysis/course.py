"""How predictions went one after the other: warming up, outliers, a change, and its cause."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector import units
from inspector.analysis.statistics import FRAME_RATES, Change, course_change, fits, percent
from inspector.report import PerformanceReport

OUTLIER, _LEAST_SPREAD = 3.0, 0.02  # quartile distances over the upper quartile
_RAN, _ALIKE = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Course:
    """All predictions of a report in their order, in nanoseconds.

    warmup_ns: the first one and those to warm up. cpu_ns: processor time of each of
    `samples_ns`. outliers: places of those far above the others; waited: of these, the ones
    that spent their time without a processor. slow: places where the processor was not at its
    full pace. middle_ns: the median that is told of them. change: at the same pace.
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
    full = report.paced.full
    first = (report.first_prediction_ns,) if report.first_prediction_ns else ()
    return Course(
        (*first, *report.warmup_ns),
        report.prediction_ns,
        report.prediction_cpu_ns,
        tuple(int(i) for i in outliers),
        waited,
        course_change(report),
        () if full is None else tuple(np.flatnonzero(~full).tolist()),
        float(np.median(report.paced.samples_ns)) if len(wall) else 0.0,
    )


def sentences(found: Course) -> tuple[str, ...]:
    """What is odd about the course, one sentence each."""
    return tuple(_sentences(found))


def _sentences(found: Course) -> Iterator[str]:
    if found.outliers:
        many = units.plural(len(found.outliers), "prediction")
        worst = units.duration(max(found.samples_ns[i] for i in found.outliers))
        share = percent(len(found.outliers) / len(found.samples_ns))
        waited = (
            f"; {len(found.waited):,} of them waited for a processor" if found.waited else ""
        )
        yield f"{many} ({share}) far above the others, at most {worst}{waited}."
    if found.change is not None and found.change.share > 0:
        yield _cause(found, found.change)


def _cause(found: Course, one: Change) -> str:
    """Whether the processor had more to do, or the program less of it."""
    cpu, at = found.cpu_ns, one.at
    if len(cpu) != len(found.samples_ns):
        return "Why it became slower is not known: no processor time was taken."
    before, after = float(np.median(cpu[:at])), float(np.median(cpu[at:]))
    if before and after / before - 1 >= _ALIKE * one.share:
        return (
            "The processor time rose with it: the processor ran slower (heat, power, another "
            "program on its core), not less."
        )
    return "The processor time did not rise with it: other programs took the processor away."


def _limit(wall: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    lower, upper = np.quantile(wall, (0.25, 0.75))
    return float(upper + OUTLIER * max(upper - lower, _LEAST_SPREAD * upper))


def frames(report: PerformanceReport) -> tuple[tuple[int, str], ...]:
    """Frame rates, and the share of predictions that are done within one frame of each."""
    return tuple((rate, percent(fits(report.prediction_ns, rate))) for rate in FRAME_RATES)
