"""The data types that a measurement computed in, and where they differ from the model's."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from inspector import units
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport
from inspector.trace.trace import Kind
from inspector.wording.values import Count, Sentence

_SMALL_SHARE = 0.02  # of layer time; types with less are left out of texts
_HALF = "float16"
_QUANTIZED = ("int8", "uint8", "int4", "uint4")  # wider integers are indices and counts


def precision_times(report: PerformanceReport) -> tuple[tuple[str, int], ...]:
    """Return data types with the time of the layers that ran in each, longest first.

    Layers that a device compiled as one unit are left out: their internal types are unknown.
    """
    times: Counter[str] = Counter()
    for layer in report.layers:
        if layer.computed_in and layer.time_ns:
            times[layer.computed_in] += layer.time_ns
    return tuple(times.most_common())


def main_precision(report: PerformanceReport) -> str:
    """Return the type with the most layer time; empty where no layer has a known type."""
    return next((name for name, _ in precision_times(report)), "")


def precision_summary(report: PerformanceReport) -> str:
    """Return types and their shares of time as text: "float32 98.0%, uint8 2.0%"."""
    times = precision_times(report)
    whole = sum(time for _, time in times)
    shares = [
        f"{name} {units.share(time, whole)}"
        for name, time in times
        if time >= _SMALL_SHARE * whole
    ]
    return ", ".join(shares) or "unknown"


def conversion(layer: LayerUse, layers: Sequence[LayerUse]) -> tuple[str, str] | None:
    """Return the type that the model declares for a layer, and the different one it ran in.

    None where both are equal or one is unknown. A layer that is part of another's kernel
    was computed in the type of that one. layers: all of the report, in its order.
    """
    lead = layer
    if layer.into is not None:
        if not 0 <= layer.into < len(layers):  # a file may claim anything
            return None
        lead = layers[layer.into]
    stored, computed = layer.output.partition(" ")[0], lead.computed_in
    if stored == computed or not _real(stored) or not _number(computed):
        return None
    return stored, computed


def precision_of(layer: LayerUse, layers: Sequence[LayerUse]) -> str:
    """Return "float16 → float32" for a converted layer, else the type of its first output."""
    converted = conversion(layer, layers)
    return " → ".join(converted) if converted else layer.output.partition(" ")[0]


class HalfPrecision(Struct, frozen=True):
    """A float16 model whose layers were computed in float32.

    layers: indices of those layers. all: number of float16 layers in the model. casts,
    casts_ns: number of Cast nodes that ONNX Runtime inserted, and their time in one run.
    reliable: whether none of these times is too noisy.
    """

    layers: tuple[int, ...]
    all: int
    casts: int
    casts_ns: int
    reliable: bool = True


def half_precision(report: PerformanceReport) -> HalfPrecision | None:
    """Return the conversion of a float16 model on a device without float16 kernels.

    None where the model is not a float16 model, or none of its layers was converted.
    """
    real = [layer for layer in report.layers if _real(layer.output.partition(" ")[0])]
    half = [layer for layer in real if layer.output.partition(" ")[0] == _HALF]
    converted = [
        layer.index for layer in half if conversion(layer, report.layers) == (_HALF, "float32")
    ]
    if not converted or 2 * len(half) <= len(real):
        return None
    casts = [node for node in report.inserted if node.kind == Kind.CAST]
    spent = sum(node.time_ns for node in casts)
    reliable = not any(node.noisy for node in casts)
    return HalfPrecision(tuple(converted), len(half), len(casts), spent, reliable)


def changes(layers: Sequence[LayerUse], inserted: Iterable[InsertedNode]) -> tuple[str, ...]:
    """Return sentences on layers that ran in another type than the model declares.

    A layer fused into another one ran in the type of that one, as one kernel.
    """
    numbers: Counter[tuple[str, str]] = Counter()
    kernels = defaultdict[tuple[str, str], set[int]](set)
    for layer in layers:
        converted = conversion(layer, layers)
        if converted is not None:
            numbers[converted] += 1
            kernels[converted].add(layer.index if layer.into is None else layer.into)
    casts = sum(node.kind == Kind.CAST for node in inserted)
    by_runtime = Sentence("; ONNX Runtime inserted {casts}", Count(casts, "Cast node"))
    return tuple(
        Sentence(
            "{ran}{as_kernels}{inserted}.",
            ran=_ran(Count(count, f"{declared} layer"), ran_in),
            as_kernels=_as_kernels(count, len(kernels[declared, ran_in])),
            inserted=by_runtime if casts else "",
        )
        for (declared, ran_in), count in numbers.most_common()
    )


def _ran(layers: Count, ran_in: str) -> Sentence:
    quantized = ran_in in _QUANTIZED
    template = "{layers} ran quantized, in {type}" if quantized else "{layers} ran in {type}"
    return Sentence(template, layers, ran_in)


def _as_kernels(layers: int, kernels: int) -> str:
    """Return as how many kernels layers ran, where fused ones make it fewer."""
    return Sentence(", as {kernels}", Count(kernels, "kernel")) if kernels < layers else ""


def _real(name: str) -> bool:
    return name.startswith(("float", "bfloat"))


def _number(name: str) -> bool:
    return _real(name) or name.startswith(("int", "uint"))
