"""A model as pairing sees it: who computes what from what, in hashes that names do not touch.

Two models that differ only in names agree in the hashes of a layer with all that comes before
it, and with all that comes after it; a layer that was inserted leaves the hashes of what is
before it, and those of what comes after it from the other end. What an optimizer, another
number format, layout or exporter does to a network changes most of these, but neither its
landmarks, the layers with matrices of weights, nor which of them reads which.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector.comparison.layer_pairs.families import CONVERSIONS, family
from inspector.errors import InspectorError
from inspector.model.model import Attribute, Layer, Model, TensorInfo, WeightInfo
from inspector.model.operator_traits import OF_SHAPE, VIEWS
from inspector.model.tensors.expansion import expansions

# Values of these are compared elsewhere: layers of subgraphs as layers, tensors as weights.
UNHASHED_ATTRIBUTES = {"tensor", "graph", "tensors", "graphs", "sparse tensor",
                       "sparse tensors"}  # fmt: skip
# Domains whose operators have the defaults of those of ONNX with their names.
_STANDARD = frozenset(("", "com.microsoft", "com.microsoft.nchwc"))
# Lists whose default depends on the number of axes: all ones, or all zeros.
_NEUTRAL = {"strides": set("1, "), "dilations": set("1, "), "pads": set("0, ")}
# What stands between a weight and the layer that it belongs to.
_BETWEEN = VIEWS | CONVERSIONS | {"Transpose", "ReorderInput", "ReorderOutput"}
_MOST_BETWEEN = 4
# Families whose weights are matrices in any form of a network.
LANDMARKS = frozenset(
    ("Conv", "ConvTranspose", "MatMul", "LSTM", "GRU", "RNN", "Gather", "Attention", "Einsum")
)
# ONNX Runtime's convolutions with a residual connection, and the place of its input.
_ADDING = frozenset(("Conv", "FusedConv"))
_ADDED = 3
# Families without weights in which it matters which input is which.
_MIXING = frozenset(("MatMul", "Softmax", "Concat"))
_FILTERS = frozenset(("Conv", "ConvTranspose"))  # landmarks also with a filter of one axis
_QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0)
_MOST_PRINTED = 1 << 24  # elements of a weight of which quantiles are taken
_MOST_SOURCES = 64  # hashes of landmarks that one layer reads; more become one

Numbers = NDArray[np.float64]
Read = Callable[[WeightInfo], Iterator[NDArray[np.generic]]]  # flat pieces, in order
Scope = tuple[int | None, str]
_Near = dict[int, frozenset[int]]


_family = cache(family)


class ModelGraph:
    """A model with what matching looks up: who makes a value, and which values are weights.

    layers: indices of the layers that are matched: all but Constant nodes with a tensor, which
        count as weights, and those that expand a compressed weight. weights: by the name of
        their value. attribute_weights: tensors that a layer has as attributes, by its index and
        the attribute's name. expansions: compressed weights that layers expand, by their value.
        parts: names of weights that only go into these. read: reads values of weights.
    """

    def __init__(self, model: Model, read: Read | None = None) -> None:
        self.model, self._read = model, read
        self._prints: dict[int, Numbers | None] = {}
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
        # Weights that the format itself declares to be integers with a scale.
        self.declared = {each.value: each for each in model.quantized}
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
    def families(self) -> dict[int, str]:
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

    @cached_property
    def feeders(self) -> dict[int, tuple[int, ...]]:
        """For each layer, the layers whose values it reads; not those of which it reads the
        shape or the scale alone, which exporters and optimizers compute in other ways."""
        layers, found = self.model.layers, dict[int, tuple[int, ...]]()
        for index, makers in self.makers.items():
            found[index] = tuple(
                maker
                for name, maker in zip(layers[index].inputs, makers, strict=True)
                if maker is not None
                and self.families[maker] not in OF_SHAPE
                and (layers[maker].operator not in CONVERSIONS
                     or name == layers[maker].outputs[0])
            )  # fmt: skip
        return found

    @cached_property
    def takers(self) -> dict[int, list[int]]:
        """For each layer, those that it feeds."""
        takers: dict[int, list[int]] = defaultdict(list)
        for index, feeders in self.feeders.items():
            for feeder in feeders:
                takers[feeder].append(index)
        return takers

    @cached_property
    def added(self) -> dict[int, int]:
        """Convolutions that add a value to their result, with the layer that it comes from."""
        layers, found = self.model.layers, dict[int, int]()
        for index, makers in self.makers.items():
            if layers[index].operator in _ADDING and len(makers) > _ADDED:
                maker = makers[_ADDED]
                if maker is not None:
                    found[index] = maker
        return found

    @cached_property
    def landmarks(self) -> dict[int, tuple[int, ...]]:
        """Layers with a matrix of weights, by index, with its lengths in ascending order: they
        stay what they are in other layouts and number types."""
        found = {}
        for index in self.layers:
            weight = self._largest(index) if self.families[index] in LANDMARKS else None
            if weight is not None:
                lengths = _lengths(weight)
                if len(lengths) > 1 or self.families[index] in _FILTERS:
                    found[index] = lengths
        return found

    @cached_property
    def _rounded(self) -> set[str]:
        """Operators on quantized values, whose real numbers are scales."""
        operators = {layer.operator for layer in self.model.layers}
        return {each for each in operators if each.startswith("Q") and _family(each) != each}

    def constants_of(self, index: int) -> tuple[tuple[int, ...], ...]:
        """Return the lengths of the real numbers that a layer without a matrix reads: a bias is
        no scalar."""
        if index in self.landmarks or self.model.layers[index].operator in self._rounded:
            return ()
        weights = map(self.weights.get, self.model.layers[index].inputs)
        real = (each for each in weights if each is not None and "float" in each.dtype)
        return tuple(sorted({*map(_lengths, real)}))

    def _largest(self, index: int) -> WeightInfo | None:
        """Return the largest weight that a layer reads, also through what only moves it."""
        layer = self.model.layers[index]
        weights = (self._weight_behind(name, layer) for name in layer.inputs)
        return max(filter(None, weights), key=lambda each: prod(each.shape), default=None)

    def _weight_behind(self, name: str, layer: Layer) -> WeightInfo | None:
        for _ in range(_MOST_BETWEEN):
            weight = self.weights.get(name)
            if weight is not None:
                return weight
            maker = self.maker(name, layer)
            if maker is None or self.model.layers[maker].operator not in _BETWEEN:
                return None
            layer = self.model.layers[maker]
            name = next(iter(layer.inputs), "")
        return None

    def weight_print(self, index: int) -> Numbers | None:
        """Return what the values of a landmark's weight have in common in other layouts, in
        other number types and with another sign: quantiles; None where they cannot be read."""
        if index not in self._prints:
            self._prints[index] = None
            weight = self._largest(index) if index in self.landmarks else None
            small = weight is not None and prod(weight.shape) <= _MOST_PRINTED
            if weight is not None and small and self._read and weight.name in self._names:
                try:
                    values = np.concatenate([*self._read(weight)]).astype(np.float64)
                except (InspectorError, TypeError, ValueError):
                    return None
                marks = np.quantile(np.abs(values[np.isfinite(values)]), _QUANTILES)
                self._prints[index] = marks / max(float(marks.max()), np.finfo(float).tiny)
        return self._prints[index]

    @cached_property
    def _names(self) -> set[str]:
        return {weight.name for weight in self.model.weights}

    def skeleton(self, step: int) -> tuple[dict[int, int], dict[int, int]]:
        """Return hashes of landmarks with those before them, and with those after them.

        step: to whose multiples lengths of weights are rounded up, since layouts in blocks pad
        them; 0 to leave lengths out.
        """
        own = {
            index: (
                self.families[index],
                tuple(-(-length // step) for length in lengths) if step else (),
            )
            for index, lengths in self.landmarks.items()
        }
        inputs, outputs = self.input_places, self.output_places
        layers, feeders, takers = self.model.layers, self.feeders, self.takers
        nothing = frozenset[int]()
        before, behind, after, rest = _Near(), _Near(), _Near(), _Near()
        for index in self.layers:
            beside = self.added.get(index)
            near = {h for each in feeders[index] if each != beside
                    for h in before.get(each, nothing)}  # fmt: skip
            if not inputs.keys().isdisjoint(layers[index].inputs):
                near.add(0)
            before[index] = _joined(own.get(index), near)
            behind[index] = before[index]
            if beside is not None:  # an Add that is part of the layer comes after it
                before[index] |= before.get(beside, nothing)
        for index in reversed(self.layers):
            near = set[int]()
            for taker in takers.get(index, ()):
                added = self.added.get(taker) == index
                near |= (rest if added else after).get(taker, nothing)
            if not outputs.keys().isdisjoint(layers[index].outputs):
                near.add(0)
            rest[index], after[index] = frozenset(near), _joined(own.get(index), near)
        return {i: hash(behind[i]) for i in own}, {i: hash(after[i]) for i in own}

    def outlets(self) -> dict[int, int]:
        """Return hashes of what is done with the output of each landmark up to the next ones:
        they tell queries, keys and values apart."""
        families, found = self.families, dict[int, frozenset[int]]()
        for index in reversed(self.layers):
            near = set[int]()
            for reader, place in self.readers.get(index, ()):
                if reader in self.landmarks:
                    near.add(0)
                elif families[reader] in _MIXING:
                    near.add(hash((families[reader], place, found[reader])))
                else:
                    near |= found.get(reader, frozenset())
            found[index] = frozenset(near)
        return {index: hash(found[index]) for index in self.landmarks}

    def sources(self, marks: Mapping[int, int]) -> dict[int, frozenset[int]]:
        """Return the marks of the nearest marked layers that each layer is computed from; -1 is
        an input of the model."""
        found = dict[int, frozenset[int]]()
        for index in self.layers:
            near = set[int]()
            for feeder in self.feeders[index]:
                near |= {marks[feeder]} if feeder in marks else found.get(feeder, frozenset())
            if not self.input_places.keys().isdisjoint(self.model.layers[index].inputs):
                near.add(-1)
            found[index] = frozenset(near)
        return found

    def targets(self, marks: Mapping[int, int]) -> dict[int, frozenset[int]]:
        """Return the marks of the nearest marked layers that are computed from each layer; -1
        is an output of the model."""
        found = dict[int, frozenset[int]]()
        for index in reversed(self.layers):
            near = set[int]()
            for taker in self.takers.get(index, ()):
                near |= {marks[taker]} if taker in marks else found.get(taker, frozenset())
            if not self.output_places.keys().isdisjoint(self.model.layers[index].outputs):
                near.add(-1)
            found[index] = frozenset(near)
        return found

    def outside(self, name: str, exact: bool = True) -> tuple[Hashable, ...]:
        """Return the kind of an input that no layer produces: a weight, an input of the model,
        nothing."""
        weight = self.weights.get(name)
        if weight is not None:
            return ("weight", weight.dtype, weight.shape) if exact else ("weight",)
        return (
            ("input", self.input_places[name]) if name in self.input_places else (name != "",)
        )


def _lengths(weight: WeightInfo) -> tuple[int, ...]:
    return tuple(sorted(length for length in weight.shape if length != 1))


def _joined(own: Hashable, near: set[int]) -> frozenset[int]:
    """Return what a layer passes on: its own hash if it is a landmark, else those it reads."""
    if own is not None or len(near) > _MOST_SOURCES:
        return frozenset((hash((own, frozenset(near))),))
    return frozenset(near)


@lru_cache(maxsize=4096)  # models repeat themselves
def _plain_attributes(
    operator: str, domain: str, attributes: tuple[Attribute, ...]
) -> tuple[tuple[str, str, str], ...]:
    # ONNX Runtime's FusedConv has the attributes of Conv.
    standard = operator.removeprefix("Fused") if domain == "com.microsoft" else operator
    defaults = _defaults().get(standard, {}) if domain in _STANDARD else {}
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
