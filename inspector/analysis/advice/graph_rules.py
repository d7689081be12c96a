"""Advice rules that follow values through the graph: unfused patterns, unused outputs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from inspector import units
from inspector.analysis.advice.finding import (
    RERUN,
    Advice,
    longest_first,
    share_of,
    time_and_share,
    time_of,
    timed_one_at_a_time,
)
from inspector.model.model import Layer, Model, WeightInfo
from inspector.report.report import LayerUse, PerformanceReport
from inspector.report.support_marks import Status

LARGE_BYTES = 1 << 20  # smaller constants hardly change size and load time (a judgment)
MIN_EXCLUSIVE_SHARE = 0.25  # of kernel time, spent for one output alone (a judgment)
_PRODUCTS = {
    "MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "GRU", "RNN", "Einsum", "Attention",
}  # fmt: skip
_BETWEEN = {"Add", "Cast", "Div", "Dropout", "Identity", "Mul", "Sub", "Where"}
_MAX_STEPS = 6  # elementwise layers between a product and its Softmax
_OPTIONAL_OUTPUTS = {  # outputs after the first cost memory or time only where they are named
    "BatchNormalization", "Dropout", "GRU", "LSTM", "LayerNormalization", "MaxPool", "RNN",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Flow:
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
        f"{units.plural(len(groups), 'attention pattern')} (MatMul, Softmax, MatMul) "
        f"{'was' if len(groups) == 1 else 'were'} not fused.",
        "Possible saving: at most the time of the layers between the products, "
        f"{time}. A fused Attention operator keeps the scores in the cache.",
        "Fuse with onnxruntime.transformers.optimizer, or export with opset 23, which has an "
        f"Attention operator; then {RERUN}.",
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
    size = sum(weight.size_bytes or 0 for weight in tables)
    if not tables:
        return
    users = {index for weight in tables for index in _readers(flow, weight)}
    names = ", ".join(weight.name or "a Constant" for weight in tables[:3])
    yield Advice(
        "large-constants",
        f"{units.plural(len(tables), 'constant')} ({units.size(size)}) that no matrix product "
        f"reads {'is' if len(tables) == 1 else 'are'} stored as {_types(tables)}: "
        f"{units.clip(names, 120)}{' …' if len(tables) > 3 else ''}.",
        f"Stored as float16 and followed by a Cast, they take {units.size(size // 2)} less to "
        "load and keep. Constants that can be computed, such as positions, need no storage.",
        "Store them in a smaller type, check the outputs with `inspector verify`, and compare "
        "file size and load time.",
        longest_first(use for use in report.layers if use.index in users),
    )


def _types(weights: list[WeightInfo]) -> str:
    return " and ".join(sorted({weight.dtype for weight in weights}))


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
        if layer.operator in _OPTIONAL_OUTPUTS and layer.index in ran
        if any(n and n not in flow.input_names and n not in flow.readers for n in layer.outputs)
        if len(layer.outputs) > 1
    ]
    if idle:
        kinds = ", ".join(sorted({layer.operator for layer in idle}))
        yield Advice(
            "unused-outputs",
            f"{units.plural(len(idle), 'layer')} ({kinds}) "
            f"{'names' if len(idle) == 1 else 'name'} optional outputs that no layer reads.",
            "ONNX Runtime writes them nevertheless; only a measurement shows the time.",
            f"Leave the names of these outputs empty in the file, then {RERUN}.",
            longest_first(ran[layer.index] for layer in idle),
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
    if idle:
        yield Advice(
            "needless-layers",
            f"{units.plural(len(idle), 'layer')} ran although no output depends on "
            f"{'it' if len(idle) == 1 else 'them'}.",
            f"Possible saving: {time}.",
            f"Remove {'it' if len(idle) == 1 else 'them'} from the file, then {RERUN}.",
            longest_first(idle),
            share=share,
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
        yield Advice(
            "outputs-apart",
            f"Only the output '{units.clip(output.name, 60)}' depends on "
            f"{units.plural(len(own), 'layer')}.",
            f"Possible saving for a program that does not read it: {time}.",
            "Remove it from the model's outputs, or set the run option "
            "only_execute_path_to_fetches and request the other outputs only.",
            longest_first(own),
            share=share / 4,
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
