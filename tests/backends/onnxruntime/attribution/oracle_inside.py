"""The oracle for a whole model: the main graph, and the bodies of If, Loop and Scan.

A body is run by itself, as a model whose inputs are what its node gave it the first time and
what it takes from around it; both sides by themselves, each with its own names.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

from inspector.backends.onnxruntime.attribution.attribution import Attribution
from inspector.backends.onnxruntime.attribution.graph_index import captured_tensors
from inspector.backends.onnxruntime.graphs import layer_names
from tests.backends.onnxruntime.attribution.oracle import Tensor, Verdict, all_values, compared

Values = Mapping[str, Tensor]


def judge_all(
    model: ModelProto,
    optimised: ModelProto,
    found: Attribution,
    feeds: Values,
    tolerance: float = 2e-3,
) -> Verdict:
    """Compare every identified pair of every graph that the first run goes through."""
    # Of old models the runtime keeps weights among the inputs and leaves some of them out.
    given = held(model.graph) | feeds
    theirs = {0: given | all_values(model, given)}
    ours = {0: given | held(optimised.graph) | all_values(optimised, given)}
    verdict = compared(ours[0], theirs[0], found.graphs[0].tensors, tolerance)
    layers, nodes = dict(numbered(model.graph)), dict(numbered(optimised.graph))
    for number, body in enumerate(found.graphs):
        if body.owner is None:
            continue
        owner = found.executed[body.owner]
        if owner.lead is None or owner.graph not in ours:
            continue
        pairs = ((model, layers[owner.lead], theirs), (optimised, nodes[body.owner], ours))
        for whole, node, values in pairs:
            inside = inner_values(whole, node, body.branch, values[owner.graph])
            if inside is not None:
                values[number] = inside
        if number in ours and number in theirs:
            more = compared(ours[number], theirs[number], body.tensors, tolerance)
            verdict = Verdict(verdict.agree + more.agree, verdict.differ + more.differ)
    return verdict


def numbered(graph: GraphProto, first: int = 0) -> Iterator[tuple[int, NodeProto]]:
    """Number nodes as layers are, subgraphs behind the node that has them."""
    for node in graph.node:
        yield first, node
        first += 1
        for _, body in layer_names.bodies(node):
            yield from numbered(body, first)
            first += layer_names.size(body)


def held(graph: GraphProto) -> dict[str, Tensor]:
    return {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in graph.initializer
        if not tensor.external_data
    }


def inner_values(
    whole: ModelProto, node: NodeProto, branch: str, around: Values
) -> dict[str, Tensor] | None:
    body = dict(layer_names.bodies(node))[branch]
    given = _first_inputs(node, branch, body, around)
    if given is None:
        return None
    for name in captured_tensors(body):
        if name not in around:
            return None
        given[name] = around[name]
    if not all(isinstance(value, np.ndarray) for value in given.values()):
        return None
    alone = ModelProto(ir_version=max(8, whole.ir_version), functions=whole.functions)
    alone.opset_import.extend(whole.opset_import)
    alone.graph.CopyFrom(body)
    del alone.graph.input[:], alone.graph.output[:], alone.graph.value_info[:]
    made = {name for inner in body.node for name in inner.output}
    for name, value in given.items():
        kind = helper.np_dtype_to_tensor_dtype(value.dtype)
        shape = helper.make_tensor_value_info(name, kind, value.shape)
        alone.graph.input.append(shape)
    outputs = [value.name for value in body.output if value.name in made]
    alone.graph.output.extend(ValueInfoProto(name=name) for name in outputs)
    if not made:
        return dict(given)
    return given | all_values(alone, given) | held(body)


def _first_inputs(
    node: NodeProto, branch: str, body: GraphProto, around: Values
) -> dict[str, Tensor] | None:
    names = [value.name for value in body.input]
    try:
        given = [around[name] if name else None for name in node.input]
    except KeyError:
        return None
    if node.op_type == "If":
        condition = bool(np.asarray(given[0]).ravel()[0])
        return {} if condition == (branch == "then_branch") else None
    if node.op_type == "Loop":
        count = given[0]
        if count is not None and int(np.asarray(count).ravel()[0]) < 1:
            return None
        values = [np.array(0, np.int64), np.array(True), *given[2:]]
    elif node.op_type == "Scan":
        told = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        count = told["num_scan_inputs"]
        axes = told.get("scan_input_axes") or [0] * count
        turned = told.get("scan_input_directions") or [0] * count
        states = len(given) - count
        slices = [
            np.take(np.asarray(value), -1 if backwards else 0, axis)
            for value, axis, backwards in zip(given[states:], axes, turned, strict=True)
        ]
        values = [*given[:states], *slices]
    else:
        return None
    if any(value is None for value in values):
        return None
    return dict(zip(names, values, strict=True))
