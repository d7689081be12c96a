"""Pages of machines: one model measured on several, a lab's queue, measured peaks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from inspector.analysis.devices.support_summary import layer_counts
from inspector.analysis.measured.latency import interval_text, latency
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.roofline_points import rate
from inspector.pages.blocks import (
    Column,
    Item,
    Items,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.report.report import PerformanceReport
from inspector.report.roofline import Ceiling
from inspector.units import device as device_name
from inspector.units import size
from inspector.wording.values import Duration, Name, Sentence, Size, Tone, Value

_ALL = Limits(terminal=10_000, document=1000, page=10_000)


def measurements_page(
    reports: Mapping[str, PerformanceReport], problems: Mapping[str, str]
) -> Page:
    """Return one model measured on several machines, the fastest first.

    reports: by machine. problems: why a machine has no report.
    """
    ordered = sorted(reports.items(), key=lambda pair: pair[1].median_ns)
    columns = (
        Column("machine", "Machine", stretch=True),
        Column("device", "Device"),
        Column("median", "Median", Side.RIGHT),
        Column("interval", "95% interval", Side.RIGHT, keep=7),
        Column("p95", "p95", Side.RIGHT, keep=6),
        Column("load", "Load", Side.RIGHT, keep=5),
        Column("memory", "Memory", Side.RIGHT, keep=5),
        Column("layers", "Layers", Side.RIGHT, keep=4),
        Column("processor", "Processor", keep=3),
    )
    rows = tuple(Row((Name(name), *_measured(report))) for name, report in ordered)
    noise = (
        Item(Sentence("Noisy on {machine}: {reason}", Name(name), reason))
        for name, report in ordered
        for reason in disturbances(report)
    )
    failed = (
        Item(Sentence("{machine}: {problem}", Name(name), problem),
             tone=Tone.BAD)
        for name, problem in problems.items()
    )  # fmt: skip
    items = (*noise, *failed)
    blocks = (Table(columns, rows, _ALL, "machine"),) if rows else ()
    sections = (
        Section("machines", "", blocks),
        Section("problems", "", (Items(items, _ALL),) if items else ()),
    )
    return Page("machines", "One model on several machines", sections)


def _measured(report: PerformanceReport) -> Iterator[Value]:
    numbers = latency(report)
    yield " + ".join(device_name(device.id) for device in report.devices)
    yield "" if numbers is None else Duration(numbers.headline.p50_ns)
    yield "" if numbers is None else interval_text(numbers.headline)
    yield "" if numbers is None else numbers.tail[0]
    yield Duration(report.load_ns)
    yield Size(report.memory.model_bytes)
    supported, checked = layer_counts(report)
    yield f"{supported:,} of {checked:,}" if checked else ""
    yield Name(report.environment.cpu)


def lab_page(
    devices: Mapping[str, Mapping[str, Any]], counts: Mapping[str, tuple[int, int]]
) -> Page:
    """Return the machines of a lab, and how many jobs run and wait in each queue."""
    if not devices:
        empty = Text("No machines. Add one: `inspector lab join device.pem`")
        return Page("lab", "Machines of the lab", (Section("machines", "", (empty,)),))
    columns = (
        Column("machine", "Machine", stretch=True),
        Column("labels", "Labels", keep=5),
        Column("processor", "Processor", keep=6),
        Column("system", "System", keep=4),
        Column("runtimes", "Runtimes", keep=3),
        Column("load", "Load", Side.RIGHT, keep=2),
        Column("now", "Now"),
    )
    rows = tuple(Row(tuple(_device(name, said))) for name, said in sorted(devices.items()))
    queues = tuple(Item(_queue(name, *number)) for name, number in sorted(counts.items()))
    sections = (
        Section("machines", "", (Table(columns, rows, _ALL, "machine"),)),
        Section("queues", "Queues", (Items(queues, _ALL),) if queues else ()),
    )
    return Page("lab", "Machines of the lab", sections)


def _device(name: str, said: Mapping[str, Any]) -> Iterator[Value]:
    status = said.get("status")
    processor, system, runtimes = _described(said)
    yield Name(name)
    yield Name(", ".join(map(str, said.get("labels", ()))))
    yield from (processor, system, runtimes)
    if status is None:
        yield from ("", "gone")
        return
    yield f"{status.get('load', 0):g}"
    running = ", ".join(map(str, status.get("now", ())))
    yield Name(running or str(status.get("busy") or "idle"))


def _described(said: Mapping[str, Any]) -> tuple[Name, Name, Name]:
    """Return processor, system and runtimes of a machine as its agent said them."""
    memory = f", {size(said['memory_bytes'])}" if "memory_bytes" in said else ""
    cores = f", {said['cores']} cores" if "cores" in said else ""
    runtimes = dict(said.get("runtimes", {}))
    return (
        Name(f"{said.get('cpu', 'unknown')}{cores}{memory}"),
        Name(f"{said.get('system', 'unknown')}, Python {said.get('python', 'unknown')}"),
        Name(", ".join(f"{runtime} {version}" for runtime, version in runtimes.items())),
    )


class KnownMachine(Struct, frozen=True):
    """A machine that the user added.

    said: what its agent said last. seen: when, ISO 8601; problem: why it does not answer now.
    """

    name: str
    host: str
    labels: Sequence[str]
    said: Mapping[str, Any]
    seen: str = ""
    problem: str = ""


def known_machines(machines: Sequence[KnownMachine]) -> tuple[Table, ...]:
    """Return a row for each machine, with why it did not answer or what measures there."""
    columns = (
        Column("machine", "Name", stretch=True),
        Column("host", "Host", keep=6),
        Column("processor", "Processor", keep=5),
        Column("system", "System", keep=4),
        Column("runtimes", "Runtimes", keep=3),
        Column("load", "Load", Side.RIGHT, keep=2),
        Column("labels", "Labels", keep=1),
    )
    rows = tuple(
        Row((
            Name(each.name),
            Name(each.host),
            *_described(each.said),
            f"{each.said['load']:g}" if isinstance(each.said.get("load"), int | float) else "",
            Name(", ".join(each.labels)),
        ), details=_state(each))
        for each in machines
    )  # fmt: skip
    return (Table(columns, rows, _ALL, "machine"),) if rows else ()


def _state(machine: KnownMachine) -> Value:
    if machine.problem:
        seen = machine.seen[:16].replace("T", " ")
        template = "Unreachable: {problem}; " + (
            "last seen {seen} UTC" if seen else "never seen"
        )
        return Sentence(template, problem=Name(machine.problem), seen=seen)
    if busy := machine.said.get("busy"):
        return Sentence("Measuring: {what}", Name(str(busy)))
    return ""


def _queue(name: str, waiting: int, running: int) -> Sentence:
    lane, _, target = name.partition("-")
    template = (
        "{target}: measurements: {running} running, {waiting} queued"
        if lane == "timing"
        else "{target}: other jobs: {running} running, {waiting} queued"
    )
    shown = Name(target.replace("-", " ", 1))
    return Sentence(template, target=shown, running=str(running), waiting=str(waiting))


def ceilings_page(ceilings: Sequence[Ceiling], missing: Sequence[str] = ()) -> Page:
    """Return the measured peaks of devices: arithmetic and memory bandwidth."""
    columns = (
        Column("device", "Device"),
        Column("arithmetic", "Arithmetic", Side.RIGHT),
        Column("type", "Type"),
        Column("memory", "Memory", Side.RIGHT),
        Column("ridge", "Ridge point", Side.RIGHT),
        Column("measured", "Measured", keep=3),
    )
    rows = tuple(
        Row((
            each.device,
            rate(each.operations_per_second, each.unit),
            each.dtype,
            rate(each.bytes_per_second, "B/s"),
            f"{each.ridge:.3g} FLOP/byte",
            each.measured[:16].replace("T", " ") + (", busy" if each.busy else ""),
        ))
        for each in ceilings
    )  # fmt: skip
    note = Text(
        "Ridge point: above it arithmetic is the limit, below it memory bandwidth is.",
        Tone.SECONDARY,
    )
    items = tuple(Item(each) for each in missing)
    blocks = (
        Table(columns, rows, _ALL, "device"),
        note,
        *((Items(items, _ALL),) if items else ()),
    )
    return Page("ceilings", "Peaks of devices", (Section("ceilings", "", blocks),))
