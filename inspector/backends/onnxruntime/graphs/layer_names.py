"""Names that survive the optimiser: every layer L<index>, every inner tensor T<number>.

The runtime builds the names of fused and inserted nodes out of those it was given. Names of
one known form can be found again in them, whatever the file called its layers.
"""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator
from itertools import count

from msgspec import Struct
from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto

_TOKEN = re.compile(r"(?<![A-Za-z0-9])([LT]\d+)(?!\d)")
_HOLDERS = (AttributeProto.GRAPH, AttributeProto.GRAPHS)


class Naming(Struct, frozen=True):
    """Original names behind the new ones.

    layers: number of layers; layer i is called "L<i>", i its place in `Model.layers`.
    tensors: new name -> the file's name, for inner tensors only: what a graph takes in or
        gives out, and initializers, keep their names.
    """

    layers: int
    tensors: dict[str, str]

    def tensor(self, name: str) -> str:
        """Give back what the file calls a tensor."""
        return self.tensors.get(name, name)


def rename(model: ModelProto) -> tuple[ModelProto, Naming]:
    """Copy a model and give the copy the new names, in subgraphs and functions too."""
    renamed = ModelProto()
    renamed.CopyFrom(model)
    del renamed.training_info[:]
    layers = name_layers(renamed.graph)
    used_names = {name for graph in graphs(renamed.graph) for name in _lasting(graph)}
    fresh = (name for name in map("T{}".format, count()) if name not in used_names)
    tensors: dict[str, str] = {}
    _name_tensors(renamed.graph, ChainMap(), tensors, fresh)
    for number, function in enumerate(renamed.functions):
        _rename_in_function(function, f"f{number}")
    return renamed, Naming(layers, tensors)


def tokens(text: str) -> list[str]:
    """Find the new names in a name that the runtime made: "fused L3_token_1" -> ["L3"]."""
    return _TOKEN.findall(text)


def bodies(node: NodeProto) -> Iterable[tuple[str, GraphProto]]:
    """Return the subgraphs of a node and the attribute that holds each, in the file's order."""
    # Hardly any node has one, and this is asked of every node many times.
    holders = [one for one in node.attribute if one.type in _HOLDERS]
    return _bodies(holders) if holders else ()


def _bodies(holders: Iterable[AttributeProto]) -> Iterator[tuple[str, GraphProto]]:
    for attribute in holders:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.name, attribute.g
        else:
            for number, graph in enumerate(attribute.graphs):
                yield f"{attribute.name}[{number}]", graph


def graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """Yield a graph and all graphs inside it."""
    yield graph
    for node in graph.node:
        for _, body in bodies(node):
            yield from graphs(body)


def size(graph: GraphProto) -> int:
    """Count the nodes of a graph with those of its subgraphs."""
    return sum(len(inner.node) for inner in graphs(graph))


def name_layers(graph: GraphProto, index: int = 0) -> int:
    """Call the layers of a graph and of its subgraphs L<index>, from an index on; return the
    next one."""
    for node in graph.node:
        node.name = f"L{index}"
        index += 1
        for _, body in bodies(node):
            index = name_layers(body, index)
    return index


def _lasting(graph: GraphProto) -> set[str]:
    named = (*graph.input, *graph.output, *graph.initializer)
    return {value.name for value in named} | {
        tensor.values.name for tensor in graph.sparse_initializer
    }


def _name_tensors(
    graph: GraphProto, outer: ChainMap[str, str], tensors: dict[str, str], fresh: Iterator[str]
) -> None:
    lasting = _lasting(graph)
    names = outer.new_child({name: name for name in lasting})
    # All outputs first: the runtime accepts nodes that stand before the ones they need.
    for node in graph.node:
        for name in node.output:
            if name and name not in lasting:
                names[name] = next(fresh)
                tensors[names[name]] = name
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        for _, body in bodies(node):
            _name_tensors(body, names, tensors, fresh)
    for value in graph.value_info:
        value.name = names.get(value.name, value.name)
    for note in graph.quantization_annotation:
        note.tensor_name = names.get(note.tensor_name, note.tensor_name)


def _rename_in_function(function: FunctionProto, prefix: str) -> None:
    """Rename all values in a function "<prefix>v<number>", and take the names of its nodes.

    The runtime copies a function into the graph that calls it: a name such as "L3" of the file
    would count as that of a layer there.
    """
    names: dict[str, str] = {"": ""}

    def renamed(values: Iterable[str]) -> list[str]:
        return [names.setdefault(name, f"{prefix}v{len(names)}") for name in values]

    def rename_all(nodes: Iterable[NodeProto]) -> None:
        for node in nodes:
            node.name = ""
            node.input[:], node.output[:] = renamed(node.input), renamed(node.output)
            for _, body in bodies(node):
                for value in (*body.input, *body.output, *body.initializer, *body.value_info):
                    (value.name,) = renamed([value.name])
                rename_all(body.node)

    function.input[:], function.output[:] = renamed(function.input), renamed(function.output)
    for value in function.value_info:
        (value.name,) = renamed([value.name])
    rename_all(function.node)
