"""Advice rules that read the model or its facts besides the report."""

from collections.abc import Iterator, Sequence

from inspector import units
from inspector.analysis.advice.finding import (
    RERUN,
    Advice,
    longest_first,
    time_and_share,
)
from inspector.analysis.facts.model_facts import Facts
from inspector.model.model import Model
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.support_marks import Status

# Smaller weights are not worth quantizing; a model with fewer of them is quantized already.
MIN_FLOAT_BYTES, MIN_FLOAT_SHARE = 1 << 20, 0.8
GELU_OPSET, NORMALIZATION_OPSET = 20, 17  # opsets that introduced the operators
_FLOAT = {"float32", "float64"}
_LAYERS_BEFORE_SQRT = 6  # within these, a decomposed LayerNormalization computes its mean


def initializers_as_inputs(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report weights that are graph inputs as well, which blocks constant folding."""
    if not model.defaults:
        return
    names = {value.name for value in model.defaults}
    single = len(names) == 1
    users = {layer.index for layer in model.layers if names & set(layer.inputs)}
    layers = [layer for layer in report.layers if layer.index in users]
    yield Advice(
        "initializers-as-inputs",
        f"{units.plural(len(names), 'weight')} "
        f"{'is also a graph input' if single else 'are also graph inputs'} (required only "
        f"before IR version 4; this model has IR version {model.ir_version}), so a caller "
        f"may override {'it' if single else 'them'}.",
        "This blocks constant folding and prepacking; only a measurement shows the cost.",
        f"Remove {'it' if single else 'them'} from the graph inputs, save with IR version 4 or "
        f"later, then {RERUN}.",
        longest_first(layers),
        share=time_and_share(report, layers)[1] / 2,
    )


def float32_edges(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report Cast layers between a float16 model and its float32 inputs and outputs."""
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
        time, share = time_and_share(report, layers)
        yield Advice(
            "float32-edges",
            "The model computes in float16, but has float32 inputs or outputs: "
            f"{units.plural(len(layers), 'Cast layer')} there.",
            f"Possible saving: at most the time of the Cast layers, {time}, and half the bytes "
            "of these inputs and outputs.",
            f"Convert the model with float16 inputs and outputs, then {RERUN}.",
            longest_first(layers),
            share=share,
        )


def old_opset(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report executed parts of operators that newer opsets have: Gelu, LayerNormalization."""
    version = max((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), default=0)
    ran = [layer for layer in report.layers if layer.status is Status.EXECUTED]
    for name, since, pieces in (
        ("Gelu", GELU_OPSET, [layer for layer in ran if layer.operator == "Erf"]),
        ("LayerNormalization", NORMALIZATION_OPSET, _decomposed_normalization(ran)),
    ):
        if pieces and 0 < version < since:
            time, share = time_and_share(report, pieces)
            yield Advice(
                "old-opset",
                f"{units.plural(len(pieces), 'executed layer')} "
                f"{'looks' if len(pieces) == 1 else 'look'} like parts of {name}, which is one "
                f"operator since opset {since} (this model: opset {version}).",
                f"Possible saving: a part of their time, {time}. One operator reads and writes "
                "memory only once.",
                f"Export again with opset {since} or later, then {RERUN}.",
                longest_first(pieces),
                share=share / 2,
            )


def _decomposed_normalization(ran: Sequence[LayerUse]) -> list[LayerUse]:
    """Return the layers around each Sqrt that has a ReduceMean before it and a Div after it."""
    parts: dict[int, LayerUse] = {}
    for position, layer in enumerate(ran):
        if layer.operator != "Sqrt":
            continue
        neighbors = ran[max(0, position - _LAYERS_BEFORE_SQRT) : position + 2]
        operators = {neighbor.operator for neighbor in neighbors}
        if {"ReduceMean", "Div"} <= operators and operators & {"Pow", "Mul"}:
            parts |= {neighbor.index: neighbor for neighbor in neighbors}
    return list(parts.values())


def quantization(report: PerformanceReport, facts: Facts) -> Iterator[Advice]:
    """Report weights that are nearly all float32 or float64 and could be quantized."""
    long = {kind: size for kind, size in facts.precision.storage if kind in _FLOAT}
    size = sum(long.values())
    if size < MIN_FLOAT_BYTES or size < MIN_FLOAT_SHARE * facts.weights_bytes:
        return
    saved = sum(size * (7 if kind == "float64" else 3) // (8 if kind == "float64" else 4)
                for kind, size in long.items())  # fmt: skip
    yield Advice(
        "quantisation",
        f"{units.size(size)} of weights are {' and '.join(sorted(long))}.",
        f"Stored as int8, they would take {units.size(saved)} less; as float16, half. The "
        "effect on speed depends on the device, and outputs change slightly.",
        "Quantize the model, check its outputs with `inspector verify`, and compare the "
        "reports.",
    )
