"""Matched CPU speed: select the runs of two reports that can be compared."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.report.report import PerformanceReport, counted_predictions
from inspector.statistics.cpu_speed import OTHER_MODEL_TOLERANCE, CountedPredictions, tolerance

# Share of probes at the fastest own speed, from which that speed counts as typical.
_MAJORITY = 0.5


def at_matched_speed(
    first: PerformanceReport, other: PerformanceReport
) -> tuple[CountedPredictions, CountedPredictions]:
    """Choose the predictions of both at the faster of their paces, if they share a machine.

    A side that did not reach it has too few of them, and cannot be distinguished from a slower
    model. Another model or other settings may have a pace that is a little different.
    """
    own = matched_speed_ns(
        (_speed_ns(first), _speed_ns(other)),
        machine_identity(first) == machine_identity(other),
        run_identity(first) == run_identity(other),
    )
    return counted_predictions(first, own[0]), counted_predictions(other, own[1])


def matched_speed_ns(
    own: tuple[int, int], same_machine: bool, same_run: bool
) -> tuple[int, int]:
    """Return the duration of a full-speed probe for both sides, from their typical speeds.

    same_run: the same model with the same settings.
    """
    tolerated = 1.0 if same_run else OTHER_MODEL_TOLERANCE
    if not all(own) or not same_machine or max(own) <= tolerated * min(own):
        return own
    return min(own), min(own)


def full_speed_text(report: PerformanceReport) -> str:
    """Return how many runs were at full CPU speed: "1,240 of 2,000 runs"."""
    at_full, total = report.full_speed_predictions.at_full, len(report.prediction_ns)
    if at_full is None or not total:
        return ""
    return f"{f'{at_full:,}' if at_full else 'none'} of {units.plural(total, 'run')}"


def typical_speed_ns(
    probes_ns: Sequence[int] | NDArray[np.int64],
    own_ns: int,
    reference_ns: int,
    single_threaded: bool,
) -> int:
    """Return the duration of a typical CPU-speed probe, or one at full speed, in nanoseconds.

    own_ns: their fastest. single_threaded: one thread did all the work.
    """
    fast = np.asarray(probes_ns) <= tolerance(single_threaded) * own_ns
    return own_ns if len(fast) and fast.mean() >= _MAJORITY else reference_ns


def run_identity(report: PerformanceReport) -> tuple[object, ...]:
    """Return the settings that make two reports comparable runs."""
    spec = report.spec
    return report.model.sha256, spec.optimization, spec.threads, spec.execution_mode


def machine_identity(report: PerformanceReport) -> tuple[object, ...]:
    """Return the facts that identify the machine of a report."""
    environment = report.environment
    return environment.cpu, environment.cores, environment.system, environment.python


def _speed_ns(report: PerformanceReport) -> int:
    speed = report.pace
    return typical_speed_ns(
        speed.probes_ns, speed.own_ns, speed.reference_ns, report.spec.alone
    )
