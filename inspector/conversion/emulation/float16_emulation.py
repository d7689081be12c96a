"""Float16 arithmetic on float32 kernels: each result is rounded as hardware with float16 does.

A CPU computes a float16 model in float32 and may skip the rounding between two layers, so that
values beyond 65,504 survive there and nowhere else. Here, each layer computes in float32 from
float16 values, and its results are rounded to float16, to infinity where they are too large:
what a GPU or NPU does that adds up in float32 and stores float16. With `accumulate`, sums are
rounded after each addition, too.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, TypeProto, helper, inliner
from onnx import shape_inference as inference

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel, Values
from inspector.conversion.emulation.rounded_sums import RoundedSums
from inspector.conversion.float16 import rename_made, rename_taken
from inspector.conversion.plan import Context, Plan, counted, refill, subgraphs
from inspector.conversion.preparation import DEFAULT_DOMAINS, all_names, unused_name
from inspector.model.operator_traits import VIEWS

FLOAT: int = TensorProto.FLOAT
HALF: int = TensorProto.FLOAT16
# values of the option `accumulate`
_FLOAT32 = "float32"
_FLOAT16 = "float16"
_RUNTIME_DOMAIN = "com.microsoft"
# Their results are values that they were given, or bounds that are float16 already.
_EXACT = VIEWS | {
    "Transpose", "Slice", "Split", "Concat", "Gather", "GatherElements", "GatherND", "Expand",
    "Tile", "Pad", "Relu", "Abs", "Neg", "Max", "Min", "Clip", "MaxPool", "GlobalMaxPool",
    "ReduceMax", "ReduceMin", "Where", "DepthToSpace", "SpaceToDepth", "Compress", "ScatterND",
    "ScatterElements", "TopK", "Constant", "ConstantOfShape", "Sign", "Round", "Floor", "Ceil",
    "Trilu", "SequenceConstruct", "SequenceAt", "SequenceInsert", "SequenceErase",
    "SequenceEmpty", "SplitToSequence", "ConcatFromSequence", "OptionalGetElement", "Optional",
    "Unique", "If", "Loop", "Scan",
}  # fmt: skip
# Attributes that say the type of what a layer makes.
_TYPES = ("to", "dtype", "output_datatype", "output_dtype", "stash_type")
# Operators of the runtime that make integers of float16.
_QUANTIZING = ("QuantizeLinear", "DynamicQuantize")


def emulate_float16(
    model: EditableModel, accumulate: str = _FLOAT32, ranges: bool = False
) -> Plan:
    """Plan the emulation. accumulate: type of sums inside layers. ranges: measure the range of
    each result before it is rounded."""
    if model.proto.functions:
        model.proto.CopyFrom(inliner.inline_local_functions(model.proto))
    emulator = _Emulator(model, accumulate == _FLOAT16)
    before = model.size_bytes()
    if not emulator.rounded:
        nothing = "no layer of the model computes in float16"
        return Plan(Effect(bytes_before=before, nothing=nothing))
    operators = [operator for _, operator in emulator.rounded.values()]
    effect = Effect(
        f"results of {counted(operators)} rounded to float16",
        len(operators),
        before,
        caution="The result is for checks: it is larger and slower than the model.",
    )

    def observe() -> tuple[str, ...]:
        emulator.apply(Context())
        return tuple(emulator.unrounded[name] for name in emulator.rounded)

    return Plan(
        effect,
        emulator.apply,
        observe if ranges else None,
        layers=tuple(emulator.rounded.values()),
        results=tuple(emulator.rounded),
        peaks=False,
    )


class _Emulator:
    """Replaces float16 by rounded float32 in all graphs of a model.

    rounded: name of a result -> name and operator of its layer. unrounded: name of a result ->
    its name before it is rounded, after `apply`.
    """

    def __init__(self, model: EditableModel, accumulates: bool) -> None:
        self._model, self._accumulates = model, accumulates
        self._typed = inference.infer_shapes(model.proto).graph
        self._names = all_names(model.proto.graph)
        self.rounded: dict[str, tuple[str, str]] = {}
        self.unrounded: dict[str, str] = {}
        self._half: list[set[str]] = []  # float16 values of each graph, the outer ones first
        self._find(model.proto.graph, self._typed, frozenset())

    def apply(self, context: Context) -> None:
        """Change the model in place."""
        graph = self._model.proto.graph
        half, remaining = self._half[0], iter(self._half)
        taken = [v.name for v in graph.input if v.name in half]
        weights = {tensor.name for tensor in graph.initializer}
        made = [v.name for v in graph.output if v.name in half and v.name not in taken]
        sums = RoundedSums(self._model, self._typed, self._names) if self._accumulates else None
        self._emulate(graph, remaining, sums)
        inputs = [name for name in taken if name not in weights]
        self._keep_interface(graph, inputs, [name for name in made if name not in weights])
        if sums is not None and sums.skipped:
            context.notes.append(
                f"Sums stay float32 inside {counted(sums.skipped)}: only their results are "
                "rounded."
            )

    def _find(self, graph: GraphProto, typed: GraphProto, outer: frozenset[str]) -> None:
        """Note which values are float16, and which layers compute them."""
        half = {t.name for t in graph.initializer if t.data_type == HALF}
        self._half.append(half)
        half |= {s.values.name for s in graph.sparse_initializer if s.values.data_type == HALF}
        known: dict[str, TypeProto] = {
            v.name: v.type
            for v in (*typed.value_info, *typed.output, *graph.output, *graph.input)
            if v.type.WhichOneof("value")
        }
        half |= {v.name for v in graph.input if _holds_half(v.type)}
        for node, other in zip(graph.node, typed.node, strict=True):
            given = any(name in half or name in outer for name in node.input)
            for name in filter(None, node.output):
                if _holds_half(known[name]) if name in known else self._likely(node, given):
                    half.add(name)
                    if node.op_type not in _EXACT or node.domain not in DEFAULT_DOMAINS:
                        label = node.name or node.output[0]
                        self.rounded[name] = (label, node.op_type)
            inner = frozenset(half | outer)
            for body, inner_typed in zip(subgraphs(node), subgraphs(other), strict=True):
                self._find(body, inner_typed, inner)

    def _likely(self, node: NodeProto, given: bool) -> bool:
        """Return whether a result of unknown type is float16: mostly as the inputs are."""
        own = next((a.i for a in node.attribute if a.name in _TYPES), None)
        if own is not None and node.op_type != "LayerNormalization":
            return bool(own == HALF)
        return given and not node.op_type.startswith(_QUANTIZING)

    def _emulate(
        self, graph: GraphProto, remaining: Iterator[set[str]], sums: RoundedSums | None
    ) -> None:
        half = next(remaining)
        main = half is self._half[0]
        for tensor in graph.initializer:
            if tensor.data_type == HALF:
                self._model.convert_later(tensor, FLOAT, _widened)
        for sparse in graph.sparse_initializer:
            if sparse.values.data_type == HALF:
                self._model.convert_later(sparse.values, FLOAT, _widened)
        done: list[NodeProto] = []
        for node in graph.node:
            for body in subgraphs(node):
                self._emulate(body, remaining, sums)
            self._widen_attributes(node)
            foreign = node.domain not in (*DEFAULT_DOMAINS, _RUNTIME_DOMAIN, "ai.onnx.ml")
            if foreign:
                self._narrow_inputs(node, half, done)
            results = [name for name in node.output if name in self.rounded]
            renamed = dict[str, str]()
            for name in results:
                renamed[name] = self._unused(f"{name}_unrounded")
                place = [*node.output].index(name)
                node.output[place] = renamed[name]
            replaced = sums.replaced(node) if sums is not None and results else None
            done += [node] if replaced is None else replaced
            for name, wide in renamed.items():
                if foreign:  # it makes float16 itself
                    done.append(_cast(wide, name, FLOAT))
                    continue
                self.unrounded[name] = wide
                narrow = self._unused(f"{name}_rounded")
                done += [_cast(wide, narrow, HALF), _cast(narrow, name, FLOAT)]
        refill(graph.node, done)
        kept = [value for value in graph.value_info if not _holds_half(value.type)]
        refill(graph.value_info, kept)
        initial = {tensor.name for tensor in graph.initializer}
        for value in graph.input:
            if not main or value.name in initial:
                _set_float(value.type)
        if not main:
            for value in graph.output:
                _set_float(value.type)

    def _narrow_inputs(self, node: NodeProto, half: set[str], done: list[NodeProto]) -> None:
        """Give a custom operator, whose types are not known, the float16 that it takes."""
        for place, name in enumerate(node.input):
            if name in half:
                narrow = self._unused(f"{name}_narrow")
                done.append(_cast(name, narrow, HALF))
                node.input[place] = narrow

    def _keep_interface(
        self, graph: GraphProto, taken: Sequence[str], made: Sequence[str]
    ) -> None:
        """Leave inputs and outputs float16, with a Cast inside."""
        done = [*graph.node]
        kinds = {value.name: value.type for value in (*graph.input, *graph.output)}
        casts = []
        for name in taken:
            if not _is_tensor(kinds[name]):
                _set_float(kinds[name])
                continue
            wide = self._unused(f"{name}_float32")
            for node in done:
                rename_taken(node, name, wide)
            casts.append(_cast(name, wide, FLOAT))
        for name in made:
            if not _is_tensor(kinds[name]):
                _set_float(kinds[name])
                continue
            wide = self._unused(f"{name}_float32")
            if rename_made(done, name, wide):
                done.append(_cast(wide, name, HALF))
        refill(graph.node, [*casts, *done])

    def _widen_attributes(self, node: NodeProto) -> None:
        for own in node.attribute:
            if own.name in _TYPES and own.i == HALF and own.name != "stash_type":
                own.i = FLOAT
            if own.HasField("t") and own.t.data_type == HALF:
                self._model.convert_later(own.t, FLOAT, _widened)
            for tensor in own.tensors:
                if tensor.data_type == HALF:
                    self._model.convert_later(tensor, FLOAT, _widened)

    def _unused(self, name: str) -> str:
        return unused_name(name, self._names)


def _widened(values: Values) -> Values:
    return np.asarray(values, np.float32)


def _cast(source: str, target: str, to: int) -> NodeProto:
    return helper.make_node("Cast", [source], [target], to=to)


def _is_tensor(kind: TypeProto) -> bool:
    return bool(kind.WhichOneof("value") == "tensor_type")


def _holds_half(kind: TypeProto) -> bool:
    """Return whether a type is float16, or a sequence or optional of it."""
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        return bool(getattr(kind, which).elem_type == HALF)
    if which in ("sequence_type", "optional_type"):
        return _holds_half(getattr(kind, which).elem_type)
    return False


def _set_float(kind: TypeProto) -> None:
    which = kind.WhichOneof("value")
    if which in ("tensor_type", "sparse_tensor_type"):
        if getattr(kind, which).elem_type == HALF:
            getattr(kind, which).elem_type = FLOAT
    elif which in ("sequence_type", "optional_type"):
        _set_float(getattr(kind, which).elem_type)
