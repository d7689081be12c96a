"""What measures a model for sweeps and searches: alone, or two settings in turns, in fresh
processes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from threading import Event
from typing import TypeVar

from msgspec import structs

from inspector.app.subjects import LengthGuesses, Subject
from inspector.backends.interleaving import Pair, fits_in_memory
from inspector.engine import requests
from inspector.engine.client.engine import Engine
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning

State = TypeVar("State", bound=Sweep | Tuning)
_COURTESY_SECONDS = 0.15  # others who wait for their turn look every tenth of a second


def with_notes(states: Iterator[State], guesses: LengthGuesses) -> Iterator[State]:
    """Yield the states of a sweep or a search with the notes on what was guessed by then."""
    for state in states:
        notes = tuple(dict.fromkeys((*state.notes, *guesses.notes)))
        yield replace(state, notes=notes) if notes != state.notes else state


Measure = Callable[[int, RunSpec], PerformanceReport]
MeasurePair = Callable[[RunSpec, RunSpec, int], Pair]
"""Measures two settings whose predictions take turns; the number says which begins."""


def measure_function(
    engine: Engine,
    models: Sequence[Subject],
    guesses: LengthGuesses | None = None,
    layers: bool = False,
) -> Measure:
    """Return what measures one of the models with a spec, in a fresh process.

    guesses: lengths for models that fail with the default ones. layers: whether the first
    measurement of each model and spec also profiles one run, after the latency was measured,
    because only a profile tells which layers the device ran.
    """
    guesses = guesses or LengthGuesses(engine)
    pause = Event()
    profiled: set[tuple[int, RunSpec]] = set()

    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        pause.wait(_COURTESY_SECONDS)

        def work(subject: Subject) -> PerformanceReport:
            request, feeds = subject.request()
            runs = int(layers and (number, spec) not in profiled)
            request = replace(request, profiled_runs=runs)
            report = engine.measure(subject.path, subject.identity, request, feeds)
            profiled.add((number, spec))
            return report

        return guesses.run(models[number].at(spec), work)

    return measure


def pair_function(
    engine: Engine, subject: Subject, guesses: LengthGuesses | None = None
) -> MeasurePair:
    """Return a function that measures a model with two specs, interleaved.

    Where memory has no room for both at once, one is measured after the other. guesses: as for
    `measure_function`.
    """
    guesses = guesses or LengthGuesses(engine)
    pause = Event()
    size = max(
        subject.model.size_bytes, sum(one.size_bytes or 0 for one in subject.model.weights)
    )

    def measure(first: RunSpec, other: RunSpec, begins: int) -> Pair:
        pause.wait(_COURTESY_SECONDS)

        def work(one: Subject) -> Pair:
            two = subject.at(other)
            two = structs.replace(two, dimensions={**one.dimensions, **two.dimensions})
            runs = [each.request() for each in (one, two)]
            pair = [replace(spec, profiled_runs=0) for spec, _ in runs]
            feeds, others = (each for _, each in runs)
            same = one.dimensions == two.dimensions
            if fits_in_memory((size, size)):
                specs = pair[0], pair[1]
                return engine.call(
                    requests.MeasurePair(
                        one.path, one.identity, specs, feeds, begins, None if same else others
                    )
                )
            sides = [*zip(pair, (feeds, feeds if same else others), strict=True)]
            reports = [
                engine.measure(one.path, one.identity, *side)
                for side in sides[:: -1 if begins else 1]
            ]
            return (reports[begins], reports[1 - begins])

        return guesses.run(subject.at(first), work)

    return measure
