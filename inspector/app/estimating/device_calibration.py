"""The ceilings of a machine as a device that other machines can estimate for."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from inspector.analysis.cost.latency import Rates
from inspector.analysis.devices.known_devices import SCHEMA, DeviceFile, KnownDevice, Source
from inspector.engine.client.ceilings import ceiling
from inspector.engine.client.engine import Engine
from inspector.engine.requests import MeasureCeiling
from inspector.errors import BadInput, EngineFailed
from inspector.platform import files
from inspector.report.roofline import DTYPES, FLOAT32, Ceiling
from inspector.units import clip

LAUNCH_NS = 5_000.0  # of a kernel on a CPU: assumed, as in resources/estimates/devices.json


def measure_ceilings(engine: Engine) -> Sequence[Ceiling]:
    """Return the peaks of a machine's CPU, with all its threads, for each type it multiplies.

    engine: of this machine, or of another one. Raises InspectorError: float32 failed.
    """
    found = []
    for dtype in DTYPES:
        try:
            if engine.elsewhere:
                found.append(engine.call(MeasureCeiling("cpu", 0, dtype)))
            else:
                found.append(ceiling(engine, "cpu", 0, dtype))
        except EngineFailed:
            if dtype == FLOAT32:
                raise
    return found


def save_device(
    path: Path, name: str, processor: str, ram_bytes: int, ceilings: Sequence[Ceiling]
) -> None:
    """Write a file that `inspector estimate --target` reads.

    name: of the machine. Raises BadInput: the file is there already. NotSaved.
    """
    if files.exists(path):
        what = f"Could not save the ceilings of {clip(name, 60)}"
        raise BadInput(what, f"{clip(path.name, 60)} already exists", "Name another file.")
    peaks = {each.dtype: each.operations_per_second for each in ceilings}
    busy = ", while other programs used the CPU" * any(each.busy for each in ceilings)
    states = f"measured with ONNX Runtime and all threads of {processor}{busy}; launch assumed"
    device = KnownDevice(
        id=name,
        title=f"{name} ({processor})",
        kind="computer",
        unit="CPU",
        rates=Rates(peaks, ceilings[0].bytes_per_second, LAUNCH_NS),
        ram_bytes=ram_bytes,
        sources=(Source(states, "", ceilings[0].measured[:10]),),
    )
    body = msgspec.json.format(msgspec.json.encode(DeviceFile(SCHEMA, (device,))), indent=1)
    files.write_atomic(path, body + b"\n")
