"""Sweeps and searches for the fastest settings: on their engines, with notes and the time left.

`runner.py` works through the cells of a sweep, `tuner.py` through the settings of a search.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from inspector.app import runner, tuner
from inspector.app.measure import Show, unheard
from inspector.app.measurements import measure_function, pair_function, with_notes
from inspector.app.output_agreement import agreements
from inspector.app.subjects import LengthGuesses, Subject
from inspector.backends import registry
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput
from inspector.model.axes import free_axes
from inspector.platform.work_limits import Limits
from inspector.remote.remote_engine import RemoteEngine
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec, without_questions
from inspector.report.sweep import MACHINE, MAX_WAIT_SECONDS, CellIndex, Sweep
from inspector.report.tuning import Tuning
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.remote.machines import Target

Placed = tuple[int, Engine]
"""An engine, and the place of its machine on the axis "machine"."""
_LENGTHS = "Use a form such as 1,4,16."
_MOST_BATCH = 1_000_000
_MOST_AT_ONCE = 64  # measurements, of a label that many devices of a lab have


class SweepStep(Struct, frozen=True):
    """A sweep as far as it is. seconds_left: an estimate; None before the first measurement."""

    sweep: Sweep
    seconds_left: float | None = None


@contextmanager
def engines(
    targets: Sequence["Target"], show: Show = unheard, limits: Limits | None = None
) -> Iterator[list[Placed]]:
    """Give the engines to the block: one here, or one on each machine, and close them.

    A label of a lab has one for each device that answers. Raises InspectorError.
    """
    with ExitStack() as stack:
        if not targets:
            yield [(0, stack.enter_context(EngineProcess(show, limits)))]
            return
        yield [
            (place, stack.enter_context(target.engine(show, limits)))
            for place, target in enumerate(targets)
            for _ in range(min(_MOST_AT_ONCE, target.width()))
        ]


def machines_of(planned: Sweep) -> str:
    """Return the machines of a sweep as `--on` takes them; "" where it has no such axis."""
    names = next((axis.values for axis in planned.axes if axis.name == MACHINE), ())
    return ",".join(map(str, names))


def unattended(spec: RunSpec) -> RunSpec:
    """Return settings without what only a measurement by itself tells."""
    bare = without_questions(spec, "concurrency")
    return replace(bare, seconds=0.0, steady=MAX_WAIT_SECONDS, profiled_runs=0)


def run_sweep(
    planned: Sweep,
    models: Sequence[Subject],
    found: Sequence[Placed],
    begun: Callable[[Sweep, CellIndex], None] = lambda sweep, place: None,
    stopped: Callable[[], bool] = lambda: False,
    comparing: Callable[[], None] | None = None,
) -> Iterator[SweepStep]:
    """Yield a sweep before its first measurement and after each, on one machine or on all.

    found: from `engines`. begun: hears which cell is measured next. comparing: hears that the
    outputs of several models are compared first; without it they are not. Raises Cancelled;
    InspectorError: the outputs could not be compared.
    """
    own = found[0][1]
    guesses = LengthGuesses(own)
    clock = runner.TimeLeft(lambda: monotonic() - own.waited_seconds)
    if comparing is not None and len(models) > 1 and not planned.agreements:
        comparing()
        agreed = agreements(own, models, planned.spec, guesses)
        planned = replace(planned, agreements=agreed)
    yield SweepStep(planned)
    if not machines_of(planned):
        measure = measure_function(own, models, guesses)
        states = runner.run(planned, measure, stopped, begun)
    else:
        measures: list[list[runner.Elsewhere]] = [[] for _ in range(found[-1][0] + 1)]
        for place, engine in found:
            assert isinstance(engine, RemoteEngine), "several engines are on other machines"
            there = measure_function(engine, models, layers=True)
            measures[place].append((there, engine.place))

        def stop() -> None:
            for _, engine in found:
                engine.kill()

        states = runner.run_at_once(planned, measures, stop, stopped, begun)
    for now in with_notes(states, guesses):
        clock.measured(now)
        yield SweepStep(now, clock.seconds(runner.left(now)))


class Search(Struct, frozen=True):
    """What to search for, and what else to try than the settings of the runtime.

    seconds: for all of it, without those in which other measurements have the machine. devices:
    others than that of the settings. batches: lengths of `aim.batch_axis`. options: values of
    options of the execution provider, by key.
    """

    seconds: float
    aim: tuner.Aim = tuner.LOWEST_LATENCY
    devices: tuple[str, ...] = ()
    batches: tuple[int, ...] = ()
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()


def read_lengths(text: str) -> tuple[int, ...]:
    """Read lengths to try, such as "1, 4, 16". Raises BadInput."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise BadInput("Could not use the lengths", f"'{clip(text, 60)}' is not N,N", _LENGTHS)
    sizes = tuple(dict.fromkeys(map(int, parts)))
    if not all(0 < size <= _MOST_BATCH for size in sizes):
        why = f"lengths have to be from 1 to {_MOST_BATCH:,}"
        raise BadInput("Could not use the lengths", why, _LENGTHS)
    return sizes


def read_batch(text: str) -> tuple[str, tuple[int, ...]]:
    """Read lengths of an axis, such as "batch=1,4,16". Raises BadInput."""
    axis, sign, values = text.rpartition("=")
    if not (sign and axis):
        why = f"'{clip(text, 60)}' is not AXIS=N,N"
        raise BadInput("Could not use the lengths", why, "Use a form such as batch=1,4,16.")
    return axis, read_lengths(values)


def read_option(text: str) -> tuple[str, tuple[str, ...]]:
    """Read values to try of an option of a provider: "KEY=VALUE,VALUE". Raises BadInput."""
    key, sign, values = text.partition("=")
    if not (sign and key.strip() and values.strip()):
        why = f"'{clip(text, 60)}' is not KEY=VALUE,VALUE"
        raise BadInput("Could not use the option", why, "Use a form such as num_streams=1,2.")
    each = (value.strip() for value in values.split(","))
    return key.strip(), tuple(dict.fromkeys(each))


def run_search(
    engine: Engine,
    subject: Subject,
    search: Search,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Tuning]:
    """Yield a search for the best settings, before and after each measurement.

    Raises BadInput: no such axis, or another machine for what it cannot do; and as
    `tuner.tune`.
    """
    what, batch_axis = f"Could not tune {subject.path.name}", search.aim.batch_axis
    if (search.devices or search.batches) and isinstance(engine, RemoteEngine):
        why = "batches and several devices can only be compared on this machine"
        raise BadInput(what, why, "Omit `--on`.")
    names = free_axes(subject.model.inputs)
    if batch_axis and batch_axis not in names:
        why = f"no input has a dynamic axis '{clip(batch_axis, 40)}'"
        free = f"Dynamic axes: {', '.join(names)}." if names else "The model has none."
        raise BadInput(what, why, free)
    if search.batches:
        subject = subject.at(_with_batch(subject.spec, batch_axis, search.batches[0]))
    spec, guesses = subject.spec, LengthGuesses(engine)
    measure = measure_function(engine, [subject], guesses)

    def settings_for(now: RunSpec) -> tuner.Settings:
        own = tuner.settings_of(registry.for_run(subject.path, now.devices))
        batches = tuple(
            {"dimensions": _with_batch(now, batch_axis, size).dimensions}
            for size in search.batches
        )
        options = tuple(
            (key, tuple(_with_option(now, key, value) for value in values))
            for key, values in search.options
        )
        return (*((("batch", batches),) if batches else ()), *own, *options)

    bounds = tuner.Bounds(
        search.seconds,
        clock=lambda: monotonic() - engine.waited_seconds,
        settings_for=settings_for,
        devices=tuple({"devices": (device,)} for device in search.devices),
    )
    pair = pair_function(engine, subject, guesses)
    states = tuner.tune(
        subject.identity,
        spec,
        lambda changed: measure(0, changed),
        pair,
        bounds,
        stopped,
        search.aim,
    )
    return with_notes(states, guesses)


def _with_batch(spec: RunSpec, axis: str, size: int) -> RunSpec:
    others = tuple(each for each in spec.dimensions if each.name != axis)
    return replace(spec, dimensions=(*others, Dimension(axis, size)))


def _with_option(spec: RunSpec, key: str, value: str) -> tuner.Changes:
    others = tuple(each for each in spec.provider_options if each.key != key)
    return {"provider_options": (*others, ProviderOption(key, value))}
