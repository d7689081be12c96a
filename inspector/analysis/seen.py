"""A layer as the counting of its work sees it, and what is counted."""

from collections.abc import Callable
from dataclasses import dataclass

from inspector.analysis.expressions import Amount, total
from inspector.model import Axis, Layer

Shape = tuple[Axis, ...] | None


@dataclass(frozen=True, slots=True)
class Work:
    """Operations of one execution. None: not known, as shapes are missing.

    macs: multiply-adds. others: operations beside them.
    """

    macs: Amount | None
    others: Amount | None

    @property
    def operations(self) -> Amount | None:
        """All of them; a multiply-add is two."""
        if self.macs is None or self.others is None:
            return None
        return total((self.macs * 2, self.others))


@dataclass(frozen=True, slots=True)
class Seen:
    """A layer with the shapes of what goes in and comes out."""

    layer: Layer
    inputs: tuple[Shape, ...]
    outputs: tuple[Shape, ...]

    def input(self, place: int) -> Shape:
        """Shape of an input; None where it is unknown or not given."""
        return self.inputs[place] if place < len(self.inputs) else None

    def output(self, place: int = 0) -> Shape:
        """Shape of an output; None where it is unknown or not given."""
        return self.outputs[place] if place < len(self.outputs) else None

    def text(self, name: str) -> str:
        """An attribute in words; empty where it is not given."""
        return next((a.text for a in self.layer.attributes if a.name == name), "")

    def integers(self, name: str) -> tuple[int, ...]:
        """An attribute of whole numbers; empty where it is not given."""
        parts = (part.strip() for part in self.text(name).split(","))
        return tuple(int(part) for part in parts if part.lstrip("-").isdecimal())

    def integer(self, name: str, default: int = 0) -> int:
        """An attribute of one whole number."""
        return next(iter(self.integers(name)), default)


Rule = Callable[[Seen], Work]
