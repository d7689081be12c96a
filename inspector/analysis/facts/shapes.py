"""Types and shapes of a model's tensors, as declared by the file or inferred."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct, field

from inspector import units
from inspector.model.model import Axis, Model, TensorInfo
from inspector.platform.cooperative_yielding import polite
from inspector.wording.values import Count, Sentence

MAIN = -1
# Inference of 100,000 layers takes 5 s of work on the machine this was written on, parsing
# included; this allows ten times as much.
_SECONDS = 10.0
_LAYERS_PER_SECOND = 2000


class Body(Struct, frozen=True):
    """The graph of a model or the body of a function, as one kind of call finds it.

    function: place in `Model.functions`; MAIN for the graph itself, subgraphs included.
    values: every value of it; one name for two different things has no shape.
    calls: layer -> place in `Shapes.bodies`, for each layer that calls a function.
    trips: layer -> how often its body runs, for each Loop whose number is a constant.
    """

    function: int = MAIN
    values: tuple[TensorInfo, ...] = ()
    calls: dict[int, int] = field(default_factory=dict)
    trips: dict[int, int] = field(default_factory=dict)


class Contradiction(Struct, frozen=True):
    """An axis whose declared size inference contradicts.

    declared: the number or the expression. evaluated: its size with `lengths`; inferred: the
    size that follows from the layers.
    """

    value: str
    axis: int
    declared: str
    evaluated: int
    inferred: int
    lengths: dict[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The contradiction in one sentence."""
        sizes = self.lengths.items()
        given = ", ".join(f"{units.axis_size(name)} = {length:,}" for name, length in sizes)
        fixed = self.declared == str(self.evaluated)
        declared = self.declared if fixed else units.axis_size(self.declared)
        meant = (
            f" with {given}" * bool(given)
            if fixed
            else Sentence(": {evaluated} with {given}", Count(self.evaluated), given)
        )
        return Sentence(
            "The file declares axis {axis} of '{value}' as {declared}{meant}, but the "
            "layers make {inferred}.",
            self.axis,
            self.value,
            declared,
            meant,
            Count(self.inferred),
        )


class Shapes(Struct, frozen=True):
    """Types and shapes of all values of a model.

    bodies: the graph first, then each function with each kind of inputs it is called with.
    lengths: what free axes were set to before inference.
    note: why shapes are missing, as a sentence; empty when nothing went wrong.
    contradictions: declared sizes that are wrong for these lengths; `values` has right ones.
    """

    bodies: tuple[Body, ...] = (Body(),)
    lengths: dict[str, int] = field(default_factory=dict)
    note: str = ""
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def values(self) -> tuple[TensorInfo, ...]:
        """Values of the graph and its subgraphs."""
        return self.bodies[0].values


def declared(model: Model, note: str = "") -> Shapes:
    """Return types and shapes as the file declares them, without inference."""
    values = (*model.values, *model.defaults, *model.outputs, *model.inputs)
    return Shapes((Body(values=merged(values)),), note=note)


def as_converted(model: Model, lengths: Mapping[str, int]) -> Shapes:
    """Return the shapes that the converter wrote, for the lengths it gave to free axes."""
    known = {value.name: value for value in model.examples}
    values = (*model.values, *model.defaults, *model.outputs, *model.inputs)
    settled = merged(known.get(value.name, value) for value in values)
    return Shapes((Body(values=settled),), dict(lengths))


def merged(values: Iterable[TensorInfo]) -> tuple[TensorInfo, ...]:
    """Return each tensor name once; contradicting declarations lose their shape."""
    by_name: dict[str, TensorInfo] = {}
    for value in values:
        before = by_name.get(value.name)
        if before is None or (before.dtype == value.dtype and before.shape is None):
            by_name[value.name] = value
        elif value.shape is not None and before.shape != value.shape:
            by_name[value.name] = replace(before, shape=_common(before.shape, value.shape))
    return tuple(by_name.values())


def joined(parts: Sequence[Shapes], note: str) -> Shapes:
    """Return the values of several stretches of one graph as its shapes, with a note."""
    values = merged(value for part in parts for value in part.values)
    return Shapes((Body(values=values),), parts[0].lengths, note)


def allowed_seconds(model: Model) -> float:
    """Return how many seconds of work inference may take before it counts as hung."""
    return _SECONDS + len(model.layers) / _LAYERS_PER_SECOND


def with_shapes(model: Model, shapes: Shapes) -> Model:
    """Return the model as if its file declared every value that is known."""
    outer = {value.name for value in (*model.inputs, *model.outputs, *model.defaults)}
    values = tuple(value for value in shapes.values if value.name not in outer)
    return replace(model, values=values)


def by_name(values: Collection[TensorInfo]) -> Mapping[str, TensorInfo]:
    """Index values by their names."""
    return {value.name: value for value in polite(values)}


def inner_first(bodies: Sequence[Body]) -> list[int]:
    """Order bodies so that each comes after those it calls; the graph itself comes last.

    Without recursion: a chain of functions may be longer than Python's stack. In a circle,
    which is no valid model, one call stays unknown.
    """
    order: list[int] = []
    visited = {0}
    trail = [(0, iter(bodies[0].calls.values()))]
    while trail:
        place, calls = trail[-1]
        inner = next((called for called in calls if called not in visited), None)
        if inner is None:
            trail.pop()
            order.append(place)
        else:
            visited.add(inner)
            trail.append((inner, iter(bodies[inner].calls.values())))
    return order


def _common(
    one: tuple[Axis, ...] | None, other: tuple[Axis, ...] | None
) -> tuple[Axis, ...] | None:
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))
