"""Advice rules that read the model or its facts besides the report.

Advice rules that follow values through the graph: unfused patterns, unused outputs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

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
    timed_one_at_a_time,
)
from inspector.analysis.facts.model_facts import Facts
from inspector.model.model import Layer, Model, WeightInfo
from inspector.model.operator_traits import OPTIONAL_OUTPUTS, WITHOUT_EFFECT
from inspector.platform.data_struct import DataStruct
from inspector.report.report import LayerUse, PerformanceReport
from inspector.wording.support_marks import Status
from inspector.wording.values import Count, Sentence, Size

LARGE_BYTES = 1 << 20  # smaller constants hardly change size and load time (a judgment)
MIN_EXCLUSIVE_SHARE = 0.25  # of kernel time, spent for one output alone (a judgment)
_PRODUCTS = {
    "MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "GRU", "RNN", "Einsum", "Attention",
}  # fmt: skip
_BETWEEN = WITHOUT_EFFECT | {"Add", "Cast", "Div", "Mul", "Sub", "Where"}
_MAX_STEPS = 6  # elementwise layers between a product and its Softmax
# Smaller weights are not worth quantizing; a model with fewer of them is quantized already.
MIN_FLOAT_BYTES = 1 << 20
MIN_FLOAT_SHARE = 0.8
# opsets that introduced the operators
GELU_OPSET = 20
NORMALIZATION_OPSET = 17
LENGTH_OF_ONE = "length-of-one"
_OPTIONAL_INPUTS_IR = 4  # the first IR version in which weights need not be graph inputs
_FLOAT = {"float32", "float64"}
_LAYERS_BEFORE_SQRT = 6  # within these, a decomposed LayerNormalization computes its mean


class _Flow(DataStruct, frozen=True, eq=False, dict=True, weakref=True):
    """The producer and the readers of each value, in the graph and in control-flow bodies."""

    model: Model

    @cached_property
    def makers(self) -> Mapping[str, int]:
        return {name: one.index for one in self.model.layers for name in one.outputs if name}

    @cached_property
    def readers(self) -> Mapping[str, list[int]]:
        readers_of = defaultdict[str, list[int]](list)
        for layer in self.model.layers:
            for name in layer.inputs:
                readers_of[name].append(layer.index)
        return readers_of

    @cached_property
    def input_names(self) -> frozenset[str]:
        """Names of the outputs of the graph and of the graphs inside its layers."""
        inner = (output.name for graph in self.model.graphs for output in graph.outputs)
        return frozenset((*(output.name for output in self.model.outputs), *inner))

    def behind(self, layer: Layer) -> Iterator[Layer]:
        """Yield the layers that produce the inputs of a layer."""
        for name in layer.inputs:
            if name in self.makers:
                yield self.model.layers[self.makers[name]]


def attention(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report attention patterns (MatMul, Softmax, MatMul) that were not fused."""
    flow = _Flow(model)
    uses = {use.index: use for use in report.layers}
    groups = [
        group
        for layer in model.layers
        if layer.operator == "Softmax" and (group := _attention(flow, layer))
        if all(_alone(uses.get(index)) for index in (group[0], layer.index, group[-1]))
    ]
    if not groups:
        return
    products = {index for group in groups for index in (group[0], group[-1])}
    between = [uses[i] for group in groups for i in group if i in uses and i not in products]
    time, share = time_and_share(report, between)
    yield Advice(
        "attention",
        Sentence(
            "{patterns} (MatMul, Softmax, MatMul) {value} not fused.",
            Count(len(groups), "attention pattern"),
            "was" if len(groups) == 1 else "were",
        ),
        Sentence(
            "The layers between the matrix multiplications take {time}. A fused Attention "
            "operator keeps the scores in the cache. {untried}",
            time,
            UNTRIED,
        ),
        Sentence(
            "Is it faster fused? Try it: use onnxruntime.transformers.optimizer, or export "
            "with opset 23, which has an Attention operator; then run {compared}.",
            compared(report),
        ),
        longest_first(between),
        share=share / 2,
    )


def _attention(flow: _Flow, softmax: Layer) -> list[int]:
    """Return the layer indices from the first product to the second; empty if there is none."""
    before, after = [softmax], [softmax]
    for _ in range(_MAX_STEPS):
        makers = [
            one for one in flow.behind(before[-1]) if one.operator in {*_BETWEEN, "MatMul"}
        ]
        product = next((one for one in makers if one.operator == "MatMul"), None)
        if product or not makers:
            before += [product] if product else []
            break
        before.append(makers[0])
    for _ in range(_MAX_STEPS):
        readers = [r for name in after[-1].outputs for r in flow.readers.get(name, ())]
        if len(readers) != 1 or flow.model.layers[readers[0]].operator not in {
            *_BETWEEN,
            "MatMul",
        }:
            break
        after.append(flow.model.layers[readers[0]])
        if after[-1].operator == "MatMul":
            break
    whole = [*reversed(before), *after[1:]]
    ends = whole[0].operator == whole[-1].operator == "MatMul"
    return [one.index for one in whole] if ends else []


def _alone(use: LayerUse | None) -> bool:
    """Return whether a layer ran as its own kernel, not as part of a fused one."""
    return (
        use is not None
        and use.status is Status.EXECUTED
        and "Attention" not in use.executed_as
        and use.time_ns is not None
    )


def large_constants(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report large float32 and float64 constants that no matrix product reads."""
    flow = _Flow(model)
    tables = [weight for weight in model.weights if _is_table(flow, weight)]
    if not tables:
        return
    size = sum(weight.size_bytes or 0 for weight in tables)
    saved = sum(_saved_as_float16(weight.dtype, weight.size_bytes or 0) for weight in tables)
    users = {index for weight in tables for index in _readers(flow, weight)}
    names = ", ".join(weight.name or "a Constant" for weight in tables[:3])
    yield Advice(
        "large-constants",
        Sentence(
            "{constants} ({size}), not used by any matrix "
            "multiplication, {value} stored as {types}: "
            "{names}{value2}.",
            Count(len(tables), "constant"),
            Size(size),
            "is" if len(tables) == 1 else "are",
            " and ".join(sorted({weight.dtype for weight in tables})),
            units.clip(names, 120),
            " and others" if len(tables) > 3 else "",
        ),
        Sentence(
            "Stored as float16 and followed by a Cast, {value} "
            "would take up {size} less. Constants that can be computed, such as "
            "positions, need not be stored.",
            "it" if len(tables) == 1 else "they",
            Size(saved),
        ),
        "Store constants in a smaller type; compare outputs, file size and load time.",
        longest_first(use for use in report.layers if use.index in users),
    )


def _saved_as_float16(dtype: str, size_bytes: int) -> int:
    """Return by how many bytes float32 or float64 values shrink when stored as float16."""
    return size_bytes * 3 // 4 if dtype == "float64" else size_bytes // 2


def _is_table(flow: _Flow, weight: WeightInfo) -> bool:
    if weight.dtype not in ("float32", "float64") or (weight.size_bytes or 0) < LARGE_BYTES:
        return False
    readers = [flow.model.layers[index] for index in _readers(flow, weight)]
    return bool(readers) and not any(one.operator in _PRODUCTS for one in readers)


def _readers(flow: _Flow, weight: WeightInfo) -> list[int]:
    names = [weight.name]
    if weight.layer is not None:
        names = list(flow.model.layers[weight.layer].outputs)
    return [index for name in names for index in flow.readers.get(name, ())]


def unused_outputs(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report optional outputs of executed layers that no layer reads."""
    flow = _Flow(model)
    ran = {use.index: use for use in report.layers if use.status is Status.EXECUTED}
    idle = [
        layer
        for layer in model.layers
        if layer.operator in OPTIONAL_OUTPUTS and layer.index in ran
        if any(n and n not in flow.input_names and n not in flow.readers for n in layer.outputs)
        if len(layer.outputs) > 1
    ]
    steps = ("simplify",)
    if idle:
        kinds = ", ".join(sorted({layer.operator for layer in idle}))
        yield Advice(
            "unused-outputs",
            Sentence(
                "{layers} ({kinds}) {value} optional outputs that no layer reads.",
                Count(len(idle), "layer"),
                kinds,
                "produces" if len(idle) == 1 else "produce",
            ),
            "ONNX Runtime writes them anyway; measure to see the cost.",
            Sentence(
                "Is it faster without {value}? Try it: {compared}.",
                "them",
                compared(report, steps),
            ),
            longest_first(ran[layer.index] for layer in idle),
            steps=steps,
        )


def needless_layers(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report layers that ONNX Runtime ran although no output depends on them."""
    needs = _needs(model)
    idle = [
        use
        for use in report.layers[: len(model.layers)]
        if use.status is Status.EXECUTED and use.index not in needs and use.parent is None
    ]
    time, share = time_and_share(report, idle)
    steps = ("simplify",)
    if idle:
        yield Advice(
            "needless-layers",
            Sentence(
                "{layers} ran although no output depends on {value}.",
                Count(len(idle), "layer"),
                "it" if len(idle) == 1 else "them",
            ),
            takes(len(idle), time),
            Sentence(
                "Is it faster without {value}? Try it: {compared}.",
                "it" if len(idle) == 1 else "them",
                compared(report, steps),
            ),
            longest_first(idle),
            share=share,
            steps=steps,
        )


def outputs_apart(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report an output that takes much time which no other output needs."""
    if len(model.outputs) < 2:
        return
    needs = _needs(model)
    uses = {use.index: use for use in report.layers}
    for number, output in enumerate(model.outputs):
        own = [uses[i] for i, mask in needs.items() if mask == 1 << number and i in uses]
        if share_of(report, time_of(own)) < MIN_EXCLUSIVE_SHARE or timed_one_at_a_time(
            report, own
        ):
            continue
        time, share = time_and_share(report, own)
        others = "+".join(each.name for each in model.outputs if each.name != output.name)
        steps = (f"extract:outputs={others}",)
        yield Advice(
            "outputs-apart",
            Sentence(
                "{layers} {value} needed only for the output '{name}'.",
                Count(len(own), "layer"),
                "is" if len(own) == 1 else "are",
                units.clip(output.name, 60),
            ),
            takes(len(own), time),
            Sentence(
                "If your program does not use this output, is it faster without it? Try it: "
                "{compared}.",
                compared(report, steps),
            ),
            longest_first(own),
            share=share / 4,
            steps=steps,
        )


def _needs(model: Model) -> dict[int, int]:
    """Return for each needed layer a bit mask of the model outputs that depend on it."""
    flow = _Flow(model)
    inner = defaultdict[int, list[int]](list)
    for layer in model.layers:
        if layer.parent is not None:
            inner[layer.parent].append(layer.index)
    masks: dict[int, int] = {}
    for number, output in enumerate(model.outputs):
        waiting = [flow.makers[output.name]] if output.name in flow.makers else []
        bit = 1 << number
        while waiting:
            index = waiting.pop()
            if masks.get(index, 0) & bit:
                continue
            masks[index] = masks.get(index, 0) | bit
            waiting += [one.index for one in flow.behind(model.layers[index])]
            waiting += inner.get(index, ())
    return masks


def initializers_as_inputs(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report weights that are graph inputs as well, which blocks constant folding."""
    if not model.defaults:
        return
    names = {value.name for value in model.defaults}
    single = len(names) == 1
    reason = Sentence("This model has IR version {ir_version}.", model.ir_version)
    if model.ir_version >= _OPTIONAL_INPUTS_IR:
        reason = Sentence(
            "In this model, with IR version {ir_version}, it only lets a caller "
            "override weights.",
            model.ir_version,
        )
    users = {layer.index for layer in model.layers if names & set(layer.inputs)}
    layers = [layer for layer in report.layers if layer.index in users]
    yield Advice(
        "initializers-as-inputs",
        "1 weight is also a graph input, which blocks constant folding and prepacking."
        if single
        else Sentence(
            "{len} weights are also graph inputs, which blocks constant folding and "
            "prepacking.",
            Count(len(names)),
        ),
        Sentence(
            "IR versions before 4 require this. {reason} Measure to see the cost.", reason
        ),
        Sentence(
            "Is it faster without {value} among the inputs? Try it: {compared}.",
            "it" if single else "them",
            compared(report, ("weights-not-inputs",)),
        ),
        longest_first(layers),
        share=time_and_share(report, layers)[1] / 2,
        steps=("weights-not-inputs",),
    )


def length_of_one(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report free axes other than the batch that were measured with a length of 1."""
    short = [
        axis
        for info in model.inputs
        for place, (axis, length) in enumerate(
            zip(info.shape or (), report.input_shapes.get(info.name, ()), strict=False)
        )
        if place and length == 1 and isinstance(axis, str) and "batch" not in axis.lower()
    ]
    if short:
        axis = units.clip(short[0], 40)
        yield Advice(
            LENGTH_OF_ONE,
            Sentence("The free axis '{axis}' was 1 in this measurement.", axis),
            "Inputs of the length that you will use take longer, and other layers may be slow.",
            Sentence(
                "Set its length in Settings, or run {rerun} with {option}.",
                rerun(report),
                f"`--dim {axis}=N`",
            ),
            settings=("dimensions",),
            share=1.0,
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
            Sentence(
                "The model computes in float16 but has float32 inputs or outputs, which "
                "require {layers}.",
                Count(len(layers), "Cast layer"),
            ),
            Sentence(
                "The Cast layers take {time}; float16 inputs and outputs take half the memory. "
                "{untried}",
                time,
                UNTRIED,
            ),
            "Is it faster with float16 inputs and outputs? Try it: convert the float32 model "
            f"with the step float16:keep-io=no, then run {compared(report)}.",
            longest_first(layers),
            share=share,
        )


def old_opset(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Report executed parts of operators that newer opsets have: Gelu, LayerNormalization."""
    version = max((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), default=0)
    ran = [layer for layer in report.layers if layer.status is Status.EXECUTED]
    for name, since, pieces in (
        ("Gelu", GELU_OPSET, _decomposed_gelu(ran, model)),
        ("LayerNormalization", NORMALIZATION_OPSET, _decomposed_normalization(ran)),
    ):
        if pieces and 0 < version < since:
            time, share = time_and_share(report, pieces)
            yield Advice(
                "old-opset",
                Sentence(
                    "{layers} "
                    "{value} like parts of {name}, a single "
                    "operator since opset {since} (this model: opset {version}).",
                    Count(len(pieces), "executed layer"),
                    "looks" if len(pieces) == 1 else "look",
                    name,
                    since,
                    version,
                ),
                Sentence(
                    "{value} {time}. A single operator "
                    "reads and writes memory only once. {untried}",
                    "It takes" if len(pieces) == 1 else "They take",
                    time,
                    UNTRIED,
                ),
                Sentence(
                    "Is it faster with a single operator? Try it: export the model again with "
                    "opset {since} or later, then run {compared}.",
                    since,
                    compared(report),
                ),
                longest_first(pieces),
                share=share / 2,
            )


def _decomposed_gelu(ran: Sequence[LayerUse], model: Model) -> list[LayerUse]:
    """Return each Erf whose result an Add takes, and a Mul that sum."""
    erfs = [layer for layer in ran if layer.operator == "Erf"]
    if not erfs:
        return []
    readers: dict[str, list[Layer]] = {}
    for layer in model.layers:
        for name in layer.inputs:
            readers.setdefault(name, []).append(layer)

    def read_by(layer: Layer, operator: str) -> list[Layer]:
        after = (reader for name in layer.outputs for reader in readers.get(name, ()))
        return [reader for reader in after if reader.operator == operator]

    return [
        erf
        for erf in erfs
        if any(read_by(add, "Mul") for add in read_by(model.layers[erf.index], "Add"))
    ]


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
    saved_half = sum(_saved_as_float16(kind, size) for kind, size in long.items())
    yield Advice(
        "quantisation",
        Sentence("{size} of weights are {join}.", Size(size), " and ".join(sorted(long))),
        Sentence(
            "Stored as int8, they would take up {size} less; as float16, "
            "{size2} less. The effect on speed depends on the device, and "
            "outputs change slightly.",
            Size(saved),
            Size(saved_half),
        ),
        Sentence(
            "Try int8 and float16 on test inputs, in Improve or with {improved}.",
            improved(report),
        ),
    )
