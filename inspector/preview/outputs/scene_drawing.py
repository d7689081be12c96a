"""A scene drawn on the picture it was made of: what --save writes."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from inspector import units
from inspector.preview.inputs import image_files
from inspector.preview.inputs.image import Placement
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.dense_maps import Overlay, colour_of
from inspector.preview.outputs.scene import Scene

OPACITY = 0.55


def name_of(kind: int, labels: Sequence[str]) -> str:
    """What a class is called; its number when nobody told."""
    return (labels[kind] if kind < len(labels) else "") or f"class {kind}"


def drawn(
    original: Picture, scene: Scene, place: Placement, labels: Sequence[str] = ()
) -> Picture:
    """The original with boxes, points or an overlay; merged colours as they are."""
    if scene.merged is not None:
        return scene.merged
    ground = image_files.to_colors(original, 3)
    if scene.overlay is not None:
        ground = laid_over(ground, scene.overlay, place)
    image = Image.fromarray(np.ascontiguousarray(ground))
    draw, (width, height) = ImageDraw.Draw(image), image.size
    line = max(2, round(min(width, height) / 200))
    for box in scene.boxes:
        left, right = sorted((place.x(box.left) * width, place.x(box.right) * width))
        top, bottom = sorted((place.y(box.top) * height, place.y(box.bottom) * height))
        tint = colour_of(box.kind)
        draw.rectangle((left, top, right, bottom), outline=tint, width=line)
        words = f"{units.clip(name_of(box.kind, labels), 40)} {box.score:.2f}"
        plain = words.encode("ascii", "replace").decode()  # all that the built-in font has
        ground_of_words = draw.textbbox((left + 2, max(0, top - 12)), plain)
        draw.rectangle(ground_of_words, fill=tint)
        draw.text((left + 2, max(0, top - 12)), plain, fill=(255, 255, 255))
    for point in scene.points:
        x, y = place.x(point.x) * width, place.y(point.y) * height
        draw.ellipse((x - line, y - line, x + line, y + line), fill=(0, 220, 120))
    return np.asarray(image)


def laid_over(
    ground: Picture, overlay: Overlay, place: Placement, opacity: float = OPACITY
) -> Picture:
    """An overlay, brought to the place of the model's picture, over the original."""
    height, width = ground.shape[:2]
    left, right = round(place.left * width), round(place.right * width)
    top, bottom = round(place.top * height), round(place.bottom * height)
    size = max(1, right - left), max(1, bottom - top)
    smooth = "bilinear" if not overlay.parts else "nearest"
    large = image_files.resized(overlay.picture, *size, "stretch", smooth).astype(np.float64)
    whole = np.zeros((height, width, 4))
    ours = slice(max(0, top), min(height, bottom)), slice(max(0, left), min(width, right))
    whole[ours] = large[
        ours[0].start - top : ours[0].stop - top, ours[1].start - left : ours[1].stop - left
    ]
    share = whole[:, :, 3:] / 255 * opacity
    return np.rint(ground * (1 - share) + whole[:, :, :3] * share).astype(np.uint8)
