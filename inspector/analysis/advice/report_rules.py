"""Advice rules that read a measurement: settings, layers, copies and memory."""

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advice.advice_helpers import (
    UNTRIED,
    Advice,
    compared,
    improved,
    longest_first,
    rerun,
    share_of,
    takes,
    time_and_share,
    time_of,
    time_text,
    timed_one_at_a_time,
    times_usable,
    without_noisy,
)
from inspector.analysis.advice.bottleneck import bottleneck
from inspector.analysis.measured.computed_precision import half_precision
from inspector.analysis.measured.layer_sum import unranked
from inspector.analysis.measured.partitions import COPIES, partition
from inspector.analysis.measured.roofline_points import arithmetic
from inspector.model.axes import known_length
from inspector.model.model import Model, TensorInfo, packed_bytes
from inspector.report.report import PerformanceReport
from inspector.report.roofline import INT8
from inspector.trace.trace import KINDS, Kind, Lane, Trace
from inspector.wording.support_marks import Mark, Rule, Status
from inspector.wording.values import Count, Duration, Sentence, Size, counted

# Shares of kernel time from which a finding is worth showing (a judgment).
MIN_LAYOUT_SHARE = 0.05
MIN_DOMINANT_SHARE = 0.4
_CPU = "cpu"
# Layout conversions of a runtime: those that a setting turns off, and others.
ADDED_LAYOUT = "added-layout-conversions"
FIXED_LAYOUT = "fixed-layout-conversions"
FLOAT16_RULE = "float16-on-cpu"  # a stable name for scripts, although other devices get it, too
MIN_COPY_SHARE = 0.02  # of the latency; less is within the noise of most measurements
LARGE_BYTES = 1 << 20
# Weights and the memory held besides them (as a share of them) from which it is worth a look.
MIN_WEIGHT_BYTES = 16 << 20
MIN_EXTRA_SHARE = 0.5
# Bytes per second at which newly allocated pages are written: a round figure for CPUs.
FRESH_BYTES_PER_SECOND = 5e9
_QUANTIZED_ALREADY = (
    "They compute in int8 already, so int8 and float16 steps save nothing here. A smaller "
    "input, fewer channels or another device may help."
)
_ORIGINAL = "original.onnx"  # the model that a float16 one was made from


def optimization_level(report: PerformanceReport) -> Iterator[Advice]:
    """Advise full graph optimization where a lower level was set."""
    level = report.spec.optimization
    if level != "all":
        yield Advice(
            "optimization-level",
            Sentence("Graph optimization was set to '{level}', not 'all'.", level),
            "Fusions, constant folding and layout conversions of the higher levels were not "
            "applied; measure to see what they save.",
            Sentence("Run {rerun} with --optimization all.", rerun(report)),
            settings=("optimization",),
            share=1.0,
        )


def oversubscribed(report: PerformanceReport) -> Iterator[Advice]:
    """Advise fewer threads where there are more than CPU cores."""
    threads, cores = report.spec.threads, report.environment.cores
    if threads > cores > 0:
        yield Advice(
            "threads",
            Sentence("{threads} threads shared {cores}.", threads, Count(cores, "CPU core")),
            "Threads that wait for a core delay the others at the end of each layer, and run "
            "times vary more.",
            Sentence(
                "Run {rerun} with --threads {cores}, or without it.", rerun(report), cores
            ),
            settings=("threads",),
            share=1.0,
        )


def fallback(report: PerformanceReport) -> Iterator[Advice]:
    """Report layers on the CPU between layers on another device, with copies around them."""
    islands = [part for part in partition(report).dear if part.device == _CPU]
    indices = {index for island in islands for index in island.layers}
    layers = [layer for layer in report.layers if layer.index in indices]
    crossings = {crossing for island in islands for crossing in island.copies}
    copies = [
        node
        for node in report.inserted
        if node.kind in COPIES
        and any(
            crossing.after == node.after and crossing.before == node.before
            for crossing in crossings
        )
    ]
    if not layers:
        return
    copied, share = time_and_share(report, copies)
    supports = [support for layer in layers for support in layer.devices.values()]
    reason = next((s.reason for s in supports if s.mark is Mark.UNSUPPORTED and s.reason), "")
    failures = (s.reason for s in supports if s.mark is Mark.FAILED)
    reason = reason or next(
        (
            Sentence("accepted, then failed {lower}", units.uncapitalized(text))
            for text in failures
        ),
        "",
    )
    size = sum(island.copied_bytes for island in islands)
    forced = bool(report.spec.on_cpu) and not reason  # --on-cpu alone put them there
    yield Advice(
        "fallback",
        Sentence(
            "{layers} ran on the CPU between layers on another device{reason}, which requires "
            "copying {size}.",
            Count(len(layers), "layer"),
            Sentence(" ({reason})", reason.rstrip(".")) if reason else "",
            Size(size),
        ),
        Sentence("The copies take {copied}. {untried}", copied, UNTRIED),
        Sentence(
            "Is it faster without them? Try it: leave them out of --on-cpu, then run {rerun}.",
            rerun(report),
        )
        if forced
        else Sentence(
            "Is it faster without them? Try it: replace these layers with operators that the "
            "device supports, then run {compared}.",
            compared(report),
        ),
        longest_first(layers),
        ("devices",),
        share,
    )


def layout_changes(report: PerformanceReport) -> Iterator[Advice]:
    """Report Transpose layers that take much time."""
    if unranked(report) or timed_one_at_a_time(report):
        return
    own = without_noisy(x for x in report.layers if x.operator == "Transpose" and x.time_ns)
    time = time_of(own)
    if share_of(report, time) <= MIN_LAYOUT_SHARE:
        return
    verb, verb_compute = ("moves", "computes") if len(own) == 1 else ("move", "compute")
    yield Advice(
        "layout-changes",
        Sentence(
            "{layers} only {verb} data and {verb_compute} nothing.",
            Count(len(own), "Transpose layer"),
            verb,
            verb_compute,
        ),
        takes(len(own), time_text(report, time)),
        Sentence(
            "Is it faster without them? Try it: check whether the exporter added the Transpose "
            "layers, use one layout throughout the model, then run {compared}.",
            compared(report),
        ),
        longest_first(own),
        share=share_of(report, time),
    )


def added_layout_conversions(report: PerformanceReport) -> Iterator[Advice]:
    """Ask whether layout conversions that the runtime added pay for themselves.

    They are part of a layout in which other layers run faster, often by far more than the
    conversions take, so their time is no saving that could be promised.
    """
    added = [x for x in report.inserted if x.kind == "layout"]
    time = sum(node.time_ns for node in added)
    if share_of(report, time) <= MIN_LAYOUT_SHARE or not times_usable(report, added):
        return
    neighbors = {index for node in added for index in (node.after, node.before)} - {None}
    runtime = report.environment.runtime_name
    conversions = counted(len(added), "layout conversion")
    layers = Count(len(neighbors), "layer")
    beside = Sentence(" next to {layers}", layers) if neighbors else ""
    verb = "takes" if len(added) == 1 else "take"
    spec = report.spec
    optional = runtime == "ONNX Runtime" and spec.only_cpu and spec.optimization == "all"
    yield Advice(
        ADDED_LAYOUT if optional else FIXED_LAYOUT,
        Sentence(
            "{conversions} that {runtime} added{beside} {verb} {time_text}.",
            conversions,
            runtime,
            beside,
            verb,
            time_text(report, time),
        ),
        "Without them, the layers may run faster or slower: only a measurement tells.",
        Sentence(
            "Is it faster without them? Try it: run {rerun} with --optimization extended.",
            rerun(report),
        )
        if optional
        else Sentence(
            "Use one layout throughout the model, then run {compared}.", compared(report)
        ),
        longest_first(x for x in report.layers if x.index in neighbors),
        share=share_of(report, time),
    )


def float16_in_float32(report: PerformanceReport) -> Iterator[Advice]:
    """Report that a device without float16 kernels ran a float16 model in float32."""
    half = half_precision(report)
    if half is None:
        return
    ran_on = {report.layers[index].ran_on for index in half.layers} - {None}
    device = units.device(str(*ran_on)) if len(ran_on) == 1 else "device in use"
    partly = len(half.layers) < half.all / 2
    kernels = "float16 kernels for only some operators" if partly else "no float16 kernels"
    converted = Sentence("{some} of {all}", len(half.layers), counted(half.all, "layer"))
    usable = not unranked(report) and not timed_one_at_a_time(report) and half.reliable
    runtime, casts = report.environment.runtime_name, counted(half.casts, "Cast node")
    takes = "takes" if half.casts == 1 else "take"
    cost = (
        Sentence(
            "{runtime} inserted {casts}, which {takes} {time_text}.",
            runtime,
            casts,
            takes,
            time_text(report, half.casts_ns),
        )
        if half.casts and usable
        else Sentence(
            "{runtime} inserted {casts}; the times are too noisy to state their cost.",
            runtime,
            casts,
        )
        if half.casts
        else Sentence(
            "{runtime} inserted no Cast nodes; kernels convert values, or weights are "
            "converted when the model is loaded.",
            runtime,
        )
    )
    layers = [report.layers[index] for index in half.layers]
    yield Advice(
        FLOAT16_RULE,
        Sentence(
            "This float16 model runs {value}in float32: the {device} has {kernels}, "
            "so {converted} {value2} converted.",
            "partly " * partly,
            device,
            kernels,
            converted,
            "is" if len(half.layers) == 1 else "are",
        ),
        cost,
        Sentence(
            "Is the float32 original faster? If you have it, run {compared}.",
            compared(report, changed=_ORIGINAL),
        ),
        longest_first(layers),
        ("devices",),
        share_of(report, half.casts_ns) if usable else 0.0,
    )


def dominant_operator(report: PerformanceReport) -> Iterator[Advice]:
    """Advise to begin with the layers that limit the run, where they take much of its time."""
    limit = bottleneck(report)
    layers = [layer for layer in report.layers if layer.index in set(limit.layers)]
    if not layers or limit.share < MIN_DOMINANT_SHARE:
        return
    quantized = all(arithmetic(layer) == INT8 for layer in layers)
    yield Advice(
        "dominant-operator",
        Sentence("Speed up {layers} first.", limit.shown_layers),
        Sentence(
            "Making {them} twice as fast would cut kernel time by {half}.",
            them="it" if len(layers) == 1 else "them",
            half=f"{50 * limit.share:.0f}%",
        ),
        _QUANTIZED_ALREADY
        if quantized
        else Sentence(
            "Look for a faster version, in Improve or with {improve}. A smaller input, fewer "
            "channels or another device may help, too.",
            improve=improved(report),
        ),
        limit.layers,
        share=limit.share / 2,
    )


def dynamic_axes(report: PerformanceReport) -> Iterator[Advice]:
    """Report layers that a device does not support because of dynamic axes."""
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
    time, share = time_and_share(report, refused)
    ids = {
        id_
        for layer in refused
        for id_, support in layer.devices.items()
        if support.mark is Mark.UNSUPPORTED and support.rule is Rule.DYNAMIC_SHAPE
    }
    names = [units.device(device.id) for device in report.requested_devices if device.id in ids]
    yield Advice(
        "free-axes",
        Sentence(
            "{refusing} does not support {layers} because of dynamic axes.",
            " or ".join(names) or "A device",
            Count(len(refused), "layer"),
        ),
        Sentence(
            "These layers took {time} on the device where they ran. Measure to see how fast "
            "they are on the other device.",
            time,
        ),
        Sentence("Fix the sizes with --dim NAME=N, then run {rerun}.", rerun(report)),
        longest_first(refused),
        ("dimensions",),
        share / 2,
    )


def dead_layers(report: PerformanceReport) -> Iterator[Advice]:
    """Report layers that no output depends on and that ONNX Runtime removed."""
    dead = [layer for layer in report.layers if layer.status is Status.DEAD]
    pronoun = "it" if len(dead) == 1 else "them"
    if dead:
        yield Advice(
            "dead-layers",
            Sentence(
                "{layers} {value} not contribute to any output.",
                Count(len(dead), "layer"),
                "does" if len(dead) == 1 else "do",
            ),
            Sentence(
                "Removing {pronoun} does not make runs faster, because ONNX Runtime removes "
                "{pronoun2} anyway, but the file gets smaller and loads faster.",
                pronoun,
                pronoun,
            ),
            Sentence(
                "Remove {pronoun} from the file, then compare file size and load time.", pronoun
            ),
            longest_first(dead),
        )


def inputs_copied(report: PerformanceReport) -> Iterator[Advice]:
    """Report inputs that were copied or cast before ONNX Runtime could read them."""
    spans = _prepared(report.trace)
    time = int(report.trace.duration_ns[spans].sum())
    share = time / report.median_ns if report.median_ns else 0.0
    size = int(report.trace.size_bytes[spans].sum())
    if not len(spans) or (share < MIN_COPY_SHARE and size < LARGE_BYTES):
        return
    steps = dict.fromkeys(report.trace.names[name] for name in report.trace.name[spans])
    yield Advice(
        "inputs-copied",
        Sentence(
            "Inputs were converted before the run: {join} ({size}, {duration}).",
            units.clip(", ".join(steps), 200),
            Size(size),
            Duration(time),
        ),
        Sentence(
            "The conversion ran once here and is not part of the latency; a program that "
            "passes such inputs pays for it on each run, on top of the "
            "{duration} reported here.",
            Duration(report.median_ns),
        ),
        "Create inputs as contiguous arrays (numpy.ascontiguousarray) of the model's data "
        "type; `inspector record` shows whether a program's inputs are copied.",
        share=min(1.0, share),
    )


def _prepared(trace: Trace) -> NDArray[np.intp]:
    """Return the spans of the data lane that copied or cast an input."""
    lanes = np.array([track.lane is Lane.DATA for track in trace.tracks], bool)
    named = np.array([name.startswith(("copy ", "cast ")) for name in trace.names], bool)
    if not len(lanes) or not len(named):
        return np.zeros(0, np.intp)
    kinds = np.isin(trace.kind, [KINDS.index(Kind.COPY), KINDS.index(Kind.CAST)])
    return np.flatnonzero(kinds & lanes[trace.track] & named[trace.name] & (trace.layer < 0))


def outputs_not_bound(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report large outputs that get freshly allocated memory in every run."""
    if report.spec.binding == "outputs" or not report.median_ns:
        return
    lengths = {one.name: one.size for one in report.spec.dimensions}
    sizes = {out.name: _bytes(out, lengths) for out in model.outputs}
    large = {name: size for name, size in sizes.items() if size >= LARGE_BYTES}
    size = sum(large.values())
    fresh = int(size / FRESH_BYTES_PER_SECOND * 1e9)
    share = fresh / report.median_ns
    if share < MIN_COPY_SHARE:
        return
    yield Advice(
        "outputs-not-bound",
        Sentence(
            "Each run allocates {size} for {outputs}.", Size(size), Count(len(large), "output")
        ),
        Sentence("Bound outputs reuse their memory. {untried}", UNTRIED),
        Sentence(
            "Is it faster with bound outputs? Try it: run {rerun} with --binding outputs; in "
            "your program, use IoBinding.bind_output with your own memory.",
            rerun(report),
        ),
        settings=("binding",),
        share=min(1.0, share),
    )


def _bytes(output: TensorInfo, lengths: dict[str, int]) -> int:
    """Return the size of an output in bytes; 0 where its shape or type is unknown."""
    if output.kind != "tensor" or output.shape is None:
        return 0
    axes = [
        axis if isinstance(axis, int) else known_length(str(axis), lengths) or 0
        for axis in output.shape
    ]
    return packed_bytes(output.dtype, prod(axes)) or 0


def held_twice(report: PerformanceReport) -> Iterator[Advice]:
    """Report file bytes held besides the session, or weights and their prepacked copies."""
    weights, extra = report.memory.weights_bytes, report.memory.beside_weights_bytes
    if report.spec.load_from == "bytes" and report.model.size_bytes >= LARGE_BYTES:
        yield Advice(
            "kept-twice",
            Sentence(
                "The model was loaded from bytes, so the file's "
                "{size} were in memory in addition to the "
                "session's {size2} of weights.",
                Size(report.model.size_bytes),
                Size(weights),
            ),
            "They stay there for as long as your program keeps them. When ONNX Runtime loads a "
            "model from a path, it releases the file after reading it.",
            Sentence(
                "Run {rerun} without --load-from, and compare the memory after loading.",
                rerun(report),
            ),
            settings=("load_from",),
        )
    elif weights >= MIN_WEIGHT_BYTES and extra > MIN_EXTRA_SHARE * weights:
        yield Advice(
            "kept-twice",
            Sentence(
                "After loading, the session held {size} on top of its {size2} of weights.",
                Size(extra),
                Size(weights),
            ),
            Sentence(
                "{extra_memory_text} Prepacking makes runs faster; weights stored as "
                "external data are memory-mapped.",
                _extra_memory_text(report),
            ),
            Sentence(
                "Save the weights as external data, or run {rerun} with --load-from reader.",
                rerun(report),
            ),
            settings=("load_from",),
        )


def _extra_memory_text(report: PerformanceReport) -> str:
    """Return one sentence on what the memory besides the weights consists of."""
    packing = report.memory.packing
    if packing is None or packing.prepacked_bytes is None or not packing.held_bytes:
        return (
            "This memory consists of prepacked copies, the buffers used to make them, and the "
            "graph."
        )
    in_session = max(0, packing.held_bytes - report.memory.weights_bytes)
    return Sentence(
        "The session itself holds {size} of it; kernels prepacked "
        "{size2} of weights into "
        "{size3}. The rest was needed for loading.",
        Size(in_session),
        Size(packing.replaced_bytes),
        Size(packing.prepacked_bytes),
    )
