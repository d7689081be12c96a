"""The differences between two models: layers, weights, inputs, outputs and properties.

Names of layers, weights and inner values are no changes; those of inputs and outputs are, since
callers use them. Values of weights are compared if a reader for them is given.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from inspector import units
from inspector.analysis.facts.model_facts import storage
from inspector.analysis.facts.quantization import number_types
from inspector.comparison.change_groups import groups_of, summary_of
from inspector.comparison.comparison import LEAST_SHARED, SAME_PARAMETERS
from inspector.comparison.layer_pairs.families import CONVERSIONS
from inspector.comparison.layer_pairs.model_graph import ModelGraph, Read, attributes_key
from inspector.comparison.model_changes import Change, LayerPair, ModelDiff, State
from inspector.comparison.model_matching import Matches, match, telling
from inspector.comparison.weight_comparison import Progress, WeightComparison
from inspector.model.model import Layer, Model, TensorInfo
from inspector.platform.gc_policy import uncollected
from inspector.wording.values import Sentence

# Attributes of operators with weights in blocks that say what the plain weight's shape says.
_LAYOUT = {"K", "N", "gather_axis", "quantize_axis"}
_MOST_SOURCES = 8  # layers that one input may come from through layers of one model only


@uncollected()
def diff(
    first: Model,
    other: Model,
    read_first: Read | None = None,
    read_other: Read | None = None,
    progress: Progress = lambda _: None,
) -> ModelDiff:
    """Return what differs between two models.

    read_first, read_other: read values of weights, piece by piece; without them only types and
        shapes of weights are compared. progress: may raise to cancel.
    """
    a, b = ModelGraph(first, read_first), ModelGraph(other, read_other)
    matches = match(a, b)
    certain, least = _counterparts(a, b, matches)
    share = certain / least if least else float(not certain)
    near = abs(other.parameters - first.parameters) <= SAME_PARAMETERS * first.parameters
    different = share < LEAST_SHARED and not (near and first.parameters)
    if different:
        matches = {}
    values = read_first is not None and read_other is not None and not different
    weights = WeightComparison(a, b, read_first if values else None, read_other, progress)
    taken = {one: (two, how) for two, (one, how) in matches.items()}
    inputs = _interface("input", first.inputs, other.inputs)
    outputs = _interface("output", first.outputs, other.outputs)
    moved = _moved(a, b, matches)
    pairs = []
    layers = first.layers, other.layers
    for one, two in _ordered(a, b, taken, matches):
        if one is None or two is None:
            pairs.append(LayerPair(one, two))
            continue
        changes = _layer_changes(a, b, one, two, weights, (taken, matches))
        renamed = layers[0][one].name != layers[1][two].name
        pairs.append(LayerPair(one, two, taken[one][1], changes, renamed, two in moved))
    weights.match_rest(different)
    if any(weights.folds):
        pairs = [_with_fold(pair, weights) for pair in pairs]
    whole = ModelDiff(
        first, other, tuple(pairs), tuple(weights.pairs.values()), inputs, outputs,
        tuple(_properties(first, other)), share, different, values,
        constants=_constant_states(a, b, weights),
        counterparts=(certain, least),
    )  # fmt: skip
    whole = replace(whole, groups=() if different else groups_of(whole))
    return replace(whole, summary=summary_of(whole))


def _with_fold(pair: LayerPair, weights: WeightComparison) -> LayerPair:
    """Return a pair with what became of a layer that one side has alone."""
    if pair.first is not None and pair.other is not None:
        return pair
    side, index = (0, pair.first) if pair.first is not None else (1, pair.other)
    fold = weights.folds[side].get(index) if index is not None else None
    if fold is None:
        return pair
    return pair._replace(
        folded=fold.into, folded_equal=fold.equal, folded_difference=fold.difference
    )


def _counterparts(a: ModelGraph, b: ModelGraph, matches: Matches) -> tuple[int, int]:
    """Return how many layers match by more than the order of operators, and the layers of the
    smaller model. (1, 0): of two models one has none but conversions, so that nothing can
    match."""
    layers = a.model.layers, b.model.layers
    counts = [
        sum(layers[side][i].operator not in CONVERSIONS for i in graph.layers)
        for side, graph in enumerate((a, b))
    ]
    if not min(counts):
        return (0 if counts[0] == counts[1] else 1), 0
    certain = 0
    for two, (one, how) in matches.items():
        layer = layers[0][one]
        if layer.operator in CONVERSIONS:
            continue
        other = layers[1][two]
        certain += (
            how in ("weights", "structure")
            or (how in ("name", "output") and _is_telling(layer))
            or _same_known_shape(a, b, layer, other)
            or _same_weights(a, b, layer, other)
        )
    return certain, min(counts)


def _is_telling(layer: Layer) -> bool:
    """Return whether the name of a layer or its output says more than operator and number."""
    output = layer.outputs[0] if layer.outputs else ""
    return telling(layer.name, layer.operator) or telling(output, layer.operator)


def _same_known_shape(a: ModelGraph, b: ModelGraph, one: Layer, two: Layer) -> bool:
    values = [
        graph.values.get(layer.outputs[0]) if layer.outputs else None
        for graph, layer in ((a, one), (b, two))
    ]
    shapes = [value.shape if value is not None else None for value in values]
    return bool(shapes[0]) and shapes[0] == shapes[1]


def _same_weights(a: ModelGraph, b: ModelGraph, one: Layer, two: Layer) -> bool:
    """Return whether two layers are alike and have weights of the same shapes."""
    shapes = [
        [graph.weights[name].shape for name in layer.inputs if name in graph.weights]
        for graph, layer in ((a, one), (b, two))
    ]
    alike = one.operator == two.operator and attributes_key(one) == attributes_key(two)
    return alike and shapes[0] == shapes[1] and any(shapes[0])


def _ordered(
    a: ModelGraph, b: ModelGraph, taken: dict[int, tuple[int, str]], matches: Matches
) -> Iterator[tuple[int | None, int | None]]:
    """Yield pairs in the order of A; a layer of B alone comes behind the one before it."""
    if len(matches) == len(a.layers) == len(b.layers):
        yield from ((one, taken[one][0]) for one in a.layers)
        return
    behind: dict[int, list[int]] = defaultdict(list)
    last = -1
    for two in b.layers:
        if two in matches:
            last = matches[two][0]
        else:
            behind[last].append(two)
    yield from ((None, two) for two in behind[-1])
    for one in a.layers:
        yield one, taken[one][0] if one in taken else None
        yield from ((None, two) for two in behind.get(one, ()))


def _moved(a: ModelGraph, b: ModelGraph, matches: Matches) -> set[int]:
    """Return the layers of B that read other layers than their pairs in A do."""
    inputs = dict(zip((v.name for v in b.model.inputs), (v.name for v in a.model.inputs),
                      strict=False))  # fmt: skip
    inputs |= {v.name: v.name for v in b.model.inputs if v.name in a.input_places}
    straight = all(two == one for two, (one, _) in matches.items())
    suspects = [
        (one, two)
        for two, (one, _) in matches.items()
        if not (straight and _same_places(a, b, one))
        and not _same_makers(a, b, one, two, matches)
    ]
    if not suspects:
        return set()
    names = {name: name for name in a.input_places}
    ours = _Sources(a, {one: one for one, _ in matches.values()}, names)
    theirs = _Sources(b, {two: one for two, (one, _) in matches.items()}, inputs)
    moved = set()
    for one, two in suspects:
        for before, after in zip(ours.of(one), theirs.of(two), strict=False):
            if before and after and not before & after:
                moved.add(two)
                break
    return moved


def _same_places(a: ModelGraph, b: ModelGraph, index: int) -> bool:
    """Return whether two layers at one place read layers at the same places, and no input."""
    names = a.model.layers[index].inputs
    return a.makers[index] == b.makers[index] and a.input_places.keys().isdisjoint(names)


def _same_makers(a: ModelGraph, b: ModelGraph, one: int, two: int, matches: Matches) -> bool:
    """Return whether two layers plainly read the same ones, which most do."""
    before, after = a.makers[one], b.makers[two]
    if len(before) != len(after):
        return False
    for place, (maker, other) in enumerate(zip(before, after, strict=True)):
        if maker is None or other is None:
            if maker is not other or a.model.layers[one].inputs[place] in a.input_places:
                return False
        elif matches.get(other, (-1, ""))[0] != maker:
            return False
    return True


class _Sources:
    """Names of what layers read: matched layers by their index in A, and inputs by their name
    in A."""

    def __init__(
        self, graph: ModelGraph, paired: dict[int, int], inputs: dict[str, str]
    ) -> None:
        self._graph, self._paired, self._inputs = graph, paired, inputs
        self._through: dict[int, frozenset[object]] = {}
        for index in graph.layers:  # in the order of the file, makers come first
            if index not in paired:
                together = frozenset[object]().union(*self.of(index))
                if len(together) <= _MOST_SOURCES:
                    self._through[index] = together

    def of(self, index: int) -> list[frozenset[object]]:
        """Return the sources of each input, through layers that only this side has."""
        names = self._graph.model.layers[index].inputs
        return [
            self._source(name, maker)
            for name, maker in zip(names, self._graph.makers[index], strict=True)
        ]

    def _source(self, name: str, maker: int | None) -> frozenset[object]:
        if maker is None:
            return frozenset((self._inputs[name],) if name in self._inputs else ())
        pair = self._paired.get(maker)
        return self._through.get(maker, frozenset()) if pair is None else frozenset((pair,))


def _layer_changes(
    a: ModelGraph,
    b: ModelGraph,
    one: int,
    two: int,
    weights: WeightComparison,
    matched: tuple[dict[int, tuple[int, str]], Matches],
) -> tuple[Change, ...]:
    first, other = a.model.layers[one], b.model.layers[two]
    changes: list[Change] = []
    across = not a.model.shares_operators(b.model)
    if a.families[one] != b.families[two] if across else _kind(first) != _kind(other):
        names = _operator(first, other), _operator(other, first)
        changes.append(Change("operator", "operator", *names))
    if first.overload != other.overload and not across:
        texts = first.overload or "none", other.overload or "none"
        changes.append(Change("operator", "overload", *texts))
    if first.attributes != other.attributes and not across:
        changes += _attribute_changes(first, other)
    if a.reads_weights(one, matched[0]) or b.reads_weights(two, matched[1]):
        changes += weights.changes_of(one, two, matched)
    if any(name in a.values for name in first.outputs):
        changes += _output_changes(a, b, first, other, across)
    return tuple(changes)


def _kind(layer: Layer) -> tuple[str, str]:
    return layer.operator, layer.domain


def _operator(layer: Layer, other: Layer) -> str:
    """Return the operator, with its domain where that alone differs."""
    if layer.operator != other.operator:
        return layer.operator
    return f"{layer.domain or 'ai.onnx'}.{layer.operator}"


def _attribute_changes(first: Layer, other: Layer) -> Iterator[Change]:
    before, after = (
        {name: (text, digest) for name, text, digest in attributes_key(layer)}
        for layer in (first, other)
    )
    for name in dict.fromkeys((*before, *after)):
        one, two = before.get(name), after.get(name)
        if first.operator != other.operator and name in _LAYOUT:
            continue
        if one != two:
            sides = [
                "" if each is None else units.clip(each[0], 80) or '""' for each in (one, two)
            ]
            yield Change("attribute", name, sides[0], sides[1])


def _output_changes(
    a: ModelGraph, b: ModelGraph, one: Layer, two: Layer, across: bool
) -> Iterator[Change]:
    """Yield declared types and shapes that differ; an axis of unknown length fits any.

    across: in another format, the order of axes is no difference, nor are those of length 1.
    """
    for place, (name, other) in enumerate(zip(one.outputs, two.outputs, strict=False)):
        first, second = a.values.get(name), b.values.get(other)
        if first is None or second is None:
            continue
        output = "output" if not place else Sentence("output {value}", place + 1)
        types = first.dtype, second.dtype
        if types[0] != types[1] and "unknown" not in types:
            yield Change("type", output, *types)
        if _unlike(*(_long(each.shape) if across else each.shape for each in (first, second))):
            shapes = units.shape(first.shape), units.shape(second.shape)
            yield Change("shape", output, *shapes)


def _long(shape: tuple[int | str | None, ...] | None) -> tuple[object, ...] | None:
    """Return the lengths above 1 in ascending order; None where one is unknown."""
    if shape is None or not all(isinstance(length, int) for length in shape):
        return None
    return tuple(sorted(length for length in shape if isinstance(length, int) and length > 1))


def _unlike(one: tuple[object, ...] | None, two: tuple[object, ...] | None) -> bool:
    if one is None or two is None or one == two:
        return False
    if len(one) != len(two):
        return True
    return any(
        isinstance(x, int) and isinstance(y, int) and x != y
        for x, y in zip(one, two, strict=True)
    )


def _constant_states(
    a: ModelGraph, b: ModelGraph, weights: WeightComparison
) -> tuple[dict[int, State], dict[int, State]]:
    """Return what became of Constant nodes with a tensor, and of layers that expand a weight,
    on each side."""
    sides: tuple[dict[int, State], dict[int, State]] = ({}, {})
    for pair in weights.pairs.values():
        for side, (graph, weight) in enumerate(((a, pair.first), (b, pair.other))):
            if weight is None:
                continue
            if weight.layer in graph.constants:
                sides[side][weight.layer] = pair.state
            expansion = graph.expansions.get(weight.name)
            for layer in expansion.layers if expansion is not None else ():
                sides[side][layer.index] = pair.state
    return sides


def _interface(
    kind: str, first: Sequence[TensorInfo], other: Sequence[TensorInfo]
) -> tuple[Change, ...]:
    """Return how inputs or outputs differ: matched by name, the rest by order."""
    names = [{value.name: value for value in values} for values in (first, other)]
    left = [value for value in first if value.name not in names[1]]
    right = [value for value in other if value.name not in names[0]]
    changes = [
        Change(kind, value.name, _declared(value), _declared(names[1][value.name]))
        for value in first
        if value.name in names[1] and _declared(value) != _declared(names[1][value.name])
    ]
    for one, two in zip(left, right, strict=False):
        names_ = f"{one.name} → {two.name}"
        changes.append(Change(kind, names_, _declared(one), _declared(two)))
    both = min(len(left), len(right))
    changes += [Change(kind, value.name, _declared(value), "") for value in left[both:]]
    changes += [Change(kind, value.name, "", _declared(value)) for value in right[both:]]
    return tuple(changes)


def _declared(value: TensorInfo) -> str:
    return (
        f"{value.dtype} {units.shape(value.shape)}" if value.kind == "tensor" else value.dtype
    )


def _properties(first: Model, other: Model) -> Iterator[Change]:
    opsets = [{o.domain or "ai.onnx": o.version for o in m.opsets} for m in (first, other)]
    named = [{f"opset {d}".removesuffix(" ai.onnx"): v for d, v in of.items()} for of in opsets]
    yield from _entries("opset", *named)
    sides = [
        {
            "format": model.format,
            "IR version": model.ir_version,
            "producer": f"{model.producer} {model.producer_version}".strip(),
            "model version": model.version,
            "domain": model.domain,
            "description": model.doc,
        }
        for model in (first, other)
    ]
    yield from _entries("property", *sides)
    types = [_number_types(model) for model in (first, other)]
    if any(" " in each for each in types):  # weights alone are compared one by one
        yield from _entries("property", *({"number types": each} for each in types))
    yield from _entries("metadata", dict(first.metadata), dict(other.metadata))
    bodies: list[dict[str, object]] = [
        {f"{f.domain}.{f.name}{f.overload and ' '}{f.overload}".lstrip("."): f
         for f in model.functions}
        for model in (first, other)
    ]  # fmt: skip
    for name in dict.fromkeys((*bodies[0], *bodies[1])):
        one, two = bodies[0].get(name), bodies[1].get(name)
        if one != two:
            sides_ = ["" if each is None else "defined" for each in (one, two)]
            yield Change("function", name, sides_[0], sides_[1])


def _number_types(model: Model) -> str:
    stored = storage(model.distinct_weights)
    return number_types(model, stored[0][0]) if stored else ""


def _entries(
    kind: str, first: Mapping[str, object], other: Mapping[str, object]
) -> Iterator[Change]:
    for name in dict.fromkeys((*first, *other)):
        one, two = (units.clip(str(of.get(name, "")), 80) for of in (first, other))
        if first.get(name) != other.get(name):
            yield Change(kind, name, one, two)
