"""The first half of a measurement: what a user's own program would see, nothing added."""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from time import perf_counter_ns, process_time_ns, thread_time_ns
from typing import Any

from msgspec import Struct, field, structs

from inspector.backends.base import MeasureRequest
from inspector.backends.measuring import process_state
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.errors import BadInput, EngineFailed
from inspector.model.model import WeightInfo
from inspector.platform.heap import trim_heap
from inspector.report.environment import Environment, MemoryUse, SystemLoad
from inspector.report.report import Device, LoadCache, PerformanceReport, Throughput
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed, had_core
from inspector.statistics.intervals import relative_half_width
from inspector.trace.trace import COLUMNS, from_columns
from inspector.wording.values import Count, Sentence

_LEAST = 16
_FURTHER = 1.25
_AGAIN_NS = 100_000_000
_SURELY = 0.9  # the interval of the same samples may be a little wider
MOST_SAMPLES = 1_000_000
_TELL_NS = 50_000_000
_SHORT_NS = 200_000
# Reading a thread's clock is a system call of 1 to 5 µs; one that takes this long waited for a
# core. Linux 6.18 takes the core away on the way back from such a call: beside 14 processes on
# 2 cores, nearly all waits fell between predictions of 40 µs, and p99 of all predictions was
# 3 ms where a loop without these clocks met 40 ms. So such a wait belongs to the prediction.
_WAITED_NS = 500_000


class StoppingRule:
    """Decides when there are enough runs: by number, by time, or once the median is sure.

    Computing the interval takes time, so it is done rarely.

    steady: says at a time in nanoseconds whether enough predictions ran at full pace.
    narrow: half of the median's interval as a share when it was looked at last, None before.
    looked: whether it was just looked at; the caller sets it back.
    """

    def __init__(
        self, spec: RunSpec, steady: Callable[[int], bool] = lambda spent_ns: True
    ) -> None:
        self._spec, self._steady = spec, steady
        self._longest = 0  # when it ends though the pace was not full
        self._at, self._when = max(_LEAST, spec.runs), 0
        self.narrow: float | None = None
        self.looked = False

    def reached(self, samples_ns: Sequence[int], spent_ns: int) -> bool:
        """Return whether these samples, taken in that time, are enough."""
        if not self._sure(samples_ns, spent_ns):
            return False
        if not self._longest:
            self._longest = spent_ns + int(self._spec.steady * 1e9)
        return spent_ns >= self._longest or self._steady(spent_ns)

    def _sure(self, samples_ns: Sequence[int], spent_ns: int) -> bool:
        """Return whether number, time and interval are reached."""
        spec, count = self._spec, len(samples_ns)
        if count < spec.runs or spent_ns < int(spec.seconds * 1e9):
            return False
        if not spec.until or spent_ns >= int(spec.most_seconds * 1e9):
            return True
        if count >= self._at and spent_ns >= self._when:
            self.narrow, self.looked = relative_half_width(samples_ns), True
            self._at, self._when = int(count * _FURTHER) + 1, spent_ns + _AGAIN_NS
            return self.narrow is not None and self.narrow <= _SURELY * spec.until
        return False

    def share(self, count: int, spent_ns: int) -> float:
        """Return how far it is, 0 to 1: the interval narrows with the square root of the
        samples.

        Negative where nobody knows: the processor's full pace is waited for.
        """
        spec = self._spec
        if self._longest:
            return -1.0
        by_runs = count / spec.runs if spec.runs else 1.0
        by_time = spent_ns / (spec.seconds * 1e9) if spec.seconds else 1.0
        if not spec.until:
            return min(1.0, by_runs, by_time)
        sure = min(1.0, (spec.until / self.narrow) ** 2) if self.narrow else 0.0
        late = spent_ns / (spec.most_seconds * 1e9) if spec.most_seconds else 1.0
        return min(1.0, by_runs, by_time, max(sure, late))


def missed_precision_note(samples_ns: Sequence[int], spec: RunSpec) -> str:
    """Return a note if the time ran out before the median reached the target precision."""
    width = relative_half_width(samples_ns) if spec.until else None
    if width is None or width <= spec.until:
        return ""
    return Sentence(
        "The median is known only to ±{value}%, not to ±{value2}%, after {most_seconds} s.",
        f"{100 * width:.2g}",
        f"{100 * spec.until:g}",
        f"{spec.most_seconds:g}",
    )


Tell = Callable[[str, float, tuple[int, ...]], None]


class CleanPass(Struct, frozen=True):
    """Loads, first prediction and latency; fields as in PerformanceReport.

    off_core_ns: for how long of each prediction the thread that asked for it had no CPU core.
    """

    loads_ns: tuple[int, ...]
    first_prediction_ns: int
    warmup_ns: tuple[int, ...]
    prediction_ns: tuple[int, ...]
    prediction_cpu_ns: tuple[int, ...]
    memory: MemoryUse
    surroundings: SystemLoad
    notes: tuple[str, ...]
    throughput: tuple[Throughput, ...] = ()
    first_predictions_ns: tuple[int, ...] = ()
    compilations_ns: tuple[int, ...] = ()
    pace: CpuSpeed = field(default_factory=CpuSpeed)
    off_core_ns: tuple[int, ...] = ()
    load_cache: LoadCache | None = None

    @property
    def load_ns(self) -> int:
        """The first load, which found nothing warm."""
        return self.loads_ns[0]


Checkpoint = Callable[[CleanPass], None]


class Timed(Struct, frozen=True):
    """What is timed: how a runtime loads a model and predicts.

    load: loads and returns a session. prepare: returns what predicts once with a session.
    concurrent: measures several predictions at once in a session. failed: makes an error of
    one that the runtime raised, of the types in `refusals`. look: called before and after each
    load, and not timed.
    """

    load: Callable[[], Any]
    prepare: Callable[[Any], Callable[[], object]]
    concurrent: Callable[[Any], tuple[Throughput, ...]]
    refusals: tuple[type[Exception], ...]
    failed: Callable[[Exception], EngineFailed]
    look: Callable[[], None] = lambda: None


def clean_pass(
    timed: Timed,
    spec: RunSpec,
    tell: Tell,
    known_ns: int = 0,
    taking: TurnTaker | None = None,
    checkpoint: Checkpoint = lambda clean: None,
) -> CleanPass:
    """Load a model and predict; the session is gone afterwards.

    known_ns: what a probe of the pace takes at full pace here; 0: not known. taking: the turns
    of the predictions, if another measurement has the others. checkpoint: hears what is known
    before the predictions that are sampled, and after them.
    Raises BadInput: a feed does not fit. EngineFailed: the runtime refused.
    """
    pacer = CpuSpeedProbe(known_ns, spec.only_cpu, spec.alone)
    done = _predictions(timed, spec, tell, pacer, taking or TurnTaker(), checkpoint)
    # The session of `_predictions` is gone with its frame: what is still held is not in use.
    closed_bytes = process_state.resident_bytes()
    trimmed_bytes = process_state.resident_bytes() if trim_heap() else 0
    held = replace(done.memory, closed_bytes=closed_bytes, trimmed_bytes=trimmed_bytes)
    again = [_again(timed, tell) for _ in range(spec.loads - 1)]
    return structs.replace(
        done,
        loads_ns=(*done.loads_ns, *(load_ns for load_ns, _ in again)),
        first_predictions_ns=(done.first_prediction_ns, *(first for _, first in again)),
        memory=held,
    )


def _predictions(
    timed: Timed,
    spec: RunSpec,
    tell: Tell,
    pacer: CpuSpeedProbe,
    taking: TurnTaker,
    checkpoint: Checkpoint,
) -> CleanPass:
    start_bytes = process_state.resident_bytes()
    tell("load", -1, ())
    timed.look()
    began = perf_counter_ns()
    session = timed.load()
    load_ns = perf_counter_ns() - began
    timed.look()
    loaded_bytes, loaded_peak = process_state.resident_bytes(), process_state.peak_bytes()
    tell("first prediction", -1, ())
    run = timed.prepare(session)
    try:
        first_ns = _timed(run)
        first_bytes, first_peak = process_state.resident_bytes(), process_state.peak_bytes()
        tell("warm-up", -1, ())
        warmup = tuple(_timed(run) for _ in range(spec.warmup))
        so_far = MemoryUse(
            start_bytes, loaded_bytes, first_bytes, first_bytes, first_peak, weights_bytes=0
        )
        checkpoint(CleanPass((load_ns,), first_ns, warmup, (), (), so_far, SystemLoad(), ()))
        gc.collect()  # not in the middle of a prediction
        watch = SystemLoadMonitor()
        wall, cpu, off_core = _samples(run, spec, tell, pacer, taking, watch)
        surroundings = watch.load()
        end_bytes, peak_bytes = process_state.resident_bytes(), process_state.peak_bytes()
        at_once = timed.concurrent(session)
    except BadInput:
        raise
    except timed.refusals as error:
        raise timed.failed(error) from error
    held = MemoryUse(
        start_bytes,
        loaded_bytes,
        first_bytes,
        end_bytes,
        peak_bytes,
        weights_bytes=0,  # the reader tells later: here it would count as the model's memory
        loaded_peak_bytes=loaded_peak,
        first_prediction_peak_bytes=first_peak,
    )
    notes, pace = _notes(wall, spec), pacer.pace()
    done = CleanPass((load_ns,), first_ns, warmup, wall, cpu, held, surroundings, notes)
    done = structs.replace(done, throughput=at_once, pace=pace, off_core_ns=off_core)
    checkpoint(done)
    return done


def _again(timed: Timed, tell: Tell) -> tuple[int, int]:
    """Load once more, and predict once: nanoseconds of both."""
    tell("load again", -1, ())
    timed.look()
    began = perf_counter_ns()
    session = timed.load()
    load_ns = perf_counter_ns() - began
    timed.look()
    return load_ns, _timed(timed.prepare(session))


def _timed(work: Callable[[], object]) -> int:
    began = perf_counter_ns()
    work()
    return perf_counter_ns() - began


def _samples(
    run: Callable[[], object],
    spec: RunSpec,
    tell: Tell,
    pacer: CpuSpeedProbe,
    taking: TurnTaker,
    watch: SystemLoadMonitor,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Predict until the number of runs and the time are reached, and the median is sure.

    Returns for each prediction its time, the processor time of all threads in it, and for how
    long this thread had no core. A wait for a core that fell into reading the clocks of a
    prediction counts as its own.
    """
    wall: list[int] = []
    cpu: list[int] = []
    off_core: list[int] = []
    begun = last_report = perf_counter_ns()
    end, ran = StoppingRule(spec, pacer.enough), not spec.alone
    while len(wall) < MOST_SAMPLES:
        now = perf_counter_ns()
        spent = now - begun - taking.away_ns
        if end.reached(wall, spent):
            break
        if taking.over(len(wall), now):
            if wall:
                pacer.take(len(wall), ran)
            taking.wait(len(wall), run, watch)
            continue
        probed = pacer.due(now)
        if probed:
            pacer.take(len(wall), ran)
            ran = not spec.alone
        if end.looked or (probed and wall and wall[-1] < _SHORT_NS):
            end.looked = False
            run()  # looking has cooled the caches down: this one does not count
        if now - last_report > _TELL_NS:
            last_report = now
            tell("prediction", end.share(len(wall), spent), tuple(wall))
        before, cpu_began, own_began = perf_counter_ns(), process_time_ns(), thread_time_ns()
        began = perf_counter_ns()
        run()
        ended, own_ended, cpu_ended = perf_counter_ns(), thread_time_ns(), process_time_ns()
        waits = began - before, perf_counter_ns() - ended
        wall.append(ended - began + sum(wait for wait in waits if wait > _WAITED_NS))
        cpu.append(cpu_ended - cpu_began)
        off_core.append(wall[-1] - (own_ended - own_began))
        ran = ran or had_core(wall[-1], cpu[-1])
    pacer.take(len(wall), ran)
    tell("prediction", 1, tuple(wall))
    return tuple(wall), tuple(cpu), tuple(off_core)


def _notes(wall: Sequence[int], spec: RunSpec) -> tuple[str, ...]:
    notes = list[str]()
    if len(wall) >= MOST_SAMPLES:
        notes.append(
            Sentence(
                "The measurement ended after {most_samples} runs, the maximum.",
                Count(MOST_SAMPLES),
            )
        )
    missed = missed_precision_note(wall, spec)
    if missed:
        notes.append(missed)
    return tuple(notes)


def report_without_layers(
    request: MeasureRequest,
    clean: CleanPass,
    machine: Environment,
    devices: tuple[Device, ...],
    weights: Iterable[WeightInfo],
    compilations_ns: tuple[int, ...] = (),
) -> PerformanceReport:
    """Return the report of a runtime whose layer times come from a second pass, before it."""
    sizes = sum(weight.size_bytes or 0 for weight in weights)
    return PerformanceReport(
        model=request.identity,
        spec=request.spec,
        environment=machine,
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        load_ns=clean.load_ns,
        first_prediction_ns=clean.first_prediction_ns,
        prediction_ns=clean.prediction_ns,
        prediction_cpu_ns=clean.prediction_cpu_ns,
        memory=replace(clean.memory, weights_bytes=sizes),
        devices=devices,
        layers=(),
        inserted=(),
        kernel_ns=0,
        trace=from_columns((), (), dict.fromkeys(COLUMNS, ())),
        surroundings=clean.surroundings,
        loads_ns=clean.loads_ns,
        warmup_ns=clean.warmup_ns,
        throughput=clean.throughput,
        first_predictions_ns=clean.first_predictions_ns,
        compilations_ns=compilations_ns,
        pace=clean.pace,
        notes=clean.notes,
    )
