"""Small files that unpack to, or declare, far more than a computer has: archives and inputs.

Each function writes what it needs into a folder and returns the arguments of a command.
"""

import gzip
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from onnx import TensorProto, helper

from tests import models
from tests.killers.foreign import FOREIGN
from tests.killers.models import FLOAT, value

_MIB = 1 << 20
_HUGE = 1 << 40


def _taker(folder: Path, name: str, shape: tuple[int, ...], kind: int = FLOAT) -> str:
    """Write a model that returns its one input, and return its path."""
    step = helper.make_node("Identity", [name], ["y"])
    ends = [value(name, kind, shape)], [value("y", kind, shape)]
    return str(models.save(folder / f"taker_{name}.onnx", [step], *ends))


def _given(folder: Path, file: str, body: bytes, name: str = "x") -> list[str]:
    """Return a prediction with a file as its input; name: of the input, which says its use."""
    shapes = {"image": (1, 3, 32, 32), "audio": (1, 16_000)}
    (folder / file).write_bytes(body)
    model = _taker(folder, name, shapes.get(name, (1, 4)))
    return ["predict", model, "--input", f"{name}={folder / file}"]


def _info(folder: Path, file: str, body: bytes) -> list[str]:
    (folder / file).write_bytes(body)
    return ["info", str(folder / file)]


def _zeros_deflated(size_bytes: int) -> bytes:
    """Compress so many zeros, a multiple of 1 MiB, without computing each of them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(_MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return piece * (size_bytes // _MIB) + zlib.compressobj(9, zlib.DEFLATED, -15).flush()


def _zip(name: str, packed: bytes, size_bytes: int) -> bytes:
    """Return an archive of one deflated file that declares a size, which may be a lie."""
    wide = size_bytes >= 0xFFFFFFFF
    short = 0xFFFFFFFF if wide else size_bytes
    extra = struct.pack("<HHQQ", 1, 16, size_bytes, len(packed)) if wide else b""
    shown = 0xFFFFFFFF if wide else len(packed)
    common = struct.pack("<HHHHHIIIHH", 45, 0, 8, 0, 33, 0, shown, short, len(name), len(extra))
    local = b"PK\x03\x04" + common + name.encode() + extra + packed
    entry = b"PK\x01\x02" + struct.pack("<H", 45) + common
    entry += struct.pack("<HHHII", 0, 0, 0, 0, 0) + name.encode() + extra
    end = struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + b"PK\x05\x06" + end


def zip_of_zips(folder: Path) -> list[str]:
    """Nine levels of ten archives each, as in 42.zip."""
    body = zlib.compress(bytes(_MIB))
    for _ in range(9):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for place in range(10):
                archive.writestr(f"{place}.zip", body)
        body = stream.getvalue()
    return _info(folder, "zips.zip", body)


def zip_of_a_model_of_zeros(folder: Path) -> list[str]:
    """12 GiB of zeros in 12 MB."""
    packed = _zeros_deflated(12 << 30)
    return _info(folder, "zeros.zip", _zip("net.onnx", packed, 12 << 30))


def zip_that_declares_a_terabyte(folder: Path) -> list[str]:
    return _info(folder, "terabyte.zip", _zip("net.onnx", b"\x03\x00", _HUGE))


def zip_of_many_names(folder: Path) -> list[str]:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for place in range(60_000):
            archive.writestr(f"{place}.onnx", b"")
    return _info(folder, "names.zip", stream.getvalue())


def _framework_file(folder: Path, file: str, inside: str) -> list[str]:
    return _info(folder, file, _zip(inside, _zeros_deflated(1 << 30), _HUGE))


def pytorch_file(folder: Path) -> list[str]:
    return _framework_file(folder, "net.pt", "net/data.pkl")


def keras_file(folder: Path) -> list[str]:
    return _framework_file(folder, "net.keras", "model.weights.h5")


def core_ml_package(folder: Path) -> list[str]:
    return _framework_file(folder, "net.mlpackage", "Data/com.apple.CoreML/model.mlmodel")


def gzip_of_a_model(folder: Path) -> list[str]:
    return _info(folder, "net.onnx.gz", gzip.compress(bytes(64 * _MIB)) * 8)


def _npy(shape: str, descr: str = "<f4") -> bytes:
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()


def npy_of_a_huge_shape(folder: Path) -> list[str]:
    return _given(folder, "huge.npy", _npy(f"({_HUGE},)") + bytes(64))


def npy_of_an_overflowing_shape(folder: Path) -> list[str]:
    return _given(folder, "over.npy", _npy("(4294967296, 4294967296)") + bytes(64))


def npz_of_zeros(folder: Path) -> list[str]:
    """8 GiB of float32 in 8 MB."""
    head = _npy(f"({2 << 30},)").ljust(128)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    packed += _zeros_deflated(8 << 30)
    return _given(folder, "zeros.npz", _zip("x.npy", packed, (8 << 30) + len(head)))


def npz_that_declares_a_terabyte(folder: Path) -> list[str]:
    return _given(folder, "terabyte.npz", _zip("x.npy", b"\x03\x00", _HUGE))


def tensor_of_a_huge_shape(folder: Path) -> list[str]:
    tensor = TensorProto(name="x", data_type=FLOAT, dims=[_HUGE], raw_data=bytes(16))
    return _given(folder, "huge.pb", tensor.SerializeToString())


def _chunk(kind: bytes, body: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + check


def _png(width: int, height: int, pixels: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = _chunk(b"IHDR", head) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def png_of_a_huge_head(folder: Path) -> list[str]:
    side = (1 << 31) - 1
    return _given(folder, "huge.png", _png(side, side, zlib.compress(bytes(64))), "image")


def png_of_zeros(folder: Path) -> list[str]:
    """60,000 by 60,000 black pixels: 10 GiB in 10 MB."""
    body = b"\x78\xda" + _zeros_deflated(10 << 30)
    return _given(folder, "zeros.png", _png(60_000, 60_000, body), "image")


def png_of_a_huge_text(folder: Path) -> list[str]:
    """A comment of 1 GiB beside one pixel."""
    text = b"Comment\0\0" + b"\x78\xda" + _zeros_deflated(1 << 30)
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    parts = _chunk(b"IHDR", head) + _chunk(b"zTXt", text)
    parts += _chunk(b"IDAT", zlib.compress(bytes(4))) + _chunk(b"IEND", b"")
    return _given(folder, "text.png", b"\x89PNG\r\n\x1a\n" + parts, "image")


def jpeg_of_a_huge_head(folder: Path) -> list[str]:
    head = struct.pack(">HBHHB", 17, 8, 65_535, 65_535, 3) + bytes(
        (1, 34, 0, 2, 17, 0, 3, 17, 0)
    )
    body = b"\xff\xd8\xff\xc0" + head + b"\xff\xda" + bytes(64) + b"\xff\xd9"
    return _given(folder, "huge.jpg", body, "image")


def bmp_of_a_huge_head(folder: Path) -> list[str]:
    side = (1 << 31) - 1
    head = struct.pack("<IiiHHIIiiII", 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0)
    body = b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + head + bytes(64)
    return _given(folder, "huge.bmp", body, "image")


def wav_of_a_huge_head(folder: Path) -> list[str]:
    form = struct.pack("<HHIIHH", 1, 65_535, 0xFFFFFFFF, 0xFFFFFFFF, 65_535, 32)
    body = b"RIFF" + struct.pack("<I", 0xFFFFFFFF) + b"WAVEfmt " + struct.pack("<I", 16) + form
    body += b"data" + struct.pack("<I", 0xFFFFFFF0) + bytes(64)
    return _given(folder, "huge.wav", body, "audio")


def wav_of_one_sample_a_second(folder: Path) -> list[str]:
    """1 MB that are 6 days of sound: 8.4 GB at 16,000 Hz."""
    form = struct.pack("<HHIIHH", 1, 1, 1, 2, 2, 16)
    data = bytes(_MIB)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data))
    body = b"RIFF" + struct.pack("<I", len(body) + len(data)) + body + data
    return _given(folder, "slow.wav", body, "audio")


def deep_json(folder: Path) -> list[str]:
    return _given(folder, "deep.json", b"[" * 1_000_000 + b"]" * 1_000_000)


def wide_json(folder: Path) -> list[str]:
    body = json.dumps({"x": [[0] * 4] * 400_000}).encode()
    return _given(folder, "wide.json", body)


def csv_of_one_line(folder: Path) -> list[str]:
    return _given(folder, "line.csv", b"1," * (8 * _MIB))


def csv_of_one_field(folder: Path) -> list[str]:
    return _given(folder, "field.csv", b'"' + b"1" * (32 * _MIB))


def _opened(make: Callable[[Path], Path]) -> Callable[[Path], list[str]]:
    """Return what writes a file of another format, to be opened by `info`."""
    return lambda folder: ["info", str(make(folder))]


BOMBS: dict[str, Callable[[Path], list[str]]] = {
    make.__name__: make
    for make in (
        zip_of_zips,
        zip_of_a_model_of_zeros,
        zip_that_declares_a_terabyte,
        zip_of_many_names,
        pytorch_file,
        keras_file,
        core_ml_package,
        gzip_of_a_model,
        npy_of_a_huge_shape,
        npy_of_an_overflowing_shape,
        npz_of_zeros,
        npz_that_declares_a_terabyte,
        tensor_of_a_huge_shape,
        png_of_a_huge_head,
        png_of_zeros,
        png_of_a_huge_text,
        jpeg_of_a_huge_head,
        bmp_of_a_huge_head,
        wav_of_a_huge_head,
        wav_of_one_sample_a_second,
        deep_json,
        wide_json,
        csv_of_one_line,
        csv_of_one_field,
    )
} | {name: _opened(make) for name, make in FOREIGN.items()}
