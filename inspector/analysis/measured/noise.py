"""Signs of noise in a measurement: a busy machine, a throttled CPU, a virtual machine."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.measured.sample_statistics import course_change, two_speeds
from inspector.platform.weak_cache import weak_cache
from inspector.report.environment import BUSY_CPU_SHARE
from inspector.report.report import PerformanceReport
from inspector.wording.values import Count, Duration, Real, Sentence, Value

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
_FEW = {  # some runs were at full CPU speed
    True: "Only {some} of {runs} were at full CPU speed.",
    False: "None of {runs} were at full CPU speed.",
}
_SLOWED = {  # (it is known how many runs were at full CPU speed, some were)
    (True, True): "For {slowed} of the time, the CPU was slowed by 20% or more; only {some} of "
    "{runs} were at full CPU speed.",
    (
        True,
        False,
    ): "For {slowed} of the time, the CPU was slowed by 20% or more; none of {runs} "
    "were at full CPU speed.",
    (False, False): "For {slowed} of the time, the CPU was slowed by 20% or more.",
}


class Doubt(Struct, frozen=True):
    """A reason not to rely on a measurement: in a few words, and as a sentence.

    busy: whether the reason is what the machine did; else it is how the times look. slow:
    whether it is the speed of the CPU alone, which idle programs do not raise.
    """

    short: Sentence
    sentence: Sentence
    busy: bool = True
    slow: bool = False


def disturbances(report: PerformanceReport) -> tuple[Sentence, ...]:
    """Return the reasons why a measurement is noisy, one sentence each.

    Only what the report recorded can be a reason, so a report without any may still be noisy.
    """
    return tuple(doubt.sentence for doubt in doubts(report))


def doubts(report: PerformanceReport) -> tuple[Doubt, ...]:
    """Return the reasons why a measurement is noisy; what other programs did first."""
    return tuple(_doubts(report))


def _doubt(short: str, sentence: str, busy: bool = True, **values: Value) -> Doubt:
    return Doubt(Sentence(short, **values), Sentence(sentence, **values), busy)


def _doubts(report: PerformanceReport) -> Iterator[Doubt]:
    machine, surroundings = report.environment, report.surroundings
    if surroundings.others is not None and surroundings.others > BUSY_CPU_SHARE:
        yield _doubt(
            "other programs used {share} of the CPU",
            "Other programs used {share} of the CPU.",
            share=_percent(surroundings.others),
        )
    for doubt in _slower(report):
        yield replace(doubt, slow=True)
    yield from _course(report)
    waiting = waiting_share(report)
    if waiting is not None and waiting > MAX_WAITING:
        yield _doubt(
            "waited for a CPU core {share} of the time",
            "The single thread had to wait for a CPU core {share} of the time.",
            share=_percent(waiting),
        )
    if machine.load_average > MAX_LOAD * machine.cores:
        yield _doubt(
            "load average {load} on {cores}",
            "The load average was {load} on {cores} before the measurement.",
            load=Real(round(machine.load_average, 1)),
            cores=Count(machine.cores, "core"),
        )
    if surroundings.stolen is not None and surroundings.stolen > MAX_STOLEN:
        yield _doubt(
            "the host took {share} of the CPU time",
            "The host took {share} of this virtual machine's CPU time.",
            share=_percent(surroundings.stolen),
        )
    if machine.governor == "powersave" and machine.frequency_driver not in _DYNAMIC:
        yield _doubt(
            "CPU governor is 'powersave'",
            "The CPU governor is 'powersave', which keeps the CPU at its lowest frequency.",
        )


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


@weak_cache
def _course(report: PerformanceReport) -> tuple[Doubt, ...]:
    """Return a reason if the runs behind the median had two speeds, or another one later."""
    return tuple(_courses(report))


def _courses(report: PerformanceReport) -> Iterator[Doubt]:
    samples = report.full_speed_predictions.samples_ns
    shift = course_change(report) if samples else None
    if shift is not None and abs(shift.share) >= MAX_DRIFT:
        slower = shift.share > 0
        yield _doubt(
            "runs became {by} slower" if slower else "runs became {by} faster",
            "From run {first} on, runs were {by} slower: {before} before, {after} after."
            if slower
            else "From run {first} on, runs were {by} faster: {before} before, {after} after.",
            busy=False,
            first=Count(shift.at + 1),
            by=units.apart(1 + shift.share),
            before=Duration(shift.before_ns),
            after=Duration(shift.after_ns),
        )
        return
    speeds = two_speeds(samples)
    if speeds is not None:
        yield _doubt(
            "two speeds: {low} and {high}",
            "Runs had two speeds: {share} took about {low}, the others about {high}.",
            busy=False,
            low=Duration(speeds.low_ns),
            high=Duration(speeds.high_ns),
            share=_percent(speeds.share),
        )


def _slower(report: PerformanceReport) -> Iterator[Doubt]:
    """Yield a reason if the CPU was below full speed most of the time, or all of it."""
    share, slowed = report.pace.share, report.pace.slowed
    at_full, total = report.full_speed_predictions.at_full, len(report.prediction_ns)
    known = at_full is not None and total > 0
    values: dict[str, Value] = {"some": Count(at_full or 0), "runs": Count(total, "run")}
    short = (
        "{some} of {runs} at full CPU speed" if at_full else "none of {runs} at full CPU speed"
    )
    if at_full == 0 and share is not None and slowed == 1:
        text = "The CPU was throttled or busy in all runs, at {speed} of full speed."
        yield _doubt(short, text, True, speed=_percent(share), **values)
    elif slowed > MAX_SLOWED:
        values["slowed"] = _percent(slowed)
        head = short if known else "the CPU was slowed"
        yield _doubt(head, _SLOWED[known, bool(at_full)], True, **values)
    elif at_full is not None and total and at_full < MIN_FULL_SPEED * total:
        yield _doubt(short, _FEW[bool(at_full)], True, **values)


def waiting_share(report: PerformanceReport) -> float | None:
    """Return the share of time that the only thread spent without a CPU core, 0 to 1.

    None with several threads, or with devices besides the CPU, whose threads wait for them, and
    where CPU times are not known.
    """
    wall, cpu = sum(report.prediction_ns), report.counted_cpu_ns
    if not report.spec.alone or not wall or not cpu:
        return None
    return max(0.0, 1 - sum(cpu) / wall)
