"""The first half of a measurement: what a user's own program would see, nothing added."""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Any

from inspector.engine.measuring import memory
from inspector.engine.measuring.enough import Enough, missed_words
from inspector.engine.measuring.pacing import Pacer
from inspector.engine.measuring.surroundings import Watch
from inspector.engine.measuring.taking import Taking
from inspector.engine.measuring.throughput import throughput
from inspector.engine.sessions import predict, refusals, source
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.raised import REFUSALS
from inspector.engine.sessions.session import create_session
from inspector.errors import BadInput
from inspector.pace import had_core
from inspector.report import Memory, Pace, RunSpec, Surroundings, Throughput

MOST_SAMPLES = 1_000_000
_TELL_NS = 50_000_000
_SHORT_NS = 200_000

Feeds = Mapping[str, predict.Fed]
Tell = Callable[[str, float, tuple[int, ...]], None]
Load = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class CleanPass:
    """Loads, first prediction and latency; fields as in PerformanceReport."""

    loads_ns: tuple[int, ...]
    first_prediction_ns: int
    warmup_ns: tuple[int, ...]
    prediction_ns: tuple[int, ...]
    prediction_cpu_ns: tuple[int, ...]
    memory: Memory
    surroundings: Surroundings
    notes: tuple[str, ...]
    throughput: tuple[Throughput, ...] = ()
    first_predictions_ns: tuple[int, ...] = ()
    compilations_ns: tuple[int, ...] = ()
    pace: Pace = field(default_factory=Pace)

    @property
    def load_ns(self) -> int:
        """The first load, which found nothing warm."""
        return self.loads_ns[0]


Checkpoint = Callable[[CleanPass], None]


def clean_pass(
    model: Path,
    spec: RunSpec,
    units: Sequence[Unit],
    feeds: Feeds,
    folder: Path,
    tell: Tell,
    known_ns: int = 0,
    taking: Taking | None = None,
    checkpoint: Checkpoint = lambda clean: None,
) -> CleanPass:
    """Load a model from its file and predict; the session is gone afterwards.

    folder: private, takes what a provider keeps of a model that it compiled.
    known_ns: what a probe of the pace takes at full pace here; 0: not known. taking: the turns
    of the predictions, if another measurement has the others. checkpoint: hears what is known
    before the predictions that are sampled, and after them.
    Raises BadInput: a feed does not fit. EngineFailed: the runtime refused.
    """
    read, compilations = _compiled(model, spec, units, folder, tell)

    def load() -> Any:
        body, beside = source.given(read, spec)
        return create_session(body, spec, units, external_folder=beside)

    pacer = Pacer(known_ns, spec.only_cpu, spec.alone)
    done = _predictions(load, spec, feeds, tell, pacer, taking or Taking(), checkpoint)
    # The session of `_predictions` is gone with its frame: what is still held is not in use.
    closed_bytes = memory.resident_bytes()
    trimmed_bytes = memory.resident_bytes() if memory.give_back() else 0
    held = replace(done.memory, closed_bytes=closed_bytes, trimmed_bytes=trimmed_bytes)
    again = [_again(load, spec, feeds, tell) for _ in range(spec.loads - 1)]
    return replace(
        done,
        loads_ns=(*done.loads_ns, *(load_ns for load_ns, _ in again)),
        first_predictions_ns=(done.first_prediction_ns, *(first for _, first in again)),
        compilations_ns=compilations,
        memory=held,
        notes=(*done.notes, *source.notes(model, spec)),
    )


def _compiled(
    model: Path, spec: RunSpec, units: Sequence[Unit], folder: Path, tell: Tell
) -> tuple[Path, tuple[int, ...]]:
    """What is loaded, and how long a provider took to make it each time, if it did."""
    read, took = model, []
    for _ in range(spec.loads if spec.load_from == source.COMPILED else 0):
        tell("compile", -1, ())
        began = perf_counter_ns()
        read = source.compiled(model, spec, units, folder)
        took.append(perf_counter_ns() - began)
    return read, tuple(took)


def _predictions(
    load: Load,
    spec: RunSpec,
    feeds: Feeds,
    tell: Tell,
    pacer: Pacer,
    taking: Taking,
    checkpoint: Checkpoint,
) -> CleanPass:
    start_bytes = memory.resident_bytes()
    tell("load", -1, ())
    began = perf_counter_ns()
    session = load()
    load_ns = perf_counter_ns() - began
    loaded_bytes, loaded_peak = memory.resident_bytes(), memory.peak_bytes()
    tell("first prediction", -1, ())
    run = predict.runner(session, feeds, spec.binding, spec.cast)
    try:
        first_ns = _timed(run)
        first_bytes, first_peak = memory.resident_bytes(), memory.peak_bytes()
        tell("warm-up", -1, ())
        warmup = tuple(_timed(run) for _ in range(spec.warmup))
        so_far = Memory(
            start_bytes, loaded_bytes, first_bytes, first_bytes, first_peak, weights_bytes=0
        )
        checkpoint(CleanPass((load_ns,), first_ns, warmup, (), (), so_far, Surroundings(), ()))
        gc.collect()  # not in the middle of a prediction
        watch = Watch()
        wall, cpu = _samples(run, spec, tell, pacer, taking, watch)
        surroundings = watch.seen()
        end_bytes, peak_bytes = memory.resident_bytes(), memory.peak_bytes()
        at_once = throughput(session, feeds, spec, tell)
    except BadInput:
        raise
    except REFUSALS as error:
        raise refusals.refused(error, "Could not predict", "prediction") from error
    held = Memory(
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
    done = replace(done, throughput=at_once, pace=pace)
    checkpoint(done)
    return done


def _again(load: Load, spec: RunSpec, feeds: Feeds, tell: Tell) -> tuple[int, int]:
    """Load once more, and predict once: nanoseconds of both."""
    tell("load again", -1, ())
    began = perf_counter_ns()
    session = load()
    load_ns = perf_counter_ns() - began
    run = predict.runner(session, feeds, spec.binding, spec.cast)
    return load_ns, _timed(run)


def _timed(work: Callable[[], object]) -> int:
    began = perf_counter_ns()
    work()
    return perf_counter_ns() - began


def _samples(
    run: predict.Run, spec: RunSpec, tell: Tell, pacer: Pacer, taking: Taking, watch: Watch
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Predict until the number of runs and the time are reached, and the median is sure."""
    wall: list[int] = []
    cpu: list[int] = []
    begun = told = perf_counter_ns()
    end, ran = Enough(spec, pacer.enough), not spec.alone
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
        if now - told > _TELL_NS:
            told = now
            tell("prediction", end.share(len(wall), spent), tuple(wall))
        cpu_began, began = process_time_ns(), perf_counter_ns()
        run()
        ended, cpu_ended = perf_counter_ns(), process_time_ns()
        wall.append(ended - began)
        cpu.append(cpu_ended - cpu_began)
        ran = ran or had_core(wall[-1], cpu[-1])
    pacer.take(len(wall), ran)
    tell("prediction", 1, tuple(wall))
    return tuple(wall), tuple(cpu)


def _notes(wall: Sequence[int], spec: RunSpec) -> tuple[str, ...]:
    found = []
    if len(wall) >= MOST_SAMPLES:
        found.append(f"Sampling ended after {MOST_SAMPLES:,} predictions, the most it keeps.")
    missed = missed_words(wall, spec)
    if missed:
        found.append(missed)
    return tuple(found)
