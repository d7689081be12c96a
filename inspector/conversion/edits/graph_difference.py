"""The difference between a graph before and after an edit, by comparison.

Whatever an action does, so that what is shown before it is applied cannot differ from it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto

from inspector.conversion.editable_model import stored_bytes
from inspector.conversion.edits.changes import Added, Change, End, LayerMark, MarkKind, Rewire
from inspector.formats.onnx.types import in_full

_Key = Callable[[NodeProto], Hashable]


class _Pair(NamedTuple):
    """A layer that differs: its numbers before and after, and what it is then."""

    old: int
    new: int
    before: NodeProto
    after: NodeProto


class GraphState(NamedTuple):
    """What is compared of the main graph of a model.

    nodes, weights: each as bytes, weights by name; they refer to large values and do not have
    them. inputs, outputs: names and types, in order.
    """

    nodes: Sequence[bytes]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    weights: Mapping[str, bytes]


def state_of(model: ModelProto) -> GraphState:
    """Return what is compared of a model."""
    graph = model.graph
    weights = {tensor.name: tensor.SerializeToString() for tensor in graph.initializer}
    return GraphState(
        [node.SerializeToString() for node in graph.node],
        _types(value for value in graph.input if value.name not in weights),
        _types(graph.output),
        weights,
    )


def _types(values: Iterable[ValueInfoProto]) -> dict[str, str]:
    return {value.name: in_full(value.type) for value in values}


def difference(before: GraphState, after: GraphState) -> Change:
    """Return what has to be done to one graph to get the other."""
    pairs, gone, added = _pairs(before.nodes, after.nodes)
    renamed = _renamed(before, after, pairs, gone.values())
    names = dict(renamed)
    weights = {
        name
        for name, value in before.weights.items()
        if after.weights.get(name, value) != value
    }
    changed, rewired = set[int](), list[Rewire]()
    for old, _, one, other in pairs:
        if _own(one) != _own(other) or one.name != other.name:
            changed.add(old)
        rewired += _rewired(old, one, other, names)
    if weights:
        everyone = map(NodeProto.FromString, before.nodes)
        changed |= {n for n, node in enumerate(everyone) if weights & {*node.input}}
        changed -= {*gone}
    inputs = _ends(before.inputs, after.inputs, names)
    outputs = _ends(before.outputs, after.outputs, names)
    return Change(
        removed=tuple(gone),
        changed=tuple(sorted(changed)),
        rewired=tuple(rewired),
        added=tuple(
            Added(node.op_type, node.name, tuple(node.input), tuple(node.output))
            for node in added.values()
        ),
        renamed=renamed,
        new_inputs=inputs[0],
        lost_inputs=inputs[1],
        new_outputs=outputs[0],
        lost_outputs=outputs[1],
        retyped=(
            *_retyped(before.inputs, after.inputs, names),
            *_retyped(before.outputs, after.outputs, names),
        ),
        layers=(len(before.nodes), len(after.nodes)),
        weight_bytes=(_size(before), _size(after)),
    )


def marks(before: GraphState, after: GraphState) -> tuple[LayerMark, ...]:
    """Return the layers of a graph that are new or other ones than in the graph before."""
    pairs, gone, added = _pairs(before.nodes, after.nodes)
    names = dict(_renamed(before, after, pairs, gone.values()))
    marked = {number: LayerMark(number, MarkKind.NEW) for number in added}
    for old, number, one, other in pairs:
        words = _other_attributes(one, other)
        if words or one.op_type != other.op_type or one.name != other.name:
            marked[number] = LayerMark(number, MarkKind.CHANGED, words)
        elif any(_rewired(old, one, other, names)):
            marked[number] = LayerMark(number, MarkKind.REWIRED)
    weights = {
        name
        for name, value in after.weights.items()
        if name in before.weights and before.weights[name] != value
    }
    for number, body in enumerate(after.nodes) if weights else ():
        read = tuple(n for n in NodeProto.FromString(body).input if n in weights)
        if read and number not in marked:
            marked[number] = LayerMark(number, MarkKind.CHANGED, read)
    return tuple(marked[number] for number in sorted(marked))


def _other_attributes(before: NodeProto, after: NodeProto) -> tuple[str, ...]:
    """Return the names of the attributes that differ."""
    one = {each.name: each.SerializeToString() for each in before.attribute}
    other = {each.name: each.SerializeToString() for each in after.attribute}
    return tuple(name for name in {**one, **other} if one.get(name) != other.get(name))


def _size(state: GraphState) -> int:
    return sum(map(_stored_bytes, state.weights.values()))


@lru_cache(maxsize=1 << 16)
def _stored_bytes(weight: bytes) -> int:
    return stored_bytes(TensorProto.FromString(weight))


def _without_name(weight: bytes) -> bytes:
    tensor = TensorProto.FromString(weight)
    tensor.ClearField("name")
    return bytes(tensor.SerializeToString())


def _own(node: NodeProto) -> bytes:
    """Return what is neither name, input nor output: operator, attributes and the rest."""
    rest = NodeProto()
    rest.CopyFrom(node)
    for field in ("name", "input", "output"):
        rest.ClearField(field)
    return bytes(rest.SerializeToString())


def _by_name(node: NodeProto) -> Hashable:
    return (node.name, node.op_type) if node.name else None


def _by_outputs(node: NodeProto) -> Hashable:
    return node.op_type, tuple(node.output)


def _by_inputs(node: NodeProto) -> Hashable:
    return _own(node), tuple(node.input)


def _by_place(node: NodeProto) -> Hashable:
    return tuple(node.input), tuple(node.output)


def _pairs(
    before: Sequence[bytes], after: Sequence[bytes]
) -> tuple[list[_Pair], dict[int, NodeProto], dict[int, NodeProto]]:
    """Return the layers that differ, those that go, and those that come, by their numbers.

    The same layer makes the same tensor, has the same name, or differs only in the names of
    what it makes.
    """
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = range(1, shorter - head + 1)
    tail = next((n for n in rest if before[-n] != after[-n]), len(rest) + 1) - 1
    places: dict[bytes, list[int]] = {}
    for number in range(len(before) - tail - 1, head - 1, -1):
        places.setdefault(before[number], []).append(number)
    new = dict[int, NodeProto]()
    for number in range(head, len(after) - tail):
        same = places.get(after[number])
        if same:
            same.pop()
        else:
            new[number] = NodeProto.FromString(after[number])
    numbers = sorted(number for same in places.values() for number in same)
    gone = {number: NodeProto.FromString(before[number]) for number in numbers}
    pairs = list[_Pair]()
    keys: tuple[_Key, ...] = (_by_name, _by_outputs, _by_inputs, _by_place)
    for key in keys if new else ():
        old = {key(node): number for number, node in gone.items() if key(node)}
        for number, node in tuple(new.items()):
            match = old.pop(key(node), None) if key(node) else None
            if match is not None:
                pairs.append(_Pair(match, number, gone.pop(match), new.pop(number)))
    return sorted(pairs, key=attrgetter("old")), gone, new


def _renamed(
    before: GraphState, after: GraphState, pairs: Iterable[_Pair], gone: Iterable[NodeProto]
) -> tuple[tuple[str, str], ...]:
    """Return tensors with another name: results of layers, inputs, weights.

    gone: layers whose results may be new inputs, which are then no other names of lost ones.
    """
    renamed: dict[str, str] = {}
    for _, _, one, other in pairs:
        if len(one.output) == len(other.output):
            both = zip(one.output, other.output, strict=True)
            renamed |= {old: new for old, new in both if old != new and old and new}
    if len(before.inputs) == len(after.inputs):
        results = {name for node in gone for name in node.output}
        both = zip(before.inputs, after.inputs, strict=True)
        renamed |= {
            old: new
            for old, new in both
            if old not in after.inputs and new not in before.inputs and new not in results
        }
    gone = {
        _without_name(body): name
        for name, body in before.weights.items()
        if name not in after.weights
    }
    for name, body in after.weights.items():
        if name not in before.weights and (old := gone.pop(_without_name(body), "")):
            renamed[old] = name
    return tuple(renamed.items())


def _rewired(
    number: int, before: NodeProto, after: NodeProto, names: Mapping[str, str]
) -> Iterable[Rewire]:
    for place in range(max(len(before.input), len(after.input))):
        old = before.input[place] if place < len(before.input) else ""
        new = after.input[place] if place < len(after.input) else ""
        if old != new and names.get(old) != new:
            yield Rewire(number, place, old, new)


def _ends(
    before: Mapping[str, str], after: Mapping[str, str], names: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that are new, and those that are lost; a renamed one is neither."""
    known = {*before} | {names.get(name, name) for name in before}
    lost = (n for n in before if n not in after and names.get(n, n) not in after)
    return tuple(name for name in after if name not in known), tuple(lost)


def _retyped(
    before: Mapping[str, str], after: Mapping[str, str], names: Mapping[str, str]
) -> Iterable[End]:
    for name, was in before.items():
        now = after.get(name) or after.get(names.get(name, ""), was)
        if now != was:
            yield End(name, was, now)
