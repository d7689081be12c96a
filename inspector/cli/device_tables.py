"""The devices of `--estimate`, and which layers they support."""

from collections.abc import Mapping
from pathlib import Path

from inspector.analysis.devices.support_summary import DeviceSupport
from inspector.app.target_support import check_devices
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.model.model import Model


def supports(
    model: Model, path: Path, devices: str, lengths: Mapping[str, int], engine: Engine
) -> tuple[DeviceSupport, ...]:
    """Return the estimated support of each device, "cuda,coreml" or "all". Raises BadInput."""
    return check_devices(engine, path, model, _named(devices, model), lengths)


def _named(text: str, model: Model) -> tuple[str, ...]:
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
