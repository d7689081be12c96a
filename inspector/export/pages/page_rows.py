"""Rows of the page's tables: layers, what the runtime put in, and why a layer fell back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector import units
from inspector.analysis.measured.computed_precision import precision_of
from inspector.analysis.measured.layer_sum import handed_over, is_untimed, most_important
from inspector.analysis.measured.partitions import Partition, layers_on
from inspector.model.tensors.agreement import CheckedOutput
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport, Support
from inspector.report.support_marks import Mark, Status

MOST_ROWS = 2000
_LONGEST_NAME = 160
_LISTED = 4
_MOST_REASONS = 40


@dataclass(frozen=True, slots=True)
class Unit:
    """A device of the report as the page names it. family: colour, "cpu", "gpu" or "npu".

    share: of the layers that ran; time_share: what its layers took of the time of all
    kernels, inserted ones included; both 0 to 1. timed: whether the times of its layers are
    known, and not only how long handing them over took.
    """

    id: str
    name: str
    full_name: str
    family: str
    provider: str
    source: str
    layers: int
    share: float
    time_share: float
    timed: bool = True


@dataclass(frozen=True, slots=True)
class MarkView:
    """A layer's mark on one device: shape, color and label."""

    mark: Mark
    family: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """A layer as the page shows it.

    precision: the type it computed in, "float16 → float32" where the model says another.
    bar: its share of the slowest layer's time, 0 to 1.
    spread: least and longest time in words; reach: both as shares of the slowest layer's time.
    """

    index: int
    scope: str
    name: str
    operator: str
    executed_as: str
    status: str
    into: int | None
    precision: str
    output: str
    marks: tuple[MarkView, ...]
    family: str
    unit: str
    time_ns: int | None
    time: str
    share: str
    bar: float
    spread: str = ""
    noisy: bool = False
    reach: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a mark on a device, with the number of layers and the first few."""

    unit: str
    mark: MarkView
    text: str
    layers: int
    first: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """An island in the bar of the partition; share: of the layers, 0 to 1. first: its index."""

    unit: str
    family: str
    share: float
    first: int
    title: str


@dataclass(frozen=True, slots=True)
class Dear:
    """An island that costs copies both ways: its first layer, and what it costs."""

    first: int
    name: str
    others: int
    unit: str
    copies: int
    size: str
    time: str


@dataclass(frozen=True, slots=True)
class InsertedRow:
    """A node that the runtime put in. after, before: the layers on both sides, if known."""

    name: str
    operator: str
    kind: str
    unit: str
    after: int | None
    before: int | None
    size: str
    time: str
    share: str


def units_of(report: PerformanceReport) -> tuple[Unit, ...]:
    """The devices of the report with what each did."""
    counts = {device.id: layers_on(report, device.id) for device in report.devices}
    result = []
    for device in report.devices:
        layers = [layer for layer in report.layers if layer.ran_on == device.id]
        time = sum(layer.time_ns or 0 for layer in layers)
        result.append(
            Unit(
                device.id,
                units.clip(units.device(device.id), 24),
                units.clip(device.name, 80),
                device.kind if device.kind in ("cpu", "gpu") else "npu",
                units.clip(device.provider, 80),
                units.clip(device.source, 80),
                counts[device.id],
                counts[device.id] / max(1, sum(counts.values())),
                time / max(1, report.kernel_ns),
                not is_untimed(report, device.id),
            )
        )
    return tuple(result)


def columns_of(report: PerformanceReport) -> tuple[Unit, ...]:
    """The devices of the table's columns: those of the session, then the predicted ones."""
    predicted = replace(report, devices=report.predicted)
    return (*units_of(report), *units_of(predicted))


def rows_of(
    report: PerformanceReport, devices: tuple[Unit, ...], most_rows: int = MOST_ROWS
) -> tuple[Row, ...]:
    """Layers in the file's order; of more than `most_rows` those of most_important."""
    chosen = report.layers
    if len(chosen) > most_rows:
        few = most_important(report, most_rows)
        chosen = tuple(sorted(few, key=lambda layer: layer.index))
    by_id = {unit.id: unit for unit in devices}
    most = max((layer.time_ns or 0 for layer in report.layers), default=0)
    return tuple(
        _row(layer, precision_of(layer, report.layers), by_id, most, report) for layer in chosen
    )


def _row(
    layer: LayerUse,
    precision: str,
    devices: Mapping[str, Unit],
    most_ns: int,
    report: PerformanceReport,
) -> Row:
    scope, _ = units.scope_and_name(layer.name)
    ran_on = devices.get(layer.ran_on or "")
    status = "" if layer.status is Status.EXECUTED else layer.status.value
    status = handed_over(layer) or status
    other = layer.executed_as if layer.executed_as != layer.operator else ""
    time = layer.time_ns
    return Row(
        layer.index,
        units.clip(scope[-_LONGEST_NAME:], _LONGEST_NAME),
        _leaf(layer),
        units.clip(layer.operator, 60),
        units.clip(other, 60),
        status,
        layer.into,
        units.clip(precision, 60),
        units.clip(f"{precision} {layer.output.partition(' ')[2]}".strip(), 120),
        tuple(_view(layer.devices.get(unit.id), unit) for unit in devices.values()),
        ran_on.family if ran_on else "",
        ran_on.name if ran_on else "",
        time,
        "" if time is None else units.duration(time, report.profiling.clock_ns),
        "" if time is None else units.share(time, report.kernel_ns),
        (time or 0) / most_ns if most_ns else 0.0,
        _spread_text(layer, report.profiling.clock_ns),
        layer.noisy,
        _reach(layer, most_ns),
    )


def _spread_text(layer: LayerUse, clock_ns: int) -> str:
    spread = layer.spread
    return "" if spread is None else units.durations(spread.min_ns, spread.max_ns, clock_ns)


def _reach(layer: LayerUse, most_ns: int) -> tuple[float, float] | None:
    """Return its shortest and longest time relative to the slowest layer, 0 to 1."""
    if layer.spread is None or not most_ns:
        return None
    low, high = layer.spread.min_ns / most_ns, layer.spread.max_ns / most_ns
    return min(1.0, low), min(1.0, high)


def _view(support: Support | None, unit: Unit) -> MarkView:
    if support is None:
        return MarkView(Mark.UNKNOWN, unit.family, f"{unit.name}: {Mark.UNKNOWN.label}")
    because = f": {units.clip(support.reason, 400)}" if support.reason else ""
    text = f"{unit.name}: {support.label}{because}{support.known_by}"
    return MarkView(support.mark, unit.family, text)


def reasons_of(report: PerformanceReport, devices: tuple[Unit, ...]) -> tuple[Reason, ...]:
    """The reasons that layers give for their marks, most common first.

    Not those of layers that are part of another: their rows say so already.
    """
    grouped: dict[tuple[str, Mark, str], list[LayerUse]] = {}
    for layer in report.layers:
        for id_, support in layer.devices.items():
            if support.reason and support.mark not in (Mark.FUSED, Mark.FOLDED):
                grouped.setdefault((id_, support.mark, support.reason), []).append(layer)
    by_id = {unit.id: unit for unit in devices}
    ordered = sorted(grouped.items(), key=lambda item: -len(item[1]))
    return tuple(
        Reason(
            by_id[id_].name,
            MarkView(mark, by_id[id_].family, mark.label),
            units.clip(text, 300),
            len(layers),
            tuple((layer.index, units.clip(_leaf(layer), 24)) for layer in layers[:_LISTED]),
        )
        for (id_, mark, text), layers in ordered[:_MOST_REASONS]
        if id_ in by_id
    )


def _leaf(layer: LayerUse) -> str:
    name = units.scope_and_name(layer.name)[1] or f"{layer.operator} {layer.index}"
    return units.clip(name, _LONGEST_NAME)


def inserted_of(report: PerformanceReport) -> tuple[InsertedRow, ...]:
    """Return the nodes that the runtime added, in order; the slowest of more than MOST_ROWS."""
    nodes = report.inserted
    if len(nodes) > MOST_ROWS:
        nodes = tuple(sorted(nodes, key=lambda node: -node.time_ns)[:MOST_ROWS])
    return tuple(_inserted(node, report.kernel_ns, report.profiling.clock_ns) for node in nodes)


def _inserted(node: InsertedNode, kernel_ns: int, clock_ns: int) -> InsertedRow:
    return InsertedRow(
        units.clip(node.name, _LONGEST_NAME),
        units.clip(node.operator, 60),
        units.clip(node.kind, 20),
        units.clip(units.device(node.device), 24),
        node.after,
        node.before,
        units.size(node.size_bytes) if node.size_bytes else "",
        handed_over(node) or units.duration(node.time_ns, clock_ns),
        "" if handed_over(node) else units.share(node.time_ns, kernel_ns),
    )


def parts_of(split: Partition, devices: tuple[Unit, ...]) -> tuple[Part, ...]:
    """The islands of a report as parts of one bar; none when one device ran all."""
    by_id = {unit.id: unit for unit in devices}
    layers = sum(len(island.layers) for island in split.islands)
    return tuple(
        Part(
            by_id[island.device].name,
            by_id[island.device].family,
            len(island.layers) / layers,
            island.layers[0],
            f"{by_id[island.device].name}: {units.plural(len(island.layers), 'layer')} "
            f"starting at #{island.layers[0]}, {units.duration(island.time_ns)}",
        )
        for island in split.islands[:MOST_ROWS]
        if split.divided and island.device in by_id
    )


def dear_of(report: PerformanceReport, split: Partition) -> tuple[Dear, ...]:
    """The islands that cost most for what they do."""
    by_index = {layer.index: layer for layer in report.layers}
    return tuple(
        Dear(
            island.layers[0],
            units.clip(_leaf(by_index[island.layers[0]]), 40),
            len(island.layers) - 1,
            units.clip(units.device(island.device), 24),
            len(island.copies),
            units.size(island.copied_bytes),
            units.duration(island.copied_ns),
        )
        for island in split.dear[:_LISTED]
        if split.divided
    )


def marks_of(report: PerformanceReport, devices: tuple[Unit, ...]) -> Iterator[MarkView]:
    """Every mark that occurs, once, for the legend; in the colour of a device that has it."""
    families = {unit.id: unit.family for unit in devices}
    sources: dict[Mark, str] = {}
    for layer in report.layers:
        for id_, support in layer.devices.items():
            sources.setdefault(support.mark, families.get(id_, "cpu"))
    return (MarkView(mark, sources[mark], mark.label) for mark in Mark if mark in sources)


# Rows of the table that says what the answer is worth.


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """An output compared with that of the unoptimized CPU run, as texts; empty if unknown."""

    name: str
    over: bool
    verdict: str
    largest: str = ""
    allowed: str = ""
    psnr: str = ""
    cosine: str = ""
    same: str = ""


def checked_rows(outputs: Sequence[CheckedOutput]) -> tuple[CheckedRow, ...]:
    """One row for each output."""
    return tuple(_checked_rows_row(output) for output in outputs)


def _checked_rows_row(output: CheckedOutput) -> CheckedRow:
    name, apart = units.clip(output.name, 120), output.difference
    if apart is None:
        return CheckedRow(name, False, "not a tensor")
    if apart.problem:
        return CheckedRow(name, output.over, units.clip(apart.problem, 200))
    verdict = "identical" if apart.identical else "right"
    allowed = "" if apart.peak is None else f"{output.tolerance * apart.peak:.3g}"
    return CheckedRow(
        name,
        output.over,
        "wrong" if output.over else verdict,
        "" if apart.max_abs is None else f"{apart.max_abs:.3g}",
        allowed,
        "" if apart.psnr_db is None or apart.identical else f"{apart.psnr_db:.1f} dB",
        "" if apart.cosine is None else f"{apart.cosine:.6f}",
        "" if apart.top1 is None else f"{100 * apart.top1:.0f}%",
    )
