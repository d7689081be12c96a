"""Differences between two models, as values: pairs of layers and weights, with changes."""

from collections import Counter
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from inspector import units
from inspector.model.model import Model, WeightInfo
from inspector.model.tensors.difference import Difference
from inspector.platform.data_struct import DataStruct
from inspector.wording.values import Name, Sentence


class State(StrEnum):
    """The state of a layer or a weight; moved: it reads different layers than before."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"
    MOVED = "moved"
    SAME = "same"

    @property
    def label(self) -> str:
        """Return the state as people read it; the stored values are those of JSON."""
        return {State.NEW: "added", State.GONE: "removed"}.get(self, self.value)


class Change(Struct, frozen=True):
    """One thing that differs; before or after is empty where a side has no such thing.

    kind: of a layer "operator", "attribute", "weight", "type", "shape" or "inputs"; of a model
        "input", "output", "opset", "metadata", "function" or "property".
    problem: why values could not be compared; empty if they were, or need not be.
    """

    kind: str
    name: str
    before: str
    after: str
    difference: Difference | None = None
    problem: str = ""

    @property
    def text(self) -> str:
        """The change in one phrase: 'group 1 → 2', 'weights float16 → int8'."""
        if self.before == self.after:  # values of a weight, or the name of an input
            return (
                Sentence("values of {name}", self.name) if self.kind == "weight" else self.name
            )
        if not self.before:
            return Sentence("{name} added ({after})", self.name, self.after)
        if not self.after:
            return Sentence("{name} removed ({before})", self.name, self.before)
        # Without the colon, one arrow would follow another.
        template = (
            "{name}: {before} → {after}" if " → " in self.name else "{name} {before} → {after}"
        )
        return Sentence(template, self.name, Name(self.before), Name(self.after))


class LayerPair(NamedTuple):
    """A layer on both sides, by its index in `Model.layers`; None where a side has none.

    Not a dataclass, as `Layer` is none.

    matched_by: "name", "output", "weights", "structure" or "order"; empty for one side alone.
    folded: operator on the other side that does the work of a layer of one side alone; empty if
        none is known. folded_equal: whether its weights are then equal but for rounding.
        folded_difference: of those weights; None where there are none, as of an activation.
    """

    first: int | None
    other: int | None
    matched_by: str = ""
    changes: tuple[Change, ...] = ()
    renamed: bool = False
    moved: bool = False
    folded: str = ""
    folded_equal: bool = False
    folded_difference: Difference | None = None

    @property
    def state(self) -> State:
        """The state of the layer."""
        if self.first is None:
            return State.NEW
        if self.other is None:
            return State.GONE
        if self.changes:
            return State.CHANGED
        return State.MOVED if self.moved else State.SAME


class WeightPair(Struct, frozen=True):
    """A weight on both sides. difference: of values that are not equal, other minus first.

    problem: why the values could not be compared; empty if they were.
    folded: whether layers behind were folded into it on one side, as BatchNormalization into
        the weights of a Conv; it is the same if it is then equal but for rounding. What was
        folded away, or came from it, is on one side alone.
    """

    first: WeightInfo | None
    other: WeightInfo | None
    state: State
    difference: Difference | None = None
    problem: str = ""
    folded: bool = False

    @property
    def either(self) -> WeightInfo:
        """The weight of A, or that of B where A has none."""
        weight = self.first if self.first is not None else self.other
        assert weight is not None, "a pair has at least one side"
        return weight

    @property
    def renamed(self) -> bool:
        """Whether it has a different name."""
        first, other = self.first, self.other
        return first is not None and other is not None and first.name != other.name


class ChangeGroup(Struct, frozen=True):
    """Changes of one kind. pairs: places in `ModelDiff.pairs`, largest effect first.

    title: "23 Conv". detail: "weights float16 → int8". changes: of the model itself, where it
    is no group of layers. parameters: elements of the weights concerned.
    phrase: subject and predicate of the summary: ("23 of 26 Conv", "in int8").
    """

    state: State
    title: str
    detail: str
    pairs: tuple[int, ...] = ()
    changes: tuple[Change, ...] = ()
    parameters: int = 0
    phrase: tuple[str, str] = ("", "")


class ModelDiff(DataStruct, frozen=True, dict=True, weakref=True):
    """All differences between two models; A is the first, B the other.

    pairs: layers in the order of A, those of B alone behind what they follow.
    share: of layers that match with certainty, of the smaller model, 0 to 1.
    counterparts: how many layers that is, and how many the smaller model has; conversions of
        types are not counted.
    different_networks: too few match; then all layers stand alone.
    values_compared: whether values of weights were read.
    groups: changes by what they are, largest effect first.
    summary: one sentence that says what B is in terms of A.
    constants: what became of Constant nodes with a tensor, by index, on each side.
    """

    first: Model
    other: Model
    pairs: tuple[LayerPair, ...]
    weights: tuple[WeightPair, ...]
    inputs: tuple[Change, ...]
    outputs: tuple[Change, ...]
    properties: tuple[Change, ...]
    share: float
    different_networks: bool
    values_compared: bool
    groups: tuple[ChangeGroup, ...] = ()
    summary: str = ""
    constants: tuple[dict[int, State], dict[int, State]] = field(default=({}, {}))
    counterparts: tuple[int, int] = (0, 0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of layers by state, and of those that are renamed."""
        counts = Counter(pair.state.value for pair in self.pairs)
        renamed = sum(pair.renamed for pair in self.pairs)
        return {state.value: counts[state.value] for state in State} | {"renamed": renamed}

    @cached_property
    def weight_counts(self) -> dict[str, int]:
        """Number of weights by state, and of those that are renamed or have unknown values.

        folded: on one side alone because layers were folded; they count in no other state.
        """
        counts = Counter(
            weight.state.value for weight in self.weights if not _is_explained(weight)
        )
        known = {s.value: counts[s.value] for s in State if s is not State.MOVED}
        known["folded"] = sum(map(_is_explained, self.weights))
        known["renamed"] = sum(weight.renamed for weight in self.weights)
        return known | {"unknown": sum(bool(weight.problem) for weight in self.weights)}

    @property
    def unread_same(self) -> int:
        """Number of weights that count as the same, but whose values could not be read."""
        same = (each for each in self.weights if each.state is State.SAME)
        return sum(bool(each.problem) and not _is_explained(each) for each in same)

    def layer_changes(self, kind: str) -> int:
        """Return how many changes of one kind matched layers have."""
        return sum(change.kind == kind for pair in self.pairs for change in pair.changes)

    @cached_property
    def total(self) -> int:
        """Number of layers and weights that are not the same, and of changes of the model."""
        layers = sum(pair.state is not State.SAME for pair in self.pairs)
        alone = self.weight_counts["new"] + self.weight_counts["gone"]
        changed = self.weight_counts["changed"] if not layers else 0
        return layers + alone + changed + len(self.inputs + self.outputs + self.properties)

    def states(self, side: int) -> list[State]:
        """Return what became of each layer of a side, by its index; Constants as their
        weights."""
        model = (self.first, self.other)[side]
        alone = State.NEW if side else State.GONE
        states = [alone] * len(model.layers)
        for pair in self.pairs:
            index = pair.other if side else pair.first
            if index is not None:
                states[index] = pair.state
        for index, state in self.constants[side].items():
            states[index] = state
        return states


def _is_explained(weight: WeightPair) -> bool:
    """Return whether a weight is on one side alone because layers were folded."""
    return weight.folded and (weight.first is None or weight.other is None)


def weight_text(weight: WeightInfo) -> str:
    """Return type and shape of a weight: 'float32 64×3×3×3'."""
    return f"{weight.dtype} {units.shape(weight.shape)}"


def weight_texts(one: WeightInfo, two: WeightInfo) -> tuple[str, str]:
    """Return what tells two weights apart: types, shapes or both."""
    if one.shape != two.shape:
        return weight_text(one), weight_text(two)
    return one.dtype, two.dtype


def weight_change(weight: WeightPair) -> Change:
    """Return how a weight differs."""
    first, other = weight.first, weight.other
    if first is not None and other is not None:
        texts = weight_texts(first, other)
    else:
        texts = (weight_text(first) if first else "", weight_text(other) if other else "")
    return Change("weight", weight.either.name, *texts, weight.difference, weight.problem)
