"""Two reports at the same pace of the processor: the predictions that can be compared."""

import numpy as np

from inspector import units
from inspector.pace import NEAR, Paced, tolerance
from inspector.report import PerformanceReport, paced_as

_MOSTLY = 0.5


def at_equal_pace(first: PerformanceReport, other: PerformanceReport) -> tuple[Paced, Paced]:
    """Choose the predictions of both at the faster of their paces, if they share a machine.

    What did not reach it has not `enough` of them, and cannot be told from a slower model.
    Another model or other settings may have a pace that is a little different.
    """
    own = _pace_ns(first), _pace_ns(other)
    if all(own) and _machine(first) == _machine(other):
        near = 1.0 if _what(first) == _what(other) else NEAR
        own = own if max(own) <= near * min(own) else (min(own), min(own))
    return paced_as(first, own[0]), paced_as(other, own[1])


def share_words(report: PerformanceReport) -> str:
    """How many predictions ran at full pace: "1,240 of 2,000 predictions"."""
    at_full, taken = report.paced.at_full, len(report.prediction_ns)
    if at_full is None or not taken:
        return ""
    return f"{f'{at_full:,}' if at_full else 'none'} of {units.plural(taken, 'prediction')}"


def _pace_ns(report: PerformanceReport) -> int:
    """The pace that a report kept to, or full pace where it kept to none."""
    pace = report.pace
    fast = np.asarray(pace.probes_ns) <= tolerance(report.spec.alone) * pace.own_ns
    return pace.own_ns if len(fast) and fast.mean() >= _MOSTLY else pace.reference_ns


def _what(report: PerformanceReport) -> tuple[object, ...]:
    """What ran, and how."""
    spec = report.spec
    return report.model.sha256, spec.optimization, spec.threads, spec.execution_mode


def _machine(report: PerformanceReport) -> tuple[object, ...]:
    known = report.environment
    return known.cpu, known.cores, known.system, known.python
