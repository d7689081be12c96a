"""An If whose condition is constant: the runtime puts the branch in its place; so do we."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from onnx import GraphProto

from inspector.backends.onnxruntime.attribution import graph_index as graphs
from inspector.backends.onnxruntime.attribution.graph_index import Graph, Node
from inspector.backends.onnxruntime.graphs import layer_names

_MARK = "_if_"


@dataclass(frozen=True, slots=True)
class Inlined:
    """A graph after its decided Ifs were replaced by their branches.

    decided: layers of those Ifs. untaken: layers of the branches that were thrown away.
    """

    graph: Graph
    decided: frozenset[int] = frozenset()
    untaken: frozenset[int] = frozenset()


def inline_decided(model: Graph, optimised: Graph) -> Inlined:
    """Replace every If that the optimised graph has no longer by the branch it shows."""
    traces = {
        token
        for name in optimised.producer
        if name.startswith(_MARK)
        for token in layer_names.tokens(name)
    }
    result = Inlined(model)
    place = 0
    while place < len(result.graph.nodes):
        node = result.graph.nodes[place]
        taken = node.operator == "If" and node.name not in optimised.by_name
        branch = _shown(node, optimised, traces) if taken else None
        if branch is None:
            place += 1
        else:
            result = _replace(result, place, branch)
    return result


def _shown(node: Node, optimised: Graph, traces: set[str]) -> str | None:
    votes = {}
    for branch, body, _ in node.bodies:
        makers = (optimised.producer.get(name) for name in node.made)
        names = (optimised.nodes[i].name for i in makers if i is not None)
        votes[branch] = sum(name.startswith(f"{_MARK}{branch}") for name in names)
        votes[branch] += len(traces & {t for inner in body.node for t in inner.output})
    best = max(votes, key=lambda branch: votes[branch], default=None)
    return best if best is not None and votes[best] else None


def _replace(before: Inlined, place: int, branch: str) -> Inlined:
    owner = before.graph.nodes[place]
    body, first = next((body, first) for name, body, first in owner.bodies if name == branch)
    inner = graphs.read(body, first)
    names = dict(zip(inner.outputs, owner.outputs, strict=False))
    moved = [_renamed(node, names) for node in inner.nodes]
    moved += [
        owner._replace(operator="Identity", bodies=(), key=("passed on", owner.layer),
                       inputs=(inside,), needs=(inside,), outputs=(outside,), made=(outside,))
        for inside, outside in names.items() if inside not in inner.producer
    ]  # fmt: skip
    nodes = before.graph.nodes
    graph = replace(
        before.graph,
        nodes=graphs.sorted_nodes((*nodes[:place], *moved, *nodes[place + 1 :])),
        initializers=before.graph.initializers | inner.initializers,
        tensors=before.graph.tensors | inner.tensors,
    )
    untaken = {
        layer
        for name, other, start in owner.bodies
        if name != branch
        for layer in range(start, start + layer_names.size(other))
    }
    return Inlined(graph, before.decided | {owner.layer}, before.untaken | untaken)


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    inputs, outputs, made, needs = (
        tuple(names.get(name, name) for name in tensors)
        for tensors in (node.inputs, node.outputs, node.made, node.needs)
    )
    return node._replace(inputs=inputs, outputs=outputs, made=made, needs=needs)


def layers_of(bodies: tuple[tuple[str, GraphProto, int], ...]) -> frozenset[int]:
    """List the layers inside the subgraphs of a node."""
    return frozenset(
        layer
        for _, body, first in bodies
        for layer in range(first, first + layer_names.size(body))
    )
