"""Rules of advice that also look at the model or at what follows from it."""

from collections.abc import Callable, Iterator, Sequence

from inspector import units
from inspector.analysis import Facts
from inspector.analysis.advised import (
    AGAIN,
    Advice,
    longest_first,
    of_kernels,
    share_of,
    time_of,
)
from inspector.model import Model
from inspector.report import LayerUse, PerformanceReport, Status

MUCH_WEIGHT_BYTES, MUCH_OF_WEIGHTS = 1 << 20, 0.8
GELU_OPSET, NORMALIZATION_OPSET = 20, 17
_FLOAT = {"float32", "float64"}
_AROUND = 6  # layers before a Sqrt in which a decomposed LayerNormalization has its mean


def initializers_as_inputs(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """What a caller may override cannot be folded."""
    if not model.defaults:
        return
    names = {value.name for value in model.defaults}
    users = {layer.index for layer in model.layers if names & set(layer.inputs)}
    layers = [layer for layer in report.layers if layer.index in users]
    yield Advice(
        "initializers-as-inputs",
        f"{units.plural(len(names), 'initializer')} are inputs as well, which only IR versions "
        f"under 4 need (this is {model.ir_version}): a caller may give others.",
        "The runtime may neither fold nor prepack what a caller can change; what that costs "
        "shows only in a measurement.",
        f"Remove them from the graph's inputs, save with IR version 4 or later, and {AGAIN}.",
        longest_first(layers),
        share=share_of(report, time_of(layers)) / 2,
    )


def float32_edges(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """A model of float16 that takes or gives float32."""
    edges = {
        value.name for value in (*model.inputs, *model.outputs) if value.dtype == "float32"
    }
    half = sum(use.output.startswith("float16") for use in report.layers)
    if not edges or 2 * half < len(report.layers):
        return
    casting = {
        layer.index
        for layer in model.layers
        if layer.operator == "Cast" and edges & {*layer.inputs, *layer.outputs}
    }
    layers = [layer for layer in report.layers if layer.index in casting]
    if layers:
        time = time_of(layers)
        yield Advice(
            "float32-edges",
            "It works in float16, yet takes or gives float32: "
            f"{units.plural(len(layers), 'cast')} at its edges.",
            f"At most the casts: {of_kernels(report, time)}; and half the bytes to hand over.",
            f"Convert it with float16 inputs and outputs, and {AGAIN}.",
            longest_first(layers),
            share=share_of(report, time),
        )


def old_opset(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Pieces of Gelu or LayerNormalization that ran one by one."""
    version = max((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), default=0)
    ran = [layer for layer in report.layers if layer.status is Status.EXECUTED]
    for name, since, pieces in (
        ("Gelu", GELU_OPSET, [layer for layer in ran if layer.operator == "Erf"]),
        ("LayerNormalization", NORMALIZATION_OPSET, _decomposed_normalization(ran)),
    ):
        if pieces and 0 < version < since:
            time = time_of(pieces)
            yield Advice(
                "old-opset",
                f"{units.plural(len(pieces), 'executed layer')} look like parts of {name}, "
                f"which is one operator from opset {since} on (this model: {version}).",
                f"A part of their time: {of_kernels(report, time)}; one operator reads and "
                "writes memory once.",
                f"Export again with opset {since} or later, and {AGAIN}.",
                longest_first(pieces),
                share=share_of(report, time) / 2,
            )


def _decomposed_normalization(ran: Sequence[LayerUse]) -> list[LayerUse]:
    """Layers around each Sqrt that has a ReduceMean before it and a Div behind it."""
    found: dict[int, LayerUse] = {}
    for place, layer in enumerate(ran):
        if layer.operator != "Sqrt":
            continue
        around = ran[max(0, place - _AROUND) : place + 2]
        kinds = {one.operator for one in around}
        if {"ReduceMean", "Div"} <= kinds and kinds & {"Pow", "Mul"}:
            found |= {one.index: one for one in around}
    return list(found.values())


def quantisation(report: PerformanceReport, facts: Facts) -> Iterator[Advice]:
    """Weights that are all of a long float type."""
    long = {kind: size for kind, size in facts.precision.storage if kind in _FLOAT}
    size = sum(long.values())
    if size < MUCH_WEIGHT_BYTES or size < MUCH_OF_WEIGHTS * facts.weights_bytes:
        return
    saved = sum(size * (7 if kind == "float64" else 3) // (8 if kind == "float64" else 4)
                for kind, size in long.items())  # fmt: skip
    yield Advice(
        "quantisation",
        f"{units.size(size)} of weights are {' and '.join(sorted(long))}.",
        f"As int8 they would take {units.size(saved)} less, as float16 half; whether it gets "
        "faster depends on the device, and outputs change a little.",
        "Quantise it, hold the outputs against these with `inspector verify`, and compare.",
    )


RULES: tuple[Callable[[PerformanceReport, Model], Iterator[Advice]], ...] = (
    initializers_as_inputs,
    float32_edges,
    old_opset,
)
FACTS_RULES: tuple[Callable[[PerformanceReport, Facts], Iterator[Advice]], ...] = (
    quantisation,
)
