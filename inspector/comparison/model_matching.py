"""Match the layers of two models by name, output, structure or order.

Structure is what a layer computes from what: hashes of a layer with all that comes before it,
and with all that comes after it. Two models that differ only in names agree in both; a layer
that was inserted leaves the hashes of what is before it, and those of what comes after it from
the other end.
"""

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import cache, cached_property, lru_cache
from pathlib import Path

from inspector.comparison.alignment import CONVERSIONS, common_runs, family, without_suffix
from inspector.model.model import Attribute, Layer, Model, TensorInfo, WeightInfo
from inspector.model.tensors.expansion import expansions

# Values of these are compared elsewhere: layers of subgraphs as layers, tensors as weights.
UNHASHED_ATTRIBUTES = {"tensor", "graph", "tensors", "graphs", "sparse tensor",
                       "sparse tensors"}  # fmt: skip
# Lists whose default depends on the number of axes: all ones, or all zeros.
_NEUTRAL = {"strides": set("1, "), "dilations": set("1, "), "pads": set("0, ")}
_PLAIN_NAMES = {"onnx", "node", "output", "input", "out", "y"}
_WORDS = re.compile(r"[^\W\d_]+")
_family = cache(family)

Scope = tuple[int | None, str]
# Index of a layer of the second model -> index of the layer of the first one, and how they were
# matched: "name", "output", "weights", "structure" or "order".
Matches = dict[int, tuple[int, str]]


class ModelGraph:
    """A model with what matching looks up: who makes a value, and which values are weights.

    layers: indices of the layers that are matched: all but Constant nodes with a tensor, which
        count as weights, and those that expand a compressed weight. weights: by the name of
        their value. attribute_weights: tensors that a layer has as attributes, by its index and
        the attribute's name. expansions: compressed weights that layers expand, by their value.
        parts: names of weights that only go into these.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        layers = model.layers
        self.weights: dict[str, WeightInfo] = {}
        self.attribute_weights: dict[int, dict[str, WeightInfo]] = defaultdict(dict)
        constants = set()
        for weight in model.weights:
            if weight.layer is None:
                self.weights[weight.name] = weight
            elif layers[weight.layer].operator == "Constant":
                self.weights[weight.name] = weight
                constants.add(weight.layer)
            else:
                name = weight.name.removeprefix(f"{layers[weight.layer].label}.")
                self.attribute_weights[weight.layer][name] = weight
        self.expansions = expansions(model)
        for value, expansion in self.expansions.items():
            declared = next((v.shape for v in model.values if v.name == value), None)
            shape = tuple(n for n in declared or expansion.codes.shape if isinstance(n, int))
            self.weights[value] = expansion.codes._replace(name=value, shape=shape)
        inside = {each.index for found in self.expansions.values() for each in found.layers}
        outside = {n for each in layers if each.index not in inside for n in each.inputs}
        names = {name for found in self.expansions.values() for name in found.parts}
        self.parts = names - outside
        for name in self.parts:
            self.weights.pop(name, None)
        without = constants | inside
        self.layers = [layer.index for layer in layers if layer.index not in without]
        self.constants = constants
        self._makers: dict[str, int] = {}
        self._inner_makers: dict[tuple[Scope, str], int] = {}
        for index in self.layers:
            layer = layers[index]
            for output in layer.outputs:
                if not output:
                    continue
                if layer.parent is None:
                    self._makers[output] = index
                else:
                    self._inner_makers[(layer.parent, layer.branch), output] = index
        self.input_places = {value.name: n for n, value in enumerate(model.inputs)}
        self.output_places = {value.name: n for n, value in enumerate(model.outputs)}

    @cached_property
    def values(self) -> dict[str, TensorInfo]:
        """Types of values as the file declares them, by name."""
        model = self.model
        every = (*model.values, *model.defaults, *model.inputs, *model.outputs)
        return {value.name: value for value in every}

    def maker(self, name: str, layer: Layer) -> int | None:
        """Return the layer that makes a value which another layer reads; None for none."""
        parent, branch = layer.parent, layer.branch
        while parent is not None:
            made = self._inner_makers.get(((parent, branch), name))
            if made is not None:
                return made
            outer = self.model.layers[parent]
            parent, branch = outer.parent, outer.branch
        return self._makers.get(name)

    @cached_property
    def makers(self) -> dict[int, tuple[int | None, ...]]:
        """For each layer, the layers that make its inputs."""
        layers, plain = self.model.layers, self._makers.get
        return {
            index: tuple(map(plain, layers[index].inputs))
            if layers[index].parent is None
            else tuple(self.maker(name, layers[index]) for name in layers[index].inputs)
            for index in self.layers
        }

    @cached_property
    def readers(self) -> dict[int, list[tuple[int, int]]]:
        """For each layer, (layer that reads it, place of the input)."""
        readers: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for index, makers in self.makers.items():
            for place, maker in enumerate(makers):
                if maker is not None:
                    readers[maker].append((index, place))
        return readers

    @cached_property
    def weight_readers(self) -> set[int]:
        """Layers that read a weight of their own model directly."""
        layers, names = self.model.layers, self.weights.keys()
        return {index for index in self.layers if not names.isdisjoint(layers[index].inputs)}

    @cached_property
    def kinds(self) -> dict[int, Hashable]:
        """Key of each layer by itself: operator and attributes, without any name."""
        layers = self.model.layers
        return {
            index: hash((layers[index].operator, layers[index].domain, layers[index].overload,
                         layers[index].branch, attributes_key(layers[index])))
            for index in self.layers
        }  # fmt: skip

    @cached_property
    def families(self) -> dict[int, Hashable]:
        """Coarse key of each layer: its family of operators."""
        layers = self.model.layers
        return {index: _family(layers[index].operator) for index in self.layers}

    def reads_weights(self, index: int, matched: Collection[int]) -> bool:
        """Return whether a layer has weights, or may read some through unmatched layers."""
        if index in self.attribute_weights:
            return True
        if len(matched) == len(self.layers):
            return index in self.weight_readers
        names, weights = self.model.layers[index].inputs, self.weights
        for name, maker in zip(names, self.makers[index], strict=True):
            if name in weights if maker is None else maker not in matched:
                return True
        return False

    def before(self, exact: bool) -> dict[int, int]:
        """Return a hash of each layer and all that it is computed from."""
        kinds = self.kinds if exact else self.families
        layers, makers, hashes = self.model.layers, self.makers, dict[int, int]()
        known, outside = hashes.get, self.outside
        for index in self.layers:
            layer = layers[index]
            sources: list[Hashable] = []
            for name, maker in zip(layer.inputs, makers[index], strict=True):
                source = known(maker) if maker is not None else None
                if maker is None or source is None:
                    sources.append(outside(name, exact))
                    continue
                outputs = layers[maker].outputs
                first = outputs[0] == name  # most layers have one output
                sources.append(source if first else (source, outputs.index(name)))
            parent = hashes.get(layer.parent) if layer.parent is not None else None
            hashes[index] = hash((kinds[index], parent, tuple(sources)))
        return hashes

    def after(self, exact: bool) -> dict[int, int]:
        """Return a hash of each layer and all that is computed from it."""
        kinds = self.kinds if exact else self.families
        layers, hashes = self.model.layers, dict[int, int]()
        for index in reversed(self.layers):
            layer = layers[index]
            readers = sorted(
                (hashes.get(reader, 0), place) for reader, place in self.readers.get(index, ())
            )
            outputs = tuple(self.output_places.get(name, -1) for name in layer.outputs)
            constants = tuple(
                self.outside(name, exact) for name in layer.inputs if name in self.weights
            )
            hashes[index] = hash((kinds[index], tuple(readers), outputs, constants))
        return hashes

    def outside(self, name: str, exact: bool = True) -> tuple[Hashable, ...]:
        """Return the kind of an input that no layer produces: a weight, an input of the model,
        nothing."""
        weight = self.weights.get(name)
        if weight is not None:
            return ("weight", weight.dtype, weight.shape) if exact else ("weight",)
        return (
            ("input", self.input_places[name]) if name in self.input_places else (name != "",)
        )


@lru_cache(maxsize=4096)  # models repeat themselves
def _plain_attributes(
    operator: str, domain: str, attributes: tuple[Attribute, ...]
) -> tuple[tuple[str, str, str], ...]:
    # ONNX Runtime's FusedConv has the attributes of Conv.
    standard = operator.removeprefix("Fused") if domain == "com.microsoft" else operator
    defaults = _defaults().get(standard, {}) if domain in ("", "com.microsoft") else {}
    return tuple(
        sorted((a.name, a.text, a.digest) for a in attributes
               if a.kind not in UNHASHED_ATTRIBUTES and defaults.get(a.name) != a.text
               and not (a.name in _NEUTRAL and set(a.text) <= _NEUTRAL[a.name]))
    )  # fmt: skip


def attributes_key(layer: Layer) -> tuple[tuple[str, str, str], ...]:
    """Return names, values and digests of a layer's plain attributes, by name.

    Attributes with their default value are left out: a runtime that saves its graph writes them
    all, and they change nothing.
    """
    if not layer.attributes:
        return ()
    return _plain_attributes(layer.operator, layer.domain, layer.attributes)


@cache
def _defaults() -> dict[str, dict[str, str]]:
    """Return the table that tools/make_attribute_defaults.py wrote."""
    table = Path(__file__).with_name("attribute_defaults.json").read_bytes()
    operators: dict[str, dict[str, str]] = json.loads(table)["operators"]
    return operators


def match(first: ModelGraph, other: ModelGraph) -> Matches:
    """Return which layers of the second model are which of the first."""
    return _Matching(first, other).run()


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
        # Names that are mere numbers shift when a layer is inserted, so they come late.
        self._by("name", _named, _name)
        self._by("output", _made, _output)
        self._by("name", _core_name, lambda layer: without_suffix(layer.name))
        self._by("output", _core_output, lambda layer: without_suffix(_output(layer)))
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
        self._by_keys(how, *keys)

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
        self._by_keys("weights", *keys)

    def _by_structure(self, exact: bool) -> None:
        """Match layers with what is before and after them, then with either alone."""
        if self._done:
            return
        before: list[dict[int, Hashable]] = [dict(g.before(exact)) for g in self._sides]
        if all(len(set(table.values())) == len(table) for table in before):
            # No two layers of a model are alike: what comes after them cannot say otherwise.
            self._by_keys("structure", *before)
            if self._done:
                return
        after: list[dict[int, Hashable]] = [dict(g.after(exact)) for g in self._sides]
        both: list[dict[int, Hashable]] = [
            {i: (table[i], other[i]) for i in table}
            for table, other in zip(before, after, strict=True)
        ]
        for tables in (both, before, after):
            self._by_keys("structure", *tables)

    def _by_keys(
        self, how: str, first: dict[int, Hashable], other: dict[int, Hashable]
    ) -> None:
        """Match layers with equal keys, in the order of the files; None matches nothing."""
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for index in self._free[0]:
            key = first[index]
            if key is not None:
                waiting[key].append(index)
        for index in [*self._free[1]]:
            queue = waiting.get(other[index])
            if queue:
                self._take(queue.popleft(), index, how)

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
                if families[0][a] == families[1][b]:
                    self._take(a, b, "structure")
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
            if a in self._free[0] and b in self._free[1]:
                self._take(a, b, "order")

    def _runs(self, graph: ModelGraph, index: int, matched: Iterable[int]) -> bool:
        return index in matched or graph.model.layers[index].operator not in CONVERSIONS


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
