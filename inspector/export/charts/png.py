"""A drawing as PNG, by Pillow: no screen and no Qt are needed."""

from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from inspector import units
from inspector.errors import BadInput
from inspector.export.charts.drawing import (
    Box,
    Drawing,
    Label,
    Line,
    Shape,
    color,
    on_surface,
    worded,
)
from inspector.export.charts.fonts import runs

SCALE = 2  # pixels of the file for one of the drawing: sharp on a dense screen
_FINER = 2  # drawn larger and made smaller, which smooths edges
_MOST_PIXELS = 120_000_000  # of the larger drawing: 360 MB in RGB
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # so much of a text is before its place


def png(drawing: Drawing) -> bytes:
    """Draw at twice the size in pixels, on a white surface.

    Raises BadInput: it would have more pixels than can be held.
    """
    full = SCALE * _FINER
    size = (round(drawing.width * full), round(drawing.height * full))
    if size[0] * size[1] > _MOST_PIXELS:
        raise BadInput(
            "Could not draw the image",
            f"the image would be {size[0] // _FINER:,} by {size[1] // _FINER:,} pixels",
            "Export it as SVG, which has no size limit.",
        )
    image = Image.new("RGB", size, color("surface"))
    pen = ImageDraw.Draw(image)
    drawing = worded(drawing)
    for shape in drawing.shapes:
        if not isinstance(shape, Label):
            _draw(pen, shape, full)
    small = image.resize((size[0] // _FINER, size[1] // _FINER), Image.Resampling.BOX)
    _write(ImageDraw.Draw(small), drawing.shapes)
    body = BytesIO()
    small.save(body, "PNG", optimize=True)
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


def _write(pen: ImageDraw.ImageDraw, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        if isinstance(shape, Label):
            size, text = shape.size * SCALE, units.clip(str(shape.text), 120)
            parts = [(_font(face.path, size), part) for face, part in runs(text, shape.bold)]
            wide = sum(font.getlength(part) for font, part in parts)
            x = shape.x * SCALE - wide * _BEFORE[shape.anchor]
            for font, part in parts:
                pen.text(
                    (x, shape.y * SCALE),
                    part,
                    fill=color(shape.color),
                    font=font,
                    anchor="ls",
                )
                x += font.getlength(part)


@cache
def _font(path: Path, size: float) -> ImageFont.FreeTypeFont:
    layout = ImageFont.Layout.BASIC  # the other kind loads a library that may be absent
    return ImageFont.truetype(str(path), size, layout_engine=layout)
