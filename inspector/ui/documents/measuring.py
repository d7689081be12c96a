"""One measurement as the window asks for it; runs on a job's thread, knows no widget."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector import readers
from inspector.engine import roofs
from inspector.engine.process import EngineProcess
from inspector.model import Model
from inspector.preview import feeds as inputs
from inspector.preview import shapes
from inspector.report import InputSource, ModelIdentity, PerformanceReport, RunSpec


def measure(
    engine: EngineProcess,
    path: Path,
    model: Model,
    spec: RunSpec,
    feeds: dict[str, NDArray[np.generic]],
    sources: dict[str, InputSource],
) -> PerformanceReport:
    """Fill the inputs that have no value yet, and measure. Raises InspectorError."""
    filled, named = fill(model, spec, feeds, sources)
    spec = replace(spec, inputs=tuple(named[value.name] for value in model.inputs))
    report = engine.measure(path, identity(path, model), spec, filled)
    if not spec.roofline:
        return report
    shapes_fed = {name: array.shape for name, array in filled.items()}
    return roofs.with_roofline(engine, path, report, shapes_fed)


def fill(
    model: Model,
    spec: RunSpec,
    feeds: dict[str, NDArray[np.generic]],
    sources: dict[str, InputSource],
) -> tuple[dict[str, NDArray[np.generic]], dict[str, InputSource]]:
    """Values for all inputs, and what they are: those chosen, and ours for the others."""
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    for value in model.inputs:
        if value.name in feeds:
            lengths |= shapes.lengths_in(value, feeds[value.name])
    chosen = {default.name: default for default in inputs.defaults(model.inputs, lengths)}
    named = {name: InputSource(name, default.value) for name, default in chosen.items()}
    filled = {name: default.array for name, default in chosen.items()}
    return filled | feeds, named | sources


def identity(path: Path, model: Model) -> ModelIdentity:
    """Name a model by its hash and tell what people know it by."""
    return ModelIdentity(
        name=model.name,
        sha256=readers.digest(path),
        size_bytes=model.size_bytes,
        parameters=model.parameters,
        layers=len(model.layers),
        opset=", ".join(f"{o.domain or 'ai.onnx'} {o.version}" for o in model.opsets),
    )
