"""Decide the outcome of each node of the model: executed, fused, folded, ... and into which."""

from collections import ChainMap
from collections.abc import Collection, Mapping

from msgspec import Struct

from inspector.backends.onnxruntime.attribution import fusion_knowledge
from inspector.backends.onnxruntime.attribution.coverage import Coverage, named_layers
from inspector.backends.onnxruntime.attribution.graph_index import Graph, Node
from inspector.model.operator_traits import WITHOUT_EFFECT
from inspector.wording.support_marks import Status

_GONE = (Status.FOLDED, Status.DEAD, Status.MOVED, Status.MERGED)


class NodeOutcomes(Struct, frozen=True):
    """Outcomes of the nodes of one graph; indices are of the sorted graphs.

    leads: for each executed node the place of the layer that its time is shown at; None for
        inserted nodes and for those whose origin is unknown.
    status: for each node of the model. into: fused or merged node -> node with its time.
    """

    leads: tuple[int | None, ...]
    status: tuple[Status, ...]
    into: dict[int, int]


def decide_outcomes(model: Graph, optimised: Graph, coverage: Coverage) -> NodeOutcomes:
    """Decide what became of every node of the model."""
    leads = tuple(
        _lead(place, model, optimised, coverage) for place in range(len(optimised.nodes))
    )
    leading = {lead for lead in leads if lead is not None}
    into: dict[int, int] = {}
    for covered, lead in zip(coverage.covered, leads, strict=True):
        for place in covered - leading:
            if lead is not None:
                into.setdefault(place, lead)
    statuses = dict.fromkeys(leading, Status.EXECUTED)
    statuses |= {place: _fused(model.nodes[place]) for place in into}
    # A subgraph may keep its constants as nodes in the file; none of them is ever run.
    statuses |= {i: Status.FOLDED for i, node in enumerate(model.nodes) if _is_constant(node)}
    rest = _without_trace(model, optimised, statuses.keys())
    places = [place for place in rest if rest[place] is Status.MERGED]
    makers = {model.value(name): i for i in statuses for name in model.nodes[i].real_outputs}
    merged = {
        place: makers[value]
        for place in places
        for value in model.values(model.nodes[place].real_outputs)
        if value in makers
    }
    statuses |= rest
    twins: dict[int, Node] = {}
    for executed, covered in zip(optimised.nodes, coverage.covered, strict=True):
        for place in covered:
            operator = model.nodes[place].operator
            if fusion_knowledge.core(operator) == fusion_knowledge.core(executed.operator):
                twins.setdefault(place, executed)
    statuses |= _by_readers(model, optimised, twins, statuses)
    for place, node in enumerate(model.nodes):
        if node.operator in fusion_knowledge.PERHAPS_WITHOUT_EFFECT:
            statuses.setdefault(place, Status.ELIMINATED)
    status = tuple(statuses.get(place, Status.UNKNOWN) for place in range(len(model.nodes)))
    into = {place: lead for place, lead in into.items() if status[place] is Status.FUSED}
    return NodeOutcomes(leads, status, into | {a: into.get(b, b) for a, b in merged.items()})


def _fused(node: Node) -> Status:
    without_effect = node.operator in WITHOUT_EFFECT
    return Status.ELIMINATED if without_effect else Status.FUSED


def _is_constant(node: Node) -> bool:
    return node.operator == "Constant" and not node.domain


def _lead(place: int, model: Graph, optimised: Graph, coverage: Coverage) -> int | None:
    """Choose the layer at which the time of an executed node is shown.

    That is the one of the operator that the kernel is named for, or else the one that its
    name speaks of, or else the first; a step of a larger whole goes with the whole.
    """
    place = coverage.part_of.get(place, place)
    covered = sorted(coverage.covered[place])
    if len(covered) <= 1:
        return covered[0] if covered else None
    node = optimised.nodes[place]
    heart = fusion_knowledge.core(node.operator)
    same = [i for i in covered if model.nodes[i].operator in (heart, node.operator)]
    named = [i for i in covered if i in named_layers(node, model)]
    return (same or named or covered)[0]


def _without_trace(
    model: Graph, optimised: Graph, decided: Collection[int]
) -> dict[int, Status]:
    """Return what became of layers that no executed node carries out, as far as is plain."""
    live: set[int] = set()
    waiting = list(model.outputs)
    while waiting:
        place = model.producer.get(waiting.pop())
        if place is not None and place not in live:
            live.add(place)
            waiting += model.nodes[place].needs
    values = model.values(name for place in decided for name in model.nodes[place].real_outputs)
    statuses = {}
    for place, node in enumerate(model.nodes):
        if place in decided:
            continue
        if place in model.constant_nodes or optimised.initializers.issuperset(
            node.real_outputs
        ):
            statuses[place] = Status.FOLDED
        elif place not in live:
            statuses[place] = Status.DEAD
        elif not values.isdisjoint(model.values(node.real_outputs)):
            statuses[place] = Status.MERGED
        elif node.operator in WITHOUT_EFFECT:
            statuses[place] = Status.ELIMINATED
    return statuses


def _by_readers(
    model: Graph, optimised: Graph, twins: dict[int, Node], decided: dict[int, Status]
) -> dict[int, Status]:
    """Return the status of each undecided node that follows from the nodes that read it.

    A node whose readers all get something else in the optimized graph, such as a constant, is
    gone. twins: the executed node of a node of the model. decided: statuses known already. Goes
    from the last node to the first, so that readers are concluded before what they read.
    """
    concluded: dict[int, Status] = {}
    fate = ChainMap(concluded, decided)
    for place in reversed(range(len(model.nodes))):
        node = model.nodes[place]
        if place in decided or any(name in model.outputs for name in node.real_outputs):
            continue
        fates = {
            _instead(model, optimised, twins.get(reader), reader, name, fate)
            for name in node.real_outputs
            for reader in model.consumers.get(name, ())
        }
        status = _joined(fates)
        if status is not None:
            concluded[place] = status
    return concluded


def _instead(
    model: Graph,
    optimised: Graph,
    twin: Node | None,
    reader: int,
    name: str,
    statuses: Mapping[int, Status],
) -> Status | None:
    """Return what became of a value for one reader; None where it is read as before.

    twin: the executed node of the reader. name: of the value.
    """
    if reader not in statuses or statuses[reader] in _GONE:
        return statuses.get(reader)
    slots = model.nodes[reader].inputs
    slot = slots.index(name) if name in slots else None
    if twin is None or slot is None or slot >= len(twin.inputs):
        return Status.MOVED
    given = twin.inputs[slot]
    if given in optimised.initializers:
        return Status.FOLDED
    return Status.MOVED if given in optimised.producer and given != name else None


def _joined(fates: set[Status | None]) -> Status | None:
    if not fates or None in fates:
        return None
    if fates <= {Status.FOLDED, Status.DEAD}:
        return Status.FOLDED
    return Status.MERGED if fates == {Status.MERGED} else Status.MOVED
