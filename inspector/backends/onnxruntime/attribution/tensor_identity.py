"""Which tensor of the model a tensor of the optimised graph is, up to its layout and type."""

import re
from collections.abc import Iterable

from inspector.backends.onnxruntime.attribution.fusion_knowledge import (
    INSERTED_KINDS,
    NEVER_IN_A_MODEL,
    QUANTIZING,
)
from inspector.backends.onnxruntime.attribution.graph_index import Graph, Node
from inspector.backends.onnxruntime.graphs.layer_names import tokens

# What the runtime puts around the name of a tensor that it casts, or moves out of an If.
_AROUND = re.compile(
    r"^(?:InsertedPrecisionFreeCast_|InsertedCast_|_if_(?:then|else)_branch_)+|_token_\d+$"
)
_NODE_SUFFIX = re.compile(r"(?:_nchwc|_token_\d+|/duplicated)+$")
_FOR_PRECISION = ("InsertedPrecisionFreeCast_", "InsertedCast_")
_FROM_FUNCTION = "_inlfunc_"


def named_tensor(name: str, model: Graph) -> str | None:
    """Find the model's tensor that a name of the optimised graph speaks of."""
    if name in model.known:
        return name
    core = _AROUND.sub("", _AROUND.sub("", name))
    return core if core in model.known else None


def named_layers(node: Node, model: Graph) -> frozenset[int]:
    """Places of the model's nodes that the name of an executed node speaks of."""
    if node.name in model.by_name:
        return frozenset((model.by_name[node.name],))
    core = _NODE_SUFFIX.sub("", node.name)
    words = [core] if core in model.by_name else tokens(node.name)
    return frozenset(model.by_name[word] for word in words if word in model.by_name)


def named_outputs(node: Node, model: Graph) -> frozenset[str]:
    """Tensors made by the model's nodes that the name of an executed node speaks of."""
    if node.name in model.by_name and node.name not in model.producer:
        return frozenset()  # it speaks of a layer
    core = _AROUND.sub("", _NODE_SUFFIX.sub("", node.name))
    words = [core] if core in model.producer else tokens(node.name)
    return frozenset(word for word in words if word in model.producer)


def inserted_nodes(model: Graph, optimised: Graph) -> frozenset[int]:
    """Places of the executed nodes that no layer of the model asked for."""
    return frozenset(
        place for place, node in enumerate(optimised.nodes) if _is_inserted(node, model)
    )


def _is_inserted(node: Node, model: Graph) -> bool:
    if node.operator in NEVER_IN_A_MODEL and node.operator not in _operators(model):
        return True
    if node.operator not in INSERTED_KINDS:
        return False
    if node.name.startswith(_FOR_PRECISION) and node.name not in model.by_name:
        return True  # its name speaks of a tensor, and the layer behind may be a cast as well
    if any(_FROM_FUNCTION in name for name in (node.name, *node.inputs, *node.outputs)):
        return False
    known = [name for name in map_names(node.made, model) if name in model.producer]
    if known and not node.name:
        return False  # the body of a function: what the runtime inserts has a name
    behind = named_layers(node, model) | {model.producer[name] for name in known}
    return all(model.nodes[place].operator != node.operator for place in behind)


def map_names(names: Iterable[str], model: Graph) -> list[str]:
    """Find the model's tensors for those names that speak of one."""
    return [found for name in names if (found := named_tensor(name, model)) is not None]


def _operators(model: Graph) -> frozenset[str]:
    return frozenset(node.operator for node in model.nodes)


class TensorIdentities:
    """What is known so far; knowledge passes through inserted nodes in both directions."""

    def __init__(self, model: Graph, optimised: Graph, inserted: frozenset[int]) -> None:
        self._optimised = optimised
        self._inserted = inserted
        self._originals: dict[str, str] = {}
        every = dict.fromkeys(optimised.producer)
        every.update(dict.fromkeys((*optimised.inputs, *optimised.initializers)))
        every.update(dict.fromkeys(name for node in optimised.nodes for name in node.needs))
        named = {name: found for name in every if (found := named_tensor(name, model))}
        named = self._named_by_their_makers(model) | named
        self._originals.update(named)  # a name is stronger than a conclusion
        for name, original in named.items():
            self._pass_on(name, original)

    def _named_by_their_makers(self, model: Graph) -> dict[str, str]:
        """Read off what is quantised: what lay before it may have been left out as well."""
        nodes = [self._optimised.nodes[place] for place in self._inserted]
        spoken = (
            (node.outputs[0], sorted(named_outputs(node, model)))
            for node in nodes
            if node.operator in QUANTIZING
        )
        return {output: names[0] for output, names in spoken if names}

    def original(self, tensor: str) -> str | None:
        """Name the model's tensor that a tensor of the optimised graph is, when known."""
        return self._originals.get(tensor)

    def originals(self, tensors: tuple[str, ...]) -> list[str]:
        """Name those of several that are known."""
        return [found for name in tensors if (found := self._originals.get(name))]

    def table(self) -> dict[str, str]:
        """Give all that is known: tensor of the optimised graph -> tensor of the model."""
        return dict(self._originals)

    def learn(self, tensor: str, original: str) -> None:
        """Note what a tensor is, and conclude what is on the other side of inserted nodes."""
        self._originals[tensor] = original
        self._pass_on(tensor, original)

    def _pass_on(self, tensor: str, original: str) -> None:
        waiting = [tensor]
        while waiting:
            for neighbour in self._neighbours(waiting.pop()):
                if neighbour not in self._originals:
                    self._originals[neighbour] = original
                    waiting.append(neighbour)

    def _neighbours(self, tensor: str) -> list[str]:
        graph = self._optimised
        if tensor in graph.initializers:
            return []
        after = [i for i in graph.consumers.get(tensor, ()) if i in self._inserted]
        found = [graph.nodes[i].outputs[0] for i in after if graph.nodes[i].inputs[0] == tensor]
        maker = graph.producer.get(tensor)
        if maker in self._inserted and graph.nodes[maker].outputs[0] == tensor:
            source = graph.nodes[maker].inputs[0]
            found += [source] if source not in graph.initializers else []
        return found
