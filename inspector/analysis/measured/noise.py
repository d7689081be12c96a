"""Signs of noise in a measurement: a busy machine, a throttled CPU, a virtual machine."""

from collections.abc import Iterator

from inspector import units
from inspector.analysis.verdicts.matched_cpu_speed import full_speed_text
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.report import PerformanceReport

# Shares above which a measurement counts as noisy (judgments).
MAX_WAITING = 0.1  # of the time of a single thread, spent without a CPU core
MAX_LOAD = 0.5  # load average over the number of cores
MAX_STOLEN = 0.02  # of the CPU time of a virtual machine, taken by its host
MAX_SLOWED = 0.5  # of the time, spent below full CPU speed
# With these drivers, the governor named "powersave" goes up to full speed and is the default.
_DYNAMIC = ("intel_pstate", "amd-pstate", "amd-pstate-epp")


def disturbances(report: PerformanceReport) -> tuple[str, ...]:
    """Return the reasons why a measurement is noisy, one sentence each.

    Only what the report recorded can be a reason, so a report without any may still be noisy.
    """
    return tuple(_reasons(report))


def _reasons(report: PerformanceReport) -> Iterator[str]:
    machine, surroundings = report.environment, report.surroundings
    waiting = waiting_share(report)
    if waiting is not None and waiting > MAX_WAITING:
        yield f"The single thread had to wait for a CPU core {100 * waiting:.0f}% of the time."
    if machine.load_average > MAX_LOAD * machine.cores:
        yield (
            f"The load average was {machine.load_average:.1f} on "
            f"{units.plural(machine.cores, 'core')} before the measurement."
        )
    if surroundings.others is not None and surroundings.others > BUSY_CPU_SHARE:
        yield f"Other processes used {100 * surroundings.others:.0f}% of CPU capacity."
    if surroundings.stolen is not None and surroundings.stolen > MAX_STOLEN:
        stolen = f"{100 * surroundings.stolen:.0f}%"
        yield f"The host took {stolen} of this virtual machine's CPU time."
    yield from _slower(report)
    if machine.governor == "powersave" and machine.frequency_driver not in _DYNAMIC:
        yield "The CPU governor is 'powersave', which keeps the CPU at its lowest frequency."


def _slower(report: PerformanceReport) -> Iterator[str]:
    """Yield a sentence if the CPU was below full speed most of the time, or all of it."""
    share, slowed = report.pace.share, report.pace.slowed
    if report.full_speed_predictions.at_full == 0 and share is not None and slowed == 1:
        speed = f"{100 * share:.0f}% of full speed"
        yield f"The CPU was throttled or busy in all runs, at {speed}."
    elif slowed > MAX_SLOWED:
        message = f"For {100 * slowed:.0f}% of the time, the CPU was slowed by 20% or more"
        full = full_speed_text(report)
        few = full if full.startswith("none") else f"only {full}"
        yield f"{message}; {few} were at full CPU speed." if full else f"{message}."


def waiting_share(report: PerformanceReport) -> float | None:
    """Return the share of time that the only thread spent without a CPU core, 0 to 1.

    None with several threads, or with devices besides the CPU, whose threads wait for them, and
    where CPU times are not known.
    """
    wall, cpu = sum(report.prediction_ns), report.counted_cpu_ns
    if not report.spec.alone or not wall or not cpu:
        return None
    return max(0.0, 1 - sum(cpu) / wall)
