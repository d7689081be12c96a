"""Binary files that loaders read, as trees of JSON: what is changed in them is what they mean.

A protobuf message is a list of [field, value]: a whole number is a varint, a number with a
point a double, a text its bytes, a list another message; {"packed": [...]} are varints in a
row, {"raw": [...]} bytes, {"zlib": message} a compressed one. An array of an .npz is its header
and its values. Whatever a change leaves that is none of these is written as nearly as it goes.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from inspector.formats.protobuf_wire import encode_varint, framed

_VARINT, _DOUBLE = 0, 1
_DEEPEST = 60
_LONGEST = 1 << 20


def message(tree: Any, depth: int = 0) -> bytes:
    """Return the bytes of a protobuf message."""
    if not isinstance(tree, list) or depth > _DEEPEST:
        return _plain(tree)
    return b"".join(_field(pair, depth) for pair in tree)


def _field(pair: Any, depth: int) -> bytes:
    if not isinstance(pair, list) or len(pair) < 2:
        return _plain(pair)
    field, value = _whole(pair[0]) & (1 << 29) - 1, pair[1]
    if isinstance(value, float):
        return _varint(field << 3 | _DOUBLE) + struct.pack("<d", value)
    if isinstance(value, int):
        return _varint(field << 3 | _VARINT) + _varint(value)
    special = isinstance(value, dict)
    body = _special(value, depth) if special else message(value, depth + 1)
    return framed(field, body)


def _special(value: dict[str, Any], depth: int) -> bytes:
    for kind, content in value.items():
        items = content if isinstance(content, list) else [content]
        if kind == "packed":
            return b"".join(_varint(_whole(item)) for item in items)
        if kind == "raw":
            return bytes(_whole(item) & 255 for item in items)
        if kind == "zlib":
            return zlib.compress(message(content, depth + 1))
    return b""


def _plain(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return b"" if value is None else str(value)[:100].encode("utf-8", "surrogatepass")


def _whole(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0


def _varint(value: int) -> bytes:
    return encode_varint(value & (1 << 64) - 1)


def npz(tree: Any) -> bytes:
    """Return an archive of arrays: {name: {"header": {...}, "version", "values": [...]}}."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in tree.items() if isinstance(tree, dict) else ():
            entry = zipfile.ZipInfo(_plain(name).decode("utf-8", "replace")[:200] or "x")
            archive.writestr(entry, _npy(array))
    return body.getvalue()


def _npy(tree: Any) -> bytes:
    if not isinstance(tree, dict):
        return _plain(tree)
    header = repr(_as_header(tree.get("header"))).encode("latin-1", "replace")[:60_000] + b"\n"
    version = _whole(tree.get("version", 1)) & 255
    size = struct.pack("<H", len(header)) if version == 1 else struct.pack("<I", len(header))
    return b"\x93NUMPY" + bytes((version, 0)) + size + header + b"".join(_values(tree))


def _as_header(header: Any) -> Any:
    if isinstance(header, dict) and isinstance(header.get("shape"), list):
        return header | {"shape": tuple(header["shape"])}
    return header


def _values(tree: dict[str, Any]) -> Iterator[bytes]:
    values, kind = tree.get("values"), str(tree.get("as", "<f"))
    for value in values[:_LONGEST] if isinstance(values, list) else ():
        try:
            yield struct.pack(kind, value)
        except (struct.error, OverflowError, TypeError, ValueError):
            yield b"\0" * 4


def tensor(dims: list[int], code: int, field: int, values: Any, name: str = "") -> list[Any]:
    """Return a TensorProto as a tree: its element type's code, and the field of its values."""
    shape = [[1, length] for length in dims]
    return [*shape, [2, code], [field, values], *([[8, name]] if name else [])]


def data_sets() -> Iterator[dict[str, Any]]:
    """Yield test data sets as trees: files of a folder, or an archive.

    Those that target.py reads them for: a float image, texts, a sequence, an optional, and
    outputs of float16 and int4.
    """
    floats = {"raw": [0, 0, 128, 63] * 6}
    sequence = [[1, "s"], [3, tensor([2], 1, 9, {"raw": [0] * 8})]]
    yield {
        "files": {
            "input_0.pb": tensor([1, 2, 3], 1, 9, floats, "x"),
            "input_1.pb": [[1, 2], [2, 8], [6, "one"], [6, "two"]],
            "input_2.pb": [*sequence, [3, tensor([3], 1, 9, {"raw": [0] * 12})]],
            "input_3.pb": [[1, "o"], [2, 1], [3, tensor([2], 7, 7, {"packed": [1, 2]})]],
            "output_0.pb": tensor([2, 2], 10, 5, {"packed": [0, 15360, 16384, 1]}, "y"),
            "output_1.pb": tensor([5], 22, 9, {"raw": [16, 50, 4]}, "z"),
            "output_2.pb": sequence,
        }
    }
    yield {
        "files": {
            "data_0_input.pb": tensor([1, 2, 3], 11, 10, {"raw": [0] * 48}),
            "data_0_output.pb": tensor([2, 2], 1, 4, {"raw": [0, 0, 128, 63] * 4}),
            "output_1.pb": tensor([5], 3, 5, {"packed": [1, 2, 3, 4, 2**64 - 1]}),
        }
    }
    floats_2x2 = {"descr": "<f4", "fortran_order": False, "shape": [2, 2]}
    whole = {"descr": "<i8", "fortran_order": False, "shape": [5]}
    text = {"descr": "<U3", "fortran_order": False, "shape": [2]}
    yield {
        "npz": {
            "x.npy": {
                "header": floats_2x2 | {"shape": [1, 2, 3]}, "version": 1,
                "values": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "as": "<f",
            },
            "t.npy": {"header": text, "version": 2, "values": [65, 66, 67] * 2, "as": "<I"},
            "y.npy": {
                "header": floats_2x2 | {"fortran_order": True}, "version": 1,
                "values": [0.5, 1.5, 2.5, 3.5], "as": "<f",
            },
            "z.npy": {"header": whole, "version": 1, "values": [1, 2, 3, 4, 5], "as": "<q"},
        }
    }  # fmt: skip
    only = {"header": floats_2x2, "values": [1.0] * 4, "as": "<f"}
    yield {"npz": {"arr_0.npy": only}, "alone": True}


def perfetto() -> Iterator[list[Any]]:
    """Yield traces in Perfetto's format as trees, of each thing that its reader knows."""
    process = [60, [[1, 5], [3, [[1, 77], [6, "app"]]]]]
    thread = [60, [[1, 7], [5, 5], [4, [[1, 77], [2, 78], [5, "worker"]]]]]
    meter = [60, [[1, 9], [2, "Heap"], [5, 5], [8, [[3, 3], [4, 1024], [5, 1]]]]]
    head = [[1, [[10, 1], each]] for each in (process, thread, meter)]

    def event(at: int, kind: int, *more: list[Any], track: int = 7) -> list[Any]:
        return [1, [[8, at], [10, 1], [11, [[9, kind], [11, track], *more]]]]

    slices = [
        event(1000, 1, [23, "outer"], [47, 3]),
        event(1500, 1, [23, "inner"]),
        event(1800, 2),
        event(2000, 3, [23, "moment"], [48, 3]),
        event(2500, 2),
    ]
    yield [*head, *slices]
    yield [
        *head,
        event(1200, 4, [30, 4096], track=9),
        event(1300, 4, [44, 2.5], track=9),
        *slices,
    ]
    interned = [12, [[2, [[1, 1], [2, "kept"]]]]]
    clocks = [[1, [[1, 6], [2, 5000]]], [1, [[1, 64], [2, 10], [3, 1], [4, 1000]]]]
    legacy = [6, [[1, 1], [2, 88], [3, 5]]]
    yield [
        [1, [[10, 1], [13, 1], [41, 1], interned, [59, [[58, 64], [11, [[11, 7]]]]]]],
        [1, [[10, 1], [6, clocks]]],
        *head,
        [1, [[8, 3], [10, 1], [58, 64], [11, [[9, 1], [10, 1], [11, 7], [36, 9]]]]],
        [1, [[8, 4], [10, 1], [58, 64], [11, [[9, 2], [11, 7], [42, 9]]]]],
        [1, [[10, 1], [11, [[16, 12], [11, 7], legacy, [23, "whole"]]]]],
        [1, [[10, 1], [50, {"zlib": [event(9000, 1, [23, "packed"]), event(9100, 2)]}]]],
        [1, [[10, 2], [33, [[1, 1]]], [7, [[1, 2]]]]],
    ]
