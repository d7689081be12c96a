"""Map each executed node to the model's layers that it computes.

Tensors of the optimized graph are matched with the model's, up to layout and element type.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable
from functools import cached_property

from msgspec import Struct

from inspector.analysis.measured.traced_layers import NODE_SUFFIX
from inspector.backends.onnxruntime.attribution import fusion_knowledge
from inspector.backends.onnxruntime.attribution.fusion_knowledge import (
    INSERTED_KINDS,
    NEVER_IN_A_MODEL,
    QUANTIZING,
)
from inspector.backends.onnxruntime.attribution.graph_index import Graph, Node
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.layer_names import tokens

# What the runtime puts around the name of a tensor that it casts, or moves out of an If.
_AROUND = re.compile(
    r"^(?:InsertedPrecisionFreeCast_|InsertedCast_|_if_(?:then|else)_branch_)+|_token_\d+$"
)
_FOR_PRECISION = ("InsertedPrecisionFreeCast_", "InsertedCast_")
_FROM_FUNCTION = "_inlfunc_"
_STEPS_BACK = 6


def named_tensor(name: str, model: Graph) -> str | None:
    """Find the model's tensor that a name of the optimised graph speaks of."""
    if name in model.all_tensors:
        return name
    core = _AROUND.sub("", _AROUND.sub("", name))
    return core if core in model.all_tensors else None


def named_layers(node: Node, model: Graph) -> frozenset[int]:
    """Return the places of the model's nodes that the name of an executed node speaks of."""
    if node.name in model.by_name:
        return frozenset((model.by_name[node.name],))
    core = NODE_SUFFIX.sub("", node.name)
    candidates = [core] if core in model.by_name else tokens(node.name)
    return frozenset(
        model.by_name[candidate] for candidate in candidates if candidate in model.by_name
    )


def named_outputs(node: Node, model: Graph) -> frozenset[str]:
    """Tensors made by the model's nodes that the name of an executed node speaks of."""
    if node.name in model.by_name and node.name not in model.producer:
        return frozenset()  # it speaks of a layer
    core = _AROUND.sub("", NODE_SUFFIX.sub("", node.name))
    candidates = [core] if core in model.producer else tokens(node.name)
    return frozenset(candidate for candidate in candidates if candidate in model.producer)


def inserted_nodes(model: Graph, optimised: Graph) -> frozenset[int]:
    """Return the places of executed nodes that belong to no layer of the model."""
    return frozenset(
        place for place, node in enumerate(optimised.nodes) if _is_inserted(node, model)
    )


def _is_inserted(node: Node, model: Graph) -> bool:
    operator = node.operator
    if operator in NEVER_IN_A_MODEL and operator not in {n.operator for n in model.nodes}:
        return True
    if node.operator not in INSERTED_KINDS:
        return False
    if node.name.startswith(_FOR_PRECISION) and node.name not in model.by_name:
        return True  # its name speaks of a tensor, and the layer behind may be a cast as well
    if any(_FROM_FUNCTION in name for name in (node.name, *node.inputs, *node.outputs)):
        return False
    originals = [name for name in map_names(node.real_outputs, model) if name in model.producer]
    if originals and not node.name:
        return False  # the body of a function: what the runtime inserts has a name
    behind = named_layers(node, model) | {model.producer[name] for name in originals}
    return all(model.nodes[place].operator != node.operator for place in behind)


def map_names(names: Iterable[str], model: Graph) -> list[str]:
    """Find the model's tensors for those names that speak of one."""
    return [tensor for name in names if (tensor := named_tensor(name, model)) is not None]


class TensorIdentities:
    """Known identities of tensors; they pass through inserted nodes in both directions."""

    def __init__(self, model: Graph, optimised: Graph, inserted: frozenset[int]) -> None:
        self._optimised = optimised
        self._inserted = inserted
        self._originals: dict[str, str] = {}
        every = dict.fromkeys(optimised.producer)
        every.update(dict.fromkeys((*optimised.inputs, *optimised.initializers)))
        every.update(dict.fromkeys(name for node in optimised.nodes for name in node.needs))
        named = {
            name: own_tensor for name in every if (own_tensor := named_tensor(name, model))
        }
        # What lay before a quantized value may have been left out as well.
        nodes = [self._optimised.nodes[place] for place in self._inserted]
        name_parts = (
            (node.outputs[0], sorted(named_outputs(node, model)))
            for node in nodes
            if node.operator in QUANTIZING
        )
        named = {output: names[0] for output, names in name_parts if names} | named
        self._originals.update(named)  # a name is stronger than a conclusion
        for name, original in named.items():
            self._pass_on(name, original)

    def original(self, tensor: str) -> str | None:
        """Name the model's tensor that a tensor of the optimised graph is, when known."""
        return self._originals.get(tensor)

    def originals(self, tensors: tuple[str, ...]) -> list[str]:
        """Name those of several that are known."""
        return [original for name in tensors if (original := self._originals.get(name))]

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
            for neighbor in self._neighbors(waiting.pop()):
                if neighbor not in self._originals:
                    self._originals[neighbor] = original
                    waiting.append(neighbor)

    def _neighbors(self, tensor: str) -> list[str]:
        graph = self._optimised
        if tensor in graph.initializers:
            return []
        after = [i for i in graph.consumers.get(tensor, ()) if i in self._inserted]
        neighbors = [
            graph.nodes[i].outputs[0] for i in after if graph.nodes[i].inputs[0] == tensor
        ]
        maker = graph.producer.get(tensor)
        if maker in self._inserted and graph.nodes[maker].outputs[0] == tensor:
            source = graph.nodes[maker].inputs[0]
            neighbors += [source] if source not in graph.initializers else []
        return neighbors


def follower(model: Graph, executed: Node, name: str) -> int | None:
    """Return the place of the layer that reads a tensor and may run inside the node that makes
    it.

    Several readers count as one when they compute the same. None when there is no such layer
    or the executed operator could not take it in.
    """
    readers = model.consumers.get(name, ())
    if name in model.outputs or not readers:
        return None
    if len({model.value(model.nodes[place].real_outputs[0]) for place in readers}) != 1:
        return None
    reader = model.nodes[readers[0]]
    able = len(reader.real_outputs) == 1 and _can_take_in(model, executed, reader, name)
    return readers[0] if able else None


def inputs_available(
    model: Graph,
    reader: int,
    name: str,
    given: Container[int | str],
    covered: Container[int | None],
) -> bool:
    """Return whether all inputs of a layer other than `name` exist when the executed node runs.

    given: values of what the executed node takes in. covered: places of the layers that it
    carries out already.
    """
    return all(
        other == name
        or other in model.constants
        or model.value(other) in given
        or model.producer.get(other) in covered
        for other in model.nodes[reader].needs
    )


def _can_take_in(model: Graph, executed: Node, reader: Node, name: str) -> bool:
    if reader.operator not in fusion_knowledge.AFTERWARDS:
        return False
    if executed.domain:
        return True  # the runtime's own fused operators
    if executed.operator.startswith("QLinear"):
        return reader.operator in fusion_knowledge.INTO_QUANTIZED
    others = (other for other in reader.needs if other != name)
    return (
        executed.operator in fusion_knowledge.LINEAR
        and reader.operator in fusion_knowledge.INTO_WEIGHTS
        and all(other in model.constants for other in others)
    )


class Coverage(Struct, frozen=True):
    """The layers that nodes of an optimized graph compute; indices are of the sorted graphs.

    covered: for each executed node the places of the model's nodes it carries out. Empty for
        an inserted node, and for one whose origin nothing tells.
    part_of: an executed node that is a step of what another one does -> that other one.
    inserted: places of the executed nodes that the runtime put in by itself.
    tensors: tensor of the optimised graph -> tensor of the model, as far as known.
    """

    covered: tuple[frozenset[int], ...]
    part_of: dict[int, int]
    inserted: frozenset[int]
    tensors: dict[str, str]


def cover_layers(model: Graph, optimised: Graph) -> Coverage:
    """Return the layers that each node of the optimized graph represents.

    Where an output has the name of a tensor of the model, everything on the paths that lead
    to it is meant, from what the executed node takes in and what others make. Otherwise the
    node's own name says where to begin, and what can run behind it is added.
    """
    inserted = inserted_nodes(model, optimised)
    search = _Search(model, optimised, inserted)
    for place in range(len(optimised.nodes)):
        if place not in inserted:
            search.visit(place)
    part_of = search.adopt_the_rest()
    return Coverage(tuple(search.covered), part_of, inserted, search.names.table())


class _Search:
    """The state of one search: identities grow while it walks down the optimised graph."""

    def __init__(self, model: Graph, optimised: Graph, inserted: frozenset[int]) -> None:
        self.model, self.optimised, self.inserted = model, optimised, inserted
        self.names = TensorIdentities(model, optimised, inserted)
        self.covered: list[frozenset[int]] = [frozenset()] * len(optimised.nodes)
        self.begun: set[int] = set()
        ready = [
            name
            for place, node in enumerate(self.optimised.nodes)
            if place not in self.inserted
            for name in self.names.originals(node.real_outputs)
        ]
        folded = self.names.originals(tuple(self.optimised.initializers))
        ready += [name for name in folded if name in self.model.producer]
        self.made = self.model.values(ready)
        self.anchored: dict[int, int] = {}
        for place, node in enumerate(optimised.nodes):
            if place not in inserted:
                self._anchor(place, node)

    @cached_property
    def alike(self) -> dict[tuple[str, int | str], list[int]]:
        """Operator and value of an input -> places of the model's nodes that have both."""
        groups = defaultdict(list)
        for place, node in enumerate(self.model.nodes):
            for value in self.model.values(node.needs):
                groups[node.operator, value].append(place)
        return groups

    def visit(self, place: int) -> None:
        """Find what one executed node covers, and learn what its outputs are."""
        node = self.optimised.nodes[place]
        originals = [
            t for t in self.names.originals(node.real_outputs) if t in self.model.producer
        ]
        if originals:
            self.covered[place] = self._behind(originals, node)
            layers = [self.model.nodes[self.model.producer[name]] for name in originals]
            for slot, name in enumerate(node.outputs):
                if not name or self.names.original(name) is not None:
                    continue
                for layer in layers:
                    same = layer.operator == node.operator and slot < len(layer.outputs)
                    if same and layer.outputs[slot]:
                        self.names.learn(name, layer.outputs[slot])
                        break
            return
        begin = self._beginning(node)
        if begin is None:
            return
        end = self._afterwards(place, node, begin)
        self.covered[place] = self._behind([end], node)
        self.begun |= self.covered[place]
        self.made.add(self.model.value(end))
        for name in node.real_outputs:
            self.names.learn(name, end)

    def adopt_the_rest(self) -> dict[int, int]:
        """Count nodes without an origin to what they feed, or else to what feeds them."""
        part_of: dict[int, int] = {}
        graph = self.optimised
        lost = [
            place
            for place, layers in enumerate(self.covered)
            if not layers and place not in self.inserted
        ]
        for place in reversed(lost):
            after = (
                i
                for name in graph.nodes[place].real_outputs
                for i in graph.consumers.get(name, ())
            )
            self._adopt(place, list(after), part_of)
        for place in lost:
            needs = graph.nodes[place].needs
            before = [graph.producer[name] for name in needs if name in graph.producer]
            self._adopt(place, before, part_of)
        return part_of

    def _adopt(self, place: int, neighbors: list[int], part_of: dict[int, int]) -> None:
        if self.covered[place]:
            return
        able = [i for i in neighbors if self.covered[i]]
        if able:
            chosen = min(able, key=lambda i: len(self.covered[i]))
            self.covered[place] = self.covered[chosen]
            part_of[place] = part_of.get(chosen, chosen)

    def _anchor(self, place: int, node: Node) -> None:
        """Note the model's nodes that this executed node, and no other, begins at."""
        model = self.model
        for layer in named_layers(node, model):
            self.anchored.setdefault(layer, place)
        originals = [t for t in map_names(node.real_outputs, model) if t in model.producer]
        heart = fusion_knowledge.core(node.operator)
        for name in (*named_outputs(node, model), *originals):
            self.anchored.setdefault(model.producer[name], place)
            at = self._back_to(heart, model.producer[name])
            if at is not None:
                self.anchored.setdefault(at, place)

    def _back_to(self, operator: str, at: int) -> int | None:
        """Step back over what a kernel does afterwards to the operator it is named for."""
        model = self.model
        for _ in range(_STEPS_BACK):
            node = model.nodes[at]
            if node.operator == operator or node.operator not in fusion_knowledge.AFTERWARDS:
                break
            before = [model.producer[name] for name in node.needs if name in model.producer]
            before = [place for place in before if place not in model.constant_nodes]
            same = [place for place in before if model.nodes[place].operator == operator]
            free = [place for place in before if place not in self.anchored]
            if not same and not free:
                break
            at = (same or free)[0]
        return at if model.nodes[at].operator == operator else None

    def _behind(self, ends: list[str], node: Node) -> frozenset[int]:
        """Walk back from tensors to what the node takes in and to what others make."""
        model = self.model
        given = self.names.originals(node.needs)
        if len(ends) == 1 and ends[0] not in given and ends[0] in model.producer:
            first = model.producer[ends[0]]
            if set(given).issuperset(model.nodes[first].needs):
                return frozenset((first,))  # what most nodes come to
        stops = model.values(given)
        reached: set[int] = set()
        waiting = [name for name in ends if name not in given]
        while waiting:
            name = waiting.pop()
            place = model.producer.get(name)
            if place is None or place in reached or name in given:
                continue
            if name not in ends and (
                place in model.constant_nodes
                or model.value(name) in stops
                or model.value(name) in self.made
            ):
                continue
            reached.add(place)
            waiting += model.nodes[place].needs
        return frozenset(reached)

    def _beginning(self, node: Node) -> str | None:
        """Return where a node begins, judged by its name, its inputs or the names of its
        outputs."""
        model = self.model
        begin = set(named_outputs(node, model))
        begin |= {model.nodes[i].real_outputs[0] for i in named_layers(node, model)}
        if not begin:
            begin = self._like(node)
        if not begin:
            tokens = (token for name in node.real_outputs for token in layer_names.tokens(name))
            begin = {token for token in tokens if token in model.producer}
        return max(begin, key=lambda name: model.producer[name], default=None)

    def _like(self, node: Node) -> set[str]:
        """Return a layer of the same operator with the same inputs that no other node runs."""
        model = self.model
        given = self.names.originals(node.needs)
        varying = model.values(name for name in given if name not in model.constants)
        places = {
            place
            for value in model.values(given)
            for place in self.alike.get((node.operator, value), ())
            if place not in self.begun
        }
        exact = [place for place in places if self._varying(place) == varying]
        chosen = min(exact or places, default=None)
        return set() if chosen is None else {model.nodes[chosen].real_outputs[0]}

    def _varying(self, place: int) -> set[int | str]:
        needs = self.model.nodes[place].needs
        return self.model.values(name for name in needs if name not in self.model.constants)

    def _afterwards(self, place: int, node: Node, name: str) -> str:
        """Follow a tensor over the layers that the executed node carries out behind it."""
        model = self.model
        given = model.values(self.names.originals(node.needs))
        while (reader := follower(model, node, name)) is not None:
            after = model.nodes[reader].real_outputs[0]
            if self.anchored.get(reader, place) != place or model.value(after) in self.made:
                break  # another node runs it
            if not inputs_available(model, reader, name, given, self._behind([name], node)):
                break
            name = after
        return name
