"""Pair the tensors of two forms of one network: by values, then by structure, names and order.

Values come first: tensors that are alike for two different inputs are one and the same,
whatever the order of their axes, and the same in both graphs. After a layer that computes
something else no values are alike. There, tensors pair that are computed of the same paired
tensors by the same kinds of layers: a Conv, a BatchNormalization and a Relu are a convolution
with an activation. Recorded tensors have no graph; names and the order of the sizes replace it.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from inspector.comparison.model_matching import match, telling
from inspector.comparison.tensor_pairs import likeness as alike
from inspector.comparison.tensor_pairs.likeness import Axes
from inspector.comparison.tensor_pairs.sides import Side, Tensor

# Rounding to 8 bits in every layer leaves a correlation of 0.98; before and after a Relu it is
# about 0.85.
LEAST_CORRELATION = 0.98
MOST_ERROR = 0.3  # in parts of the root mean square: a scale is no rounding
CERTAIN = 0.02  # error from which on values alone say what is the same
_SURER = 0.1  # error of later layers, in that of a pair that is then doubted
_FEWEST = 4  # elements that say something: with two every correlation is 1
# What converters add, drop or merge: they differ between two forms of one network.
_FREE = {"Reshape", "Transpose", "Identity", "Dropout", "Cast", "Pad", "Slice", "Concat",
         "QuantizeLinear", "DequantizeLinear"}  # fmt: skip
_STORED = "QuantizeLinear"  # gives integers
# They may agree though what they read differs: large values all become 1.
_SATURATING = {"Softmax", "LogSoftmax", "Sigmoid", "HardSigmoid", "Tanh", "ArgMax", "TopK"}
_ABSORBED = {"BatchNormalization", "Add", "Mul", "activation"}
_ACTIVATION = "activation"
# What takes another's place where a layer was changed, or where a format calls it otherwise.
_BROAD = dict.fromkeys(
    ("Relu", "Sigmoid", "HardSigmoid", "Tanh", "LeakyRelu", "Elu", "Gelu", "HardSwish", "PRelu",
     "Softplus", "Softsign", "Selu", "Celu", "Mish", "Swish", "Erf"), _ACTIVATION,
) | dict.fromkeys(
    ("GlobalAveragePool", "AveragePool", "ReduceMean", "GlobalMaxPool", "MaxPool", "ReduceMax"),
    "pool",
) | {"Sub": "Add", "Div": "Mul", "LogSoftmax": "Softmax"}  # fmt: skip
_FREE_COST = 0.1  # of a layer that one side lacks, in layers
_ABSORBED_COST = 0.3
_OTHER_KIND_COST = 0.05  # of an activation in place of another, twice
_PART = re.compile(r"[A-Za-z]+|\d+")
_ANCHORS = 2  # pairs in one order, before the rest counts as in order
_WORDLESS = {"output", "out", "y", "x"}


class Basis(StrEnum):
    """What two tensors were paired by."""

    VALUES = "values"
    STRUCTURE = "structure"
    NAME = "name"
    OUTPUT = "output"
    ORDER = "order"


class Pair(Struct, frozen=True):
    """One tensor in both forms.

    axes: order of the other's axes in ours, after which it has our shape. error, correlation:
    of samples of both, for the worst input.
    """

    own: str
    other: str
    basis: Basis
    axes: Axes
    error: float
    correlation: float

    @property
    def agrees(self) -> bool:
        """Return whether the values say that this is one tensor."""
        return self.correlation >= LEAST_CORRELATION and self.error <= CERTAIN


class Unpaired(StrEnum):
    """Why a tensor of one side has no counterpart."""

    SIZE = "No tensor there has as many elements."
    FUSED = "It is part of another layer there, or not computed."
    BLOCKS = "Its channels are in blocks, as ONNX Runtime computes them."
    CONSTANT = "It does not depend on the input."
    STORED = "It holds the integers that stand for the next tensor."
    SAME = "It repeats the values of a paired tensor."
    VALUES = "Tensors of its size there have other values, and later layers agree."


class Pairing(Struct, frozen=True):
    """All pairs in our order, and why the rest of both sides has no counterpart.

    same: our paired tensor by the name of each of ours with its values. same_others: as well,
    of the other side.
    """

    pairs: tuple[Pair, ...]
    same: Mapping[str, str]
    same_others: Mapping[str, str]
    unpaired: Mapping[str, Unpaired]
    unpaired_others: Mapping[str, Unpaired]


def paired(
    own: Side, other: Side, inputs: Mapping[str, str], layouts: Collection[Axes] = ()
) -> Pairing:
    """Pair the tensors of two sides, which were run on the same inputs.

    inputs: ours by the name of the other's. layouts: orders of their axes in ours.
    """
    return _Pairing(own, other, inputs, layouts).run()


class _Pairing:
    """Takes the surest evidence first; what is paired stays so, unless later layers agree."""

    def __init__(
        self, own: Side, other: Side, inputs: Mapping[str, str], layouts: Collection[Axes]
    ) -> None:
        self._own, self._other, self._inputs, self._layouts = own, other, inputs, layouts
        self._pairs: dict[str, Pair] = {}  # by our name
        self._places = {name: place for place, name in enumerate(own.tensors)}
        self._others = {name: place for place, name in enumerate(other.tensors)}
        self._varies = [
            {
                name
                for name, tensor in side.tensors.items()
                if tensor.varies and tensor.families != (_STORED,) and not tensor.in_blocks
            }
            for side in (own, other)
        ]
        self._known: list[tuple[int, dict[str, str]]] = [(-1, {}), (-1, {})]
        self._dropped: set[str] = set()
        # What only moves data gives the same values once more: these have no counterpart of
        # their own as soon as one of them has.
        self._prints = [
            {name: alike.fingerprint(tensor.arrays) for name, tensor in side.tensors.items()}
            for side in (own, other)
        ]

    def run(self) -> Pairing:
        self._by_values(CERTAIN)
        if self._other.has_graph:
            self._by_equal_names()
            self._by_structure()
            self._by_outputs()
            self._by_scopes()
            self._by_layers()
        else:
            self._by_names()
        self._drop_contradicted()
        self._by_values(MOST_ERROR)
        self._drop_contradicted()
        pairs = sorted(self._pairs.values(), key=lambda pair: self._places[pair.own])
        found = {pair.own for pair in pairs}, {pair.other for pair in pairs}
        sides = (self._own, self._other), (self._other, self._own)
        rest = [dict(self._rest(*both, found[n], n)) for n, both in enumerate(sides)]
        return Pairing(tuple(pairs), self._same(0), self._same(1), *rest)

    def _by_values(self, most: float) -> None:
        """Pair tensors with alike values for every input, up to an error of `most`.

        Where that is more than rounding, they have to be computed of the same tensors: what
        comes before and after a Tanh is often nearly the same.
        """
        taken = self._taken()
        ours, theirs_of = self._own.sources(self._same(0)), self._other.sources(self._same(1))

        def corroborated(own: Tensor, other: Tensor) -> bool:
            if not other.families:  # nothing is known of how it was computed
                return True
            works = all({*each.families} - _FREE for each in (own, other))
            return works and self._wanted(theirs_of[other.name]) == ours[own.name]

        ranked = list[tuple[tuple[float, bool, bool, bool, float], Pair]]()
        for mine, theirs, axes in self._alike_in_size():
            errors, correlations = alike.likeness(
                [each.arrays for each in mine], [each.arrays for each in theirs], axes
            )
            good = (correlations >= LEAST_CORRELATION) & (errors <= most)
            for i, j in zip(*good.nonzero(), strict=True):
                pair = Pair(mine[i].name, theirs[j].name, Basis.VALUES, axes,
                            float(errors[i, j]), float(correlations[i, j]))  # fmt: skip
                if most <= CERTAIN or corroborated(mine[i], theirs[j]):
                    ranked.append((self._rank(pair), pair))
        loose = most > CERTAIN
        for _, pair in sorted(ranked, key=lambda each: each[0]):
            if loose and not (pair.own in self._free(0) and pair.other in self._free(1)):
                continue
            if pair.own not in self._pairs and pair.other not in taken:
                self._pairs[pair.own] = pair
                taken[pair.other] = pair.own

    def _alike_in_size(self) -> Iterator[tuple[list[Tensor], list[Tensor], Axes]]:
        """Yield tensors of one shape on each side that can be the same, in each layout."""
        shapes: list[dict[tuple[int, ...], list[Tensor]]] = []
        for number, side in enumerate((self._own, self._other)):
            by_shape: dict[tuple[int, ...], list[Tensor]] = defaultdict(list)
            free = self._free(number)
            for name, tensor in side.tensors.items():
                if name in free and tensor.arrays[0].size >= _FEWEST:
                    by_shape[tensor.arrays[0].shape].append(tensor)
            shapes.append(by_shape)
        sizes: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for shape in shapes[1]:
            sizes[math.prod(shape)].append(shape)
        for shape, ours in shapes[0].items():
            for theirs in sizes.get(math.prod(shape), ()):
                for axes in alike.layouts(shape, theirs):
                    yield ours, shapes[1][theirs], axes

    def _rank(self, pair: Pair) -> tuple[float, bool, bool, bool, float]:
        """Order by error, then kind of layer, name and place: what only moves data has
        equals."""
        own, other = self._own.tensors[pair.own], self._other.tensors[pair.other]
        bucket = math.floor(2 * math.log10(pair.error + 1e-6))
        share = self._places[pair.own] / len(self._places)
        apart = abs(share - self._others[pair.other] / len(self._others))
        kinds = set(own.families[-1:]) & set(other.families)
        named = any(is_within(pair.other, name) for name in self._all_names(own))
        moves = bool(other.families) and {*other.families} <= _FREE
        work = ({*own.families} <= _FREE) == moves
        return bucket, not kinds, not work, not named, apart

    def _all_names(self, own: Tensor) -> tuple[str, ...]:
        layer = self._own.layers[own.layer] if own.layer is not None else None
        return (own.name,) if layer is None else (own.name, layer.name)

    def _by_structure(self) -> None:
        """Pair what is computed of the same paired tensors, by the same kinds of layers."""
        for name in self._other.tensors:
            if name not in self._free(1):
                continue
            same = self._same(1)
            wanted = self._wanted(self._other.sources(same)[name])
            group = self._other.groups(same)[name]
            chosen = self._nearest(name, wanted, self._other.families(group))
            if chosen is not None:
                pair = self._pair(*self._behind(chosen, name), Basis.STRUCTURE)
                self._pairs[pair.own] = pair

    def _by_layers(self) -> None:
        """Pair what layers give that are one by the graphs of both models."""
        if self._own.graph is None or self._other.graph is None:
            return
        for two, (one, how) in match(self._own.graph, self._other.graph).items():
            outputs = self._own.layers[one].outputs, self._other.layers[two].outputs
            for own, other in zip(*outputs, strict=False) if how != "order" else ():
                free = own in self._free(0) and other in self._free(1)
                works = free and not {*self._own.tensors[own].families} <= _FREE
                if works and self._fit(own, other):
                    pair = self._pair(*self._behind(own, other), Basis.STRUCTURE)
                    self._pairs[pair.own] = pair

    def _by_equal_names(self) -> None:
        """Pair tensors of equal names that say more than an operator and a number."""
        theirs = {
            key: name
            for name in self._other.tensors
            if name in self._free(1)
            for key in self._names(self._other, name)
        }
        for own in [name for name in self._own.tensors if name in self._free(0)]:
            keys = self._names(self._own, own)
            other = next((theirs[key] for key in keys if key in theirs), None)
            if other in self._free(1) and own in self._free(0) and self._fit(own, other):
                pair = self._pair(*self._behind(own, other), Basis.NAME)
                self._pairs[pair.own] = pair

    def _names(self, side: Side, name: str) -> list[str]:
        """Return the telling names of a tensor and of its layer if it has no other output."""
        index = side.tensors[name].layer
        layer = side.layers[index] if index is not None else None
        names = [name] if layer is None or len(layer.outputs) > 1 else [name, layer.name]
        operator = layer.operator if layer is not None else ""
        # TensorFlow Lite joins the names of merged layers, that of the output first.
        heads = (each.partition(";")[0] for each in names)
        return [head for head in heads if head and telling(head, operator)]

    def _by_outputs(self) -> None:
        """Pair the outputs of both models, by name or by place."""
        names = [*self._own.outputs], [*self._other.outputs]
        same = set(names[0]) == set(names[1])
        for own, other in zip(*(map(sorted, names) if same else names), strict=False):
            known = own in self._own.tensors and other in self._other.tensors
            free = own not in self._pairs and other not in self._taken()
            if known and free and self._fit(own, other):
                self._pairs[own] = self._pair(own, other, Basis.OUTPUT)

    def _by_scopes(self) -> None:
        """Pair a layer with the last of those that it became, if these are named for it."""
        ours = self._own.sources(self._same(0))
        for own, tensor in self._own.tensors.items():
            layer = self._own.layers[tensor.layer] if tensor.layer is not None else None
            known = layer is None or not self._same(0).keys().isdisjoint(layer.outputs)
            if known or own not in self._free(0) or {*tensor.families} <= _FREE:
                continue
            name = layer.name if layer is not None else ""
            free, sources = self._free(1), self._other.sources(self._same(1))
            last = next(
                (
                    other
                    for other in [*self._other.tensors][::-1]
                    if other in free
                    and is_within(name, other)
                    and self._wanted(sources[other]) == ours[own]
                    and self._fit(own, other)
                ),
                None,
            )
            if last is not None:
                self._pairs[own] = self._pair(own, last, Basis.NAME)
                ours = self._own.sources(self._same(0))

    def _fit(self, own: str, other: str) -> bool:
        """Return whether two tensors can be one, by their shapes."""
        shapes = self._own.tensors[own].arrays[0].shape, self._other.tensors[other].arrays[0]
        return alike.layouts(shapes[0], shapes[1].shape) != ()

    def _free(self, number: int) -> set[str]:
        """Return the tensors of a side that may get a counterpart."""
        return self._varies[number] - self._same(number).keys()

    def _same(self, number: int) -> dict[str, str]:
        """Return the first paired tensor of a side by the name of each with its values."""
        if self._known[number][0] != len(self._pairs):
            prints = self._prints[number]
            paired = self._taken() if number else self._pairs
            known = dict[Hashable, str]()
            for name in prints:
                if name in paired:
                    known.setdefault(prints[name], name)
            same = {name: known[mark] for name, mark in prints.items() if mark in known}
            self._known[number] = len(self._pairs), same
        return self._known[number][1]

    def _taken(self) -> dict[str, str]:
        """Return our paired tensors by the names of the other's."""
        return {pair.other: pair.own for pair in self._pairs.values()}

    def _wanted(self, sources: Iterable[str]) -> set[str | None]:
        """Return the other's paired tensors or inputs as ours."""
        taken, same = self._taken(), self._same(0)
        known = {**self._inputs, **{other: same[own] for other, own in taken.items()}}
        return {known.get(each) for each in sources}

    def _nearest(
        self, name: str, wanted: set[str | None], families: Counter[str]
    ) -> str | None:
        """Return our tensor that is computed of the wanted ones by most nearly the same."""
        if not wanted or None in wanted:
            return None
        same = self._same(0)
        sources, groups = self._own.sources(same), self._own.groups(same)
        shape = self._other.tensors[name].arrays[0].shape
        ranked = list[tuple[float, int, str]]()
        for each in self._free(0):
            tensor = self._own.tensors[each]
            if sources[each] != wanted or not alike.layouts(tensor.arrays[0].shape, shape):
                continue
            ours = self._own.families(groups[each])
            if _related(ours, families):
                ranked.append((_distance(ours, families), self._places[each], each))
        return min(ranked)[2] if ranked else None

    def _behind(self, own: str, other: str) -> tuple[str, str]:
        """Return two tensors after what one side has merged into the layer that makes it.

        What follows on both sides, such as an Add and a Relu, stays; what only one has before
        that, such as a BatchNormalization, belongs to the layer.
        """
        chains = self._chain(self._own, own, 0), self._chain(self._other, other, 1)
        common = 0
        for one, two in zip(*(reversed(chain) for chain in chains), strict=False):
            if one[0] != two[0]:
                break
            common += 1
        ends = [own, other]
        for number, name in enumerate(ends):
            mine, theirs = chains[number], chains[1 - number]
            # An activation that is part of their layer lies before their tensor.
            within = sum(
                tensor == (other, own)[number] for _, tensor in theirs[len(theirs) - common :]
            )
            alone = [kind for kind, _ in mine[: len(mine) - common]]
            steps = len(mine) - common + within
            if not within and _ACTIVATION in alone:
                steps = alone.index(_ACTIVATION)
            ends[number] = mine[steps - 1][1] if steps else name
        return ends[0], ends[1]

    def _chain(self, side: Side, name: str, number: int) -> list[tuple[str, str]]:
        """Return the kinds of cheap layers that follow a tensor one by one, with the tensor
        behind each; those that are part of its own layer first."""
        taken, size = self._same(number), side.tensors[name].arrays[0].size
        chain = [(kind, name) for kind in _kinds(side.tensors[name])[1:]]
        while len(readers := side.readers(name)) == 1 and name not in side.outputs:
            (reader,) = readers
            kinds = _kinds(reader)
            fits = reader.arrays[0].size == size and reader.name not in taken
            if not fits or not {*kinds} <= _ABSORBED | _FREE:
                break
            name = reader.name
            chain += [(kind, name) for kind in kinds if kind not in _FREE]
        return chain

    def _pair(self, own: str, other: str, basis: Basis) -> Pair:
        """Return a pair in the layout in which the values are alike, else in that of others.

        Of values that differ, no layout is the right one by chance.
        """
        ours, theirs = self._own.tensors[own].arrays, self._other.tensors[other].arrays
        every = []
        for axes in alike.layouts(ours[0].shape, theirs[0].shape):
            errors, correlations = alike.likeness([ours], [theirs], axes)
            every.append((float(errors[0, 0]), float(correlations[0, 0]), axes))
        seen = Counter(
            pair.axes
            for pair in self._pairs.values()
            if pair.basis is Basis.VALUES and len(pair.axes) == theirs[0].ndim
        )
        seen.update(axes for axes in self._layouts if len(axes) == theirs[0].ndim)

        def rank(each: tuple[float, float, Axes]) -> tuple[float, bool, int]:
            sure = each[1] if each[1] >= LEAST_CORRELATION else 0.0
            moved = [theirs[0].shape[axis] for axis in each[2] if theirs[0].shape[axis] != 1]
            return sure, moved == [n for n in ours[0].shape if n != 1], seen[each[2]]

        error, correlation, axes = max(every, key=rank)
        return Pair(own, other, basis, axes, error, correlation)

    def _by_names(self) -> None:
        """Pair recorded tensors by what their names share with ours, else by their order."""
        taken = {pair.other: pair.own for pair in self._pairs.values()}
        for own, other, named in named_pairs(self._own, self._other, taken, self._varies[0]):
            basis = Basis.NAME if named else Basis.ORDER
            self._pairs[own] = self._pair(own, other, basis)

    def _drop_contradicted(self) -> None:
        """Part pairs with other values where all that is computed of them agrees."""
        sources = self._own.sources(self._same(0))
        readers: dict[str, list[Pair]] = defaultdict(list)
        for pair in self._pairs.values():
            for source in sources[pair.own]:
                readers[source].append(pair)
        for name, pair in [*self._pairs.items()]:
            after = readers[name]
            surer = (
                each.correlation >= LEAST_CORRELATION
                and each.error < pair.error * _SURER
                and not {*self._own.tensors[each.own].families} & _SATURATING
                for each in after
            )
            if not pair.agrees and after and all(surer):
                del self._pairs[name]
                self._dropped |= {name, pair.other}

    def _rest(
        self, side: Side, opposite: Side, found: set[str], number: int
    ) -> Iterator[tuple[str, Unpaired]]:
        known = {self._prints[number][name] for name in found}
        sizes = {tensor.arrays[0].size for tensor in opposite.tensors.values()}
        for name, tensor in side.tensors.items():
            if name in found:
                continue
            if tensor.families == (_STORED,):
                yield name, Unpaired.STORED
            elif tensor.in_blocks:
                yield name, Unpaired.BLOCKS
            elif name not in self._varies[number]:
                yield name, Unpaired.CONSTANT
            elif self._prints[number][name] in known:
                yield name, Unpaired.SAME
            elif name in self._dropped:
                yield name, Unpaired.VALUES
            elif tensor.arrays[0].size not in sizes:
                yield name, Unpaired.SIZE
            else:
                yield name, Unpaired.FUSED


def _related(one: Counter[str], two: Counter[str]) -> bool:
    """Return whether two groups of layers do something in common, or only move data."""
    work = [{*_broad(each)} - _FREE for each in (one, two)]
    return bool(work[0] & work[1]) or not any(work)


def _distance(one: Counter[str], two: Counter[str]) -> float:
    """Return how many layers only one of two groups has; cheap ones count less."""
    costs = dict.fromkeys(_ABSORBED, _ABSORBED_COST) | dict.fromkeys(_FREE, _FREE_COST)
    a, b = _broad(one), _broad(two)
    only = (a - b) + (b - a)
    far = sum(costs.get(kind, 1.0) * count for kind, count in only.items())
    return far + _OTHER_KIND_COST * ((one - two).total() + (two - one).total())


def _kinds(tensor: Tensor) -> list[str]:
    return [_BROAD.get(kind, kind) for kind in tensor.families]


def _broad(families: Counter[str]) -> Counter[str]:
    """Return families with all activations as one."""
    broad: Counter[str] = Counter()
    for kind, count in families.items():
        broad[_BROAD.get(kind, kind)] += count
    return broad


def named_pairs(
    own: Side, other: Side, taken: Mapping[str, str], varying: Collection[str]
) -> Iterator[tuple[str, str, bool]]:
    """Yield further pairs of tensors of one size, ours first, and whether names told.
    taken: pairs so far, ours by the other's name. varying: ours that depend on the input."""
    mine = {*taken.values()}
    free = [name for name in own.tensors if name not in mine and name in varying]
    theirs = [name for name in other.tensors if name not in taken]
    named = dict(_by_names(own, other, free, theirs))
    for their, our in named.items():
        yield our, their, True
    yield from _by_order(own, other, {**taken, **named}, varying)


def is_within(name: str, other: str) -> bool:
    """Return whether all parts of a name are parts of another one, in order."""
    wanted = _parts(name)
    return bool(wanted) and _within(wanted, _parts(other))


def _by_names(
    own: Side, other: Side, free: list[str], theirs: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield (other, own) where a name tells: all parts of it in order in ours."""
    parts = {name: _parts_of(own, own.tensors[name]) for name in free}
    for their in theirs:
        wanted = _parts(their)
        size = other.tensors[their].arrays[0].size
        fitting = [
            name
            for name in parts
            if own.tensors[name].arrays[0].size == size
            and wanted
            and any(_within(wanted, each) for each in parts[name])
        ]
        # The shortest name has least besides: conv1, not conv1/relu. The first of equals.
        chosen = min(fitting, key=lambda name: min(map(len, parts[name])), default=None)
        if chosen is not None:
            del parts[chosen]
            yield their, chosen


def _by_order(
    own: Side, other: Side, taken: Mapping[str, str], varying: Collection[str]
) -> Iterator[tuple[str, str, bool]]:
    """Yield pairs of one size between those that are known, where both are in one order."""
    places = {name: place for place, name in enumerate(own.tensors)}
    anchors = [(places[taken[name]], place) for place, name in enumerate(other.tensors)
               if name in taken]  # fmt: skip
    if len(anchors) < _ANCHORS or anchors != sorted(anchors):
        return  # nothing says that recorded tensors are in the order of the layers
    mine, ours, theirs = {*taken.values()}, [*own.tensors], [*other.tensors]
    ends = [(-1, -1), *anchors, (len(ours), len(theirs))]
    for (own_start, start), (own_end, end) in pairwise(ends):
        sizes: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
        for name in ours[own_start + 1 : own_end]:
            if name not in mine and name in varying:
                sizes[0].setdefault(own.tensors[name].arrays[0].size, []).append(name)
        for name in theirs[start + 1 : end]:
            sizes[1].setdefault(other.tensors[name].arrays[0].size, []).append(name)
        for size, names in sizes[1].items():
            fitting = sizes[0].get(size, [])
            if len(fitting) == len(names):
                yield from ((one, two, False) for one, two in zip(fitting, names, strict=True))


def _parts_of(side: Side, tensor: Tensor) -> list[list[str]]:
    """Return the parts of a tensor's name and of its layer's."""
    names = [tensor.name]
    if tensor.layer is not None and side.layers[tensor.layer].name:
        names.append(side.layers[tensor.layer].name)
    return [_parts(name) for name in names]


def _parts(name: str) -> list[str]:
    return [part for part in _PART.findall(name.casefold()) if part not in _WORDLESS]


def _within(wanted: list[str], parts: list[str]) -> bool:
    """Return whether the parts occur in this order."""
    left = iter(parts)
    return all(part in left for part in wanted)
