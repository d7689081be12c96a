"""The models of a sweep: inputs, lengths of dynamic axes, and how one is measured."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TypeVar

from inspector.backends.interleaving import Pair, fits_in_memory
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.model.axes import free_axes
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.identity import measured_model
from inspector.preview.inputs.feeds import Filled, ImageOptions, feeds_by_name, fill_all
from inspector.preview.inputs.guessed_axes import first_that_runs
from inspector.preview.inputs.tokens import tokenizer_of
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import InputSource, RunSpec
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.units import clip

Result = TypeVar("Result")
State = TypeVar("State", bound=Sweep | Tuning)
_COURTESY_SECONDS = 0.15  # others who wait for their turn look every tenth of a second


class LengthGuesses:
    """Finds, once for each model and each choice of lengths, others with which it predicts.

    notes: what was guessed, and how to set it.
    """

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._lengths: dict[tuple[Path, RunSpec], Mapping[str, int]] = {}
        self.notes: tuple[str, ...] = ()

    def run(
        self,
        path: Path,
        model: Model,
        spec: RunSpec,
        values: Mapping[str, str],
        work: Callable[[Mapping[str, int]], Result],
    ) -> Result:
        """Do work that runs a model; where the model fails at its shapes, with other lengths.

        values: values of inputs. work: takes lengths that the spec does not say. Raises what
        work raises; EngineFailed with a hint that names the axes where no length helps.
        """
        key = path, RunSpec(dimensions=spec.dimensions, cast=spec.cast)
        lengths = self._lengths.get(key)
        try:
            return work(lengths or {})
        except EngineFailed:
            if lengths is not None:
                raise
            self._lengths[key] = lengths = self._found(path, model, spec, values)
            if not lengths:
                raise
        return work(lengths)

    def _found(
        self, path: Path, model: Model, spec: RunSpec, values: Mapping[str, str]
    ) -> Mapping[str, int]:
        inputs = model.inputs + tuple(info for info in model.defaults if info.name in values)
        known = {dimension.name: dimension.size for dimension in spec.dimensions}
        image = ImageOptions.of(model, spec.cast)

        def fill(lengths: Mapping[str, int]) -> tuple[Filled, ...]:
            return fill_all(inputs, values, lengths, image, tokenizer=tokenizer_of(path, model))

        guessed = first_that_runs(
            fill,
            lambda tensors: self._engine.predict(path, spec, feeds_by_name(tensors)),
            lambda tensors: tensors,
            inputs,
            known,
            fill(known),
        )
        if guessed.note:
            note = f"{clip(path.name)}: {guessed.note}"
            self.notes = tuple(dict.fromkeys((*self.notes, note)))
        return guessed.lengths


def with_notes(states: Iterator[State], guesses: LengthGuesses) -> Iterator[State]:
    """Yield the states of a sweep or a search with the notes on what was guessed by then."""
    for state in states:
        notes = tuple(dict.fromkeys((*state.notes, *guesses.notes)))
        yield replace(state, notes=notes) if notes != state.notes else state


Feeds = Mapping[str, Fed]
Measure = Callable[[int, RunSpec], PerformanceReport]
MeasurePair = Callable[[RunSpec, RunSpec, int], Pair]
"""Measures two settings whose predictions take turns; the number says which begins."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model that is open, with its file and its hash; `identity.name` is the file's name."""

    path: Path
    model: Model
    identity: ModelIdentity


def subjects(paths: Sequence[Path]) -> tuple[Subject, ...]:
    """Open models. Raises UnreadableFile; BadInput: the same file twice."""
    opened = tuple(map(_subject, paths))
    names = [each.identity.name for each in opened]
    if len({path.resolve() for path in paths}) < len(opened):
        raise BadInput("Could not plan the sweep", "the same model is listed twice")
    if len(set(names)) == len(names):
        return opened
    whole = [str(Path(path.absolute().parent.name) / path.name) for path in paths]
    named = zip(opened, whole, strict=True)
    return tuple(
        replace(each, identity=replace(each.identity, name=clip(name))) for each, name in named
    )


def filled(
    subject: Subject,
    spec: RunSpec,
    values: Mapping[str, str],
    image: ImageOptions,
    guessed: Mapping[str, int] | None = None,
) -> tuple[Filled, ...]:
    """Fill the inputs of a model for a spec. Raises BadInput, UnreadableFile.

    guessed: lengths of dynamic axes that the spec does not say.
    """
    model = subject.model
    inputs = model.inputs + tuple(info for info in model.defaults if info.name in values)
    lengths = dict(guessed or {})
    lengths |= {dimension.name: dimension.size for dimension in spec.dimensions}
    tokenizer = tokenizer_of(subject.path, model)
    return fill_all(inputs, values, lengths, image, tokenizer=tokenizer)


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """The inputs for the models of a sweep.

    values: values of inputs as `feeds.fill_all` takes them. feeds, sources: arrays that are at
    hand for some inputs of the first model, and what they are; where a spec sets a length of
    one of their axes, they give way.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    cast: bool = False
    feeds: Feeds = field(default_factory=dict)
    sources: Sequence[InputSource] = ()

    def of(
        self,
        subject: Subject,
        spec: RunSpec,
        first: bool,
        guessed: Mapping[str, int] | None = None,
    ) -> tuple[RunSpec, Feeds]:
        """Return what to measure a model with: the spec with its inputs, without a profiler,
        and their values. first: whether it is the model that the arrays were made for.
        guessed: lengths of dynamic axes that the spec does not say."""
        image = ImageOptions.of(subject.model, self.cast)
        filled_inputs = filled(subject, spec, self.values, image, guessed)
        lengths = {dimension.name for dimension in spec.dimensions}
        fixed = {info.name for info in subject.model.inputs if lengths & {*free_axes((info,))}}
        fixed |= set() if first else set(self.feeds)
        own = {name: array for name, array in self.feeds.items() if name not in fixed}
        sources_by_name = {source.name: source for source in self.sources if source.name in own}
        inputs = tuple(
            sources_by_name.get(each.name, InputSource(each.name, each.value))
            for each in filled_inputs
        )
        names = {each.name for each in filled_inputs}
        feeds = feeds_by_name(filled_inputs) | {
            name: value for name, value in own.items() if name in names
        }
        return replace(spec, inputs=inputs, profiled_runs=0), feeds


def measure_function(
    engine: EngineProcess,
    models: Sequence[Subject],
    inputs: Inputs,
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
        subject = models[number]
        pause.wait(_COURTESY_SECONDS)

        def work(guessed: Mapping[str, int]) -> PerformanceReport:
            request, feeds = inputs.of(subject, spec, not number, guessed)
            if layers and (number, spec) not in profiled:
                request = replace(request, profiled_runs=1)
            report = engine.measure(subject.path, subject.identity, request, feeds)
            profiled.add((number, spec))
            return report

        return guesses.run(subject.path, subject.model, spec, inputs.values, work)

    return measure


def pair_function(
    engine: EngineProcess,
    subject: Subject,
    inputs: Inputs,
    guesses: LengthGuesses | None = None,
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

        def work(guessed: Mapping[str, int]) -> Pair:
            one, feeds = inputs.of(subject, first, True, guessed)
            two, _ = inputs.of(subject, other, True, guessed)
            if fits_in_memory((size, size)):
                pair = one, two
                return engine.measure_pair(subject.path, subject.identity, pair, feeds, begins)
            sides = [one, two][:: -1 if begins else 1]
            reports = [engine.measure(subject.path, subject.identity, s, feeds) for s in sides]
            return (reports[begins], reports[1 - begins])

        return guesses.run(subject.path, subject.model, first, inputs.values, work)

    return measure


def _subject(path: Path) -> Subject:
    model = opening.open_model(path)
    return Subject(path, model, measured_model(path, model))
