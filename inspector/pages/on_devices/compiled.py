"""Pages of models compiled for a device: what compiled, what did not, and for what one can."""

import shlex
from collections.abc import Iterator, Sequence

from inspector.analysis.devices.compile_targets import BY_ID
from inspector.analysis.devices.support_summary import summarised
from inspector.model.model import Model
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.report.report_values import CompiledLayers, Device
from inspector.wording.values import Code, Count, Duration, Name, Sentence, Size, Tone, Value

_REASONS = Limits(terminal=12, document=100)
_TARGETS = Limits(terminal=100, document=100)
_LAYERS = Column("layers", "Layers", Side.RIGHT)
_COMPARE = "To compare its outputs with the CPU's:"
_NOT_RUN = "Nothing ran on the chip. To compare its outputs, emulated here, with the CPU's:"


def compiled_page(model: Model, path: str, found: CompiledLayers) -> Page:
    """Return what a provider compiled of a model, and why not the rest. path: of the model."""
    made = found.model
    kept, layers = len(made.compiled), len(made.compiled) + len(made.left)
    values: dict[str, Value] = {"kept": Count(kept), "layers": Count(layers, "layer")}
    tone = Tone.GOOD if kept == layers else Tone.CAUTION if kept else Tone.BAD
    template = "All {layers} compiled" if kept == layers else "{kept} of {layers} compiled"
    if not kept:
        template = "The provider compiled no layer of the model"
    device = made.device
    chip = BY_ID.get(device.id)
    name = f"{chip.products} ({chip.part})" if chip else device.name
    title = Sentence("{model} for {device}", model=Name(model.name), device=Name(name))
    sections = (
        Section("compiled", "", (Facts(tuple(_facts(model, found))),)),
        Section("left", "Not compiled", tuple(_left(model, found))),
        Section("saved", "", tuple(_notes(path, found))),
    )
    return Page(
        "compiled", title, sections, Text(Sentence(template, **values), tone, strong=True)
    )


def _facts(model: Model, found: CompiledLayers) -> Iterator[Fact]:
    made = found.model
    if made.parts:
        yield Fact("Parts", Count(made.parts, "part"))
        yield Fact("Compiled binary", Size(made.binary_bytes))
        yield Fact("File", Size(made.file_bytes))
    gone = len(model.layers) - len(made.compiled) - len(made.left)
    if gone:
        yield Fact("Removed before", Count(gone, "layer"))
    yield Fact("Compile time", Sentence("{time}, with loading", time=Duration(made.compile_ns)))
    if made.chip:
        yield Fact("Chip in the binary", Name(made.chip))
    software = Name(made.device.source)
    version = Sentence("{software}, SDK {sdk}", software=software, sdk=Name(made.sdk))
    yield Fact("Compiled by", version if made.sdk else software)
    if made.lengths:
        lengths = (f"{name}={length}" for name, length in made.lengths)
        yield Fact("Fixed sizes", Name(", ".join(lengths)))


def _left(model: Model, found: CompiledLayers) -> Iterator[Block]:
    """Yield the operators that run on the CPU, with reasons."""
    left = found.reasons
    operators = [model.layers[layer].operator for layer in left]
    summary = summarised(found.model.device, operators, list(left.values()))
    refused = sum(each.layers for each in (*summary.refusals, *summary.unknowns))
    rows = [
        Row((Name(each.operator), Count(each.layers)), details=each.reason)
        for each in (*summary.refusals, *summary.unknowns)
    ]
    if rest := len(left) - refused:
        why = "The provider takes such a layer alone, but left it to save copies."
        rows.append(Row(("other operators", Count(rest)), details=why))
    columns = (
        Column("operator", "Operator", stretch=True),
        Column("layers", "Layers", Side.RIGHT),
    )
    if rows:
        yield Table(columns, tuple(rows), _REASONS, "reason")


def _notes(path: str, found: CompiledLayers) -> Iterator[Block]:
    """Yield what was saved, and how its answers are checked."""
    if found.saved is None:
        return
    yield Text(Sentence("Saved as {file}", file=Name(str(found.saved))))
    device = found.model.device.id
    run = f"model={found.saved},device={device}"
    lengths = (f"--dim={name}={size}" for name, size in found.model.lengths)
    yield Text(_NOT_RUN if device in BY_ID else _COMPARE)
    yield Snippet(shlex.join(("inspector", "parity", path, "--against", run, *lengths)), "sh")


def compile_targets_page(devices: Sequence[Device], missing: str = "") -> Page:
    """Return what models are compiled for. devices: that are here. missing: the command that
    installs what compiles for chips that are not here; "" where it is installed."""
    target = Column("target", "Target"), Column("device", "Device", stretch=True)
    here = tuple(Row((Code(each.id), Name(each.name))) for each in devices)
    chips = tuple(
        Row((Code(name), chip.products, f"{chip.part}, Hexagon v{chip.architecture}"))
        for name, chip in BY_ID.items()
    )
    table = Table((*target, Column("chip", "Chip")), chips, _TARGETS, "chip")
    how = Sentence("To install what compiles for these chips: {command}", command=Code(missing))
    sections = (
        Section("here", "Devices of this machine", (Table(target, here, _TARGETS, "device"),)
                if here else ()),
        Section("chips", "Qualcomm NPUs, which need not be here",
                (table, *((Text(how),) * bool(missing)))),
    )  # fmt: skip
    return Page("compile_targets", "Targets of `inspector compile`", sections)
