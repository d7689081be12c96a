"""What makes two layers the same to a device: equal ones are asked about only once."""

from math import prod

from onnx import NodeProto, TensorProto

from inspector.engine.graphs.typed_graphs import TypedGraph

_SMALL = 1024  # elements; the values of such a constant may be axes or a shape


def signature(node: NodeProto, graph: TypedGraph) -> bytes:
    """The same for layers that only differ in names and in values of large weights."""
    plain = NodeProto(op_type=node.op_type, domain=node.domain, attribute=node.attribute)
    parts = [plain.SerializeToString(deterministic=True)]
    for name in (*node.input, *node.output):
        constant, kind = graph.constants.get(name), graph.types.get(name)
        if constant is not None:
            parts.append(_constant_signature(constant))
        else:
            parts.append(b"" if kind is None else kind.SerializeToString(deterministic=True))
    return b"|".join(parts)


def _constant_signature(tensor: TensorProto) -> bytes:
    small = prod(tensor.dims) <= _SMALL and not tensor.external_data
    shape = TensorProto(data_type=tensor.data_type, dims=tensor.dims)
    if small:
        shape.CopyFrom(tensor)
        shape.ClearField("name")
    return bytes(shape.SerializeToString(deterministic=True))
