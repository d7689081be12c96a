"""Sections on layers: the slowest, their types, partitions, added nodes, roofline."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import nan

from msgspec.structs import replace

from inspector import units
from inspector.analysis.measured import roofline_points
from inspector.analysis.measured.computed_precision import precision_of
from inspector.analysis.measured.layer_sum import (
    cautions,
    conversion_times,
    handed_over,
    selection_text,
    sum_sentence,
    unranked,
)
from inspector.analysis.measured.operator_types import OperatorType, operator_types
from inspector.analysis.measured.partitions import Crossing, Island, partition
from inspector.pages.blocks import (
    Block,
    Chart,
    Column,
    Item,
    Items,
    Legend,
    Limits,
    Rank,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.pages.charts.report_plots import partition_plot
from inspector.pages.charts.roofline_plot import roofline_plot
from inspector.pages.report.layer_table import (
    Devices,
    kernel_share,
    name_cell,
    share_cell,
    spread_cell,
    time_cell,
)
from inspector.report.report import Device, InsertedNode, LayerUse, PerformanceReport
from inspector.wording.support_marks import Mark, Status
from inspector.wording.values import (
    Count,
    Duration,
    Joined,
    MarkValue,
    Name,
    Noted,
    Number,
    Sentence,
    Share,
    Size,
    Tone,
    Toned,
    Value,
)

_MOST_LAYERS = 2000  # of the table; the CSV export has all
_LAYERS = Limits(terminal=8, document=10)
_ON_SHEETS = 40  # layers; a PDF of hundreds of layers without a time is not read
_TYPES = Limits(terminal=5, document=12, page=40)
_MOST_REASONS = 40
_NAMED = 4  # layers, beside a reason
_CONVERSIONS = 3
_SHARE_OF_CONVERSIONS = 0.05  # of kernel time, from which they are named


def _devices(report: PerformanceReport) -> Devices:
    return Devices(report.requested_devices)


def slowest(report: PerformanceReport) -> Section:
    """Return the layers, the slowest first, with the marks of each device."""
    if not report.layers:
        return Section("layers", "", ())
    devices = _devices(report)
    chosen = tuple(
        sorted(report.layers, key=lambda layer: -(layer.time_ns or 0))[:_MOST_LAYERS]
    )
    spread = any(layer.spread is not None for layer in chosen)
    top = max((layer.time_ns or 0 for layer in report.layers), default=0)
    time = report.profiling.time_title if spread else "Time"
    columns = (
        Column("index", "#", Side.RIGHT, keep=8),
        Column("name", "Layer", stretch=True),
        Column("operator", "Operator"),
        Column("output", "Output", keep=1),
        *(Column(f"mark {device.id}", units.device(device.id), Side.CENTER, marks=True)
          for device in devices.all),
        Column("device", "Ran on", keep=5),
        Column("bar", "", keep=4, bar=True),
        Column("time", time, Side.RIGHT),
        Column("share", "Share", Side.RIGHT, help="Share of kernel time"),
        *((Column("spread", "95% CI", Side.RIGHT, keep=2),) * spread),
    )  # fmt: skip
    table = tuple(_row(layer, report, devices, top, spread) for layer in chosen)
    timed = sum(layer.time_ns is not None for layer in report.layers) or _ON_SHEETS
    rest = "the web page and the CSV export have all"
    if timed < min(_ON_SHEETS, len(report.layers)):
        rest = "the others have no time of their own; the web page and the CSV export have all"
    blocks: tuple[Block, ...] = (
        *(Text(sentence, Tone.CAUTION) for sentence in cautions(report)),
        Legend(_legend(report, devices)),
        Table(
            columns,
            table,
            replace(_LAYERS, sheets=min(timed, _ON_SHEETS)),
            "layer",
            len(report.layers),
            "the CSV export has all",
            sheets_rest=rest,
        ),
        *_sums(report),
        *_compiled(report),
    )
    counts = Counter(layer.status for layer in report.layers).most_common()
    counts.sort(key=lambda each: each[0] is not Status.EXECUTED)
    parts = (Joined((Count(count), str(status)), " ") for status, count in counts)
    return Section("layers", "Slowest layers", blocks, aside=Joined(tuple(parts)))


def _row(
    layer: LayerUse, report: PerformanceReport, devices: Devices, top_ns: int, spread: bool
) -> Row:
    operator: Value = Name(layer.operator)
    if layer.executed_as and layer.executed_as != layer.operator:
        operator = Sentence("{a} as {b}", operator, Name(layer.executed_as))
    precision = precision_of(layer, report.layers)
    output = f"{precision} {layer.output.partition(' ')[2]}".strip()
    ran_on = units.device(layer.ran_on) if layer.ran_on else ""
    if layer.calls > 1:
        ran_on += f" ×{layer.calls:g}"
    time = layer.time_ns
    return Row((
        Count(layer.index),
        name_cell(layer),
        operator,
        Name(output),
        *(devices.mark(layer, device.id) for device in devices.all),
        ran_on,
        Number(time / top_ns) if time and top_ns else "",
        time_cell(layer, report),
        share_cell(layer, report),
        *((spread_cell(layer, report),) * spread),
    ), id=f"layer-{layer.index}", number=layer.index)  # fmt: skip


def _legend(report: PerformanceReport, devices: Devices) -> tuple[MarkValue, ...]:
    """Return every mark that occurs, once; in the color of a device that has it."""
    families: dict[Mark, str] = {}
    for layer in report.layers:
        for id_, support in layer.devices.items():
            families.setdefault(support.mark, devices.family(id_))
    return tuple(MarkValue(m, families[m], m.label) for m in Mark if m in families)


def _sums(report: PerformanceReport) -> Iterator[Text]:
    total = sum_sentence(report)
    if total:
        yield Text(total, Tone.SECONDARY)
    if any(layer.time_ns for layer in report.layers):
        yield Text(selection_text(report), Tone.SECONDARY)


def _compiled(report: PerformanceReport) -> Iterator[Text]:
    """Yield the slowest layers of compiled partitions, by the profiler of the provider."""
    profiled = [(layer.name, layer.inside) for layer in report.layers if layer.inside]
    profiled.sort(key=lambda pair: -pair[1].amount)
    if profiled:
        parts = tuple(
            Joined((Name(name), Share(inside.amount, inside.whole)), " ")
            for name, inside in profiled[: _LAYERS.terminal]
        )
        template = "Inside compiled partitions, by {source}: {layers}."
        yield Text(Sentence(template, profiled[0][1].source, Joined(parts)))


def operators(report: PerformanceReport) -> Section:
    """Return the operator types with most time, and which devices support them."""
    table = operator_table(report)
    if not table.rows:
        return Section("operators", "", ())
    return Section("operators", "Operator types", (table,), aside=Count(len(table.rows)))


def operator_table(report: PerformanceReport) -> Table:
    """Return a row for each operator type, those with most time first."""
    types, devices = operator_types(report), _devices(report).all
    columns = (
        Column("operator", "Operator type", stretch=True),
        Column("layers", "Layers", Side.RIGHT, help="Layers of this type in the model"),
        Column("bar", "", keep=4, bar=True),
        Column("time", report.profiling.sum_title, Side.RIGHT,
               help="Sum of the times of these layers; the time of a fused layer is counted in "
                    "the layer it was fused into"),
        Column("share", "Share", Side.RIGHT, help="Share of kernel time"),
        *(Column(f"support {device.id}", units.device(device.id), keep=5, falling=True,
                 help="How many of these layers the device ran or supports")
          for device in devices),
    )  # fmt: skip
    longest_ns = max((each.time_ns or 0 for each in types), default=0)
    rows = tuple(_type_row(each, report, devices, longest_ns) for each in types)
    return Table(columns, rows, _TYPES, "operator type", sorted_by="time")


def _type_row(
    each: OperatorType, report: PerformanceReport, devices: Sequence[Device], longest_ns: int
) -> Row:
    time: Value = Noted(Toned(each.time_text, Tone.SECONDARY), order=nan)
    if each.time_ns is not None:
        time = Duration(each.time_ns, report.profiling.clock_ns)
    counts: dict[str, Value] = {
        "layers": Count(each.layers, "layer"), "timed": Count(each.timed_layers),
    }  # fmt: skip
    return Row((
        Name(each.operator),
        Noted(Count(each.layers), Sentence("{layers}, {timed} timed separately", **counts)),
        Number(each.time_ns / longest_ns) if each.time_ns and longest_ns else "",
        time,
        "" if each.time_ns is None else kernel_share(each.time_ns, report),
        *(Noted(each.support_text(device.id),
                order=float(each.supported_layers.get(device.id, nan))) for device in devices),
    ))  # fmt: skip


def partitions(report: PerformanceReport) -> Section:
    """Return how the model was divided among devices, and which parts cost most copies."""
    split = partition(report)
    if not split.divided:
        return Section("partitions", "", ())
    aside = Joined((
        Count(len(split.islands), "partition"),
        Count(len(split.crossings), "device transition"),
        split.copied,
    ))  # fmt: skip
    names = {layer.index: layer.name for layer in report.layers}
    items = tuple(Item(_island(island, names)) for island in split.dear)
    blocks: tuple[Block, ...] = (
        Chart("partitions", partial(partition_plot, report), "Partitions by device"),
        Items(items, Limits(terminal=3, document=4, page=40), "partition"),
    )
    return Section("partitions", "Partitions", blocks, aside=aside)


def transitions(report: PerformanceReport) -> Section:
    """Return the copies between devices, where a model was divided among several."""
    split = partition(report)
    if not split.divided or not split.crossings:
        return Section("transitions", "", ())
    columns = (
        Column("between", "Between layers", stretch=True),
        Column("devices", "Devices"),
        Column("size", "Size", Side.RIGHT),
        Column("time", "Time", Side.RIGHT),
    )
    names = {layer.index: layer.name for layer in report.layers}
    rows = tuple(_crossing(crossing, names) for crossing in split.crossings)
    table = Table(columns, rows, Limits(document=10, page=40), "device transition")
    return Section("transitions", "Device transitions", (table,), Rank.DOCUMENT)


def _crossing(crossing: Crossing, names: dict[int, str]) -> Row:
    before, after = crossing.before, crossing.after
    ends = ("input" if after is None else Name(names[after]),
            "output" if before is None else Name(names[before]))  # fmt: skip
    devices = f"{units.device(crossing.source)} → {units.device(crossing.target)}"
    time: Value = "not timed" if crossing.waits else "included in partition"
    if not crossing.waits and crossing.time_ns is not None:
        time = Duration(crossing.time_ns)
    layer = before if before is not None else after
    key = "" if layer is None else str(layer)
    return Row((Joined(ends, " → "), devices, Size(crossing.size_bytes), time), key=key)


def _island(island: Island, names: dict[int, str]) -> Sentence:
    others = len(island.layers) - 1
    return Sentence(
        "{layer} and {others} on {device}: {copies}, {size} in {time} for {own} of computation"
        if others
        else "{layer} on {device}: {copies}, {size} in {time} for {own} of computation",
        layer=Name(names[island.layers[0]]),
        others=Count(others, "more layer"),
        device=units.device(island.device),
        copies=Count(len(island.copies), "copy"),
        size=Size(island.copied_bytes),
        time=Duration(island.copied_ns),
        own=Duration(island.time_ns),
    )


def added(report: PerformanceReport) -> Section:
    """Return the nodes that the runtime added: copies, casts, layout conversions, waits."""
    nodes = report.inserted
    if not nodes:
        return Section("added", "", ())
    columns = (
        Column("kind", "Kind"),
        Column("node", "Node", stretch=True),
        Column("operator", "Operator", keep=3),
        Column("device", "Device"),
        Column("between", "Between layers", keep=2),
        Column("size", "Moved", Side.RIGHT),
        Column("time", "Time", Side.RIGHT),
        Column("share", "Share", Side.RIGHT, keep=6, help="Share of kernel time"),
    )
    slow = sorted(nodes, key=lambda node: -node.time_ns)[:_MOST_LAYERS]
    rows = tuple(_added_row(node, report) for node in slow)
    limits = Limits(terminal=3, document=10)
    table = Table(columns, rows, limits, "node", len(nodes), "the JSON export has all")
    aside = Joined(tuple(_kinds(nodes)))
    blocks: tuple[Block, ...] = (table, *_converted(report))
    return Section("added", "Added by the runtime", blocks, aside=aside)


def _added_row(node: InsertedNode, report: PerformanceReport) -> Row:
    after = "input" if node.after is None else str(node.after)
    before = "output" if node.before is None else str(node.before)
    submitted = handed_over(node)
    return Row((
        "layout conversion" if node.kind == "layout" else node.kind,
        Name(node.name),
        Name(node.operator),
        units.device(node.device),
        f"{after} → {before}",
        Size(node.size_bytes) if node.size_bytes else "",
        submitted or Duration(node.time_ns, report.profiling.clock_ns),
        "" if submitted else kernel_share(node.time_ns, report),
    ))  # fmt: skip


def _kinds(nodes: Sequence[InsertedNode]) -> Iterator[Count]:
    """Yield how many nodes of each kind were added: '3 copies', '1 layout conversion'."""
    for kind, count in Counter(node.kind for node in nodes).most_common():
        yield Count(count, "layout conversion" if kind == "layout" else kind)


def _converted(report: PerformanceReport) -> Iterator[Text]:
    """Name the layers whose values take longest to convert, where that takes much time."""
    times = conversion_times(report)
    total = sum(times.values())
    if not total or total < _SHARE_OF_CONVERSIONS * report.kernel_ns:
        return
    layers = {layer.index: layer for layer in report.layers}
    longest = sorted(times, key=lambda index: -times[index])[:_CONVERSIONS]
    parts = tuple(
        Joined((
            Name(layers[index].name or layers[index].operator),
            Duration(times[index], report.profiling.clock_ns),
        ), " ")
        for index in longest
    )  # fmt: skip
    yield Text(Sentence("Conversions take longest at {layers}.", Joined(parts)))


def roofline(report: PerformanceReport) -> Section:
    """Return each of the slowest layers against the ceilings of its device."""
    points = sorted(roofline_points.points(report), key=lambda point: -point.time_ns)
    texts = tuple(Text(t, Tone.SECONDARY) for t in roofline_points.sentences(report))
    if not points:
        return Section("roofline", "Roofline" if texts else "", texts)
    sure = not unranked(report)
    columns = (
        Column("name", "Layer", stretch=True),
        Column("compute", "GFLOP/s", Side.RIGHT),
        Column("memory", "GB/s", Side.RIGHT),
        Column("share", "Of limit", Side.RIGHT),
        Column("limit", "Limited by"),
    )
    rows = tuple(
        Row((
            name_cell(point.layer),
            Number(point.operations_per_second / 1e9),
            Number(point.bytes_per_second / 1e9),
            f"{'≤ ' * point.ceiling.busy}{100 * point.share:.0f}%",
            point.limit if sure and point.is_certain
            else Sentence("probably {limit}", point.limit),
        ))
        for point in points
    )  # fmt: skip
    chart = Chart("roofline", partial(roofline_plot, report), "Throughput by intensity")
    blocks: tuple[Block, ...] = (chart, Table(columns, rows, _LAYERS, "layer"), *texts)
    aside = "each layer against the measured peak of its device"
    return Section("roofline", "Roofline", blocks, aside=aside)


def reasons(report: PerformanceReport) -> Section:
    """Return the reasons that layers give for their marks, most common first.

    Not those of layers that are part of another: their rows say so already.
    """
    devices = _devices(report)
    groups: dict[tuple[str, Mark, str], list[LayerUse]] = {}
    for layer in report.layers:
        for id_, support in layer.devices.items():
            if support.reason and support.mark not in (Mark.FUSED, Mark.FOLDED):
                groups.setdefault((id_, support.mark, support.reason), []).append(layer)
    ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
    columns = (
        Column("device", "Device"),
        Column("mark", "Support"),
        Column("reason", "Reason", stretch=True),
        Column("layers", "Layers", Side.RIGHT),
        Column("first", "First layers", keep=3),
    )
    rows = tuple(
        Row((
            units.device(id_),
            MarkValue(mark, devices.family(id_), mark.label),
            Name(reason),
            Count(len(layers)),
            Joined(tuple(Name(f"{e.index} {e.name}") for e in layers[:_NAMED])),
        ))
        for (id_, mark, reason), layers in ordered[:_MOST_REASONS]
    )  # fmt: skip
    table = Table(columns, rows, Limits(8, 40, 40), "reason", len(ordered))
    title = "Device support, with reasons"
    return Section("support", title, (table,) if rows else (), Rank.FOLDED)
