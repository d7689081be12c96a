"""Operation counts of formats that are only shown: Core ML, PyTorch and OpenVINO.

In all three, activations are N×C×…, weights of convolutions O×I/g×k… (OpenVINO's grouped ones
G×O/g×I/g×k…), of linear layers O×I. Operators by their names in lower case without underscores.
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

DOMAINS = frozenset({"coreml", "torch", "openvino"})


def _convolution(shapes: LayerShapes) -> Work:
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[1:])
    return macs_only(times(product(shapes.output()), inner))


def _grouped(shapes: LayerShapes) -> Work:
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[2:])
    return macs_only(times(product(shapes.output()), inner))


def _transposed(shapes: LayerShapes) -> Work:
    """Each input spreads over I×O/g×k…"""
    weight = shapes.input(1)
    inner = None if weight is None else product(weight[1:])
    return macs_only(times(product(shapes.input(0)), inner))


def _linear(shapes: LayerShapes) -> Work:
    return macs_only(times(product(shapes.output()), axis_length(shapes.input(1), -1)))


def _matrix(shapes: LayerShapes) -> Work:
    flipped = "true" in (shapes.text("transpose_x"), shapes.text("transpose_a"))
    inner = axis_length(shapes.input(0), -2 if flipped else -1)
    return macs_only(times(product(shapes.output()), inner))


def _added_matrix(shapes: LayerShapes) -> Work:
    """addmm and baddbmm: the first input is added to the product of the others."""
    return macs_only(times(product(shapes.output()), axis_length(shapes.input(1), -1)))


def _attention(shapes: LayerShapes) -> Work:
    """Scores of all pairs of L queries and S keys, then sums of the values: L×S×(E + Ev)."""
    query, key, value = shapes.input(0), shapes.input(1), shapes.input(2)
    if query is None or key is None or value is None:
        return macs_only(None)
    pairs = times(product(query[:-1]), axis_length(key, -2))
    widths = axis_length(query, -1), axis_length(value, -1)
    if widths[0] is None or widths[1] is None:
        return macs_only(None)
    return Work(times(pairs, total((widths[0], widths[1]))), times(pairs, 5))


def work(shapes: LayerShapes) -> Work | None:
    """Count the operations of a layer; None for an operator that is not known."""
    rule = _RULES.get(shapes.layer.operator.casefold().replace("_", ""))
    return None if rule is None else rule(shapes)


_RULES: Mapping[str, Rule] = {
    **rules(_convolution, "conv conv1d conv2d conv3d convolution"),
    "groupconvolution": _grouped,
    **rules(
        _transposed, "convtranspose convtranspose1d convtranspose2d convolutionbackpropdata"
    ),
    "linear": _linear,
    **rules(_matrix, "matmul mm bmm"),
    **rules(_added_matrix, "addmm baddbmm"),
    "scaleddotproductattention": _attention,
    **rules(
        each_input(1),
        "reducemean reducesum reducemax reducemin reduceprod reducel2norm "
        "reducelogsumexp mean sum amax amin argmax argmin reduceargmax reduceargmin "
        "cumsum topk reducel1 reducel2",
    ),
    **rules(each(5), "softmax logsoftmax gelu layernorm instancenorm l2norm mvn groupnorm"),
    **rules(
        each(2),
        "batchnorm silu hardswish swish mish softplus hardsigmoid sigmoidhard "
        "squareddifference",
    ),
    **rules(
        each(1),
        "relu relu6 leakyrelu prelu elu sigmoid tanh exp log sqrt rsqrt square neg "
        "negative abs sign floor ceil round sin cos erf clip clamp inverse reciprocal "
        "add sub subtract mul multiply div divide realdiv floordiv pow power maximum "
        "minimum equal notequal greater greaterequal less lessequal eq ne gt ge lt le "
        "logicaland logicalor logicalnot select where cast convert to",
    ),
    **rules(
        no_work,
        "reshape view flatten squeeze unsqueeze expanddims transpose permute concat cat "
        "stack split splitwithsizes slice slicebyindex slicebysize gather gathernd "
        "gatheralongaxis stridedslice pad tile expand broadcast shape shapeof getitem "
        "identity clone contiguous dropout depthtospace spacetodepth pixelshuffle "
        "readstate writestate coremlupdatestate cond if constexpraffinedequantize "
        "constexprblockwiseshiftscale constexprluttodense constexprluttosparse "
        "constexprsparsetodense constexprcast classify embedding index indexselect "
        "chunk unbind variadicsplit",
    ),
}
