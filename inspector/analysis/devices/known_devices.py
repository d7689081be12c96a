"""Devices that are not here: their ceilings and memory, from a table or a user's file.

resources/estimates/devices.json holds public devices; each figure has the page that states it.
resources/estimates/efficiency.json holds what benchmarks/estimates.py learned of devices that
could be measured. `inspector devices --calibrate` writes files of the same form for a machine.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from inspector.analysis.cost.latency import Efficiency, Rates
from inspector.errors import BadInput
from inspector.platform import files
from inspector.units import clip

SCHEMA = "device-ceilings/1"
LIMIT_BYTES = 1 << 20
ALL = "all"  # for the whole table
_PART = re.compile(r",| \(")  # what follows in a title is the chip or the unit


class Source(Struct, frozen=True):
    """A page that states a figure, and when it was read. states: what it says."""

    states: str
    url: str
    date: str


class KnownDevice(Struct, frozen=True, kw_only=True):
    """What is known of a device.

    kind: such as "phone" or "microcontroller". unit: that the ceilings are of, such as "NPU".
    rates: its ceilings; None where only its memory is known. ram_bytes: that a model may use at
    most; 0 where not known. flash_bytes: for program and weights; 0 where weights lie in RAM.
    """

    id: str
    title: str
    kind: str
    unit: str
    rates: Rates | None = None
    ram_bytes: int = 0
    flash_bytes: int = 0
    sources: tuple[Source, ...] = ()


class DeviceFile(Struct, frozen=True):
    """A file of devices."""

    schema: str
    devices: tuple[KnownDevice, ...]


@cache
def measured_devices() -> Mapping[str, Efficiency]:
    """Return what was learned of devices that could be measured, by id."""
    body = files.resource("estimates", "efficiency.json").read_bytes()
    return {each.id: each for each in msgspec.json.decode(body, type=tuple[Efficiency, ...])}


@cache
def public_devices() -> Mapping[str, KnownDevice]:
    """Return the table of public devices, by id."""
    body = files.resource("estimates", "devices.json").read_bytes()
    table = msgspec.json.decode(body, type=DeviceFile)
    return {device.id: device for device in table.devices}


def read(path: Path) -> tuple[KnownDevice, ...]:
    """Return the devices of a file. Raises InspectorError: it cannot be read, or is none."""
    body = files.read_capped(path, LIMIT_BYTES)
    what = f"Could not read devices from {clip(str(path), 200)}"
    try:
        found = msgspec.json.decode(body, type=DeviceFile)
    except msgspec.DecodeError as error:
        why = clip(str(error), 200)
        hint = "The page of `inspector estimate` has an example."
        raise BadInput(what, why, hint, "target") from None
    if found.schema != SCHEMA or not found.devices:
        why = f"its schema is {clip(found.schema, 40)}; this Inspector reads {SCHEMA}"
        raise BadInput(what, why, "", "target")
    for device in found.devices:
        rates = device.rates
        if rates is None:
            continue
        peaks = rates.operations_per_second.values()
        if not peaks or min((*peaks, rates.bytes_per_second)) <= 0:
            why = f"the rates of {clip(device.id, 40)} are not above 0"
            raise BadInput(what, why, "", "target")
    return found.devices


def chosen(targets: Sequence[str]) -> tuple[Efficiency | KnownDevice, ...]:
    """Return devices by name, or those of a file. Raises InspectorError: there is none."""
    found: dict[str, Efficiency | KnownDevice] = {}
    for name in targets:
        if name.endswith(".json"):
            found |= {device.id: device for device in read(Path(name))}
            continue
        if name == ALL:
            found |= public_devices()
            continue
        device = _named(name)
        found[device.id] = device
    return tuple(found.values())


def _named(name: str) -> Efficiency | KnownDevice:
    """Return the device with an id, a title or the beginning of only one title."""
    known: dict[str, Efficiency | KnownDevice] = {**measured_devices(), **public_devices()}
    if name in known:
        return known[name]
    wanted = name.casefold()
    texts = [
        (text.casefold(), each)
        for each in known.values()
        for text in (each.id, each.title, _PART.split(each.title)[0])
    ]
    near = {each.id: each for text, each in texts if wanted == text}
    if len(near) == 1:
        return next(iter(near.values()))
    close = get_close_matches(wanted, [text for text, _ in texts])
    near = near or {each.id: each for text, each in texts if wanted and wanted in text}
    near = near or {each.id: each for text, each in texts if text in close}
    ids = ", ".join(near)
    raise BadInput(
        f"There is no device '{clip(name, 40)}'",
        f"the nearest are {ids}" if ids else f"the devices are {', '.join(known)}",
        "Name one of them, or a .json file with your own device.",
        "target",
    )
