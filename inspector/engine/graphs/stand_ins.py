"""Standard operators in place of the runtime's own, so that shapes can be inferred.

Only the shapes of a stand-in's first outputs are those of the operator; it computes nothing.
"""

from collections.abc import Callable

from onnx import AttributeProto, GraphProto, NodeProto, TensorProto, ValueInfoProto, helper

from inspector.engine.graphs import naming

_RUNTIME = {"com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc", "ai.onnx.ml"}
_AS_INPUT = {
    "Scaler", "Normalizer", "Imputer", "Binarizer",
    "BiasGelu", "FastGelu", "QuickGelu", "Gelu", "BiasSoftmax", "BiasDropout",
    "SkipLayerNormalization", "SkipSimplifiedLayerNormalization",
    "SimplifiedLayerNormalization", "GroupNorm", "SkipGroupNorm", "RotaryEmbedding",
    "MultiHeadAttention", "GroupQueryAttention", "PackedAttention", "QLinearSigmoid",
    "QLinearLeakyRelu", "QLinearSoftmax", "QuantizeLinear", "NhwcMaxPool", "Inverse", "Rfft",
    "BitmaskDropout", "DecoderMaskedMultiHeadAttention", "QOrderedGelu",
    "QOrderedLayerNormalization",
}  # fmt: skip
_AS_STANDARD = {
    "FusedConv": ("Conv", (0, 1, 2)),
    "FusedMatMul": ("MatMul", (0, 1)),
    "TransposeMatMul": ("MatMul", (0, 1)),
    "FusedGemm": ("Gemm", (0, 1, 2)),
    "MatMulIntegerToFloat": ("MatMul", (0, 1)),
    "DynamicQuantizeMatMul": ("MatMul", (0, 1)),
    "QLinearAdd": ("Add", (0, 3)),
    "QLinearMul": ("Add", (0, 3)),
    "QGemm": ("Gemm", (0, 3)),
    "DequantizeLinear": ("DequantizeLinear", (0, 1, 2)),
}
_KEPT = {
    "Conv": {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"},
    "Gemm": {"transA", "transB", "alpha", "beta"},
    "DequantizeLinear": {"axis"},
}


def stand_in(graph: GraphProto) -> None:
    """Replace, in place, the nodes of a graph and its subgraphs that have a stand-in."""
    for node in graph.node:
        if node.domain in _RUNTIME:
            _replace(node, graph)
        for _, body in naming.bodies(node):
            stand_in(body)


def _replace(node: NodeProto, graph: GraphProto) -> None:
    if node.op_type in _AS_INPUT and node.input:
        _become(node, "Identity", (0,))
    elif node.op_type in _AS_STANDARD:
        operator, places = _AS_STANDARD[node.op_type]
        if _same_form(node):
            _become(node, operator, places)
    elif node.op_type in _SPECIAL:
        _SPECIAL[node.op_type](node, graph)


def _same_form(node: NodeProto) -> bool:
    """Whether a product is of its inputs as they are, not of transposed ones."""
    turned = ("transA", "transB", "transBatchA", "transBatchB")
    return node.op_type == "FusedGemm" or not any(_integer(node, name) for name in turned)


def _become(node: NodeProto, operator: str, places: tuple[int, ...]) -> None:
    inputs = [node.input[place] for place in places if place < len(node.input)]
    kept = [a for a in node.attribute if a.name in _KEPT.get(operator, ())]
    output = node.output[0] if node.output else ""
    node.CopyFrom(helper.make_node(operator, inputs, [output], node.name))
    node.attribute.extend(kept)


def _product(node: NodeProto, graph: GraphProto, rows: int, columns: int) -> None:
    """Become a product with a matrix of this shape, which is only declared."""
    name = f"{node.output[0]} stand-in"
    shape = helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, columns])
    graph.input.append(shape)
    inputs = [node.input[0], name]
    node.CopyFrom(helper.make_node("MatMul", inputs, [node.output[0]], node.name))


def _blocks(node: NodeProto, graph: GraphProto) -> None:
    rows, columns = _integer(node, "K"), _integer(node, "N")
    if rows > 0 and columns > 0 and node.output:
        _product(node, graph, rows, columns)


def _attention(node: NodeProto, graph: GraphProto) -> None:
    """The values' part of (batch, sequence, 3 × hidden): a third, unless the sizes differ."""
    second = node.input[1] if len(node.input) > 1 else ""
    shape = next((list(w.dims) for w in graph.initializer if w.name == second), [])
    sizes = next((list(a.ints) for a in node.attribute if a.name == "qkv_hidden_sizes"), [])
    if len(shape) == 2 and node.output:
        _product(node, graph, shape[0], sizes[2] if len(sizes) > 2 else shape[1] // 3)


def _integer(node: NodeProto, name: str) -> int:
    kinds = AttributeProto.INT
    return next((a.i for a in node.attribute if a.name == name and a.type == kinds), 0)


_SPECIAL: dict[str, Callable[[NodeProto, GraphProto], None]] = {
    "MatMulNBits": _blocks,
    "MatMulBnb4": _blocks,
    "MatMulFpQ4": _blocks,
    "Attention": _attention,
    "QAttention": _attention,
}


def declared_here(value: ValueInfoProto) -> bool:
    """Whether a value is only here for a stand-in."""
    return str(value.name).endswith(" stand-in")
