"""A second run in exact float16 arithmetic: `--against float16`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from inspector.conversion.action import FLOAT16, Converted, Step
from inspector.conversion.registry import EMULATE_FLOAT16
from inspector.errors import BadInput
from inspector.model.tensors.prediction import Prediction
from inspector.report.run_spec import RunSpec
from inspector.units import clip

# As hardware does that has float16 only: sums are rounded after each addition, too.
_STEPS = (Step(FLOAT16), Step(EMULATE_FLOAT16, (("accumulate", FLOAT16),)))


class Engine(Protocol):
    """What is needed of an `EngineProcess`, whose module imports this one."""

    def convert(self, model: Path, steps: Any, folder: Path, *, name: str = ...) -> Converted:
        """Run a recipe."""

    def predict(
        self, model: Path, spec: RunSpec, feeds: Any, *, steps: Any = ...
    ) -> Prediction:
        """Run a model once."""

    def private_folder(self) -> Path:
        """Return a new folder."""


def emulated_model(engine: Engine, model: Path, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Write a model that computes what another one does in exact float16 arithmetic.

    Float32 becomes float16 first. Returns its path in `folder`, and notes. Raises
    InspectorError: BadInput if nothing in the model could compute in float16.
    """
    name = f"float16-{model.stem}.onnx"
    made: Converted = engine.convert(model, _STEPS, folder, name=name)
    converted, emulated = made.effects
    if not emulated.applicable:
        why = converted.nothing or emulated.nothing
        raise BadInput(f"Could not run {clip(model.name)} in exact float16 arithmetic", why)
    return folder / made.files[0], made.notes


def float16_spec(spec: RunSpec) -> RunSpec:
    """Return how the emulated model runs, where the other one runs as `spec` says."""
    return replace(
        spec,
        devices=RunSpec().devices,
        provider_options=(),
        on_cpu=(),
        optimization="basic",  # which leaves layers and their rounding apart
        cast=True,
    )


class Float16Run:
    """Predicts in exact float16 arithmetic; the model is converted before the first time."""

    def __init__(self, engine: Engine, model: Path, spec: RunSpec) -> None:
        self._engine, self._model, self._spec = engine, model, float16_spec(spec)
        self._path: Path | None = None
        self._notes: tuple[str, ...] = ()

    def predict(self, feeds: Mapping[str, Any], steps: Any = None) -> Prediction:
        """Return the outputs. Raises InspectorError."""
        from msgspec import structs

        if self._path is None:
            folder = self._engine.private_folder()
            self._path, self._notes = emulated_model(self._engine, self._model, folder)
        answer = self._engine.predict(self._path, self._spec, feeds, steps=steps)
        return structs.replace(answer, notes=(*answer.notes, *self._notes))
