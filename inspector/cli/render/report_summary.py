"""The report of a measurement as text for a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from inspector import units
from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.devices.support_summary import axes_in_the_way, of_report
from inspector.analysis.measured.computed_precision import conversion, precision_of
from inspector.analysis.measured.extra_tables import ExtraTable, extra_tables
from inspector.analysis.measured.latency import (
    AT_FULL_SPEED,
    latency,
    spread_text,
)
from inspector.analysis.measured.layer_sum import (
    cautions,
    conversion_times,
    is_untimed,
    layer_sum,
    most_important,
    selection_text,
    sum_sentence,
)
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.operator_types import operator_types
from inspector.analysis.measured.partitions import layers_on, partition
from inspector.analysis.measured.phases import cache_outcome, memory_note, timed_phases
from inspector.analysis.measured.roofline_points import points
from inspector.analysis.measured.roofline_points import sentences as roofline_sentences
from inspector.analysis.measured.sample_statistics import (
    TOO_FEW,
    Statistics,
    sentences,
    statistics,
)
from inspector.model.display_names import fit_line
from inspector.model.tensors.agreement import summary_text as answer_text

if TYPE_CHECKING:
    from inspector.analysis.advice.advice_helpers import Advice
    from inspector.preview.inputs.feeds import Filled
    from inspector.report.environment import MemoryUse
    from inspector.report.report import (
        Device,
        InsertedNode,
        LayerUse,
        PerformanceReport,
        Throughput,
    )


MOST_LAYERS, MOST_PHASES = 8, 3
MOST_TYPES, MOST_TYPE_DEVICES = 5, 4
MOST_ADVICE, MOST_EVIDENCE = 3, 6
_BAR, _NAME, _OPERATOR = 16, 40, 18
_MOST_ISLANDS = 3
_MOST_CONVERSIONS = 3
_SHARE_OF_CONVERSIONS = 0.05  # of kernel time, from which they are named
_ADDED = "added by the runtime"
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def lines(
    report: "PerformanceReport",
    feeds: Sequence["Filled"] = (),
    advised: Sequence["Advice"] = (),
) -> Iterator[str]:
    """Yield latency, load, memory, the slowest layers, suggestions and notes of a report."""
    yield _title(report)
    if report.model.description:
        yield units.clip(report.model.description, 300)
    if report.early_end:
        yield report.early_end
    yield ""
    yield from _metrics(report)
    yield from throughput_lines(report.throughput)
    for table in extra_tables(report):
        yield from table_lines(table)
    yield ""
    yield from _layers(report)
    yield from _operator_types(report)
    yield from _inserted(report)
    yield from _partition(report)
    yield from _roofline(report)
    yield ""
    yield f"limited by: {bottleneck(report).sentence}"
    yield from _advice(advised)
    yield from map(_input_line, feeds)
    for reason in disturbances(report):
        yield f"noisy: {reason}"
    for note in report.notes:
        yield f"note: {note}"
    blocked = axes_in_the_way(report)
    if blocked:
        are = "layer is" if blocked == 1 else "layers are"
        yield f"hint: {blocked:,} {are} not supported because of dynamic axes; set --dim NAME=N"


def _title(report: "PerformanceReport") -> str:
    spec = report.spec
    threads = units.plural(spec.threads, "thread") if spec.threads else "default threads"
    devices = " + ".join(map(units.device, spec.devices))
    level = report.optimization_text
    count = units.plural(len(report.prediction_ns), "run")
    return f"{units.clip(report.model.name, 80)} on {devices}: {level}, {threads}, {count}"


def _metrics(report: "PerformanceReport") -> Iterator[str]:
    held = report.memory
    rows = (
        *_latency(report),
        *_output_check(report),
        *_compiling(report),
        ("load", units.duration(report.load_ns), _loading(report)),
        ("first run", units.duration(report.first_prediction_ns), _first(report)),
        ("memory", units.size(held.model_bytes),
         f"peak model memory; {memory_note(held)}, weights {_weights(held)}"),
        *_after_close(report),
        *_layer_counts(report),
        *(_predicted(report, device) for device in report.predicted),
    )  # fmt: skip
    wide = max(len(value) for _, value, _ in rows)
    name_wide = max(len(name) for name, _, _ in rows)
    for name, value, text in rows:
        yield f"{name:<{name_wide}}  {value:>{wide}}  {text}".rstrip()


def table_lines(table: ExtraTable) -> Iterator[str]:
    """Yield a table of names and numbers, and below it what it means."""
    yield ""
    yield f"{table.title}, {table.about}:"
    rows = (tuple(head[:1].lower() + head[1:] for head in table.heads), *table.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *numbers in rows:
        cells = (f"{text:>{w}}" for text, w in zip(numbers, widths[1:], strict=True))
        yield "  ".join((f"{name:<{widths[0]}}", *cells)).rstrip()
    yield from table.sentences


def throughput_lines(points: "Sequence[Throughput]") -> Iterator[str]:
    """Yield latency and throughput, one line for each number of concurrent runs."""
    if points:
        yield ""
        yield "concurrent runs  measured throughput  median latency  p95 latency"
    for point in points:
        p50, p95 = (units.duration(point.quantile_ns(q)) for q in (0.5, 0.95))
        p95 = p95 if point.has_p95 else "n/a"
        rate = units.rate(point.per_second)
        yield f"{point.concurrency:>15}  {f'{rate} /s':>19}  {p50:>14}  {p95:>11}"


def _layer_counts(report: "PerformanceReport") -> Iterator[tuple[str, str, str]]:
    """Yield the number of layers and the work of each device; nothing without a profile."""
    if report.spec.profiled_runs and report.layers:
        yield "layers", f"{len(report.layers):,}", _statuses(report)
        for device in report.devices:
            yield _device(report, device.id)
        total = layer_sum(report)
        if total is not None:
            yield "layer sum", units.duration(total.parts_ns), sum_sentence(report)


def _loading(report: "PerformanceReport") -> str:
    """Return the longest phases, and the median of the loads after the first."""
    phases = [phase for phase in timed_phases(report) if not phase.inside]
    loading = phases[: len([phase for phase in report.load_phases if not phase.inside])]
    longest = sorted(loading, key=lambda phase: -phase.duration_ns)[:MOST_PHASES]
    texts = (
        f"{units.clip(p.name, 40)} {units.duration(p.duration_ns)}"
        + (f" ({p.grown_text})" if p.grown_bytes else "")
        for p in longest
    )
    lines = [", ".join(texts)] if longest else []
    if outcome := cache_outcome(report.load_cache):
        lines.append(f"cache {outcome}")
    again = report.loads_ns[1:]
    if again:
        lines.append(_repeats("load", again))
    return "; ".join(lines)


def _repeats(name: str, times_ns: Sequence[int]) -> str:
    """Return the time of repeated loads or runs: 'later loads 3.1 ms (median of 2)'."""
    if len(times_ns) == 1:
        return f"second {name} {units.duration(times_ns[0])}"
    return f"later {name}s {units.duration(median(times_ns))} (median of {len(times_ns)})"


def _compiling(report: "PerformanceReport") -> Iterator[tuple[str, str, str]]:
    """Yield the compile time of the execution provider, if it caches compiled models."""
    times = report.compilations_ns
    if times:
        text = "before loading" + (f", median of {len(times)}" if len(times) > 1 else "")
        yield "compile", units.duration(median(times)), text


def _first(report: "PerformanceReport") -> str:
    again = report.first_predictions_ns[1:]
    if not again:
        return "after loading"
    return f"after loading; {_repeats('first run', again)}"


def _roofline(report: "PerformanceReport") -> Iterator[str]:
    """Yield the ceilings, and the throughput of each of the slowest layers."""
    longest = sorted(points(report), key=lambda point: -point.time_ns)[:MOST_LAYERS]
    if not longest:
        return
    yield ""
    yield "     GFLOP/s      GB/s  of limit  limited by"
    for point in longest:
        rates = (point.operations_per_second / 1e9, point.bytes_per_second / 1e9)
        text = "  ".join(f"{units.significant(rate):>8}" for rate in rates)
        name = _short(point.layer.name) + ", noisy" * point.noisy
        yield f"    {text}  {100 * point.share:>6.0f}%  {point.limit:<10}  {name}"
    yield from roofline_sentences(report)


def _after_close(report: "PerformanceReport") -> Iterator[tuple[str, str, str]]:
    held = report.memory
    if held.closed_bytes:
        text = "process memory (RSS) after closing the session"
        if held.trimmed_bytes:
            text += f", {units.size(held.trimmed_bytes)} after heap trim"
        if held.arena_held_bytes:
            text += f"; arenas {units.size(held.arena_held_bytes)}"
        yield "after close", units.size(held.closed_bytes), text


def _output_check(report: "PerformanceReport") -> Iterator[tuple[str, str, str]]:
    """Yield the result of the output check, if there was one."""
    if report.outputs:
        wrong = any(output.over for output in report.outputs)
        yield (
            "outputs",
            "WRONG" if wrong else "correct",
            f"{answer_text(report.outputs)}, compared with an unoptimized run on the CPU",
        )


def _latency(report: "PerformanceReport") -> Iterator[tuple[str, str, str]]:
    """Yield both kinds of latency, the throughput calculated from them, and the CPU time."""
    result = latency(report)
    if result is None:
        yield "latency", "n/a", "no run was timed"
        return
    full, every = result.at_full_cpu_speed, result.all_predictions
    if full is not None:
        of = f"median {AT_FULL_SPEED}, of {units.plural(full.n, 'run')}"
        yield "latency", units.duration(full.p50_ns), of
        yield "", "", _spread(full)
    every_one = f"median of all {units.plural(every.n, 'run')}"
    yield "latency", units.duration(every.p50_ns), every_one
    yield "", "", _spread(every)
    rate = "inferences/s, calculated as 1 / mean latency of all runs"
    yield "throughput", units.rate(every.per_second), rate
    yield "", "", " ".join(sentences(report))
    used = statistics(report.counted_cpu_ns)
    if used is not None:
        share = used.mean_ns / every.mean_ns if every.mean_ns else 0.0
        text = f"per run, mean of all runs; {share:.2f} CPU cores used on average"
        yield "cpu time", units.duration(used.mean_ns), text


def _weights(held: "MemoryUse") -> str:
    """Return the size of the weights, which only a profiled run counts."""
    return units.size(held.weights_bytes) if held.weights_bytes else "not counted"


def _spread(found: Statistics) -> str:
    """Return the CI of the median, tails, min, max and std dev in one line."""
    write, interval = units.duration, spread_text(found)
    tails = ", ".join(
        f"{name}{':' if text == TOO_FEW else ''} {text}"
        for name, text in found.percentile_texts[1:]
    )
    return (
        f"{f'{interval}; ' if interval else ''}{tails}, "
        f"min {write(found.min_ns)}, max {write(found.max_ns)}, std dev {write(found.sd_ns)}"
    )


def _statuses(report: "PerformanceReport") -> str:
    counts = Counter(str(layer.status) for layer in report.layers)
    return ", ".join(f"{count:,} {status}" for status, count in counts.most_common())


def _device(report: "PerformanceReport", device: str) -> tuple[str, str, str]:
    layers = [layer for layer in report.layers if layer.ran_on == device]
    if not layers:
        return f"on {device}", "unused", ""
    time = sum(layer.time_ns or 0 for layer in layers)
    text = units.plural(layers_on(report, device), "layer")
    if is_untimed(report, device):
        submitted = units.duration(sum(layer.submitted_ns or 0 for layer in layers))
        return f"on {device}", "not timed", f"{text}, submitted in {submitted}"
    text += f", {units.share(time, report.kernel_ns)}"
    return f"on {device}", units.duration(time), f"{text} of kernel time"


def _predicted(report: "PerformanceReport", device: "Device") -> tuple[str, str, str]:
    summary = of_report(report, device)
    refused = [units.clip(r.operator, 30) for r in summary.refusals]
    text = f"of {summary.layers:,} layers supported, estimated from a {device.source}"
    if refused:
        few = ", ".join(list(dict.fromkeys(refused))[:4])
        text += f"; not supported: {few}" + (" and others" if len(set(refused)) > 4 else "")
    if summary.unknowns:
        text += f"; {units.plural(summary.layers_of(summary.unknowns), 'layer')} unknown"
    return device.id, f"{summary.supported_layers:,}", text


def _layers(report: "PerformanceReport") -> Iterator[str]:
    shown = [layer for layer in most_important(report, MOST_LAYERS) if layer.time_ns]
    top = max((layer.time_ns or 0 for layer in shown), default=0)
    total = sum(layer.time_ns or 0 for layer in report.layers)
    rest = total - sum(layer.time_ns or 0 for layer in shown)
    clock_ns = report.profiling.clock_ns
    yield from cautions(report)
    if shown and report.profiling.runs:
        source = selection_text(report)
        yield f"{'time':>12}  {'share':>7}  {'':{_BAR}}  time: {source[0].lower()}{source[1:]}"
    for layer in shown:
        yield _layer(layer, report, top)
    if rest:
        share = units.share(rest, report.kernel_ns)
        yield f"{units.duration(rest, clock_ns):>12}  {share:>7}  {'':{_BAR}}  all other layers"
    yield from _inside_compiled_parts(report)


def _operator_types(report: "PerformanceReport") -> Iterator[str]:
    """Yield the operator types with most time: sum, share, count and device support."""
    timed = [one for one in operator_types(report) if one.time_ns]
    if len(timed) < 2:
        return
    clock_ns = report.profiling.clock_ns
    yield f"{'time':>12}  {'share':>7}  by operator type"
    for one in timed[:MOST_TYPES]:
        supported = "; ".join(
            f"{units.device(device.id)} supports {one.support_text(device.id)}"
            if device.id in one.supported_layers
            else f"{units.device(device.id)}: {one.support_text(device.id)}"
            for device in report.requested_devices[:MOST_TYPE_DEVICES]
        )
        yield (
            f"{units.duration(one.time_ns or 0, clock_ns):>12}  "
            f"{units.share(one.time_ns or 0, report.kernel_ns):>7}  "
            f"{units.clip(one.operator, _OPERATOR):<{_OPERATOR}}  "
            f"{units.plural(one.layers, 'layer'):<12}  {supported}"
        ).rstrip()
    rest = sum(one.time_ns or 0 for one in timed[MOST_TYPES:])
    if rest:
        share = units.share(rest, report.kernel_ns)
        yield f"{units.duration(rest, clock_ns):>12}  {share:>7}  all other operator types"


def _inside_compiled_parts(report: "PerformanceReport") -> Iterator[str]:
    """Yield the slowest layers of compiled partitions, by the profiler of the provider."""
    profiled = [(layer.name, layer.inside) for layer in report.layers if layer.inside]
    profiled.sort(key=lambda pair: -pair[1].amount)
    if profiled:
        few = (
            f"{_short(name)} {units.share(i.amount, i.whole)}"
            for name, i in profiled[:MOST_LAYERS]
        )
        yield f"inside compiled partitions, by {profiled[0][1].source}: {', '.join(few)}"


def _layer(layer: "LayerUse", report: "PerformanceReport", top_ns: int) -> str:
    time, whole_ns = layer.time_ns or 0, report.kernel_ns
    converted = f"  {precision_of(layer, report.layers)}" * bool(
        conversion(layer, report.layers)
    )
    name = _short(layer.name)
    operator = units.clip(layer.operator, _OPERATOR)
    more = f" ×{layer.calls:g}" if layer.calls > 1 else ""
    return (
        f"{units.duration(time, report.profiling.clock_ns):>12}  "
        f"{units.share(time, whole_ns):>7}  "
        f"{_bar(time / top_ns)}  {name:<{_NAME}}  {operator:<{_OPERATOR}}  {layer.ran_on}{more}"
        f"{converted}{_spread_text(layer, report.profiling.clock_ns)}"
    )


def _spread_text(layer: "LayerUse", clock_ns: int) -> str:
    """Return the range of a layer's time over the runs, and whether it is noisy."""
    if layer.spread is None:
        return ""
    text = f"  {units.durations(layer.spread.min_ns, layer.spread.max_ns, clock_ns)}"
    return f"{text}, noisy" if layer.noisy else text


def _inserted(report: "PerformanceReport") -> Iterator[str]:
    waits = [node for node in report.inserted if node.kind == "wait" and node.time_ns]
    others = [node for node in report.inserted if node not in waits]
    for node in waits:
        share = units.share(node.time_ns, report.kernel_ns)
        moved = f", then {units.size(node.size_bytes)} copied" if node.size_bytes else ""
        yield (
            f"{units.duration(node.time_ns):>12}  {share:>7}  {'':{_BAR}}  waiting for "
            f"{units.device(node.device)}{moved}"
        )
    time = sum(node.time_ns for node in others)
    if others and not time and any(node.submitted_ns is not None for node in others):
        text = _kinds(others)
        yield f"{'not timed':>12}  {'':>7}  {'':{_BAR}}  {_ADDED}: {text}"
    elif others:
        text = _kinds(others)
        share = units.share(time, report.kernel_ns)
        shown = units.duration(time, report.profiling.clock_ns)
        yield f"{shown:>12}  {share:>7}  {'':{_BAR}}  {_ADDED}: {text}"
        yield from _converted(report)


def _converted(report: "PerformanceReport") -> Iterator[str]:
    """Name the layers whose values take longest to convert, where that takes much time."""
    times = conversion_times(report)
    longest = sorted(times, key=lambda index: -times[index])[:_MOST_CONVERSIONS]
    converted_ns = sum(times.values())
    if not converted_ns or converted_ns < _SHARE_OF_CONVERSIONS * report.kernel_ns:
        return
    layers = {layer.index: layer for layer in report.layers}
    named = (
        f"{units.clip(layers[index].name or layers[index].operator, _NAME)} "
        f"({units.duration(times[index], report.profiling.clock_ns)})"
        for index in longest
    )
    yield f"{'':>12}  {'':>7}  {'':{_BAR}}  longest at {', '.join(named)}"


def _kinds(nodes: "Sequence[InsertedNode]") -> str:
    """Return how many nodes of each kind were added: '3 copies, 1 layout conversion'."""
    counts = Counter(node.kind for node in nodes).most_common()
    return ", ".join(
        units.plural(count, "layout conversion" if kind == "layout" else kind)
        for kind, count in counts
    )


def _partition(report: "PerformanceReport") -> Iterator[str]:
    result = partition(report)
    if not result.divided:
        return
    partitions = units.plural(len(result.islands), "partition")
    transitions = units.plural(len(result.crossings), "device transition")
    yield ""
    yield f"{partitions}, {transitions}, {result.copied}"
    names = {layer.index: layer.name for layer in report.layers}
    for island in result.dear[:_MOST_ISLANDS]:
        rest = len(island.layers) - 1
        more = f" and {units.plural(rest, 'more layer')}" if rest else ""
        yield (
            f"  {_short(names[island.layers[0]])}{more} on {island.device}: "
            f"{len(island.copies)} copies, {units.size(island.copied_bytes)} in "
            f"{units.duration(island.copied_ns)} for {units.duration(island.time_ns)} of "
            "computation"
        )


def _advice(advised: Sequence["Advice"]) -> Iterator[str]:
    for one in advised[:MOST_ADVICE]:
        layers = ", ".join(map(str, one.layers[:MOST_EVIDENCE]))
        more = ", …" if len(one.layers) > MOST_EVIDENCE else ""
        where = f" [layers {layers}{more}]" if layers else ""
        yield f"suggestion: {one.sentence}{where}"
        yield f"            {one.gain} {one.check}"
    if len(advised) > MOST_ADVICE:
        rest = units.plural(len(advised) - MOST_ADVICE, "more suggestion")
        yield f"            {rest} in the exports (html, md, json)"
    if advised:
        yield ""


def _input_line(filled: "Filled") -> str:
    axes = units.shape(filled.array.shape)
    chosen = "" if filled.given else "(default) "
    text = f"  {chosen}{filled.description}" if filled.description else ""
    return f"input  {units.clip(filled.name, 60)}  {axes}  {units.clip(filled.value, 60)}{text}"


def _short(name: str) -> str:
    """Return a name shortened to its column, keeping the part that is unique."""
    return fit_line(units.clip(name), _NAME, len)


def _bar(share: float) -> str:
    whole, part = divmod(round(share * _BAR * 8), 8)
    return ("█" * whole + _EIGHTHS[part] * (part > 0)).ljust(_BAR)
