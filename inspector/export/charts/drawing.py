"""A plot as plain shapes: what an SVG, a PNG and a page of a PDF are all drawn from.

Colours are roles of `look.Palette` ("text", "cpu") or '#RRGGBB'; lengths are pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from inspector.export.charts import palette as palette_module
from inspector.model.display_names import fit_line

Point = tuple[float, float]
LETTER, BOLD_LETTER = 0.54, 0.57  # of the size: mean width of a letter of Inter, a little over
_ROLES = {one.name for one in fields(palette_module.Palette)} - {"dark"}


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle. opacity: 0 to 1. title: its tooltip, where the format has any.

    edge: colour of a line around it.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str
    opacity: float = 1.0
    title: str = ""
    radius: float = 0.0
    edge: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 1.0
    dashed: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; y is its base line. anchor: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    colour: str = "text"
    size: float = 11.0
    bold: bool = False
    anchor: str = "start"


Shape = Box | Line | Label


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from back to front on a surface of this size in pixels."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


def colour(name: str, palette: palette_module.Palette = palette_module.LIGHT) -> str:
    """A role of a palette, or a colour as it is, as '#RRGGBB'."""
    if name not in _ROLES:
        return name
    value: str = getattr(palette, name)
    return value


def on_surface(
    name: str, opacity: float, palette: palette_module.Palette = palette_module.LIGHT
) -> str:
    """A colour as it shows on the surface when it lets so much of that through."""
    return palette_module.mix(palette.surface, colour(name, palette), opacity)


def text_width(text: str, size: float = 11.0, bold: bool = False) -> float:
    """Return the approximate width of a text."""
    return len(text) * size * (BOLD_LETTER if bold else LETTER)


def fitting(text: str, width: float, size: float = 11.0) -> str:
    """Return as much of the end of a text as fits: the last scope of a name says most."""
    letters = max(2, int(width / size / LETTER))
    return text if len(text) <= letters else f"…{text[1 - letters :]}"


def fitting_name(name: str, width: float, size: float = 11.0) -> str:
    """Return a layer's name shortened to fit, with what distinguishes it from others."""
    return fit_line(name, max(2, int(width / size / LETTER)), len)


def below_each_other(title: str, drawings: tuple[Drawing, ...]) -> Drawing:
    """Several drawings as one, from top to bottom."""
    shapes: list[Shape] = []
    top = 0.0
    for one in drawings:
        shapes += [moved(shape, 0, top) for shape in one.shapes]
        top += one.height
    width = max((one.width for one in drawings), default=1)
    return Drawing(title, width, max(top, 1.0), tuple(shapes))


def moved(shape: Shape, right: float, down: float) -> Shape:
    """Return the shape at another position."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
    return replace(shape, x=shape.x + right, y=shape.y + down)


# Label placement: words beside a point, so that they hide neither points nor other words.

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
_TALL, _OFF = 13.0, 7.0


def least_harm(
    x: float, y: float, wide: float, room: Rectangle, occupied: Sequence[Rectangle],
    off: float = _OFF,
) -> Rectangle:  # fmt: skip
    """Return the label position around a point with the least overlap.

    off: how far from the point.
    """
    return min(_beside(x, y, wide, off), key=lambda box: _harm(box, room, occupied))


def placed(
    x: float, y: float, wide: float, room: Rectangle, occupied: Sequence[Rectangle],
    off: float = _OFF,
) -> Rectangle | None:  # fmt: skip
    """Return the placement, or None where every place covers something."""
    best = least_harm(x, y, wide, room, occupied, off)
    return None if _harm(best, room, occupied) else best


def _beside(x: float, y: float, wide: float, off: float) -> list[Rectangle]:
    """Right and left of a point, above it and below; the nearest first."""
    starts = [
        (x + off, y - _TALL / 2),
        (x - off - wide, y - _TALL / 2),
        (x - wide / 2, y - off - _TALL),
        (x - wide / 2, y + off),
    ]
    for far in (off, off + _TALL, off + 2 * _TALL):
        for top in (y - far - _TALL, y + far):
            starts += [(x + 2, top), (x - wide - 2, top)]
    return [(left, top, left + wide, top + _TALL) for left, top in starts]


def _harm(box: Rectangle, room: Rectangle, occupied: Sequence[Rectangle]) -> int:
    """Return how much a box covers; to stand outside is worse than any of that."""
    left, top, right, bottom = box
    outside = left < room[0] or top < room[1] or right > room[2] or bottom > room[3]
    hits = sum(
        left < other[2] and other[0] < right and top < other[3] and other[1] < bottom
        for other in occupied
    )
    return hits + (len(occupied) + 1) * outside
