"""Sums of float32 values that are rounded to float16 after each addition.

Hardware that adds up in float16 overflows inside a mean, and loses small terms beside a large
sum. Reductions add in pairs, as parallel hardware does; CumSum, MatMul and Gemm add one term
after the other. The layer itself stays in the graph where its result says the shape.
"""

from collections.abc import Sequence

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import attribute, graphs
from inspector.conversion.preparation import DEFAULT_DOMAINS, unused_name

FLOAT: int = TensorProto.FLOAT
HALF: int = TensorProto.FLOAT16
_INT: int = TensorProto.INT64
_END = (1 << 31) - 1  # behind any axis
_MIN_OPSET = 11  # whose Scan counts axes from the end
_AXES_AS_INPUT = 13  # opset from which Unsqueeze has its axes as an input
# Of a MatMul's second operand: beyond, adding term by term takes minutes.
MOST_ELEMENTS = 1 << 22
# Layers that add up inside, and are not taken apart here.
_OTHER_SUMS = frozenset(
    ("Conv", "ConvTranspose", "AveragePool", "LpPool", "Einsum", "LSTM", "GRU", "RNN", "DFT",
     "STFT", "LayerNormalization", "InstanceNormalization", "GroupNormalization",
     "RMSNormalization", "Attention", "LRN", "LpNormalization", "ReduceLogSum",
     "ReduceLogSumExp", "Sum", "Mean")
)  # fmt: skip
_REDUCTIONS = frozenset(
    ("ReduceSum", "ReduceMean", "ReduceSumSquare", "ReduceL1", "ReduceL2", "GlobalAveragePool")
)
_MEANS = frozenset(("ReduceMean", "GlobalAveragePool"))
_NO_AXES = helper.make_tensor("", _INT, [0], [])


class RoundedSums:
    """Takes layers apart. names: of all values, to which new ones are added.

    skipped: operators of the layers whose sums stay float32.
    """

    def __init__(self, model: EditableModel, typed: GraphProto, names: set[str]) -> None:
        self.skipped: list[str] = []
        self._opset, self._names = model.opset, names
        self._fixed: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int64]]] = {}
        self._ranks: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        for graph in graphs(typed):
            for value in (*graph.input, *graph.output, *graph.value_info):
                if value.type.tensor_type.HasField("shape"):
                    self._ranks[value.name] = len(value.type.tensor_type.shape.dim)
        for graph in graphs(model.proto.graph):
            for tensor in graph.initializer:
                self._ranks[tensor.name] = len(tensor.dims)
                self._sizes[tensor.name] = int(np.prod(tensor.dims))
                if tensor.data_type == _INT and tensor.data_location != TensorProto.EXTERNAL:
                    self._fixed[tensor.name] = numpy_helper.to_array(tensor)
            for node in graph.node:
                own = attribute(node, "value") if node.op_type == "Constant" else None
                if own is not None and own.t.data_type == _INT:
                    self._fixed[node.output[0]] = numpy_helper.to_array(own.t)

    def replaced(self, node: NodeProto) -> list[NodeProto] | None:
        """Return nodes that make the same output with rounded sums; None to leave a node."""
        if node.domain not in DEFAULT_DOMAINS:
            return None
        made: list[NodeProto] | None = None
        operator = node.op_type
        if self._opset >= _MIN_OPSET:
            if operator in _REDUCTIONS:
                made = self._reduction(node)
            elif operator == "CumSum":
                made = self._cumulative(node)
            elif operator in ("MatMul", "Gemm"):
                made = self._product(node)
        adds = operator in _REDUCTIONS or operator in ("CumSum", "MatMul", "Gemm")
        if made is None and (adds or operator in _OTHER_SUMS):
            self.skipped.append(operator)
        return made

    def _reduction(self, node: NodeProto) -> list[NodeProto] | None:
        axes = self._axes(node)
        if axes is None:
            return None
        build = _Builder(self._names)
        shape = build.shape_of(node)
        value = node.input[0]
        if node.op_type in ("ReduceSumSquare", "ReduceL2"):
            value = build.rounded(build.add("Mul", value, value))
        elif node.op_type == "ReduceL1":
            value = build.add("Abs", value)
        if node.op_type == "GlobalAveragePool":  # all axes behind the channels
            value, axes = build.add("Reshape", value, build.integers([0, 0, -1])), (2,)
        elif not axes:
            value, axes = build.add("Reshape", value, build.integers([-1])), (0,)
        for axis in axes:
            value = build.pairwise_sum(value, axis)
        if node.op_type in _MEANS:
            count = build.add("Div", build.add("Size", node.input[0]), _size(build, shape))
            value = build.add("Div", value, build.add("Cast", count, to=FLOAT))
        elif node.op_type == "ReduceL2":
            value = build.add("Sqrt", value)
        build.nodes.append(helper.make_node("Reshape", [value, shape], [node.output[0]]))
        return build.nodes

    def _axes(self, node: NodeProto) -> tuple[int, ...] | None:
        """Return the axes of a reduction, empty for all; None where they are not known."""
        own = attribute(node, "axes")
        if own is not None:
            return tuple(own.ints)
        if len(node.input) > 1 and node.input[1]:
            known = self._fixed.get(node.input[1])
            if known is None:
                return None
            if known.size:
                return tuple(int(axis) for axis in known.ravel())
        noop = attribute(node, "noop_with_empty_axes")
        return None if noop is not None and noop.i else ()

    def _cumulative(self, node: NodeProto) -> list[NodeProto] | None:
        known = self._fixed.get(node.input[1])
        rank = self._ranks.get(node.input[0], 0)
        if known is None or known.size != 1 or not rank:
            return None
        axis = int(known.ravel()[0])
        flags = {name: attribute(node, name) for name in ("exclusive", "reverse")}
        exclusive, backward = (own is not None and own.i for own in flags.values())
        build = _Builder(self._names)
        first = build.add("Gather", node.input[0], build.integer(0), axis=axis)
        start = build.zeros(build.add("Shape", first))
        inner = _Builder(self._names)
        total, term = inner.name("total"), inner.name("term")
        after = inner.rounded(inner.add("Add", total, term))
        given = inner.add("Identity", total if exclusive else after)
        body = _graph(inner, (total, term), (after, given), rank - 1)
        last = build.name("total")
        build.nodes.append(
            helper.make_node(
                "Scan", [start, node.input[0]], [last, node.output[0]], body=body,
                num_scan_inputs=1, scan_input_axes=[axis], scan_output_axes=[axis],
                scan_input_directions=[int(backward)], scan_output_directions=[int(backward)],
            )
        )  # fmt: skip
        return build.nodes

    def _product(self, node: NodeProto) -> list[NodeProto] | None:
        first, second = node.input[:2]
        ranks = self._ranks.get(first, 0), self._ranks.get(second, 0)
        if min(ranks) < 2:
            return None
        if self._sizes.get(second, 0) > MOST_ELEMENTS:
            return None
        turned = [attribute(node, name) for name in ("transA", "transB")]
        turned_first, turned_second = (own is not None and bool(own.i) for own in turned)
        build = _Builder(self._names)
        plain = NodeProto()
        plain.CopyFrom(node)
        del plain.input[2:]
        start = build.zeros(build.shape_of(plain))
        inner = _Builder(self._names)
        total, row, column = (inner.name(each) for each in ("total", "row", "column"))
        one = self._unsqueezed(inner, row, -1)
        two = self._unsqueezed(inner, column, -2)
        product = inner.add("Mul", one, two)
        after = inner.rounded(inner.add("Add", total, product))
        body = _graph(inner, (total, row, column), (after,), max(ranks))
        axes = [-2 if turned_first else -1, -1 if turned_second else -2]
        value = build.name("product")
        build.nodes.append(
            helper.make_node(
                "Scan", [start, first, second], [value], body=body, num_scan_inputs=2,
                scan_input_axes=axes,
            )
        )  # fmt: skip
        for factor, name in (("alpha", value), ("beta", "")):
            own = attribute(node, factor)
            scale = 1.0 if own is None else own.f
            if factor == "alpha":
                value = build.scaled(name, scale)
            elif len(node.input) > 2 and node.input[2]:
                value = build.add("Add", value, build.scaled(node.input[2], scale))
        build.nodes.append(helper.make_node("Identity", [value], [node.output[0]]))
        return build.nodes

    def _unsqueezed(self, build: "_Builder", value: str, axis: int) -> str:
        if self._opset < _AXES_AS_INPUT:
            return build.add("Unsqueeze", value, axes=[axis])
        return build.add("Unsqueeze", value, build.integers([axis]))


class _Builder:
    """Nodes of a graph, with names that no other value has."""

    def __init__(self, names: set[str]) -> None:
        self.nodes: list[NodeProto] = []
        self._names = names

    def name(self, wanted: str) -> str:
        return unused_name(f"float16_sum_{wanted}", self._names)

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        """Add a node, and return its output."""
        output = self.name(operator)
        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def integers(self, values: Sequence[int]) -> str:
        return self.add("Constant", value=helper.make_tensor("", _INT, [len(values)], values))

    def integer(self, value: int) -> str:
        return self.add("Constant", value=helper.make_tensor("", _INT, [], [value]))

    def zeros(self, shape: str) -> str:
        zero = helper.make_tensor("", FLOAT, [1], [0.0])
        return self.add("ConstantOfShape", shape, value=zero)

    def rounded(self, value: str) -> str:
        return self.add("Cast", self.add("Cast", value, to=HALF), to=FLOAT)

    def scaled(self, value: str, factor: float) -> str:
        if factor == 1:
            return value
        tensor = helper.make_tensor("", FLOAT, [], [factor])
        return self.add("Mul", value, self.add("Constant", value=tensor))

    def shape_of(self, node: NodeProto) -> str:
        """Add a node as it is, with another output, and return the shape of that."""
        plain = NodeProto()
        plain.CopyFrom(node)
        plain.name, plain.output[0] = "", self.name("plain")
        self.nodes.append(plain)
        return self.add("Shape", plain.output[0])

    def pairwise_sum(self, value: str, axis: int) -> str:
        """Add the sum along an axis, which stays with length 1."""
        more = self.add("Greater", _length(self, value, axis), self.integers([1]))
        inner = _Builder(self._names)
        number, goes_on, terms = (inner.name(each) for each in ("number", "goes_on", "terms"))
        length = _length(inner, terms, axis)
        half = inner.add("Div", length, inner.integers([2]))
        twice = inner.add("Mul", half, inner.integers([2]))
        along = inner.integers([axis])
        one = inner.add("Slice", terms, inner.integers([0]), half, along)
        two = inner.add("Slice", terms, half, twice, along)
        rest = inner.add("Slice", terms, twice, inner.integers([_END]), along)
        after = inner.add("Concat", inner.rounded(inner.add("Add", one, two)), rest, axis=axis)
        left = inner.add("Greater", _length(inner, after, axis), inner.integers([1]))
        flag = inner.add("Reshape", left, inner.add("Constant", value=_NO_AXES))
        body = helper.make_graph(
            inner.nodes,
            "sum",
            [
                helper.make_tensor_value_info(number, _INT, ()),
                helper.make_tensor_value_info(goes_on, TensorProto.BOOL, ()),
                helper.make_tensor_value_info(terms, FLOAT, None),
            ],
            [
                helper.make_tensor_value_info(flag, TensorProto.BOOL, ()),
                helper.make_tensor_value_info(after, FLOAT, None),
            ],
        )
        start = self.add("Reshape", more, self.add("Constant", value=_NO_AXES))
        return self.add("Loop", "", start, value, body=body)


def _length(build: _Builder, value: str, axis: int) -> str:
    """Add the length of an axis, as a tensor with one element."""
    return build.add("Gather", build.add("Shape", value), build.integers([axis]))


def _size(build: _Builder, shape: str) -> str:
    return build.add("ReduceProd", shape, keepdims=0)


def _graph(build: _Builder, taken: Sequence[str], made: Sequence[str], rank: int) -> GraphProto:
    """Return the body of a Scan over float32 values. rank: of what it makes."""
    return helper.make_graph(
        build.nodes,
        "sum",
        [helper.make_tensor_value_info(name, FLOAT, None) for name in taken],
        # ONNX Runtime wants to know how many axes there are, but not their lengths.
        [helper.make_tensor_value_info(name, FLOAT, [None] * rank) for name in made],
    )
