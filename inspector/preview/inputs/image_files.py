"""Pictures: read from a file, resized, written as PNG. uint8 (height, width, 1, 3 or 4).

A file is decoded in a process of its own; here there are only pixels.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inspector.errors import BadInput
from inspector.platform import files
from inspector.preview.inputs import plugin_inputs
from inspector.sandbox.decoding.channel import CLASS_NUMBERS, Request
from inspector.sandbox.decoding.decoder_process import decoder

if TYPE_CHECKING:
    from PIL import Image  # imported where pixels are touched: most models see no pictures

Picture = NDArray[np.uint8]

LIMIT_BYTES = 256 << 20
LIMIT_PIXELS = 100_000_000
SUFFIXES = frozenset(
    (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".tga")
)

RESIZES = ("stretch", "fit", "crop")
# Pillow's numbers of them, PIL.Image.Resampling.
FILTERS = {"nearest": 0, "bilinear": 2, "bicubic": 3, "lanczos": 1, "area": 4}


def read(path: Path) -> Picture:
    """Read a picture, turned the way its EXIF orientation says.

    Of an animation, the first frame. Sixteen bits a channel are brought to eight.
    Raises UnreadableFile: missing, damaged, of an unknown format, or larger than LIMIT_PIXELS.
    """
    kind = None if path.suffix.lower() in SUFFIXES else plugin_inputs.kind_of(path)
    if kind is not None:
        return plugin_inputs.read(kind, path).astype(np.uint8, copy=False)
    return decode(files.read_capped(path, LIMIT_BYTES), path.name)


def is_image(path: Path) -> bool:
    """Return whether a file is an image by its name, for Inspector or for a plugin."""
    if path.suffix.lower() in SUFFIXES:
        return True
    kind = plugin_inputs.kind_of(path)
    return kind is not None and kind.is_image


def suffixes() -> frozenset[str]:
    """Return the suffixes of image files, those of plugins among them."""
    images = (each.suffixes for each in plugin_inputs.kinds() if each.is_image)
    return SUFFIXES.union(*images)


def decode(body: bytes, name: str) -> Picture:
    """Read a picture from the bytes of a file; `name` is for the message. See `read`."""
    _, pixels = decoder("images").ask(Request("", name), body, f"Could not open {name}")
    return pixels.astype(np.uint8, copy=False)


def read_class_numbers(path: Path) -> NDArray[np.int64]:
    """Read a picture whose pixels are numbers of classes, (height, width). Raises as `read`;
    also: it has several channels."""
    body, what = files.read_capped(path, LIMIT_BYTES), f"Could not open {path.name}"
    _, numbers = decoder("images").ask(Request(CLASS_NUMBERS, path.name), body, what)
    return numbers.astype(np.int64)


def to_gray(picture: Picture) -> Picture:
    """Return the luma of a picture (ITU-R BT.601, as the Y of JPEG): (height, width, 1)."""
    if picture.shape[2] == 1:
        return picture
    return _array(_image(picture[:, :, :3]).convert("L"))


def to_colors(picture: Picture, channels: int) -> Picture:
    """Return a picture with 1, 3 or 4 channels; transparency is dropped or made opaque."""
    if channels == 1:
        return to_gray(picture)
    colors = np.repeat(picture, 3, axis=2) if picture.shape[2] == 1 else picture
    if channels == 4 and colors.shape[2] == 3:
        opaque = np.full((*colors.shape[:2], 1), 255, np.uint8)
        return np.concatenate((colors, opaque), axis=2)
    return colors[:, :, :channels]


def resize(
    picture: Picture,
    width: int,
    height: int,
    resize: str,
    resampling: str,
    fill: int = 0,
    position: str = "center",
) -> Picture:
    """Resize an image to a size in pixels.

    resize: "stretch" ignores the proportions; "fit" keeps the whole picture and fills the rest
    with `fill`, at the "center" or "top-left"; "crop" keeps the middle of the longer side.
    Raises BadInput: no size, or over LIMIT_PIXELS.
    """
    if width < 1 or height < 1 or width * height > LIMIT_PIXELS:
        why = f"{width:,} × {height:,} pixels is not a valid size"
        raise BadInput("Could not resize the image", why, "Choose another width and height.")
    if (height, width) == picture.shape[:2]:
        return picture
    image, kernel = _image(picture), FILTERS[resampling]
    across, down = width / image.width, height / image.height
    if resize == "fit":
        factor = min(across, down)
        inner = max(1, round(image.width * factor)), max(1, round(image.height * factor))
        small = _array(image.resize(inner, kernel))
        board = np.full((height, width, small.shape[2]), fill, np.uint8)
        top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
        if position == "top-left":
            top = left = 0
        board[top : top + small.shape[0], left : left + small.shape[1]] = small
        return board
    box = _middle(image.size, max(across, down), width, height) if resize == "crop" else None
    return _array(image.resize((width, height), kernel, box))


def png(picture: Picture) -> bytes:
    """Write a picture as the bytes of a PNG file."""
    body = io.BytesIO()
    _image(picture).save(body, "PNG")
    return body.getvalue()


def _image(picture: Picture) -> "Image.Image":
    # 10 ms: of all inputs, only images need it
    from PIL import Image

    plane = picture[:, :, 0] if picture.shape[2] == 1 else picture
    return Image.fromarray(np.ascontiguousarray(plane))


def _array(image: "Image.Image") -> Picture:
    pixels = np.array(image)
    return pixels[:, :, None] if pixels.ndim == 2 else pixels


def _middle(
    size: tuple[int, int], factor: float, width: int, height: int
) -> tuple[float, float, float, float]:
    left, top = (size[0] - width / factor) / 2, (size[1] - height / factor) / 2
    return (
        max(0.0, left),
        max(0.0, top),
        min(size[0], size[0] - left),
        min(size[1], size[1] - top),
    )
