"""Tables of operators for attribution: how they fuse, and which ones the runtime inserts."""

from functools import cache

from inspector.model.operator_traits import VIEWS
from inspector.trace.trace import Kind

# Nodes that the runtime puts in by itself, and what they do to a tensor.
INSERTED_KINDS = {
    "ReorderInput": Kind.LAYOUT,
    "ReorderOutput": Kind.LAYOUT,
    "Transpose": Kind.LAYOUT,
    "Reshape": Kind.LAYOUT,
    "Squeeze": Kind.LAYOUT,
    "Unsqueeze": Kind.LAYOUT,
    "MemcpyToHost": Kind.COPY,
    "MemcpyFromHost": Kind.COPY,
    "Identity": Kind.COPY,
    "Cast": Kind.CAST,
    "QuantizeLinear": Kind.CAST,
    "DequantizeLinear": Kind.CAST,
}
QUANTIZING = ("QuantizeLinear", "DequantizeLinear")
NEVER_IN_A_MODEL = ("ReorderInput", "ReorderOutput", "MemcpyToHost", "MemcpyFromHost")

# Operators that a kernel can carry out behind its own work, on the way out.
AFTERWARDS = frozenset({
    "Relu", "Clip", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Elu", "Selu",
    "Softplus", "Gelu", "Erf", "QuickGelu", "Add", "Sub", "Mul", "Div", "Sum", "Cast", "PRelu",
    "BatchNormalization", "QuantizeLinear", "Identity", "Dropout", "Softmax", "Mish", "Swish",
    "ThresholdedRelu", "Max", "Min", "LayerNormalization",
})  # fmt: skip
# Of those, what disappears into the weights of a linear operator, which keeps its name.
INTO_WEIGHTS = frozenset({
    "Add", "Sub", "Mul", "Div", "BatchNormalization", "Identity", "Dropout", "Cast",
})  # fmt: skip
LINEAR = frozenset({"Conv", "ConvTranspose", "MatMul", "Gemm"})
# Of those, what a QLinear operator of the standard does behind its own work.
INTO_QUANTIZED = frozenset({"QuantizeLinear", "Relu", "Clip"})

# May turn out to change nothing: to the shape or type the tensor has, by one, from all of it.
PERHAPS_WITHOUT_EFFECT = VIEWS | {
    "Cast", "Expand", "Transpose", "Slice", "Pad", "Concat", "Clip", "Relu", "Sum",
    "Add", "Mul", "Sub", "Div",
}  # fmt: skip

_PREFIXES = ("QLinear", "Fused", "Nhwc", "DynamicQuantize", "Q")
_CORE = {
    "ConvInteger": "Conv",
    "MatMulInteger": "MatMul",
    "MatMulIntegerToFloat": "MatMul",
    "GemmActivation": "Gemm",
    "Attention": "MatMul",
}


@cache
def core(operator: str) -> str:
    """Name the standard operator at the heart of a fused one: "FusedConv" -> "Conv"."""
    for prefix in _PREFIXES:
        if operator.startswith(prefix) and operator != prefix:
            operator = operator.removeprefix(prefix)
            break
    return _CORE.get(operator, operator)
