"""A drawing as PNG, by Pillow: no screen and no Qt are needed."""

from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from inspector import units
from inspector.errors import BadInput
from inspector.pages.charts.drawing import (
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    color,
    on_surface,
    worded,
)
from inspector.render.fonts import runs

SCALE = 2  # pixels of the file for one of the drawing: sharp on a dense screen
_FINER = 2  # drawn larger and made smaller, which smooths edges
_MOST_PIXELS = 120_000_000  # of the larger drawing: 360 MB in RGB
_LONGEST_SIDE = 65_000  # pixels; few programs show more
_LEAST_LETTER = 3.0  # pixels; smaller letters are specks that take as long to draw
_FAST_PIXELS = 20_000_000  # of larger files, the best compression takes minutes
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # so much of a text is before its place


def fitting_scale(drawing: Drawing) -> float:
    """Return the scale at which a drawing can be held: `SCALE`, or less for a large one."""
    area = max(1.0, drawing.width * drawing.height)
    most = float((_MOST_PIXELS / area) ** 0.5)
    if most / _FINER >= SCALE:
        return float(SCALE)
    return min(float(SCALE), _LONGEST_SIDE / max(drawing.width, drawing.height), most)


def shrunk(drawing: Drawing) -> tuple[bytes, float]:
    """Return a drawing of any size as PNG, and its scale."""
    scale = fitting_scale(drawing)
    return png(drawing, scale), scale


def png(drawing: Drawing, scale: float = SCALE) -> bytes:
    """Draw at twice the size in pixels, on a white surface.

    scale: another size; edges are not smoothed where there is no room for that.
    Raises BadInput: it would have more pixels than can be held.
    """
    finer = _FINER
    if drawing.width * drawing.height * (scale * finer) ** 2 > _MOST_PIXELS and scale != SCALE:
        finer = 1
    full = scale * finer
    size = (max(1, int(drawing.width * full)), max(1, int(drawing.height * full)))
    if size[0] * size[1] > _MOST_PIXELS:
        raise BadInput(
            "Could not draw the image",
            f"the image would be {size[0] // finer:,} by {size[1] // finer:,} pixels",
            "Export it as SVG, which has no size limit.",
        )
    image = Image.new("RGB", size, color("surface"))
    pen = ImageDraw.Draw(image)
    drawing = worded(drawing)
    for shape in drawing.shapes:
        if not isinstance(shape, Label):
            _draw(pen, shape, full)
    small = image
    if finer > 1:
        small = image.resize((size[0] // finer, size[1] // finer), Image.Resampling.BOX)
    _write(ImageDraw.Draw(small), drawing.shapes, scale)
    body = BytesIO()
    small.save(body, "PNG", optimize=size[0] * size[1] <= _FAST_PIXELS)
    return body.getvalue()


def _draw(pen: ImageDraw.ImageDraw, shape: Box | Line, full: float) -> None:
    match shape:
        case Box():
            _box(pen, shape, full)
        case Line():
            tint = on_surface(shape.stroke, shape.opacity)
            if shape.fill:
                inside = on_surface(shape.stroke, shape.fill)
                pen.polygon([(x * full, y * full) for x, y in shape.points], inside)
            pairs = pairwise(shape.points) if shape.width else ()
            for one, other in pairs:
                for start, end in _dashes(one, other) if shape.dashed else ((one, other),):
                    ends = [(x * full, y * full) for x, y in (start, end)]
                    pen.line(ends, fill=tint, width=max(1, round(shape.width * full)))


def _box(pen: ImageDraw.ImageDraw, box: Box, full: float) -> None:
    left, top = round(box.x * full), round(box.y * full)
    right = max(left, round((box.x + box.width) * full) - 1)
    bottom = max(top, round((box.y + box.height) * full) - 1)
    edge = color(box.edge) if box.edge else None
    pen.rounded_rectangle(
        (left, top, right, bottom),
        radius=round(box.radius * full),
        fill=on_surface(box.fill, box.opacity),
        outline=edge,
        width=round(box.edge_width * full) if edge else 0,
    )


def _dashes(
    one: tuple[float, float], other: tuple[float, float]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Strokes of 4 with gaps of 3."""
    (x, y), (to_x, to_y) = one, other
    far = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5

    def at(place: float) -> tuple[float, float]:
        share = min(place, far) / far
        return x + (to_x - x) * share, y + (to_y - y) * share

    return [(at(7 * i), at(7 * i + 4)) for i in range(int(far / 7) + 1)] if far else []


def _write(pen: ImageDraw.ImageDraw, shapes: tuple[Shape, ...], scale: float) -> None:
    for shape in shapes:
        if isinstance(shape, Label) and shape.size * scale >= _LEAST_LETTER:
            size, text = shape.size * scale, units.clip(str(shape.text), 120)
            parts = [(_font(face.path, size), part) for face, part in runs(text, shape.bold)]
            wide = sum(font.getlength(part) for font, part in parts)
            x = shape.x * scale - wide * _BEFORE[shape.anchor]
            for font, part in parts:
                pen.text(
                    (x, shape.y * scale), part, fill=color(shape.color), font=font, anchor="ls"
                )
                x += font.getlength(part)


@cache
def _font(path: Path, size: float) -> ImageFont.FreeTypeFont:
    layout = ImageFont.Layout.BASIC  # the other kind loads a library that may be absent
    return ImageFont.truetype(str(path), size, layout_engine=layout)
