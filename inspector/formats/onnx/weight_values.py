"""Values of one weight, read on demand in chunks.

Nothing is mapped into memory and nothing is cached: a file of any size costs one piece.
"""

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path

import ml_dtypes
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.errors import UnreadableFile
from inspector.formats.onnx.lazy_scan import FIELD_NAMES, holds_values
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.protobuf_wire import PADDING, Malformed, Window, records
from inspector.formats.source import Source, clean, open_source
from inspector.formats.weight_files.gguf_blocks import DECODERS, decoded
from inspector.formats.weight_files.gguf_kinds import BY_NAME
from inspector.model.model import ITEM_BITS, Place, WeightInfo
from inspector.platform import files

Values = NDArray[np.generic]

STRINGS = "string_data"
NUMBERS = {"int32_data", "int64_data", "uint64_data"}  # of varying length in the file
_ENTRY_BYTES = {"float_data": 4, "double_data": 8}
_LONGEST = 10  # bytes of a varint

_UNPACKED = {"int4": "int8", "int2": "int8"} | {f"uint{bits}": "uint8" for bits in range(1, 8)}
HIGH_BITS_FIRST = "raw_data, high bits first"  # of elements below a byte, in Core ML's layers
_BEYOND_NUMPY = {
    "bfloat16": ml_dtypes.bfloat16, "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz, "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz, "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
_MAY_HOLD = {
    "float_data": {"float32", "complex64"},
    "double_data": {"float64", "complex128"},
    "int64_data": {"int64"},
    "uint64_data": {"uint32", "uint64"},
}
_NOT_IN_INT32 = {"float32", "uint32"}
CHUNK = 1 << 18  # elements
# Of a string tensor, whose elements become Python objects.
MOST_TEXT_BYTES = 64 << 20
MOST_TEXTS = 1_000_000
_SHOWN = 80


def item_type(dtype: str) -> np.dtype[np.generic]:
    """Type of an array with elements of a model's type; below a byte, one of a whole byte.

    int4 and int2 come as int8, uint4 and uint2 as uint8, strings as objects (bytes).
    """
    if dtype == "string":
        return np.dtype(object)
    if dtype in DECODERS:
        return np.dtype(np.float32)
    beyond = _BEYOND_NUMPY.get(dtype)
    return np.dtype(_UNPACKED.get(dtype, dtype) if beyond is None else beyond)


def refusal(dtype: str, field: str) -> str:
    """Return the reason why a field cannot hold values of a type; empty if it can."""
    if dtype in DECODERS:
        return ""
    bits = ITEM_BITS.get(dtype)
    if bits is None and dtype != "string":
        return f"Inspector does not support its data type ({dtype})"
    refusal_text = f"{dtype} values cannot be stored in {field}"
    if (field == STRINGS) != (dtype == "string"):
        return refusal_text
    may = _MAY_HOLD.get(field)
    wrong = may is not None and dtype not in may
    if field == "int32_data" and bits is not None:
        wrong = bits > 32 or dtype in _NOT_IN_INT32
    return refusal_text if wrong else ""


def unpacked(
    data: bytes | NDArray[np.uint8], dtype: str, count: int, high_first: bool = False
) -> Values:
    """Return the values from their packed bytes, little-endian: `count` elements, flat.

    high_first: whether the first of several elements in a byte has its high bits.
    """
    raw = np.frombuffer(data, np.uint8)
    bits, kind = ITEM_BITS[dtype], item_type(dtype)
    if dtype == "bool":
        truths: NDArray[np.bool_] = raw != 0
        return truths[:count]
    if bits >= 8:
        return raw.view(kind)[:count]
    if 8 % bits or high_first:  # elements may lie across two bytes
        unpacked_bits = np.unpackbits(raw, bitorder="big" if high_first else "little")
        rows = unpacked_bits[: len(unpacked_bits) // bits * bits].reshape(-1, bits)
        places = np.arange(bits, dtype=np.uint8)
        weights_of = np.left_shift(1, places[::-1] if high_first else places).astype(np.uint8)
        numbers: NDArray[np.uint8] = (rows * weights_of).sum(axis=1, dtype=np.uint8)
        return numbers[:count].view(kind)
    apart = 8 // bits
    values = np.empty((len(raw), apart), np.uint8)
    for place in range(apart):
        values[:, place] = raw >> (bits * place) & ((1 << bits) - 1)
    if dtype.startswith("int"):
        shift = 8 - bits  # the highest bit is the sign
        return ((values << shift).view(np.int8) >> shift).reshape(-1)[:count]
    return values.reshape(-1)[:count].view(kind)


def as_packed(numbers: NDArray[np.uint64], dtype: str) -> NDArray[np.uint8]:
    """Return the bytes that numbers of a typed field stand for, as raw_data would have them."""
    width = max(1, ITEM_BITS[dtype] // 8)
    return numbers.astype(np.dtype(f"<u{width}")).view(np.uint8)


def varints(data: bytes) -> tuple[NDArray[np.uint64], int]:
    """Decode all whole numbers in a piece: uint64 (N,), and how many bytes they took.

    Raises Malformed: one is longer than 64 bits need.
    """
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw < 128) + 1
    used = int(ends[-1]) if len(ends) else 0
    starts = np.concatenate(([0], ends[:-1])).astype(np.intp)[: len(ends)]
    lengths = ends - starts
    if len(raw) - used >= _LONGEST or (len(lengths) and int(lengths.max()) > _LONGEST):
        raise Malformed(f"it contains a number longer than {_LONGEST} bytes")
    numbers = np.zeros(len(ends), np.uint64)
    for place in range(int(lengths.max()) if len(lengths) else 0):
        longer = np.flatnonzero(lengths > place)
        digits = (raw[starts[longer] + place] & 127).astype(np.uint64)
        numbers[longer] |= digits << np.uint64(7 * place)
    return numbers, used


def entries(data: bytes, dtype: str, field: str) -> bytes:
    """Return the bytes that one record of a typed field stands for, as raw_data would have
    them.

    Raises Malformed: it ends within a number.
    """
    if field not in NUMBERS:
        return data
    numbers, used = varints(data)
    if used != len(data):
        raise Malformed("a number in it is truncated")
    return as_packed(numbers, dtype).tobytes()


def strings(data: bytes, count: int) -> Values:
    """Texts from the records of string_data: objects (bytes). Raises Malformed.

    A single one is not wrapped in its record.
    """
    decoded = np.empty(count, object)
    texts = [data]
    if count != 1:
        walked = records(data + PADDING, 0, len(data))
        texts = [data[value:stop] for field, _, _, value, stop in walked if field == 6]
    if len(texts) != count:
        raise Malformed(f"it has {len(texts):,} values, but its shape needs {count:,}")
    decoded[:] = texts
    return decoded


def packed_length(dtype: str, field: str, elements: int) -> int:
    """Return the packed size of so many elements in a field of fixed-width entries."""
    width = _ENTRY_BYTES.get(field)
    bits = ITEM_BITS[dtype]
    return (elements * bits + 7) // 8 if width is None else elements * (bits // 8)


class Stamp(Struct, frozen=True):
    """Size and time of the last change of a file, to notice that it is another one now."""

    size_bytes: int
    changed_ns: int


Stamps = Mapping[str, Stamp]
Index = int | slice


def stamps(path: Path, weights: Iterable[WeightInfo]) -> dict[str, Stamp]:
    """Return how the files of a model's weights are now, by `Place.file`, but for missing
    ones."""
    stamps_by_name = {name: _stamp(file) for name, file in files_of(path, weights).items()}
    return {name: stamp for name, stamp in stamps_by_name.items() if stamp is not None}


def files_of(path: Path, weights: Iterable[WeightInfo]) -> dict[str, Path]:
    """Return the files that hold a model, by `Place.file`; "" is the model itself."""
    near = ExternalFiles(path)
    names = {weight.place.file for weight in weights if weight.place is not None} - {""}
    side_files = {name: near.look_up(name).path for name in names}
    return {"": path} | {name: file for name, file in side_files.items() if file is not None}


def chunks(
    path: Path, weight: WeightInfo, elements: int = CHUNK, expected_stamps: Stamps | None = None
) -> Iterator[Values]:
    """Yield a weight's values in order, flat, in chunks of about so many.

    path: the model's. expected_stamps: `stamps` of the time when the model was opened.
    Element types are those of `item_type`. A sparse tensor yields the values
    that it stores. Raises UnreadableFile: they cannot be reached, do not fit, or a file is
    another one by now.
    """
    with _source(path, weight, expected_stamps) as source:
        for _, values in _windows(source, weight, elements):
            yield values


class WeightReader:
    """Reads the values of many weights of one model, whose files stay open meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path, self._near = path, ExternalFiles(path)
        self._files = ExitStack()
        self._sources: dict[str, Source] = {}

    def __enter__(self) -> "WeightReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def read(self, weight: WeightInfo) -> Iterator[Values]:
        """Yield a weight's values in order, flat, `CHUNK` at a time. Raises UnreadableFile."""
        _known_type(weight)
        place = weight.place
        if place is None:
            if prod(weight.stored_shape) > 0:
                raise _failure(weight, "its values are not in the file")
            return
        if place.file not in self._sources:
            file = self._near.look_up(place.file).path if place.file else self._path
            if file is None:
                why = f"'{place.file[:_SHOWN]}' is not next to the model, or cannot be read"
                raise _failure(weight, why)
            self._sources[place.file] = self._files.enter_context(open_source(file))
        source, elements = self._sources[place.file], weight.elements
        if (
            weight.stored is None
            and 0 < elements <= CHUNK
            and place.records == 1
            and place.field not in NUMBERS
            and place.field != STRINGS
            and weight.dtype not in DECODERS
            and packed_length(weight.dtype, place.field, elements) == place.length
        ):  # networks of many layers have many of these: without the rest a third of the time
            yield unpacked(source.read(place.offset, place.length), weight.dtype, elements)
            return
        for _, values in _windows(source, weight, CHUNK):
            yield values


def tensor(
    path: Path, weight: WeightInfo, limit_bytes: int, expected_stamps: Stamps | None = None
) -> Values:
    """Return a whole weight in its stored shape. Raises UnreadableFile, also over the limit."""
    size = item_type(_known_type(weight)).itemsize * prod(weight.stored_shape)
    if size > limit_bytes:
        why = f"it requires {size:,} B of memory; the limit is {limit_bytes:,} B"
        raise _failure(weight, why, "View a slice of it.")
    pieces = [*chunks(path, weight, expected_stamps=expected_stamps)]
    whole = np.concatenate(pieces) if pieces else np.empty(0, item_type(weight.dtype))
    return whole.reshape(weight.stored_shape)


def part(
    path: Path,
    weight: WeightInfo,
    indices: Sequence[Index],
    expected_stamps: Stamps | None = None,
) -> Values:
    """Return the elements that `numpy` would give for these indices of the stored shape, one an
    axis.

    Reads only pieces with such elements, where the field allows it. Raises UnreadableFile.
    """
    shape = weight.stored_shape
    axes = [np.arange(n)[i] for n, i in zip(shape, indices, strict=True)]
    grid = np.zeros((), np.int64)
    for axis, length in zip(axes, shape, strict=True):
        grid = grid[..., None] * length + axis if np.ndim(axis) else grid * length + axis
    flat = grid.reshape(-1)
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    selected = np.empty(len(flat), item_type(_known_type(weight)))
    with _source(path, weight, expected_stamps) as source:
        for first, values in _windows(source, weight, CHUNK, np.unique(flat // CHUNK)):
            low, high = np.searchsorted(ordered, (first, first + len(values)))
            selected[order[low:high]] = values[ordered[low:high] - first]
    return selected.reshape(grid.shape)


def _windows(
    source: Source, weight: WeightInfo, elements: int, indices: NDArray[np.int64] | None = None
) -> Iterator[tuple[int, Values]]:
    """Yield (index of the first, flat values). indices: numbers of the windows to read."""
    place, count = weight.place, prod(weight.stored_shape)
    if place is None:
        return
    try:
        if weight.dtype in DECODERS:
            yield from _blocks(source, weight, place, count, elements, indices)
        elif place.field == STRINGS:
            yield 0, _strings(source, place, count)
        elif place.records > 1:
            yield from _scattered(source, weight, place, count, elements)
        elif place.field in NUMBERS:
            yield from _numbers(source, weight, place, count, elements)
        else:
            yield from _fixed(source, weight, place, count, elements, indices)
    except Malformed as error:
        raise source.failure(str(error), error.hint) from error


def _blocks(
    source: Source,
    weight: WeightInfo,
    place: Place,
    count: int,
    elements: int,
    indices: NDArray[np.int64] | None,
) -> Iterator[tuple[int, Values]]:
    """Yield the values of GGUF's blocks."""
    _, numbers, width, _ = BY_NAME[weight.dtype]
    if place.length != -(-count // numbers) * width:
        raise Malformed(f"it has {place.length:,} B of values, which do not fit its shape")
    size = (elements + 255) // 256 * 256  # whole blocks of every kind
    every = range((count + size - 1) // size) if indices is None else indices.tolist()
    for window in every:
        first = window * size
        number = min(size, count - first)
        length = -(-number // numbers) * width
        data = source.read(place.offset + first // numbers * width, length)
        yield first, decoded(weight.dtype, data)[:number]


def _fixed(
    source: Source,
    weight: WeightInfo,
    place: Place,
    count: int,
    elements: int,
    indices: NDArray[np.int64] | None,
) -> Iterator[tuple[int, Values]]:
    expected = packed_length(weight.dtype, place.field, count)
    if expected != place.length:
        raise Malformed(
            f"it has {place.length:,} B of values, but its shape needs {expected:,} B"
        )
    size = (elements + 7) // 8 * 8  # whole bytes, also of elements of two bits
    every = range((count + size - 1) // size) if indices is None else indices.tolist()
    for window in every:
        first = window * size
        number = min(size, count - first)
        before = packed_length(weight.dtype, place.field, first)
        length = packed_length(weight.dtype, place.field, number)
        data = source.read(place.offset + before, length)
        yield first, unpacked(data, weight.dtype, number, place.field == HIGH_BITS_FIRST)


def _numbers(
    source: Source, weight: WeightInfo, place: Place, count: int, elements: int
) -> Iterator[tuple[int, Values]]:
    at, end, rest, first = place.offset, place.offset + place.length, b"", 0
    while at < end:
        piece = source.read(at, min(elements, end - at))
        at += len(piece)
        numbers, used = varints(rest + piece)
        rest = (rest + piece)[used:]
        data = as_packed(numbers, weight.dtype)
        values = unpacked(data, weight.dtype, _contained(weight.dtype, len(data)))
        if first + len(values) > count:
            values = _trimmed(values, count - first, weight.dtype)
        if len(values):
            yield first, values
        first += len(values)
    if rest or first != count:
        raise Malformed(f"it has {first:,} values, but its shape needs {count:,}")


def _scattered(
    source: Source, weight: WeightInfo, place: Place, count: int, elements: int
) -> Iterator[tuple[int, Values]]:
    """Yield the values that a writer spread over several records, each with one or with
    many."""
    window, end = Window(source), place.offset + place.length
    packed, first = bytearray(), 0
    for field, wire, _, value, stop in records(window, place.offset, end):
        if holds_values(field, wire) and FIELD_NAMES[field] == place.field:
            packed += entries(window[value:stop], weight.dtype, place.field)
        whole = _contained(weight.dtype, len(packed))
        if whole < elements and stop < end:
            continue
        values = unpacked(bytes(packed), weight.dtype, whole)
        del packed[: packed_length(weight.dtype, "", whole)]
        if first + len(values) > count:
            values = _trimmed(values, count - first, weight.dtype)
        if len(values):
            yield first, values
        first += len(values)
    if packed or first != count:
        raise Malformed(f"it has {first:,} values, but its shape needs {count:,}")


def _contained(dtype: str, length: int) -> int:
    """Return the number of elements in so many packed bytes."""
    return length * 8 // max(1, packed_length(dtype, "", 8))


def _trimmed(values: Values, room: int, dtype: str) -> Values:
    """Leave out what fills the last byte up. Raises Malformed: there is more."""
    if len(values) - room >= max(1, 8 // packed_length(dtype, "", 8)):
        raise Malformed("it has more values than its shape needs")
    return values[:room]


def _strings(source: Source, place: Place, count: int) -> Values:
    if place.length > MOST_TEXT_BYTES or count > MOST_TEXTS:
        limit = f"{MOST_TEXTS:,} strings or {MOST_TEXT_BYTES >> 20} MiB"
        raise Malformed(
            f"it has more than {limit}", "Inspector does not read larger string tensors."
        )
    return strings(source.read(place.offset, place.length), count)


@contextmanager
def _source(path: Path, weight: WeightInfo, expected_stamps: Stamps | None) -> Iterator[Source]:
    """Open the file in which a weight's values lie."""
    _known_type(weight)
    place = weight.place
    if place is None and prod(weight.stored_shape) > 0:
        raise _failure(weight, "its values are not in the file")
    name = place.file if place is not None else ""
    file = ExternalFiles(path).look_up(name).path if name else path
    if file is None:
        why = f"'{name[:_SHOWN]}' is no longer next to the model, or cannot be read"
        raise _failure(weight, why, "Put it back, or open the model again.")
    if (
        expected_stamps is not None
        and name in expected_stamps
        and _stamp(file) not in (None, expected_stamps[name])
    ):
        why = f"{clean(file.name)} has changed since the model was opened"
        raise _failure(weight, why, "Open the model again.")
    try:
        with open_source(file) as source:
            yield source
    except UnreadableFile as error:
        if error.what.startswith("Could not open"):
            raise _failure(weight, f"{clean(file.name)}: {error.why}", error.hint) from error
        raise


def _stamp(path: Path | None) -> Stamp | None:
    if path is None:
        return None
    try:
        status = os.stat(path)
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns)


def _known_type(weight: WeightInfo) -> str:
    """Return the element type of a weight. Raises UnreadableFile: it is unknown."""
    if weight.problem:
        raise _failure(weight, weight.problem)
    field = weight.place.field if weight.place is not None else ""
    usual = STRINGS if weight.dtype == "string" else "raw_data"
    why = refusal(weight.dtype, field or usual)
    if why:
        raise _failure(weight, why)
    return weight.dtype


def _failure(weight: WeightInfo, why: str, hint: str = "") -> UnreadableFile:
    return UnreadableFile(f"Could not read '{weight.name[:_SHOWN]}'", why, hint)


def saved_type(dtype: str) -> np.dtype[np.generic]:
    """Type of the elements in the file: what numpy has none for is float32, which is exact."""
    kind = item_type(dtype)
    return kind if kind.isbuiltin == 1 else np.dtype(np.float32)


def save(
    path: Path, weight: WeightInfo, target: Path, expected_stamps: Stamps | None = None
) -> None:
    """Write a weight's values, in its stored shape, to an .npy file, whole or not at all.

    path, expected_stamps: as for `chunks`. Raises UnreadableFile, also for texts, which
    take no fixed width; NotSaved.
    """
    if weight.dtype == "string":
        raise UnreadableFile(
            f"Could not save '{weight.name[:80]}'",
            "an .npy file can hold only numbers here, but these are strings",
        )
    files.write_pieces(target, _pieces(chunks(path, weight, CHUNK, expected_stamps), weight))


def _pieces(values: Iterator[Values], weight: WeightInfo) -> Iterator[bytes | memoryview]:
    kind = saved_type(weight.dtype)
    head = io.BytesIO()
    facts = {
        "descr": np.lib.format.dtype_to_descr(kind),
        "fortran_order": False,
        "shape": weight.stored_shape,
    }
    np.lib.format.write_array_header_2_0(head, facts)
    yield head.getvalue()
    for piece in values:
        yield np.ascontiguousarray(piece.astype(kind, copy=False)).view(np.uint8).data
