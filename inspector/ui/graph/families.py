"""Operators by what they do, in six families, and the colours of families and types."""

from inspector.look import Palette

FAMILIES = (
    "Linear algebra",
    "Activation",
    "Normalisation, pooling",
    "Element-wise",
    "Data movement",
    "Other",
)
_LIGHT = ("#2A99E7", "#D17D7D", "#237377", "#8C260A", "#06437A", "#7E7905")
_DARK = ("#4A68CC", "#9A665A", "#52E6EA", "#D8883E", "#86ACF2", "#E2DC80")
_MEMBERS = {
    "Linear algebra": """Conv ConvTranspose ConvInteger QLinearConv MatMul Gemm MatMulInteger
        QLinearMatMul Einsum LSTM GRU RNN Attention MultiHeadAttention FusedConv FusedMatMul
        DeformConv MatMulNBits GroupQueryAttention DynamicQuantizeMatMul NhwcConv STFT DFT
        FusedGemm Linear QGemm DynamicQuantizeLSTM TreeEnsembleClassifier TreeEnsembleRegressor
        TreeEnsemble LinearClassifier LinearRegressor""",
    "Activation": """Relu LeakyRelu PRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Tanh
        Softmax LogSoftmax Softplus Softsign Gelu FastGelu BiasGelu QuickGelu Swish Mish Clip
        ThresholdedRelu Erf Hardmax QLinearSigmoid QLinearLeakyRelu Shrink""",
    "Normalisation, pooling": """BatchNormalization LayerNormalization InstanceNormalization
        GroupNormalization SkipLayerNormalization SimplifiedLayerNormalization LRN Dropout
        LpNormalization RMSNormalization MeanVarianceNormalization MaxPool AveragePool
        GlobalAveragePool GlobalMaxPool LpPool ReduceMean ReduceSum ReduceMax ReduceMin
        ReduceProd ReduceL2 ReduceL1 ReduceSumSquare ReduceLogSumExp TopK ArgMax ArgMin""",
    "Element-wise": """Add Sub Mul Div Pow Sqrt Exp Log Abs Neg Min Max Mean Sum Floor Ceil
        Round Sign Reciprocal Sin Cos Tan Equal Greater GreaterOrEqual Less LessOrEqual And Or
        Not Xor Where Mod BitShift QLinearAdd QLinearMul IsNaN IsInf CumSum""",
    "Data movement": """Reshape Transpose Concat Split Slice Gather GatherElements GatherND
        Scatter ScatterElements ScatterND Squeeze Unsqueeze Flatten Expand Tile Pad Cast
        CastLike Identity Shape Size DepthToSpace SpaceToDepth Resize Upsample QuantizeLinear
        DequantizeLinear DynamicQuantizeLinear ConstantOfShape Range OneHot Compress
        ReverseSequence Constant QLinearConcat ZipMap EyeLike MemcpyToHost MemcpyFromHost""",
}
_FAMILY = {
    name: FAMILIES.index(family) for family, names in _MEMBERS.items() for name in names.split()
}
TYPES = ("float32", "float16", "8 bit and less", "Wider integers", "bool", "Other")


def family(operator: str) -> int:
    """Index into FAMILIES."""
    return _FAMILY.get(operator, len(FAMILIES) - 1)


def element_type(dtype: str) -> int:
    """Index into TYPES."""
    if dtype in ("float32", "bool"):
        return TYPES.index(dtype)
    if dtype in ("float16", "bfloat16"):
        return 1
    if dtype.startswith(
        ("int8", "uint8", "int4", "uint4", "int2", "uint2", "float8", "float4")
    ):
        return 2
    return 3 if dtype.startswith(("int", "uint")) else 5


def six(look: Palette) -> tuple[str, ...]:
    """Six colours that stay apart for all kinds of sight; a test measures how far."""
    return _DARK if look.dark else _LIGHT
