"""The structure behind a flat list of layers: scopes as a tree with sums, and repeats."""

import ast
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from inspector.analysis.cost.model_cost import Cost
from inspector.analysis.facts.layer_cost import stored_bytes
from inspector.analysis.facts.symbolic_sizes import Amount, total
from inspector.model.model import Layer, Model

_DEEPEST = 32
_SCOPES = "pkg.torch.onnx.name_scopes"
_NAMESPACE = "namespace"


class Scope(Struct, frozen=True):
    """Layers whose names begin alike, as their maker nested them.

    name: the last part ("attn"); empty for the whole. layers: indices of all layers within,
    those of inner scopes included. macs, weights_bytes: sums over them, a weight that two
    layers share counted once. alike: how many scopes in a row, this one the first, are built
    the same: equal operators, types, shapes and weights.
    """

    name: str
    path: str
    layers: tuple[int, ...]
    macs: Amount
    weights_bytes: int
    children: tuple["Scope", ...] = ()
    alike: int = 1

    @property
    def depth(self) -> int:
        """Levels of scopes inside; 0 for one without."""
        return 1 + max(child.depth for child in self.children) if self.children else 0


def scopes(model: Model, cost: Cost) -> Scope:
    """Build the tree of a model's scopes; one without children when names tell of none."""
    parsed: dict[str, tuple[str, ...]] = {}
    paths = []
    for layer in model.layers:
        outer = "" if layer.metadata else layer.name.rpartition("/")[0]
        if not outer or ";" in outer:
            paths.append(path(layer))
            continue
        if outer not in parsed:
            parsed[outer] = path(layer)
        paths.append(parsed[outer])
    return _Tree(model, cost, paths).whole


def path(layer: Layer) -> tuple[str, ...]:
    """Scopes that a layer lies in, outermost first, by the exporter's metadata or its name."""
    if layer.metadata:
        metadata = dict(layer.metadata)
        if _SCOPES in metadata and (named := _listed(metadata[_SCOPES])):
            return _dotted(named[:-1])
        if _NAMESPACE in metadata and "/" in metadata[_NAMESPACE]:
            parts = metadata[_NAMESPACE].split("/")[:-1]
            return _dotted([part.partition(":")[0].strip() for part in parts])
    name = layer.name or next((output for output in layer.outputs if output), "")
    name = name.partition(";")[0]  # TensorFlow joins the names of what it fused
    parts = [part for part in name.split("/") if part] if "/" in name else []
    if not parts and name.count(".") > 1:
        parts = name.split(".")
    return _relative(parts[:-1][:_DEEPEST])


def _listed(text: str) -> list[str]:
    """A list of texts as the exporter writes it; clipped or odd ones are none."""
    try:
        parsed = ast.literal_eval(text) if len(text) < 10_000 else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    return [str(part) for part in parsed] if isinstance(parsed, list) else []


def _dotted(names: Sequence[str]) -> tuple[str, ...]:
    """'encoder', 'encoder.layer.0' -> 'encoder', 'layer.0': each name holds its outer ones."""
    return _relative([name for name in names if name][:_DEEPEST])


def _relative(names: Sequence[str]) -> tuple[str, ...]:
    """Take from each name what the one before it says already."""
    parts: list[str] = []
    before = ""
    for name in names:
        inner = name.removeprefix(f"{before}.") if before else name
        if name != before:
            parts.append(inner)
        before = name
    return tuple(parts)


class _Node:
    def __init__(self) -> None:
        self.layers: list[int] = []
        self.own: list[int] = []
        self.inner: dict[str, _Node] = {}

    def chain(self, parts: Sequence[str]) -> "list[_Node]":
        """This node and those down a path, made where they are missing."""
        nodes = [self]
        for part in parts:
            if part not in nodes[-1].inner:
                nodes[-1].inner[part] = _Node()
            nodes.append(nodes[-1].inner[part])
        return nodes


class _Tree:
    """Builds the tree; sums go up from the leaves."""

    def __init__(self, model: Model, cost: Cost, paths: Sequence[tuple[str, ...]]) -> None:
        self._model, self._cost = model, cost
        self._weights = {weight.name: weight for weight in model.weights}
        self._holders = {layer.parent for layer in model.layers}
        shapes = {value.name: (value.dtype, value.shape) for value in model.values}
        stored = {weight.name: (weight.dtype, weight.shape) for weight in model.weights}
        self._marks = [_mark(layer, stored, shapes) for layer in model.layers]
        root = _Node()
        chains: dict[tuple[str, ...], list[_Node]] = {}
        for layer, parts in zip(model.layers, paths, strict=True):
            chain = chains.get(parts)
            if chain is None:
                chain = chains[parts] = root.chain(parts)
            for node in chain:
                node.layers.append(layer.index)
            chain[-1].own.append(layer.index)
        self.whole, _ = self._scope(root, "", ())

    def _scope(self, node: _Node, name: str, outer: tuple[str, ...]) -> tuple[Scope, int]:
        children = [
            self._scope(inner, part, (*outer, part)) for part, inner in node.inner.items()
        ]
        sign = hash(tuple(self._marks[index] for index in node.layers))
        weights = {
            each for index in node.layers for each in self._model.layers[index].inputs
            if each in self._weights
        }  # fmt: skip
        costs = (self._cost.layers[i] for i in node.own if i not in self._holders)
        own = [each.macs for each in costs if each.counted and each.macs]
        scope = Scope(
            name=name,
            path="/".join(outer),
            layers=tuple(node.layers),
            macs=total((*own, *(inner.macs for inner, _ in children))),
            weights_bytes=sum(stored_bytes(self._weights[each]) for each in weights),
            children=_counted(children),
        )
        return scope, sign


def _mark(
    layer: Layer, stored: Mapping[str, object], shapes: Mapping[str, tuple[object, ...]]
) -> int:
    """A number that equal layers share: operator, attributes, types and weights."""
    inputs, attributes = layer.inputs, layer.attributes
    weights = tuple([stored[name] for name in inputs if name in stored])
    output_types = tuple([shapes.get(name) for name in layer.outputs])
    texts = tuple([a.text for a in attributes if a.kind != "tensor"]) if attributes else ()
    return hash((layer.domain, layer.operator, len(inputs), texts, weights, output_types))


def _counted(children: Sequence[tuple[Scope, int]]) -> tuple[Scope, ...]:
    """Return scopes, the first of each series of equal ones with their number in `alike`."""
    scopes_found: list[Scope] = []
    place = 0
    while place < len(children):
        last = place + 1
        while last < len(children) and children[last][1] == children[place][1]:
            last += 1
        enough = last - place > 1 and len(children[place][0].layers) > 1
        first = children[place][0]
        first = structs.replace(first, alike=last - place) if enough else first
        scopes_found += [first, *(scope for scope, _ in children[place + 1 : last])]
        place = last
    return tuple(scopes_found)
