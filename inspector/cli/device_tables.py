"""What the tables of devices say of a model that is not run: which layers they support."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector.analysis.devices.support_summary import DeviceSupport, summarised
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.cli.estimates import known_values
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.model.model import Model


def requested_devices(text: str, model: Model) -> tuple[str, ...]:
    """Read "cuda,coreml" or "all". Raises BadInput: there is no table for one of them."""
    known = absent_devices.known_for(model)
    names = known if text == "all" else tuple(filter(None, text.split(",")))
    if not names:
        raise BadInput(
            "Could not use --estimate", "no device is given", f"Choose from {', '.join(known)}."
        )
    for name in names:
        absent_devices.device(name)
    return tuple(dict.fromkeys(names))


def supports(
    model: Model,
    path: Path,
    devices: Sequence[str],
    lengths: dict[str, int],
    engine: Engine,
) -> tuple[DeviceSupport, ...]:
    """Return the estimated support of each device. lengths: sizes of dynamic axes."""
    values = known_values(model, path, lengths, engine)
    answers = absent_devices.predict(
        model, devices, values, absent_devices.small_weights(model, path)
    )
    operators = [layer.operator for layer in model.layers]
    return tuple(
        replace(
            summarised(absent_devices.device(name), operators, support),
            assumes=absent_devices.table(name).assumes,
        )
        for name, support in answers.items()
    )
