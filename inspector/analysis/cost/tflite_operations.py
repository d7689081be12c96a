"""Operation counts of TensorFlow Lite's operators, as `operation_counts` counts those of ONNX.

Layouts are those of the format: activations N×H×W×C, weights of CONV_2D O×H×W×I, of
DEPTHWISE_CONV_2D 1×H×W×O, of FULLY_CONNECTED O×I.
"""

from collections.abc import Mapping

from inspector.analysis.cost.operation_counts import (
    LayerShapes,
    Rule,
    Work,
    axis_length,
    each,
    each_input,
    macs_only,
    no_work,
    rules,
)
from inspector.analysis.facts.symbolic_sizes import product, times, total
from inspector.model.model import Layer


def _convolution(shapes: LayerShapes) -> Work:
    """Each output takes a window over the input channels: O×H×W×I, in groups of I channels."""
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[1:])
    return macs_only(times(product(shapes.output()), inner))


def _depthwise(shapes: LayerShapes) -> Work:
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[1:3])
    return macs_only(times(product(shapes.output()), inner))


def _volume(shapes: LayerShapes) -> Work:
    """CONV_3D's weights are D×H×W×I×O."""
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[:4])
    return macs_only(times(product(shapes.output()), inner))


def _transposed(shapes: LayerShapes) -> Work:
    """Each input (the third: the first is the output's shape) spreads over O×H×W×I."""
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[:3])
    return macs_only(times(product(shapes.input(2)), inner))


def _fully_connected(shapes: LayerShapes) -> Work:
    return macs_only(times(product(shapes.output()), axis_length(shapes.input(1), -1)))


def _matrix(shapes: LayerShapes) -> Work:
    place = -2 if shapes.text("adj_x") == "true" else -1
    return macs_only(times(product(shapes.output()), axis_length(shapes.input(0), place)))


def _sequence_lstm(shapes: LayerShapes) -> Work:
    """Weights of four gates: inputs 1 to 4 for the input, 5 to 8 for the state."""
    sequence, weights = shapes.input(0), [shapes.input(place) for place in range(1, 9)]
    given = [product(weight) for weight in weights if weight is not None]
    if sequence is None or not given:
        return macs_only(None)
    projection = shapes.input(16)
    given += [product(projection)] if projection is not None else []
    steps = product(sequence[:-1])
    hidden = axis_length(shapes.input(6), 0)
    return Work(None if None in given else times(steps, total(given)), times(steps, hidden, 12))


def _sequence_rnn(shapes: LayerShapes) -> Work:
    sequence, weights = shapes.input(0), (product(shapes.input(1)), product(shapes.input(2)))
    if sequence is None or None in weights:
        return macs_only(None)
    steps = product(sequence[:-1])
    return Work(times(steps, total(weights)), times(steps, axis_length(shapes.input(2), 0), 3))


def _svdf(shapes: LayerShapes) -> Work:
    """Each row of the batch takes the feature weights and the time weights once."""
    batch, features, moments = (
        axis_length(shapes.input(0), 0),
        product(shapes.input(1)),
        product(shapes.input(2)),
    )
    if features is None or moments is None:
        return macs_only(None)
    return macs_only(times(batch, total((features, moments))))


def _pool(shapes: LayerShapes) -> Work:
    window = shapes.integer("filter_width", 1) * shapes.integer("filter_height", 1)
    return Work(0, times(product(shapes.output()), window))


def work(shapes: LayerShapes) -> Work | None:
    """Count the operations of a layer; None for an operator that is not known.

    A fused activation counts as one operation for each output.
    """
    rule = _RULES.get(shapes.layer.operator)
    if rule is None:
        return None
    done = rule(shapes)
    if not _has_activation(shapes.layer) or done.others is None:
        return done
    activation = product(shapes.output())
    others = None if activation is None else total((done.others, activation))
    return Work(done.macs, others)


def _has_activation(layer: Layer) -> bool:
    return any(
        attribute.name == "fused_activation_function" and attribute.text != "NONE"
        for attribute in layer.attributes
    )


_RULES: Mapping[str, Rule] = {
    "CONV_2D": _convolution,
    "DEPTHWISE_CONV_2D": _depthwise,
    "CONV_3D": _volume,
    "TRANSPOSE_CONV": _transposed,
    "FULLY_CONNECTED": _fully_connected,
    "BATCH_MATMUL": _matrix,
    "SVDF": _svdf,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": _sequence_lstm,
    "UNIDIRECTIONAL_SEQUENCE_RNN": _sequence_rnn,
    "RNN": _sequence_rnn,
    **rules(_pool, "MAX_POOL_2D AVERAGE_POOL_2D L2_POOL_2D"),
    **rules(
        each_input(1),
        "SUM MEAN REDUCE_MAX REDUCE_MIN REDUCE_PROD REDUCE_ANY REDUCE_ALL ARG_MAX ARG_MIN "
        "CUMSUM TOPK_V2 UNIQUE SEGMENT_SUM UNSORTED_SEGMENT_SUM UNSORTED_SEGMENT_MAX "
        "UNSORTED_SEGMENT_MIN UNSORTED_SEGMENT_PROD ADD_N BUCKETIZE",
    ),
    **rules(each(5), "SOFTMAX LOG_SOFTMAX L2_NORMALIZATION LOCAL_RESPONSE_NORMALIZATION GELU"),
    **rules(
        each(2), "QUANTIZE DEQUANTIZE FAKE_QUANT HARD_SWISH RESIZE_BILINEAR SQUARED_DIFFERENCE"
    ),
    **rules(
        each(1),
        "ADD SUB MUL DIV POW MAXIMUM MINIMUM RELU RELU6 RELU_N1_TO_1 RELU_0_TO_1 LEAKY_RELU "
        "PRELU ELU LOGISTIC TANH EXP LOG SQRT RSQRT SQUARE NEG ABS SIGN FLOOR CEIL ROUND SIN "
        "COS ATAN2 EQUAL NOT_EQUAL LESS LESS_EQUAL GREATER GREATER_EQUAL LOGICAL_AND "
        "LOGICAL_OR LOGICAL_NOT SELECT SELECT_V2 CAST FLOOR_DIV FLOOR_MOD COMPLEX_ABS "
        "BITWISE_XOR RIGHT_SHIFT RESIZE_NEAREST_NEIGHBOR STABLEHLO_SHIFT_LEFT",
    ),
    **rules(
        no_work,
        "RESHAPE SQUEEZE EXPAND_DIMS TRANSPOSE CONCATENATION SPLIT SPLIT_V SLICE STRIDED_SLICE "
        "GATHER GATHER_ND SCATTER_ND PACK UNPACK PAD PADV2 MIRROR_PAD TILE SHAPE RANK RANGE "
        "FILL ZEROS_LIKE DEPTH_TO_SPACE SPACE_TO_DEPTH BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND "
        "ONE_HOT EMBEDDING_LOOKUP EMBEDDING_LOOKUP_SPARSE HASHTABLE_LOOKUP REVERSE_V2 "
        "REVERSE_SEQUENCE BROADCAST_TO BROADCAST_ARGS WHERE BITCAST REAL IMAG MATRIX_DIAG "
        "MATRIX_SET_DIAG SPARSE_TO_DENSE DENSIFY DYNAMIC_UPDATE_SLICE NON_MAX_SUPPRESSION_V4 "
        "NON_MAX_SUPPRESSION_V5 RANDOM_UNIFORM RANDOM_STANDARD_NORMAL MULTINOMIAL IF WHILE "
        "CALL_ONCE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE HASHTABLE HASHTABLE_FIND "
        "HASHTABLE_IMPORT HASHTABLE_SIZE DILATE",
    ),
}
