"""How much arithmetic a layer takes: multiply-adds and all else, by operator.

Multiply-adds are those of convolutions, products of matrices, recurrent layers and attention,
as papers count them. `others` are all further operations, counted in round numbers: one for
each element of an activation, five for each of a softmax or normalisation, the size of the
window for each of a pooling. Moving and changing the form of data takes none.
"""

from collections.abc import Mapping
from functools import reduce

from inspector.analysis.expressions import product, times
from inspector.analysis.products import (
    attention,
    blocks,
    convolution,
    einsum,
    heads,
    linear,
    matrix,
    recurrent,
    transposed,
)
from inspector.analysis.seen import Rule, Seen, Work


def work(seen: Seen) -> Work | None:
    """Count the operations of a layer; None for an operator that is not known."""
    if seen.layer.domain not in _DOMAINS:
        return None
    layer = seen.layer
    rule = _BY_DOMAIN.get((layer.domain, layer.operator)) or _RULES.get(layer.operator)
    return None if rule is None else rule(seen)


def _each(operations: int, place: int = 0) -> Rule:
    return lambda seen: Work(0, times(product(seen.output(place)), operations))


def _each_input(operations: int) -> Rule:
    return lambda seen: Work(0, times(product(seen.input(0)), operations))


def _pool(seen: Seen) -> Work:
    window = reduce(lambda a, b: a * b, seen.integers("kernel_shape"), 1)
    return Work(0, times(product(seen.output()), window))


def _none(seen: Seen) -> Work:
    return Work(0, 0)


def _rules(rule: Rule, names: str) -> Mapping[str, Rule]:
    return dict.fromkeys(names.split(), rule)


_DOMAINS = {
    "", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc",
    "com.ms.internal.nhwc",
}  # fmt: skip
_RULES: Mapping[str, Rule] = {
    **_rules(convolution(1), "Conv FusedConv NhwcFusedConv ConvInteger DeformConv NhwcConv"),
    **_rules(convolution(3), "QLinearConv"),
    **_rules(transposed, "ConvTranspose ConvTransposeWithDynamicPads"),
    **_rules(
        matrix(),
        "MatMul Gemm MatMulInteger FusedMatMul FusedGemm TransposeMatMul MatMulInteger16 "
        "DynamicQuantizeMatMul MatMulIntegerToFloat GemmFloat8 GemmFastGelu "
        "FusedMatMulActivation",
    ),
    **_rules(matrix(0, 3), "QLinearMatMul QGemm"),
    **_rules(blocks, "MatMulNBits MatMulBnb4 MatMulFpQ4"),
    **_rules(recurrent(4), "LSTM DynamicQuantizeLSTM"),
    **_rules(recurrent(3), "GRU"),
    **_rules(recurrent(1), "RNN"),
    **_rules(einsum, "Einsum"),
    **_rules(heads, "MultiHeadAttention GroupQueryAttention DecoderMaskedMultiHeadAttention"),
    **_rules(linear, "LinearClassifier LinearRegressor"),
    **_rules(_pool, "MaxPool AveragePool LpPool QLinearAveragePool NhwcMaxPool MaxUnpool"),
    **_rules(
        _each_input(1),
        "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceSumSquare ReduceL1 ReduceL2 "
        "ReduceLogSum ReduceLogSumExp ArgMax ArgMin GlobalAveragePool GlobalMaxPool CumSum "
        "GlobalLpPool QLinearGlobalAveragePool QLinearReduceMean TopK CumProd NonZero Unique "
        "QLinearReduceMean Normalizer Scaler Imputer Binarizer SumTrees",
    ),
    **_rules(
        _each(5),
        "Softmax LogSoftmax Hardmax QLinearSoftmax BiasSoftmax LayerNormalization "
        "InstanceNormalization GroupNormalization RMSNormalization LpNormalization "
        "SkipLayerNormalization SimplifiedLayerNormalization MeanVarianceNormalization "
        "SkipSimplifiedLayerNormalization GroupNorm SkipGroupNorm LRN Gelu FastGelu BiasGelu "
        "EmbedLayerNormalization QuickGelu SoftmaxCrossEntropyLoss QLinearConcat Mish "
        "RotaryEmbedding",
    ),
    **_rules(_each(2), "BatchNormalization QuantizeLinear DequantizeLinear Resize Upsample"),
    **_rules(_each(2), "QLinearAdd QLinearMul QLinearLeakyRelu QLinearSigmoid HardSwish Swish"),
    **_rules(_each_input(3), "DynamicQuantizeLinear"),
    **_rules(_each(8), "GridSample RoiAlign AffineGrid"),
    **_rules(
        _each(1),
        "Add Sub Mul Div Pow Mod Max Min Sum Mean Relu LeakyRelu PRelu ThresholdedRelu Elu "
        "Selu Celu Sigmoid HardSigmoid Tanh Softplus Softsign Erf Exp Log Sqrt Reciprocal Neg "
        "Abs Sign Floor Ceil Round Clip Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh "
        "Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not Where IsNaN IsInf Cast "
        "CastLike BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Shrink BitCast",
    ),
    **_rules(
        _none,
        "Constant ConstantOfShape Identity Reshape Flatten Squeeze Unsqueeze Transpose Concat "
        "Split Slice Gather GatherND GatherElements Scatter ScatterND ScatterElements Expand "
        "Tile Pad Shape Size Range Dropout DepthToSpace SpaceToDepth OneHot Trilu EyeLike "
        "ReverseSequence Compress SequenceAt SequenceConstruct SequenceEmpty SequenceErase "
        "SequenceInsert SequenceLength SplitToSequence ConcatFromSequence Optional "
        "OptionalGetElement OptionalHasElement NonMaxSuppression RandomNormal RandomUniform "
        "RandomNormalLike RandomUniformLike Multinomial Bernoulli ZipMap ArrayFeatureExtractor "
        "LabelEncoder CastMap CategoryMapper DictVectorizer FeatureVectorizer OneHotEncoder "
        "StringNormalizer StringConcat StringSplit RegexFullMatch TfIdfVectorizer "
        "TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor GatherBlockQuantized Col2Im "
        "CenterCropPad HannWindow HammingWindow BlackmanWindow MelWeightMatrix ReorderInput "
        "ReorderOutput ImageDecoder TensorScatter If Loop Scan SequenceMap Det Affine",
    ),
}
_BY_DOMAIN: Mapping[tuple[str, str], Rule] = {
    ("", "Attention"): heads,
    ("com.microsoft", "Attention"): attention,
    ("com.microsoft", "QAttention"): attention,
}
