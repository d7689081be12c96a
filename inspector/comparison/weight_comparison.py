"""Compare the weights of two models as their layers read them, piece by piece.

A weight that one model stores quantized is compared as the real numbers it stands for.
"""

from collections.abc import Callable, Container, Iterator
from functools import lru_cache, partial
from itertools import chain, zip_longest
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector import units
from inspector.comparison import folding
from inspector.comparison.folding import Affine
from inspector.comparison.layer_pairs.families import CONVERSIONS, family
from inspector.comparison.layer_pairs.model_graph import ModelGraph, Read
from inspector.comparison.model_changes import (
    Change,
    State,
    WeightPair,
    weight_text,
    weight_texts,
)
from inspector.comparison.model_matching import Matches
from inspector.comparison.tensor_pairs import channel_blocks
from inspector.comparison.tensor_pairs.channel_blocks import Blocks
from inspector.comparison.tensor_pairs.likeness import Axes, layouts, likeness, moved
from inspector.errors import InspectorError, UnreadableFile
from inspector.model import operator_names
from inspector.model.model import ITEM_BITS, Layer, WeightInfo
from inspector.model.tensors.difference import Difference, difference_of_pieces
from inspector.model.tensors.expansion import MOST_BYTES, PACKED_INPUTS, expanded, packed_weight
from inspector.wording.values import Sentence

Values = NDArray[np.generic]
Progress = Callable[[float], None]  # share of the weights that is compared, 0 to 1

_COUNTS = {"int64", "int32", "bool", "string"}  # types of lengths, places and labels
_MOST_SCALES = 1_000_000  # elements of a tensor of scales, which is read as a whole
_FLOAT_BYTES = 4
_PACKED_BIAS = 5  # input of MatMulNBits with the bias
_SMALL = 1 << 16  # elements that are compared at once
_MOST_STEPS = 4  # Q, DQ and casts between a layer and its weight
# Where quantized operators have weight, scale and zero point, by the float operator's place.
# Source: the operators' schemas in ONNX and in ONNX Runtime's docs/ContribOperators.md.
_QUANTIZED_INPUTS: dict[str, dict[int, tuple[int, ...]]] = {
    "QLinearConv": {1: (3, 4, 5), 2: (8,)},
    "QLinearMatMul": {1: (3, 4, 5)},
    "QGemm": {1: (3, 4, 5), 2: (6,)},
}
# Names of inputs that are weights, by family of operators; Gemm is one of MatMul.
_ROLES = {
    "Conv": {1: "weights", 2: "bias"},
    "ConvTranspose": {1: "weights", 2: "bias"},
    "MatMul": {1: "weights", 2: "bias"},
    "LayerNormalization": {1: "scale", 2: "bias"},
    "BatchNormalization": {1: "scale", 2: "bias", 3: "mean", 4: "variance"},
}


class _Argument(NamedTuple):
    """A weight as a layer reads it: scale and zero point where it is stored quantized.

    Not a dataclass, as `Layer` is none. expanded: whether several layers compute it. packed:
    the layer that unpacks its blocks, of `stored`; turned: whether rows and columns are then
    exchanged, as in the other side's weight. axes: order of the axes of `filed`, the weight as
    another format has it, after which it has the shape of `weight`. blocks: in which `filed`
    has its channels.
    """

    weight: WeightInfo
    scale: WeightInfo | None = None
    zero_point: WeightInfo | None = None
    axis: int = 1
    expanded: bool = False
    packed: Layer | None = None
    stored: WeightInfo | None = None
    turned: bool = False
    axes: Axes = ()
    filed: WeightInfo | None = None
    blocks: Blocks | None = None

    @property
    def stored_as(self) -> WeightInfo:
        """The weight as the file has it."""
        return self.weight if self.filed is None else self.filed


_Arguments = tuple[dict[int, _Argument], dict[int, _Argument]]
_Matched = tuple[dict[int, tuple[int, str]], Matches]


class WeightComparison:
    """Compares weights as matched layers read them, each pair once."""

    def __init__(
        self,
        a: ModelGraph,
        b: ModelGraph,
        read_first: Read | None,
        read_other: Read | None,
        progress: Progress,
    ) -> None:
        self._sides = a, b
        self._across = not a.model.shares_operators(b.model)
        self._read = _expanding(a, read_first), _expanding(b, read_other)
        self._progress, self._done = progress, 0
        self._bytes = max(1, sum(w.size_bytes or 0 for w in a.model.weights))
        self.pairs: dict[tuple[str, str], WeightPair] = {}
        self._used: tuple[set[str], set[str]] = (set(), set())
        # Of each side: layers that are in the weights of another layer on the other side, and
        # names of the weights that went into those.
        self.folds: tuple[dict[int, folding.Fold], dict[int, folding.Fold]] = ({}, {})
        self._folded: tuple[set[str], set[str]] = (set(), set())
        self._shapes: tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]] = ({}, {})

    def changes_of(
        self, one: int, two: int, matched: tuple[dict[int, tuple[int, str]], Matches]
    ) -> Iterator[Change]:
        """Yield how the weights of two layers differ."""
        a, b = self._sides
        first, other = a.model.layers[one], b.model.layers[two]
        every = len(matched[0]) == len(a.layers) and len(matched[1]) == len(b.layers)
        alike = (first.operator, first.domain) == (other.operator, other.domain)
        if every and not self._across and alike and first.operator not in PACKED_INPUTS:
            yield from self._changes_by_place(first, other)
            return
        ours = self._arguments(0, first, matched[0], other)
        theirs = self._arguments(1, other, matched[1], first)
        if self._across:  # formats differ in how they pass parameters and add a bias
            both = [p for p in ours if p in theirs and _is_learned(ours[p])]
            theirs = {p: self._in_layout(ours[p], theirs[p]) for p in both}
            ours = {p: ours[p] for p in both}
        elif first.domain != other.domain:
            ours, theirs = self._out_of_blocks((first, other), (ours, theirs))
        folded = self._folded_changes((one, two), (ours, theirs), matched)
        if folded is not None:
            yield from folded
            return
        for place in sorted({*ours, *theirs}):
            role = _role(first.operator, place)
            yield from self._change(role, ours.get(place), theirs.get(place))
        yield from self._changes_of_attributes(one, two)

    def _changes_by_place(self, first: Layer, other: Layer) -> Iterator[Change]:
        """Yield how weights differ where each layer of both models has its pair: then none is
        behind a conversion that the other model lacks, and none was folded."""
        known, others = (graph.weights for graph in self._sides)
        names = zip_longest(first.inputs, other.inputs, fillvalue="")
        for place, (name, other_name) in enumerate(names):
            one, two = known.get(name), others.get(other_name)
            if one is not None or two is not None:
                sides = [
                    None if each is None else self._argument(side, each)
                    for side, each in enumerate((one, two))
                ]
                yield from self._change(_role(first.operator, place), *sides)
        yield from self._changes_of_attributes(first.index, other.index)

    def _changes_of_attributes(self, one: int, two: int) -> Iterator[Change]:
        a, b = self._sides
        if one not in a.attribute_weights and two not in b.attribute_weights:
            return
        tensors = a.attribute_weights.get(one, {}), b.attribute_weights.get(two, {})
        for name in dict.fromkeys((*tensors[0], *tensors[1])):
            sides = [of.get(name) for of in tensors]
            texts = (_attribute_text(a, one, name), _attribute_text(b, two, name))
            for change in self._change(name, *(_Argument(w) if w else None for w in sides)):
                yield replace(change, before=texts[0], after=texts[1]) if all(texts) else change

    def _argument(self, side: int, weight: WeightInfo) -> _Argument:
        """Return a weight as a layer reads it directly; where layers expand it, with the shape
        that it then has."""
        if weight.name not in self._sides[side].expansions:
            return _with_declared_scale(self._sides[side], weight)
        read = self._read[side]
        if read is not None and weight.name not in self._shapes[side]:
            try:
                self._shapes[side][weight.name] = next(read(weight)).shape
            except InspectorError:
                self._shapes[side][weight.name] = weight.shape  # comparing says why
        shape = self._shapes[side].get(weight.name, weight.shape)
        return _Argument(weight._replace(shape=shape), expanded=True)

    def _arguments(
        self, side: int, layer: Layer, matched: dict[int, tuple[int, str]], other: Layer
    ) -> dict[int, _Argument]:
        """Return the weights of a layer by the place of the input."""
        graph = self._sides[side]
        if layer.operator in PACKED_INPUTS:
            return _packed_arguments(graph, layer, other)
        quantized = (
            _QUANTIZED_INPUTS.get(layer.operator) if other.operator != layer.operator else None
        )
        if quantized is not None:
            given = {place: _given(graph, layer, of) for place, of in quantized.items()}
            return {p: _Argument(*each, axis=0) for p, each in given.items() if each}
        arguments = {}
        for place, name in enumerate(layer.inputs):
            weight = graph.weights.get(name)
            if weight is not None:
                arguments[place] = self._argument(side, weight)
            elif name:
                behind = _behind_conversions(graph, layer, name, matched)
                if behind is not None:
                    arguments[place] = behind
        return arguments

    def _in_layout(self, one: _Argument, two: _Argument) -> _Argument:
        """Return a weight of another format in the order of axes in which it is most like the
        first one's; as it is where it has another size or cannot be read."""
        if not (_is_real(one) and _is_real(two)):
            return two
        shape, theirs = one.weight.shape, two.weight.shape
        orders = layouts(shape, theirs)
        if not orders:
            return two
        axes = orders[0]
        if self._read[0] is not None and self._read[1] is not None and len(orders) > 1:
            try:
                mine, other = (
                    np.concatenate([*_real(read, each)])
                    for read, each in zip(self._read, (one, two), strict=True)
                )
            except InspectorError:
                return two  # comparing says why
            pair = [mine.reshape(shape)], [other.reshape(theirs)]
            axes = min(orders, key=lambda order: likeness([pair[0]], [pair[1]], order)[0].max())
        weight = two.weight._replace(shape=shape)
        return two._replace(weight=weight, axes=axes, filed=two.weight)

    def _out_of_blocks(self, layers: tuple[Layer, Layer], arguments: _Arguments) -> _Arguments:
        """Return the weights of two layers, those whose channels are in blocks in the order of
        the other side's; as they are where they cannot be read."""
        ours, theirs = (dict(each) for each in arguments)
        for side, (mine, others) in enumerate(((ours, theirs), (theirs, ours))):
            read, read_other = self._read[side], self._read[1 - side]
            if layers[side].domain != channel_blocks.DOMAIN or not (read and read_other):
                continue
            for place in mine.keys() & others.keys():
                weight, shape = mine[place].weight, others[place].weight.shape
                try:
                    stored = np.concatenate([*_real(read, mine[place])]).reshape(weight.shape)
                    known = np.concatenate([*_real(read_other, others[place])]).reshape(shape)
                except InspectorError:
                    continue  # comparing says why
                blocks = channel_blocks.blocks_of(stored, known)
                if blocks is not None:
                    plain = weight._replace(shape=shape)
                    mine[place] = mine[place]._replace(
                        weight=plain, filed=weight, blocks=blocks
                    )
        return ours, theirs

    def _change(
        self, role: str, one: _Argument | None, two: _Argument | None
    ) -> Iterator[Change]:
        if one is None or two is None:
            alone = one or two
            assert alone is not None, "one side has it"
            text = weight_text(alone.weight)
            yield Change("weight", role, text if one else "", text if two else "")
            return
        key = one.weight.name, two.weight.name
        if key not in self.pairs:
            pair = self._compared(one, two)
            self.pairs[key] = replace(pair, other=two.stored_as)
            for used, argument in zip(self._used, (one, two), strict=True):
                used.add(argument.weight.name)
        pair = self.pairs[key]
        if pair.state is State.CHANGED:
            texts = weight_texts(one.weight, two.weight)
            yield Change("weight", role, *texts, pair.difference, pair.problem)

    def _compared(self, one: _Argument, two: _Argument) -> WeightPair:
        first, other = one.weight, two.weight
        self._done += first.size_bytes or 0
        self._progress(min(1.0, self._done / self._bytes))
        plain = _is_plain(one, two) or (one.packed is not None and two.packed is not None)
        if first.shape != other.shape:
            return WeightPair(first, other, State.CHANGED)
        state = State.SAME if plain else State.CHANGED
        reads = self._read
        if reads[0] is None or reads[1] is None:
            return WeightPair(first, other, state)
        try:
            if plain and _equal(_real(reads[0], one), _real(reads[1], two)):
                return WeightPair(first, other, State.SAME)
            if not plain and not (_is_real(one) and _is_real(two)):
                return WeightPair(first, other, state)
            if first.dtype == "string":
                return WeightPair(first, other, State.CHANGED)
            result = difference_of_pieces(
                lambda: _pieces(_real(reads[0], one), _real(reads[1], two)),
                first.shape,
                (first.dtype, other.dtype),
                8 if "64" in first.dtype + other.dtype else 4,
            )
        except InspectorError as error:
            return WeightPair(first, other, state, problem=error.why or error.what)
        same = first.dtype == other.dtype and not result.unequal
        return WeightPair(first, other, State.SAME if same else State.CHANGED, result)

    def _folded_changes(
        self, pair: tuple[int, int], arguments: _Arguments, matched: _Matched
    ) -> list[Change] | None:
        """Return how the weights of two layers differ where layers behind are folded into them.

        None where nothing is folded: then they are compared as they are stored.
        """
        graphs, read = self._sides, self._read
        every = all(len(m) == len(g.layers) for m, g in zip(matched, graphs, strict=True))
        one, two = (of.get(1) for of in arguments)
        if every or one is None or two is None or read[0] is None or read[1] is None:
            return None
        layers = [g.model.layers[i] for g, i in zip(graphs, pair, strict=True)]
        alike = one.weight.shape == two.weight.shape and _is_real(one) and _is_real(two)
        if not alike or not folding.foldable(layers[0]) or not folding.foldable(layers[1]):
            return None
        sides = []
        try:
            for side, (argument, reader) in enumerate(((one, read[0]), (two, read[1]))):
                at = graphs[side], pair[side], argument.weight, matched[side]
                affine = folding.behind(*at, partial(_whole, reader))
                if affine is None:
                    return None
                sides.append(affine)
            fold: tuple[Difference, Difference] | None = None
            if any(side.layers for side in sides):
                both = (sides[0], sides[1])
                weights = self._difference_of_folded((one, two), both)
                fold = weights, self._difference_of_biases(arguments, both)
        except InspectorError:
            return None  # comparing them as they are stored says what cannot be read
        if fold is not None and not folding.is_folded(*fold):
            fold = None
        for side in (0, 1):
            last, others = (
                (pair[at], *(sides[at].layers if fold else ()))[-1] for at in (side, 1 - side)
            )
            self._fuse(side, last, (others, layers[1 - side]), matched[side])
        if fold is None:
            return None
        equal = folding.is_equal(*fold) and _is_plain(one, two)
        for side in (0, 1):
            into = layers[1 - side].operator
            if sides[1 - side].layers:
                model = graphs[1 - side].model
                into = " and ".join(model.layers[i].operator for i in sides[1 - side].layers)
            for index in sides[side].layers:
                self.folds[side][index] = folding.Fold(into, fold[0], equal)
            self._folded[side].update(sides[side].weights)
        return [*self._take_folded(arguments, fold, equal)]

    def _fuse(
        self, side: int, index: int, other: tuple[int, Layer], matched: Container[int]
    ) -> None:
        """Remember that an activation is an attribute of the other side's layer, or what a
        quantization behind that layer does anyway. index: last layer of this side's pair;
        other: last one of the other side, and its layer with weights."""
        graph, reader = self._sides[side], self._read[1 - side]
        activation = folding.only_reader(graph, index)
        if activation is None or activation in matched or reader is None:
            return
        if folding.is_activation_of(graph, activation, other[1]):
            self.folds[side][activation] = folding.Fold(other[1].operator, None, True)
        elif graph.model.layers[activation].operator == "Relu":
            try:
                clamping = folding.clamping_layer(
                    self._sides[1 - side], other[0], partial(_whole, reader)
                )
            except InspectorError:
                return  # then it counts as removed
            if clamping is not None:
                self.folds[side][activation] = folding.Fold(clamping.operator, None, True)

    def _take_folded(
        self, arguments: _Arguments, differences: tuple[Difference, Difference], equal: bool
    ) -> Iterator[Change]:
        """Register weights and biases of a layer whose weights are folded; yield changes."""
        for place, difference in zip((1, 2), differences, strict=True):
            one, two = (of.get(place) for of in arguments)
            names = self._folded if one is None or two is None else self._used
            for side, argument in enumerate((one, two)):
                if argument is not None:
                    names[side].add(argument.weight.name)
            if one is None or two is None:
                continue
            state = State.SAME if equal else State.CHANGED
            key = one.weight.name, two.weight.name
            if key in self.pairs:  # several layers read them
                continue
            self.pairs[key] = WeightPair(
                one.weight, two.stored_as, state, difference, folded=True
            )
            if not equal and difference.unequal:
                texts = weight_texts(one.weight, two.weight)
                yield Change("weight", "bias" if place == 2 else "weights", *texts, difference)

    def _difference_of_folded(
        self, weights: tuple[_Argument, _Argument], sides: tuple[Affine, Affine]
    ) -> Difference:
        one, two = (argument.weight for argument in weights)

        def pieces() -> Iterator[tuple[Values, Values]]:
            each = [
                _scaled(_real(read, argument), affine, argument.weight.shape)
                for read, argument, affine in zip(self._read, weights, sides, strict=True)
            ]
            return _pieces(each[0], each[1])

        types = one.dtype, two.dtype
        return difference_of_pieces(
            pieces, one.shape, types, 8 if "64" in "".join(types) else 4
        )

    def _difference_of_biases(
        self, arguments: _Arguments, sides: tuple[Affine, Affine]
    ) -> Difference:
        values, types = [], []
        for of, read, affine in zip(arguments, self._read, sides, strict=True):
            argument = of.get(2)
            bias = np.zeros(1)
            if argument is not None:
                bias = np.concatenate([*_real(read, argument)]).astype(np.float64)
            weight = (argument or of[1]).weight
            types.append(weight.dtype)
            values.append(bias * affine.factor + affine.offset)
        one, two = np.broadcast_arrays(*values)
        return difference_of_pieces(
            lambda: iter([(one, two)]), one.shape, (types[0], types[1]), 4
        )

    def match_rest(self, different: bool) -> None:
        """Pair what no matched layer reads by name; the rest is new or gone."""
        a, b = self._sides
        sides = [
            {w.name: w for w in graph.model.weights if w.name not in used | graph.parts}
            | {name: graph.weights[name] for name in graph.expansions if name not in used}
            for graph, used in zip((a, b), self._used, strict=True)
        ]
        for name, weight in sides[0].items():
            if name in sides[1] and not different:
                other = sides[1].pop(name)
                arguments = self._argument(0, weight), self._argument(1, other)
                self.pairs[name, name] = self._compared(*arguments)
            else:
                folded = name in self._folded[0]
                self.pairs[name, ""] = WeightPair(weight, None, State.GONE, folded=folded)
        for name, weight in sides[1].items():
            folded = name in self._folded[1]
            self.pairs["", name] = WeightPair(None, weight, State.NEW, folded=folded)


def _expanding(graph: ModelGraph, read: Read | None) -> Read | None:
    """Return a reader that expands the weights which layers compute, in their shape."""
    if read is None or not graph.expansions:
        return read
    reader, weights = read, {weight.name: weight for weight in graph.model.weights}

    @lru_cache(maxsize=1)
    def whole(name: str) -> Values:
        found = graph.expansions[name]
        what = f"Could not expand '{units.clip(name, 80)}'"
        if found.codes.elements * _FLOAT_BYTES > MOST_BYTES:
            raise UnreadableFile(what, f"it would take more than {units.size(MOST_BYTES)}")
        try:
            return expanded(found, weights, lambda weight: _in_shape(reader, weight))
        except ValueError as error:
            raise UnreadableFile(what, str(error)) from error

    def values(weight: WeightInfo) -> Iterator[Values]:
        if weight.name in graph.expansions:
            yield whole(weight.name)
        else:
            yield from reader(weight)

    return values


def _in_shape(read: Read, weight: WeightInfo) -> Values:
    pieces = [*read(weight)]
    flat = np.concatenate(pieces) if pieces else np.empty(0)
    return flat.reshape(weight.stored_shape)


def _packed_arguments(graph: ModelGraph, layer: Layer, other: Layer) -> dict[int, _Argument]:
    """Return the weight in blocks that a layer unpacks itself, and its bias."""
    arguments = {}
    given = _given(graph, layer, PACKED_INPUTS[layer.operator])
    is_product = layer.operator != "GatherBlockQuantized"
    if given is not None:
        stored, scale, zero = given
        shape = stored.shape
        numbers = {each.name: each.text for each in layer.attributes}
        if is_product:
            shape = int(numbers.get("N", 0)), int(numbers.get("K", 0))
        elif stored.dtype == "uint8" and numbers.get("bits", "4") == "4":
            shape = (*shape[:-1], 2 * shape[-1])
        turned = is_product and other.operator not in PACKED_INPUTS
        turned = turned and not any(
            each.name == "transB" and each.text == "1" for each in other.attributes
        )
        weight = stored._replace(shape=shape[::-1] if turned else shape)
        arguments[int(is_product)] = _Argument(
            weight, scale, zero, packed=layer, stored=stored, turned=turned
        )
    bias = _given(graph, layer, (_PACKED_BIAS,)) if is_product else None
    if bias is not None:
        arguments[2] = _Argument(bias[0])
    return arguments


def _given(
    graph: ModelGraph, layer: Layer, places: tuple[int, ...]
) -> tuple[WeightInfo, WeightInfo | None, WeightInfo | None] | None:
    """Return weight, scale and zero point at these inputs of a layer; None without weight."""
    names = [layer.inputs[p] if p < len(layer.inputs) else "" for p in places]
    weight, *rest = [graph.weights.get(name) for name in names]
    scale, zero_point = (*rest, None, None)[:2]
    return None if weight is None else (weight, scale, zero_point)


def _behind_conversions(
    graph: ModelGraph, layer: Layer, name: str, matched: dict[int, tuple[int, str]]
) -> _Argument | None:
    """Return the weight that a layer reads through conversions of its own side alone."""
    for _ in range(_MOST_STEPS):
        maker = graph.maker(name, layer)
        if maker is None or maker in matched:
            return None
        layer = graph.model.layers[maker]
        operator = operator_names.from_any(layer.operator)
        if operator not in (*CONVERSIONS, "Identity") or not layer.inputs:
            return None
        name = layer.inputs[0]
        weight = graph.weights.get(name)
        if weight is None:
            continue
        if layer.operator != "DequantizeLinear":
            return _with_declared_scale(graph, weight)
        given = _given(graph, layer, (0, 1, 2))
        axes = [int(a.text) for a in layer.attributes if a.name == "axis"]
        return _Argument(*given, axis=axes[0] if axes else 1) if given is not None else None
    return None


@lru_cache(maxsize=1024)
def _role(operator: str, place: int) -> str:
    """Return the name of an input that is a weight."""
    return _ROLES.get(family(operator), {}).get(place, Sentence("input {value}", place + 1))


def _attribute_text(graph: ModelGraph, layer: int, name: str) -> str:
    """Return a tensor that is an attribute as text with elements; empty without elements."""
    attributes = graph.model.layers[layer].attributes
    return next((a.text for a in attributes if a.name == name and a.values), "")


def _with_declared_scale(graph: ModelGraph, weight: WeightInfo) -> _Argument:
    """Return a weight with the scale and zero point that the format declares for it."""
    declared = graph.declared.get(weight.name)
    if declared is None or declared.scale_place is None:
        return _Argument(weight)
    scale, zero_point = (
        None if place is None
        else WeightInfo(f"{weight.name} {noun}", dtype, (declared.scales,), place.length, place)
        for noun, dtype, place in (
            ("scale", "float32", declared.scale_place),
            ("zero point", "int64", declared.zero_point_place),
        )
    )  # fmt: skip
    return _Argument(weight, scale, zero_point, declared.axis or 0)


def _is_learned(argument: _Argument) -> bool:
    """Return whether a weight is not a length, a place or a label."""
    return argument.scale is not None or argument.weight.dtype not in _COUNTS


def _is_plain(one: _Argument, two: _Argument) -> bool:
    """Return whether both are stored in one type, as numbers that stand for themselves."""
    return one.weight.dtype == two.weight.dtype and one.scale is None and two.scale is None


def _whole(read: Read, weight: WeightInfo) -> NDArray[np.float64]:
    """Return a small weight in its shape."""
    return np.concatenate([*read(weight)]).astype(np.float64).reshape(weight.shape)


def _scaled(
    values: Iterator[Values], affine: Affine, shape: tuple[int, ...]
) -> Iterator[Values]:
    """Yield values of a weight, each channel multiplied by its factor."""
    factor = affine.factor
    inner, start = int(np.prod(shape[affine.axis + 1 :])), 0
    for piece in values:
        channel = np.arange(start, start + piece.size) // inner % shape[affine.axis]
        start += piece.size
        yield piece.astype(np.float64) * factor[channel % factor.size]


def _is_real(argument: _Argument) -> bool:
    """Return whether its values can be compared as real numbers."""
    weight, scale = argument.weight, argument.scale
    if argument.expanded or argument.packed is not None:
        return True
    if scale is None:
        decoded = weight.compression is not None and weight.dtype not in ITEM_BITS  # as GGUF's
        return decoded or weight.dtype.startswith(("float", "bfloat"))
    return scale.elements <= _MOST_SCALES and len(scale.shape) <= 1


def _real(read: Read | None, argument: _Argument) -> Iterator[Values]:
    """Yield values, dequantized where they are stored with a scale."""
    assert read is not None, "values are compared only where they can be read"
    weight = argument.weight
    if argument.packed is not None:
        parts = argument.stored, argument.scale, argument.zero_point
        arrays = [None if each is None else _in_shape(read, each) for each in parts]
        try:
            values = packed_weight(argument.packed, weight.dtype, arrays).values
        except ValueError as error:
            what = f"Could not unpack '{units.clip(weight.name, 80)}'"
            raise UnreadableFile(what, str(error)) from error
        yield np.ascontiguousarray(values.T if argument.turned else values).ravel()
        return
    if argument.filed is not None:
        plain = argument._replace(weight=argument.filed, axes=(), filed=None, blocks=None)
        whole = np.concatenate([*_real(read, plain)]).reshape(argument.filed.shape)
        if argument.blocks is not None:
            ordered = channel_blocks.in_order(whole, argument.blocks, weight.shape)
            yield np.ascontiguousarray(ordered).ravel()
            return
        yield moved(whole, argument.axes, weight.shape).ravel()
        return
    if argument.scale is None:
        yield from (piece.ravel() for piece in read(weight))
        return
    scale = np.concatenate([*read(argument.scale)]).astype(np.float64)
    zero = np.zeros(1)
    if argument.zero_point is not None:
        zero = np.concatenate([*read(argument.zero_point)]).astype(np.float64)
    axis = argument.axis % max(1, len(weight.shape))
    inner = int(np.prod(weight.shape[axis + 1 :]))
    start = 0
    for piece in read(weight):
        channel = np.arange(start, start + piece.size) // inner
        start += piece.size
        zeros, scales = zero[channel % zero.size], scale[channel % scale.size]
        yield (piece.astype(np.float64) - zeros) * scales


def _pieces(
    first: Iterator[Values], other: Iterator[Values]
) -> Iterator[tuple[Values, Values]]:
    """Yield equally long pieces of both."""
    rest: list[Values] = [np.empty(0), np.empty(0)]
    sides = first, other
    while True:
        for side in (0, 1):
            if not rest[side].size:
                rest[side] = next(sides[side], np.empty(0))
        length = min(rest[0].size, rest[1].size)
        if not length:
            return
        yield rest[0][:length], rest[1][:length]
        rest = [each[length:] for each in rest]


def _equal(first: Iterator[Values], other: Iterator[Values]) -> bool:
    """Return whether two weights have the same bytes, up to the first that differ."""
    pieces = [next(values, None) for values in (first, other)]
    one, two = pieces
    if one is None or two is None:
        return one is two
    if one.size == two.size <= _SMALL and one.dtype != object:  # most are in one piece
        if one.tobytes() != two.tobytes():
            return False
    else:
        first, other = chain([one], first), chain([two], other)
    for one, two in _pieces(first, other):
        if one.dtype == object:
            if one.tolist() != two.tolist():
                return False
        elif not np.array_equal(
            np.ascontiguousarray(one).view(np.uint8), np.ascontiguousarray(two).view(np.uint8)
        ):
            return False
    return True
