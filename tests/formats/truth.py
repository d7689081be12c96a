"""What a model file says, worked out slowly from onnx.ModelProto; beside it, what ours says."""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any

from onnx import AttributeProto, TensorProto

from inspector.model.model import Function, Layer, Model, TensorInfo, WeightInfo

GRAPHS, TENSORS = AttributeProto.GRAPHS, AttributeProto.TENSORS
Facts = dict[str, Any]


def text(value: Any) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def pairs(entries: Any) -> list[tuple[str, str]]:
    return [(text(entry.key), text(entry.value)) for entry in entries]


def domain(name: Any) -> str:
    return "" if text(name) == "ai.onnx" else text(name)


def dtype(number: int) -> str:
    if number not in TensorProto.DataType.values():
        return f"type {number}"
    name = TensorProto.DataType.Name(number).lower()
    return {"float": "float32", "double": "float64", "undefined": "unknown"}.get(name, name)


def words(kind: Any) -> str:
    which = kind.WhichOneof("value")
    if which == "tensor_type":
        return dtype(kind.tensor_type.elem_type)
    if which == "sparse_tensor_type":
        return f"sparse({dtype(kind.sparse_tensor_type.elem_type)})"
    if which == "sequence_type":
        return f"sequence({words(kind.sequence_type.elem_type)})"
    if which == "optional_type":
        return f"optional({words(kind.optional_type.elem_type)})"
    if which == "map_type":
        return f"map({dtype(kind.map_type.key_type)}, {words(kind.map_type.value_type)})"
    return "opaque" if which == "opaque_type" else "unknown"


def value(info: Any) -> tuple[Any, ...]:
    which = info.type.WhichOneof("value") or "unknown"
    tensor = getattr(info.type, which, None) if which.endswith("tensor_type") else None
    kind = words(info.type) if which != "sparse_tensor_type" else dtype(tensor.elem_type)
    shape = None
    if tensor is not None and tensor.HasField("shape"):
        shape = tuple(axis(each) for each in tensor.shape.dim)
    name = which.removesuffix("_type").replace("_", " ")
    return text(info.name), name, kind, shape, text(info.type.denotation), text(info.doc_string)


def axis(each: Any) -> int | str | None:
    if each.HasField("dim_value"):
        return int(each.dim_value) if each.dim_value >= 0 else None
    return text(each.dim_param) or None


def nodes(given: Any, parent: int | None, branch: str, made: list[Any]) -> None:
    for node in given:
        index = len(made)
        made.append(
            (
                text(node.name),
                text(node.op_type),
                domain(node.domain),
                tuple(map(text, node.input)),
                tuple(map(text, node.output)),
                tuple(text(attribute.name) for attribute in node.attribute),
                parent,
                branch,
                text(node.doc_string)[:20_000],
                tuple(pairs(node.metadata_props)),
                text(node.overload),
            )
        )
        for name, graph in graphs_of(node):
            nodes(graph.node, index, name, made)


def graphs_of(node: Any) -> Iterator[tuple[str, Any]]:
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield text(attribute.name), attribute.g
        for place, graph in enumerate(attribute.graphs):
            yield f"{text(attribute.name)}[{place}]", graph


def tensors(graph: Any) -> Iterator[tuple[str, Any, Any]]:
    for tensor in graph.initializer:
        yield "initializer", tensor.dims, tensor
    for sparse in graph.sparse_initializer:
        yield "sparse initializer", sparse.dims, sparse.values
    yield from constants(graph.node)


def constants(given: Any) -> Iterator[tuple[str, Any, Any]]:
    for node in given:
        for attribute in node.attribute:
            sparse = [*attribute.sparse_tensors]
            sparse += [attribute.sparse_tensor] if attribute.HasField("sparse_tensor") else []
            dense = [*attribute.tensors]
            dense += [attribute.t] if attribute.HasField("t") else []
            yield from (("constant", tensor.dims, tensor) for tensor in dense)
            yield from (("constant", each.dims, each.values) for each in sparse)
        for _, graph in graphs_of(node):
            yield from tensors(graph)


def scales_of(given: Any) -> set[str]:
    """Names that only say how others are quantized: scales and zero points."""
    apart, others = set[str](), set[str]()
    for node in given:
        if text(node.op_type) in ("DequantizeLinear", "QuantizeLinear"):
            apart.update(map(text, node.input[1:]))
            others.update(map(text, node.input[:1]))
        for _, graph in graphs_of(node):
            apart |= scales_of(graph.node)
    return apart - others


def stored(proto: Any, name: str, size: int) -> Facts:
    graph, made = proto.graph, list[Any]()
    nodes(graph.node, None, "", made)
    bodies = [each for f in proto.functions for each in constants(f.node)]
    weights = [*tensors(graph), *bodies]
    given = {text(t.name) for t in graph.initializer}
    given |= {text(t.values.name) for t in graph.sparse_initializer}
    quantizing = scales_of(graph.node)
    counted = [
        dims
        for origin, dims, tensor in weights
        if origin != "constant"
        and dtype(tensor.data_type) not in ("int64", "uint64", "bool")
        and text(tensor.name) not in quantizing
    ]
    return {
        "name": name,
        "size": size,
        "head": (proto.ir_version, text(proto.producer_name), text(proto.producer_version),
                 text(proto.domain), proto.model_version, text(proto.doc_string),
                 text(graph.name), text(graph.doc_string)),
        "opsets": [(domain(o.domain), o.version) for o in proto.opset_import],
        "metadata": pairs(proto.metadata_props),
        "inputs": [value(v) for v in graph.input if text(v.name) not in given],
        "defaults": [value(v) for v in graph.input if text(v.name) in given],
        "outputs": [value(v) for v in graph.output],
        "values": [value(v) for v in graph.value_info],
        "layers": made,
        "weights": Counter((origin, dtype(t.data_type), tuple(d)) for origin, d, t in weights),
        "parameters": sum(prod(d) if min(d, default=0) >= 0 else 0 for d in counted),
        "functions": [function(f) for f in proto.functions],
        "training": [(len(t.algorithm.node), pairs(t.update_binding))
                     for t in proto.training_info],
        "annotations": [(text(a.tensor_name), pairs(a.quant_parameter_tensor_names))
                        for a in graph.quantization_annotation],
        "configurations": [(text(c.name), c.num_devices, [*map(text, c.device)])
                           for c in proto.configuration],
    }  # fmt: skip


def function(proto: Any) -> tuple[Any, ...]:
    made = list[Any]()
    nodes(proto.node, None, "", made)
    attributes = [*map(text, proto.attribute), *(text(a.name) for a in proto.attribute_proto)]
    head = text(proto.name), domain(proto.domain), text(proto.overload), text(proto.doc_string)
    flow = [*map(text, proto.input)], [*map(text, proto.output)]
    return head, flow, attributes, made, pairs(proto.metadata_props)


def told(model: Model) -> Facts:
    return {
        "name": model.name,
        "size": model.size_bytes,
        "head": (model.ir_version, model.producer, model.producer_version, model.domain,
                 model.version, model.doc, model.graph_name, model.graph_doc),
        "opsets": [(o.domain, o.version) for o in model.opsets],
        "metadata": [*model.metadata],
        "inputs": [value_told(v) for v in model.inputs],
        "defaults": [value_told(v) for v in model.defaults],
        "outputs": [value_told(v) for v in model.outputs],
        "values": [value_told(v) for v in model.values],
        "layers": [layer_told(layer) for layer in model.layers],
        "weights": Counter(weight_told(w) for w in model.weights),
        "parameters": model.parameters,
        "functions": [function_told(f) for f in model.functions],
        "training": [(len([x for x in t.algorithm if x.parent is None]), [*t.updates])
                     for t in model.training],
        "annotations": [(a.value, [*a.parameters]) for a in model.annotations],
        "configurations": [(c.name, c.number, [*c.devices]) for c in model.configurations],
    }  # fmt: skip


def value_told(info: TensorInfo) -> tuple[Any, ...]:
    kind = "opaque" if info.kind == "opaque" else info.dtype
    return info.name, info.kind, kind, info.shape, info.denotation, info.doc


def layer_told(layer: Layer) -> tuple[Any, ...]:
    names = tuple(attribute.name for attribute in layer.attributes)
    return (*layer[1:6], names, *layer[7:12])


def weight_told(weight: WeightInfo) -> tuple[Any, ...]:
    return weight.origin, weight.dtype, weight.shape


def function_told(found: Function) -> tuple[Any, ...]:
    head = found.name, found.domain, found.overload, found.doc
    flow = [*found.inputs], [*found.outputs]
    attributes = [attribute.name for attribute in found.attributes]
    layers = [layer_told(layer) for layer in found.layers]
    return head, flow, attributes, layers, [*found.metadata]
