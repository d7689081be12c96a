"""Advice rules on how a model is used: what is copied, allocated or held twice."""

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advice.finding import RERUN, Advice
from inspector.model.model import Model, TensorInfo, packed_bytes
from inspector.report.report import PerformanceReport
from inspector.trace.trace import KINDS, Kind, Lane, Trace

MIN_COPY_SHARE = 0.02  # of the latency; less is within the noise of most measurements
LARGE_BYTES = 1 << 20
# Weights and the memory held besides them (as a share of them) from which it is worth a look.
MIN_WEIGHT_BYTES, MIN_EXTRA_SHARE = 16 << 20, 0.5
# Bytes per second at which newly allocated pages are written: a round figure for CPUs.
FRESH_BYTES_PER_SECOND = 5e9


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
        f"Inputs were converted before the run: {units.clip(', '.join(steps), 200)} "
        f"({units.size(size)}, {units.duration(time)}).",
        "The conversion ran once here and is not part of the latency; a program that passes "
        "such inputs pays for it in each run, on top of the "
        f"{units.duration(report.median_ns)} reported here.",
        "Make inputs contiguous (numpy.ascontiguousarray) and of the model's data type where "
        "they are created; `inspector record` shows whether a program copies.",
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
        f"Each run allocates {units.size(size)} for {units.plural(len(large), 'output')}.",
        f"Writing to newly allocated pages takes about {units.duration(fresh)} at 5 GB/s, "
        f"{units.share(fresh, report.median_ns)} of the latency; bound outputs reuse their "
        "memory.",
        f"{RERUN} with --binding outputs; in a program IoBinding.bind_output with your own "
        "memory.",
        settings=("binding",),
        share=min(1.0, share),
    )


def _bytes(output: TensorInfo, lengths: dict[str, int]) -> int:
    """Return the size of an output in bytes; 0 where its shape or type is unknown."""
    if output.kind != "tensor" or output.shape is None:
        return 0
    axes = [
        axis if isinstance(axis, int) else lengths.get(str(axis), 0) for axis in output.shape
    ]
    return packed_bytes(output.dtype, prod(axes)) or 0


def held_twice(report: PerformanceReport) -> Iterator[Advice]:
    """Report file bytes held besides the session, or weights and their prepacked copies."""
    weights, extra = report.memory.weights_bytes, report.memory.beside_weights_bytes
    if report.spec.load_from == "bytes" and report.model.size_bytes >= LARGE_BYTES:
        yield Advice(
            "kept-twice",
            f"The model was loaded from bytes: the file's "
            f"{units.size(report.model.size_bytes)} were in memory besides the session's "
            f"{units.size(weights)} of weights.",
            "Possible saving: the file's bytes, for as long as the program holds them. From a "
            "path, ONNX Runtime reads the file and releases it.",
            f"{RERUN} without --load-from, and compare the memory after loading.",
            settings=("load_from",),
        )
    elif weights >= MIN_WEIGHT_BYTES and extra > MIN_EXTRA_SHARE * weights:
        yield Advice(
            "kept-twice",
            f"After loading, the session held {units.size(extra)} on top of its "
            f"{units.size(weights)} of weights.",
            f"{_extra_memory_text(report)} Prepacking makes runs faster; weights stored as "
            "external data are memory-mapped.",
            f"Save the weights as external data, or {RERUN} with --load-from reader.",
            settings=("load_from",),
        )


def _extra_memory_text(report: PerformanceReport) -> str:
    """Return one sentence on what the memory besides the weights consists of."""
    packing = report.memory.packing
    if packing is None or packing.prepacked_bytes is None or not packing.held_bytes:
        return "It consists of prepacked copies, the buffers used to make them, and the graph."
    in_session = max(0, packing.held_bytes - report.memory.weights_bytes)
    return (
        f"The session itself holds {units.size(in_session)} of it; kernels prepacked "
        f"{units.size(packing.replaced_bytes)} of weights into "
        f"{units.size(packing.prepacked_bytes)}. The rest was needed for loading."
    )
