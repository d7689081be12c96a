"""The page of what is estimated of a model on devices that it was not run on."""

from collections.abc import Iterator, Sequence

from inspector.analysis.cost.estimate import ARENA_ERROR
from inspector.analysis.cost.kernels import AVX2
from inspector.analysis.cost.latency import Efficiency
from inspector.analysis.cost.memory_fit import MemoryFit
from inspector.analysis.devices.device_estimates import DeviceEstimate, ModelEstimates
from inspector.analysis.devices.known_devices import KnownDevice
from inspector.analysis.facts.symbolic_sizes import number
from inspector.pages.blocks import (
    Block,
    Column,
    Item,
    Items,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.wording.values import (
    Amount,
    Code,
    Count,
    Duration,
    DurationRange,
    Name,
    Sentence,
    Share,
    Size,
    SizeRange,
    Tone,
    Toned,
    Value,
    joined,
)

_ALL = Limits(terminal=100, document=100, page=1000)
_SHARE_HELP = "Share of the estimated time of a run on this device"
_OF_RUNTIME = ("onnx", "ort")  # formats of ONNX Runtime
_FITS: dict[bool | None, Value] = {
    True: Toned("fits", Tone.GOOD),
    None: Toned("not sure", Tone.CAUTION),
}
_TOO_SMALL: dict[tuple[bool, bool], Value] = {  # RAM, flash
    (True, False): Toned("does not fit in RAM", Tone.BAD),
    (False, True): Toned("does not fit in flash", Tone.BAD),
    (True, True): Toned("fits in neither RAM nor flash", Tone.BAD),
}
_FITS_IF_LOADED = {**_FITS, True: Toned("fits if it loads", Tone.CAUTION)}


def estimate_page(estimates: ModelEstimates) -> Page:
    """Return the page of one model."""
    title = Sentence("Estimate of {model}", model=Name(estimates.model.name))
    return Page("estimate", title, estimate_sections(estimates), _verdict(estimates))


def estimate_sections(estimates: ModelEstimates) -> tuple[Section, ...]:
    """Return the sections, also for the page of a model."""
    timed = [each for each in estimates.devices if each.latency is not None]
    blocks: list[Block] = [_devices(timed)] if timed else []
    blocks += [Text(note, Tone.SECONDARY) for note in _notes(estimates, timed)]
    model, cost = estimates.model, estimates.cost
    columns = [
        Column("layer", "Layer", stretch=True),
        Column("operator", "Operator"),
        Column("macs", "MACs", Side.RIGHT, keep=5),
        *(Column(each.device.id, _title(each), Side.RIGHT, help=_SHARE_HELP) for each in timed),
    ]
    times = [
        {layer.index: layer.time_ns for layer in each.latency.layers}
        for each in timed
        if each.latency is not None
    ]
    sums = [sum(each.values()) or 1.0 for each in times]
    first = times[0] if times else {}
    rows = tuple(
        Row(
            (
                Name(model.layers[load.index].label),
                Name(model.layers[load.index].operator),
                Amount(number(cost.cost.layers[load.index].macs or 0, cost.lengths)),
                *(
                    Share(each.get(load.index, 0.0), whole)
                    for each, whole in zip(times, sums, strict=True)
                ),
            ),
            number=load.index,
            key=str(load.index),
        )
        for load in sorted(estimates.loads, key=lambda load: -first.get(load.index, 0.0))
    )
    layers = Table(tuple(columns), rows, noun="layer")
    sources = tuple(_sources(estimates))
    return tuple(filter(None, (
        Section("estimate", "Latency", tuple(blocks)),
        Section("fit", "Memory", tuple(_memory(estimates))),
        Section("estimated-layers", "Layers", (layers,) if layers.rows else (), Rank.DOCUMENT),
        Section(
            "estimate-sources", "Sources", (Items(sources, _ALL),) if sources else (),
            Rank.DOCUMENT,
        ),
    )))  # fmt: skip


def device_section(estimates: ModelEstimates, refused: bool = False) -> Section:
    """Return time and memory on each device in one table, for the page of a model.

    refused: whether the runtime does not load the file here.
    """
    answers = _FITS_IF_LOADED if refused else _FITS
    columns = (
        Column("device", "Device", stretch=True),
        Column("latency", "Latency, estimated", Side.RIGHT),
        Column("basis", "Basis", keep=8),
        Column("memory", "RAM needed", Side.RIGHT, keep=5),
        Column("ram-limit", "RAM", Side.RIGHT, keep=4),
        Column("fits", "Memory"),
    )
    rows = []
    for each in estimates.devices:
        told, fit = each.latency, each.memory
        rows.append(Row((
            _title(each),
            "not known" if told is None else DurationRange(told.low_ns, told.high_ns),
            "" if told is None else ("validated" if each.validated else "not validated"),
            "" if fit is None else _ram(fit),
            "" if fit is None else Size(fit.ram_limit),
            "" if fit is None else _answer(fit, answers),
        )))  # fmt: skip
    timed = [each for each in estimates.devices if each.latency is not None]
    notes = tuple(Text(note, Tone.SECONDARY) for note in _notes(estimates, timed))
    more = Sentence("More devices: {command}", Code("inspector estimate MODEL --target all"))
    table = Table(columns, tuple(rows), _ALL, "device", fixed=True)
    return Section("devices", "On other devices", (table, *notes, Text(more, Tone.SECONDARY)))


def _title(each: DeviceEstimate) -> Value:
    """Return what a device is called; that of a file may be anything."""
    device = each.device
    return device.title if isinstance(device, Efficiency) else Name(device.title)


def _ram(fit: MemoryFit) -> Value:
    low, high = fit.need.ram_low, fit.need.ram_high
    return Size(low) if low == high else SizeRange(low, high)


def _answer(fit: MemoryFit, answers: dict[bool | None, Value] = _FITS) -> Value:
    """Return whether a model fits, or which memory it does not fit in."""
    if fit.fits is not False:
        return answers[fit.fits]
    return _TOO_SMALL[fit.need.ram_low > fit.ram_limit, fit.need.flash > fit.flash_limit]


def _verdict(estimates: ModelEstimates) -> Text | None:
    """Return the shortest validated latency; nothing of devices that nobody measured."""
    validated = [
        (_title(each), each.latency)
        for each in estimates.devices
        if each.validated and each.latency is not None
    ]
    if not validated:
        return None
    title, latency = min(validated, key=lambda each: each[1].low_ns)
    said = Sentence(
        "About {time} on {device}; 90% interval: {range}",
        time=Duration(latency.time_ns or 0.0),
        device=title,
        range=DurationRange(latency.low_ns, latency.high_ns),
    )
    return Text(said, strong=True)


def _devices(timed: Sequence[DeviceEstimate]) -> Table:
    told = any(each.latency is not None and each.latency.time_ns is not None for each in timed)
    columns = (
        Column("device", "Device", stretch=True),
        *((Column("latency", "Latency", Side.RIGHT),) if told else ()),
        Column("range", "Range", Side.RIGHT),
        Column("basis", "Basis", keep=5),
    )
    rows = tuple(
        Row((
            _title(each),
            *(("" if latency.time_ns is None else Duration(latency.time_ns),) if told else ()),
            DurationRange(latency.low_ns, latency.high_ns),
            _basis(each),
        ))
        for each in timed
        if (latency := each.latency) is not None
    )  # fmt: skip
    return Table(columns, rows, _ALL, "device", fixed=True)


def _basis(each: DeviceEstimate) -> Value:
    device = each.device
    if not isinstance(device, Efficiency):
        return "not validated: ceilings only"
    if not each.validated:
        return Sentence("not validated on this processor, only on {processor}",
                        processor=Name(device.processor))  # fmt: skip
    return Sentence(
        "validated on {models}: median error {error}",
        models=Count(device.models, "held-out model"),
        error=Share(device.median_error),
    )


def _notes(estimates: ModelEstimates, timed: Sequence[DeviceEstimate]) -> Iterator[Value]:
    validated = [
        device
        for each in timed
        if each.validated and isinstance(device := each.device, Efficiency)
    ]
    if validated:
        yield Sentence(
            "In validation, the range contained the measured latency of models of held-out "
            "kinds in {inside} of {models} cases.",
            inside=str(sum(device.inside for device in validated)),
            models=str(sum(device.models for device in validated)),
        )
    if any(device.threads > 1 for device in validated):
        yield (
            "With several threads, the range covers cores with a cache in common and cores "
            "without; on virtual machines, that changes from minute to minute."
        )
    if any(isinstance(each.device, KnownDevice) for each in timed):
        yield (
            "Ranges from ceilings go from a run at the peak that starts once and reads only "
            "weights from memory, to one at 3% of the peak that starts each layer anew and "
            "moves all values. They are no verdict: measure on the device."
        )
    untimed = [each for each in estimates.devices if each.rates and each.latency is None]
    if untimed:
        yield Sentence(
            "No range for {devices}: there is none for devices that compute in no type of the "
            "model, or for models with trees or layers of unknown cost.",
            devices=joined(*map(_title, untimed)),
        )
    unknown = estimates.cost.cost.unknown
    if unknown:
        yield Sentence("{layers} of unknown cost count as nothing.",
                       layers=Count(unknown, "layer"))  # fmt: skip


def _memory(estimates: ModelEstimates) -> Iterator[Block]:
    """Yield what each device has to hold, the layer at the peak, and what makes it fit."""
    arena = estimates.cost.arena_bytes
    if arena is not None and estimates.model.format in _OF_RUNTIME:
        yield Text(Sentence(
            "Activations take about {size} in ONNX Runtime on an x86 CPU with AVX-512, {other} "
            "with AVX2 (within {error} for 90% of networks).",
            size=Size(arena),
            other=Size(estimates.cost.arena_bytes_on(estimates.model, AVX2) or 0),
            error=f"{ARENA_ERROR:.0%}",
        ))  # fmt: skip
    fits = [(_title(each), each.memory) for each in estimates.devices if each.memory]
    if not fits:
        return
    with_flash = any(fit.flash_limit for _, fit in fits)
    flash = (
        Column("flash", "Flash needed", Side.RIGHT),
        Column("flash-limit", "Flash", Side.RIGHT),
    )
    columns = [
        Column("device", "Device", stretch=True),
        Column("ram", "RAM needed", Side.RIGHT),
        Column("ram-limit", "RAM", Side.RIGHT),
        *(flash if with_flash else ()),
        Column("fits", "Answer"),
    ]
    rows = []
    for title, fit in fits:
        need = fit.need
        cells: list[Value] = [title, _ram(fit), Size(fit.ram_limit)]
        if with_flash:
            limit = fit.flash_limit
            cells += [Size(need.flash), Size(limit)] if limit else ["", ""]
        rows.append(Row((*cells, _answer(fit))))
    yield Table(tuple(columns), tuple(rows), _ALL, "device", fixed=True)
    yield Text(
        "With flash: the arena of TensorFlow Lite Micro in RAM, weights and its core without "
        "kernels in flash. Else weights and values in RAM, without the runtime's program; RAM "
        "is all of the device, of which an app gets a part.",
        Tone.SECONDARY,
    )
    if estimates.cached_tokens:
        yield Text(Sentence(
            "RAM of this language model: weights, a cache of {tokens} and the values of a "
            "piece of a prompt.",
            tokens=Count(estimates.cached_tokens, "token"),
        ))  # fmt: skip
    _, first = fits[0]
    if first.layer is not None:
        yield Text(Sentence(
            "The values between layers take the most, at least {size}, at {layer}.",
            size=Size(estimates.cost.peak_bytes),
            layer=Name(estimates.model.layers[first.layer].label),
        ))  # fmt: skip
    devices: dict[Sentence, list[Value]] = {}
    for title, fit in fits:
        for remedy in fit.remedies:
            devices.setdefault(remedy, []).append(title)
    items = tuple(
        Item(Sentence("{device}: {remedy}", device=joined(*titles), remedy=remedy))
        for remedy, titles in devices.items()
    )
    if items:
        yield Items(items, _ALL)


def _sources(estimates: ModelEstimates) -> Iterator[Item]:
    """Yield where each figure of a public device is from."""
    for each in estimates.devices:
        for source in getattr(each.device, "sources", ()):
            said = Sentence(
                "{device}: {states} ({address}, read {date})",
                device=_title(each), states=Name(source.states),
                address=Name(source.url), date=source.date,
            )  # fmt: skip
            yield Item(said)
