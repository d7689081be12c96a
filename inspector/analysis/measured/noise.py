"""Signs of noise in a measurement: a busy machine, a throttled CPU, a virtual machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from inspector import units
from inspector.analysis.measured.sample_statistics import course_change, two_speeds
from inspector.analysis.verdicts.matched_cpu_speed import full_speed_text
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.report import PerformanceReport

# Shares above which a measurement counts as noisy (judgments).
MAX_WAITING = 0.1  # of the time of a single thread, spent without a CPU core
MAX_LOAD = 0.5  # load average over the number of cores
MAX_STOLEN = 0.02  # of the CPU time of a virtual machine, taken by its host
MAX_SLOWED = 0.5  # of the time, spent below full CPU speed
# Of the runs, at full CPU speed: of fewer, the median may be that of a short lucky moment.
MIN_FULL_SPEED = 0.25
MAX_DRIFT = 0.1  # of the median, from one part of a measurement to the rest
# With these drivers, the governor named "powersave" goes up to full speed and is the default.
_DYNAMIC = ("intel_pstate", "amd-pstate", "amd-pstate-epp")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason not to rely on a measurement: in a few words, and as a sentence.

    busy: whether the reason is what the machine did; else it is how the times look.
    """

    short: str
    sentence: str
    busy: bool = True


def disturbances(report: PerformanceReport) -> tuple[str, ...]:
    """Return the reasons why a measurement is noisy, one sentence each.

    Only what the report recorded can be a reason, so a report without any may still be noisy.
    """
    return tuple(doubt.sentence for doubt in doubts(report))


def doubts(report: PerformanceReport) -> tuple[Doubt, ...]:
    """Return the reasons why a measurement is noisy; CPU speed, which weighs most, first."""
    return tuple(_doubts(report))


def _doubts(report: PerformanceReport) -> Iterator[Doubt]:
    machine, surroundings = report.environment, report.surroundings
    yield from _slower(report)
    yield from _course(report)
    if surroundings.others is not None and surroundings.others > BUSY_CPU_SHARE:
        share = f"{100 * surroundings.others:.0f}%"
        yield Doubt(
            f"others used {share} of CPU",
            f"Other processes used {share} of CPU capacity.",
        )
    waiting = waiting_share(report)
    if waiting is not None and waiting > MAX_WAITING:
        share = f"{100 * waiting:.0f}%"
        yield Doubt(
            f"waited for a CPU core {share} of the time",
            f"The single thread had to wait for a CPU core {share} of the time.",
        )
    if machine.load_average > MAX_LOAD * machine.cores:
        load = f"{machine.load_average:.1f} on {units.plural(machine.cores, 'core')}"
        yield Doubt(
            f"load average {load}", f"The load average was {load} before the measurement."
        )
    if surroundings.stolen is not None and surroundings.stolen > MAX_STOLEN:
        stolen = f"{100 * surroundings.stolen:.0f}%"
        yield Doubt(
            f"the host took {stolen} of the CPU time",
            f"The host took {stolen} of this virtual machine's CPU time.",
        )
    if machine.governor == "powersave" and machine.frequency_driver not in _DYNAMIC:
        yield Doubt(
            "CPU governor is 'powersave'",
            "The CPU governor is 'powersave', which keeps the CPU at its lowest frequency.",
        )


# They take a while for many runs, and a window asks again and again.
_COURSES: WeakKeyDictionary[PerformanceReport, tuple[Doubt, ...]] = WeakKeyDictionary()


def _course(report: PerformanceReport) -> tuple[Doubt, ...]:
    """Return a reason if the runs behind the median had two speeds, or another one later."""
    if report not in _COURSES:
        _COURSES[report] = tuple(_courses(report))
    return _COURSES[report]


def _courses(report: PerformanceReport) -> Iterator[Doubt]:
    samples = report.full_speed_predictions.samples_ns
    shift = course_change(report) if samples else None
    if shift is not None and abs(shift.share) >= MAX_DRIFT:
        direction = "slower" if shift.share > 0 else "faster"
        by = units.apart(1 + shift.share)
        before, after = units.duration(shift.before_ns), units.duration(shift.after_ns)
        yield Doubt(
            f"runs became {by} {direction}",
            f"From run {shift.at + 1} on, runs were {by} {direction}: {before} before, {after} "
            "after.",
            busy=False,
        )
        return
    speeds = two_speeds(samples)
    if speeds is not None:
        low, high = units.duration(speeds.low_ns), units.duration(speeds.high_ns)
        share = f"{100 * speeds.share:.0f}%"
        yield Doubt(
            f"two speeds: {low} and {high}",
            f"Runs had two speeds: {share} took about {low}, the others about {high}.",
            busy=False,
        )


def _slower(report: PerformanceReport) -> Iterator[Doubt]:
    """Yield a reason if the CPU was below full speed most of the time, or all of it."""
    share, slowed = report.pace.share, report.pace.slowed
    at_full, total = report.full_speed_predictions.at_full, len(report.prediction_ns)
    full = full_speed_text(report)
    few = full if full.startswith("none") else f"only {full}"
    short = f"{full} at full CPU speed"
    if at_full == 0 and share is not None and slowed == 1:
        speed = f"{100 * share:.0f}% of full speed"
        yield Doubt(short, f"The CPU was throttled or busy in all runs, at {speed}.")
    elif slowed > MAX_SLOWED:
        message = f"For {100 * slowed:.0f}% of the time, the CPU was slowed by 20% or more"
        sentence = f"{message}; {few} were at full CPU speed." if full else f"{message}."
        yield Doubt(short if full else "the CPU was slowed", sentence)
    elif at_full is not None and total and at_full < MIN_FULL_SPEED * total:
        yield Doubt(short, f"{units.capitalized(few)} were at full CPU speed.")


def waiting_share(report: PerformanceReport) -> float | None:
    """Return the share of time that the only thread spent without a CPU core, 0 to 1.

    None with several threads, or with devices besides the CPU, whose threads wait for them, and
    where CPU times are not known.
    """
    wall, cpu = sum(report.prediction_ns), report.counted_cpu_ns
    if not report.spec.alone or not wall or not cpu:
        return None
    return max(0.0, 1 - sum(cpu) / wall)
