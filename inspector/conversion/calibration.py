"""Outputs that report the range of inner values, for a model that is run to calibrate it.

Values inside the graphs of If, Loop and Scan are reported as further outputs of these layers.
Those of a branch that did not run are infinite, so that they change no range.
"""

from collections.abc import Iterator, MutableSequence, Sequence
from typing import Any

from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper

from inspector.conversion.action import HIGHEST, HISTOGRAM, LOWEST, PEAKS
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.edits.graph_edits import to_opset
from inspector.conversion.int8_layers import CONVOLUTIONS, PRODUCTS
from inspector.conversion.plan import attribute, own_names, subgraphs
from inspector.conversion.preparation import DEFAULT_DOMAINS, all_names, constants, unused_name
from inspector.model.operator_traits import CONTROL_FLOW

_SCATTER_ADD_OPSET = 16  # from which ScatterElements adds
_AXES_INPUT_OPSET = 18  # from which axes of ReduceMax are an input
_BINS = 2048
_SMALLEST_WIDTH = 1e-30
_REDUCTIONS = ((LOWEST, "ReduceMin", float("inf")), (HIGHEST, "ReduceMax", -float("inf")))


def add_observers(
    model: EditableModel, names: Sequence[str], histograms: bool = False, peaks: bool = True
) -> None:
    """Give a model two outputs for each float32 tensor: its lowest and highest value.

    peaks: those that layers with weights make get a third one, the largest magnitude of each
    channel.
    histograms: add one with counts of values, for tensors of the main graph.
    """
    if histograms and model.opset < _SCATTER_ADD_OPSET:
        to_opset(model, _SCATTER_ADD_OPSET)
    _Observers(model.proto.graph, names, model.opset).run(histograms, peaks)


class _Observers:
    def __init__(self, graph: GraphProto, wanted: Sequence[str], opset: int) -> None:
        self._graph, self._wanted, self._names = graph, set(wanted), all_names(graph)
        self._opset = opset

    def run(self, histograms: bool, peaks: bool) -> None:
        """Add the outputs, in place."""
        own = sorted(self._wanted & own_names(self._graph)) if histograms else []
        for output in self._reports(self._graph):
            self._graph.output.append(_value(output))
        for name, rank, columns in self._with_channels() if peaks else ():
            body = self._graph.node
            magnitude = unused_name(f"{name}_magnitude", self._names)
            body.append(helper.make_node("Abs", [name], [magnitude]))
            axes = [0, *range(2, rank)]
            if columns:
                shape = self._constant(body, [-1, columns], TensorProto.INT64)
                rows = unused_name(f"{name}_rows", self._names)
                body.append(helper.make_node("Reshape", [magnitude, shape], [rows]))
                magnitude, axes = rows, [0]
            # Not GlobalMaxPool, which refuses a tensor without values.
            inputs, more = [magnitude], dict[str, Any]()
            if self._opset >= _AXES_INPUT_OPSET:
                inputs.append(self._constant(body, axes, TensorProto.INT64))
            else:
                more["axes"] = axes
            peak = name + PEAKS
            body.append(helper.make_node("ReduceMax", inputs, [peak], keepdims=0, **more))
            kind = helper.make_tensor_value_info(peak, TensorProto.FLOAT, None)
            self._graph.output.append(kind)
        if own:
            self._add_histograms(own)

    def _add_histograms(self, names: Sequence[str]) -> None:
        body = list[NodeProto]()
        zeros = self._constant(body, [0.0] * _BINS, TensorProto.FLOAT)
        bins = self._constant(body, [float(_BINS)], TensorProto.FLOAT)
        tiny = self._constant(body, [_SMALLEST_WIDTH], TensorProto.FLOAT)
        flat = self._constant(body, [-1], TensorProto.INT64)
        first = self._constant(body, [0], TensorProto.INT64)
        last = self._constant(body, [_BINS - 1], TensorProto.INT64)
        one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
        for name in names:

            def node(operator: str, *inputs: str, name: str = name, **more: Any) -> str:
                output = unused_name(f"{name}_{operator}", self._names)
                body.append(helper.make_node(operator, inputs, [output], **more))
                return output

            row = node("Reshape", name, flat)
            width = node("Max", node("Sub", name + HIGHEST, name + LOWEST), tiny)
            share = node("Div", node("Sub", row, name + LOWEST), width)
            place = node("Cast", node("Mul", share, bins), to=TensorProto.INT64)
            place = node("Min", node("Max", place, first), last)
            ones = node("ConstantOfShape", node("Shape", place), value=one)
            counts = node("ScatterElements", zeros, place, ones, axis=0, reduction="add")
            body.append(helper.make_node("Identity", [counts], [name + HISTOGRAM]))
            self._graph.output.append(
                helper.make_tensor_value_info(name + HISTOGRAM, TensorProto.FLOAT, (_BINS,))
            )
        self._graph.node.extend(body)

    def _with_channels(self) -> Iterator[tuple[str, int, int]]:
        """Yield those values that a layer with a weight makes, with a bias, Relu or Clip behind
        it; the rank of the weight, and how many channels are on the last axis, 0 where they are
        on the second."""
        makers = {name: node for node in self._graph.node for name in node.output}
        fixed = constants(self._graph)
        for name in sorted(self._wanted & set(makers)):
            maker = makers[name]
            while maker.op_type in ("Relu", "Clip", "Add"):
                moving = [each for each in maker.input if each not in fixed]
                if len(moving) != 1 or moving[0] not in makers:
                    break
                maker = makers[moving[0]]
            if maker.domain not in DEFAULT_DOMAINS:
                continue
            weight = fixed.get(maker.input[1]) if len(maker.input) > 1 else None
            if weight is None:
                continue
            if maker.op_type in CONVOLUTIONS:
                yield name, len(weight.dims), 0
            elif maker.op_type in PRODUCTS:
                turned = attribute(maker, "transB")
                axis = 0 if turned is not None and turned.i else -1
                yield name, len(weight.dims), weight.dims[axis]

    def _reports(self, graph: GraphProto) -> list[str]:
        """Return the names of values with one element each that a graph now makes."""
        made, body = list[str](), list[NodeProto]()
        shape = ""
        for name in sorted(self._wanted & own_names(graph)):
            if not shape:
                shape = self._constant(body, [1], TensorProto.INT64)
            for ending, operator, _ in _REDUCTIONS:
                reduced = unused_name(f"{name}_reduced", self._names)
                body.append(helper.make_node(operator, [name], [reduced], keepdims=0))
                body.append(helper.make_node("Reshape", [reduced, shape], [name + ending]))
                made.append(name + ending)
        for node in graph.node:
            if node.domain in DEFAULT_DOMAINS and node.op_type in CONTROL_FLOW:
                made += self._from_branches(node) if node.op_type == "If" else []
                made += self._from_body(node, body) if node.op_type != "If" else []
        graph.node.extend(body)
        return made

    def _from_branches(self, node: NodeProto) -> list[str]:
        reports = [(branch, self._reports(branch)) for branch in subgraphs(node)]
        made = [output for _, outputs in reports for output in outputs]
        for branch, outputs in reports:
            constants = list[NodeProto]()
            for output in made:
                source = output
                if output not in outputs:
                    neutral = next(n for e, _, n in _REDUCTIONS if output.endswith(e))
                    source = self._constant(constants, [neutral], TensorProto.FLOAT)
                inner = unused_name(f"{output}_in_branch", self._names)
                constants.append(helper.make_node("Identity", [source], [inner]))
                branch.output.append(_value(inner))
            branch.node.extend(constants)
        node.output.extend(made)
        return made

    def _from_body(self, node: NodeProto, outside: list[NodeProto]) -> list[str]:
        """Report the values of all iterations of a Loop or Scan; outside: nodes beside it."""
        inner = next(iter(subgraphs(node)))
        made = self._reports(inner)
        if not made:
            return []
        flat = self._constant(outside, [-1], TensorProto.INT64)
        for output in made:
            _, operator, neutral = next(r for r in _REDUCTIONS if output.endswith(r[0]))
            named = unused_name(f"{output}_in_body", self._names)
            inner.node.append(helper.make_node("Identity", [output], [named]))
            inner.output.append(_value(named))
            stacked = unused_name(f"{output}_stacked", self._names)
            node.output.append(stacked)
            row, joined = (unused_name(f"{output}_{e}", self._names) for e in ("flat", "all"))
            start = self._constant(outside, [neutral], TensorProto.FLOAT)  # of no iterations
            outside.append(helper.make_node("Reshape", [stacked, flat], [row]))
            outside.append(helper.make_node("Concat", [row, start], [joined], axis=0))
            outside.append(helper.make_node(operator, [joined], [output], keepdims=1))
        for name in ("scan_output_axes", "scan_output_directions"):
            given = attribute(node, name)
            if given is not None:
                given.ints.extend([0] * len(made))
        return made

    def _constant(
        self, body: MutableSequence[NodeProto], values: Sequence[float], kind: int
    ) -> str:
        name = unused_name("observer_constant", self._names)
        tensor = helper.make_tensor(name, kind, [len(values)], values)
        body.append(helper.make_node("Constant", [], [name], value=tensor))
        return name


def _value(name: str) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, (1,))
