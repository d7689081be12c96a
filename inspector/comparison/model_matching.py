"""Match the layers of two models by name, output, structure or order.

Structure is what a layer computes from what: hashes of a layer with all that comes before it,
and with all that comes after it. Two models that differ only in names agree in both; a layer
that was inserted leaves the hashes of what is before it, and those of what comes after it from
the other end.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from inspector.comparison.layer_pairs.families import (
    CONVERSIONS,
    common_runs,
    family,
    without_suffix,
)
from inspector.comparison.layer_pairs.model_graph import ModelGraph, attributes_key
from inspector.model.model import Layer, Model

_BLOCK = 16  # channels, to which ONNX Runtime pads weights: 8 or 16, by the processor
_MOST_ROUNDS = 9  # in which layers are matched by matched ones around them
_FEWEST_SHARED = 4  # in 1 of so many tensors: a quantizer renames most
_LEAST_ALIKE = 0.8  # of the shared names
_MOST_TWINS = 256  # landmarks that only their weights tell apart
_PLAIN_NAMES = {"onnx", "node", "output", "input", "out", "y"}
_WORDS = re.compile(r"[^\W\d_]+")
_family = cache(family)
# Index of a layer of the second model -> index of the layer of the first one, and how they were
# matched: "name", "output", "weights", "structure" or "order".
Matches = dict[int, tuple[int, str]]
# Kind of a layer, and the matched layers before and after it.
_Place = tuple[Hashable, frozenset[int], frozenset[int]]


def match(first: ModelGraph, other: ModelGraph) -> Matches:
    """Return which layers of the second model are which of the first."""
    return _Matching(first, other).run()


def share_names(first: Model, other: Model) -> bool:
    """Return whether two models name enough of their tensors alike to be compared by names.

    A number that an exporter counted says something only where the operators are alike, too.
    """
    makers = [
        {output: layer for layer in model.layers for output in layer.outputs if output}
        for model in (first, other)
    ]
    shared = makers[0].keys() & makers[1].keys()
    alike = sum(
        telling(name, makers[0][name].operator)
        or _family(makers[0][name].operator) == _family(makers[1][name].operator)
        for name in shared
    )
    return alike * _FEWEST_SHARED >= len(makers[0]) and alike >= _LEAST_ALIKE * len(shared)


class _Matching:
    """Takes the surest evidence first; what is matched stays so."""

    def __init__(self, first: ModelGraph, other: ModelGraph) -> None:
        self._sides = first, other
        self._free = dict.fromkeys(first.layers), dict.fromkeys(other.layers)
        self._matches: Matches = {}
        self._taken: dict[int, int] = {}
        self._unlike: set[Callable[[Layer], str]] = set()  # texts that no two layers share

    def run(self) -> Matches:
        self._by_place()
        self._by("name", _name_and_output, _name)
        self._by("name", _telling_name, _name)
        self._by("output", _telling_output, _output)
        self._by_lockstep()
        self._by_weights()
        self._by_structure(exact=True)
        self._by_skeleton()
        # Names that are mere numbers shift when a layer is inserted, so they come late.
        self._by("name", _named, _name)
        self._by("output", _made, _output)
        self._by("name", _core_name, lambda layer: without_suffix(layer.name))
        self._by("output", _core_output, lambda layer: without_suffix(_output(layer)))
        self._between()
        self._neighbors()
        self._by_structure(exact=False)
        self._neighbors()
        self._by_order()
        self._neighbors()
        return self._matches

    def _by_place(self) -> None:
        """Match layers of equal names and outputs at one place of both files.

        `_by` would match the same ones, but states of one model have most layers in common, and
        looking names up takes longer than comparing them.
        """
        first, other = (graph.model.layers for graph in self._sides)
        pairs = zip([*self._free[0]], [*self._free[1]], strict=False)
        for one, two in pairs:
            a, b = first[one], other[two]
            if (
                a.name == b.name != ""
                and a.operator == b.operator
                and a.outputs[:1] == b.outputs[:1]
            ):
                self._take(one, two, "name")

    @property
    def _done(self) -> bool:
        return not all(self._free)

    def _by(
        self, how: str, key: Callable[[Layer], Hashable | None], text: Callable[[Layer], str]
    ) -> None:
        """Match layers with equal keys, which are None or equal only where the texts are."""
        if self._done or text in self._unlike:
            return
        layers = [graph.model.layers for graph in self._sides]
        texts = [
            {text(of[index]) for index in free}
            for of, free in zip(layers, self._free, strict=True)
        ]
        common = texts[0] & texts[1]
        if not common:  # keys take regular expressions: a second for 100,000 other names
            self._unlike.add(text)
            return
        keys = [
            {index: key(of[index]) if text(of[index]) in common else None for index in free}
            for of, free in zip(layers, self._free, strict=True)
        ]
        self._by_keys(how, keys)

    def _by_lockstep(self) -> None:
        """Match two models that differ in names only, layer by layer in the order of the files.

        Hashes of structure would match the same ones, in five times as long.
        """
        first, other = self._sides
        if self._done or first.layers != other.layers:
            return
        straight = all(two == one for two, (one, _) in self._matches.items())
        if not straight or first.makers != other.makers:
            return
        if all(_are_alike(first, other, index) for index in first.layers):
            for index in [*self._free[0]]:
                self._take(index, index, "structure")

    def _by_weights(self) -> None:
        """Match layers that read weights of equal names and shapes.

        Many exporters name the weights and no layers, and runtimes keep the names of weights.
        """
        if self._done or self._sides[0].weights.keys().isdisjoint(self._sides[1].weights):
            return
        names = [
            {index: _weight_name(graph, index) for index in free}
            for graph, free in zip(self._sides, self._free, strict=True)
        ]
        keys: list[dict[int, Hashable]] = []
        for graph, of in zip(self._sides, names, strict=True):
            layers, families, key = graph.model.layers, graph.families, dict[int, Hashable]()
            for index, name in of.items():
                sure = name is not None and telling(name[0], layers[index].operator)
                key[index] = (name, families[index]) if sure else None
            keys.append(key)
        self._by_keys("weights", keys)

    def _by_structure(self, exact: bool) -> None:
        """Match layers with what is before and after them, then with either alone."""
        if self._done:
            return
        before: list[dict[int, Hashable]] = [dict(g.before(exact)) for g in self._sides]
        if all(len(set(table.values())) == len(table) for table in before):
            # No two layers of a model are alike: what comes after them cannot say otherwise.
            self._by_keys("structure", before)
            if self._done:
                return
        after: list[dict[int, Hashable]] = [dict(g.after(exact)) for g in self._sides]
        both: list[dict[int, Hashable]] = [
            {i: (table[i], other[i]) for i in table}
            for table, other in zip(before, after, strict=True)
        ]
        self._by_keys("structure", both)
        for tables in (before, after):
            self._by_keys("structure", tables, certain=exact)

    def _by_skeleton(self) -> None:
        """Match landmarks with the landmarks before and after them, then with either alone."""
        outlets = [graph.outlets() for graph in self._sides]
        for step in (1, _BLOCK, 0):
            if self._done:
                return
            keys: list[list[dict[int, Hashable]]] = []
            for graph, free, outlet in zip(self._sides, self._free, outlets, strict=True):
                before, after = graph.skeleton(step)
                left = [index for index in before if index in free]
                both: dict[int, Hashable] = {i: (before[i], after[i]) for i in left}
                keys.append(
                    [
                        {i: (both[i], outlet[i]) for i in left},
                        both,
                        {i: before[i] for i in left},
                        {i: after[i] for i in left},
                    ]
                )
            for place, tables in enumerate(zip(*keys, strict=True)):
                if step or place < 2:
                    how = "structure" if step else "order"
                    self._by_keys(how, tables, certain=place >= 2)

    def _between(self) -> None:
        """Match layers of one family that compute something of the same matched layers, for the
        same ones; at first where there is one of them, so that there are more matched ones."""
        for number in range(_MOST_ROUNDS):
            # At last, constants that one side stores otherwise say nothing.
            certain, loose = number < _MOST_ROUNDS - 2, number == _MOST_ROUNDS - 1
            if self._done:
                return
            known_pairs = {*self._matches}
            sure = {one for one, how in self._matches.values() if how != "order"}
            marks = [{one: one for one in self._taken}, {}]
            marks[1] = {two: one for two, (one, _) in self._matches.items()}
            places: list[dict[int, _Place]] = []
            for graph, free, known in zip(self._sides, self._free, marks, strict=True):
                before, after = graph.sources(known), graph.targets(known)
                places.append(
                    {
                        i: (
                            (graph.families[i], () if loose else graph.constants_of(i)),
                            before[i],
                            after[i],
                        )
                        for i in free
                    }
                )
            keys: list[dict[int, Hashable]] = [dict(each) for each in places]
            self._by_keys("structure", keys, certain, fitting=loose)
            for two in self._matches.keys() - known_pairs:
                _, before_it, after_it = places[1][two]
                near = (before_it | after_it) - {-1}
                if not near or not near <= sure:
                    self._matches[two] = self._matches[two][0], "order"

    def _by_keys(
        self,
        how: str,
        keys: Sequence[dict[int, Hashable]],
        certain: bool = False,
        fitting: bool = False,
    ) -> None:
        """Match layers with equal keys, in the order of the files; None matches nothing.

        certain: leave out keys that several layers of a model have. fitting: only layers whose
        constants may be the same.
        """
        first, other = (_unique(each) for each in keys) if certain else keys
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for index in self._free[0]:
            key = first.get(index)
            if key is not None:
                waiting[key].append(index)
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for index in self._free[1]:
            key = other.get(index)
            if key in waiting:
                groups[key].append(index)
        for key, twins in groups.items():
            for one, two in self._sorted_out(waiting[key], twins):
                if not fitting or self._may_be_one(one, two):
                    self._take(one, two, how)

    def _sorted_out(self, ones: list[int], twos: list[int]) -> Iterator[tuple[int, int]]:
        """Yield pairs of layers that nothing tells apart but the values of their weights, else
        the order of the files."""
        prints = [
            [print_ for i in indices if (print_ := graph.weight_print(i)) is not None]
            for graph, indices in zip(self._sides, (ones, twos), strict=True)
            if 1 < max(len(ones), len(twos)) <= _MOST_TWINS
        ]
        if [*map(len, prints)] != [len(ones), len(twos)]:
            yield from zip(ones, twos, strict=False)
            return
        mine, theirs = map(np.stack, prints)
        apart = np.abs(mine[:, None] - theirs[None]).max(2)
        for _ in range(min(apart.shape)):
            one, two = np.unravel_index(int(apart.argmin()), apart.shape)
            apart[one, :] = apart[:, two] = np.inf
            yield ones[int(one)], twos[int(two)]

    def _take(self, one: int, two: int, how: str) -> None:
        self._matches[two] = one, how
        self._taken[one] = two
        del self._free[0][one], self._free[1][two]

    def _neighbors(self) -> None:
        """Match what is read at the same place, and what reads, of layers that match."""
        if self._done:
            return
        first, other = self._sides
        families = first.families, other.families
        beside = {  # of the layers that have no match yet: usually a few of 100,000
            near
            for index in self._free[1]
            for near in (
                *other.makers[index],
                *(reader for reader, _ in other.readers.get(index, ())),
            )
        }
        work = deque((one, two) for two, (one, _) in self._matches.items() if two in beside)
        while work and not self._done:
            one, two = work.popleft()
            near = [*zip(first.makers[one], other.makers[two], strict=False)]
            near += _only_readers(first, other, one, two, self._free)
            for a, b in near:
                if a is None or b is None or a not in self._free[0] or b not in self._free[1]:
                    continue
                if families[0][a] == families[1][b] and self._may_be_one(a, b):
                    sure = self._matches[two][1] != "order"
                    self._take(a, b, "structure" if sure else "order")
                    work.append((a, b))

    def _by_order(self) -> None:
        """Match runs of equal operators between layers that match already."""
        if self._done:
            return
        first, other = self._sides
        one = [i for i in first.layers if self._runs(first, i, self._taken)]
        two = [i for i in other.layers if self._runs(other, i, self._matches)]
        keys = (
            [("at", i) if i in self._taken else first.families[i] for i in one],
            [
                ("at", self._matches[i][0]) if i in self._matches else other.families[i]
                for i in two
            ],
        )
        for i, j in common_runs(*keys):
            a, b = one[i], two[j]
            if a in self._free[0] and b in self._free[1] and self._may_be_one(a, b):
                self._take(a, b, "order")

    def _may_be_one(self, one: int, two: int) -> bool:
        """Return whether two layers of one family may be one, by the constants they read."""
        mine, theirs = (
            graph.constants_of(index)
            for graph, index in zip(self._sides, (one, two), strict=True)
        )
        return mine == theirs or not mine or not theirs

    def _runs(self, graph: ModelGraph, index: int, matched: Iterable[int]) -> bool:
        return index in matched or graph.model.layers[index].operator not in CONVERSIONS


def _unique(keys: dict[int, Hashable]) -> dict[int, Hashable]:
    """Return the keys that one layer alone has."""
    counts = Counter(keys.values())
    return {index: key for index, key in keys.items() if counts[key] == 1}


def _are_alike(first: ModelGraph, other: ModelGraph, index: int) -> bool:
    """Return whether two layers at one place compute the same of the same, whatever its name.

    The layers that make their inputs are known to be at the same places.
    """
    a, b = first.model.layers[index], other.model.layers[index]
    if (
        a.operator != b.operator
        or a.domain != b.domain
        or a.parent != b.parent
        or a.branch != b.branch
        or a.overload != b.overload
        or len(a.outputs) != len(b.outputs)
    ):
        return False
    if a.attributes != b.attributes and attributes_key(a) != attributes_key(b):
        return False
    layers = first.model.layers, other.model.layers
    for maker, one, two in zip(first.makers[index], a.inputs, b.inputs, strict=True):
        if maker is None:
            if first.outside(one) != other.outside(two):
                return False
            continue
        outputs = layers[0][maker].outputs, layers[1][maker].outputs
        if outputs[0].index(one) != outputs[1].index(two):
            return False
    places = first.output_places, other.output_places
    return all(
        places[0].get(one) == places[1].get(two)
        for one, two in zip(a.outputs, b.outputs, strict=True)
    )


def _only_readers(
    first: ModelGraph,
    other: ModelGraph,
    one: int,
    two: int,
    free: tuple[dict[int, None], dict[int, None]],
) -> list[tuple[int, int]]:
    """Return the unmatched readers of two layers, where each has one of a family."""
    sides = []
    for graph, index, left in ((first, one, free[0]), (other, two, free[1])):
        by_family: dict[Hashable, list[int]] = defaultdict(list)
        for reader, _ in graph.readers.get(index, ()):
            if reader in left:
                by_family[graph.families[reader]].append(reader)
        sides.append({of: rows[0] for of, rows in by_family.items() if len(rows) == 1})
    return [(index, sides[1][of]) for of, index in sides[0].items() if of in sides[1]]


def _weight_name(graph: ModelGraph, index: int) -> tuple[str, tuple[int, ...]] | None:
    """Return name and shape of the first weight that a layer reads, also through a cast."""
    layers = graph.model.layers
    for name, maker in zip(layers[index].inputs, graph.makers[index], strict=True):
        if maker is not None and layers[maker].operator in CONVERSIONS:
            name = next(iter(layers[maker].inputs), "")
        weight = graph.weights.get(name)
        if weight is not None:
            return name, weight.shape
    return None


def _name(layer: Layer) -> str:
    return layer.name


def _output(layer: Layer) -> str:
    return layer.outputs[0] if layer.outputs else ""


def _name_and_output(layer: Layer) -> Hashable | None:
    return (layer.name, _output(layer), _family(layer.operator)) if layer.name else None


def _named(layer: Layer) -> Hashable | None:
    return (layer.name, _family(layer.operator)) if layer.name else None


def _made(layer: Layer) -> Hashable | None:
    output = _output(layer)
    return (output, _family(layer.operator)) if output else None


def _telling_name(layer: Layer) -> Hashable | None:
    return _named(layer) if telling(layer.name, layer.operator) else None


def _telling_output(layer: Layer) -> Hashable | None:
    return _made(layer) if telling(_output(layer), layer.operator) else None


def _core_name(layer: Layer) -> Hashable | None:
    return (without_suffix(layer.name), _family(layer.operator)) if layer.name else None


def _core_output(layer: Layer) -> Hashable | None:
    output = _output(layer)
    return (without_suffix(output), _family(layer.operator)) if output else None


def telling(name: str, operator: str) -> bool:
    """Return whether a name says more than the operator and a number."""
    operator = operator.casefold()
    for word in _WORDS.finditer(name):  # the first one decides for most names
        part = word.group().casefold()
        if part != operator and part not in _PLAIN_NAMES:
            return True
    return False
