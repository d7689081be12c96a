"""Weights and computation in float16; what cannot, or must not, stays in float32.

Every value that was float32 becomes float16 unless the operator that makes or takes it has no
float16 in its schema there. Where both meet, a Cast is added directly before the layer that
needs it, so that the graph stays sorted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from msgspec import Struct, field
from onnx import GraphProto, NodeProto, TensorProto, TypeProto, defs, helper, inliner
from onnx import shape_inference as inference

from inspector import units
from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel, Values, stored_bytes
from inspector.conversion.plan import (
    Context,
    Plan,
    attribute,
    counted,
    graphs,
    nodes,
    refill,
    subgraphs,
)
from inspector.model.operator_traits import RECURRENT
from inspector.report.float16_check import AUTO
from inspector.units import plural

FLOAT: int = TensorProto.FLOAT
HALF: int = TensorProto.FLOAT16
_LARGEST = float(np.finfo(np.float16).max)
_SMALLEST = float(np.finfo(np.float16).smallest_subnormal)
# Share by which the largest value of a constant changes as it is rounded, beyond which it is
# named: 1e-6 changes by 1%, 1e-7 by 19%, and 1e-8 becomes six times as large.
_MOST_CHANGE = 0.1
_NAMED = 5  # constants in a note
# Of a quantized model's bytes: below, float16 saves next to nothing and costs accuracy.
_LEAST_SHARE = 0.1
# ONNX Runtime 1.32 crashes (SIGSEGV) while it opens models with these in float16 and optimizes
# them, and has no such kernel for CPUs. Their weights are stored in float16, with a Cast behind
# that runtimes compute once, when they load.
_STORED_ONLY = RECURRENT
# What ONNX Runtime 1.32 refuses on CPUs in float16 though schemas have it, found with all node
# tests of onnx 1.23: (domain, operator, attribute) -> values of it with which it does; None for
# any. It puts no Casts around these by itself: some have a float16 kernel for other values,
# others are functions with constants of float32, or no input that tells a type.
_REFUSED: Mapping[tuple[str, str], tuple[str, frozenset[Any] | None]] = {
    ("", "ScatterND"): ("reduction", frozenset((b"add", b"mul", b"max", b"min"))),
    ("", "ScatterElements"): ("reduction", frozenset((b"add", b"mul"))),
    ("", "BatchNormalization"): ("training_mode", frozenset((1,))),  # wrong running mean
    ("", "MeanVarianceNormalization"): ("", None),
    ("", "EyeLike"): ("", None),
    ("ai.onnx.ml", "TreeEnsemble"): ("", None),
}
# Domains whose operators take float16 wherever they take float32, and those of them that do
# not: they compute with float32 scales. Source: ContribOperators.md of ONNX Runtime.
_OWN_DOMAIN = "com.microsoft"
_FLOAT_ONLY_STARTS = (
    "QLinear",
    "QAttention",
    "QEmbed",
    "QGemm",
    "DynamicQuantize",
    "MatMulInteger",
)
_FLOAT_ONLY = frozenset(
    ("QuantizeLinear", "DequantizeLinear", "MatMulBnb4", "CDist", "MurmurHash3", "Tokenizer")
)
# Operators of ONNX Runtime that exporters write into the standard domain, which lacks them.
_IN_STANDARD_DOMAIN = frozenset(("SimplifiedLayerNormalization",))
# Makers of values whose type is an attribute, and the type without it.
_TYPED_BY_ATTRIBUTE = {
    "Cast": ("to", 0), "RandomNormal": ("dtype", FLOAT), "RandomUniform": ("dtype", FLOAT),
    "RandomNormalLike": ("dtype", 0), "RandomUniformLike": ("dtype", 0),
    "EyeLike": ("dtype", 0),
    "SequenceEmpty": ("dtype", FLOAT), "Bernoulli": ("dtype", 0),
    "BlackmanWindow": ("output_datatype", FLOAT), "HannWindow": ("output_datatype", FLOAT),
    "HammingWindow": ("output_datatype", FLOAT), "MelWeightMatrix": ("output_datatype", FLOAT),
}  # fmt: skip


def float16(model: EditableModel, keep_io: bool = True, keep: Sequence[str] = ()) -> Plan:
    """Plan float16. keep_io: inputs and outputs stay float32. keep: names of layers; those that
    AUTO stands for are found before, by running the model."""
    keep = () if tuple(keep) == (AUTO,) else keep
    weights = [t for t in model.tensors() if t.data_type == FLOAT]
    before = model.size_bytes()
    if not weights and not _computes_in_float32(model, keep):
        halves = any(tensor.data_type == HALF for tensor in model.tensors())
        nothing = (
            "the model already uses float16" if halves else "the model has no float32 weights"
        )
        return Plan(Effect(bytes_before=before, nothing=nothing))
    float_bytes = sum(map(stored_bytes, weights))
    quantized = any(node.op_type == "DequantizeLinear" for node in nodes(model.proto))
    if quantized and float_bytes < _LEAST_SHARE * before:
        nothing = f"the weights are quantized: only {units.size(float_bytes)} are float32"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    for value in (*model.proto.graph.input, *model.proto.graph.output):
        if _holds_floats(value.type) and not _is_float(value.type):
            why = f"'{value.name}' is a sequence or map of float32, which Cast cannot convert"
            if any(value.name in node.output for node in model.proto.graph.node):
                continue  # made by an operator that keeps float32 inside, such as ZipMap
            return Plan(Effect(bytes_before=before, refused=why))
    saved = float_bytes // 2
    operators = [n.op_type for n in nodes(model.proto) if not _stays_float(n, keep)]
    effect = Effect(
        ", ".join(filter(None, (plural(len(weights), "float32 tensor"), counted(operators)))),
        len(operators),
        before,
        before - saved,
        caution="Most CPUs have no float16 kernels: there, float16 saves space but "
        "may be slower.",
    )
    return Plan(effect, lambda context: _apply(model, keep_io, frozenset(keep), context))


def _apply(model: EditableModel, keep_io: bool, keep: frozenset[str], context: Context) -> None:
    fragile = {node.output[0] for node in _before_matmul(model.proto.graph)} - keep
    if fragile:
        layers = plural(len(fragile), "Transpose layer")
        context.notes.append(
            f"Kept in float32 to avoid a crash in ONNX Runtime 1.32: {layers}."
        )
        keep |= fragile
    refused = [node.op_type for node in nodes(model.proto) if _is_refused(node)]
    if refused:
        layers = counted(refused)
        context.notes.append(
            f"Kept in float32, since ONNX Runtime refuses them in float16: {layers}."
        )
    if model.proto.functions:
        model.proto.CopyFrom(inliner.inline_local_functions(model.proto))
    inferred = inference.infer_shapes(model.proto)
    changes = _Changes()
    converter = _Converter(model, keep, changes)
    versions = {opset.domain: opset.version for opset in model.proto.opset_import}
    converter.versions = {"": versions.get("", versions.get("ai.onnx", 1)), **versions}
    converter.graph(model.proto.graph, inferred.graph, None, keep_io)
    context.later.append(changes.notes)


class _Changes(Struct):
    """Constants whose values float16 cannot hold; large ones are known once they are written.

    limited: names of those with values set to the limits of the range. raised: name -> largest
    magnitude before and after, of those that change as a whole since all values are tiny.
    """

    limited: dict[str, None] = field(default_factory=dict)
    raised: dict[str, tuple[float, float]] = field(default_factory=dict)

    def notes(self) -> Iterator[str]:
        """Yield a sentence on each kind."""
        if self.limited:
            names = _listed([*self.limited])
            yield f"Values beyond float16's range were set to its limits in: {names}."
        raised = [
            (name, *ends)
            for name, ends in self.raised.items()
            if _differs(*ends) and name not in self.limited
        ]
        if raised:
            names = _listed(
                [f"{name} ({before:.3g} became {after:.3g})" for name, before, after in raised]
            )
            yield (
                "Constants too small for float16 were raised, which matters where values "
                f"are as small, such as silence: {names}."
            )


def _differs(before: float, after: float) -> bool:
    return abs(after - before) > _MOST_CHANGE * before


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _computes_in_float32(model: EditableModel, keep: Iterable[str]) -> bool:
    """Return whether a model without float32 weights has layers that could use float16."""
    try:
        typed = inference.infer_shapes(model.proto).graph
    except (inference.InferenceError, RuntimeError):
        return False
    floats = {v.name for v in (*typed.value_info, *typed.output) if _is_float(v.type)}
    return any(
        floats & set(node.output)
        for node in model.proto.graph.node
        if node.domain in ("", "ai.onnx") and not _stays_float(node, keep)
        if node.op_type != "Cast"
    )


def _before_matmul(graph: GraphProto) -> Iterator[NodeProto]:
    """Yield the Transpose nodes that keep the last axis and are multiplied with a matrix.

    ONNX Runtime 1.32 crashes (SIGSEGV) on them in float16 at optimization level "all": it moves
    a Transpose of (1, 0, 2) through the MatMul.
    """
    for inner in graphs(graph):
        matrices = {tensor.name for tensor in inner.initializer if len(tensor.dims) == 2}
        multiplied = {
            name
            for node in inner.node
            if node.op_type == "MatMul" and matrices & {*node.input}
            for name in node.input
        }
        for node in inner.node:
            order = attribute(node, "perm")
            is_last = order is not None and [*order.ints][-1:] == [len(order.ints) - 1]
            if node.op_type == "Transpose" and is_last and node.output[0] in multiplied:
                yield node


class _Scope(Struct):
    """Values of a graph that were float32, with what they are now; parent: the outer graph."""

    parent: "_Scope | None"
    types: dict[str, int] = field(default_factory=dict)  # name -> FLOAT or HALF
    others: set[str] = field(default_factory=set)  # values of this graph of all other types

    def now(self, name: str) -> int | None:
        """Return FLOAT or HALF; None for a value that was not float32."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.types:
                return scope.types[name]
            if name in scope.others:
                return None
            scope = scope.parent
        return None


class _Converter:
    def __init__(self, model: EditableModel, keep: frozenset[str], changes: _Changes) -> None:
        self._model, self._keep, self._changes = model, keep, changes
        self.versions: Mapping[str, int] = {}
        self._names: set[str] = set()
        for graph in graphs(model.proto.graph):
            self._names.update(each.name for each in (*graph.input, *graph.initializer))
            for node in graph.node:
                self._names.update(node.output)

    def graph(
        self, graph: GraphProto, inferred: GraphProto, outer: _Scope | None, keep_io: bool
    ) -> _Scope:
        """Convert a graph in place. inferred: the same one with the types of all values."""
        scope = _Scope(outer)
        known = {
            v.name: v.type for v in (*inferred.value_info, *inferred.output, *graph.output)
        }
        self._initializers(graph, scope, keep_io)
        initial = {tensor.name for tensor in graph.initializer}
        for value in graph.input:
            if value.name in initial:
                if scope.now(value.name) == HALF:
                    _set_half(value.type)
            elif _is_float(value.type):
                scope.types[value.name] = FLOAT if keep_io else HALF
                if not keep_io:
                    _set_half(value.type)
            else:
                scope.others.add(value.name)
        done: list[NodeProto] = []
        casts: dict[tuple[str, int], str] = {}
        for node, typed in zip(graph.node, inferred.node, strict=True):
            self._node(node, typed, known, scope, casts, done)
        for value in graph.output:
            now = scope.now(value.name)
            if now is None:
                continue
            wanted = FLOAT if keep_io else HALF
            if now != wanted:
                inside = self._unused(f"{value.name}_{'float16' if now == HALF else 'float32'}")
                local = value.name in scope.types
                is_made = local and rename_made(done, value.name, inside)
                source = inside if is_made else value.name
                if not is_made:  # an input, a weight or a value of the outer graph
                    target = self._unused(f"{value.name}_output")
                    done.append(helper.make_node("Cast", [source], [target], to=wanted))
                    value.name = target
                else:
                    done.append(
                        helper.make_node(
                            "Cast", [source], [value.name], f"Cast_{inside}", to=wanted
                        )
                    )
            if wanted == HALF:
                _set_half(value.type)
        refill(graph.node, done)
        kept = [v for v in graph.value_info if not _holds_floats(v.type)]
        refill(graph.value_info, kept)
        return scope

    def _initializers(self, graph: GraphProto, scope: _Scope, keep_io: bool) -> None:
        wanted: dict[str, set[int]] = {}
        # A weight that the model returns keeps its name and type, as every output.
        returned = {value.name for value in graph.output} if keep_io else set()
        for inner in graphs(graph):
            for node in inner.node:
                stored = node.op_type in _STORED_ONLY and node.name not in self._keep
                for place, name in enumerate(node.input):
                    kind = HALF if stored else self._wanted(node, place)
                    wanted.setdefault(name, set()).add(kind)
            for value in inner.output:
                wanted.setdefault(value.name, set()).add(HALF)
        for tensor in graph.initializer:
            if tensor.data_type != FLOAT:
                scope.others.add(tensor.name)
            elif tensor.name in returned or wanted.get(tensor.name, {HALF}) == {FLOAT}:
                scope.types[tensor.name] = FLOAT
            else:
                self._to_half(tensor, tensor.name)
                scope.types[tensor.name] = HALF
        for sparse in graph.sparse_initializer:
            if sparse.values.data_type == FLOAT:
                self._to_half(sparse.values, sparse.values.name)
                scope.types[sparse.values.name] = HALF

    def _to_half(self, tensor: TensorProto, name: str) -> None:
        def convert(values: Values) -> Values:
            return self._halves(values, name)

        self._model.convert_later(tensor, HALF, convert)

    def _halves(self, values: Values, name: str) -> Values:
        magnitude = np.abs(values)
        outside = (magnitude > _LARGEST) & np.isfinite(values)
        if outside.any():
            self._changes.limited[name] = None
        values = np.where(outside, np.copysign(_LARGEST, values), values)
        # A small divisor or epsilon that becomes zero makes infinities of what was finite.
        tiny = (magnitude > 0) & (magnitude < _SMALLEST)
        halves = np.where(tiny, np.copysign(_SMALLEST, values), values).astype(np.float16)
        if magnitude.size:
            ends = float(magnitude.max()), float(np.abs(halves).max())
            self._changes.raised[name] = max(ends, self._changes.raised.get(name, (0.0, 0.0)))
        return halves

    def _node(
        self,
        node: NodeProto,
        typed: NodeProto,
        known: Mapping[str, TypeProto],
        scope: _Scope,
        casts: dict[tuple[str, int], str],
        done: list[NodeProto],
    ) -> None:
        floats_in = [bool(name) and scope.now(name) is not None for name in node.input]
        for place, name in enumerate(node.input):
            now = scope.now(name) if name else None
            if now is None:
                continue
            wanted = self._wanted(node, place)
            if wanted != now:
                if (name, wanted) not in casts:
                    suffix = "float16" if wanted == HALF else "float32"
                    new = self._unused(f"{name}_{suffix}")
                    done.append(
                        helper.make_node("Cast", [name], [new], f"Cast_{new}", to=wanted)
                    )
                    casts[name, wanted] = new
                node.input[place] = casts[name, wanted]
        for inner, inner_typed in zip(subgraphs(node), subgraphs(typed), strict=True):
            # Bodies of Loop and Scan may leave out the types of their inputs.
            if len(inner.input) == len(node.input):
                for value, is_float in zip(inner.input, floats_in, strict=True):
                    if is_float and not value.type.WhichOneof("value"):
                        value.type.tensor_type.elem_type = FLOAT
            self.graph(inner, inner_typed, scope, keep_io=False)
        self._attributes(node)
        done.append(node)
        for place, name in enumerate(node.output):
            if not name:
                continue
            if name in known and known[name].WhichOneof("value"):
                is_float = _holds_floats(known[name])
            else:  # behind an operator without a schema nothing was inferred
                is_float = self._is_made_of_floats(node, place, floats_in)
            if is_float:
                scope.types[name] = self._made(node, place)
            else:
                scope.others.add(name)

    def _is_made_of_floats(
        self, node: NodeProto, place: int, floats_in: Sequence[bool]
    ) -> bool:
        """Return whether an output whose type was not inferred was float32: it has the type of
        an input that was. Without a schema, it mostly has that of the inputs."""
        if node.domain not in ("", "ai.onnx") or node.op_type in _IN_STANDARD_DOMAIN:
            return any(floats_in) and node.domain != "ai.onnx.ml"
        try:
            schema: Any = defs.get_schema(node.op_type, self.versions[""], "")
        except defs.SchemaError:
            return False
        inputs, outputs = schema.inputs, schema.outputs
        if not inputs or not outputs:
            return False
        made = outputs[min(place, len(outputs) - 1)].type_str
        return any(
            is_float and inputs[min(number, len(inputs) - 1)].type_str == made
            for number, is_float in enumerate(floats_in)
        )

    def _unused(self, name: str) -> str:
        new, number = name, 1
        while new in self._names:
            number += 1
            new = f"{name}_{number}"
        self._names.add(new)
        return new

    def _wanted(self, node: NodeProto, place: int) -> int:
        """Return the type that a float32 input of a node has to have now."""
        return FLOAT if _stays_float(node, self._keep) else self._of(node, place, "inputs")

    def _made(self, node: NodeProto, place: int) -> int:
        """Return the type of a float32 output now."""
        if _stays_float(node, self._keep):
            return FLOAT
        return self._of(node, place, "outputs")

    def _of(self, node: NodeProto, place: int, side: str) -> int:
        domain = "" if node.domain == "ai.onnx" else node.domain
        if domain == _OWN_DOMAIN or (not domain and node.op_type in _IN_STANDARD_DOMAIN):
            return HALF
        return _schema_type(node.op_type, domain, self.versions.get(domain, 1), side, place)

    def _attributes(self, node: NodeProto) -> None:
        if _stays_float(node, self._keep):
            return
        if node.op_type in _TYPED_BY_ATTRIBUTE and node.domain in ("", "ai.onnx"):
            name, default = _TYPED_BY_ATTRIBUTE[node.op_type]
            own = attribute(node, name)
            if own is not None and own.i == FLOAT:
                own.i = HALF
            elif own is None and default == FLOAT:
                node.attribute.append(helper.make_attribute(name, HALF))
        if node.op_type == "ConstantOfShape" and not node.attribute:
            zero = helper.make_tensor("", FLOAT, (1,), (0.0,))  # which it gives without one
            node.attribute.append(helper.make_attribute("value", zero))
        for own in node.attribute:
            if own.HasField("t") and own.t.data_type == FLOAT:
                self._to_half(own.t, node.output[0] if node.output else node.name)
        if node.op_type == "Constant":
            for own in node.attribute:
                if own.name in ("value_float", "value_floats"):
                    numbers = own.f if own.name == "value_float" else [*own.floats]
                    values = self._halves(np.asarray(numbers, np.float32), node.output[0])
                    tensor = TensorProto()
                    self._model.set_values(tensor, values)
                    own.CopyFrom(helper.make_attribute("value", tensor))


def rename_made(done: Iterable[NodeProto], name: str, new: str) -> bool:
    """Rename a value in the nodes that make and take it; False if no node makes it."""
    renamed = False
    for node in done:
        for place, output in enumerate(node.output):
            if output == name:
                node.output[place], renamed = new, True
        rename_taken(node, name, new)
    return renamed


def rename_taken(node: NodeProto, name: str, new: str) -> None:
    """Make a node, and the graphs inside it, take another value."""
    for place, given in enumerate(node.input):
        if given == name:
            node.input[place] = new
    for graph in subgraphs(node):
        own = {v.name for v in (*graph.input, *graph.initializer)}
        own.update(output for each in graph.node for output in each.output)
        if name in own:
            continue
        for inner in graph.node:
            rename_taken(inner, name, new)
        for value in graph.output:
            if value.name == name:
                value.name = new


def _stays_float(node: NodeProto, keep: Iterable[str]) -> bool:
    """Return whether a layer computes in float32 whatever its schema says."""
    if any(True for _ in subgraphs(node)):
        return False
    if (node.name and node.name in keep) or (node.output and node.output[0] in keep):
        return True
    if _is_refused(node):
        return True
    if node.domain in ("", "ai.onnx"):
        return bool(node.op_type in _STORED_ONLY)
    if node.domain == _OWN_DOMAIN:
        return bool(node.op_type in _FLOAT_ONLY or node.op_type.startswith(_FLOAT_ONLY_STARTS))
    return bool(node.domain != "ai.onnx.ml")


def _is_refused(node: NodeProto) -> bool:
    """Return whether ONNX Runtime has no kernel for a layer in float16, and does without."""
    domain = "" if node.domain == "ai.onnx" else node.domain
    name, values = _REFUSED.get((domain, node.op_type), ("", frozenset[Any]()))
    own = attribute(node, name)
    return values is None or (own is not None and helper.get_attribute_value(own) in values)


@cache
def _schema_type(operator: str, domain: str, version: int, side: str, place: int) -> int:
    """Return HALF where an operator's schema allows float16 for an input or output."""
    try:
        schema: Any = defs.get_schema(operator, version, domain)
    except defs.SchemaError:
        return FLOAT
    formal = getattr(schema, side)
    if not formal:
        return FLOAT
    parameter = formal[min(place, len(formal) - 1)]
    variables = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    allowed = variables.get(parameter.type_str, [parameter.type_str])
    return HALF if any("(float16)" in each for each in allowed) else FLOAT


def _is_float(kind: TypeProto) -> bool:
    return bool(kind.HasField("tensor_type") and kind.tensor_type.elem_type == FLOAT)


def _holds_floats(kind: TypeProto) -> bool:
    """Return whether a type is float32, or a sequence or optional of it."""
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        return bool(getattr(kind, which).elem_type == FLOAT)
    if which in ("sequence_type", "optional_type"):
        return _holds_floats(getattr(kind, which).elem_type)
    return False


def _set_half(kind: TypeProto) -> None:
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        if getattr(kind, which).elem_type == FLOAT:
            getattr(kind, which).elem_type = HALF
    elif which in ("sequence_type", "optional_type"):
        _set_half(getattr(kind, which).elem_type)
