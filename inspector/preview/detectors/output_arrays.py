"""The outputs of a model as decoders of boxes read them: arrays by name, small questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from inspector.model.model import Axis
from inspector.preview.detectors.boxes import Numbers
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure

Shape = Sequence[Axis]


@dataclass(frozen=True)
class Outputs:
    """Declared or real shapes of a model's outputs, and the size of the picture it got.

    shapes: by output name; a free axis is a name or None, and fits any length.
    width, height: of the model's picture in pixels; 0 where the model leaves it open.
    """

    shapes: Mapping[str, Shape]
    width: int
    height: int
    structure: ModelStructure = field(default=UNKNOWN)

    @cached_property
    def only(self) -> Shape:
        """The shape of the only output; () when there are none or several."""
        return next(iter(self.shapes.values())) if len(self.shapes) == 1 else ()

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all outputs."""
        return frozenset(self.shapes)

    def named(self, *lasts: int | None) -> list[str]:
        """Return names of the outputs with such last axes, in order; None fits any length."""
        return [
            name for name, shape in self.shapes.items() if ends_with(shape, lasts, len(shape))
        ]

    def of_rank(self, rank: int) -> list[str]:
        """Return names of the outputs of this rank, in order."""
        return [name for name, shape in self.shapes.items() if len(shape) == rank]


@dataclass(frozen=True)
class Answer(Outputs):
    """Outputs with their values, float64; `shapes` are the arrays' own."""

    arrays: Mapping[str, Numbers] = field(default_factory=dict)

    @cached_property
    def single(self) -> Numbers:
        """The only output, without a batch axis of 1."""
        return without_batch(next(iter(self.arrays.values())))


def ends_with(shape: Shape, lasts: Sequence[int | None], rank: int | None = None) -> bool:
    """Return whether a shape has this rank and these last axes; free axes fit anything."""
    if len(shape) < len(lasts) or (rank is not None and len(shape) != rank):
        return False
    pairs = zip(shape[len(shape) - len(lasts) :], lasts, strict=True)
    return all(
        last is None or not isinstance(axis, int) or axis == last for axis, last in pairs
    )


def length(axis: Axis) -> int:
    """Return an axis' length; 0 where it is free."""
    return axis if isinstance(axis, int) else 0


def without_batch(array: Numbers) -> Numbers:
    """Return an array without its first axis where that is 1 and others follow."""
    return array[0] if array.ndim > 1 and array.shape[0] == 1 else array
