"""Quantization by onnxruntime.quantization, which gets the whole model in memory.

Imported in the engine process only.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import GraphProto, NodeProto, TensorProto

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.graph_edits import to_opset
from inspector.conversion.int8 import int8
from inspector.conversion.int8_layers import INTEGER_LAYERS, float_values
from inspector.conversion.plan import (
    Context,
    Plan,
    attribute,
    counted,
    graphs,
    nodes,
    own_names,
    refill,
    subgraphs,
    taken,
)
from inspector.conversion.preparation import DEFAULT_DOMAINS, constants, dropped_bytes, prepare
from inspector.platform.late_modules import LateModule
from inspector.units import size

if TYPE_CHECKING:
    from onnxruntime import quantization
else:
    quantization = LateModule("onnxruntime.quantization")  # 60 ms, once a model is quantized

# The library copies it several times.
_LARGEST_BYTES = 1 << 30
_FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16)
_DYNAMIC_OPSET = 13  # from which its operators have no older forms
# Operators that the library quantizes, with the places of their weights.
_DYNAMIC = {"Conv": (1,), "MatMul": (0, 1), "Gemm": (1,), "LSTM": (1, 2)}
_STATIC = {"Conv": (1,), "MatMul": (1,), "Gemm": (1,)}
_SMALLEST_DIMENSION = 2
# In a file, of what the library adds around a quantized layer: layers, scales and names, and
# of the scale and zero point of a channel. Found with 7 models.
_BYTES_OF_DYNAMIC = 840
_BYTES_OF_STATIC = 550
_BYTES_OF_CHANNEL = 5
# Operators that become integer ones, with those that only move values between them.
_OPERATORS = (
    "Conv", "MatMul", "Gemm", "Add", "Mul", "MaxPool", "AveragePool", "GlobalAveragePool",
    "Concat", "Relu", "Clip", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "LeakyRelu",
)  # fmt: skip


def int8_dynamic(model: EditableModel, keep: Sequence[str] = ()) -> Plan:
    """Plan dynamic quantization: weights as uint8, activations while the model runs."""
    before = model.size_bytes()
    done = [n.op_type for n in nodes(model.proto) if n.op_type in INTEGER_LAYERS]
    if done:
        nothing = f"the model is already quantized ({counted(done)})"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    layers = [*_weighted(model, _DYNAMIC, keep)]
    if not layers:
        *first, last = _DYNAMIC
        names = f"{', '.join(first)} or {last}"
        nothing = f"the model has no {names} layers with constant weights"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    weights = {id(tensor): tensor for _, tensors in layers for tensor in tensors}
    elements = sum(prod(tensor.dims) for tensor in weights.values())
    after = before - dropped_bytes(model, _uses(layers)) + elements
    after += _BYTES_OF_DYNAMIC * len(layers)
    operators = [node.op_type for node, _ in layers]
    caution = ""
    if "Conv" in operators:
        caution = (
            "Convolutional networks usually become about 3 times slower: the integer kernels "
            "are slow."
        )
    effect = Effect(
        counted(operators),
        len(layers),
        before,
        after,
        caution=caution,
        particular=bool(caution),
    )

    def apply(context: Context) -> None:
        prepare(model)
        if model.opset < _DYNAMIC_OPSET:
            to_opset(model, _DYNAMIC_OPSET)
        # Types from earlier steps would contradict those of the quantized layers.
        del model.proto.graph.value_info[:]

        def work(source: Path, target: Path) -> None:
            quantization.quantize_dynamic(
                source,
                target,
                weight_type=quantization.QuantType.QUInt8,
                op_types_to_quantize=[*_DYNAMIC],
                nodes_to_exclude=_excluded(model, keep),
                # Values behind custom operators have no inferred type.
                extra_options={"EnableSubgraph": True, "DefaultTensorType": TensorProto.FLOAT},
            )

        _by_library(model, context, work)

    return _fitting(effect, apply)


def int8_qoperator(
    model: EditableModel, per_channel: bool = True, keep: Sequence[str] = ()
) -> Plan:
    """Plan static quantization to integer operators such as QLinearConv."""
    plan = int8(model, per_channel, keep=keep)
    if not plan.effect.applicable:
        return plan
    inner = {
        name
        for graph in [*graphs(model.proto.graph)][1:]
        for node in graph.node
        for name in (node.name, *node.output)
    }
    if inner.issuperset(name for name, _ in plan.layers):
        refused = "all layers with weights are in subgraphs of If, Loop or Scan"
        hint = "The library leaves subgraphs in float; 'int8' quantizes them."
        return Plan(Effect(bytes_before=plan.effect.bytes_before, refused=refused, hint=hint))
    caution = (
        f"Few runtimes other than ONNX Runtime support these operators. {plan.effect.caution}"
    )
    before = plan.effect.bytes_before
    weighted = counted(operator for _, operator in plan.layers)
    count = len(plan.layers)
    after = before + _BYTES_OF_STATIC * count
    layers = [*_weighted(model, _STATIC, keep)]
    after -= dropped_bytes(model, _uses(layers))
    shared = {id(each): (n, each) for n, own in layers for each in own}
    for node, weight in shared.values():
        after += prod(weight.dims)
        turned = attribute(node, "transB")
        first = node.op_type == "Conv" or (turned is not None and bool(turned.i))
        after += _BYTES_OF_CHANNEL * int(weight.dims[0 if first else -1]) * per_channel
    effect = Effect(
        weighted, count, before, after, caution=caution,
        particular=plan.effect.particular,
    )  # fmt: skip

    def ready() -> None:
        prepare(model)
        if model.opset < _DYNAMIC_OPSET:
            to_opset(model, _DYNAMIC_OPSET)
        del model.proto.graph.value_info[:]

    def observe() -> tuple[str, ...]:
        ready()
        graph = model.proto.graph
        fixed = constants(graph)
        made = [value.name for value in graph.input]
        made += [name for node in graph.node for name in node.output if name]
        floats = float_values(model.proto, fixed)
        return tuple(
            name for name in dict.fromkeys(made) if name in floats and name not in fixed
        )

    def apply(context: Context) -> None:
        ready()
        ranges = {
            name: (np.float32(low), np.float32(high))
            for name, (low, high) in (context.ranges or {}).items()
        }

        def work(source: Path, target: Path) -> None:
            # The library forgets what graphs inside read, and would leave only their integers.
            graph = model.proto.graph
            inner = [each for node in graph.node for each in subgraphs(node)]
            read = {name for each in inner for node in each.node for name in taken(node)}
            read |= {value.name for each in inner for value in each.output}
            quantizer = quantization.onnx_quantizer.ONNXQuantizer(
                quantization.quant_utils.load_model_with_shape_infer(source),
                per_channel,
                True,  # reduce_range: sums stay exact without VNNI
                quantization.QuantizationMode.QLinearOps,
                True,  # static
                quantization.QuantType.QInt8,
                quantization.QuantType.QUInt8,
                quantization.calibrate.TensorsData(
                    quantization.CalibrationMethod.MinMax, ranges
                ),
                [],
                _excluded(model, [*keep, *(read & own_names(graph))]),
                [*_OPERATORS],
                {},
            )
            quantizer.quantize_model()
            onnx.save(quantizer.model.model, target)

        _by_library(model, context, work)

    return _fitting(effect, apply, observe)


def _fitting(
    effect: Effect,
    apply: Callable[[Context], None],
    observe: Callable[[], tuple[str, ...]] | None = None,
) -> Plan:
    """Return the plan; refused for a model too large for the library."""
    if effect.bytes_before > _LARGEST_BYTES:
        refused = (
            f"the model has {size(effect.bytes_before)}, and the library can load at most "
            f"{size(_LARGEST_BYTES)} into memory"
        )
        return Plan(Effect(bytes_before=effect.bytes_before, refused=refused))
    return Plan(effect, apply, observe)


def _weighted(
    model: EditableModel, places: Mapping[str, tuple[int, ...]], keep: Sequence[str]
) -> Iterator[tuple[NodeProto, list[TensorProto]]]:
    """Yield layers of some operators with their constant weights, those of subgraphs too."""
    fixed = constants(model.proto.graph)
    for graph in graphs(model.proto.graph):
        fixed.update(constants(graph))
        for node in graph.node:
            if node.domain not in DEFAULT_DOMAINS or node.op_type not in places:
                continue
            if not {node.name, node.output[0]}.isdisjoint(keep):
                continue
            inputs = [node.input[p] for p in places[node.op_type] if p < len(node.input)]
            weights = [fixed[name] for name in inputs if name in fixed]
            weights = [t for t in weights if t.data_type in _FLOATS and 0 not in t.dims]
            if weights and max(len(t.dims) for t in weights) >= _SMALLEST_DIMENSION:
                yield node, weights


def _uses(layers: Sequence[tuple[NodeProto, list[TensorProto]]]) -> Counter[str]:
    """Return how often layers use their weights, by name."""
    return Counter(name for node, _ in layers for name in node.input)


def _excluded(model: EditableModel, keep: Sequence[str]) -> list[str]:
    """Return the names of layers to keep, which the library knows by name only."""
    kept = [n for n in nodes(model.proto) if {n.name, *n.output} & set(keep)]
    for number, node in enumerate(kept):
        node.name = node.name or f"kept_{number}"
    return [str(node.name) for node in kept]


def _weights_to_their_graph(graph: GraphProto) -> None:
    """Move weights that one inner graph uses into it: the library does not look outside."""
    used = {value.name for value in graph.output}
    used |= {name for node in graph.node for name in node.input}
    inner = [each for node in graph.node for each in subgraphs(node)]
    needs = [{n for node in each.node for n in taken(node)} - own_names(each) for each in inner]
    for tensor in [*graph.initializer]:
        users = [each for each, names in zip(inner, needs, strict=True) if tensor.name in names]
        if tensor.name not in used and len(users) == 1:
            users[0].initializer.add().CopyFrom(tensor)
            graph.initializer.remove(tensor)
    for each in inner:
        _weights_to_their_graph(each)


def _by_library(
    model: EditableModel, context: Context, work: Callable[[Path, Path], None]
) -> None:
    """Convert a file with a library, and use the result as the model."""
    folder, kept = context.folder, tempfile.tempdir
    source, target = folder / "library-before.onnx", folder / "library-after.onnx"
    # The library looks for weights only among initializers.
    for graph in graphs(model.proto.graph):
        initial = {tensor.name for tensor in graph.initializer}
        moved = {n: t for n, t in constants(graph).items() if n not in initial}
        for name, tensor in moved.items():
            added = graph.initializer.add()
            added.CopyFrom(tensor)
            added.name = name
        body = [node for node in graph.node if not moved.keys() & set(node.output)]
        refill(graph.node, body)
    _weights_to_their_graph(model.proto.graph)
    model.write(folder, source.name, external=False)
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)  # hints about other tools
    tempfile.tempdir = str(folder)  # no other folder may be written in the engine process
    try:
        work(source, target)
        model.proto.CopyFrom(onnx.load(target))
    finally:
        tempfile.tempdir = kept
        logging.disable(level)
        source.unlink(missing_ok=True)
        target.unlink(missing_ok=True)
