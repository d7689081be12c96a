"""Decoder of images, by Pillow: uint8 (height, width, 1, 3 or 4), or numbers of classes."""

import io
import struct
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from inspector import units
from inspector.errors import UnreadableFile
from inspector.sandbox.decoding.channel import CLASS_NUMBERS, Request, Response

LIMIT_PIXELS = 100_000_000  # declared by the file: 400 MB decoded
# Not all that Pillow knows: its EPS reader, for one, starts another program on the file.
_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP", "TIFF", "PPM", "TGA")
_BROKEN = (
    OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, struct.error,
    OverflowError, ZeroDivisionError, AttributeError,
)  # fmt: skip
# Later no plugin could be looked for. All 45 would take a sixth of the process's time.
Image.preinit()
for _plugin in ("Mpo", "Tga", "Tiff", "WebP"):
    import_module(f"PIL.{_plugin}ImagePlugin")


def answer(request: Request, body: memoryview) -> tuple[Response, memoryview]:
    """Decode an image; see `pixels`."""
    read = class_numbers if request.do == CLASS_NUMBERS else pixels
    array = np.ascontiguousarray(read(bytes(body), request.name))
    return Response(dtype=array.dtype.name, shape=array.shape), array.reshape(-1).data


def pixels(body: bytes, name: str) -> NDArray[np.uint8]:
    """Decode an image, rotated by its EXIF orientation.

    Of an animation, the first frame. Sixteen bits a channel are brought to eight.
    Raises UnreadableFile: damaged, of an unknown format, or larger than LIMIT_PIXELS, which is
    judged by the size it declares before anything is decoded.
    """
    return _decoded(body, name, _array)


def class_numbers(body: bytes, name: str) -> NDArray[np.generic]:
    """Decode an image whose pixels are numbers of classes: (height, width), uint8 or uint16.

    Of a palette, the numbers of its colors. Raises as `pixels`; also: it has several channels.
    """
    return _decoded(body, name, _plane)


def _decoded(
    body: bytes, name: str, read: Callable[[str, Image.Image], NDArray[Any]]
) -> NDArray[Any]:
    what = f"Could not open {name}"
    try:
        with warnings.catch_warnings():  # Pillow warns of what is refused or harmless here
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(body), formats=_FORMATS) as image:
                _check_size(what, *image.size)
                return read(what, ImageOps.exif_transpose(image))
    except UnidentifiedImageError as error:
        hint = "Inspector can open PNG, JPEG, BMP, GIF, WebP, TIFF, PPM and TGA."
        raise UnreadableFile(
            what, "it is damaged, or not in a supported image format", hint
        ) from error
    except Image.DecompressionBombError as error:
        raise _too_large(what, "it declares too many pixels") from error
    except _BROKEN as error:
        raise UnreadableFile(
            what, f"the image is corrupted ({units.clip(str(error))})"
        ) from error


def _check_size(what: str, width: int, height: int) -> None:
    if width * height > LIMIT_PIXELS:
        raise _too_large(what, f"it declares too many pixels ({width:,} × {height:,})")


def _too_large(what: str, why: str) -> UnreadableFile:
    limit = f"Inspector can open images of up to {units.count(LIMIT_PIXELS)} pixels."
    return UnreadableFile(what, why, limit)


def _plane(what: str, image: Image.Image) -> NDArray[np.generic]:
    if image.mode.startswith("I"):
        return np.clip(np.asarray(image).astype(np.int64), 0, 65535).astype(np.uint16)
    if image.mode not in ("P", "L", "1"):
        hint = "Save the number of each pixel's class as a grayscale or palette PNG file."
        raise UnreadableFile(what, "it has several channels, and a mask has one", hint)
    return np.asarray(image).astype(np.uint8)


def _array(what: str, image: Image.Image) -> NDArray[np.uint8]:
    if image.mode == "F":
        hint = "Save the pixels as an .npy file instead."
        raise UnreadableFile(what, "floating-point pixels are not supported", hint)
    if image.mode.startswith("I"):
        sixteen = np.clip(np.asarray(image).astype(np.int64), 0, 65535)
        return (sixteen // 257).astype(np.uint8)[:, :, None]
    gray = image.mode in ("1", "L")
    has_alpha = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    mode = "RGBA" if has_alpha else "L" if gray else "RGB"
    array = np.array(image.convert(mode))
    return array[:, :, None] if array.ndim == 2 else array
