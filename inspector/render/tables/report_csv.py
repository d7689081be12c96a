"""Layers and samples of reports as tables for spreadsheets and scripts."""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from inspector.analysis.measured.computed_precision import conversion
from inspector.analysis.measured.layer_sum import conversion_times
from inspector.analysis.measured.operator_types import operator_types
from inspector.analysis.measured.partitions import partition
from inspector.analysis.measured.roofline_points import Point, points
from inspector.comparison.comparison import Comparison
from inspector.report.report import LayerUse, PerformanceReport
from inspector.trace.aggregation import Aggregation
from inspector.trace.trace import Trace

_COLUMNS = (
    "index", "name", "operator", "executed_as", "status", "into", "parent", "ran_on",
    "time_ns", "share", "calls", "output", "island", "copies", "copied_bytes",
)  # fmt: skip
_ROOFLINE = ("operations", "moved_bytes", "gflop_s", "gb_s", "of_ceiling", "bound_by")
_SPREAD = ("min_ns", "max_ns", "median_low_ns", "median_high_ns", "noisy")
_INSIDE = ("inside", "inside_whole", "inside_unit")
_PRECISION = ("stored_type", "computed_in")
_MEMORY = ("arena_bytes",)
_CONVERSION = ("conversion_ns",)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_AGGREGATION_CSV_COLUMNS = (
    "name", "operator", "lane", "track", "count", "total_ns", "self_ns", "mean_ns", "min_ns",
    "p50_ns", "p95_ns", "max_ns", "share",
)  # fmt: skip


def layers_csv(report: PerformanceReport) -> bytes:
    """Every layer with its time and its mark on each device; RFC 4180, UTF-8.

    share: of the time of all kernels, 0 to 1. island: layers in a row on one device, counted
    from 0; copies: between devices, directly before and behind the layer. A text that a
    spreadsheet would take for a formula begins with an apostrophe. With a roofline also what
    each layer, with those fused into it, did and how near it came to its ceiling, 1 for there;
    of compiled parts what their provider's profiler counts for the layer and for everything;
    then the spread of each time: min, max, 95% interval of the median, 1 where it is noisy.
    stored_type: of the first output, as the model has it; computed_in: the type that the kernel
    gave, which is another where the device lacks kernels for the stored one. arena_bytes: in
    use in the runtime's arena when the layer's kernel ended, in the first run. conversion_ns:
    conversions of its values that the runtime added, which time_ns leaves out.
    """
    devices, layers = [device.id for device in report.requested_devices], report.layers
    places, conversions = _places(report), conversion_times(report)
    reached = {point.layer.index: point for point in points(report)}

    def types(layer: LayerUse) -> tuple[str, str]:
        stored = layer.output.partition(" ")[0]
        return stored, (conversion(layer, layers) or (stored, stored))[1]

    # In the order of their introduction, so that earlier columns keep their place.
    groups: tuple[tuple[Sequence[str], object, Callable[[LayerUse], Sequence[object]]], ...] = (
        (_ROOFLINE, report.roofline.ceilings, lambda layer: _work(reached.get(layer.index))),
        (_INSIDE, any(layer.inside for layer in layers), _within),
        (_SPREAD, any(layer.spread for layer in layers), _spread),
        (_PRECISION, True, types),
        (_MEMORY, any(layer.arena_bytes is not None for layer in layers),
         lambda layer: (layer.arena_bytes,)),
        (_CONVERSION, conversions, lambda layer: (conversions.get(layer.index),)),
    )  # fmt: skip
    shown = [(heads, cells) for heads, is_known, cells in groups if is_known]
    marks = (head for id_ in devices for head in (id_, f"{id_} source", f"{id_} reason"))
    rows = (
        (
            *_facts(layer, report.kernel_ns),
            *places.get(layer.index, ("", "", "")),
            *(cell for id_ in devices for cell in _marks(layer, id_)),
            *(cell for _, cells in shown for cell in cells(layer)),
        )
        for layer in layers
    )
    return table_csv((*_COLUMNS, *marks, *(head for heads, _ in shown for head in heads)), rows)


def _places(report: PerformanceReport) -> dict[int, tuple[int, int, int]]:
    """Number of its island, copies directly before and behind it, and their bytes."""
    split = partition(report)
    numbers = {layer: n for n, one in enumerate(split.islands) for layer in one.layers}
    copies = defaultdict[int, list[int]](list)
    for crossing in split.crossings:
        for layer in (crossing.after, crossing.before):
            if layer is not None:
                copies[layer].append(crossing.size_bytes)
    return {
        layer: (number, len(copies[layer]), sum(copies[layer]))
        for layer, number in numbers.items()
    }


def _facts(layer: LayerUse, kernel_ns: int) -> tuple[object, ...]:
    time = layer.time_ns
    share = f"{time / kernel_ns:.6f}" if time is not None and kernel_ns else ""
    return (
        layer.index, layer.name, layer.operator, layer.executed_as, layer.status, layer.into,
        layer.parent, layer.ran_on, time, share, f"{layer.calls:g}", layer.output,
    )  # fmt: skip


def _work(point: Point | None) -> tuple[object, ...]:
    if point is None:
        return ("",) * len(_ROOFLINE)
    rates = (point.operations_per_second / 1e9, point.bytes_per_second / 1e9, point.share)
    rates_text = (f"{rate:.4g}" for rate in rates)
    return point.operations, point.moved_bytes, *rates_text, point.bound


def _within(layer: LayerUse) -> tuple[object, ...]:
    """Return the provider's own profiler counts for a layer in a compiled part."""
    profile = layer.inside
    return (profile.amount, profile.whole, profile.unit) if profile else ("",) * len(_INSIDE)


def _spread(layer: LayerUse) -> tuple[object, ...]:
    """Range of its time over the predictions, 95% interval of the median, whether noisy."""
    one = layer.spread
    if one is None:
        return ("",) * len(_SPREAD)
    return one.min_ns, one.max_ns, one.low_ns, one.high_ns, int(one.noisy)


def _marks(layer: LayerUse, device: str) -> tuple[str, str, str]:
    support = layer.devices.get(device)
    if support is None:
        return "", "", ""
    return support.mark.value, support.source.value, support.reason


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula, and no reader for its end.

    Characters that cannot be seen, NUL among them, are written as \\u0000; line ends stay.
    """
    printable = text if text.isprintable() else "".join(map(_visible, text))
    return f"'{printable}" if printable.startswith(_FORMULA) else printable


def _visible(character: str) -> str:
    shown = character.isprintable() or character in "\t\r\n"
    return character if shown else f"\\u{ord(character):04x}"


def table_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Write a header and rows; RFC 4180, UTF-8. Text like a formula gets an apostrophe.

    Cells are texts, integers, and None for an empty one.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for row in (head, *rows):
        writer.writerow([safe(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue().encode("utf-8", "backslashreplace")


def aggregation_csv(trace: Trace, table: Aggregation) -> bytes:
    """Every group with its times, that with most time first; RFC 4180, UTF-8.

    share: of the own time of all groups, 0 to 1.
    """
    shares = table.shares()
    numbers = (
        table.count, table.total_ns, table.self_ns, table.mean_ns, table.minimum_ns,
        table.p50_ns, table.p95_ns, table.maximum_ns,
    )  # fmt: skip

    def row(group: int) -> tuple[object, ...]:
        track = trace.tracks[int(table.tracks[group])]
        labels = (table.names[group], table.operators[group], track.lane.value, track.name)
        return *labels, *(int(one[group]) for one in numbers), f"{shares[group]:.6f}"

    order = (-table.total_ns).argsort(kind="stable").tolist()
    return table_csv(_AGGREGATION_CSV_COLUMNS, map(row, order))


def operators_csv(report: PerformanceReport) -> bytes:
    """Every operator type: its layers, those with their own time, time, share and support.

    time_ns: sum of the times of its layers; empty where none has a time. share: of kernel
    time, 0 to 1. For each device the number of layers that it ran or supports; empty where
    none was checked.
    """
    devices = [device.id for device in report.requested_devices]
    head = ("operator", "layers", "timed_layers", "time_ns", "share")
    rows = (
        (
            one.operator, one.layers, one.timed_layers, one.time_ns,
            None if one.time_ns is None else f"{one.share:.6f}",
            *map(one.supported_layers.get, devices),
        )
        for one in operator_types(report)
    )  # fmt: skip
    return table_csv((*head, *(f"supported on {id_}" for id_ in devices)), rows)


def samples_csv(report: PerformanceReport) -> bytes:
    """Every sample in the order it was taken, in nanoseconds.

    what: "load", "warm-up", "prediction" (with the processor's time), "under load" (with how
    many ran at once), or what else was measured. number: from 1. full_cpu_speed: whether a
    prediction ran at full CPU speed, 1 or 0; empty where that is not known.
    """
    head = ("what", "number", "at_once", "wall_ns", "cpu_ns", "full_cpu_speed")
    return table_csv(head, _samples(report))


def _samples(report: PerformanceReport) -> Iterator[tuple[object, ...]]:
    times, full = report.counted_cpu_ns, report.full_speed_predictions.full
    series: list[tuple[str, int | None, Sequence[int]]] = [
        ("load", None, report.loads_ns or (report.load_ns,)),
        ("first prediction", 1, (report.first_prediction_ns,)),
        ("warm-up", 1, report.warmup_ns),
        ("prediction", 1, report.prediction_ns),
        *(("under load", each.concurrency, each.prediction_ns) for each in report.throughput),
        *((f"several sessions, shared: {way.sharing}", way.together.concurrency,
           way.together.prediction_ns) for way in report.sessions),
    ]  # fmt: skip
    if (calls := report.async_calls) is not None:
        series += [
            ("run beside run_async", 1, calls.run_ns),
            ("run_async returned", 1, calls.returned_ns),
            ("run_async called back", 1, calls.called_back_ns),
            ("run_async round trip", 1, calls.round_trip_ns),
        ]
    for what, at_once, samples_ns in series:
        for number, ns in enumerate(samples_ns, 1):
            cpu = fast = None
            if what == "prediction":
                cpu = times[number - 1] if number <= len(times) else None
                fast = None if full is None else int(full[number - 1])
            yield what, number, at_once, ns, cpu, fast


def comparison_csv(comparison: Comparison) -> bytes:
    """Metrics, then layers, with a column for each report and its ratio to the first.

    Times in nanoseconds, memory in bytes; ran_on: where a layer ran in each report.
    """
    others = comparison.names[1:]
    head = (
        "kind", "name", "operator", "unit", *comparison.names,
        *(f"{name} ratio" for name in others), *(f"{name} ran_on" for name in comparison.names),
    )  # fmt: skip
    return table_csv(head, _compared(comparison))


def _compared(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    blank = ("",) * len(comparison.names)
    for metric in comparison.metrics:
        ratios = (metric.ratio(side) for side in range(1, len(comparison.names)))
        yield ("metric", metric.name, "", metric.unit, *metric.values, *_ratios(ratios), *blank)
    for layer in comparison.layers:
        times = [None if cell is None else cell.time_ns for cell in layer.cells]
        first = times[0]
        ratios = (time / first if first and time is not None else None for time in times[1:])
        places = ("" if cell is None else cell.ran_on or "" for cell in layer.cells)
        yield ("layer", layer.name, layer.operator, "ns", *times, *_ratios(ratios), *places)


def _ratios(ratios: Iterator[float | None]) -> Iterator[str]:
    return ("" if ratio is None else f"{ratio:.4f}" for ratio in ratios)
