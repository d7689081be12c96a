"""Where the model's picture lies in the one it was made from."""

from dataclasses import dataclass

from inspector.preview.preparation import ImagePreparation


@dataclass(frozen=True, slots=True)
class Placement:
    """Edges of the model's picture, in 0..1 of the original; beyond it where it was padded."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, share: float) -> float:
        """Where a place in 0..1 across the model's picture lies in the original."""
        return self.left + share * (self.right - self.left)

    def y(self, share: float) -> float:
        """Where a place in 0..1 down the model's picture lies in the original."""
        return self.top + share * (self.bottom - self.top)


WHOLE = Placement(0.0, 0.0, 1.0, 1.0)


def placement(preparation: ImagePreparation, width: int, height: int) -> Placement:
    """Where the model's picture lies in an original of `width` by `height` pixels."""
    across, down = preparation.width or width, preparation.height or height
    if preparation.resize == "stretch":
        return WHOLE
    sides = across / width, down / height
    scale = min(sides) if preparation.resize == "fit" else max(sides)
    wide, high = across / (width * scale), down / (height * scale)
    return Placement((1 - wide) / 2, (1 - high) / 2, (1 + wide) / 2, (1 + high) / 2)
