import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inspector.errors import BadInput, UnreadableFile
from inspector.preview.inputs import image_files


def saved(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def corners() -> np.ndarray:
    pixels = np.zeros((4, 6, 3), np.uint8)
    pixels[0, 0], pixels[0, -1], pixels[-1, 0] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    return pixels


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif", ".webp", ".ppm", ".tga"])
def test_a_lossless_picture_is_read_without_loss(tmp_path, suffix):
    image = Image.fromarray(corners())
    path = saved(
        tmp_path / f"x{suffix}", image, **({"lossless": True} if "w" in suffix else {})
    )
    assert np.array_equal(image_files.read(path), corners())


def test_the_orientation_that_a_camera_noted_is_honoured(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6  # turn a quarter to the right
    path = saved(tmp_path / "x.png", Image.fromarray(corners()), exif=exif)
    assert np.array_equal(image_files.read(path), np.rot90(corners(), -1))


@pytest.mark.parametrize(
    ("mode", "channels"), [("1", 1), ("L", 1), ("P", 3), ("RGBA", 4), ("LA", 4), ("CMYK", 3)]
)
def test_every_kind_of_pixel_becomes_one_three_or_four_channels(mode, channels):
    body = io.BytesIO()
    Image.fromarray(corners()).convert(mode).save(body, "TIFF")
    assert image_files.decode(body.getvalue(), "x.tif").shape == (4, 6, channels)


def test_sixteen_bits_keep_their_brightness():
    body = io.BytesIO()
    Image.fromarray(np.array([[0, 32768, 65535]], np.uint16)).save(body, "PNG")
    assert image_files.decode(body.getvalue(), "x.png").ravel().tolist() == [0, 127, 255]


def png_of_size(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.mark.parametrize("side", [10_001, 2_000_000_000])
def test_a_picture_that_declares_too_many_pixels_is_refused_before_decoding(side):
    with pytest.raises(UnreadableFile, match="pixels") as raised:
        image_files.decode(png_of_size(side, side), "x.png")
    assert raised.value.hint


@pytest.mark.parametrize(
    "name", ["png_declared_2g_x_2g.png", "jpeg_header_only.jpg", "text_latin1.txt"]
)
def test_a_hostile_picture_gives_one_sentence(shared, name):
    with pytest.raises(UnreadableFile, match=f"Could not open {name}"):
        image_files.read(shared / "bad/made/media" / name)


def test_a_cut_off_picture_gives_one_sentence(tmp_path):
    path = saved(tmp_path / "x.png", Image.effect_noise((64, 64), 90))
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(UnreadableFile, match="corrupted"):
        image_files.read(path)


def test_postscript_is_no_picture_here():
    with pytest.raises(UnreadableFile, match="supported image format"):
        image_files.decode(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "x.png")


def test_fit_keeps_the_whole_picture_in_the_middle_of_the_fill():
    fitted = image_files.resize(np.full((10, 20, 3), 200, np.uint8), 8, 8, "fit", "bilinear", 7)
    assert (fitted[:2] == 7).all()
    assert (fitted[2:6] == 200).all()
    assert (fitted[6:] == 7).all()


def test_crop_keeps_the_middle_of_the_longer_side():
    stripes = np.repeat(np.arange(0, 200, 10, dtype=np.uint8), 10).reshape(1, 200, 1)
    wide = np.repeat(stripes, 100, axis=0)
    cropped = image_files.resize(wide, 10, 10, "crop", "area")
    assert cropped[0, :, 0].tolist() == list(range(50, 150, 10))


def test_a_size_of_nothing_or_of_billions_is_refused():
    for side in (0, 1_000_000):
        with pytest.raises(BadInput, match="not a valid size"):
            image_files.resize(corners(), side, side, "stretch", "nearest")


def test_a_picture_survives_being_written_as_png():
    assert np.array_equal(image_files.decode(image_files.png(corners()), "x.png"), corners())
    gray = corners()[:, :, :1]
    assert np.array_equal(image_files.decode(image_files.png(gray), "x.png"), gray)
