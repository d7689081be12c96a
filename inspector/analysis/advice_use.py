"""Rules of advice about how a model is used: what is copied, allocated or kept twice."""

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advised import AGAIN, Advice
from inspector.model import Model, TensorInfo, packed_bytes
from inspector.report import PerformanceReport
from inspector.trace import KINDS, Kind, Lane, Trace

MUCH_COPIED, LARGE_BYTES = 0.02, 1 << 20
MUCH_KEPT_BYTES, MUCH_KEPT = 16 << 20, 0.5
FRESH_BYTES_PER_SECOND = 5e9


def inputs_copied(report: PerformanceReport) -> Iterator[Advice]:
    """Inputs that had to be copied or cast before the runtime could have them."""
    spans = _prepared(report.trace)
    time = int(report.trace.duration_ns[spans].sum())
    share = time / report.median_ns if report.median_ns else 0.0
    size = int(report.trace.size_bytes[spans].sum())
    if not len(spans) or (share < MUCH_COPIED and size < LARGE_BYTES):
        return
    words = dict.fromkeys(report.trace.names[name] for name in report.trace.name[spans])
    yield Advice(
        "inputs-copied",
        f"Inputs did not fit as they were given: {units.clip(', '.join(words), 200)} "
        f"({units.size(size)}, {units.duration(time)}).",
        "It was done once here, before the clock ran; a program that gives them like this pays "
        f"for it in each prediction, beside the {units.duration(report.median_ns)} told here.",
        "Make inputs contiguous (numpy.ascontiguousarray) and of the model's type once, where "
        "they come from; `inspector record` shows whether a program copies.",
        share=min(1.0, share),
    )


def _prepared(trace: Trace) -> NDArray[np.intp]:
    """Spans of the data lane that belong to no layer and say what was done to an input."""
    lanes = np.array([track.lane is Lane.DATA for track in trace.tracks], bool)
    named = np.array([name.startswith(("copy ", "cast ")) for name in trace.names], bool)
    if not len(lanes) or not len(named):
        return np.zeros(0, np.intp)
    kinds = np.isin(trace.kind, [KINDS.index(Kind.COPY), KINDS.index(Kind.CAST)])
    return np.flatnonzero(kinds & lanes[trace.track] & named[trace.name] & (trace.layer < 0))


def outputs_not_bound(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Large outputs that get fresh memory with every prediction."""
    if report.spec.binding == "outputs" or not report.median_ns:
        return
    lengths = {one.name: one.size for one in report.spec.dimensions}
    sizes = {out.name: _bytes(out, lengths) for out in model.outputs}
    large = {name: size for name, size in sizes.items() if size >= LARGE_BYTES}
    size = sum(large.values())
    fresh = int(size / FRESH_BYTES_PER_SECOND * 1e9)
    share = fresh / report.median_ns
    if share < MUCH_COPIED:
        return
    yield Advice(
        "outputs-not-bound",
        f"With each prediction {units.plural(len(large), 'output')} got "
        f"{units.size(size)} of fresh memory.",
        f"Writing as much into fresh pages takes about {units.duration(fresh)} at 5 GB/s, "
        f"{units.share(fresh, report.median_ns)} of a prediction; bound memory is written in "
        "place.",
        f"{AGAIN} with --binding outputs; in a program IoBinding.bind_output with memory of "
        "your own.",
        settings=("binding",),
        share=min(1.0, share),
    )


def _bytes(output: TensorInfo, lengths: dict[str, int]) -> int:
    """What an output takes; 0 where its shape or type does not tell."""
    if output.kind != "tensor" or output.shape is None:
        return 0
    axes = [
        axis if isinstance(axis, int) else lengths.get(str(axis), 0) for axis in output.shape
    ]
    return packed_bytes(output.dtype, prod(axes)) or 0


def kept_twice(report: PerformanceReport) -> Iterator[Advice]:
    """The file's bytes beside the session, or weights and their prepacked copies."""
    weights, beside = report.memory.weights_bytes, report.memory.beside_weights_bytes
    if report.spec.load_from == "bytes" and report.model.size_bytes >= LARGE_BYTES:
        yield Advice(
            "kept-twice",
            f"It was loaded from bytes: {units.size(report.model.size_bytes)} of file lay in "
            f"memory beside {units.size(weights)} of weights of the session.",
            "The file's bytes, for as long as the program holds them; from a path the runtime "
            "reads and forgets them.",
            f"{AGAIN} without --load-from, and hold the memory after loading against this.",
            settings=("load_from",),
        )
    elif weights >= MUCH_KEPT_BYTES and beside > MUCH_KEPT * weights:
        yield Advice(
            "kept-twice",
            f"After loading the session held {units.size(beside)} beyond its "
            f"{units.size(weights)} of weights.",
            f"{_most(report)} Prepacking pays in time; weights outside of the model file are "
            "mapped.",
            f"Save the weights as external data, or {AGAIN} with --load-from reader.",
            settings=("load_from",),
        )


def _most(report: PerformanceReport) -> str:
    """What may be gained of the memory beside the weights; copies only where counted."""
    packing = report.memory.packing
    if packing is None or packing.prepacked_bytes is None or not packing.held_bytes:
        return (
            "At most these: copies that kernels prepacked, what was read to make them, and the "
            "graph."
        )
    more = max(0, packing.held_bytes - report.memory.weights_bytes)
    return (
        f"Of these the session itself holds {units.size(more)}; kernels prepacked "
        f"{units.size(packing.replaced_bytes)} of weights into "
        f"{units.size(packing.prepacked_bytes)}, the rest was needed to load them."
    )


RULES: tuple[Callable[[PerformanceReport], Iterator[Advice]], ...] = (inputs_copied, kept_twice)
MODEL_RULES: tuple[Callable[[PerformanceReport, Model], Iterator[Advice]], ...] = (
    outputs_not_bound,
)
