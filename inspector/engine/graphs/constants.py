"""Small constants made known to shape inference, which sees too few of them by itself.

It looks up values only in the graph of a node, not in those around it, and computes hardly
anything. Here, small whole numbers come to where they are used, and simple operators on nothing
but such numbers are computed before.
"""

from collections.abc import Iterator

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from inspector.engine.graphs import naming

_MOST_ELEMENTS, _MOST_INPUTS, _MOST_COMPUTED = 64, 64, 1_000
_KINDS = {TensorProto.INT64, TensorProto.INT32, TensorProto.BOOL}
# None of these makes more elements than it is given, or its result is small by another check.
_SIMPLE = {
    "Add", "And", "Cast", "Concat", "Div", "Equal", "Gather", "Greater", "Identity", "Less",
    "Max", "Min", "Mul", "Neg", "Not", "Or", "ReduceProd", "ReduceSum", "Reshape", "Slice",
    "Squeeze", "Sub", "Transpose", "Unsqueeze", "Where",
}  # fmt: skip
_FILLS = "ConstantOfShape"
_FAULTS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
)  # fmt: skip


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
        known = {name: tensor for name, tensor in outer.items() if name not in named} | own
        for node in graph.node:
            made, operator = None, node.op_type
            if operator == "Constant":
                made = _constant(node)
            elif operator == _FILLS or operator in _SIMPLE:
                made = self._computed(node, known)
            if made is not None and _is_small(made):
                known[node.output[0]] = made
            else:
                for name in node.output:
                    known.pop(name, None)
            for _, inside in naming.bodies(node):
                self.graph(inside, known)
        if outer:
            _bring_in(graph, outer)

    def _computed(self, node: NodeProto, known: dict[str, TensorProto]) -> TensorProto | None:
        """Compute a simple node whose inputs are all known, and make a Constant of it."""
        names = node.input[:]
        if not 0 < len(names) <= _MOST_INPUTS or not all(n in known for n in names if n):
            return None
        if node.domain not in ("", "ai.onnx") or len(node.output) != 1 or not self._left:
            return None
        shaped = node.op_type == _FILLS
        given = {name: known[name] for name in names if name in known}
        arrays = {name: numpy_helper.to_array(tensor) for name, tensor in given.items()}
        if shaped and not 0 <= np.prod(arrays[node.input[0]], dtype=float) <= _MOST_ELEMENTS:
            return None
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


def _bring_in(graph: GraphProto, outer: dict[str, TensorProto]) -> None:
    """Copy the constants of the graphs around that are used in a graph."""
    made = {name for node in graph.node for name in node.output}
    made |= {value.name for value in graph.input} | {t.name for t in graph.initializer}
    used = {name for node in graph.node for name in node.input} & outer.keys()
    for name in sorted(used - made):
        tensor = graph.initializer.add()
        tensor.CopyFrom(outer[name])
        tensor.name = name


def _constant(node: NodeProto) -> TensorProto | None:
    """The value of a Constant, as far as it is a tensor or a whole number."""
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
    """Whether it is of whole numbers, few, and in the model itself."""
    return (
        tensor.data_type in _KINDS
        and tensor.data_location != TensorProto.EXTERNAL
        and min(tensor.dims, default=0) >= 0
        and np.prod(tensor.dims, dtype=float) <= _MOST_ELEMENTS
        and sum(1 for _ in _values(tensor)) <= _MOST_ELEMENTS * 8
    )


def _values(tensor: TensorProto) -> Iterator[object]:
    yield from tensor.raw_data
    yield from tensor.int64_data
    yield from tensor.int32_data
