"""A graph as attribution asks of it: who makes a tensor, who needs it, which are equal."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha1
from typing import NamedTuple

from onnx import AttributeProto, GraphProto, NodeProto, TensorProto

from inspector.backends.onnxruntime.graphs import layer_names
from inspector.model.operator_traits import RANDOM
from inspector.platform.data_struct import DataStruct

_HASHED_BYTES = 1 << 16
Key = tuple[object, ...]


class Node(NamedTuple):  # of all values the one that a long graph makes most often
    """A node of a graph.

    layer: its place in `Model.layers`; in an optimised graph a plain running number.
    inputs, outputs: as they stand, "" for those left out. real_outputs: those that it has.
    needs: tensors it cannot run without, those its subgraphs take from outside included.
    key: what makes another node with equal inputs compute the same.
    bodies: its subgraphs with the attribute and the layer number of their first node.
    """

    layer: int
    name: str
    operator: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    real_outputs: tuple[str, ...]
    needs: tuple[str, ...]
    key: Key
    bodies: tuple[tuple[str, GraphProto, int], ...] = ()


class Graph(DataStruct, frozen=True, eq=False, dict=True, weakref=True):
    """Nodes in an order in which they can run, and what follows from it.

    inputs, outputs, initializers: names of the graph's own.
    outside: tensors of the graphs around this one that no input can change.
    tensors: contents of the initializers as comparable keys, for those that have one.
    """

    nodes: tuple[Node, ...]
    inputs: frozenset[str]
    outputs: tuple[str, ...]
    initializers: frozenset[str]
    outside: frozenset[str]
    tensors: dict[str, Key]

    @cached_property
    def producer(self) -> dict[str, int]:
        """Tensor -> place of the node that makes it."""
        return {name: i for i, node in enumerate(self.nodes) for name in node.real_outputs}

    @cached_property
    def consumers(self) -> dict[str, tuple[int, ...]]:
        """Tensor -> places of the nodes that need it."""
        readers = defaultdict(list)
        for i, node in enumerate(self.nodes):
            for name in set(node.needs):
                readers[name].append(i)
        return {name: tuple(places) for name, places in readers.items()}

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Name of a node -> its place."""
        return {node.name: i for i, node in enumerate(self.nodes) if node.name}

    @cached_property
    def constants(self) -> frozenset[str]:
        """Tensors that no input can change."""
        constant_tensors = set(self.outside | (self.initializers - self.inputs))
        for node in self.nodes:
            if node.operator not in RANDOM and constant_tensors.issuperset(node.needs):
                constant_tensors.update(node.real_outputs)
        return frozenset(constant_tensors)

    @cached_property
    def constant_nodes(self) -> frozenset[int]:
        """Return the places of the nodes that make constants."""
        return frozenset(self.producer[name] for name in self.constants & self.producer.keys())

    @cached_property
    def all_tensors(self) -> frozenset[str]:
        """Return every tensor that this graph makes or is given."""
        return self.inputs | self.initializers | self.constants | self.producer.keys()

    @cached_property
    def _numbers(self) -> dict[str, int]:
        keys: dict[Key, int] = {}
        numbers: dict[str, int] = {}
        for name, content in self.tensors.items():
            numbers[name] = keys.setdefault(("tensor", content), len(keys))
        for node in self.nodes:
            given = tuple(numbers.get(name, name) for name in node.inputs)
            for slot, name in enumerate(node.outputs):
                if name:
                    key = node.key if node.key[0] == "tensor" else (node.key, given, slot)
                    numbers[name] = keys.setdefault(key, len(keys))
        return numbers

    def value(self, tensor: str) -> int | str:
        """Return a key of a tensor's value: equal keys mean equal values."""
        return self._numbers.get(tensor, tensor)

    def values(self, tensors: Iterable[str]) -> set[int | str]:
        """Apply `value` to each tensor."""
        return {self.value(tensor) for tensor in tensors}


def read(
    proto: GraphProto,
    first: int = 0,
    outside: frozenset[str] = frozenset(),
    overridable: bool = True,
) -> Graph:
    """Read a graph whose first node is layer `first`; see Graph for `outside`.

    overridable: whether an initializer that is also an input can change (since IR version 4).
    """
    initializers = {t.name: _content(t) for t in proto.initializer}
    sparse = {t.values.name for t in proto.sparse_initializer}
    carried = frozenset(initializers) | sparse
    inputs = frozenset(value.name for value in proto.input)
    return Graph(
        sorted_nodes(_nodes(proto, first)),
        inputs if overridable else inputs - carried,
        tuple(value.name for value in proto.output),
        carried,
        outside,
        {name: content for name, content in initializers.items() if content},
    )


def sorted_nodes(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Order nodes so that each comes after those it needs, otherwise as they stand."""
    producer = {name: i for i, node in enumerate(nodes) for name in node.real_outputs}
    if all(
        producer[name] < i
        for i, node in enumerate(nodes)
        for name in node.needs
        if name in producer
    ):
        return tuple(nodes)
    ordered: dict[int, Node] = {}
    for root in range(len(nodes)):
        stack = [(root, False)]
        entered = set()
        while stack:
            place, ready = stack.pop()
            if ready:
                ordered.setdefault(place, nodes[place])
            elif place not in ordered and place not in entered:
                entered.add(place)  # a circle would go on for ever
                stack.append((place, True))
                needed = (producer.get(name) for name in nodes[place].needs)
                stack += [(i, False) for i in needed if i is not None and i not in ordered]
    return tuple(ordered.values())


def _nodes(proto: GraphProto, first: int) -> list[Node]:
    nodes = []
    for node in proto.node:
        given, outputs = tuple(node.input), tuple(node.output)
        made = tuple(filter(None, outputs)) if "" in outputs else outputs
        needs = tuple(filter(None, given)) if "" in given else given
        attributes = node.attribute
        bodies: tuple[tuple[str, GraphProto, int], ...] = ()
        operator, domain = node.op_type, node.domain
        key: Key = (operator, domain)
        if attributes or operator in RANDOM:
            key = _key(node, first)
            bodies = tuple(_bodies(node, first + 1))
            needs += tuple(name for _, body, _ in bodies for name in captured_tensors(body))
        name = node.name
        nodes.append(
            Node(first, name, operator, domain, given, outputs, made, needs, key, bodies)
        )
        first += 1 + sum(layer_names.size(body) for _, body, _ in bodies)
    return nodes


def _bodies(node: NodeProto, first: int) -> Iterator[tuple[str, GraphProto, int]]:
    for branch, body in layer_names.bodies(node):
        yield branch, body, first
        first += layer_names.size(body)


def captured_tensors(body: GraphProto) -> tuple[str, ...]:
    """List the tensors that a subgraph takes from the graphs around it."""
    own = {value.name for value in (*body.input, *body.initializer)}
    own.update(name for node in body.node for name in node.output)
    needed = dict.fromkeys(name for node in body.node for name in node.input if name)
    for node in body.node:
        for _, inner in layer_names.bodies(node):
            needed.update(dict.fromkeys(captured_tensors(inner)))
    needed.update(dict.fromkeys(value.name for value in body.output))
    return tuple(name for name in needed if name not in own)


def _key(node: NodeProto, layer: int) -> Key:
    if node.op_type in RANDOM:
        return ("random", layer)
    if node.op_type == "Constant" and node.attribute[:1] and node.attribute[0].name == "value":
        content = _content(node.attribute[0].t)
        return ("tensor", content) if content else ("constant", layer)
    attributes = sorted(_attribute(attribute) for attribute in node.attribute)
    return (node.op_type, node.domain, *attributes)


def _attribute(attribute: AttributeProto) -> bytes:
    return sha1(attribute.SerializeToString(deterministic=True)).digest()


def _content(tensor: TensorProto) -> Key | None:
    """Give a key that equal tensors share; None for a big one, which is its own value."""
    if tensor.external_data:
        place = tuple(sorted((entry.key, entry.value) for entry in tensor.external_data))
        return (tensor.data_type, tuple(tensor.dims), place)
    if tensor.ByteSize() > _HASHED_BYTES:
        return None
    nameless = TensorProto()
    nameless.CopyFrom(tensor)
    nameless.ClearField("name")
    nameless.ClearField("doc_string")
    return (sha1(nameless.SerializeToString(deterministic=True)).digest(),)
