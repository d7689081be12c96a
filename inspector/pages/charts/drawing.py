"""A plot as plain shapes: what an SVG, a PNG and a page of a PDF are all drawn from.

Colors are roles of `palette.Palette` ("text", "cpu") or '#RRGGBB'; lengths are pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from math import cos, hypot, pi, sin

from msgspec import Struct
from msgspec.structs import replace

from inspector.model.display_names import fit_line
from inspector.pages.charts import palette as palette_module
from inspector.wording.values import ENGLISH, Name, Value, Wording

Point = tuple[float, float]
MARGIN = 16.0  # pixels at the sides of a drawing
LEGEND_GAP = 32.0  # pixels from the end of a name to the next, with its swatch
# pixels from line to line; of the longest name
LEGEND_ROW = 18.0
_MOST_LEGEND = 260.0
# of the size: mean width of a letter of Inter, a little over
LETTER = 0.54
BOLD_LETTER = 0.57
_ROLES = {one.name for one in fields(palette_module.Palette)} - {"dark"}
_TALL = 13.0  # pixels of a line of text
_GAP = 5.0  # between a disc and its label, in pixels
_LEADER_FROM = 12.0  # a label that is farther from its disc gets a line to it
_RINGS = (14.0, 26.0, 40.0, 56.0, 76.0, 100.0, 130.0)  # distances to try, in pixels
_DIRECTIONS = 16
_CLEARANCE = 1.5  # around labels
_THIN = 0.6  # of the cost of covering a disc
# cost of a label that may be another's; in pixels
_WRONG = 60.0
_CLEAR_OF_OTHERS = 3.0
_PER_PIXEL = 0.15  # cost of a leader line, so that labels stay near


class Box(Struct, frozen=True):
    """A filled rectangle. opacity: 0 to 1; a clear one is a place that pointer and keys find.

    title: its tooltip, where the format has any.

    edge: color of a line around it. key: what it stands for, such as the number of a layer;
    a click in the window selects that.
    href: an anchor of the page that it leads to.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str
    opacity: float = 1.0
    title: Value = ""
    radius: float = 0.0
    edge: str = ""
    key: str = ""
    edge_width: float = 2.0
    href: str = ""


class Line(Struct, frozen=True):
    """A line through points. fill: opacity of its color on the area within; 0 for none."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 1.0
    dashed: bool = False
    opacity: float = 1.0
    fill: float = 0.0


class Label(Struct, frozen=True):
    """A line of text; y is its base line. anchor: "start", "middle" or "end"."""

    x: float
    y: float
    text: Value
    color: str = "text"
    size: float = 11.0
    bold: bool = False
    anchor: str = "start"


Shape = Box | Line | Label


class Drawing(Struct, frozen=True):
    """Shapes from back to front on a surface of this size in pixels."""

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]


def color(name: str, palette: palette_module.Palette = palette_module.LIGHT) -> str:
    """A role of a palette, or a color as it is, as '#RRGGBB'."""
    if name not in _ROLES:
        return name
    value: str = getattr(palette, name)
    return value


def on_surface(
    name: str, opacity: float, palette: palette_module.Palette = palette_module.LIGHT
) -> str:
    """A color as it shows on the surface when it lets so much of that through."""
    return palette_module.mix(palette.surface, color(name, palette), opacity)


def worded(drawing: Drawing, wording: Wording = ENGLISH) -> Drawing:
    """Return a drawing with all values as text. A plain word may be a name, and stays."""

    def text(value: Value) -> str:
        if type(value) is str:  # a sentence is one, too
            return wording.finished(value) if " " in value else value
        return wording.text(value)

    shapes = tuple(
        replace(one, text=text(one.text)) if isinstance(one, Label)
        else replace(one, title=text(one.title)) if isinstance(one, Box) and one.title
        else one
        for one in drawing.shapes
    )  # fmt: skip
    return replace(drawing, title=text(drawing.title), shapes=shapes)


def head(title: Value, width: float, note: Value = "") -> tuple[Label, ...]:
    """Return the title of a drawing, and a note at its right where there is room."""
    shown = Label(MARGIN, 24, title, size=12, bold=True)
    wide = text_width(title, 12, True) + text_width(note, 10)
    if not note or wide > width - 3 * MARGIN:
        return (shown,)
    return shown, Label(width - MARGIN, 24, note, "tertiary", 10, anchor="end")


def empty(title: Value, why: Value, width: float) -> Drawing:
    """Return a drawing that says why there is nothing to draw."""
    shapes = (*head(title, width), Label(MARGIN, 48, why, "secondary"))
    return Drawing(plain(why), width, 64, shapes)


def dot(
    x: float, y: float, radius: float, tint: str, opacity: float = 1.0, title: Value = "",
    edge: str = "", key: str = "",
) -> Box:  # fmt: skip
    """Return a disc around a point."""
    wide = 2 * radius
    return Box(x - radius, y - radius, wide, wide, tint, opacity, title, radius, edge, key)


def plain(value: Value) -> str:
    """Return a value as text in English, which decides how much room there is for it."""
    return value if isinstance(value, str) else ENGLISH.text(value)


def legend(
    entries: Sequence[tuple[Value, str]],
    width: float,
    y: float,
    opacity: float = 1.0,
    x: float = MARGIN,
) -> Iterator[Shape]:
    """Yield a swatch and a name for each entry, in lines of which the first stands on y."""
    for name, tint in entries:
        label = fitting(name, _MOST_LEGEND)
        wide = text_width(label) + LEGEND_GAP
        if x > MARGIN and x + wide > width - MARGIN:
            x, y = MARGIN, y + LEGEND_ROW
        yield Box(x, y - 8, 8, 8, tint, opacity, radius=4)
        yield Label(x + 12, y, label, "secondary")
        x += wide


def text_width(text: Value, size: float = 11.0, bold: bool = False) -> float:
    """Return the approximate width of a text."""
    return len(plain(text)) * size * (BOLD_LETTER if bold else LETTER)


def fitting(text: Value, width: float, size: float = 11.0) -> Value:
    """Return a text, or as much of its end as fits: the last scope of a name says most."""
    letters, whole = _letters(width, size), plain(text)
    return text if len(whole) <= letters else Name(f"…{whole[1 - letters :]}")


def fitting_name(name: str, width: float, size: float = 11.0) -> str:
    """Return a layer's name shortened to fit, with what distinguishes it from others."""
    return fit_line(name, _letters(width, size), len)


def _letters(width: float, size: float) -> int:
    """Return how many letters fit, at least two. A text fits into its own width."""
    return max(2, int(width / size / LETTER + 1e-6))


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


Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def names_at(
    discs: Sequence[Rectangle], names: Sequence[Value], room: Rectangle,
    occupied: Sequence[Rectangle] = (), thin: Sequence[Rectangle] = (), size: float = 11.0,
    always: bool = True,
) -> Iterator[Shape]:  # fmt: skip
    """Yield a name for each disc, placed as by `place_labels`, with the line that leads to it.

    always: whether a name is drawn that covers something; else it is left out.
    """
    sizes = [(text_width(name, size), _TALL) for name in names]
    taken = [*discs, *occupied]
    placements = place_labels(discs, sizes, room, occupied, thin)
    for name, placement in zip(names, placements, strict=True):
        if always or not any(_overlap(placement.box, other) for other in taken):
            taken.append(placement.box)
            if placement.leader is not None:
                yield Line(placement.leader, "tertiary", 0.8)
            yield Label(placement.box[0], placement.box[3] - 3, name, size=size)


class Placement(Struct, frozen=True):
    """Where the label of a point goes. leader: a line from its disc, None if beside it."""

    box: Rectangle
    leader: tuple[Point, Point] | None = None


def place_labels(
    discs: Sequence[Rectangle],
    sizes: Sequence[Point],
    room: Rectangle,
    occupied: Sequence[Rectangle] = (),
    thin: Sequence[Rectangle] = (),
) -> list[Placement]:
    """Return where the label of each disc goes, so that none covers a disc or another label.

    sizes: width and height of each label. The first labels choose first: beside, above or
    below their disc, else on rings around it, with a leader line. Where all is full, a label
    covers as little as possible. occupied: other places to keep free. thin: lines that a label
    had better not cross.
    """
    taken = [*discs, *occupied]
    leaders = list[tuple[Point, Point]]()
    result = list[Placement]()
    for disc, (wide, tall) in zip(discs, sizes, strict=True):
        best, least = Placement(disc), float("inf")
        others = [each for each in discs if each != disc]
        for placement in _around(disc, wide, tall):
            cost = _cost(placement, disc, room, taken, leaders)
            cost += _WRONG * (placement.leader is None and _nearer(placement.box, disc, others))
            cost += _THIN * sum(_overlap(placement.box, line) for line in thin)
            if cost < least:
                best, least = placement, cost
            if not cost:
                break
        result.append(best)
        taken.append(best.box)
        leaders += [best.leader] if best.leader is not None else []
    return result


def _nearer(box: Rectangle, own: Rectangle, others: Sequence[Rectangle]) -> bool:
    """Return whether a label stands as near to another disc as to its own."""
    apart = _gap(box, own)
    return any(_gap(box, other) < apart + _CLEAR_OF_OTHERS for other in others)


def _gap(one: Rectangle, other: Rectangle) -> float:
    across = max(0.0, one[0] - other[2], other[0] - one[2])
    down = max(0.0, one[1] - other[3], other[1] - one[3])
    return hypot(across, down)


def _around(disc: Rectangle, wide: float, tall: float) -> Iterator[Placement]:
    """Yield the places for a label, the nearest first."""
    left, top, right, bottom = disc
    x, y = (left + right) / 2, (top + bottom) / 2
    beside = (
        (right + _GAP, y - tall / 2),
        (left - _GAP - wide, y - tall / 2),
        (x - wide / 2, top - _GAP - tall + 2),
        (x - wide / 2, bottom + _GAP - 2),
        (right, top - tall),
        (right, bottom),
        (left - wide, top - tall),
        (left - wide, bottom),
    )
    for across, down in beside:
        yield Placement((across, down, across + wide, down + tall))
    radius = (right - left) / 2
    for ring in _RINGS:
        for turn in range(_DIRECTIONS):
            angle = 2 * pi * turn / _DIRECTIONS
            end = (x + (radius + ring) * cos(angle), y - (radius + ring) * sin(angle))
            across = end[0] if cos(angle) > 0.1 else end[0] - wide
            if abs(cos(angle)) <= 0.1:
                across = end[0] - wide / 2
            down = end[1] - tall / 2 if abs(cos(angle)) > 0.1 else end[1] - tall
            if sin(angle) < -0.9:
                down = end[1]
            start = (x + radius * cos(angle), y - radius * sin(angle))
            leader = (start, end) if ring >= _LEADER_FROM else None
            yield Placement((across, down, across + wide, down + tall), leader)


def _cost(
    placement: Placement,
    own: Rectangle,
    room: Rectangle,
    taken: Sequence[Rectangle],
    leaders: Sequence[tuple[Point, Point]],
) -> float:
    """Return the area that a label covers, and what its line crosses; 0 for nothing."""
    left, top, right, bottom = box = placement.box
    outside = (
        max(0.0, room[0] - left) + max(0.0, right - room[2])
        + max(0.0, room[1] - top) + max(0.0, bottom - room[3])
    )  # fmt: skip
    cost = 1000.0 * outside + sum(_overlap(box, other) for other in taken)
    cost += sum(20.0 for leader in leaders if _crosses(leader, box))
    if placement.leader is not None:
        line = placement.leader
        cost += _PER_PIXEL * hypot(line[1][0] - line[0][0], line[1][1] - line[0][1])
        cost += sum(40.0 for other in taken if other != own and _crosses(line, other))
    return cost


def _overlap(one: Rectangle, other: Rectangle) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0]) + _CLEARANCE
    tall = min(one[3], other[3]) - max(one[1], other[1]) + _CLEARANCE
    return wide * tall if wide > 0 and tall > 0 else 0.0


def _crosses(line: tuple[Point, Point], box: Rectangle) -> bool:
    """Return whether a line passes through a box, looked at every few pixels."""
    (x, y), (end_x, end_y) = line
    if max(x, end_x) <= box[0] or min(x, end_x) >= box[2]:
        return False  # as most do
    if max(y, end_y) <= box[1] or min(y, end_y) >= box[3]:
        return False
    steps = max(1, int(hypot(end_x - x, end_y - y) / 3))
    return any(
        box[0] < x + (end_x - x) * n / steps < box[2]
        and box[1] < y + (end_y - y) * n / steps < box[3]
        for n in range(1, steps)
    )
