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
    known = absent_devices.known_for(model)
    names = known if devices == "all" else tuple(filter(None, devices.split(",")))
    if not names:
        raise BadInput(
            "Could not use --estimate", "no device is given", f"Choose from {', '.join(known)}."
        )
    for name in names:
        absent_devices.device(name)
    return check_devices(engine, path, model, tuple(dict.fromkeys(names)), lengths)
