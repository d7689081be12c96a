"""A landscape with a sign, drawn here, so that no picture of anybody else is needed."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIDE, FINE = 256, 4  # pixels; drawn so many times larger, then scaled down for smooth edges


def soft() -> Image.Image:
    """RGB 256x256, a little out of focus."""
    return drawn().filter(ImageFilter.GaussianBlur(1.1))


def misty(side: int) -> Image.Image:
    """Gray and square, with little contrast and some grain."""
    gray = np.asarray(drawn().convert("L").resize((side, side), Image.Resampling.LANCZOS))
    grain = np.random.default_rng(3).normal(0, 0.8, gray.shape)
    return Image.fromarray(np.clip(140 + gray * 0.3 + grain, 0, 255).astype(np.uint8))


def drawn() -> Image.Image:
    """RGB 256x256: evening sky, hills, a house and a sign with letters of many sizes."""
    size = SIDE * FINE
    picture = Image.fromarray(_sky(size))
    draw = ImageDraw.Draw(picture)
    _disc(draw, 196, 62, 22, "#fff1c9")
    for level, swing, bend, color in (
        (150, 14, 0.021, "#5b7fa6"),
        (172, 18, 0.016, "#3f6b73"),
        (198, 9, 0.027, "#2f5a4a"),
    ):
        across = np.arange(0, SIDE + 1)
        ridge = level + swing * np.sin(across * bend * 2 + level)
        outline = [*zip(across, ridge, strict=True), (SIDE, SIDE), (0, SIDE)]
        draw.polygon([(x * FINE, y * FINE) for x, y in outline], fill=color)
    _house(draw)
    _sign(draw)
    return picture.resize((SIDE, SIDE), Image.Resampling.BOX)


def _sky(size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    top, bottom = np.array([38, 66, 128]), np.array([255, 196, 140])
    down = np.linspace(0, 1.25, size).clip(0, 1)[:, None, None]
    sky = top * (1 - down) + bottom * down
    return np.broadcast_to(sky, (size, size, 3)).round().astype(np.uint8)


def _house(draw: ImageDraw.ImageDraw) -> None:
    _box(draw, 24, 150, 92, 212, "#b4533c")
    draw.polygon(
        [(x * FINE, y * FINE) for x, y in ((16, 152), (58, 118), (100, 152))], "#4a2d2a"
    )
    for row in range(150, 212, 5):  # courses of bricks
        draw.line([24 * FINE, row * FINE, 92 * FINE, row * FINE], "#8e3f2e", FINE)
    for x in (32, 66):
        _box(draw, x, 164, x + 18, 184, "#ffe08a")
        _box(draw, x + 8, 164, x + 10, 184, "#4a2d2a")
        _box(draw, x, 173, x + 18, 175, "#4a2d2a")
    _box(draw, 51, 188, 65, 212, "#3a241f")


def _sign(draw: ImageDraw.ImageDraw) -> None:
    _box(draw, 172, 180, 177, 246, "#6b4a2b")
    _box(draw, 126, 152, 236, 224, "#f4ead2")
    top = 156
    for text, height in (("ONNX", 24), ("layer by layer", 13), ("the quick brown fox", 9)):
        font = ImageFont.load_default(height * FINE)
        draw.text((181 * FINE, top * FINE), text, "#2b2a33", font, anchor="mt")
        top += height + 2
    for stripe in range(20):  # closer and closer, until the eye sees gray
        x = 132 + 98 * (stripe / 20) ** 0.7
        _box(draw, x, 212, x + 2.2 - stripe * 0.08, 220, "#2b2a33")


def _box(
    draw: ImageDraw.ImageDraw, left: float, top: float, right: float, bottom: float, fill: str
) -> None:
    corners = [round(edge * FINE) for edge in (left, top, right, bottom)]
    draw.rectangle(corners, fill)


def _disc(draw: ImageDraw.ImageDraw, x: int, y: int, radius: int, fill: str) -> None:
    draw.ellipse(
        [(edge * FINE) for edge in (x - radius, y - radius, x + radius, y + radius)], fill
    )
