"""A model of which the optimised graph cannot be had: a device compiled parts of it.

Such a part is one kernel; which nodes went into it, the runtime tells by name.
"""

import re
from collections.abc import Iterable, Sequence

from onnx import ModelProto

from inspector.engine.attribution import graph as graphs
from inspector.engine.attribution.graph import Graph
from inspector.engine.attribution.operators import WITHOUT_EFFECT
from inspector.engine.attribution.whole import (
    OVERRIDABLE_SINCE_IR,
    Attribution,
    Body,
    Executed,
    Fate,
)
from inspector.engine.graphs import naming
from inspector.report import Status

_NUMBER = re.compile(r"_(\d+)$")

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
    fates: dict[int, Fate] = {}
    for index, (name, operator, provider) in enumerate(dict.fromkeys(kernels)):
        own = _layers([name])
        layers = own or _layers(_part(name, provider, assigned))
        lead = layers[0] if layers else None
        executed.append(Executed(index, 0, name, operator, lead, layers))
        status = Status.EXECUTED if own else Status.COMPILED
        for layer in layers:
            fates[layer] = Fate(status, None if layer == lead else lead)
    graph = graphs.read(model.graph, overridable=model.ir_version >= OVERRIDABLE_SINCE_IR)
    for place in graph.constant_nodes:
        fates.setdefault(graph.nodes[place].layer, Fate(Status.FOLDED))
    _adopt(graph, fates)
    nodes = tuple(node.index for node in executed)
    everything = range(naming.size(model.graph))
    return Attribution(
        tuple(executed),
        (Body(None, "", nodes),),
        tuple(fates.get(layer, Fate(Status.UNKNOWN)) for layer in everything),
    )


def _adopt(graph: Graph, fates: dict[int, Fate]) -> None:
    """Count a layer that lost its name to the compiled part that all its neighbours are in.

    The runtime names anew what it moves or doubles before a device compiles it.
    """
    for upwards in (True, False):
        places = range(len(graph.nodes))
        for place in reversed(places) if upwards else places:
            node = graph.nodes[place]
            if node.layer in fates:
                continue
            if node.operator in WITHOUT_EFFECT:
                fates[node.layer] = Fate(Status.ELIMINATED)
                continue
            near = (
                (i for name in node.made for i in graph.consumers.get(name, ()))
                if upwards
                else (graph.producer[name] for name in node.needs if name in graph.producer)
            )
            leads = {_lead(graph.nodes[i].layer, fates) for i in near}
            lead = leads.pop() if len(leads) == 1 else None
            if lead is not None:
                fates[node.layer] = Fate(Status.COMPILED, lead)


def _lead(layer: int, fates: dict[int, Fate]) -> int | None:
    """The first layer of the compiled part that a layer is in."""
    fate = fates.get(layer)
    if fate is None or fate.status is not Status.COMPILED:
        return None
    return layer if fate.into is None else fate.into


def _layers(names: Iterable[str]) -> tuple[int, ...]:
    words = (word for name in names for word in naming.tokens(name) if word[0] == "L")
    return tuple(sorted({int(word[1:]) for word in words}))


def _part(name: str, provider: str, assigned: Parts) -> tuple[str, ...]:
    number = _NUMBER.search(name)
    parts = [names for owner, names in assigned if owner == provider]
    if number is None or int(number[1]) >= len(parts):
        return ()
    return parts[int(number[1])]
