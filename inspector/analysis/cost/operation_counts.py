"""Operation counts of a layer, by operator: MACs and all other arithmetic.

MACs (multiply-accumulates) are those of convolutions, products of matrices, recurrent layers
and attention, as papers count them. `others` are all further operations, counted in round
numbers: one for each element of an activation, five for each of a softmax or normalisation,
the size of the window for each of a pooling. Moving and changing the form of data takes none.
"""

from collections.abc import Callable, Mapping
from functools import reduce

from msgspec import Struct

from inspector.analysis.facts.symbolic_sizes import Amount, product, symbol, times, total
from inspector.model.model import Axis, Layer
from inspector.model.operator_traits import CONTROL_FLOW, RANDOM, VIEWS

Shape = tuple[Axis, ...] | None
_DOMAINS = {
    "", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc",
    "com.ms.internal.nhwc",
}  # fmt: skip
_EXPERT_BYTE_BITS = 8  # QMoE takes weights of 4 or 8 bits in bytes


class Work(Struct, frozen=True):
    """Operations of one execution. None: not known, as shapes are missing.

    macs: multiply-accumulates. others: all other operations.
    """

    macs: Amount | None
    others: Amount | None

    @property
    def operations(self) -> Amount | None:
        """All of them; a MAC is two."""
        if self.macs is None or self.others is None:
            return None
        return total((self.macs * 2, self.others))


class LayerShapes(Struct, frozen=True):
    """A layer with the shapes of what goes in and comes out."""

    layer: Layer
    inputs: tuple[Shape, ...]
    outputs: tuple[Shape, ...]

    def input(self, place: int) -> Shape:
        """Shape of an input; None where it is unknown or not given."""
        return self.inputs[place] if place < len(self.inputs) else None

    def output(self, place: int = 0) -> Shape:
        """Shape of an output; None where it is unknown or not given."""
        return self.outputs[place] if place < len(self.outputs) else None

    def text(self, name: str) -> str:
        """Return an attribute as text; empty where it is not set."""
        return next((a.text for a in self.layer.attributes if a.name == name), "")

    def integers(self, name: str) -> tuple[int, ...]:
        """An attribute of whole numbers; empty where it is not given."""
        parts = (part.strip() for part in self.text(name).split(","))
        return tuple(int(part) for part in parts if part.lstrip("-").isdecimal())

    def integer(self, name: str, default: int = 0) -> int:
        """An attribute of one whole number."""
        return next(iter(self.integers(name)), default)


Rule = Callable[[LayerShapes], Work]


def length(axis: Axis) -> Amount | None:
    """The length of an axis as a number."""
    return axis if isinstance(axis, int) else symbol(axis) if axis else None


def axis_length(shape: Shape, place: int) -> Amount | None:
    """Return the length of an axis of a shape; None where it is unknown."""
    if shape is None or not -len(shape) <= place < len(shape):
        return None
    return length(shape[place])


def macs_only(macs: Amount | None) -> Work:
    """Return MACs without any other operations."""
    return Work(macs, 0)


def convolution(weight: int) -> Rule:
    """Each output takes a window over the input channels of its group: Conv's W is M×C/g×k…"""

    def rule(shapes: LayerShapes) -> Work:
        shape = shapes.input(weight)
        inner = None if shape is None else product(shape[1:])
        return macs_only(times(product(shapes.output()), inner))

    return rule


def transposed(shapes: LayerShapes) -> Work:
    """Each input spreads a window over the output channels: ConvTranspose's W is C×M/g×k…"""
    shape = shapes.input(1)
    inner = None if shape is None else product(shape[1:])
    return macs_only(times(product(shapes.input(0)), inner))


def matrix(left: int = 0, right: int = 1) -> Rule:
    """Each output is a sum as long as the axis that both have."""

    def rule(shapes: LayerShapes) -> Work:
        one, two = shapes.input(left), shapes.input(right)
        turned = shapes.integer("transA")
        inner = axis_length(one, -2 if turned else -1)
        if inner is None and two is not None:
            place = -1 if shapes.integer("transB") else -2
            inner = axis_length(two, place if len(two) > 1 else -1)
        return macs_only(times(product(shapes.output()), inner))

    return rule


def blocks(shapes: LayerShapes) -> Work:
    """com.microsoft's weights of few bits: the attributes K and N are the matrix."""
    columns = shapes.integer("N")
    return macs_only(times(product(shapes.input(0)), columns) if columns else None)


def recurrent(gates: int) -> Rule:
    """Each step multiplies with W and R, which hold all gates of all directions."""

    def rule(shapes: LayerShapes) -> Work:
        input_shape = shapes.input(0)
        steps = None if input_shape is None else product(input_shape[:2])
        weights = product(shapes.input(1)), product(shapes.input(2))
        whole = None if None in weights else total(weights)
        hidden = axis_length(shapes.input(2), -1)
        directions = axis_length(shapes.input(2), 0)
        return Work(times(steps, whole), times(steps, directions, hidden, 3 * gates))

    return rule


def einsum(shapes: LayerShapes) -> Work:
    """One MAC for each combination of the letters, as long as two are multiplied."""
    operands = shapes.text("equation").replace(" ", "").partition("->")[0].split(",")
    letters: dict[str, Axis] = {}
    for place, names in enumerate(operands):
        shape = shapes.input(place)
        if "." in names or shape is None or len(shape) != len(names):
            return macs_only(None)
        letters |= dict(zip(names, shape, strict=True))
    whole = product(letters.values())
    return macs_only(whole) if len(operands) > 1 else Work(0, whole)


def attention(shapes: LayerShapes) -> Work:
    """com.microsoft's: X (batch, S, D) with W (D, 3 × hidden), then S × S scores."""
    query, weight = shapes.input(0), shapes.input(1)
    if query is None or weight is None or len(query) != 3 or len(weight) != 2:
        return macs_only(None)
    rows, steps = product(query[:2]), length(query[1])
    hidden = weight[1] // 3 if isinstance(weight[1], int) else None
    projected, scored = times(rows, product(weight)), times(rows, steps, hidden, 2)
    if projected is None or scored is None:
        return macs_only(None)
    return Work(
        total((projected, scored)), times(rows, steps, shapes.integer("num_heads", 1), 5)
    )


def heads(shapes: LayerShapes) -> Work:
    """Scores of queries with keys, and their sum of values; Q, K and V are projected already.

    (batch, S, heads × size) or (batch, heads, S, size); keys of the past come before K.
    """
    query, key = shapes.input(0), shapes.input(1)
    if shapes.layer.domain == "":
        past, present = shapes.input(4), shapes.output(1)
    else:
        past, present = (
            shapes.input(6 if "Multi" in shapes.layer.operator else 3),
            shapes.output(1),
        )
    if present is not None and len(present) == 4:
        keys = length(present[2])
    else:
        keys = None if key is None or len(key) < 3 else length(key[-2])
        if past is not None and keys is not None:
            before = axis_length(past, -2)
            keys = None if before is None else total((keys, before))
    packed = not any(shapes.layer.inputs[1:2])  # keys and values lie behind each query
    scored = shapes.output() if packed else query
    sizes = product(scored), product(shapes.output())
    return macs_only(None if None in sizes else times(total(sizes), keys))


def experts(shapes: LayerShapes) -> Work:
    """com.microsoft's mixtures: each token takes the weights of its k experts.

    Weights are (experts, rows, columns); packed ones have several numbers in a byte.
    """
    packed = shapes.layer.operator == "QMoE"
    tokens = shapes.input(0)
    wide = _EXPERT_BYTE_BITS // (shapes.integer("expert_weight_bits", 4) or 4) if packed else 1
    places = (2, 5, 8) if packed else (2, 4, 6)
    stored = [place for place in places if any(shapes.layer.inputs[place : place + 1])]
    weights = [shapes.input(place) for place in stored]
    if tokens is None or None in weights:
        return macs_only(None)
    one = [product(weight[1:]) for weight in weights if weight is not None]
    each_token = None if None in one else total(one)
    return macs_only(times(product(tokens[:-1]), each_token, shapes.integer("k", 1) * wide))


def linear(shapes: LayerShapes) -> Work:
    """ai.onnx.ml: each row takes every coefficient once."""
    attributes = shapes.layer.attributes
    number = next((a.length for a in attributes if a.name == "coefficients"), 0)
    shape = shapes.input(0)
    return macs_only(times(None if shape is None else product(shape[:-1]), number))


def work(shapes: LayerShapes) -> Work | None:
    """Count the operations of a layer; None for an operator that is not known."""
    if shapes.layer.domain not in _DOMAINS:
        return None
    layer = shapes.layer
    rule = _BY_DOMAIN.get((layer.domain, layer.operator)) or _RULES.get(layer.operator)
    return None if rule is None else rule(shapes)


def each(operations: int, place: int = 0) -> Rule:
    """Return a rule: so many operations for each element of an output."""
    return lambda shapes: Work(0, times(product(shapes.output(place)), operations))


def each_input(operations: int) -> Rule:
    """Return a rule: so many operations for each element of the first input."""
    return lambda shapes: Work(0, times(product(shapes.input(0)), operations))


def _pool(shapes: LayerShapes) -> Work:
    window = reduce(lambda a, b: a * b, shapes.integers("kernel_shape"), 1)
    return Work(0, times(product(shapes.output()), window))


def no_work(shapes: LayerShapes) -> Work:
    """Return the work of moving data: no arithmetic."""
    return Work(0, 0)


def rules(rule: Rule, names: str) -> Mapping[str, Rule]:
    """Return one rule for several operators, whose names are separated by spaces."""
    return dict.fromkeys(names.split(), rule)


_RULES: Mapping[str, Rule] = {
    **rules(convolution(1), "Conv FusedConv NhwcFusedConv ConvInteger DeformConv NhwcConv"),
    **rules(convolution(3), "QLinearConv"),
    **rules(transposed, "ConvTranspose ConvTransposeWithDynamicPads"),
    **rules(
        matrix(),
        "MatMul Gemm MatMulInteger FusedMatMul FusedGemm TransposeMatMul MatMulInteger16 "
        "DynamicQuantizeMatMul MatMulIntegerToFloat GemmFloat8 GemmFastGelu "
        "FusedMatMulActivation",
    ),
    **rules(matrix(0, 3), "QLinearMatMul QGemm"),
    **rules(blocks, "MatMulNBits MatMulBnb4 MatMulFpQ4"),
    **rules(recurrent(4), "LSTM DynamicQuantizeLSTM"),
    **rules(recurrent(3), "GRU"),
    **rules(recurrent(1), "RNN"),
    **rules(einsum, "Einsum"),
    **rules(heads, "MultiHeadAttention GroupQueryAttention DecoderMaskedMultiHeadAttention"),
    **rules(heads, "SparseAttention"),
    **rules(experts, "MoE QMoE"),
    **rules(linear, "LinearClassifier LinearRegressor"),
    **rules(_pool, "MaxPool AveragePool LpPool QLinearAveragePool NhwcMaxPool MaxUnpool"),
    **rules(
        each_input(1),
        "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceSumSquare ReduceL1 ReduceL2 "
        "ReduceLogSum ReduceLogSumExp ArgMax ArgMin GlobalAveragePool GlobalMaxPool CumSum "
        "GlobalLpPool QLinearGlobalAveragePool QLinearReduceMean TopK CumProd NonZero Unique "
        "QLinearReduceMean Normalizer Scaler Imputer Binarizer SumTrees",
    ),
    **rules(
        each(5),
        "Softmax LogSoftmax Hardmax QLinearSoftmax BiasSoftmax LayerNormalization "
        "InstanceNormalization GroupNormalization RMSNormalization LpNormalization "
        "SkipLayerNormalization SimplifiedLayerNormalization MeanVarianceNormalization "
        "SkipSimplifiedLayerNormalization GroupNorm SkipGroupNorm LRN Gelu FastGelu BiasGelu "
        "EmbedLayerNormalization QuickGelu SoftmaxCrossEntropyLoss QLinearConcat Mish "
        "RotaryEmbedding GatedRMSNorm",
    ),
    **rules(each(2), "BatchNormalization QuantizeLinear DequantizeLinear Resize Upsample"),
    **rules(each(2), "QLinearAdd QLinearMul QLinearLeakyRelu QLinearSigmoid HardSwish Swish"),
    **rules(each_input(3), "DynamicQuantizeLinear"),
    **rules(each(8), "GridSample RoiAlign AffineGrid"),
    **rules(
        each(1),
        "Add Sub Mul Div Pow Mod Max Min Sum Mean Relu LeakyRelu PRelu ThresholdedRelu Elu "
        "Selu Celu Sigmoid HardSigmoid Tanh Softplus Softsign Erf Exp Log Sqrt Reciprocal Neg "
        "Abs Sign Floor Ceil Round Clip Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh "
        "Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not Where IsNaN IsInf Cast "
        "CastLike BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Shrink BitCast",
    ),
    **rules(
        no_work,
        "Constant ConstantOfShape Transpose Concat "
        "Split Slice Gather GatherND GatherElements Scatter ScatterND ScatterElements Expand "
        "Tile Pad Shape Size Range DepthToSpace SpaceToDepth OneHot Trilu EyeLike "
        "ReverseSequence Compress SequenceAt SequenceConstruct SequenceEmpty SequenceErase "
        "SequenceInsert SequenceLength SplitToSequence ConcatFromSequence Optional "
        "OptionalGetElement OptionalHasElement NonMaxSuppression ZipMap ArrayFeatureExtractor "
        "LabelEncoder CastMap CategoryMapper DictVectorizer FeatureVectorizer OneHotEncoder "
        "StringNormalizer StringConcat StringSplit RegexFullMatch TfIdfVectorizer "
        "TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor GatherBlockQuantized Col2Im "
        "CenterCropPad HannWindow HammingWindow BlackmanWindow MelWeightMatrix ReorderInput "
        "ReorderOutput ImageDecoder TensorScatter SequenceMap Det Affine",
    ),
    **dict.fromkeys(VIEWS | RANDOM | CONTROL_FLOW, no_work),
}
_BY_DOMAIN: Mapping[tuple[str, str], Rule] = {
    ("", "Attention"): heads,
    ("com.microsoft", "Attention"): attention,
    ("com.microsoft", "QAttention"): attention,
}
