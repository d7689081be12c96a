"""Lengths of dynamic axes for models of a sweep that fail with the default ones."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.model.model import Model
from inspector.preview.inputs.feeds import Filled, ImageOptions, feeds_by_name, fill_all
from inspector.preview.inputs.guessed_axes import first_that_runs
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.units import clip

Result = TypeVar("Result")
State = TypeVar("State", bound=Sweep | Tuning)


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
        given: Mapping[str, str],
        work: Callable[[Mapping[str, int]], Result],
    ) -> Result:
        """Do work that runs a model; where the model fails at its shapes, with other lengths.

        given: values of inputs. work: takes lengths that the spec does not say. Raises what
        work raises; EngineFailed with a hint that names the axes where no length helps.
        """
        key = path, RunSpec(dimensions=spec.dimensions, cast=spec.cast)
        lengths = self._lengths.get(key)
        try:
            return work(lengths or {})
        except EngineFailed:
            if lengths is not None:
                raise
            self._lengths[key] = lengths = self._found(path, model, spec, given)
            if not lengths:
                raise
        return work(lengths)

    def _found(
        self, path: Path, model: Model, spec: RunSpec, given: Mapping[str, str]
    ) -> Mapping[str, int]:
        inputs = model.inputs + tuple(info for info in model.defaults if info.name in given)
        known = {dimension.name: dimension.size for dimension in spec.dimensions}
        image = ImageOptions.of(model, spec.cast)

        def fill(lengths: Mapping[str, int]) -> tuple[Filled, ...]:
            return fill_all(inputs, given, lengths, image)

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
