"""What devices that are not at hand would run of a model, from support tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from inspector.analysis.devices import targets
from inspector.analysis.devices.support_summary import DeviceSupport, summarised
from inspector.analysis.devices.targets import Target, TargetSupport
from inspector.app.estimates import values_at
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.preview.inputs.default_values import fixed_lengths
from inspector.report.improvement import TargetLayers


def check_targets(
    engine: Engine,
    path: Path,
    model: Model,
    chosen: Sequence[Target],
    lengths: Mapping[str, int],
) -> Sequence[TargetSupport]:
    """Return what each target would run, from support tables. lengths: of free axes; without
    them, targets that need fixed shapes refuse layers. Raises InspectorError."""
    values = values_at(engine, path, model, lengths)
    weights = absent_devices.small_weights(model, path)
    return absent_devices.check_targets(model, chosen, values, weights)


def check_devices(
    engine: Engine, path: Path, model: Model, devices: Sequence[str], lengths: Mapping[str, int]
) -> tuple[DeviceSupport, ...]:
    """Return the estimated support of each device. lengths: of free axes."""
    values = values_at(engine, path, model, lengths)
    weights = absent_devices.small_weights(model, path)
    operators = [layer.operator for layer in model.layers]
    return tuple(
        replace(
            summarised(absent_devices.device(name), operators, support),
            assumes=absent_devices.table(name).assumes,
        )
        for name, support in absent_devices.predict(model, devices, values, weights).items()
    )


def marks(engine: Engine, path: Path, model: Model | None = None) -> list[TargetSupport]:
    """Return the support of all targets for a model; none where the tables do not apply.

    Dynamic axes have usual lengths, since many targets need fixed shapes. Raises Cancelled.
    """
    try:
        opened = model or opening.open_model(path)
        lengths, chosen = fixed_lengths(opened.inputs), targets.for_model(opened)
        return [*check_targets(engine, path, opened, chosen, lengths)]
    except Cancelled:
        raise
    except InspectorError:
        return []


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
