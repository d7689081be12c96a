"""Rules of advice that follow values: patterns left apart, tables, work for nobody."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from inspector import units
from inspector.analysis.advised import (
    AGAIN,
    Advice,
    longest_first,
    of_kernels,
    share_of,
    time_of,
)
from inspector.model import Layer, Model, WeightInfo
from inspector.report import LayerUse, PerformanceReport, Status

LARGE_BYTES, MUCH_FOR_ONE = 1 << 20, 0.25
_PRODUCTS = {
    "MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "GRU", "RNN", "Einsum", "Attention",
}  # fmt: skip
_BETWEEN = {"Add", "Cast", "Div", "Dropout", "Identity", "Mul", "Sub", "Where"}
_STEPS = 6  # elementwise layers between a product and its Softmax
_ON_REQUEST = {  # outputs after the first cost memory or time only where they are named
    "BatchNormalization", "Dropout", "GRU", "LSTM", "LayerNormalization", "MaxPool", "RNN",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Flow:
    """Who makes and who reads each value of the whole graph. Names of bodies count as well."""

    model: Model

    @cached_property
    def makers(self) -> Mapping[str, int]:
        return {name: one.index for one in self.model.layers for name in one.outputs if name}

    @cached_property
    def readers(self) -> Mapping[str, list[int]]:
        found = defaultdict[str, list[int]](list)
        for layer in self.model.layers:
            for name in layer.inputs:
                found[name].append(layer.index)
        return found

    @cached_property
    def given(self) -> frozenset[str]:
        """Names that the graph, or a graph inside of a layer, gives out."""
        inner = (output.name for graph in self.model.graphs for output in graph.outputs)
        return frozenset((*(output.name for output in self.model.outputs), *inner))

    def behind(self, layer: Layer) -> Iterator[Layer]:
        """The layers that made its inputs."""
        for name in layer.inputs:
            if name in self.makers:
                yield self.model.layers[self.makers[name]]


def attention(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """A product, a Softmax and another product that ran as layers of their own."""
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
    time = time_of(between)
    yield Advice(
        "attention",
        f"{units.plural(len(groups), 'attention pattern')} (MatMul, Softmax, MatMul) ran layer "
        "by layer.",
        f"At most what is between the products: {of_kernels(report, time)}; a fused Attention "
        "keeps the scores in cache.",
        "Let onnxruntime.transformers.optimizer fuse it, or export with opset 23 "
        f"(Attention), and {AGAIN}.",
        longest_first(between),
        share=share_of(report, time) / 2,
    )


def _attention(flow: _Flow, softmax: Layer) -> list[int]:
    """Indices from the first product to the second; empty where there is no such pattern."""
    before, after = [softmax], [softmax]
    for _ in range(_STEPS):
        makers = [
            one for one in flow.behind(before[-1]) if one.operator in {*_BETWEEN, "MatMul"}
        ]
        product = next((one for one in makers if one.operator == "MatMul"), None)
        if product or not makers:
            before += [product] if product else []
            break
        before.append(makers[0])
    for _ in range(_STEPS):
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
    """Whether a layer ran as a kernel of its own kind."""
    return (
        use is not None
        and use.status is Status.EXECUTED
        and "Attention" not in use.executed_as
        and use.time_ns is not None
    )


def large_constants(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Tables, masks and positions of a long type that no product needs."""
    flow = _Flow(model)
    found = [weight for weight in model.weights if _is_table(flow, weight)]
    size = sum(weight.size_bytes or 0 for weight in found)
    if not found:
        return
    users = {index for weight in found for index in _readers(flow, weight)}
    names = ", ".join(weight.name or "a Constant" for weight in found[:3])
    yield Advice(
        "large-constants",
        f"{units.plural(len(found), 'constant')} of {units.size(size)} outside of all products "
        f"{'is' if len(found) == 1 else 'are'} stored as {_types(found)}: "
        f"{units.clip(names, 120)}{' …' if len(found) > 3 else ''}.",
        f"As float16, with a Cast behind, {units.size(size // 2)} less or more to load and "
        "keep; what can be computed from a few numbers need not be stored at all.",
        "Store them shorter, hold the outputs against these with `inspector verify`, and "
        "compare size and load.",
        longest_first(use for use in report.layers if use.index in users),
    )


def _types(found: list[WeightInfo]) -> str:
    return " and ".join(sorted({weight.dtype for weight in found}))


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
    """Outputs on request, of layers that ran, which nobody reads."""
    flow = _Flow(model)
    ran = {use.index: use for use in report.layers if use.status is Status.EXECUTED}
    idle = [
        layer
        for layer in model.layers
        if layer.operator in _ON_REQUEST and layer.index in ran
        if any(n and n not in flow.given and n not in flow.readers for n in layer.outputs)
        if len(layer.outputs) > 1
    ]
    if idle:
        kinds = ", ".join(sorted({layer.operator for layer in idle}))
        yield Advice(
            "unused-outputs",
            f"{units.plural(len(idle), 'layer')} ({kinds}) name outputs that nobody reads.",
            "They are written all the same; how long that takes shows only in a measurement.",
            f"Leave the names empty in the file, and {AGAIN}.",
            longest_first(ran[layer.index] for layer in idle),
        )


def needless_layers(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """Layers that no output needs, and that the runtime ran all the same."""
    needs = _needs(model)
    idle = [
        use
        for use in report.layers[: len(model.layers)]
        if use.status is Status.EXECUTED and use.index not in needs and use.parent is None
    ]
    time = time_of(idle)
    if idle:
        yield Advice(
            "needless-layers",
            f"No output needs {units.plural(len(idle), 'layer')} that ran all the same.",
            f"All of it: {of_kernels(report, time)}.",
            f"Remove them from the file, and {AGAIN}.",
            longest_first(idle),
            share=share_of(report, time),
        )


def outputs_apart(report: PerformanceReport, model: Model) -> Iterator[Advice]:
    """An output that needs much which no other output needs."""
    if len(model.outputs) < 2:
        return
    needs = _needs(model)
    uses = {use.index: use for use in report.layers}
    for number, output in enumerate(model.outputs):
        own = [uses[i] for i, mask in needs.items() if mask == 1 << number and i in uses]
        time = time_of(own)
        if share_of(report, time) < MUCH_FOR_ONE:
            continue
        yield Advice(
            "outputs-apart",
            f"{units.plural(len(own), 'layer')} work for the output "
            f"'{units.clip(output.name, 60)}' alone.",
            f"For a program that does not read it: {of_kernels(report, time)}.",
            "Take it out of the model's outputs, or set the run option "
            "only_execute_path_to_fetches and ask for the others.",
            longest_first(own),
            share=share_of(report, time) / 4,
        )


def _needs(model: Model) -> dict[int, int]:
    """For each layer, a bit for each output of the model that cannot be without it."""
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


RULES: tuple[Callable[[PerformanceReport, Model], Iterator[Advice]], ...] = (
    attention,
    large_constants,
    unused_outputs,
    needless_layers,
    outputs_apart,
)
