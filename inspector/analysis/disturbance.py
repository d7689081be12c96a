"""Whether something else was in the way of a measurement, and what, as far as it shows."""

from collections.abc import Iterator

from inspector import units
from inspector.equal_pace import share_words
from inspector.machine import MUCH_USED
from inspector.report import PerformanceReport

MUCH_WAITING = 0.1
MUCH_LOAD = 0.5  # of the cores
MUCH_STOLEN = 0.02
MUCH_SLOWED = 0.5  # of the time
# With these drivers "powersave" is the usual name of a governor that goes up to full speed.
_DYNAMIC = ("intel_pstate", "amd-pstate", "amd-pstate-epp")


def disturbances(report: PerformanceReport) -> tuple[str, ...]:
    """Reasons to doubt the latency of a report, one sentence each; none when it was quiet.

    What the report does not know cannot be a reason: without any, it may still have been
    disturbed by something that left no trace.
    """
    return tuple(_reasons(report))


def _reasons(report: PerformanceReport) -> Iterator[str]:
    machine, around = report.environment, report.surroundings
    waited = waiting(report)
    if waited is not None and waited > MUCH_WAITING:
        yield f"The one thread waited {100 * waited:.0f} % of the time for a core."
    if machine.load_average > MUCH_LOAD * machine.cores:
        yield (
            f"The machine was busy before it began: a load of {machine.load_average:.1f} on "
            f"{units.plural(machine.cores, 'core')}."
        )
    if around.others is not None and around.others > MUCH_USED:
        yield f"Other programs used {100 * around.others:.0f} % of all cores meanwhile."
    if around.stolen is not None and around.stolen > MUCH_STOLEN:
        yield f"The host took {100 * around.stolen:.0f} % of this virtual machine's time away."
    yield from _slower(report)
    if machine.governor == "powersave" and machine.frequency_driver not in _DYNAMIC:
        yield "The processor was set to save power: it stays at its lowest frequency."


def _slower(report: PerformanceReport) -> Iterator[str]:
    """That the processor was not at its full pace most of the time, or never."""
    share, slowed = report.pace.share, report.pace.slowed
    if report.paced.at_full == 0 and share is not None and slowed == 1:
        yield f"The processor never ran at its full pace: it was at {100 * share:.0f} % of it."
    elif slowed > MUCH_SLOWED:
        told = "The processor was a fifth or more below its full pace"
        most = f"{100 * slowed:.0f} % of the time"
        ran = share_words(report)
        yield f"{told} {most}: {ran} ran at full pace." if ran else f"{told} {most}."


def waiting(report: PerformanceReport) -> float | None:
    """Share of the time that a single thread did not run; None where several threads may.

    A thread of a device other than the CPU waits for that device, which is no disturbance.
    """
    wall = sum(report.prediction_ns)
    if not report.spec.alone or not wall:
        return None
    return max(0.0, 1 - sum(report.prediction_cpu_ns) / wall)
