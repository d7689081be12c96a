"""The tables of devices that need not be here, and what they say of a model's layers.

Nothing here loads the runtime: `inspector info --devices` asks without one.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache

from inspector import files
from inspector.analysis.support_prediction import Oracle
from inspector.analysis.support_tables import SupportTable, read
from inspector.engine.sessions import providers
from inspector.errors import BadInput
from inspector.model import Model, TensorInfo
from inspector.report import Device, Support
from inspector.units import clip

KNOWN = ("cuda", "directml", "webgpu", "coreml", "nnapi", "xnnpack", "qnn")


@cache
def table(device: str) -> SupportTable:
    """Read the table of a device. Raises BadInput: there is none."""
    if device not in KNOWN:
        near = get_close_matches(device, KNOWN, n=1)
        raise BadInput(
            f"There is no table for '{clip(device, 40)}'",
            f"there are tables for {', '.join(KNOWN)}",
            f"Did you mean '{near[0]}'?" if near else "",
            "support",
        )
    return read(files.resource("support", f"{device}.json").read_bytes())


def device(name: str) -> Device:
    """Describe the device that a table is of. Raises BadInput: there is none."""
    found = table(name)
    known = providers.builtin(found.provider)
    return Device(
        name, known.name, known.kind, found.provider, known.vendor, f"table, {found.source}"
    )


def predict(
    model: Model, devices: Iterable[str], values: Mapping[str, TensorInfo]
) -> dict[str, Sequence[Support]]:
    """Say for each device what it would do with each layer. Raises BadInput.

    values: types and shapes of the model's values by name, as far as known.
    """
    answers: dict[str, Sequence[Support]] = {}
    for name in dict.fromkeys(devices):
        oracle = Oracle(table(name), device(name).name, model, values)
        answers[name] = [oracle.answer(layer) for layer in model.layers]
    return answers
