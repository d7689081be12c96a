"""Shape inference, in the engine process: it crashes and hangs on some files."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs
from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    checker,
    helper,
    numpy_helper,
    shape_inference,
)

from inspector.analysis.facts.shapes import MAIN, Body, Contradiction, Shapes, merged
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.errors import EngineFailed
from inspector.formats import opening
from inspector.formats.onnx.types import described, text
from inspector.model.axes import known_length, symbols_of
from inspector.model.model import Axis, TensorInfo
from inspector.report.run_spec import Dimension

_MOST_ELEMENTS = 64
_MOST_INPUTS = 64
_MOST_COMPUTED = 1_000
_KINDS = {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL}
# None of these makes more elements than it is given, or its result is small by another check.
_SIMPLE = {
    "Add", "And", "Cast", "Concat", "Div", "Equal", "Gather", "Greater", "Identity", "Less",
    "Max", "Min", "Mul", "Neg", "Not", "Or", "ReduceProd", "ReduceSum", "Reshape", "Slice",
    "Squeeze", "Sub", "Transpose", "Unsqueeze", "Where",
}  # fmt: skip
_FILLS = "ConstantOfShape"
_BY_VALUES = {"Expand", _FILLS, "Tile"}  # whose shape is the value of an input
_FAULTS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
)  # fmt: skip

# Domains whose operators only runtimes know; and what ONNX Runtime adds to ONNX's own domain.
_RUNTIME = {"com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc", "ai.onnx.ml"}
_IN_STANDARD_DOMAIN = {"SimplifiedLayerNormalization", "CausalConvWithState"}
_AS_INPUT = {
    "Scaler", "Normalizer", "Imputer", "Binarizer",
    "BiasGelu", "FastGelu", "QuickGelu", "Gelu", "BiasSoftmax", "BiasDropout",
    "SkipLayerNormalization", "SkipSimplifiedLayerNormalization",
    "SimplifiedLayerNormalization", "GroupNorm", "SkipGroupNorm", "RotaryEmbedding",
    "MultiHeadAttention", "GroupQueryAttention", "PackedAttention", "QLinearSigmoid",
    "QLinearLeakyRelu", "QLinearSoftmax", "QuantizeLinear", "NhwcMaxPool", "Inverse", "Rfft",
    "BitmaskDropout", "DecoderMaskedMultiHeadAttention", "QOrderedGelu",
    "QOrderedLayerNormalization", "MoE", "QMoE", "SparseAttention", "GatedRMSNorm",
    "CausalConvWithState",
}  # fmt: skip
AS_STANDARD = {
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
_MOST_BODIES = 2_000
_MOST_REPEATS = 3  # of inference, each time with more lengths that are known
_PIECES = 32  # of a graph that is inferred piece by piece; one that hangs loses 3% of it
_WEIGHTS_APART_IR = 4  # from this IR version on, weights need not be inputs as well
_REFUSALS = (
    shape_inference.InferenceError,
    checker.ValidationError,
    RuntimeError,
    ValueError,
    TypeError,
)
_OWN_DOMAIN = "inspector.stand_in"  # of functions that stand in for a runtime's operators
_FUNCTION_OPSET = 17  # where ReduceMean takes its axes as an attribute, and CastLike exists
_EMBEDDING_INPUTS = 3  # of EmbedLayerNormalization: token and segment IDs, word embedding
_ROWS_INPUTS = 3  # of GatherBlockQuantized: matrix, indices, scales
_USUAL_BITS = 4  # of GatherBlockQuantized without the attribute: its default
_BYTE_BITS = 8
_MADE_UP = "unk__"  # how inference calls lengths that it knows nothing of


def make_known(model: ModelProto) -> None:
    """Give the graphs inside layers the constants they use, and compute others, in place.

    Nodes keep their number and their order: a computed one becomes a Constant.
    """
    versions = {opset.domain: opset.version for opset in model.opset_import}
    _Folding(versions.get("", versions.get("ai.onnx", 1))).graph(model.graph, {})


class _Folding:
    """Walks graphs from the outside in; `left` is how many nodes may still be computed."""

    def __init__(self, opset: int) -> None:
        self._opset, self._left = opset, _MOST_COMPUTED

    def graph(self, graph: GraphProto, outer: dict[str, TensorProto]) -> None:
        given = {value.name for value in graph.input}  # a caller may replace their defaults
        small = (each for each in graph.initializer if each.name not in given)
        own = {each.name: each for each in small if _is_small(each)}
        named = given | {tensor.name for tensor in graph.initializer}
        constants = {name: tensor for name, tensor in outer.items() if name not in named} | own
        for node in graph.node:
            made, operator = None, node.op_type
            if operator == "Constant":
                made = _constant(node)
            elif operator == _FILLS or operator in _SIMPLE:
                made = self._computed(node, constants)
            if made is not None and _is_small(made):
                constants[node.output[0]] = made
            else:
                for name in node.output:
                    constants.pop(name, None)
            for _, inside in layer_names.bodies(node):
                self.graph(inside, constants)
        if outer:
            made = {name for node in graph.node for name in node.output}
            made |= {value.name for value in graph.input} | {t.name for t in graph.initializer}
            used = {name for node in graph.node for name in node.input} & outer.keys()
            for name in sorted(used - made):
                tensor = graph.initializer.add()
                tensor.CopyFrom(outer[name])
                tensor.name = name

    def _computed(
        self, node: NodeProto, constants: dict[str, TensorProto]
    ) -> TensorProto | None:
        """Compute a simple node whose inputs are all known, and make a Constant of it."""
        names = node.input[:]
        if not 0 < len(names) <= _MOST_INPUTS or not all(n in constants for n in names if n):
            return None
        if node.domain not in ("", "ai.onnx") or len(node.output) != 1 or not self._left:
            return None
        shaped = node.op_type == _FILLS
        given = {name: constants[name] for name in names if name in constants}
        arrays = {name: numpy_helper.to_array(tensor) for name, tensor in given.items()}
        if shaped and not 0 <= np.prod(arrays[node.input[0]], dtype=float) <= _MOST_ELEMENTS:
            return None
        from onnx.reference import ReferenceEvaluator  # slow, and few models need it

        self._left -= 1
        try:
            runs = ReferenceEvaluator(node, opsets={"": self._opset})
            with np.errstate(all="raise"):
                (value,) = runs.run(None, arrays)
            made = numpy_helper.from_array(np.asarray(value), node.output[0])
        except _FAULTS:
            return None  # then inference says so itself, or knows no better
        if _is_small(made):
            _become_constant(node, made)
        return made


def _become_constant(node: NodeProto, value: TensorProto) -> None:
    node.op_type, node.domain = "Constant", ""
    del node.input[:]
    del node.attribute[:]
    node.attribute.append(helper.make_attribute("value", value))


def _constant(node: NodeProto) -> TensorProto | None:
    """Return the value of a Constant, as far as it is a tensor or a whole number."""
    if len(node.attribute) != 1 or len(node.output) != 1:
        return None
    (attribute,) = node.attribute
    match attribute.name:
        case "value":
            return attribute.t
        case "value_int":
            return numpy_helper.from_array(np.array(attribute.i, np.int64))
        case "value_ints":
            return numpy_helper.from_array(np.array(attribute.ints, np.int64))
        case _:
            return None


def _is_small(tensor: TensorProto) -> bool:
    """Return whether a tensor has few whole numbers that are stored in the model itself."""
    return (
        tensor.data_type in _KINDS
        and tensor.data_location != TensorProto.EXTERNAL
        and min(tensor.dims, default=0) >= 0
        and np.prod(tensor.dims, dtype=float) <= _MOST_ELEMENTS
        and sum(1 for _ in _constants_values(tensor)) <= _MOST_ELEMENTS * 8
    )


def _constants_values(tensor: TensorProto) -> Iterator[object]:
    yield from tensor.raw_data
    yield from tensor.int64_data
    yield from tensor.int32_data


def stand_in(model: ModelProto) -> None:
    """Replace, in place, the nodes of a model's graph and its subgraphs that have a stand-in.

    Each node becomes one node, so that they keep their numbers: where one standard operator is
    not enough, a call of a function that is added to the model.
    """
    functions: dict[str, FunctionProto] = {}
    for graph in layer_names.graphs(model.graph):
        for node in graph.node:
            if node.domain in _RUNTIME or node.op_type in _IN_STANDARD_DOMAIN:
                call = _CALLS[node.op_type](node, graph) if node.op_type in _CALLS else None
                if call is not None:
                    functions[call.function.name] = call.function
                    outputs = node.output[: len(call.function.output)]
                    name, kind = node.name, call.function.name
                    node.CopyFrom(
                        helper.make_node(kind, call.inputs, outputs, name, domain=_OWN_DOMAIN)
                    )
                elif node.op_type in _AS_INPUT and node.input:
                    _become(node, "Identity", (0,))
                elif node.op_type in AS_STANDARD:
                    operator, places = AS_STANDARD[node.op_type]
                    if _same_form(node):
                        _become(node, operator, places)
                elif node.op_type in _SPECIAL:
                    _SPECIAL[node.op_type](node, graph)
    known = {function.name for function in model.functions if function.domain == _OWN_DOMAIN}
    model.functions.extend(each for name, each in functions.items() if name not in known)


def _same_form(node: NodeProto) -> bool:
    """Return whether a product is of its inputs as they are, not of transposed ones."""
    turned = ("transA", "transB", "transBatchA", "transBatchB")
    return node.op_type == "FusedGemm" or not any(_integer(node, name) for name in turned)


def _become(node: NodeProto, operator: str, places: tuple[int, ...]) -> None:
    inputs = [node.input[place] for place in places if place < len(node.input)]
    attributes = [a for a in node.attribute if a.name in _KEPT.get(operator, ())]
    output = node.output[0] if node.output else ""
    node.CopyFrom(helper.make_node(operator, inputs, [output], node.name))
    node.attribute.extend(attributes)


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


class _Call(NamedTuple):
    """A function of standard operators with the shapes of an operator, and what it is given."""

    function: FunctionProto
    inputs: list[str]


def _function(name: str, inputs: str, outputs: str, *nodes: NodeProto) -> FunctionProto:
    opsets = [helper.make_opsetid("", _FUNCTION_OPSET)]
    return helper.make_function(
        _OWN_DOMAIN, name, inputs.split(), outputs.split(), nodes, opsets
    )


def _numbers(name: str, numbers: list[int]) -> NodeProto:
    return helper.make_node("Constant", [], [name], value_ints=numbers)


def _normalization(node: NodeProto, graph: GraphProto) -> _Call | None:
    """Normalized values, mean and deviation of each row, and the sum that was normalized."""
    if not any(node.output[1:]) or not node.input:
        return None
    skips = node.op_type.startswith("Skip")
    rows = {"axes": [-1], "keepdims": 1}
    function = _function(
        "SkipNormalization" if skips else "Normalization",
        "x",
        "y mean deviation sum" if skips else "y deviation",
        helper.make_node("Identity", ["x"], ["y"]),
        helper.make_node("ReduceMean", ["x"], ["deviation"], **rows),
        *([helper.make_node("ReduceMean", ["x"], ["mean"], **rows)] if skips else ()),
        *([helper.make_node("Identity", ["x"], ["sum"])] if skips else ()),
    )
    return _Call(function, [node.input[0]])


def _embedding(node: NodeProto, graph: GraphProto) -> _Call | None:
    """Rows of the word embedding, an index for each sequence, and the sum of the rows."""
    if len(node.input) < _EMBEDDING_INPUTS:
        return None
    function = _function(
        "EmbedNormalization",
        "ids words",
        "y index sum",
        helper.make_node("Gather", ["words", "ids"], ["y"]),
        helper.make_node("ReduceMax", ["ids"], ["index"], axes=[1], keepdims=0),
        helper.make_node("Identity", ["y"], ["sum"]),
    )
    return _Call(function, [node.input[0], node.input[2]])


def _packed_queries(node: NodeProto, graph: GraphProto) -> _Call | None:
    """The queries' part of (batch, sequence, all heads); None where keys come apart."""
    if len(node.input) < 2 or node.input[1]:
        return None
    queries, pairs = _integer(node, "num_heads"), _integer(node, "kv_num_heads")
    if queries <= 0 or pairs <= 0:
        return None
    function = _function(
        f"PackedQueries{queries}of{queries + 2 * pairs}",
        "x",
        "y",
        _numbers("by_head", [0, 0, queries + 2 * pairs, -1]),
        helper.make_node("Reshape", ["x", "by_head"], ["heads"]),
        _numbers("begin", [0]),
        _numbers("end", [queries]),
        _numbers("axis", [2]),
        helper.make_node("Slice", ["heads", "begin", "end", "axis"], ["queries"]),
        _numbers("flat", [0, 0, -1]),
        helper.make_node("Reshape", ["queries", "flat"], ["y"]),
    )
    return _Call(function, [node.input[0]])


def _quantized_rows(node: NodeProto, graph: GraphProto) -> _Call | None:
    """Rows of a matrix of few bits, of which a byte holds several along the last axis."""
    if len(node.input) < _ROWS_INPUTS:
        return None
    bits = _integer(node, "bits") or _USUAL_BITS
    whole = next((w for w in graph.initializer if w.name == node.input[0]), None)
    packed = whole is None or whole.data_type == TensorProto.UINT8
    many = max(1, _BYTE_BITS // bits) if packed else 1
    axis = _integer(node, "gather_axis")
    function = _function(
        f"Rows{axis}times{many}".replace("-", "before"),
        "data indices scales",
        "y",
        helper.make_node("Concat", ["data"] * many, ["wide"], axis=-1),
        helper.make_node("Gather", ["wide", "indices"], ["rows"], axis=axis),
        helper.make_node("CastLike", ["rows", "scales"], ["y"]),
    )
    return _Call(function, list(node.input[:_ROWS_INPUTS]))


_CALLS: dict[str, Callable[[NodeProto, GraphProto], _Call | None]] = {
    "SimplifiedLayerNormalization": _normalization,
    "SkipLayerNormalization": _normalization,
    "SkipSimplifiedLayerNormalization": _normalization,
    "EmbedLayerNormalization": _embedding,
    "GroupQueryAttention": _packed_queries,
    "SparseAttention": _packed_queries,
    "GatherBlockQuantized": _quantized_rows,
}


def declared_here(value: ValueInfoProto) -> bool:
    """Return whether a value is only here for a stand-in."""
    return str(value.name).endswith(" stand-in")


def infer(model: Path, dimensions: Iterable[Dimension]) -> Shapes:
    """Infer types and shapes of every value of a model, calls of its functions included.

    dimensions: lengths of free axes; one without a name is called "input[1]". The others stay
    symbols. Raises UnreadableFile, EngineFailed.
    """
    proto = opening.skeleton(model)
    lengths = {dimension.name: dimension.size for dimension in dimensions}
    del proto.training_info[:]
    own = _settle(proto.graph, lengths)
    try:
        if not lengths:
            # Outputs that are declared with sizes alone are held against what the layers make,
            # which counts where both are known.
            fixed = [
                value
                for value in proto.graph.output
                if (axes := value.type.tensor_type.shape.dim)
                and all(axis.HasField("dim_value") for axis in axes)
            ]
            declared = _forget_declared(fixed)
            main, *bodies = _Bodies(proto, own).all
            unknown = {
                value.name for value in main.values if value.shape is None
            } & declared.keys()
            if unknown:
                _declare(proto.graph, {name: declared[name] for name in unknown})
                main, *bodies = _Bodies(proto, own).all
            values, contradictions = _completed(main.values, declared, {})
            main = structs.replace(main, values=values)
            return Shapes((main, *bodies), {}, contradictions=contradictions)
        declared = _forget_declared((*proto.graph.value_info, *proto.graph.output))
        _settle_declared(proto.graph, lengths)
        main, *bodies = _Bodies(proto, own).all
        unknown = {value.name for value in main.values if value.shape is None} & declared.keys()
        if unknown:  # behind operators that inference does not know, what the file says counts
            _declare(proto.graph, {name: declared[name] for name in unknown})
            _settle_declared(proto.graph, lengths)
            main, *bodies = _Bodies(proto, own).all
        values, contradictions = _completed(main.values, declared, lengths)
        bodies = [structs.replace(main, values=values), *bodies]
        return Shapes(tuple(bodies), lengths, contradictions=contradictions)
    except _REFUSALS as error:
        # 13 ms of patterns, for models that inference refuses
        from inspector.backends.onnxruntime.sessions import explanations

        what = f"Could not infer the shapes of {model.name}"
        explanation = explanations.explain(str(error), "load", type(error).__name__)
        raise EngineFailed(what, explanation.why, explanation.hint) from error


def _forget_declared(values: Iterable[ValueInfoProto]) -> dict[str, Any]:
    """Take the declared shapes from values; return them by name.

    Inference believes what a file declares. Without it, it says whether that is right.
    """
    declared = {}
    for value in values:
        tensor = value.type.tensor_type
        if value.type.HasField("tensor_type") and tensor.HasField("shape"):
            declared[value.name] = type(tensor.shape).FromString(
                tensor.shape.SerializeToString()
            )
            tensor.ClearField("shape")
    return declared


def _declare(graph: GraphProto, shapes: Mapping[str, Any]) -> None:
    for value in (*graph.value_info, *graph.output):
        if value.name in shapes:
            value.type.tensor_type.shape.CopyFrom(shapes[value.name])


def _completed(
    values: Iterable[TensorInfo], declared: Mapping[str, Any], lengths: Mapping[str, int]
) -> tuple[tuple[TensorInfo, ...], tuple[Contradiction, ...]]:
    """Give axes that inference left open the sizes that the file declares for them.

    Also returns where inference says something else.
    """
    completed, contradictions = [], []
    for info in values:
        shape = declared.get(info.name)
        axes = [] if shape is None else list(shape.dim)
        if info.shape is None or len(info.shape) != len(axes):
            completed.append(info)
            continue
        sizes = [*info.shape]
        for place, (axis, inferred) in enumerate(zip(axes, info.shape, strict=True)):
            size = axis.dim_param or str(axis.dim_value)
            fixed = axis.HasField("dim_value") and axis.dim_value >= 0
            length = axis.dim_value if fixed else known_length(axis.dim_param, lengths)
            if length is None:
                continue
            if not isinstance(inferred, int):
                sizes[place] = length
            elif inferred != length:
                symbols = {n: lengths[n] for n in symbols_of(size) if n in lengths} or lengths
                contradictions.append(
                    Contradiction(info.name, place, size, length, inferred, dict(symbols))
                )
        completed.append(replace(info, shape=tuple(sizes)))
    return tuple(completed), tuple(contradictions)


class _Bodies:
    """The graph, and each function once for each kind of inputs it is called with."""

    def __init__(self, model: ModelProto, own: set[str]) -> None:
        self._model, self._own = model, own
        self._functions = {_key(f): (i, f) for i, f in enumerate(model.functions)}
        self._known: dict[bytes, int] = {}
        self._found: list[Body] = []
        self._waiting: list[tuple[int, ModelProto]] = [(MAIN, model)]
        while len(self._found) < len(self._waiting):
            self._found.append(self._body(*self._waiting[len(self._found)]))

    @property
    def all(self) -> tuple[Body, ...]:
        """Return the graph first."""
        return tuple(self._found)

    def _body(self, function: int, model: ModelProto) -> Body:
        stand_in(model)
        make_known(model)
        _keep_loop_shapes(model.graph)
        _import_domains(model)
        inferred = shape_inference.infer_shapes(model, data_prop=True)
        for _ in range(_MOST_REPEATS):
            if not _has_open_shapes(inferred.graph):
                break
            fixed = ModelProto()
            fixed.CopyFrom(model)
            if not _fix_lengths(fixed.graph, inferred):
                break
            make_known(fixed)
            again = shape_inference.infer_shapes(fixed, data_prop=True)
            if _known_axes(again.graph) <= _known_axes(inferred.graph):
                break  # of a Range between vectors of one number, inference knows nothing then
            inferred = again
        values = merged(_described(inferred.graph, self._own))
        nodes = tuple(_nodes(inferred.graph))
        loops = any(node.op_type == "Loop" for node in nodes)
        numbers = _constants(inferred.graph) if loops else {}
        trips: dict[int, int] = {}
        calls: dict[int, int] = {}
        types = _types(inferred.graph) if self._functions else {}
        for index, node in enumerate(nodes if loops or self._functions else ()):
            if node.op_type == "Loop" and node.input and node.input[0] in numbers:
                trips[index] = numbers[node.input[0]]
            called = self._functions.get((node.domain, node.op_type, _overload(node)))
            if called is not None:
                place = self._place(node, *called, types)
                if place is not None:
                    calls[index] = place
        return Body(function, values, calls, trips)

    def _place(
        self, node: NodeProto, number: int, function: FunctionProto, types: Mapping[str, Any]
    ) -> int | None:
        """Return where the body for this call is, or will be."""
        graph = GraphProto(name=function.name, node=function.node)
        for name, given in zip(function.input, node.input, strict=False):
            value = graph.input.add(name=name)
            if given in types:
                value.type.CopyFrom(types[given].type)
        for name in function.output:
            graph.output.add(name=name)
        graph.value_info.extend(function.value_info)
        chosen = {attribute.name: attribute for attribute in function.attribute_proto}
        chosen |= {attribute.name: attribute for attribute in node.attribute}
        for inner in _nodes(graph):
            given = [_filled(attribute, chosen) for attribute in inner.attribute]
            del inner.attribute[:]
            inner.attribute.extend(attribute for attribute in given if attribute is not None)
        key = b"%d %s" % (number, graph.SerializeToString(deterministic=True))
        if key not in self._known:
            if len(self._waiting) >= _MOST_BODIES:
                return None
            body = ModelProto(ir_version=self._model.ir_version, graph=graph)
            body.functions.extend(self._model.functions)
            body.opset_import.extend(function.opset_import or self._model.opset_import)
            self._known[key] = len(self._waiting)
            self._waiting.append((number, body))
        return self._known[key]


def _keep_loop_shapes(graph: GraphProto) -> None:
    """Declare, in place, what a Loop makes that has the same fixed shape in each iteration.

    Inference leaves it open, since an iteration might change it.
    """
    for each in layer_names.graphs(graph):
        known = {value.name: value for value in (*each.value_info, *each.output)}
        for node in each.node:
            for _, body in layer_names.bodies(node) if node.op_type == "Loop" else ():
                ends = zip(node.output, body.input[2:], body.output[1:], strict=False)
                for name, before, after in ends:
                    axes = before.type.tensor_type.shape.dim
                    fixed = axes and all(axis.HasField("dim_value") for axis in axes)
                    if name and fixed and before.type == after.type:
                        held = known.get(name) or each.value_info.add(name=name)
                        if not held.type.tensor_type.HasField("shape"):
                            held.type.CopyFrom(before.type)


def _has_open_shapes(graph: GraphProto) -> bool:
    """Return whether a value has a length that inference did not find although it follows from
    others: masks of decoders are as long as another value.

    Of a Range it finds only those between constants. What an Expand makes is worth a second
    look where all inputs have lengths.
    """
    is_fixed = all(
        axis.HasField("dim_value")
        for value in graph.input
        for axis in value.type.tensor_type.shape.dim
    )
    looked_at = {"Range", *(_BY_VALUES if is_fixed else ())}
    makers = {
        node.output[0] for node in graph.node if node.op_type in looked_at and node.output
    }
    if not makers:
        return False
    known = {
        value.name
        for value in graph.value_info
        if all(axis.HasField("dim_value") for axis in value.type.tensor_type.shape.dim)
        and value.type.tensor_type.HasField("shape")
    }
    return not makers <= known | {value.name for value in graph.output}


def _known_axes(graph: GraphProto) -> int:
    shapes = (value.type.tensor_type.shape for value in graph.value_info)
    return sum(axis.HasField("dim_value") for shape in shapes for axis in shape.dim)


def _fix_lengths(graph: GraphProto, inferred: ModelProto) -> bool:
    """Make constants of the shapes of values whose shapes are known; return whether any."""
    known = {}
    for value in (*_values(inferred.graph), *map(_of_tensor, inferred.graph.initializer)):
        axes = value.type.tensor_type.shape.dim
        if value.type.tensor_type.HasField("shape") and all(
            axis.HasField("dim_value") for axis in axes
        ):
            known[value.name] = [axis.dim_value for axis in axes]
    fixed = False
    for node in graph.node:
        if node.op_type == "Shape" and not node.attribute and {*node.input} & known.keys():
            lengths = np.array(known[node.input[0]], np.int64)
            _become_constant(node, numpy_helper.from_array(lengths, node.output[0]))
            fixed = True
    return fixed


def infer_in_pieces(
    model: Path, dimensions: Iterable[Dimension]
) -> Iterator[tuple[Shapes, float]]:
    """Yield what the file declares, then what is inferred of one stretch of layers at a time.

    With the share of layers done so far. Less is known than of the whole: what is computed
    from shapes is lost from one stretch to the next. Raises UnreadableFile.
    """
    proto = opening.skeleton(model)
    lengths = {dimension.name: dimension.size for dimension in dimensions}
    del proto.training_info[:]
    own = _settle(proto.graph, lengths)
    _settle_declared(proto.graph, lengths)
    stand_in(proto)
    make_known(proto)
    _import_domains(proto)
    nodes = list(proto.graph.node)
    tensors = {tensor.name: tensor for tensor in proto.graph.initializer}
    types = {value.name: value.type for value in _values(proto.graph)}
    yield Shapes((Body(values=merged(_described(proto.graph, own))),), lengths), 0.0
    length = max(1, -(-len(nodes) // _PIECES))
    for start in range(0, len(nodes), length):
        part = nodes[start : start + length]
        piece = _piece(proto, part, tensors, types)
        try:
            inferred = shape_inference.infer_shapes(piece, data_prop=True)
        except _REFUSALS:
            continue  # the stretches after it may be known all the same
        for value in _values(inferred.graph):
            # The next stretch reuses names that inference made up for other axes.
            for axis in value.type.tensor_type.shape.dim:
                if axis.dim_param.startswith(_MADE_UP) and axis.dim_param not in own:
                    axis.Clear()
            types[value.name] = value.type
        values = merged(_described(inferred.graph, own))
        yield Shapes((Body(values=values),), lengths), (start + len(part)) / len(nodes)


def _piece(
    model: ModelProto,
    nodes: list[NodeProto],
    tensors: Mapping[str, TensorProto],
    types: Mapping[str, Any],
) -> ModelProto:
    """Return a model of some nodes of the main graph, with what is known of their values."""
    piece = ModelProto(ir_version=max(_WEIGHTS_APART_IR, model.ir_version))
    piece.opset_import.extend(model.opset_import)
    piece.functions.extend(model.functions)
    piece.graph.node.extend(nodes)
    made = {name for node in nodes for name in node.output}
    read = (name for node in _nodes(piece.graph) for name in node.input)
    for name in dict.fromkeys(read):
        if name in tensors:
            piece.graph.initializer.append(tensors[name])
        elif name in types and name not in made:
            piece.graph.input.add(name=name).type.CopyFrom(types[name])
    for name in made & types.keys():
        piece.graph.value_info.add(name=name).type.CopyFrom(types[name])
    return piece


def _described(graph: GraphProto, own: Collection[str]) -> Iterator[TensorInfo]:
    """Describe all values; most of their types are alike."""
    descriptions: dict[bytes, TensorInfo] = {}
    for value in _values(graph):
        key = value.type.SerializeToString()
        info = descriptions.get(key) or descriptions.setdefault(key, _typed(value, own))
        yield TensorInfo(text(value.name), info.kind, info.dtype, info.shape)
    stored: dict[tuple[int, tuple[int, ...]], TensorInfo] = {}
    for tensor in _stored(graph):
        kind = tensor.data_type, tuple(tensor.dims)
        info = stored.get(kind) or stored.setdefault(kind, _typed(_of_tensor(tensor), own))
        yield TensorInfo(text(tensor.name), info.kind, info.dtype, info.shape)


def _typed(value: Any, own: Collection[str]) -> TensorInfo:
    info = described(value)
    shape = None if info.shape is None else tuple(_known_axis(axis, own) for axis in info.shape)
    return replace(info, shape=shape)


def _known_axis(axis: Axis, own: Collection[str]) -> Axis:
    made_up = isinstance(axis, str) and axis.startswith(_MADE_UP)
    return None if made_up and axis not in own else axis


def _import_domains(model: ModelProto) -> None:
    """Import what a model uses without saying so: inference would refuse the whole model."""
    missing = {node.domain for node in _nodes(model.graph)}
    missing -= {opset.domain for opset in model.opset_import} | {"", "ai.onnx"}
    for domain in sorted(missing):
        model.opset_import.add(domain=domain, version=1)


def _filled(attribute: Any, chosen: Mapping[str, Any]) -> Any:
    if not attribute.ref_attr_name:
        return attribute
    if attribute.ref_attr_name not in chosen:
        return None
    filled = type(attribute)()
    filled.CopyFrom(chosen[attribute.ref_attr_name])
    filled.name = attribute.name
    return filled


def _nodes(graph: GraphProto) -> Iterator[NodeProto]:
    """Yield all nodes in the order of `Model.layers`."""
    for node in graph.node:
        yield node
        for _, body in layer_names.bodies(node):
            yield from _nodes(body)


def _values(graph: GraphProto) -> Iterator[Any]:
    for inner in layer_names.graphs(graph):
        for value in (*inner.input, *inner.value_info, *inner.output):
            if not declared_here(value):
                yield value


def _stored(graph: GraphProto) -> Iterator[TensorProto]:
    for inner in layer_names.graphs(graph):
        yield from inner.initializer


def _types(graph: GraphProto) -> dict[str, Any]:
    return {v.name: v for v in (*_values(graph), *map(_of_tensor, _stored(graph)))}


def _of_tensor(tensor: TensorProto) -> Any:
    return helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims))


def _constants(graph: GraphProto) -> dict[str, int]:
    """Return whole numbers among the small constants, by name."""
    tensors = {
        tensor.name: tensor for g in layer_names.graphs(graph) for tensor in g.initializer
    }
    for node in _nodes(graph):
        if node.op_type == "Constant" and node.attribute and node.output:
            attribute = node.attribute[0]
            if attribute.HasField("t"):
                tensors[node.output[0]] = attribute.t
    numbers = {}
    for name, tensor in tensors.items():
        if tensor.data_type == TensorProto.INT64 and sum(tensor.dims) <= 1:
            raw = int.from_bytes(tensor.raw_data, "little", signed=True)
            numbers[name] = tensor.int64_data[0] if tensor.int64_data else raw
    return numbers


def _settle(graph: GraphProto, lengths: Mapping[str, int]) -> set[str]:
    """Set free axes of the inputs to their lengths, and name those that have no name."""
    named = set()
    stored = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        if value.name in stored:
            continue
        for place, axis in enumerate(value.type.tensor_type.shape.dim):
            if axis.HasField("dim_value") and axis.dim_value >= 0:
                continue
            name = axis.dim_param or f"{value.name}[{place}]"
            length = known_length(name, lengths)
            if length is not None:
                axis.dim_value = length
            else:
                axis.dim_param = name
                named.add(name)
    return named


def _settle_declared(graph: GraphProto, lengths: Mapping[str, int]) -> None:
    """Set axes that the file declares further on and that follow from these lengths."""
    for value in (v for g in layer_names.graphs(graph) for v in (*g.value_info, *g.output)):
        for axis in value.type.tensor_type.shape.dim:
            length = known_length(axis.dim_param, lengths) if axis.dim_param else None
            if length is not None:
                axis.dim_value = length


def _key(function: FunctionProto) -> tuple[str, str, str]:
    return function.domain, function.name, _overload(function)


def _overload(proto: Any) -> str:
    return str(getattr(proto, "overload", ""))
