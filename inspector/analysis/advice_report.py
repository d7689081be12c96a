"""Rules of advice that look at a measurement alone."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from inspector import units
from inspector.analysis.advised import (
    AGAIN,
    Advice,
    longest_first,
    of_kernels,
    share_of,
    sure,
    time_of,
)
from inspector.analysis.layer_sum import unranked
from inspector.analysis.partition import partition
from inspector.analysis.ran_precision import half_precision
from inspector.report import LayerUse, Mark, PerformanceReport, Rule, Status

MUCH_LAYOUT = 0.05
MUCH_OF_ONE = 0.4
_CPU = "cpu"
FLOAT16_RULE = "float16-on-cpu"  # as reports of earlier versions name it


def optimization_level(report: PerformanceReport) -> Iterator[Advice]:
    """The graph was not optimised as far as the runtime can."""
    level = report.spec.optimization
    if level != "all":
        yield Advice(
            "optimization-level",
            f"The graph was optimised to the level '{level}', not 'all'.",
            "Fusions, folding and layouts of higher levels are missing; what they save shows "
            "only in a measurement.",
            f"{AGAIN} with --optimization all.",
            settings=("optimization",),
            share=1.0,
        )


def oversubscribed(report: PerformanceReport) -> Iterator[Advice]:
    """More threads than cores take each other's place."""
    threads, cores = report.spec.threads, report.environment.cores
    if threads > cores > 0:
        yield Advice(
            "threads",
            f"{threads} threads shared {units.plural(cores, 'core')}.",
            "Threads that wait for a core hold up the others at the end of each layer, and "
            "times scatter more.",
            f"{AGAIN} with --threads {cores}, or without it.",
            settings=("threads",),
            share=1.0,
        )


def fallback(report: PerformanceReport) -> Iterator[Advice]:
    """Layers on the CPU in the middle of another device, with a copy on each side."""
    islands = [one for one in partition(report).dear if one.device == _CPU]
    inside = {index for island in islands for index in island.layers}
    layers = [layer for layer in report.layers if layer.index in inside]
    copied = sum(island.copied_ns for island in islands)
    if not layers:
        return
    others = [support for layer in layers for support in layer.devices.values()]
    why = next((s.reason for s in others if s.mark is Mark.UNSUPPORTED and s.reason), "")
    claimed = (s.reason for s in others if s.mark is Mark.FAILED)
    why = why or next((f"claimed, then failed {_lower(reason)}" for reason in claimed), "")
    size = sum(island.copied_bytes for island in islands)
    chosen = bool(report.spec.on_cpu) and not why  # --on-cpu alone put them there
    yield Advice(
        "fallback",
        f"{units.plural(len(layers), 'layer')} ran on the CPU in the middle of another device"
        + (f" ({units.clip(why, 120).rstrip('.')})" if why else "")
        + f"; copies of {units.size(size)} around them.",
        f"At most the copies: {of_kernels(report, copied)}.",
        f"Leave them out of --on-cpu, then {AGAIN}."
        if chosen
        else f"Replace these layers by operators that the device takes, then {AGAIN}.",
        longest_first(layers),
        ("devices",),
        share_of(report, copied),
    )


def _lower(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"


def layout_changes(report: PerformanceReport) -> Iterator[Advice]:
    """Transposes, the model's own and the runtime's."""
    if unranked(report):
        return
    own = sure(x for x in report.layers if x.operator == "Transpose" and x.time_ns)
    put_in = [x for x in report.inserted if x.kind == "layout" and not x.noisy]
    time = time_of(own) + sum(node.time_ns for node in put_in)
    if share_of(report, time) <= MUCH_LAYOUT:
        return
    movers = [f"{units.plural(len(own), 'Transpose layer')} of the model"] * bool(own)
    movers += [f"{units.plural(len(put_in), 'layout change')} of the runtime"] * bool(put_in)
    move = "moves" if len(own) + len(put_in) == 1 else "move"
    beside = {place for node in put_in for place in (node.after, node.before)} - {None}
    yield Advice(
        "layout-changes",
        f"{' and '.join(movers)} only {move} data about.",
        f"At most their time: {of_kernels(report, time)}.",
        "See whether the exporter put them in, and keep one layout from layer to layer; then "
        f"{AGAIN}.",
        longest_first(own) or longest_first(x for x in report.layers if x.index in beside),
        share=share_of(report, time),
    )


def float16_in_float32(report: PerformanceReport) -> Iterator[Advice]:
    """A device without kernels for float16: its layers run in float32, between casts."""
    found = half_precision(report)
    if found is None:
        return
    ran_on = {report.layers[index].ran_on for index in found.layers} - {None}
    device = f"this {units.device(str(*ran_on))}" if len(ran_on) == 1 else "the device"
    some = len(found.layers) < found.all / 2
    kernels = "float16 kernels for only some operators" if some else "no float16 kernels"
    told = f"{len(found.layers):,} of {units.plural(found.all, 'layer')}"
    known = not unranked(report) and found.known
    casts = units.plural(found.casts, "inserted cast")
    takes = "takes" if found.casts == 1 else "take"
    cost = (
        f"{casts[0].upper()}{casts[1:]} {takes} {of_kernels(report, found.casts_ns)}."
        if found.casts and known
        else f"{casts[0].upper()}{casts[1:]}; what they cost is too noisy to say."
        if found.casts
        else "The runtime inserted no cast: kernels or loading convert."
    )
    layers = [report.layers[index] for index in found.layers]
    yield Advice(
        FLOAT16_RULE,
        f"This float16 model runs {'partly ' * some}in float32: {device} has {kernels}, so "
        f"{told} {'is' if len(found.layers) == 1 else 'are'} converted.",
        cost,
        f"Measure the float32 model on this device, and {AGAIN}.",
        longest_first(layers),
        ("devices",),
        share_of(report, found.casts_ns) if known else 0.0,
    )


# The profiler costs 4 to 8 µs a kernel and counts whole microseconds, so that shares of less
# than this are mostly its own.
_LEAST_NS = 20_000


def _at_least_ns(layer: LayerUse) -> int:
    """Return what a layer takes at least: the low end of its 95 % interval, or its minimum.

    Of a few predictions one wait for a core can be the median, but not the minimum.
    """
    spread = layer.spread
    if spread is None:
        return layer.time_ns or 0
    return spread.min_ns if spread.low_ns is None else spread.low_ns


def dominant_operator(report: PerformanceReport) -> Iterator[Advice]:
    """One kind of operator takes most of the time."""
    if unranked(report):
        return
    groups = defaultdict[str, list[LayerUse]](list)
    for layer in sure(report.layers):
        if layer.time_ns:
            groups[layer.operator].append(layer)
    if len(groups) < 2:
        return
    operator, layers = max(groups.items(), key=lambda item: time_of(item[1]))
    least = sum(_at_least_ns(layer) for layer in layers)
    if report.profiling.runs and least < _LEAST_NS:
        return
    share = share_of(report, time_of(layers))
    if share_of(report, least) < MUCH_OF_ONE:
        return
    yield Advice(
        "dominant-operator",
        f"{units.clip(operator, 40)} takes {100 * share:.0f} % of the kernels' time in "
        f"{units.plural(len(layers), 'layer')}.",
        f"Were it twice as fast, the kernels would take {50 * share:.0f} % less; all other "
        f"layers together hold {100 * (1 - share):.0f} %.",
        "Look at these layers first: fewer channels, a smaller input, another type or device.",
        longest_first(layers),
        share=share / 2,
    )


def free_axes(report: PerformanceReport) -> Iterator[Advice]:
    """A device refuses layers because a length is not fixed."""
    refused = [
        layer
        for layer in report.layers
        if any(
            support.mark is Mark.UNSUPPORTED and support.rule is Rule.DYNAMIC_SHAPE
            for support in layer.devices.values()
        )
    ]
    if not refused:
        return
    time = time_of(refused)
    yield Advice(
        "free-axes",
        f"{units.plural(len(refused), 'layer')} are refused by a device for free axes.",
        f"These layers take {of_kernels(report, time)}, where they ran; how much less on the "
        "device is not known.",
        f"Fix the lengths with --dim NAME=N, and {AGAIN}.",
        longest_first(refused),
        ("dimensions",),
        share_of(report, time) / 2,
    )


def dead_layers(report: PerformanceReport) -> Iterator[Advice]:
    """Layers that no output needs."""
    dead = [layer for layer in report.layers if layer.status is Status.DEAD]
    if dead:
        yield Advice(
            "dead-layers",
            f"No output needs {units.plural(len(dead), 'layer')} of the file.",
            "No time, since the runtime drops them; the file gets smaller, and loads faster.",
            "Remove them or the outputs that nobody reads, and compare size and load.",
            longest_first(dead),
        )


RULES: tuple[Callable[[PerformanceReport], Iterator[Advice]], ...] = (
    optimization_level,
    oversubscribed,
    fallback,
    layout_changes,
    float16_in_float32,
    dominant_operator,
    free_axes,
    dead_layers,
)
