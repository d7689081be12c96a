"""Attribution of kernels of the optimized model to layers, with the outcome of each layer.

Covers subgraphs. An If whose condition is constant is replaced by its branch first, as the
runtime does.
"""

import gc
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from msgspec import Struct, field
from onnx import GraphProto, ModelProto

from inspector.backends.onnxruntime.attribution import graph_index as graphs
from inspector.backends.onnxruntime.attribution.coverage import Coverage, cover_layers
from inspector.backends.onnxruntime.attribution.fusion_knowledge import INSERTED_KINDS
from inspector.backends.onnxruntime.attribution.graph_index import Graph, Node
from inspector.backends.onnxruntime.attribution.outcomes import NodeOutcomes, decide_outcomes
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.model.operator_traits import WITHOUT_EFFECT
from inspector.trace.trace import Kind
from inspector.wording.support_marks import Status

_MARK = "_if_"
OVERRIDABLE_SINCE_IR = 4
_NUMBER = re.compile(r"_(\d+)$")


class Inlined(Struct, frozen=True):
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
        is_inlined = node.operator == "If" and node.name not in optimised.by_name
        branch = _shown(node, optimised, traces) if is_inlined else None
        if branch is None:
            place += 1
        else:
            result = _replace(result, place, branch)
    return result


def _shown(node: Node, optimised: Graph, traces: set[str]) -> str | None:
    votes = {}
    for branch, body, _ in node.bodies:
        makers = (optimised.producer.get(name) for name in node.real_outputs)
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
                       inputs=(inside,), needs=(inside,), outputs=(outside,),
                       real_outputs=(outside,))
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
        for tensors in (node.inputs, node.outputs, node.real_outputs, node.needs)
    )
    return node._replace(inputs=inputs, outputs=outputs, real_outputs=made, needs=needs)


def layers_of(bodies: tuple[tuple[str, GraphProto, int], ...]) -> frozenset[int]:
    """List the layers inside the subgraphs of a node."""
    return frozenset(
        layer
        for _, body, first in bodies
        for layer in range(first, first + layer_names.size(body))
    )


class Executed(Struct, frozen=True):
    """A node of the optimised graph.

    index: its place in `Attribution.executed`. graph: place in `Attribution.graphs`.
    lead: the layer that its time is shown at; None for a node that the runtime inserted.
    layers: all layers that it carries out, the lead included.
    kind: of an inserted node what it does: cast, layout change or copy.
    tensor: of an inserted node the model's tensor that it works on, as renamed; or "".
    after, before: of an inserted node the layers whose nodes feed it and read it.
    """

    index: int
    graph: int
    name: str
    operator: str
    lead: int | None
    layers: tuple[int, ...]
    kind: Kind = Kind.KERNEL
    tensor: str = ""
    after: int | None = None
    before: int | None = None


class LayerOutcome(NamedTuple):
    """The outcome of a layer; into: the layer whose span holds its time, if another's."""

    status: Status
    into: int | None = None


class Body(Struct, frozen=True):
    """A graph of the optimised model: the executed node that runs it, and which branch it is.

    owner: None for the main graph. nodes: places in `Attribution.executed`, in file order.
    tensors: tensor of this optimised graph -> tensor of the model, as far as known.
    """

    owner: int | None
    branch: str
    nodes: tuple[int, ...]
    tensors: dict[str, str] = field(default_factory=dict)


class Attribution(Struct, frozen=True):
    """The optimised model explained in terms of the model's own layers.

    executed: every node of every optimised graph. graphs: the main graph first.
    outcomes: one for each layer, as in `Model.layers`.
    """

    executed: tuple[Executed, ...]
    graphs: tuple[Body, ...]
    outcomes: tuple[LayerOutcome, ...]


def attribute_kernels(model: ModelProto, optimised: ModelProto) -> Attribution:
    """Attribute every node of an optimised model to the layers of the model it came from.

    model: with the names that `layer_names.rename` gives, just as the runtime read it. A model
    with names of its own works too, as far as these are unique and survive.
    """
    with _uncollected():
        work = _Explanation(layer_names.size(model.graph))
        overridable = model.ir_version >= OVERRIDABLE_SINCE_IR
        given = graphs.read(model.graph, overridable=overridable)
        work.explain(given, graphs.read(optimised.graph), None, "")
        executed = tuple(work.executed[index] for index in sorted(work.executed))
        fates = tuple(work.outcomes.get(layer, _UNEXPLAINED) for layer in range(work.layers))
        return Attribution(executed, tuple(work.graphs), fates)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector away: it would look through long graphs again and again in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


_UNEXPLAINED = LayerOutcome(Status.UNKNOWN)
_ALONE = {status: LayerOutcome(status) for status in Status}


class _Explanation:
    """Collects what the graphs of a model tell, one after the other."""

    def __init__(self, layers: int) -> None:
        self.layers = layers
        self.executed: dict[int, Executed] = {}
        self.graphs: list[Body] = []
        self.outcomes: dict[int, LayerOutcome] = {}

    def explain(self, model: Graph, optimised: Graph, owner: int | None, branch: str) -> None:
        """Explain one graph and those inside it."""
        inlined = inline_decided(model, optimised)
        model = inlined.graph
        coverage = cover_layers(model, optimised)
        fates = decide_outcomes(model, optimised, coverage)
        place_in_file = tuple(node.layer for node in optimised.nodes)
        number = len(self.graphs)
        self.graphs.append(Body(owner, branch, place_in_file, coverage.tensors))
        for place, node in enumerate(optimised.nodes):
            self.executed[node.layer] = _executed(
                number, place, node, model, optimised, coverage, fates
            )
        for layer in inlined.untaken:
            self.outcomes[layer] = LayerOutcome(Status.NOT_REACHED)
        for layer in inlined.decided:
            self.outcomes[layer] = LayerOutcome(Status.ELIMINATED)
        for place, node in enumerate(model.nodes):
            if place in fates.into:
                fate = LayerOutcome(fates.status[place], model.nodes[fates.into[place]].layer)
            else:
                fate = _ALONE[fates.status[place]]
            self.outcomes.setdefault(node.layer, fate)
        self._explain_bodies(model, optimised, fates)

    def _explain_bodies(self, model: Graph, optimised: Graph, fates: NodeOutcomes) -> None:
        explained = set()
        for place, node in enumerate(optimised.nodes):
            lead = fates.leads[place]
            owner = model.nodes[lead] if lead is not None else None
            if owner is None or not node.bodies or owner.layer in explained:
                continue
            explained.add(owner.layer)
            own_bodies = {branch: (body, first) for branch, body, first in owner.bodies}
            for branch, body, first in node.bodies:
                if branch in own_bodies:
                    inner = graphs.read(*own_bodies[branch], outside=model.constants)
                    self.explain(inner, graphs.read(body, first), node.layer, branch)
        for node in model.nodes:
            if node.bodies and node.layer not in explained:
                for layer in layers_of(node.bodies):  # they share what became of the whole
                    self.outcomes.setdefault(layer, self.outcomes[node.layer])


def _executed(
    number: int,
    place: int,
    node: Node,
    model: Graph,
    optimised: Graph,
    coverage: Coverage,
    fates: NodeOutcomes,
) -> Executed:
    lead = fates.leads[place]
    if lead is not None:
        layer = model.nodes[lead].layer
        covered = tuple(sorted([model.nodes[i].layer for i in coverage.covered[place]]))
        return Executed(node.layer, number, node.name, node.operator, layer, covered)
    kind = INSERTED_KINDS.get(node.operator, Kind.CALL)
    names = (coverage.tensors.get(name) for name in (*node.inputs[:1], *node.outputs))
    return Executed(
        node.layer,
        number,
        node.name,
        node.operator,
        None,
        (),
        kind,
        next(filter(None, names), ""),
        _neighbor(place, True, model, optimised, coverage, fates),
        _neighbor(place, False, model, optimised, coverage, fates),
    )


def _neighbor(
    place: int,
    upwards: bool,
    model: Graph,
    optimised: Graph,
    coverage: Coverage,
    fates: NodeOutcomes,
) -> int | None:
    """Find the layer that feeds an inserted node, or reads it, past other inserted ones."""
    visited: set[int] = set()
    waiting = [place]
    while waiting:
        node = optimised.nodes[waiting.pop()]
        if upwards:
            near = [
                optimised.producer[name] for name in node.needs if name in optimised.producer
            ]
        else:
            near = [i for name in node.real_outputs for i in optimised.consumers.get(name, ())]
        for other in near:
            lead = fates.leads[other]
            if lead is not None:
                return model.nodes[lead].layer
            if other not in visited:
                visited.add(other)
                waiting.append(other)
    return None


Parts = Sequence[tuple[str, tuple[str, ...]]]


def explain_by_names(
    model: ModelProto, kernels: Iterable[tuple[str, str, str]], assigned: Parts
) -> Attribution:
    """Attribute kernels by their names and by the parts that the runtime made of the graph.

    kernels: name, operator and provider of each, repetitions allowed. assigned: provider and
    names of nodes for each part; the last number in a compiled part's name counts the parts
    of its provider.
    """
    executed: list[Executed] = []
    fates: dict[int, LayerOutcome] = {}
    for index, (name, operator, provider) in enumerate(dict.fromkeys(kernels)):
        own = _layers([name])
        layers = own or _layers(_part(name, provider, assigned))
        lead = layers[0] if layers else None
        executed.append(Executed(index, 0, name, operator, lead, layers))
        status = Status.EXECUTED if own else Status.COMPILED
        for layer in layers:
            fates[layer] = LayerOutcome(status, None if layer == lead else lead)
    graph = graphs.read(model.graph, overridable=model.ir_version >= OVERRIDABLE_SINCE_IR)
    for place in graph.constant_nodes:
        fates.setdefault(graph.nodes[place].layer, LayerOutcome(Status.FOLDED))
    # Layers that no kernel or part names, as far as neighbors tell of them: an operator without
    # effect was eliminated.
    for upwards in (True, False):
        places = range(len(graph.nodes))
        for place in reversed(places) if upwards else places:
            node = graph.nodes[place]
            if node.layer in fates:
                continue
            if node.operator in WITHOUT_EFFECT:
                fates[node.layer] = LayerOutcome(Status.ELIMINATED)
                continue
            neighbors = (
                (i for name in node.real_outputs for i in graph.consumers.get(name, ()))
                if upwards
                else (graph.producer[name] for name in node.needs if name in graph.producer)
            )
            leads = {_lead(graph.nodes[i].layer, fates) for i in neighbors}
            lead = leads.pop() if len(leads) == 1 else None
            if lead is not None:
                fates[node.layer] = LayerOutcome(Status.COMPILED, lead)
    nodes = tuple(node.index for node in executed)
    everything = range(layer_names.size(model.graph))
    return Attribution(
        tuple(executed),
        (Body(None, "", nodes),),
        tuple(fates.get(layer, LayerOutcome(Status.UNKNOWN)) for layer in everything),
    )


def _lead(layer: int, fates: dict[int, LayerOutcome]) -> int | None:
    """Return the first layer of the compiled part that a layer is in."""
    fate = fates.get(layer)
    if fate is None or fate.status is not Status.COMPILED:
        return None
    return layer if fate.into is None else fate.into


def _layers(names: Iterable[str]) -> tuple[int, ...]:
    tokens = (token for name in names for token in layer_names.tokens(name) if token[0] == "L")
    return tuple(sorted({int(token[1:]) for token in tokens}))


def _part(name: str, provider: str, assigned: Parts) -> tuple[str, ...]:
    number = _NUMBER.search(name)
    parts = [names for owner, names in assigned if owner == provider]
    if number is None or int(number[1]) >= len(parts):
        return ()
    return parts[int(number[1])]
