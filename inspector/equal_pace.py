"""Two reports at the same pace of the processor: the predictions that can be compared."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.pace import NEAR, Paced, tolerance
from inspector.report import PerformanceReport, paced_as

_MOSTLY = 0.5


def at_equal_pace(first: PerformanceReport, other: PerformanceReport) -> tuple[Paced, Paced]:
    """Choose the predictions of both at the faster of their paces, if they share a machine.

    What did not reach it has not `enough` of them, and cannot be told from a slower model.
    Another model or other settings may have a pace that is a little different.
    """
    own = equal_ns(
        (_pace_ns(first), _pace_ns(other)),
        machine(first) == machine(other),
        what(first) == what(other),
    )
    return paced_as(first, own[0]), paced_as(other, own[1])


def equal_ns(own: tuple[int, int], same_machine: bool, same: bool) -> tuple[int, int]:
    """What a probe takes at full pace on both sides, from the paces that they kept to.

    same: the same model with the same settings.
    """
    near = 1.0 if same else NEAR
    if not all(own) or not same_machine or max(own) <= near * min(own):
        return own
    return min(own), min(own)


def share_words(report: PerformanceReport) -> str:
    """How many predictions ran at full pace: "1,240 of 2,000 predictions"."""
    at_full, taken = report.paced.at_full, len(report.prediction_ns)
    if at_full is None or not taken:
        return ""
    return f"{f'{at_full:,}' if at_full else 'none'} of {units.plural(taken, 'prediction')}"


def kept_ns(
    probes_ns: Sequence[int] | NDArray[np.int64], own_ns: int, reference_ns: int, alone: bool
) -> int:
    """The pace that probes kept to, or full pace where they kept to none.

    own_ns: their fastest. alone: one thread did all the work.
    """
    fast = np.asarray(probes_ns) <= tolerance(alone) * own_ns
    return own_ns if len(fast) and fast.mean() >= _MOSTLY else reference_ns


def what(report: PerformanceReport) -> tuple[object, ...]:
    """What ran, and how."""
    spec = report.spec
    return report.model.sha256, spec.optimization, spec.threads, spec.execution_mode


def machine(report: PerformanceReport) -> tuple[object, ...]:
    """Where it ran."""
    known = report.environment
    return known.cpu, known.cores, known.system, known.python


def _pace_ns(report: PerformanceReport) -> int:
    pace = report.pace
    return kept_ns(pace.probes_ns, pace.own_ns, pace.reference_ns, report.spec.alone)
