"""What devices that are not at hand would run of two models, from support tables."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.devices import targets
from inspector.analysis.devices.targets import TargetSupport
from inspector.analysis.facts.shapes import Shapes, allowed_seconds, declared
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.report.improvement import TargetLayers
from inspector.report.run_spec import Dimension


def marks(engine: Engine, path: Path, model: Model | None = None) -> list[TargetSupport]:
    """Return the support of all targets for a model; none where the tables do not apply.

    Dynamic axes have usual lengths, since many targets need fixed shapes. Raises Cancelled.
    """
    try:
        opened = model or opening.open_model(path)
        weights = absent_devices.small_weights(opened, path)
        lengths = fixed_lengths(opened.inputs)
        values = {info.name: info for info in _shapes(engine, path, opened, lengths).values}
        return [
            *absent_devices.check_targets(opened, targets.for_model(opened), values, weights)
        ]
    except Cancelled:
        raise
    except InspectorError:
        return []


def _shapes(engine: Engine, path: Path, model: Model, lengths: Mapping[str, int]) -> Shapes:
    dimensions = tuple(Dimension(*each) for each in lengths.items())
    try:
        return engine.shapes(path, dimensions, allowed_seconds(model))
    except Cancelled:
        raise
    except InspectorError:
        return declared(model)


def compared(
    before: list[TargetSupport], after: list[TargetSupport]
) -> tuple[TargetLayers, ...]:
    """Return both side by side, those that know something."""
    return tuple(
        TargetLayers(
            f"{one.target.title} ({one.target.provider})",
            one.count,
            two.count,
            two.verdict.value,
            two.summary.layers_of(two.summary.unknowns),
        )
        for one, two in zip(before, after, strict=False)
        if one.count or two.count
    )
