"""Pages of what runs models here: devices, runtimes, and the user's other machines."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from inspector.pages.blocks import Column, Limits, Page, Row, Section, Side, Table
from inspector.pages.on_devices.machines import KnownMachine, known_machines
from inspector.platform.extras import can_install
from inspector.report.report_values import Device, Hardware
from inspector.wording.values import Code, Joined, Name, Sentence, Size, Tone, Toned, Value

_ALL = Limits(terminal=1000, document=1000)


class Runtime(Struct, frozen=True):
    """A runtime that can be installed. place: where it is; empty: nowhere, and why says so."""

    id: str
    name: str
    version: str
    place: str
    why: str = ""


def devices_page(
    devices: Sequence[Device],
    absent: Sequence[Device] = (),
    machines: Sequence[KnownMachine] = (),
    hardware: Sequence[Hardware] = (),
) -> Page:
    """Return the devices that can run a model, those that cannot, and other machines.

    absent: devices that a package would add, with the command that installs it as hint.
    hardware: what the system lists, whether a runtime uses it or not.
    """
    usable = [device for device in devices if not device.problem]
    unusable = [device for device in devices if device.problem]
    sections = (
        Section("devices", "", _devices(usable)),
        Section("unusable", "Not available", _devices(unusable)),
        Section("absent", "Not installed", _absent(absent)),
        Section("hardware", "Hardware", _hardware(hardware, usable)),
        Section("machines", "Other machines", known_machines(machines)),
    )
    return Page("devices", "Devices", sections)


def _devices(devices: Sequence[Device]) -> tuple[Table, ...]:
    """Return a table of devices, each with why it cannot be used and what helps below it."""
    columns = (
        Column("id", "ID"),
        Column("device", "Device", stretch=True),
        Column("kind", "Kind", keep=5),
        Column("package", "Package", keep=3),
    )
    rows = tuple(
        Row((
            Code(device.id),
            Name(device.name),
            "" if device.kind == "unknown" else device.kind.upper(),
            Name(device.source),
        ), details=_why(device))
        for device in devices
    )  # fmt: skip
    return (Table(columns, rows, _ALL, "device"),) if rows else ()


def used_by(hardware: Hardware, devices: Sequence[Device]) -> tuple[str, ...]:
    """Return the devices that compute on a processor, by kind and vendor."""
    return tuple(
        device.id
        for device in devices
        if device.kind == hardware.kind
        and (not device.vendor or hardware.vendor in ("", device.vendor))
    )


def _hardware(hardware: Sequence[Hardware], devices: Sequence[Device]) -> tuple[Table, ...]:
    columns = (
        Column("hardware", "Processor", stretch=True),
        Column("kind", "Kind"),
        Column("driver", "Driver", keep=4),
        Column("memory", "Memory", Side.RIGHT, keep=5),
        Column("devices", "Used by"),
    )
    rows = []
    for each in hardware:
        driver: Value = Name(each.driver)
        if each.kind != "cpu" and not each.driver:
            driver = Toned("none loaded", Tone.CAUTION)
        memory: Value = "unknown" if each.memory_bytes is None else Size(each.memory_bytes)
        ids: tuple[Value, ...] = tuple(map(Code, used_by(each, devices)))
        rows.append(Row((
            Name(each.name), each.kind.upper(), driver, memory,
            Joined(ids) if ids else "no runtime here",
        )))  # fmt: skip
    return (Table(columns, tuple(rows), _ALL, "processor"),) if rows else ()


def _why(device: Device) -> Value:
    texts = (f"{device.problem.rstrip('.')}." if device.problem else "", device.hint)
    return Joined(tuple(filter(None, texts)), " ")


def _absent(devices: Sequence[Device]) -> tuple[Table, ...]:
    columns = (
        Column("id", "ID"),
        Column("device", "Device", stretch=True),
        Column("install", "To install"),
    )
    rows = tuple(
        Row((Code(device.id), Name(device.name), Code(device.hint)),
            details=Name(device.problem.partition("; ")[2]))
        for device in devices
    )  # fmt: skip
    return (Table(columns, rows, _ALL, "device"),) if rows else ()


def runtimes_page(runtimes: Sequence[Runtime]) -> Page:
    """Return what can execute models, with where each is installed or how to install it."""
    columns = (
        Column("id", "ID"),
        Column("runtime", "Runtime"),
        Column("version", "Version"),
        Column("place", "Installed in", stretch=True),
    )
    rows = tuple(Row(tuple(_runtime(each))) for each in runtimes)
    return Page("runtimes", "Runtimes", (Section("runtimes", "", (
        Table(columns, rows, _ALL, "runtime"),)),))  # fmt: skip


def _runtime(runtime: Runtime) -> Iterator[Value]:
    yield Code(runtime.id)
    yield runtime.name
    yield Name(runtime.version)
    if runtime.place:
        yield Name(runtime.place)
        return
    why, command = runtime.why or "not installed", f"inspector engines --install {runtime.id}"
    if can_install():
        yield Sentence("{why}: {command}", why=why, command=Code(command))
    else:
        yield why
