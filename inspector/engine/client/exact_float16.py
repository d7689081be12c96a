"""Models in float16 arithmetic: rewritten so that results are rounded, they run anywhere.

`Float16Run` is the second run of `--against float16`; `EmulatedFloat16` measures which results
float16 cannot hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field, structs

from inspector.analysis.verdicts.float16 import LARGEST, SMALLEST
from inspector.conversion.action import FLOAT16, HIGHEST, LOWEST, Converted, Step
from inspector.conversion.registry import EMULATE_FLOAT16
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.report.float16_check import OutOfRange
from inspector.report.run_spec import RunSpec
from inspector.units import clip

# As hardware does that has float16 only: sums are rounded after each addition, too.
_STEPS = (Step(FLOAT16), Step(EMULATE_FLOAT16, (("accumulate", FLOAT16),)))


def emulated_model(engine: Engine, model: Path, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Write a model that computes what another one does in emulated float16 arithmetic.

    Float32 becomes float16 first. Returns its path in `folder`, and notes. Raises
    InspectorError: BadInput if nothing in the model could compute in float16.
    """
    name = f"float16-{model.stem}.onnx"
    made: Converted = engine.convert(model, _STEPS, folder, name=name)
    converted, emulated = made.effects
    if not emulated.applicable:
        why = converted.nothing or emulated.nothing
        raise BadInput(f"Could not run {clip(model.name)} in emulated float16 arithmetic", why)
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


class EmulatedFloat16(Struct):
    """A float16 model whose results are rounded, and the ranges that they had before.

    path: of the rewritten model; files: its files, which `close` deletes. results: name of a
    range -> layer, operator and name of the result.
    """

    engine: Engine
    path: Path
    files: tuple[str, ...]
    results: dict[str, tuple[str, str, str]]
    _ranges: dict[str, float] = field(default_factory=dict)

    def predict(
        self, feeds: Mapping[str, Any], custom_ops: Sequence[str] = ()
    ) -> tuple[OutputValue, ...]:
        """Return the model's outputs. Raises Cancelled, EngineFailed."""
        spec = float16_spec(RunSpec(custom_ops=tuple(custom_ops)))
        outputs = self.engine.predict(self.path, spec, feeds).outputs
        values = {output.name: output.array for output in outputs}
        for name in self.results:
            ends = values.get(name + LOWEST), values.get(name + HIGHEST)
            scalars = [float(end.ravel()[0]) for end in ends if end is not None and end.size]
            largest = max(map(abs, scalars), default=np.nan)
            # A result that is infinite already takes it from the layers before.
            if np.isfinite(largest):
                self._ranges[name] = max(self._ranges.get(name, 0.0), largest)
        reports = {name + end for name in self.results for end in (LOWEST, HIGHEST)}
        return tuple(output for output in outputs if output.name not in reports)

    @property
    def out_of_range(self) -> tuple[OutOfRange, ...]:
        """Return the results that float16 cannot hold, in the order of the layers."""
        extremes = []
        for name, (layer, operator, tensor) in self.results.items():
            largest = self._ranges.get(name, 0.0)
            if largest > LARGEST or 0 < largest < SMALLEST:
                vanishes = largest < SMALLEST
                extremes.append(OutOfRange(layer, operator, tensor, largest, vanishes))
        return tuple(extremes)

    def close(self) -> None:
        """Delete the rewritten model."""
        for name in self.files:
            (self.path.parent / name).unlink(missing_ok=True)


def with_ranges(engine: Engine, model: Path, folder: Path) -> EmulatedFloat16 | None:
    """Return a float16 model in exact arithmetic, in a folder; None if it has no float16.

    Raises Cancelled, InspectorError: it cannot be rewritten.
    """
    step = Step(EMULATE_FLOAT16, (("ranges", "yes"),))
    converted = engine.convert(model, (step,), folder, name=f"exact-{model.name}")
    results = {}
    for unrounded, layer, tensor in zip(
        converted.observe, converted.layers, converted.results, strict=False
    ):
        results[unrounded] = (*layer, tensor)
    made = EmulatedFloat16(engine, folder / converted.files[0], converted.files, results)
    if not converted.observe:
        made.close()
        return None
    return made


class Float16Run:
    """Predicts in emulated float16 arithmetic; the model is converted before the first time."""

    def __init__(self, engine: Engine, model: Path, spec: RunSpec) -> None:
        self._engine, self._model, self._spec = engine, model, float16_spec(spec)
        self._path: Path | None = None
        self._notes: tuple[str, ...] = ()

    def predict(self, feeds: Mapping[str, Any], steps: Any = None) -> Prediction:
        """Return the outputs. Raises InspectorError."""
        if self._path is None:
            folder = self._engine.private_folder()
            self._path, self._notes = emulated_model(self._engine, self._model, folder)
        answer = self._engine.predict(self._path, self._spec, feeds, steps=steps)
        return structs.replace(answer, notes=(*answer.notes, *self._notes))
