"""Layer alignment: match the layers of several models by index, name, output or structure."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from inspector.comparison.layer_pairs.families import (
    CONVERSIONS,
    common_runs,
    family,
    without_suffix,
)
from inspector.comparison.layer_pairs.model_graph import LANDMARKS, ModelGraph
from inspector.comparison.model_matching import match
from inspector.model.model import Layer, Model, TensorInfo
from inspector.report.report import LayerUse

Layers = tuple[LayerUse, ...]
Key = Callable[[LayerUse], Hashable | None]

_BACKWARD = {"QuantizeLinear"}  # they store what the layer before them made
_INPUT = "input"  # of layers that read no other one


class Row(Struct):
    """One aligned layer, as it is on each side; None where a side has no such layer.

    how: what the sides were brought together by: "index", "name", "output" or "structure".
    """

    layers: list[LayerUse | None]
    how: str = ""
    place: float = 0.0

    @property
    def first_layer(self) -> LayerUse:
        """The layer on the first side that has it."""
        return next(layer for layer in self.layers if layer is not None)


def align(sides: Sequence[Layers], models: Sequence[str]) -> tuple[Row, ...]:
    """Return rows of aligned layers, in the order of the first side.

    models: what names the model of each side; sides of one model go by index.
    """
    rows: list[Row] = []
    for side, layers in enumerate(sides):
        twin = next((i for i in range(side) if models[i] == models[side]), None)
        if side == 0:
            pairs: dict[int, tuple[int, str]] = {}
        elif twin is not None:
            pairs = _by_index(rows, twin, layers)
        else:
            pairs = _by_similarity([row.first_layer for row in rows], layers)
            pairs |= _conversions(rows, sides, layers, pairs)
        _add(rows, side, layers, pairs)
    return tuple(rows)


def shared(rows: Sequence[Row], side: int) -> float | None:
    """Return the share of layers that side 0 and another have in common, 0 to 1.

    Of the layers of the smaller model, those that were brought together and also have the same
    output shape, or a name that is no mere number ("Conv_12"). None where either side lists no
    layers. Two networks that happen to be made of Conv and Relu share next to none.
    """
    pairs = [(row.layers[0], row.layers[side], row.how) for row in rows]
    sides = [one for one, _, _ in pairs], [other for _, other, _ in pairs]
    counts = [sum(not converts(layer) for layer in layers if layer) for layers in sides]
    if not all(counts):
        return None
    both = [(one, other, how) for one, other, how in pairs if one and other]
    common = sum(
        how == "index" or _same_shape(one, other) or (how != "structure" and _telling(one))
        for one, other, how in both
        if not converts(one)
    )
    return common / min(counts)


def apart(rows: Sequence[Row], side: int) -> tuple[Row, ...]:
    """Return the rows with every layer of a side in a row of its own."""
    unmatched: list[Row] = []
    for row in rows:
        others = [layer if at != side else None for at, layer in enumerate(row.layers)]
        alone = [layer if at == side else None for at, layer in enumerate(row.layers)]
        if row.layers[side] is None or not any(others):
            unmatched.append(row)
            continue
        unmatched.append(Row(list(others), row.how, row.place))
        unmatched.append(Row(list(alone), "", row.place))
    return tuple(unmatched)


def _same_shape(one: LayerUse, other: LayerUse) -> bool:
    """Return whether two layers have the same operator family and known output shape."""
    first, second = ((family(each.operator), _shaped(each)[1]) for each in (one, other))
    return first == second and bool(first[1])


def _telling(layer: LayerUse) -> bool:
    """Return whether a layer's name says more than its operator and a number."""
    names = (layer.name if is_named(layer) else "", layer.value)
    plain = (re.sub(r"[\W\d_]+", " ", name).split() for name in names)
    common = {layer.operator.casefold(), "node", "output", "input", "out", "y"}
    return any(word.casefold() not in common for tokens in plain for word in tokens)


def converts(layer: LayerUse) -> bool:
    """Return whether a layer only converts between number formats."""
    return layer.operator in CONVERSIONS


def serves(layers: Layers) -> dict[int, int]:
    """For each layer that only converts, the index of the layer it does so for.

    What is brought into another format is so for the layer that takes it; storing is done for
    the layer that made it. Where there is none, the other way round. Empty without a graph.
    """
    known = {layer.index: layer for layer in layers}
    takers: dict[int, list[int]] = defaultdict(list)
    for layer in layers:
        for source in layer.reads:
            takers[source].append(layer.index)

    def follow(start: int, forward: bool) -> int | None:
        at, visited = start, {start}
        while True:
            steps = takers[at] if forward else known[at].reads[:1]
            at = next((step for step in steps if step in known and step not in visited), -1)
            if at < 0:
                return None
            if not converts(known[at]):
                return at
            visited.add(at)

    devices_served = {}
    for layer in filter(converts, layers):
        forward = layer.operator not in _BACKWARD
        target = follow(layer.index, forward)
        target = follow(layer.index, not forward) if target is None else target
        if target is not None:
            devices_served[layer.index] = target
    return devices_served


def _by_index(rows: Sequence[Row], twin: int, layers: Layers) -> dict[int, tuple[int, str]]:
    indices = {layer.index for layer in layers}
    matches = {}
    for place, row in enumerate(rows):
        layer = row.layers[twin] if twin < len(row.layers) else None
        if layer is not None and layer.index in indices:
            matches[layer.index] = (place, "index")
    return matches


def _by_similarity(known: Sequence[LayerUse], layers: Layers) -> dict[int, tuple[int, str]]:
    """Match layers by similarity: index of a layer -> its row, and the rule that matched."""
    matches = _as_models(known, layers) if any(each.reads for each in layers) else {}
    free = set(range(len(known))) - {place for place, _ in matches.values()}
    steps: tuple[tuple[str, Key], ...] = (
        ("name", _name), ("name", _core_name), ("output", _value), ("output", _core_value),
    )  # fmt: skip
    for how, key in steps:
        left = [layer for layer in layers if layer.index not in matches]
        places = _queues((key(known[place]), place) for place in sorted(free))
        for layer in left:
            waiting = places.get(key(layer))
            if waiting:
                matches[layer.index] = (waiting.pop(0), how)
        free -= {place for place, _ in matches.values()}
    for index, place in _by_structure(known, layers, matches, free):
        matches[index] = (place, "structure")
    return matches


def _as_models(known: Sequence[LayerUse], layers: Layers) -> dict[int, tuple[int, str]]:
    """Match layers as those of models are matched; an order of operators alone says less than
    what is tried after that."""
    graphs = MeasuredGraph(known), MeasuredGraph(layers)
    return {
        layers[two].index: (one, how)
        for two, (one, how) in match(*graphs).items()
        if how != "order" and not (converts(known[one]) or converts(layers[two]))
    }


def _conversions(
    rows: Sequence[Row],
    sides: Sequence[Layers],
    layers: Layers,
    pairs: dict[int, tuple[int, str]],
) -> dict[int, tuple[int, str]]:
    """Match conversion layers by the layers that they convert for."""
    keyed: list[tuple[Hashable | None, int]] = []
    for side, others in enumerate(sides):
        targets = serves(others)
        members = (row.layers[side] if side < len(row.layers) else None for row in rows)
        at = {layer.index: place for place, layer in enumerate(members) if layer is not None}
        used = {place for place, _ in pairs.values()}
        for layer in filter(converts, others):
            place = at.get(layer.index)
            if place is not None and place not in used and rows[place].first_layer is layer:
                served = targets.get(layer.index, -1)
                key = layer.operator, at.get(served), served < layer.index
                keyed.append((key, place))
    queues, targets, matches = _queues(sorted(keyed, key=lambda k: k[1])), serves(layers), {}
    for layer in layers:
        if converts(layer) and layer.index not in pairs:
            served = targets.get(layer.index, -1)
            target, _ = pairs.get(served, (None, ""))
            waiting = queues.get((layer.operator, target, served < layer.index))
            if waiting:
                matches[layer.index] = (waiting.pop(0), "structure")
    return matches


def _queues(keyed: Iterable[tuple[Hashable | None, int]]) -> dict[Hashable | None, list[int]]:
    queues: dict[Hashable | None, list[int]] = {}
    for key, place in keyed:
        if key is not None:
            queues.setdefault(key, []).append(place)
    return queues


def _name(layer: LayerUse) -> Hashable | None:
    return (layer.name, family(layer.operator)) if is_named(layer) else None


def _core_name(layer: LayerUse) -> Hashable | None:
    return (without_suffix(layer.name), family(layer.operator)) if is_named(layer) else None


def _value(layer: LayerUse) -> Hashable | None:
    return (layer.value, family(layer.operator)) if layer.value else None


def _core_value(layer: LayerUse) -> Hashable | None:
    if not layer.value:
        return None
    return without_suffix(layer.value), family(layer.operator)


def _by_structure(
    known: Sequence[LayerUse],
    layers: Layers,
    matches: dict[int, tuple[int, str]],
    free: set[int],
) -> list[tuple[int, int]]:
    """Longest common runs of what is left: first scope and shape, then shape, then operator.

    Layers that are already aligned hold their places, so that the order is preserved.
    """
    pairs: list[tuple[int, int]] = []
    anchors = dict(matches)
    for likeness in (_scoped, _shaped, _operated):
        left = {place for place in free if not converts(known[place])}
        candidates = [
            layer for layer in layers if not converts(layer) or layer.index in anchors
        ]
        other_candidates = [p for p in range(len(known)) if p in left or not converts(known[p])]
        ours = {place: ("at", place) for place, _ in anchors.values()}
        first = [ours.get(place) or likeness(known[place]) for place in other_candidates]
        second = [
            ("at", anchors[layer.index][0]) if layer.index in anchors else likeness(layer)
            for layer in candidates
        ]
        for i, j in common_runs(first, second):
            place, layer = other_candidates[i], candidates[j]
            if layer.index not in anchors and place in free:
                anchors[layer.index] = (place, "structure")
                free.discard(place)
                pairs.append((layer.index, place))
    return pairs


def _scoped(layer: LayerUse) -> Hashable:
    scope = layer.name.rpartition("/")[0] if is_named(layer) else ""
    return scope, *_shaped(layer)


def _shaped(layer: LayerUse) -> tuple[str, ...]:
    return family(layer.operator), layer.output.partition(" ")[2]


def _operated(layer: LayerUse) -> Hashable:
    return (family(layer.operator),)


def _add(rows: list[Row], side: int, layers: Layers, pairs: dict[int, tuple[int, str]]) -> None:
    """Give the rows another side; layers that none has get rows behind their neighbors.

    Conversions stand next to the layer that they serve.
    """
    targets = serves(layers) if rows else {}
    at = {index: rows[place].place for index, (place, _) in pairs.items()}
    for row in rows:
        row.layers.append(None)
    fresh: list[Row] = []
    before, step = -1.0 if rows else 0.0, 1.0 / (len(layers) + 2)
    for number, layer in enumerate(layers):
        if layer.index in pairs:
            place, how = pairs[layer.index]
            row = rows[place]
            row.layers[side], row.how, before = layer, how, row.place
            continue
        place_between = before + (number + 1) * step if rows else float(number)
        if targets.get(layer.index) in at:
            behind = targets[layer.index] < layer.index
            place_between = at[targets[layer.index]] + (0.0 if behind else -1.0)
            place_between += (number + 1) * step
        fresh.append(Row([*[None] * side, layer], place=place_between))
    rows += fresh
    rows.sort(key=lambda row: row.place)
    for number, row in enumerate(rows):
        row.place = float(number)


class MeasuredGraph(ModelGraph):
    """What a report tells of a model: no weights, so that landmarks have the lengths of their
    outputs."""

    def __init__(self, layers: Sequence[LayerUse]) -> None:
        self._uses = layers
        places = {layer.index: place for place, layer in enumerate(layers)}
        values = [layer.value or f"{layer.operator} {layer.index}" for layer in layers]
        read = {index for layer in layers for index in layer.reads}
        made = tuple(
            Layer(
                place,
                layer.name if is_named(layer) else "",
                layer.operator,
                "",
                tuple(values[places[index]] for index in layer.reads if index in places)
                or (_INPUT,),
                (values[place],),
                parent=places.get(layer.parent) if layer.parent is not None else None,
            )
            for place, layer in enumerate(layers)
        )
        last = (
            value
            for layer, value in zip(layers, values, strict=True)
            if layer.index not in read
        )
        outputs = tuple(TensorInfo(value, "tensor", "unknown", None) for value in last)
        inputs = (TensorInfo(_INPUT, "tensor", "unknown", None),)
        super().__init__(
            Model("", "", 0, 0, (), "", "", "", 0, "", "", (), inputs, outputs, made, ())
        )

    @cached_property
    def landmarks(self) -> dict[int, tuple[int, ...]]:
        """Layers with weights by their family, with the lengths of their output."""
        shapes = (layer.output.partition(" ")[2].split("×") for layer in self._uses)
        return {
            place: tuple(sorted(int(n) for n in shape if n.isdecimal() and n != "1"))
            for place, shape in enumerate(shapes)
            if self.families[place] in LANDMARKS
        }


def is_named(layer: LayerUse) -> bool:
    """Return whether the model file names a layer; unnamed ones get operator and index."""
    return bool(layer.name) and layer.name != f"{layer.operator} {layer.index}"
