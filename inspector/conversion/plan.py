"""What actions share: the plan that they return, and walks over a model."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from onnx import GraphProto, ModelProto, NodeProto

from inspector.conversion.action import Effect
from inspector.units import plural


@dataclass(slots=True)
class Context:
    """What an action is given besides the model while it works.

    ranges: lowest and highest value of tensors, measured on inputs; None where nothing was
    measured. share: receives how much is done, 0 to 1. notes: filled by the action, one
    sentence each.
    """

    ranges: Mapping[str, tuple[float, float]] | None = None
    share: Callable[[float], None] = lambda _: None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an action would do (`effect`), and the function that does it, in place.

    observe: tensors whose ranges it needs, for an action that calibrates.
    """

    effect: Effect
    apply: Callable[[Context], None] = lambda _: None
    observe: tuple[str, ...] = ()


def graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """Yield a graph and those inside its nodes, the outer ones first."""
    yield graph
    for node in graph.node:
        for inner in subgraphs(node):
            yield from graphs(inner)


def subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    """Yield the graphs of a node's attributes."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes(model: ModelProto) -> Iterator[NodeProto]:
    """Yield all nodes of a model: the main graph, subgraphs, and bodies of functions."""
    for graph in graphs(model.graph):
        yield from graph.node
    for function in model.functions:
        for node in function.node:
            yield node
            for inner in subgraphs(node):
                for graph in graphs(inner):
                    yield from graph.node


def attribute(node: NodeProto, name: str) -> Any:
    """Return an AttributeProto of a node by name; None if it is not there."""
    return next((each for each in node.attribute if each.name == name), None)


def counted(operators: Iterable[str]) -> str:
    """Return how often operators occur, most frequent first: "26 Conv, 2 Gemm"."""
    counts = Counter(operators).most_common()
    shown = ", ".join(f"{count:,} {name}" for name, count in counts[:4])
    rest = sum(count for _, count in counts[4:])
    return f"{shown}, {plural(rest, 'other layer')}" if rest else shown
